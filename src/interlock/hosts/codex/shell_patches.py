"""Patches inside shell commands: Codex applies them itself, and says of the call only that it is a command.

It takes `apply_patch <<'EOF' …`, also behind `cd FOLDER &&`, for a patch. Seen with 0.166.0.
"""

from __future__ import annotations

import re
import shlex
from posixpath import join

from interlock.errors import InterlockError
from interlock.hosts.base.patches import split_patch
from interlock.hosts.base.tools import JsonObject, Part

__all__ = ["split_command"]

_PATCH = re.compile(r"^[ \t]*\*\*\* Begin Patch.*?^[ \t]*\*\*\* End Patch", re.DOTALL | re.MULTILINE)
_APPLIES = re.compile(r"\bapply_?patch\b")
# Codex takes the folder as it is written, and the shell would not: it takes off a backslash.
_FOLDER = re.compile(r"\s*cd\s+(?P<folder>'[^']*'|\"[^\"$`\\]*\"|[^\s;&|<>()$`*?\"'\\]+)\s*&&\s*apply_?patch\b")
_CHANGES_FOLDER = re.compile(r"\b(?:cd|pushd|popd)\b")


def split_command(given: JsonObject) -> list[Part] | None:
    """The parts of a command that applies patches: the command itself, and each edit. None: it applies none."""
    command = given.get("command")
    if not isinstance(command, str) or not _APPLIES.search(command) or "*** Begin Patch" not in command:
        return None
    patches = [found[0].strip() for found in _PATCH.finditer(command)]
    if not patches:
        raise InterlockError("a command contains a patch that cannot be read", help="use the tool `apply_patch`")
    before = command[: command.index("*** Begin Patch")]
    named = _FOLDER.match(before)
    if named is None and _CHANGES_FOLDER.search(before):
        raise InterlockError(
            "a command changes its folder before it applies a patch, so the files of the patch are not known",
            help="use the tool `apply_patch`",
        )
    folder = "" if named is None else shlex.split(named["folder"])[0]
    return [("Bash", given), *(_below(folder, part) for patch in patches for part in split_patch(patch))]


def _below(folder: str, part: Part) -> Part:
    """A part with its file in a folder, as Codex finds it."""
    tool, given = part
    if "file_path" in given:
        return tool, {**given, "file_path": join(folder, given["file_path"])}
    words = shlex.split(given["command"])
    return tool, {"command": shlex.join([*words[:-1], join(folder, words[-1])])}
