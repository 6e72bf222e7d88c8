"""Read the patches that agents apply to several files at once, as edits that policies know.

A patch begins with `*** Begin Patch` and names each file that it adds, updates, moves or deletes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.hosts.base.tools import Part

__all__ = ["deletion", "split_patch"]

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _LAST = "*** Move to: ", "*** End of File"


class _FilePatch(Struct):
    """What a patch does to one file."""

    how: str
    path: str
    moved: str = ""
    old: list[str] = []
    new: list[str] = []


def split_patch(text: str, place: Callable[[str], str] = str) -> list[Part]:
    """The edits of a patch. Raises InterlockError if a line of it cannot be read.

    `place`: the file that the host opens for a path in it.
    """
    found = _read(text)
    for one in found:
        one.path, one.moved = place(one.path), one.moved and place(one.moved)
    return [part for one in found for part in _parts(one)]


def _parts(one: _FilePatch) -> list[Part]:
    old, new = "\n".join(one.old), "\n".join(one.new)
    if one.how == _ADD:
        return [("Write", {"file_path": one.path, "content": new})]
    if one.how == _DELETE:
        return deletion(one.path)
    edit = {"old_string": old, "new_string": new}
    if not one.moved:
        return [("Edit", {"file_path": one.path, **edit})]
    return [("Edit", {"file_path": one.moved, **edit}), *deletion(one.path)]


def deletion(path: str) -> list[Part]:
    """A file that is deleted. No tool of policies does only that, so it counts as an edit and as the command."""
    edit = {"file_path": path, "old_string": "", "new_string": ""}
    return [("Edit", edit), ("Bash", {"command": f"rm -- {shlex.quote(path)}"})]


def _read(text: str) -> list[_FilePatch]:
    # Only a line feed ends a line: to agents, other separators are characters of a path or of a text.
    lines = [line.removesuffix("\r") for line in text.strip().split("\n")]
    if len(lines) < 3 or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        raise InterlockError(f"a patch does not stand between `{_BEGIN}` and `{_END}`")
    found: list[_FilePatch] = []
    for number, line in enumerate(lines[1:-1], 2):
        header = next((how for how in (_ADD, _UPDATE, _DELETE) if line.startswith(how)), None)
        if header is not None:
            found.append(_FilePatch(header, line.removeprefix(header).strip()))
            if not found[-1].path:
                raise InterlockError(f"line {number} of a patch names no file")
        elif not found or not _take(found[-1], line):
            raise InterlockError(f"line {number} of a patch cannot be read: `{line[:80]}`")
    return found


def _take(one: _FilePatch, line: str) -> bool:
    """Take a line below the name of a file; return whether it means anything there."""
    if one.how == _ADD:
        one.new.append(line.removeprefix("+"))
        return line.startswith("+")
    if one.how == _DELETE:
        return not line.strip()
    if line.startswith(_MOVE):
        one.moved = line.removeprefix(_MOVE).strip()
        return bool(one.moved)
    if line.startswith("@@") or line.strip() == _LAST:
        return True
    if line[:1] in ("+", " ", ""):
        one.new.append(line[1:])
    if line[:1] in ("-", " ", ""):
        one.old.append(line[1:])
    return line[:1] in ("+", "-", " ", "")
