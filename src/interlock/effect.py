"""What each event can do, what it cannot, and which way it falls when a check fails.

A dialect may honour less than this; none honours more.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from interlock.event import EVENTS

__all__ = [
    "EFFECTS", "GOES_ON", "SAFE", "STOPS", "Effect", "SafeDirection", "effects_of", "misplaced", "safe_direction",
]  # fmt: skip

Effect: TypeAlias = Literal["allow", "ask", "deny", "defer", "change", "output", "context", "interrupt"]
SafeDirection: TypeAlias = Literal["deny", "pass", "withhold"]

_CALL: frozenset[Effect] = frozenset({"allow", "ask", "deny", "defer", "change", "context", "interrupt"})
_DENY: frozenset[Effect] = frozenset({"deny"})
_CONTEXT: frozenset[Effect] = frozenset({"context"})
_STOP: frozenset[Effect] = frozenset({"interrupt"})

EFFECTS: dict[str, frozenset[Effect]] = {
    "PreToolUse": _CALL,
    "PermissionRequest": frozenset({"allow", "ask", "deny", "change", "interrupt"}),
    "PostToolUse": frozenset({"output", "context", "interrupt"}),
    "PostToolUseFailure": _CONTEXT,
    "PostToolBatch": _DENY | _CONTEXT | _STOP,
    "UserPromptSubmit": _DENY | _CONTEXT,
    "UserPromptExpansion": _DENY | _CONTEXT,
    "SessionStart": _CONTEXT,
    "Setup": _CONTEXT,
    "Stop": _DENY | _CONTEXT | _STOP,
    "SubagentStart": _CONTEXT,
    "SubagentStop": _DENY | _CONTEXT | _STOP,
    "PreCompact": _DENY,
    "PreModelSwitch": frozenset({"allow", "ask", "deny"}),
    "PostModelSwitch": _CONTEXT,
    "TeammateIdle": _DENY | _STOP,
    "TaskCreated": _DENY,
    "TaskCompleted": _DENY | _STOP,
    "Elicitation": _DENY,
    "ElicitationResult": _DENY,
    "ConfigChange": _DENY,
    "WorktreeCreate": _DENY,
}

# Where a turn can be ended without denying anything. Elsewhere an interrupt only goes with a deny.
STOPS = frozenset({"PostToolUse", "PostToolBatch", "Stop", "SubagentStop", "TeammateIdle", "TaskCompleted"})
# Where a deny tells the agent to go on, so that it says the opposite of an interrupt.
GOES_ON = frozenset({"Stop", "SubagentStop", "TeammateIdle"})

# Where a failing check must not deny, because that traps the agent in a loop or locks the person out: it passes
# with a notice. Events that decide nothing pass too. A failing check of a result withholds the result.
SAFE: dict[str, SafeDirection] = {
    "PreToolUse": "deny",
    "PermissionRequest": "deny",
    "PostToolUse": "withhold",
    "PostToolUseFailure": "withhold",
    "PostToolBatch": "deny",
    "UserPromptExpansion": "deny",  # a slash command's inline shell runs without any other event
    "PreModelSwitch": "deny",
    "Elicitation": "deny",
    "ElicitationResult": "deny",
    "ConfigChange": "deny",
    "WorktreeCreate": "deny",
}

# (effect, event) → the event that can, and why this one cannot.
_INSTEAD: dict[tuple[Effect, str], tuple[str, str]] = {
    ("deny", "PostToolUse"): ("PreToolUse", "the tool has already run"),
    ("deny", "PostToolUseFailure"): ("PreToolUse", "the tool has already run"),
    ("deny", "PermissionDenied"): ("PreToolUse", "the call is denied already"),
    ("deny", "SubagentStart"): ("PreToolUse on the tool Agent", "a subagent that starts cannot be stopped"),
    ("deny", "SessionStart"): ("UserPromptSubmit", "a session that starts cannot be stopped"),
    ("ask", "PostToolUse"): ("PreToolUse", "the tool has already run"),
    ("allow", "PostToolUse"): ("PreToolUse", "the tool has already run"),
    ("change", "PostToolUse"): ("PreToolUse", "the tool has already run"),
    ("output", "PreToolUse"): ("PostToolUse", "there is no result yet"),
    ("output", "PermissionRequest"): ("PostToolUse", "there is no result yet"),
    ("output", "PostToolUseFailure"): ("PreToolUse", "no host replaces what a failed tool printed"),
    ("output", "PostToolBatch"): ("PostToolUse", "the results are fixed by now"),
    ("context", "PermissionRequest"): ("PreToolUse", "a permission prompt carries no context"),
    ("defer", "PermissionRequest"): ("PreToolUse", "the call is waiting for a person already"),
}


def effects_of(event_name: str) -> frozenset[Effect]:
    """The effects an event can have; none for an event this version does not know."""
    return EFFECTS.get(event_name, frozenset())


def safe_direction(event_name: str | None) -> SafeDirection:
    """Which way an event falls when its check fails. An event nobody could read falls the strictest way."""
    return "deny" if event_name is None else SAFE.get(event_name, "pass")


def misplaced(effect: Effect, event_name: str) -> str:
    """Say why `effect` does nothing on this event, and where it works."""
    instead, why = _INSTEAD.get((effect, event_name), ("", ""))
    if not instead:
        can = ", ".join(f"`{name}`" for name in EVENTS if effect in effects_of(name))
        return f"`{effect}` has no effect on {event_name}; it works on {can}"
    return f"`{effect}` has no effect on {event_name}: {why}; use {instead}"
