"""Programs that are not what their names say, because the session put a file where they are looked for.

A bare name is looked up in the folders of PATH, and a path in a folder of tools stands for the tool. Where the session,
or the line itself, has put a file there, that file is what runs.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from msgspec.structs import replace

from interlock.facts.origins import LineFiles, SessionFiles
from interlock.facts.parts import Part
from interlock.facts.paths import UNKNOWN, Files, Places, resolve
from interlock.facts.program_places import is_installed, is_searched
from interlock.facts.shell import Command, Unread
from interlock.facts.shell.hazards import BUILTINS
from interlock.facts.touch import folder_of

__all__ = ["add_shadowed"]


def add_shadowed(parts: list[Part], session: SessionFiles, files: Files) -> None:
    """Add to each line the files that run in the place of its programs."""
    for part in parts:
        found = list(_shadows(part, session, files))
        if found:
            part.shell = replace(part.shell, unread=(*part.shell.unread, *found))


def _shadows(part: Part, session: SessionFiles, files: Files) -> Iterator[Unread]:
    shell, places = part.shell, part.places
    line: dict[str, object] = {}
    programs = frozenset(one.name for one in shell.commands)
    if len(shell.commands) > 1 and any(_puts_program(one, programs) for one in shell.commands):
        line = dict(LineFiles(part, session).made)
    paths = [value for name, value in shell.assigned if name == "PATH"]
    if not session and not line and not paths and not any("PATH" in one.env for one in shell.commands):
        return
    names = frozenset(one.name for one in shell.commands if "/" not in one.program)
    made = [path for path in (*session.named(names), *line) if is_searched(path, places.home)]
    for folder in session.folders():
        if is_searched(f"{folder}x", places.home):
            made += [file for name in sorted(names) if files.exists(file := f"{folder}{name}")]
    by_name: dict[str, str] = {posixpath.basename(path): path for path in made}
    for number, command in enumerate(shell.commands):
        program = command.program
        if not program or UNKNOWN in program or "elsewhere" in command.use.traits or program in BUILTINS:
            continue
        if "/" in program:
            if is_installed(program, places.home):
                path = resolve(program, places, folder_of(command, places))
                if session.replaced(path, places.home) or path in line:
                    yield Unread(program, command.args, number)
            continue
        if program in by_name:
            yield Unread(by_name[program], command.args, number)
        for value in (command.env.get("PATH", ""), *paths):
            file = _in_path(program, value, places, files, session, line)
            if file:
                yield Unread(file, command.args, number)
                break


def _in_path(
    name: str, value: str, places: Places, files: Files, session: SessionFiles, line: dict[str, object]
) -> str:
    """The file of a folder in PATH that the line names, if there is one of that name."""
    for folder in value.split(":") if value else ():
        if folder and UNKNOWN not in folder and not is_searched(f"{folder}/x", places.home):
            file = f"{resolve(folder, places)}/{name}"
            if session.replaced(file, places.home) or file in line or files.exists(file):
                return file
    return ""


def _puts_program(command: Command, names: frozenset[str]) -> bool:
    """Whether a command writes a file that has the name of one of these programs."""
    use = command.use
    if not (use.writes or use.creates or command.redirects):
        return False
    written = (*use.writes, *use.creates, *(one.target for one in command.redirects if one.kind != "read"))
    return any(posixpath.basename(word) in names for word in written)
