"""The shape of a call: what calls have in common that a person would call the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from interlock.facts.fields import main_field
from interlock.facts.shell import UNKNOWN, Command, read_shell
from interlock.facts.tools import kind_of
from interlock.replay.steps import PastCall, PastPrompt

__all__ = ["command_shapes", "commands_meant", "folders_of", "line_of", "shape_of"]

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


def shape_of(what: PastCall | PastPrompt, reason: str = "") -> str:
    """`git reset --hard` for a shell command, `Write *.py` for a file, `WebFetch host` for a fetch.

    If a reason quotes one of the commands of a line, the shape is that of this command.
    """
    if isinstance(what, PastPrompt):
        return "a prompt"
    value = _main_value(what)
    if kind_of(what.tool) == "shell" and value is not None:
        return _shape_of_commands(commands_meant(what, reason) or _commands_of(what))
    if value is None or kind_of(what.tool) in ("agent", "skill"):
        return what.tool
    if "://" in value:
        return f"{what.tool} {value.partition('://')[2].partition('/')[0]}"
    name = value.rstrip("/").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f"{what.tool} {f'*.{ending}' if dot and stem else name}"


def commands_meant(what: PastCall | PastPrompt, reason: str) -> tuple[Command, ...]:
    """The commands of a shell line that a reason quotes."""
    return tuple(one for one in _commands_of(what) if one.text and f"`{one.text}`" in reason) if reason else ()


def line_of(what: PastCall | PastPrompt) -> str:
    """A call or a prompt in one line."""
    if isinstance(what, PastPrompt):
        return _SPACE.sub(" ", f"prompt: {what.text}").strip()
    value = _main_value(what)
    if kind_of(what.tool) == "shell" and value is not None:
        return _SPACE.sub(" ", value).strip()
    return _SPACE.sub(" ", f"{what.tool} {value if value is not None else what.input}").strip()


def command_shapes(what: PastCall | PastPrompt, reason: str) -> set[str]:
    """The shapes of the commands meant that say by themselves what is done, such as `git stash drop`."""
    meant = commands_meant(what, reason) or _commands_of(what)
    commands = [one for one in meant if one.name not in _TARGETS | _SILENT | _RUNNERS and not one.nested]
    return {_shape_of_command(command) for command in commands if _verb_of(command)}


def folders_of(what: PastCall | PastPrompt) -> set[str]:
    """The folders outside the project, by their absolute path, of what a call names."""
    words = [word for command in _commands_of(what) for word in command.args if UNKNOWN not in word]
    value = _main_value(what) if isinstance(what, PastCall) and kind_of(what.tool) != "shell" else None
    paths = [word for word in (*words, value or "") if word.startswith("/") and word.count("/") > 1]
    return {path.rstrip("/").rpartition("/")[0] for path in paths}


def _commands_of(what: PastCall | PastPrompt) -> tuple[Command, ...]:
    if not isinstance(what, PastCall) or kind_of(what.tool) != "shell":
        return ()
    return read_shell(_main_value(what) or "").commands


def _main_value(call: PastCall) -> str | None:
    field = main_field(call.tool)
    found: Any = call.input.get(field) if field is not None else None
    return found if isinstance(found, str) else None


def _shape_of_commands(commands: Sequence[Command]) -> str:
    telling = [command for command in commands if command.name not in _SILENT] or commands
    shapes = [shape for shape in dict.fromkeys(_shape_of_command(command) for command in telling) if shape]
    more = " …" if len(shapes) > _MOST_COMMANDS else ""
    return "; ".join(shapes[:_MOST_COMMANDS]) + more or "a shell line"


def _shape_of_command(command: Command) -> str:
    """A command without what differs from one time to the next: its program, its subcommand and its options."""
    verb = _verb_of(command)
    words = [command.name, verb] if verb else [command.name]
    flags = [word.partition("=")[0] for word in command.args if word.startswith("-") and UNKNOWN not in word]
    return " ".join([*words, *dict.fromkeys(flag for flag in flags if flag.strip("-"))][: len(words) + _MOST_FLAGS])


def _verb_of(command: Command) -> str:
    """The subcommand, if the program has one: `stash drop` of `git stash drop`, `branch` of `git -C x branch`."""
    if command.name in _TARGETS | _SILENT:
        return ""
    verbs = [word for word in command.args[:_MOST_BEFORE_VERB] if _VERB.match(word)]
    if not verbs:
        return ""
    is_group = command.name in _GROUPS or f"{command.name} {verbs[0]}" in _GROUPS
    return " ".join(verbs[: 1 + is_group])
