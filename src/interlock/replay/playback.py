"""Play past sessions to judges: what would have been answered to each call, and what really became of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.event import PostToolUseFailure
from interlock.facts.tools import parse_mcp
from interlock.receipts.failures import as_result
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge, root_of
from interlock.replay.lines import Progress, no_progress
from interlock.replay.sources import PastSession
from interlock.replay.steps import MAIN, Occasion, Outcome, PastCall, PastPrompt, PastResult, PastStep, steps_of
from interlock.verdict import Verdict

__all__ = ["Copies", "Hindsight", "Scene", "Stage", "play", "play_steps"]

JsonObject: TypeAlias = dict[str, Any]
_MOST_COPIES = 200_000


class Hindsight(Struct, frozen=True):
    """What one judge said about a call, and about its result if there would have been one."""

    call: Verdict
    result: Verdict | None = None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return (self.call,) if self.result is None else (self.call, self.result)


class Scene(Struct, frozen=True):
    """A call or a prompt of the past with what each judge said about it."""

    what: PastCall | PastPrompt
    outcome: Outcome
    session: str
    project: str
    said: tuple[Hindsight, ...]


class Copies:
    """Which lines were met before: a fork of a session begins with a copy of it, which must not be counted again."""

    def __init__(self, most: int = _MOST_COPIES) -> None:
        self._most = most
        self._seen: dict[int, None] = {}

    def is_new(self, line_id: str) -> bool:
        """Whether a line was not met before. Only so many are remembered, the newest."""
        key = int.from_bytes(hashlib.blake2b(line_id.encode("utf-8", "replace"), digest_size=8).digest())
        if key in self._seen:
            return False
        self._seen[key] = None
        if len(self._seen) > self._most:
            del self._seen[next(iter(self._seen))]
        return True


def play(
    sessions: Iterable[PastSession],
    judges: Sequence[PastJudge],
    faults: Faults,
    *,
    progress: Progress = no_progress,
    since: float = 0.0,
) -> Iterator[Scene]:
    """Play sessions one after another, and say of each new call since a time what the judges said."""
    copies = Copies()
    for session in sessions:
        steps = steps_of(session, faults, progress)
        for scene in play_steps(session.id, str(session.files[0]), steps, judges):
            # What is older, or was copied from another session, is judged too: it leaves the state for what follows.
            if copies.is_new(scene.what.line_id) and scene.what.around.at >= since:
                yield scene


def play_steps(
    session: str, transcript: str, steps: Iterable[PastStep], judges: Sequence[PastJudge]
) -> Iterator[Scene]:
    """Play the steps of one session."""
    stage = Stage(session, transcript, judges)
    try:
        for step in steps:
            yield from stage.take(step)
        yield from stage.finish()
    finally:
        stage.close()


class _Open(Struct):
    """A call that has no result yet. Until it is judged, it has no verdicts."""

    call: PastCall
    number: int
    verdicts: tuple[Verdict, ...] = ()


class Stage:
    """One session while it is played.

    A call is judged when its result is read, just before it: clients run the calls of one message one after another,
    each in the folder that the one before it left; and the result says whether hooks were asked at all. If a step of
    another agent comes first, such as that of a subagent that the call started, or the next message of the same agent,
    the call is judged before it.
    """

    def __init__(self, session: str, transcript: str, judges: Sequence[PastJudge]) -> None:
        self.id = session
        self._transcript = transcript
        self._judges = judges
        self._project = ""
        self._open: dict[str, _Open] = {}
        self._latest: dict[str, Occasion] = {}  # by agent
        self._mode: str | None = None
        self._calls = 0

    def take(self, step: PastStep) -> Iterator[Scene]:
        """Play one step; what is now known to its end is returned."""
        around = step.around
        if not self._project:
            self._begin(around)
        for other in self._open.values():
            if not other.verdicts and _comes_first(other.call, step):
                self._judge(other)
        self._mode = around.mode or self._mode
        match step:
            case PastCall():
                yield from self._forget(step.id)
                self._calls += 1
                self._open[step.id] = _Open(step, self._calls)
            case PastResult():
                yield from self._result(step)
            case PastPrompt():
                yield from self.finish()  # a turn that was interrupted leaves calls without a result
                prompt = {"prompt": step.text}
                verdicts = [self._ask(judge, around, "UserPromptSubmit", prompt) for judge in self._judges]
                yield self._scene(step, "ran", tuple(Hindsight(verdict) for verdict in verdicts))
        self._latest[around.agent] = around

    def finish(self) -> Iterator[Scene]:
        """The calls that have no result."""
        for call in list(self._open):
            yield from self._forget(call)

    def close(self) -> None:
        """Forget what only this session could ask about."""
        for judge in self._judges:
            judge.end(self.id, self._project)

    def _forget(self, call: str) -> Iterator[Scene]:
        found = self._open.pop(call, None)
        if found is not None:
            self._judge(found)
            yield self._scene(found.call, "open", tuple(Hindsight(verdict) for verdict in found.verdicts))

    def _begin(self, around: Occasion) -> None:
        self._project = root_of(around.cwd) if around.cwd else "/"
        for judge in self._judges:
            self._ask(judge, around, "SessionStart", {"source": "startup"})

    def _judge(self, open_: _Open) -> None:
        """Judge a call, where and when the last step of its agent has left off."""
        if open_.verdicts:
            return
        around = self._latest[open_.call.around.agent]
        fields = _call_fields(open_, open_.call.input)
        open_.verdicts = tuple(self._ask(judge, around, "PreToolUse", fields) for judge in self._judges)

    def _result(self, result: PastResult) -> Iterator[Scene]:
        found = self._open.get(result.call)
        if found is None:
            return
        if result.outcome == "invalid":
            del self._open[result.call]  # the client asked no hook about it
            return
        self._judge(found)
        del self._open[result.call]
        said = [
            Hindsight(verdict, self._ask_result(judge, found, verdict, result))
            for judge, verdict in zip(self._judges, found.verdicts, strict=True)
        ]
        yield self._scene(found.call, result.outcome, tuple(said))

    def _ask_result(self, judge: PastJudge, open_: _Open, verdict: Verdict, result: PastResult) -> Verdict | None:
        """What a judge says about the result. There would have been none if the judge had denied the call."""
        if verdict.decision == "deny" or result.outcome == "refused":
            return None
        fields = _call_fields(open_, verdict.input)
        if result.outcome == "failed":
            return self._ask(judge, result.around, "PostToolUseFailure", {**fields, "error": result.text})
        judge.take_result(self._project, open_.call.tool, verdict.input, open_.call.around.cwd)
        response = _response(open_.call, result)
        return self._ask(judge, result.around, "PostToolUse", {**fields, "tool_response": response})

    def _ask(self, judge: PastJudge, around: Occasion, event: str, fields: JsonObject) -> Verdict:
        payload: JsonObject = {
            "hook_event_name": event,
            "session_id": self.id,
            "transcript_path": self._transcript,
            "cwd": around.cwd or self._project,
            **fields,
        }
        if self._mode is not None:
            payload["permission_mode"] = self._mode
        if around.agent != MAIN:
            payload |= {"agent_id": around.agent, "agent_type": around.agent_type}
        return judge.ask(self._project, payload, around)

    def _scene(self, what: PastCall | PastPrompt, outcome: Outcome, said: tuple[Hindsight, ...]) -> Scene:
        return Scene(what, outcome, self.id, self._project, said)


def _comes_first(call: PastCall, step: PastStep) -> bool:
    """Whether a call without a result must have been made before a step."""
    if call.around.agent != step.around.agent or isinstance(step, PastPrompt):
        return True
    return isinstance(step, PastCall) and step.message != call.message


def _call_fields(open_: _Open, given: JsonObject) -> JsonObject:
    call = open_.call
    # The number makes the id unique: a client may use one again after it was resumed.
    fields: JsonObject = {"tool_name": call.tool, "tool_input": given, "tool_use_id": f"{call.id}-{open_.number}"}
    mcp = parse_mcp(call.tool)
    if mcp is not None:
        fields["mcp_server"] = {"name": mcp.server, "source": ""}  # a transcript does not say where it is configured
    return fields


def _response(call: PastCall, result: PastResult) -> Any:
    """The result as a hook is sent it. The transcript of a subagent has only its text."""
    given = result.response
    if isinstance(given, dict | list) or (parse_mcp(call.tool) is not None and isinstance(given, str)):
        return given
    failed = PostToolUseFailure(
        session_id="", transcript_path="", cwd="", tool_name=call.tool, tool_input={}, error=result.text
    )
    return as_result(failed).tool_response
