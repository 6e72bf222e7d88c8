"""Claude Code's own rules for a settings file: what it runs, what it drops, and when it drops the whole file.

Clients differ. Whatever one of those we know would drop counts as dropped, and it is said which.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from interlock.errors import InterlockError, Source
from interlock.event import EVENTS
from interlock.files import jsonedit
from interlock.files.jsonedit import JsonNode
from interlock.hosts.claude_code.entries import Handler
from interlock.hosts.claude_code.settings_values import fits

__all__ = ["Problem", "Settings", "SettingsHook", "matches_all", "read_settings", "settings_in"]

Drops: TypeAlias = Literal["file", "part"]
Clients: TypeAlias = Literal["every client", "clients as new as 2.1.325", "clients as old as 2.1.197"]
_EVERY: Clients = "every client"
_NEW: Clients = "clients as new as 2.1.325"
_OLD: Clients = "clients as old as 2.1.197"

# If a hook of these events cannot be loaded, it might have been a guard, so the client ignores the whole file.
_GUARDS = ("PreToolUse", "PermissionRequest")
_NO_HTTP = ("SessionStart", "Setup")
# A longer timeout overflows the timer of older clients, which then fires at once.
_MOST_SECONDS = 2_147_483


class Problem(Struct, frozen=True):
    """Something that a client ignores: a part of the file, or all of it."""

    text: str
    source: Source
    drops: Drops = "part"
    clients: Clients = _EVERY

    def __str__(self) -> str:
        who = "" if self.clients == _EVERY else f" ({self.clients})"
        return f"{self.text}{who} [{self.source}]"


class SettingsHook(Struct, frozen=True):
    """One entry that a client would run, and where it is: its group, and its position there."""

    event: str
    matcher: str | None
    handler: Handler
    file: str
    group: int
    place: int


class Settings(Struct, frozen=True):
    """What a client makes of one settings file."""

    file: str
    hooks: tuple[SettingsHook, ...] = ()
    problems: tuple[Problem, ...] = ()
    values: dict[str, Any] = {}
    unsure: dict[str, Any] = {}
    unclear: str = ""

    @property
    def ignored(self) -> str | None:
        """Why a client ignores the whole file, if one does."""
        if self.unclear:
            return self.unclear
        return next((str(problem) for problem in self.problems if problem.drops == "file"), None)

    @property
    def is_ignored_today(self) -> bool:
        """Whether the newest known clients ignore the whole file, or may ignore it."""
        return bool(self.unclear) or any(one.drops == "file" and one.clients != _OLD for one in self.problems)

    @property
    def running(self) -> tuple[SettingsHook, ...]:
        """The hooks that would really run."""
        return () if self.ignored is not None else self.hooks

    @property
    def disables(self) -> bool | None:
        """What it says about `disableAllHooks`, even if the file is ignored."""
        value = self.values.get("disableAllHooks")
        return value if isinstance(value, bool) else None

    @property
    def env(self) -> dict[str, str]:
        """The variables it sets."""
        found = self.values.get("env")
        return {name: str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def matches_all(matcher: str | None) -> bool:
    """Whether a matcher matches every tool."""
    return matcher in (None, "", "*")


def read_settings(raw: bytes, file: str) -> Settings:
    """What a client makes of a settings file. Never raises: what is wrong is in the answer."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return Settings(file, unclear=f"byte {error.start} is not valid UTF-8 [{file}]")
    if not text.removeprefix(jsonedit.BOM).strip():
        return Settings(file, problems=(Problem("it is empty", Source(file, 1), "file"),))
    try:
        root = jsonedit.read(text, file)
    except InterlockError as error:
        if _read_by_others(text):
            return Settings(file, unclear=error.in_one_line())
        return Settings(file, problems=(Problem(error.message, error.source or Source(file, 1), "file"),))
    return settings_in(root, file)


def settings_in(root: JsonNode, file: str) -> Settings:
    """What a client makes of settings that have been read."""
    if not isinstance(root.value, dict):
        return Settings(file, problems=(Problem("it is not a JSON object", root.source(file), "file"),))
    return _Reading(root, file).settings()


def _read_by_others(text: str) -> bool:
    """Whether a less strict reader would accept a text that this one refuses, so that it may have effects."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text.removeprefix(jsonedit.BOM), parse_constant=refuse, parse_int=float)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


class _Reading:
    """One reading of a file that is a JSON object."""

    def __init__(self, root: JsonNode, file: str) -> None:
        self._root = root
        self._file = file
        self._problems: list[Problem] = []
        self._hooks: list[SettingsHook] = []

    def settings(self) -> Settings:
        members: dict[str, JsonNode] = self._root.value
        if "hooks" in members:
            self._events(members["hooks"])
        values = {key: node.plain() for key, node in members.items() if key != "hooks"}
        unsure = {}
        for key, value in values.items():
            if key in _GUARDS:
                self._complain(f"`{key}` stands outside `hooks`", members[key], "file", _NEW)
            elif (taken := fits(key, value)) is False:
                self._complain(f"`{key}` has a value of the wrong kind", members[key], "file")
            elif taken is None:
                unsure[key] = value
        found = Settings(self._file, tuple(self._hooks), tuple(self._problems), values, unsure)
        return replace(found, problems=tuple(sorted(found.problems, key=lambda problem: problem.drops != "file")))

    def _complain(self, text: str, node: JsonNode, drops: Drops = "part", clients: Clients = _EVERY) -> None:
        self._problems.append(Problem(text, node.source(self._file), drops, clients))

    def _events(self, node: JsonNode) -> None:
        if not isinstance(node.value, dict):
            self._complain("`hooks` is not an object", node, "file")
            return
        for event, groups in node.value.items():
            if event not in EVENTS:
                self._complain(f"there is no event `{event}`", groups)
            elif isinstance(groups.value, list):
                for number, group in enumerate(groups.value):
                    self._group(event, group, number)
            elif groups.value is not None:
                drops: Drops = "file" if event in _GUARDS else "part"
                self._complain(f"`{event}` is not an array", groups, drops, _NEW if drops == "file" else _EVERY)

    def _group(self, event: str, group: JsonNode, number: int) -> None:
        parts = group.value
        if not isinstance(parts, dict) or "hooks" not in parts or not isinstance(parts["hooks"].value, list):
            self._bad(event, "has no array `hooks`", group)
            return
        matcher = parts["matcher"].value if "matcher" in parts else None
        if "matcher" in parts and not isinstance(matcher, str):
            self._bad(event, "has a `matcher` that is not a text", parts["matcher"])
            return
        for place, node in enumerate(parts["hooks"].value):
            faults = list(_faults(node.plain()))
            for fault, clients in faults:
                self._bad(event, fault, node, clients)
            if not faults:
                self._add(SettingsHook(event, matcher, node.plain(), self._file, number, place), node)

    def _add(self, hook: SettingsHook, node: JsonNode) -> None:
        if hook.event in _NO_HTTP and hook.handler["type"] == "http":
            self._complain(f"{hook.event}: an http hook is not run on this event", node)
            return
        self._hooks.append(hook)

    def _bad(self, event: str, fault: str, node: JsonNode, clients: Clients = _EVERY) -> None:
        """An entry that cannot be loaded: new clients drop it alone, unless it may be a guard; old ones the file."""
        text = f"an entry of {event} {fault}"
        if event in _GUARDS:
            self._complain(text, node, "file", clients)
        elif clients == _NEW:
            self._complain(text, node, "part", clients)
        else:
            self._complain(text, node, "file", _OLD)


# --- one handler -------------------------------------------------------------------------------------------

_Check: TypeAlias = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_url(value: Any) -> bool:
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
        return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_headers(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _MOST_SECONDS


def _is_reaction(value: Any) -> bool:
    return value in ("block", "continue")


def _is_shell(value: Any) -> bool:
    return value in ("bash", "powershell")


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


_NEEDED: dict[str, dict[str, _Check]] = {
    "command": {"command": _is_text},
    "http": {"url": _is_url},
    "prompt": {"prompt": _is_text},
    "agent": {"prompt": _is_text},
    "mcp_tool": {"server": _is_text, "tool": _is_text},
}
_COMMON: dict[str, _Check] = {"if": _is_text, "timeout": _is_time, "statusMessage": _is_text, "once": _is_flag}
_MORE: dict[str, dict[str, _Check]] = {
    "command": {
        "args": _are_texts, "shell": _is_shell, "async": _is_flag, "asyncRewake": _is_flag, "rewakeMessage": _is_text,
        "rewakeSummary": _is_text, "onFailure": _is_reaction,
    },
    "http": {"headers": _are_headers, "allowedEnvVars": _are_texts, "onFailure": _is_reaction},
    "prompt": {"model": _is_text, "continueOnBlock": _is_flag},
    "agent": {"model": _is_text},
    "mcp_tool": {"input": _is_object},
}  # fmt: skip


def _faults(handler: Any) -> Iterator[tuple[str, Clients]]:
    """What is wrong with an entry, and for which clients."""
    if not isinstance(handler, dict):
        yield "is not an object", _EVERY
        return
    kind = handler.get("type")
    if not isinstance(kind, str) or kind not in _NEEDED:
        yield f"has the type `{kind}`, which there is not" if "type" in handler else "has no `type`", _EVERY
        return
    for field, check in _NEEDED[kind].items():
        if field not in handler or not check(handler[field]):
            yield f"has no good `{field}`", _EVERY
    for field, check in (_COMMON | _MORE[kind]).items():
        if field in handler and not check(handler[field]):
            yield f"has a bad `{field}`", _NEW if field == "onFailure" else _EVERY
