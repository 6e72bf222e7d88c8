"""Programs under other names than their own: shells, other agents, Interlock itself, whatever a link leads to.

A link, a copy or an interpreter gives a program another name: `ln -s /bin/sh ./s; ./s -c`, `node …/cli.js -p`. The
line is then read once more as if the program's own name stood there. An agent is guarded where the settings that it
would read say so, which is looked up for the folder it would start in.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from interlock.facts.paths import UNKNOWN, Files, Places, join_path, resolve
from interlock.facts.programs import program_of, use_of_program, usual_name
from interlock.facts.shell import Command, Shell
from interlock.facts.shell.run import UseOf
from interlock.facts.touch import MAKE_LINKS, folder_of, links_of

__all__ = ["mark_agents", "other_readings"]

# Files of these programs that have other names.
_FILES = (
    (re.compile(r"/claude/versions/[^/]+\Z|/claude-code(?:-[\w-]+)?/(?:bin/)?(?:cli|start|claude)[^/]*\Z"), "claude"),
    (re.compile(r"/@openai/codex/bin/[^/]+\Z"), "codex"),
    (re.compile(r"/@google/gemini-cli/[^\0]+\.js\Z"), "gemini"),
    (re.compile(r"/interlock/(?:__main__|cli/__init__)\.py\Z"), "interlock"),
)
_SYSTEM = ("/bin/", "/sbin/", "/usr/", "/opt/homebrew/", "/snap/", "/nix/", "/Library/", "/System/")
_COPIES = frozenset({"cp", "gcp", "mv", "gmv", "install", "ginstall", "rsync"})
_NAMES_GIVEN = _COPIES | MAKE_LINKS
# Names that these share with others, and the words by which they are agents.
_SHARED = {
    "copilot": re.compile(
        r"(?:\A| )(?:-p|--prompt|-i|--interactive|--allow-\S+|--yolo|--continue|--resume)(?:[ =]|\Z)"
    ),
    "goose": re.compile(r"\A(?:-\S+ )*(?:run|session|web|acp|schedule)\b"),
    "q": re.compile(r"\A(?:-\S+ )*chat\b"),
}

# What runs in them sees other files than those that were looked at.
_OWN_VIEW = frozenset({
    "bwrap", "unshare", "chroot", "nsenter", "proot", "fakechroot", "firejail", "systemd-nspawn", "arch-chroot",
})  # fmt: skip
_MOVE_SETTINGS = frozenset({"HOME", "CLAUDE_CONFIG_DIR"})  # where an agent finds a person's settings


def _counts(name: str) -> bool:
    """Whether a program is one that must be seen under any name: an agent, or Interlock itself."""
    found = program_of(name)
    return name == "interlock" or (found is not None and "agent/starts" in found.traits)


def other_readings(
    shell: Shell,
    places: Places,
    files: Files,
    use_of: UseOf = use_of_program,
    copies: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[tuple[str, Command]]:
    """Lines that a shell's commands amount to under their programs' own names, each with its command.

    `copies`: files that earlier calls of the session copied or linked, and what they are of.
    """
    links: dict[str, str] = dict(copies)
    for command in shell.commands:
        if command.name in _NAMES_GIVEN:
            links.update(_other_names(command, places))
    for command in shell.commands:
        if not _counts(command.name) and ("/" in command.program or links):
            name = _name_of(command.program, command, places, files, links)
            name = name or _target_of(command, places, files, links, use_of)
            if name:
                yield _line(name, command.args), command
    for one in shell.unread:
        command = shell.commands[one.command]
        if one.by and not one.by.endswith(" -m") and not _counts(command.name):
            name = _name_of(one.file, command, places, files, links)
            if name:
                yield _line(name, one.args), command


def mark_agents(shell: Shell, places: Places, files: Files) -> Shell:
    """The same line; agents that would not be guarded where they start are marked."""
    for command in shell.commands:
        if command.name in _SHARED or "agent/starts" in command.use.traits:
            return _with_marks(shell, places, files)
    return shell  # as nearly all


def _with_marks(shell: Shell, places: Places, files: Files) -> Shell:
    # What the line does before may change which settings there are: a new repository, say, has none.
    settled = all("read-only" in one.use.traits or "agent/starts" in one.use.traits for one in shell.commands)
    moved = not _MOVE_SETTINGS.isdisjoint(name for name, _ in shell.assigned) or any(
        not _MOVE_SETTINGS.isdisjoint(command.env) for command in shell.commands
    )
    commands = tuple(_mark(command, places, files, moved, settled) for command in shell.commands)
    return shell if commands == shell.commands else replace(shell, commands=commands)


def _mark(command: Command, places: Places, files: Files, moved: bool, settled: bool) -> Command:
    traits = command.use.traits
    shared = _SHARED.get(command.name)
    if shared is not None and shared.search(" ".join(command.args)):
        traits |= {"agent/starts", "agent/unguarded"}
    elif "agent/starts" in traits and not _OWN_VIEW.isdisjoint(command.nested):
        traits |= {"agent/unguarded"}
    elif "agent/starts" in traits and "elsewhere" not in traits:
        folder = folder_of(command, places)
        folder = resolve(command.use.base, places, folder) if command.use.base else folder
        known = not moved and UNKNOWN not in folder and (settled or folder == places.project)
        traits |= set() if known and files.guards(folder) else {"agent/unguarded"}
    return command if traits == command.use.traits else replace(command, use=replace(command.use, traits=traits))


def _other_names(command: Command, places: Places) -> Iterator[tuple[str, str]]:
    """Names that a command gives to files, and which files those are."""
    folder = folder_of(command, places)
    yield from links_of(command, folder, places)
    if command.name in _COPIES and len(command.use.operands) > 1:
        *sources, target = command.use.operands
        for source in sources:
            at, from_ = resolve(target, places, folder), resolve(source, places, folder)
            yield at, from_
            yield f"{at}/{posixpath.basename(source)}", from_


def _name_of(word: str, command: Command, places: Places, files: Files, links: dict[str, str]) -> str:
    """The name of the program that a word leads to, if it is one that counts."""
    if UNKNOWN in word:
        return ""
    folder = folder_of(command, places)
    path = resolve(word, places, folder)
    if "/" not in word:  # found by its name, wherever that is
        path = next((link for link in links if posixpath.basename(link) == word), path)
    for place in (path, links.get(path, ""), files.real(join_path(path, places)) or ""):
        if place and (name := _own_name(place)):
            return name
    return ""


def _target_of(command: Command, places: Places, files: Files, links: dict[str, str], use_of: UseOf) -> str:
    """The name of a known program that a link or a copy leads to, where that is another than the command's own."""
    word = command.program
    if UNKNOWN in word:
        return ""
    path = resolve(word, places, folder_of(command, places))
    if "/" not in word:
        path = next((link for link in links if posixpath.basename(link) == word), "")
    found = [links.get(path, "")]
    if path and not path.startswith(_SYSTEM):  # there, links to programs are how the system is built
        found.append(files.real(join_path(path, places)) or "")
    names = (usual_name(posixpath.basename(place)) for place in found)
    return next((name for name in names if name and name != command.name and use_of(name, ()).known), "")


def _own_name(path: str) -> str:
    base = posixpath.basename(path)
    if _counts(base):
        return base
    return next((name for pattern, name in _FILES if pattern.search(path)), "")


def _line(name: str, args: tuple[str, ...]) -> str:
    return " ".join([name, *("'" + word.replace("'", "'\\''") + "'" for word in args)])
