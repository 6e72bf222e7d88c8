"""The shape of a call: what calls have in common that a person would call the same."""

from __future__ import annotations

import re
from typing import Any

from interlock.facts.fields import main_field
from interlock.facts.shell import UNKNOWN, Command, read_shell
from interlock.facts.tools import kind_of
from interlock.replay.steps import PastCall, PastPrompt

__all__ = ["line_of", "shape_of"]

_VERB = re.compile(r"[a-z][a-z0-9:_-]{0,30}\Z")
_SILENT = frozenset({"cd", "echo", "printf", "pwd", "true", ":", "export", "set", "sleep", ""})
_TARGETS = frozenset({"rm", "cat", "ls", "kill", "grep", "sed", "awk", "find", "cp", "mv", "mkdir", "touch", "chmod",
                      "head", "tail", "cut", "sort", "tee", "which", "test", "["})  # fmt: skip
_MOST_COMMANDS = 3
_MOST_FLAGS = 4
_SPACE = re.compile(r"\s+")


def shape_of(what: PastCall | PastPrompt) -> str:
    """`git reset --hard` for a shell command, `Write *.py` for a file, `WebFetch host` for a fetch."""
    if isinstance(what, PastPrompt):
        return "a prompt"
    value = _main_value(what)
    if kind_of(what.tool) == "shell" and value is not None:
        return _shape_of_line(value)
    if value is None or kind_of(what.tool) in ("agent", "skill"):
        return what.tool
    if "://" in value:
        return f"{what.tool} {value.partition('://')[2].partition('/')[0]}"
    name = value.rstrip("/").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f"{what.tool} {f'*.{ending}' if dot and stem else name}"


def line_of(what: PastCall | PastPrompt) -> str:
    """A call or a prompt in one line."""
    if isinstance(what, PastPrompt):
        return _SPACE.sub(" ", f"prompt: {what.text}").strip()
    value = _main_value(what)
    if kind_of(what.tool) == "shell" and value is not None:
        return _SPACE.sub(" ", value).strip()
    return _SPACE.sub(" ", f"{what.tool} {value if value is not None else what.input}").strip()


def _main_value(call: PastCall) -> str | None:
    field = main_field(call.tool)
    found: Any = call.input.get(field) if field is not None else None
    return found if isinstance(found, str) else None


def _shape_of_line(line: str) -> str:
    commands = read_shell(line).commands
    telling = [command for command in commands if command.name not in _SILENT] or commands
    shapes = [shape for shape in dict.fromkeys(_shape_of_command(command) for command in telling) if shape]
    more = " …" if len(shapes) > _MOST_COMMANDS else ""
    return "; ".join(shapes[:_MOST_COMMANDS]) + more or "a shell line"


def _shape_of_command(command: Command) -> str:
    """A command without what differs from one time to the next: its program, its subcommand and its options."""
    words = [command.name]
    verb = next((word for word in command.args if not word.startswith("-")), "")
    if command.name not in _TARGETS | _SILENT and _VERB.match(verb):
        words.append(verb)
    flags = [word.partition("=")[0] for word in command.args if word.startswith("-") and UNKNOWN not in word]
    return " ".join([*words, *dict.fromkeys(flag for flag in flags if flag.strip("-"))][: len(words) + _MOST_FLAGS])
