"""Find out which file the command of an entry starts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path, PurePath
from typing import Any

from interlock.hook_lint.wiring import Wire

__all__ = ["INTERPRETERS", "is_line", "script_of"]

INTERPRETERS = frozenset({"python", "python3", "node", "bash", "sh", "zsh", "bun", "deno", "tsx", "npx", "uv", "env"})
_FOLDERS = re.compile(r'"?\$\{?(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)(?::-[^}]*)?\}?"?')


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
    for word in words:
        if word.startswith("-") or PurePath(word).name in INTERPRETERS:
            continue
        plain = _FOLDERS.sub(lambda found: str(root), word)
        if "$" in plain or "\n" in plain or ("/" not in plain and "." not in plain):
            continue
        path = Path(plain).expanduser()
        return tuple(words), path if path.is_absolute() else root / path
    return tuple(words), None


def is_line(wire: Wire) -> bool:
    """Whether an entry's command is a program of its own: a line of the shell that does more than start a script."""
    command = wire.handler.get("command")
    if not isinstance(command, str) or "args" in wire.handler or wire.holder == "sdk":
        return False
    return wire.script is None or _DOES_MORE.search(command) is not None


_DOES_MORE = re.compile(r"[|;<`]|&&|\$\(|\bjq\b")
