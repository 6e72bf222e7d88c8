"""Judge one call as a session would have it judged, with nothing recorded and, unless asked, nothing run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import UNSET, Struct

from interlock.errors import InterlockError, Source
from interlock.event import Event, PostToolUse, ToolEvent
from interlock.hosts import Reply, dialect_of
from interlock.hosts.claude_code.runtime import guards_with
from interlock.judging.guard import Guard
from interlock.policy.engine import Step
from interlock.policy.load import Policy
from interlock.policy.situation import CheckOutcome, Situation
from interlock.probe.world import Machine
from interlock.service import answer, judge_again
from interlock.store.base import Entry, Receipt, Store
from interlock.store.memory import MemoryStore
from interlock.verdict import STRICTNESS, Opinion, Verdict

__all__ = ["TRIAL_CALL", "CallTrial", "Explanation", "best_steps", "hooks_for", "words_of"]

TRIAL_CALL = "toolu_explain"
_HOST = "claude-code"
_OUTCOMES = ("no match", "fired", "failed")
# What an opinion may contain besides its decision → what it is called.
_PARTS: Mapping[str, str] = {
    "change": "change",
    "output": "replace the result",
    "withhold": "withhold the result",
    "context": "tell the model",
    "notice": "tell the person",
    "set": "set state",
    "interrupt": "end the turn",
}


class Explanation(Struct, frozen=True, kw_only=True):
    """One event and what became of it."""

    event: Event | None
    reply: Reply
    steps: tuple[Step, ...]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        return self.reply.verdict


class CallTrial:
    """Judges events as a session here would be judged, with nothing kept and, unless asked, nothing run."""

    def __init__(
        self,
        judges: Sequence[Policy],
        root: Path,
        branch: str | None = None,
        *,
        really_run: bool = False,
        store: Store | None = None,
    ) -> None:
        """`store` is what the call finds of the past. It must keep nothing of the call."""
        self.skipped_checks: list[str] = []
        self._steps: list[Step] = []
        self._really_run = really_run
        self._world = _TrialWorld(str(root), branch, really_run)
        self._store = MemoryStore() if store is None else store
        self._guard = Guard(judges, self._world, self._store, project=str(root), alone=True, trace=self._note,
                            run_hooks=really_run)  # fmt: skip

    def _note(self, step: Step) -> None:
        self._steps.append(step)
        if self._world.skipped:
            self._world.skipped = False
            if step.rule not in self.skipped_checks:
                self.skipped_checks.append(step.rule)

    def judge(self, raw: bytes) -> Explanation:
        """Judge one event. With a result, the call counts as one that was judged before."""
        event = _event_of(raw)
        if not self._really_run:
            judge_again(self._guard, _HOST, raw)  # a first time, so that the time shown does not include starting
        if isinstance(event, PostToolUse):
            self._store.commit(Entry(record={}, raw=b"", at=time.time(), opens=_receipt(event)))
        self._steps.clear()
        start = time.perf_counter()
        reply = answer(self._guard, _HOST, raw)
        return Explanation(event=event, reply=reply, steps=best_steps(self._steps), seconds=time.perf_counter() - start)

    def close(self) -> None:
        self._guard.close()


def _event_of(raw: bytes) -> Event | None:
    """The event, if it can be read. If not, the answer says what is wrong with it."""
    try:
        return dialect_of(_HOST).decode(raw)
    except InterlockError:
        return None


def _receipt(event: PostToolUse) -> Receipt:
    return Receipt(
        session=event.session_id,
        call=event.tool_use_id,
        tool=event.tool_name,
        input_digest="",
        decision=None,
        at=time.time(),
        agent=event.agent_id or "",
    )


class _TrialWorld(Machine):
    """This machine, without what must not happen when a call is only explained."""

    def __init__(self, project: str, branch: str | None, really_run: bool) -> None:
        super().__init__(project, guards=guards_with(None))
        self._pretended = branch
        self._really_run = really_run
        self.skipped = False  # whether a check was not run since this was last reset

    def branch(self, project: str) -> str:
        return self._pretended if self._pretended is not None else super().branch(project)

    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome:
        if self._really_run:
            return super().run(command, timeout, situation)
        self.skipped = True
        return CheckOutcome()  # exit code 0 is a check that passes


def best_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Each rule once. A rule is asked again about a changed call; that it fired before is what counts."""
    best: dict[tuple[str, Source | None], Step] = {}
    for step in steps:
        key = (step.rule, step.source)
        if key not in best or _weight(step) > _weight(best[key]):
            best[key] = step
    return tuple(best.values())


def _weight(step: Step) -> tuple[int, int]:
    return _OUTCOMES.index(step.outcome), STRICTNESS[step.opinion.decision] if step.opinion is not None else 0


def words_of(opinion: Opinion | None) -> str:
    """What a rule or hook says, in a few words."""
    if opinion is None:
        return ""
    if opinion.would is not None:
        return f"would {opinion.would} (it only observes)"
    words: list[str] = [opinion.decision or ""]
    words += [name for part, name in _PARTS.items() if getattr(opinion, part) not in (None, False, UNSET)]
    return ", ".join(word for word in words if word)


def hooks_for(event: Event | None, judges: Sequence[Policy]) -> Iterator[str]:
    """The hooks that a session would ask about this event."""
    for policy in judges:
        if policy.observe or event is None:
            continue
        yield from (name for name, _ in policy.hook_files)
        for hook in policy.externals:
            tool = event.tool_name if isinstance(event, ToolEvent) else ""
            concerned = hook.tool is None or not tool or hook.tool.match(tool) is not None
            if event.hook_event_name in hook.events and concerned:
                run = hook.run if isinstance(hook.run, str | None) else " ".join(hook.run)
                yield hook.name or run or hook.url or ""
