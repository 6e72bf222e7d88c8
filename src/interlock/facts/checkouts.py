"""`git checkout NAME`: whether the name is a branch, which is chosen, or a file, whose changes are discarded."""

from __future__ import annotations

from msgspec.structs import replace

from interlock.facts.paths import UNKNOWN, Files, Places, resolve
from interlock.facts.shell import Command, Shell
from interlock.facts.touch import folder_of

__all__ = ["mark_checkouts"]

_DISCARDS = "git/discards-work"


def mark_checkouts(shell: Shell, places: Places, files: Files) -> Shell:
    """The same line; names that git is told to check out and that are files here are marked as discarded.

    Git prefers a branch of that name. One that has the name of a file is too rare to look for.
    """
    for command in shell.commands:
        if command.name == "git" and command.use.operands[:1] == ("checkout",):
            break
    else:
        return shell  # as nearly all
    commands = tuple(_mark(command, places, files) for command in shell.commands)
    return replace(shell, commands=commands)


def _mark(command: Command, places: Places, files: Files) -> Command:
    use = command.use
    name = use.operands[1] if use.operands[:1] == ("checkout",) and len(use.operands) == 2 else ""
    if command.name != "git" or not name or use.refs or _DISCARDS in use.traits:
        return command
    if UNKNOWN in name or name.startswith(("-", "@")) or {"--detach", "--track", "--orphan"} & set(use.flags):
        return command
    folder = folder_of(command, places)
    folder = resolve(use.base, places, folder) if use.base else folder
    if UNKNOWN in folder or not _is_there(resolve(name, places, folder), files):
        return command
    return replace(command, use=replace(use, traits=use.traits | {_DISCARDS}, writes=(*use.writes, name)))


def _is_there(path: str, files: Files) -> bool:
    return files.exists(path) or bool(files.entries(path))
