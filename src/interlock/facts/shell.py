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
# One piece of a word: plain characters, or a quoted text in which nothing expands.
_PIECE = re.compile(r"[^\s'\"\\;&|<>()$`*?\[\]{}]+|'[^'\n]*'" + r'|"[^"$`\\!\n]*"')
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
# Programs that run another one named in their arguments: what they do is not theirs to say.
_WRAPPERS = frozenset({
    "sudo", "doas", "env", "nohup", "time", "timeout", "nice", "ionice", "xargs", "command", "exec", "eval", "bash",
    "sh", "zsh", "dash", "ksh", "fish", "ash", "rbash", "csh", "tcsh", "ssh", "su", "watch", "parallel", "find",
    "docker", "podman", "kubectl", "npx", "uv", "uvx", "pipx", "bunx", "awk", "gawk", "deno", "bun", "tclsh",
    "expect", "osascript", "pwsh", "powershell", "cmd", "builtin", "source", ".", "trap", "alias", "function",
    "stdbuf", "setsid", "script", "busybox", "toybox", "coproc", "flock", "chroot", "unshare", "nsenter", "strace",
    "ltrace", "gdb", "systemd-run", "tmux", "screen", "noglob", "runuser", "sg", "at", "batch", "crontab", "entr",
    "fakeroot",
})  # fmt: skip
_INTERPRETER = re.compile(r"(?:python|pypy|node|nodejs|ruby|perl|php|lua)[\d.]*")


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
    if not words or not words[0] or words[0][0] in "=-" or _ASSIGNMENT.match(words[0]):
        return Shell((), opaque=True)
    command = Command(words[0], tuple(words[1:]), text)
    return Shell((command,), opaque=_runs_another(command))


def _runs_another(command: Command) -> bool:
    if command.name in _WRAPPERS or _INTERPRETER.fullmatch(command.name):
        return True
    # git runs programs that its configuration names.
    return command.name == "git" and any(
        word.startswith(("-c", "--config-env", "--exec-path")) for word in command.args
    )


def _simple_words(text: str) -> list[str] | None:
    """The words of a simple line, or None for one that is not."""
    if "'" not in text and '"' not in text:
        return None if _SPECIAL.search(text) else re.split(r"[ \t]+", text)
    words: list[str] = []
    at, inside = 0, False
    while at < len(text):
        if text[at] in " \t":
            at, inside = at + 1, False
            continue
        piece = _PIECE.match(text, at)
        if piece is None or (not inside and piece[0][0] in "~#!"):
            return None
        plain = piece[0][1:-1] if piece[0][0] in "'\"" else piece[0]
        if inside:
            words[-1] += plain
        else:
            words.append(plain)
        at, inside = piece.end(), True
    return words
