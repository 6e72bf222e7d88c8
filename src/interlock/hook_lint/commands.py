"""Find out which file the command of an entry starts."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from interlock.hook_lint.wiring import HookWire

__all__ = ["is_interpreter", "is_line", "script_of"]

_INTERPRETERS = frozenset({"python", "python3", "node", "bash", "sh", "zsh", "bun", "deno", "tsx", "npx", "uv", "env"})
_CODE = frozenset({"-c", "-e", "-m", "-p", "-lc", "--eval", "--print"})
# What may come before a script and its interpreter. `30` is the limit that `timeout` sets.
_BEFORE = frozenset(
    {"&&", "exec", "timeout", "nice", "nohup", "time", "run", "tsx", "ts-node", "ts-node-esm", "command"}
)
_SETS = re.compile(r"\w+=.*|\d+[smh]?", re.DOTALL)
_PYTHON = re.compile(r"python3?\.\d+|pypy3?")
_FOLDERS = re.compile(r'"?\$\{?(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)(?::-[^}]*)?\}?"?')
_HOME = re.compile(r"^\$\{?HOME\}?/")
_DRIVE = re.compile(r"^([A-Za-z]:[\\/])")  # such a path is absolute too
_DEFAULTS = re.compile(r"\$\{\w+:-([^}$]*)\}")


def script_of(handler: dict[str, Any], root: Path) -> tuple[tuple[str, ...], Path | None]:
    """The words of an entry's command, and the script among them, where it would be found from the project's folder."""
    command, args = handler.get("command"), handler.get("args")
    if not isinstance(command, str):
        return (), None
    if isinstance(args, list):
        words = [command, *(word for word in args if isinstance(word, str))]
    else:
        try:
            words = shlex.split(command)
        except ValueError:
            return (), None
    for word in _possible_scripts(words):
        plain = _DEFAULTS.sub(lambda found: found[1], _FOLDERS.sub(lambda found: str(root), word))
        plain = _HOME.sub("~/", _DRIVE.sub(r"/\1", plain))
        if "$" in plain or "\n" in plain or ("/" not in plain and "." not in plain):
            continue
        path = Path(plain).expanduser()
        return tuple(words), _own_copy(path, root) if path.is_absolute() else root / path
    return tuple(words), None


def _own_copy(path: Path, root: Path) -> Path:
    """The file, or the project's own of that name: a project may be meant for a home, or for `~/.claude` itself."""
    if ".claude" not in path.parts or path.is_file():
        return path
    after = path.parts[path.parts.index(".claude") + 1 :]
    copies = (root / Path(".claude", *after), root / Path(*after))
    return next((one for one in copies if one.is_file()), path)


def _possible_scripts(words: list[str]) -> Iterator[str]:
    """The words of which one may be the script: the first of a command, or the first after its interpreter."""
    rest = iter(words)
    for word in rest:
        if word == "cd":  # to where the script is looked for anyway, more often than not
            next(rest, None)
        elif word in _CODE or (_SETS.fullmatch(word) and ("$(" in word or "=(" in word)):
            return  # the program is written in the command itself
        elif not (word.startswith("-") or word in _BEFORE or _SETS.fullmatch(word) or is_interpreter(word)):
            yield word
            return


def is_interpreter(word: str) -> bool:
    name = PurePath(word).name.removesuffix(".exe")
    return name in _INTERPRETERS or _PYTHON.fullmatch(name) is not None


def is_line(wire: HookWire) -> bool:
    """Whether an entry's command is a program of its own: a line of the shell that does more than start a script."""
    command = wire.handler.get("command")
    if not isinstance(command, str) or "args" in wire.handler or wire.holder == "sdk":
        return False
    return wire.script is None or _DOES_MORE.search(command) is not None


_DOES_MORE = re.compile(r"[|;<`]|&&|\$\(|\bjq\b")
