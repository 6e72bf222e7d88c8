"""Whether a hook is a guard: only then does it matter what becomes of a call if the hook fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from interlock.event import EVENTS
from interlock.hook_lint.fate import fate_of, says_no
from interlock.hook_lint.program import Ending, InputComparison, PatternUse, Span
from interlock.hook_lint.wiring import HookSubject

__all__ = [
    "GUARDED",
    "guards",
    "is_meant_as_refusal",
    "may_lead_here",
    "refused_besides",
    "refused_by",
    "refused_without",
]

# What every event has. Without it, something is wrong with the event, and not with the call.
_OF_EVERY_CALL = frozenset({
    (), ("tool_name",), ("tool_input",), ("session_id",), ("hook_event_name",), ("cwd",), ("transcript_path",),
})  # fmt: skip
_WORD = re.compile(r"[A-Za-z]+")
GUARDED = ("PreToolUse", "PermissionRequest")


def guards(subject: HookSubject) -> bool:
    """Whether the hook refuses calls, or tries to."""
    return any(True for _ in _refusals(subject))


def refused_by(subject: HookSubject, use: PatternUse | InputComparison) -> bool:
    """Whether a call that a pattern fits is refused on some way, or is meant to be."""
    refusals = [ending for ending in _refusals(subject) if not ending.on_error]
    if any(ending.found for ending in subject.program.endings):
        return any(use.span in ending.found for ending in refusals)
    texts = (use.text,) if isinstance(use, PatternUse) else use.values
    return any(text in condition for ending in refusals for condition in ending.when for text in texts)


def refused_without(subject: HookSubject, use: PatternUse, other: PatternUse) -> bool:
    """Whether a call that another pattern fits is refused on a way that does not ask for this one."""
    if use.span == other.span or not any(ending.found for ending in subject.program.endings):
        return True
    return any(other.span in ending.found and use.span not in ending.found for ending in _refusals(subject))


def refused_besides(subject: HookSubject, use: PatternUse, fitting: Set[Span], missing: Set[Span]) -> bool:
    """Whether a call that this pattern misses may be refused all the same, since others fit it."""
    found = [set(ending.found) for ending in _refusals(subject) if not ending.on_error]
    return any(places & fitting and (use.span in places or not places & missing) for places in found)


def is_meant_as_refusal(ending: Ending) -> bool:
    """Whether a path says no, or says something because of the call and then fails. An error is not a refusal."""
    if says_no(ending) is not None:
        return True
    ends_badly = ending.how == "exit" and ending.code == 1 and not ending.on_error
    return ends_badly and not _OF_EVERY_CALL.issuperset(ending.paths) and bool(ending.on("stderr", "stdout"))


def may_lead_here(event: str, ending: Ending) -> bool:
    """Whether an event may take this way: a hook for several events asks which one it is."""
    for condition in ending.when:
        named = set(_WORD.findall(condition)) & EVENTS.keys()
        excludes = condition.startswith(("not ", "!")) != ("!=" in condition)
        if named and (event in named) is excludes:
            return False
    return True


def _refusals(subject: HookSubject) -> Iterator[Ending]:
    events = [event for event in subject.events if event in GUARDED]
    for ending in subject.program.endings:
        does = {fate_of(event, ending, subject.program).does for event in events}
        if does & {"denies", "asks"} or (events and not ending.on_error and is_meant_as_refusal(ending)):
            yield ending
