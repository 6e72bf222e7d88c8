"""Why Cursor would not run the entries in its file: it ignores a whole file for one thing in it, without a word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from interlock.errors import InterlockError
from interlock.files.edit import read_bytes
from interlock.hosts.base.setup import HostScope, HostTrust

__all__ = ["TRUST", "faults", "hooks_file"]

# Every event that it knows; another one makes it ignore the file.
_KNOWN = frozenset({
    "afterAgentResponse", "afterAgentThought", "afterFileEdit", "afterMCPExecution", "afterShellExecution",
    "afterTabFileEdit", "beforeMCPExecution", "beforeReadFile", "beforeShellExecution", "beforeSubmitPrompt",
    "beforeTabFileRead", "postToolUse", "postToolUseFailure", "preCompact", "preToolUse", "sessionEnd", "sessionStart",
    "stop", "subagentStart", "subagentStop", "workspaceOpen",
})  # fmt: skip
# What it takes for a comment, also inside a text.
_COMMENT = re.compile(r"//.*$|/\*[\s\S]*?\*/", re.MULTILINE)


def hooks_file(scope: HostScope, root: Path, home: Path) -> Path:
    """The file with the hooks of a project or of a person."""
    return (root if scope == "project" else home) / ".cursor" / "hooks.json"


def _hindrances(scope: HostScope, root: Path, home: Path) -> Sequence[str]:
    found = list(faults(scope, root, home))
    if not found:
        raise InterlockError("Cursor does not say which workspaces it trusts or which hooks it has loaded")
    return found


def faults(scope: HostScope, root: Path, home: Path) -> Iterator[str]:
    """What in the file of hooks, or in its place, makes Cursor ignore all of them."""
    file = hooks_file(scope, root, home)
    if scope == "project":
        links = [place for place in (file.parent, file) if place.is_symlink()]
        yield from (
            f"Cursor reads no hooks of a project through a symbolic link, and `{link}` is one" for link in links
        )
    raw = read_bytes(file)
    if raw is None:
        return
    text = raw.decode("utf-8", "replace")
    if _parse(text) is None:
        yield f"`{file}` is not JSON"
    elif (read := _parse(_COMMENT.sub("", text))) is None or read != _parse(text):
        line = text.count("\n", 0, next(_COMMENT.finditer(text)).start()) + 1
        yield f"Cursor reads `//` and `/*` as comments, even inside a string: line {line} of `{file}`"
    else:
        yield from _unknown(read, file)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _unknown(read: Any, file: Path) -> Iterator[str]:
    hooks = read.get("hooks") if isinstance(read, dict) else None
    for name in hooks if isinstance(hooks, dict) else ():
        if name not in _KNOWN:
            yield f"Cursor ignores the whole `{file}` because of `{name}`, an event that it does not know"


TRUST = HostTrust(hindrances=_hindrances)
