"""What matchers are compared with, and the groups and handlers of a file as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interlock.event import EVENTS
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.wiring import SettingsSubject

__all__ = [
    "BY_TOOL", "VALUES", "entries_of", "exact_names", "fits", "groups_of", "handlers_of", "names_under_hooks",
]  # fmt: skip

BY_TOOL = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"})
# The values that the matchers of other events are compared with, where they are all known.
VALUES: dict[str, tuple[str, ...]] = {
    "SessionStart": ("startup", "resume", "clear", "compact", "fork"),
    "SessionEnd": ("clear", "resume", "logout", "prompt_input_exit", "other"),
    "PreCompact": ("manual", "auto"),
    "PostCompact": ("manual", "auto"),
    "Setup": ("init", "maintenance"),
    "ConfigChange": ("user_settings", "project_settings", "local_settings", "policy_settings", "skills"),
}
_NAMES = re.compile(r"[a-zA-Z0-9_|, -]*")


def exact_names(matcher: str) -> tuple[str, ...] | None:
    """The names that a matcher lists; None if it is a regular expression."""
    if _NAMES.fullmatch(matcher) is None:
        return None
    return tuple(name.strip() for name in re.split(r"[|,]", matcher) if name.strip())


def names_under_hooks(subject: SettingsSubject) -> Iterator[tuple[str, JsonNode]]:
    """Each name under `hooks`, which should be that of an event, with what is written there."""
    top: Any = subject.root.value if subject.root is not None else None
    hooks = top.get("hooks") if isinstance(top, dict) else None
    if hooks is not None and isinstance(hooks.value, dict):
        yield from hooks.value.items()


def entries_of(subject: SettingsSubject) -> Iterator[tuple[str, JsonNode]]:
    """Each entry of the list of an event, and the event. It should be a group."""
    for event, entries in names_under_hooks(subject):
        for entry in entries.value if isinstance(entries.value, list) and event in EVENTS else ():
            yield event, entry


def _groups(subject: SettingsSubject) -> Iterator[tuple[str, dict[str, JsonNode]]]:
    for event, entry in entries_of(subject):
        if isinstance(entry.value, dict):
            yield event, entry.value


def groups_of(subject: SettingsSubject) -> Iterator[tuple[str, str, JsonNode]]:
    """Each event with a matcher, and where that is written. A matcher for everything does not count."""
    for event, group in _groups(subject):
        node = group.get("matcher")
        if node is not None and isinstance(node.value, str) and node.value not in ("", "*"):
            yield event, node.value, node


def handlers_of(subject: SettingsSubject) -> Iterator[tuple[str, JsonNode]]:
    """Each handler that is an object, and its event."""
    for event, group in _groups(subject):
        listed = group.get("hooks")
        for handler in listed.value if listed is not None and isinstance(listed.value, list) else ():
            if isinstance(handler.value, dict):
                yield event, handler


def fits(matcher: str | None, name: str) -> bool:
    """Whether a matcher fits the name of a tool, as the client compares them."""
    if matcher in (None, "", "*"):
        return True
    names = exact_names(matcher)
    if names is not None:
        return name in names
    try:
        return re.search(matcher, name) is not None
    except re.error:
        return False
