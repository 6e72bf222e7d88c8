"""What Amp itself would say about a call, if Interlock were not asked first.

Amp uses the first entry of its list that matches, and an entry cannot abstain, so Interlock's entry for all tools is
before every other. If no rule of a policy decides, the other entries must decide as they would have. If that cannot be
known here, the person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

__all__ = ["Permission", "own_permission"]

JsonObject: TypeAlias = dict[str, Any]
Permission: TypeAlias = Literal["allow", "ask", "reject"]

_MOST_TEXT = 1_000  # characters: the patterns are anybody's, and some take long over a long text
# What Amp asks about if its own list is not known: everything else that comes with it is allowed.
_ASKS = ("Bash", "shell_command", "async_shell_command", "load_plugin", "reload_plugins")
_TOOLBOX = "tb__"  # programs of the person's that are made tools


def own_permission(
    entries: Sequence[Any], built_in: Sequence[Any], tool: str, given: JsonObject, launcher: str
) -> Permission:
    """The answer of the first entry that fits, without the one that runs `launcher`.

    `entries` are a person's own, `built_in` those that come with Amp: they follow, and may not be known.
    """
    for entry in (*entries, *built_in):
        if not isinstance(entry, dict):
            return "ask"
        if entry.get("action") == "delegate" and entry.get("to") == launcher:
            continue
        fits = _fits(entry, tool, given)
        if fits is False:
            continue
        action = entry.get("action")
        if fits is True and action in ("allow", "ask", "reject"):
            found: Permission = action
            return found
        if action != "allow":
            return "ask"  # it may fit, or another program would be asked
    return "ask" if built_in or tool in _ASKS or tool.startswith(_TOOLBOX) else "allow"


def _fits(entry: JsonObject, tool: str, given: JsonObject) -> bool | None:
    """Whether an entry is about a call; None if that cannot be told."""
    if not _matches(entry.get("tool"), tool):
        return False
    wanted = entry.get("matches") or {}
    if not isinstance(wanted, dict):
        return None
    # Where the call is made, by a thread or by a subagent, is not said to the program.
    sure: bool | None = True if entry.keys() <= {"tool", "action", "matches", "message", "to"} else None
    for name, patterns in wanted.items():
        fits = _fits_value(patterns, given.get(name))
        if fits is False:
            return False
        sure = None if fits is None else sure
    return sure


def _fits_value(patterns: Any, value: Any) -> bool | None:
    listed = patterns if isinstance(patterns, list) else [patterns]
    if not isinstance(value, str) or not all(isinstance(one, str) for one in listed):
        return True if value in listed else False if value is None else None
    if len(value) > _MOST_TEXT:
        return None
    found = [_matches(one, value) for one in listed]
    return True if True in found else None if None in found else False


def _matches(pattern: Any, text: str) -> bool | None:
    """Whether a text is what a pattern describes: `/…/` is a regular expression, and a star in others is anything."""
    if not isinstance(pattern, str):
        return None
    try:
        if len(pattern) > 1 and pattern.startswith("/") and pattern.endswith("/"):
            return re.search(pattern[1:-1], text) is not None
        return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None
    except re.error:
        return None
