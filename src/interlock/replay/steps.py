"""What happened in a session, step by step: prompts, calls and results, in order of time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import DecodeError, Struct, json

from interlock.facts.tools import names_of
from interlock.receipts.refusal_words import is_invalid, says_it_did_not_run
from interlock.receipts.transcript_lines import UNRAISED, blocks_of, time_of
from interlock.replay.faults import Faults
from interlock.replay.lines import Progress, TranscriptLine, no_progress, read_lines
from interlock.replay.sources import PastSession, first_time

__all__ = ["MAIN", "Occasion", "Outcome", "PastCall", "PastPrompt", "PastResult", "PastStep", "steps_of"]

JsonObject: TypeAlias = dict[str, Any]
Outcome: TypeAlias = Literal["ran", "failed", "refused", "invalid", "open"]
"""What became of a call: `refused` by a person, a setting or a hook; `invalid` for the client, which then asks no hook;
`open` if the transcript has no result."""

MAIN = ""  # the agent that a person talks to
_UNNAMED = "sidechain"  # a subagent in a transcript of the time when they had no id
_UNKNOWN_TYPE = "unknown"
_MOST_META = 64 * 1024
# Lines that the client writes in a person's name, which are not prompts.
_NOT_PROMPTS = ("<command-", "<local-command-", "<bash-", "<task-notification", "[Request interrupted")


class Occasion(Struct, frozen=True):
    """When and where a step took place."""

    at: float
    cwd: str
    branch: str
    mode: str | None
    agent: str  # MAIN, or the subagent's id
    agent_type: str
    place: str  # file and line of the transcript


class PastPrompt(Struct, frozen=True):
    """Something that a person wrote."""

    text: str
    around: Occasion
    line_id: str


class PastCall(Struct, frozen=True):
    """A tool call that the model wrote."""

    id: str
    tool: str
    input: JsonObject
    around: Occasion
    line_id: str
    message: str = ""  # the calls of one message are made one after another


class PastResult(Struct, frozen=True):
    """What became of a call."""

    call: str
    outcome: Outcome
    text: str  # as the model read it
    response: Any  # as the client has it; None if the transcript does not contain it
    around: Occasion


PastStep: TypeAlias = PastPrompt | PastCall | PastResult


def steps_of(session: PastSession, faults: Faults, progress: Progress = no_progress) -> Iterator[PastStep]:
    """The steps of a session and its subagents. Only files of agents that are at work are kept open."""
    streams = [_Stream(file, faults, progress) for file in session.files]
    # A stream waits with its next steps; one that is not open yet waits with none.
    waiting: list[tuple[float, int, list[PastStep]]] = [
        (first_time(file) if len(streams) > 1 else 0.0, number, []) for number, file in enumerate(session.files)
    ]
    heapq.heapify(waiting)
    while waiting:
        _, number, steps = heapq.heappop(waiting)
        yield from steps
        following = streams[number].next()
        if following:
            heapq.heappush(waiting, (following[0].around.at, number, following))


class _Stream:
    """One file of a transcript, read as its steps are wanted."""

    def __init__(self, file: Path, faults: Faults, progress: Progress) -> None:
        self._file = file
        self._faults = faults
        self._lines = read_lines(file, faults, progress)
        self._at = 0.0
        self._cwd = ""
        self._branch = ""
        self._mode: str | None = None
        self._own_type = _type_in_meta(file)
        self._tools: dict[str, str] = {}  # call → tool, until its result is read

    def next(self) -> list[PastStep]:
        """The steps of the next line that has any; none at the end."""
        for number, line in self._lines:
            found = list(self._steps(line, f"{self._file}:{number}", number))
            if found:
                return found
        return []

    def _steps(self, line: TranscriptLine, place: str, number: int) -> Iterator[PastStep]:
        around = self._around(line, place)
        if line.type == "assistant":
            for block in blocks_of(line.message, "tool_use"):
                call, tool, given = block.get("id"), block.get("name"), block.get("input")
                if not (isinstance(call, str) and isinstance(tool, str) and isinstance(given, dict)):
                    self._faults.add("calls of an unknown form", self._file, number)
                elif tool not in UNRAISED:
                    self._tools[call] = tool
                    message = str(line.message.get("id") or place)
                    yield PastCall(call, tool, given, around, f"{line.uuid or place}/{call}", message)
            return
        results = list(blocks_of(line.message, "tool_result"))
        for block in results:
            call = block.get("tool_use_id")
            tool = self._tools.pop(call, None) if isinstance(call, str) else None
            if isinstance(call, str) and tool is not None:
                yield _result(call, tool, block, line, around, alone=len(results) == 1)
        text = _prompt_in(line) if not results and around.agent == MAIN else ""
        if text:
            yield PastPrompt(text, around, line.uuid or place)

    def _around(self, line: TranscriptLine, place: str) -> Occasion:
        at = time_of(line.timestamp) if line.timestamp else None
        # A line never takes place before one that the same file has in front of it.
        self._at = max(self._at, at or 0.0)
        self._cwd = line.cwd or self._cwd
        self._branch = self._branch if line.gitBranch is None else line.gitBranch
        self._mode = line.permissionMode or self._mode
        agent = line.agentId or (_UNNAMED if line.isSidechain else MAIN)
        kind = (self._own_type or line.attributionAgent or _UNKNOWN_TYPE) if agent != MAIN else ""
        branch = "" if self._branch == "HEAD" else self._branch  # what git calls a checkout without a branch
        return Occasion(self._at, self._cwd, branch, self._mode, agent, kind, place)


def _result(
    call: str, tool: str, block: JsonObject, line: TranscriptLine, around: Occasion, *, alone: bool
) -> PastResult:
    text = _text_of(block.get("content"))
    response = line.toolUseResult if alone else None
    return PastResult(call, _outcome(tool, text, block, line), text, response, around)


def _outcome(tool: str, text: str, block: JsonObject, line: TranscriptLine) -> Outcome:
    if block.get("is_error") is not True:
        return "ran"
    decision = line.permissionDecision.get("decision") if isinstance(line.permissionDecision, dict) else None
    if decision == "reject" or line.toolDenialKind:
        return "refused"
    if is_invalid(text):
        return "invalid"
    if decision is None and any(says_it_did_not_run(name, text) for name in names_of(tool)):
        return "refused"  # written by a client that did not say who decided
    return "failed"


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else ()
    return "\n".join(str(block["text"]) for block in blocks if isinstance(block, dict) and "text" in block)


def _prompt_in(line: TranscriptLine) -> str:
    if line.isMeta or line.isCompactSummary or not isinstance(line.message, dict):
        return ""
    text = _text_of(line.message.get("content"))
    return "" if text.startswith(_NOT_PROMPTS) else text


def _type_in_meta(file: Path) -> str:
    """The type of the agent whose transcript this is, from the note that the client writes beside it."""
    if not file.name.startswith("agent-"):
        return ""
    try:
        with file.with_suffix(".meta.json").open("rb") as stream:
            about = json.decode(stream.read(_MOST_META))
    except (OSError, DecodeError, RecursionError, UnicodeDecodeError):
        return ""  # clients of other versions write none
    kind = about.get("agentType") if isinstance(about, dict) else None
    return kind if isinstance(kind, str) else ""
