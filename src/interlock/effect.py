"""What each event can do, and the direction it takes when a check fails.

A host's dialect may honour less than this, never more.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

from msgspec import Struct

from interlock.event import EVENTS

__all__ = [
    "CAN",
    "Can",
    "Effect",
    "SafeDirection",
    "can",
    "effects_of",
    "explain_misplaced",
    "safe_direction",
]

Effect: TypeAlias = Literal["allow", "ask", "deny", "defer", "change", "output", "context", "interrupt"]
SafeDirection: TypeAlias = Literal["deny", "pass", "withhold"]


class Can(Struct, frozen=True):
    """What one event can do.

    `safe` is the direction in which a failed check goes. Where a deny would trap the agent in a loop or lock the person
    out, the event passes with a notice instead. If the check of a result fails, the result is withheld.
    """

    effects: frozenset[Effect] = frozenset()
    safe: SafeDirection = "pass"
    ends_turn: bool = False  # an interrupt ends the turn without denying anything; elsewhere it needs a deny
    deny_goes_on: bool = False  # a deny tells the agent to continue, which is the opposite of an interrupt
    seconds: float = 50.0  # how long one check of a policy may take; hosts are told to wait longer than that
    instead: dict[Effect, tuple[str, str]] = {}  # effect → the event that can do it, and why this one cannot


# An hour where some work ends and nothing else waits for the answer; less than a minute where a person waits.
_HOUR, _MINUTES, _BRIEF = 3600.0, 500.0, 50.0


def _can(
    effects: str,
    safe: SafeDirection = "pass",
    *,
    ends_turn: bool = False,
    deny_goes_on: bool = False,
    seconds: float = _MINUTES,
    **instead: tuple[str, str],
) -> Can:
    named = cast("frozenset[Effect]", frozenset(effects.split()))
    return Can(named, safe, ends_turn, deny_goes_on, seconds, cast("dict[Effect, tuple[str, str]]", instead))


_RAN = ("PreToolUse", "the tool has already run")
_NO_RESULT = ("PostToolUse", "there is no result yet")
_NOTHING = Can()

# Events that are not here decide nothing.
CAN: dict[str, Can] = {
    "PreToolUse": _can("allow ask deny defer change context interrupt", "deny", output=_NO_RESULT),
    "PermissionRequest": _can(
        "allow ask deny change interrupt",
        "deny",
        output=_NO_RESULT,
        context=("PreToolUse", "a permission prompt carries no context"),
        defer=("PreToolUse", "the call is waiting for a person already"),
    ),
    "PostToolUse": _can(
        "output context interrupt", "withhold", ends_turn=True, deny=_RAN, ask=_RAN, allow=_RAN, change=_RAN
    ),
    "PostToolUseFailure": _can(
        "context", "withhold", deny=_RAN, output=("PreToolUse", "no host replaces what a failed tool printed")
    ),
    "PostToolBatch": _can(
        "deny context interrupt", "deny", ends_turn=True, output=("PostToolUse", "the results are fixed by now")
    ),
    "PermissionDenied": _can("", deny=("PreToolUse", "the call is denied already"), seconds=_BRIEF),
    "UserPromptSubmit": _can("deny context"),
    "UserPromptExpansion": _can("deny context", "deny"),  # a slash command's inline shell raises no other event
    "SessionStart": _can(
        "context", deny=("UserPromptSubmit", "a session that starts cannot be stopped"), seconds=_BRIEF
    ),
    "Setup": _can("context", seconds=_BRIEF),
    "Stop": _can("deny context interrupt", ends_turn=True, deny_goes_on=True, seconds=_HOUR),
    "SubagentStart": _can("context", deny=("PreToolUse on the tool Agent", "a subagent that starts cannot be stopped")),
    "SubagentStop": _can("deny context interrupt", ends_turn=True, deny_goes_on=True, seconds=_HOUR),
    "PreCompact": _can("deny"),
    "PreModelSwitch": _can("allow ask deny", "deny"),
    "PostModelSwitch": _can("context", seconds=_BRIEF),
    "SessionEnd": _can("", seconds=8.0),  # a person waits for their shell
    "TeammateIdle": _can("deny interrupt", ends_turn=True, deny_goes_on=True, seconds=_HOUR),
    "TaskCreated": _can("deny"),
    "TaskCompleted": _can("deny interrupt", ends_turn=True, seconds=_HOUR),
    "Elicitation": _can("deny", "deny"),
    "ElicitationResult": _can("deny", "deny"),
    "ConfigChange": _can("deny", "deny"),
    "WorktreeCreate": _can("deny", "deny"),
}


def can(event_name: str) -> Can:
    """What an event can do. An event that this version does not know can do nothing."""
    return CAN.get(event_name, _NOTHING)


def effects_of(event_name: str) -> frozenset[Effect]:
    """The effects an event can have."""
    return can(event_name).effects


def safe_direction(event_name: str | None) -> SafeDirection:
    """The direction an event takes when its check fails. If the event could not be read, that is the strictest one."""
    return "deny" if event_name is None else can(event_name).safe


def explain_misplaced(effect: Effect, event_name: str) -> str:
    """Say why `effect` does nothing on this event, and where it works."""
    instead, why = can(event_name).instead.get(effect, ("", ""))
    if not instead:
        where = ", ".join(f"`{name}`" for name in EVENTS if effect in effects_of(name))
        return f"`{effect}` has no effect on {event_name}; it works on {where}"
    return f"`{effect}` has no effect on {event_name}: {why}; use {instead}"
