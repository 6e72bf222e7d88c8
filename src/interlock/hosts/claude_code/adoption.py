"""Turn hooks in a host's settings into external hooks of a policy, if they mean the same there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

from msgspec import Struct

from interlock.effect import can
from interlock.errors import InterlockError
from interlock.event import EVENTS, ToolEvent
from interlock.facts.tools import parse_mcp
from interlock.hosts.claude_code.entries import Handler
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.settings_rules import SettingsHook, matches_all
from interlock.hosts.claude_code.settings_state import label
from interlock.policy.names import ToolPattern

__all__ = ["CannotAdopt", "MovedHook", "convert", "describe"]

_DEFAULT_SECONDS = {"UserPromptSubmit": 30, "PreModelSwitch": 30, "PostModelSwitch": 30, "SessionEnd": 1.5}
_MATCHER_MEANS_NOTHING = (
    "PostToolBatch", "UserPromptSubmit", "Stop", "TeammateIdle", "TaskCreated", "TaskCompleted", "WorktreeRemove",
    "CwdChanged",
)  # fmt: skip
_NAMES = re.compile(r"[A-Za-z0-9_|, -]+")
# What means the same in JavaScript's expressions and in RE2's: names, dots, groups, repetition, simple sets.
_PLAIN_REGEX = re.compile(r"(?:[A-Za-z0-9_ ,.|)$*+?-]|\^|\\[.dwsb-]|\((?:\?:)?|\[[A-Za-z0-9_-]+\])+")
_PLACEHOLDER = re.compile(r"(\$\{CLAUDE_PROJECT_DIR\})")
_CANNOT_MEAN = ("if", "shell", "headers", "allowedEnvVars")


class MovedHook(Struct, frozen=True):
    """An external hook as a policy writes it."""

    event: str
    run: str | tuple[str, ...] | None = None
    url: str | None = None
    tool: tuple[str, ...] = ()
    seconds: float = 60.0

    def written(self) -> str:
        """One item of a policy's `hooks`, on one line."""
        what = f"url: {_quote(self.url)}" if self.url is not None else f"run: {_quote(self.run)}"
        tool = f", tool: {_quote(self.tool if len(self.tool) > 1 else self.tool[0])}" if self.tool else ""
        return f"{{{what}, event: {self.event}{tool}, timeout: {self.seconds:g}s}}"


class CannotAdopt(Exception):  # noqa: N818 - not an error: a hook that stays where it is, and why
    """Why a hook cannot be adopted."""


def convert(hook: SettingsHook, policy: Path, *, shared: bool = False) -> MovedHook:
    """The external hook that does the same as this one. Raises CannotAdopt with the reason if that is impossible.

    A file that is `shared` keeps its hooks: others would run a policy's only once they trust it, and had them before.
    """
    handler = hook.handler
    if shared:
        raise CannotAdopt("the file is shared, and whoever has not trusted the policy would be left without it")
    if hook.event not in WIRED:
        raise CannotAdopt("Interlock is not asked about this event")
    if handler["type"] not in ("command", "http"):
        raise CannotAdopt(f"it is of the type `{handler['type']}`")
    for field in _CANNOT_MEAN:
        if handler.get(field):
            raise CannotAdopt(f"a policy has no `{field}`")
    if handler.get("async") or handler.get("asyncRewake"):
        raise CannotAdopt("it runs in the background")
    tool = _tool(hook)
    wanted = handler.get("timeout", _DEFAULT_SECONDS.get(hook.event, 500))
    seconds = min(float(wanted), can(hook.event).seconds)
    if handler["type"] == "http":
        return MovedHook(hook.event, url=str(handler["url"]), tool=tool, seconds=seconds)
    return MovedHook(hook.event, run=_run(handler, policy), tool=tool, seconds=seconds)


def _run(handler: Handler, policy: Path) -> str | tuple[str, ...]:
    command = str(handler["command"])
    if not command.strip():
        raise CannotAdopt("it runs nothing")
    words = [command, *handler.get("args", [])]
    _check_program(command if "args" in handler else command.split(maxsplit=1)[0], policy)
    if "args" not in handler:
        return command
    if any("${" in word for word in words):
        return _for_the_shell(words)
    return tuple(words)


def _for_the_shell(words: list[str]) -> str:
    """Arguments that contain the project's folder, written for a shell that knows it."""
    text = " ".join("".join(_piece(piece) for piece in _PLACEHOLDER.split(word) if piece) or "''" for word in words)
    return f"exec {text}"


def _piece(text: str) -> str:
    if _PLACEHOLDER.fullmatch(text):
        return '"$CLAUDE_PROJECT_DIR"'
    if "${" in text:
        raise CannotAdopt("the host puts something into its arguments")
    return shlex.quote(text)


def _check_program(program: str, policy: Path) -> None:
    """Refuse a relative program: a policy looks for it beside itself, the host in the folder the agent is in."""
    if program.startswith(("./", "../")):
        if not (policy.parent / program).is_file():
            raise CannotAdopt(f"there is no `{program}` beside {policy.name}")
    elif "/" in program and not program.startswith(("/", "~", "$", '"', "'")):
        raise CannotAdopt(f"where `{program}` is depends on where the agent is; write its whole path")


def _tool(hook: SettingsHook) -> tuple[str, ...]:
    """The patterns that match the same tools as the host's matcher."""
    matcher = hook.matcher
    if matcher is None or matches_all(matcher) or hook.event in _MATCHER_MEANS_NOTHING:
        return ()
    if not issubclass(EVENTS[hook.event], ToolEvent):
        raise CannotAdopt(f"its matcher `{matcher}` is not about a tool")
    if _NAMES.fullmatch(matcher):
        found = _exact_names([name.strip() for name in re.split(r"[|,]", matcher) if name.strip()])
    elif _PLAIN_REGEX.fullmatch(matcher):
        found = (f"/{matcher}/",)
    else:
        raise CannotAdopt(f"its matcher `{matcher}` cannot be said exactly in a policy")
    try:
        ToolPattern(found)
    except InterlockError as error:
        raise CannotAdopt(f"its matcher `{matcher}` cannot be said exactly in a policy: {error.message}") from error
    return found


def _exact_names(names: list[str]) -> tuple[str, ...]:
    """Names for exactly these tools. In a policy, a bare name would also mean MCP tools that end with it."""
    full = [name for name in names if parse_mcp(name) is not None]
    bare = [name for name in names if name not in full]
    return (*([f"/^(?:{'|'.join(bare)})$/"] if bare else []), *full)


def _quote(value: Any) -> str:
    """A value in a form that is valid YAML too."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def describe(hook: SettingsHook, why: str) -> str:
    """A hook that stays, and why, on one line."""
    return f"{hook.event}: {label(hook.handler)} stays in {hook.file}: {why}"
