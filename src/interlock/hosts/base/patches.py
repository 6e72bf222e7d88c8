"""Read the patches that agents apply to several files at once, as edits that policies know.

A patch begins with `*** Begin Patch` and names each file that it adds, updates, moves or deletes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.hosts.base.tools import Join, JsonObject, Part

__all__ = ["deletion", "join_patch", "patch_for", "split_patch"]

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _LAST = "*** Move to: ", "*** End of File"
# Agents end no line of a patch with these. If one did, what follows would name another file.
_DISGUISED = re.compile(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*\*\*\* ")
# What stands around a path is taken off by every agent, but not all take the same for white space.
_SPACE = " \t"
_MAYBE_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u180e\u200b\ufeff]")


class _FilePatch(Struct):
    """What a patch does to one file."""

    how: str
    path: str
    moved: str = ""
    old: list[str] = []
    new: list[str] = []
    ended: bool = False  # by the mark of a file's end: some agents take any line after it for the next file


def split_patch(text: str, place: Callable[[str], str] = str) -> list[Part]:
    """The edits of a patch. Raises InterlockError if a line of it cannot be read.

    `place`: the file that the host opens for a path in it.
    """
    found = _read(text)
    for one in found:
        one.path, one.moved = place(one.path), one.moved and place(one.moved)
    return [part for one in found for part in _parts(one)]


def patch_for(tool: str, given: JsonObject) -> str | None:
    """The patch that does what a write or an edit does; None for other tools."""
    if tool == "Write":
        body = [f"{_ADD}{given['file_path']}", *(f"+{line}" for line in _lines(given["content"]))]
    elif tool == "Edit":
        old = [f"-{line}" for line in _lines(given["old_string"])]
        new = [f"+{line}" for line in _lines(given["new_string"])]
        body = [f"{_UPDATE}{given['file_path']}", "@@", *old, *new]
    else:
        return None
    return "\n".join([_BEGIN, *body, _END])


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def join_patch(field: str | None) -> Join:
    """How a file that is written becomes a patch again, in this field of the host's tool; None: never.

    An edit does not: it was read without the lines that tell where in the file it belongs.
    """

    def join(tool: str, given: JsonObject) -> JsonObject | None:
        path, content = given.get("file_path"), given.get("content")
        if (
            field is None
            or tool != "Write"
            or len(given) != 2
            or not isinstance(path, str)
            or not isinstance(content, str)
        ):
            return None
        patch = patch_for(tool, given) or ""
        ended = content if content.endswith("\n") or not content else f"{content}\n"
        return {field: patch} if _says(patch, (tool, {"file_path": path, "content": ended})) else None

    return join


def _says(patch: str, part: Part) -> bool:
    """Whether a patch is read as this and no more: a path may contain a line that looks like another file."""
    try:
        return split_patch(patch) == [part]
    except InterlockError:
        return False


def _parts(one: _FilePatch) -> list[Part]:
    old, new = "\n".join(one.old), "\n".join(one.new)
    if one.how == _ADD:  # whoever applies it ends every line
        return [("Write", {"file_path": one.path, "content": f"{new}\n" if one.new else ""})]
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
        if _DISGUISED.search(line):
            raise InterlockError(f"line {number} of a patch may be read as several lines")
        header = next((how for how in (_ADD, _UPDATE, _DELETE) if line.startswith(how)), None)
        if header is not None:
            found.append(_FilePatch(header, _path_in(line, header, number)))
        elif line.startswith(_MOVE) and found and lines[number - 2].startswith(_UPDATE):
            found[-1].moved = _path_in(line, _MOVE, number)  # anywhere else, some agents move nothing
        elif not found or not _take(found[-1], line):
            raise InterlockError(f"line {number} of a patch cannot be read: `{line[:80]}`")
    return found


def _path_in(line: str, header: str, number: int) -> str:
    path = line.removeprefix(header).strip(_SPACE)
    if not path:
        raise InterlockError(f"line {number} of a patch names no file")
    if _MAYBE_SPACE.match(path) or _MAYBE_SPACE.match(path[-1]):
        help = "name the file without the characters around its path that cannot be seen"
        raise InterlockError(f"line {number} of a patch may name another file than it seems to", help=help)
    return path


def _take(one: _FilePatch, line: str) -> bool:
    """Take a line below the name of a file; return whether it means anything there."""
    if one.how == _ADD:
        one.new.append(line.removeprefix("+"))
        return line.startswith("+")
    if one.how == _DELETE:
        return not line.strip()
    if line.startswith("@@") or line.strip() == _LAST:
        one.ended = not line.startswith("@@")
        return True
    if one.ended:
        return not line.strip()
    if line[:1] in ("+", " ", ""):
        one.new.append(line[1:])
    if line[:1] in ("-", " ", ""):
        one.old.append(line[1:])
    return line[:1] in ("+", "-", " ", "")
