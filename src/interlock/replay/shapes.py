"""The shapes of past calls and prompts: what they have in common that a person would call the same."""

from __future__ import annotations

import re

from interlock.facts.shapes import (
    commands_in,
    line_of_call,
    main_value,
    shape_of_call,
    shape_of_command,
    telling,
    verb_of,
)
from interlock.facts.shell import UNKNOWN, Command
from interlock.facts.tools import kind_of
from interlock.replay.steps import PastCall, PastPrompt

__all__ = ["command_shapes", "commands_meant", "folders_of", "line_of", "shape_of"]

_SPACE = re.compile(r"\s+")


def shape_of(what: PastCall | PastPrompt, reason: str = "") -> str:
    """`git reset --hard` for a shell command, `Write *.py` for a file, `WebFetch host` for a fetch."""
    return "a prompt" if isinstance(what, PastPrompt) else shape_of_call(what.tool, what.input, reason)


def commands_meant(what: PastCall | PastPrompt, reason: str) -> tuple[Command, ...]:
    """The commands of a shell line that a reason quotes."""
    return tuple(one for one in _commands_of(what) if one.text and f"`{one.text}`" in reason) if reason else ()


def line_of(what: PastCall | PastPrompt) -> str:
    """A call or a prompt in one line."""
    if isinstance(what, PastPrompt):
        return _SPACE.sub(" ", f"prompt: {what.text}").strip()
    return line_of_call(what.tool, what.input)


def command_shapes(what: PastCall | PastPrompt, reason: str) -> set[str]:
    """The shapes of the commands meant that say by themselves what is done, such as `git stash drop`."""
    commands = telling(commands_meant(what, reason) or _commands_of(what))
    return {shape_of_command(command) for command in commands if verb_of(command)}


def folders_of(what: PastCall | PastPrompt) -> set[str]:
    """The folders outside the project, by their absolute path, of what a call names."""
    words = [word for command in _commands_of(what) for word in command.args if UNKNOWN not in word]
    is_file = isinstance(what, PastCall) and kind_of(what.tool) != "shell"
    value = main_value(what.tool, what.input) if is_file and isinstance(what, PastCall) else None
    paths = [word for word in (*words, value or "") if word.startswith("/") and word.count("/") > 1]
    return {path.rstrip("/").rpartition("/")[0] for path in paths}


def _commands_of(what: PastCall | PastPrompt) -> tuple[Command, ...]:
    return commands_in(what.tool, what.input) if isinstance(what, PastCall) else ()
