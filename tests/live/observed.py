"""What the real hosts do with what a hook answers, as seen with the versions that `make hosts` installs.

The tests of this folder hold these tables against the hosts. The rows are written in `tests/live/rows.py`.
"""

from __future__ import annotations

HOSTS = ("codex", "gemini", "qwen", "copilot")

Table = dict[str, tuple[str, str, str, str]]
NO_REASON = "denied, reason lost"

BEFORE: Table = {
    "exit 2 with a text": ("denied", "denied", "denied", NO_REASON),
    "exit 2 without a text": ("runs", "runs", "runs", NO_REASON),
    "nested deny": ("denied", "runs", "denied", "denied"),
    "nested deny, suppressOutput": ("runs", "runs", "denied", "denied"),
    "nested deny, continue false": ("runs", "stops", "denied", "denied"),
    "nested deny, unknown key": ("runs", "runs", "denied", "denied"),
    "nested deny, no reason": ("runs", "runs", NO_REASON, NO_REASON),
    "nested deny, exit 2": ("denied", "runs", "denied", NO_REASON),
    "decision block": ("denied", "denied", "denied", "runs"),
    "decision deny": ("runs", "denied", "denied", "runs"),
    "every deny, exit 2": ("denied", "denied", "denied", NO_REASON),
    "nested ask": ("runs", "runs", "denied", "denied"),
    "continue false": ("runs", "stops", "denied", "runs"),
    "nested updatedInput": ("changed", "runs", "runs", "changed"),
    "nested tool_input": ("runs", "changed", "runs", "runs"),
    "nested context": ("runs, told", "runs", "runs", "runs, told"),
    "malformed JSON": ("runs", "runs", "runs", "runs"),
    "exit 1": ("runs", "runs", "runs", NO_REASON),
    "nothing, exit 0": ("runs", "runs", "runs", "runs"),
    "time-out": ("runs", "runs", "runs", "runs"),
    "no such program": ("runs", NO_REASON, "runs", NO_REASON),
}

AFTER: Table = {
    "decision block": ("replaced, told", "replaced, told", "kept", "replaced, told"),
    "decision deny": ("kept", "replaced, told", "kept", "kept"),
    "exit 2 with a text": ("replaced, told", "replaced, told", "kept", "kept"),
    "continue false": ("replaced, told", "stops", "replaced, told", "kept"),
    "nested updatedToolOutput": ("kept", "kept", "kept", "kept"),
    "modifiedResult": ("kept", "kept", "kept", "replaced, told"),
    "nested context": ("kept, told", "kept, told", "kept, told", "kept"),
    "flat context": ("kept", "kept", "kept", "kept, told"),
    "exit 1": ("kept", "kept", "kept", "kept"),
}

# The results of commands that end with an error. Qwen has an event of its own for them, which replaces nothing.
AFTER_FAILURE: Table = AFTER | {
    "continue false": ("replaced, told", "stops", "kept", "kept"),
}

PROMPT: Table = {
    "decision block": ("blocked", "blocked", "blocked", "blocked"),
    "decision deny": ("passes", "blocked", "blocked", "passes"),
    "exit 2 with a text": ("blocked", "blocked", "blocked", "passes"),
    "continue false": ("blocked", "blocked", "blocked", "passes"),
    "nested context": ("passes, told", "passes, told", "passes, told", "passes"),
    "flat context": ("passes", "passes", "passes", "passes, told"),
    "plain text": ("passes, told", "passes", "passes, told", "passes"),
}


def column(table: Table, host: str) -> dict[str, str]:
    """What one host does with each row."""
    return {row: fates[HOSTS.index(host)] for row, fates in table.items()}
