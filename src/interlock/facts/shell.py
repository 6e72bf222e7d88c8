"""Commands in a shell line, as far as they can be read without a shell parser: simple lines only.

A simple line is one program with its arguments: words and quotes, no operator, expansion or redirection. Anything
else is opaque, and opaque is never taken for harmless.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import force_setattr

__all__ = ["Command", "Shell", "read_shell"]

_MOST = 100_000
_SPECIAL = re.compile(r"[;&|<>()$`\\\n\r*?\[\]{}]|(?<!\S)[~#!]")
_SINGLE = re.compile(r"'[^']*'")
_DOUBLE = re.compile(r'"[^"]*"')
_EXPANDING = re.compile(r'"[^"]*[$`\\!][^"]*"')
_WORD = re.compile(r"""(?:[^\s'"]+|'[^']*'|"[^"]*")+""")
_QUOTES = re.compile(r"'[^']*'" + r'|"[^"]*"')
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
# Programs that run another one named in their arguments: what they do is not theirs to say.
_WRAPPERS = frozenset({"sudo", "doas", "env", "nohup", "time", "timeout", "nice", "xargs", "command", "exec", "eval",
                       "bash", "sh", "zsh", "dash", "ksh", "fish", "ssh", "su", "watch", "parallel", "find", "docker",
                       "kubectl", "npx", "uv", "python", "python3", "node", "perl", "ruby", "php", "awk", "builtin",
                       "source", ".", "trap", "alias", "function", "stdbuf", "setsid", "script"})  # fmt: skip


class Command(Struct, frozen=True):
    """One command that would run."""

    program: str
    args: tuple[str, ...]
    text: str
    env: dict[str, str] = {}
    name: str = ""  # the program by its base name

    def __post_init__(self) -> None:
        if not self.name:
            force_setattr(self, "name", self.program.rsplit("/", 1)[-1])


class Shell(Struct, frozen=True):
    """What a shell line would run, and whether that is all of it."""

    commands: tuple[Command, ...]
    opaque: bool


def read_shell(line: str) -> Shell:
    """The command of a simple line; anything else is opaque."""
    text = line.strip(" \t\n")
    if not text:
        return Shell((), opaque=False)
    if any(character.isspace() and character not in " \t" for character in text):
        return Shell((), opaque=True)  # what parts words for Python does not for a shell
    words = _simple_words(text) if len(text) <= _MOST else None
    if not words or not words[0] or _ASSIGNMENT.match(words[0]):
        return Shell((), opaque=True)
    command = Command(words[0], tuple(words[1:]), text)
    return Shell((command,), opaque=command.name in _WRAPPERS)


def _simple_words(text: str) -> list[str] | None:
    """The words of a simple line, or None for one that is not."""
    if "'" not in text and '"' not in text:
        return None if _SPECIAL.search(text) else re.split(r"[ \t]+", text)
    outside = _SINGLE.sub("''", text)
    if _EXPANDING.search(outside):
        return None  # a shell expands this inside double quotes
    outside = _DOUBLE.sub('""', outside)
    if _SPECIAL.search(outside) or outside.count("'") % 2 or outside.count('"') % 2:
        return None
    return [_QUOTES.sub(lambda quoted: quoted[0][1:-1], word) for word in _WORD.findall(text)]
