"""The shape of a call: what calls have in common that a person would call the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import json

from interlock.facts.fields import main_field
from interlock.facts.shell import UNKNOWN, Command, read_shell
from interlock.facts.tools import kind_of

__all__ = ["commands_in", "line_of_call", "main_value", "shape_of_call", "shape_of_command", "telling", "verb_of"]

JsonObject: TypeAlias = dict[str, Any]

_VERB = re.compile(r"[a-z][a-z0-9:_-]{0,30}\Z")
_SILENT = frozenset({"cd", "echo", "printf", "pwd", "true", ":", "export", "set", "sleep", ""})
_TARGETS = frozenset({"rm", "cat", "ls", "kill", "grep", "sed", "awk", "find", "cp", "mv", "mkdir", "touch", "chmod",
                      "head", "tail", "cut", "sort", "tee", "which", "test", "["})  # fmt: skip
# Programs and subcommands of which the next word says what is done.
_GROUPS = frozenset({"gh", "aws", "gcloud", "az", "git stash", "git remote", "git worktree", "git submodule", "npm run",
                     "pnpm run", "yarn run", "docker compose", "docker system", "docker volume", "docker image",
                     "docker container"})  # fmt: skip
# Programs that run what they are given: an exception for one of them would be one for anything.
_RUNNERS = frozenset({"sudo", "doas", "env", "xargs", "sh", "bash", "zsh", "dash", "fish", "eval", "exec", "timeout",
                      "nohup", "time", "watch", "ssh", "python", "python3", "node", "perl", "ruby"})  # fmt: skip
_MOST_BEFORE_VERB = 4  # words in which a subcommand is looked for, behind options of the program itself
_MOST_COMMANDS = 3
_MOST_FLAGS = 4
_SPACE = re.compile(r"\s+")


def shape_of_call(tool: str, given: JsonObject, reason: str = "") -> str:
    """`git reset --hard` for a shell command, `Write *.py` for a file, `WebFetch host` for a fetch.

    If a reason quotes one of the commands of a line, the shape is that of this command.
    """
    value = main_value(tool, given)
    if kind_of(tool) == "shell" and value is not None:
        commands = commands_in(tool, given)
        meant = [one for one in commands if one.text and f"`{one.text}`" in reason] if reason else []
        return _shape_of_commands(meant or commands)
    if value is None or kind_of(tool) in ("agent", "skill"):
        return tool
    if "://" in value:
        return f"{tool} {value.partition('://')[2].partition('/')[0]}"
    name = value.rstrip("/").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f"{tool} {f'*.{ending}' if dot and stem else name}"


def line_of_call(tool: str, given: JsonObject) -> str:
    """A call in one line."""
    value = main_value(tool, given)
    if kind_of(tool) == "shell" and value is not None:
        return _SPACE.sub(" ", value).strip()
    return _SPACE.sub(" ", f"{tool} {value if value is not None else json.encode(given).decode()}").strip()


def commands_in(tool: str, given: JsonObject) -> tuple[Command, ...]:
    """The commands of a shell line; none of any other call."""
    if kind_of(tool) != "shell":
        return ()
    return read_shell(main_value(tool, given) or "").commands


def main_value(tool: str, given: JsonObject) -> str | None:
    """The text that says most of what a call does."""
    field = main_field(tool)
    found: Any = given.get(field) if field is not None else None
    return found if isinstance(found, str) else None


def telling(commands: Sequence[Command]) -> list[Command]:
    """The commands that say by themselves what is done: an exception for one of them is not one for anything."""
    return [one for one in commands if one.name not in _TARGETS | _SILENT | _RUNNERS and not one.nested]


def _shape_of_commands(commands: Sequence[Command]) -> str:
    loud = [command for command in commands if command.name not in _SILENT] or commands
    shapes = [shape for shape in dict.fromkeys(shape_of_command(command) for command in loud) if shape]
    more = " …" if len(shapes) > _MOST_COMMANDS else ""
    return "; ".join(shapes[:_MOST_COMMANDS]) + more or "a shell line"


def shape_of_command(command: Command) -> str:
    """A command without what differs from one time to the next: its program, its subcommand and its options."""
    verb = verb_of(command)
    words = [command.name, verb] if verb else [command.name]
    flags = [word.partition("=")[0] for word in command.args if word.startswith("-") and UNKNOWN not in word]
    return " ".join([*words, *dict.fromkeys(flag for flag in flags if flag.strip("-"))][: len(words) + _MOST_FLAGS])


def verb_of(command: Command) -> str:
    """The subcommand, if the program has one: `stash drop` of `git stash drop`, `branch` of `git -C x branch`."""
    if command.name in _TARGETS | _SILENT:
        return ""
    verbs = [word for word in command.args[:_MOST_BEFORE_VERB] if _VERB.match(word)]
    if not verbs:
        return ""
    is_group = command.name in _GROUPS or f"{command.name} {verbs[0]}" in _GROUPS
    return " ".join(verbs[: 1 + is_group])
