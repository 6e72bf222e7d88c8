"""Gather what a call means: the commands, paths, URLs and texts in its input or its result.

Each part is worked out when a rule first asks for it, and then kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, TypeAlias

from msgspec.structs import replace

from interlock.event import Event, PostToolUse, ToolEvent, UserPromptExpansion
from interlock.facts.effects import MODULES, CodeEffects
from interlock.facts.fields import ToolUse, use_of
from interlock.facts.follow import SCRIPT, RunFile, Scripts
from interlock.facts.limits import BRACES
from interlock.facts.parts import Part, parts_of, with_own_names
from interlock.facts.paths import UNKNOWN, Files, Places, joined, resolve
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.secrets import Secret, find_secrets
from interlock.facts.shell import Command, Fuel
from interlock.facts.touch import PathUse, Touched, folder_of, is_local, paths_of_commands, places_of
from interlock.facts.urls import Url, read_url
from interlock.facts.windows_lines import as_shell_line

__all__ = ["Facts", "PathUse", "RunFile", "file_of", "gather"]

JsonObject: TypeAlias = dict[str, Any]
_FOLDER_TOOLS = {"Glob": "pattern", "Grep": "glob", "LS": ""}  # the field that holds a pattern
# What is gone from its place afterwards, and lies in another.
_KEEPS = frozenset({
    "mv", "gmv", "rename", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "zstd", "unzstd",
    "compress", "uncompress",
})  # fmt: skip
_PIPELINES = 100_000  # more than one line has
_NO_PATH = "a path that is not known before it runs"
_NO_ADDRESS = "an address that is not known before it runs"
# Why a call may be opaque though every program that it runs is known.
_ARGUMENTS = frozenset({_NO_PATH, _NO_ADDRESS, MODULES, BRACES.reason, "a word that grows too long"})


_FILE_NAME = re.compile(r"(?=[~./\w])[^\s()'\";=\0]*(?:[./][^\s()'\";=\0]*|~)")


def file_of(command: Command) -> str:
    """The file that a command stands in, if it is not in the call itself."""
    first = command.nested[0] if command.nested else ""
    return first.removeprefix(SCRIPT) if first.startswith(SCRIPT) else ""


def gather(
    event: Event, given: JsonObject, places: Places, files: Files, declared: dict[str, ToolUse] | None = None
) -> Facts:
    """The facts of an event whose call would run with `given`. `files` are asked only for paths of the call."""
    return Facts(event, given, places, files, declared)


class Facts:
    """What a call means."""

    def __init__(
        self, event: Event, given: JsonObject, places: Places, files: Files, declared: dict[str, ToolUse] | None = None
    ) -> None:
        self._event = event
        self._given = given
        self._places = places
        self._files = files
        self._call = event if isinstance(event, ToolEvent) else None
        self._use = use_of(self._call.tool_name, declared) if self._call is not None else ToolUse()

    # --- what runs -------------------------------------------------------------------------------------------

    @cached_property
    def _lines(self) -> tuple[str, ...]:
        return tuple(_texts_at(self._given, self._use.command)) if self._use.command else ()

    @cached_property
    def _parts(self) -> list[Part]:
        lines: Iterable[str] = self._lines
        if self._call is not None and self._call.tool_name == "PowerShell":
            lines = map(as_shell_line, lines)
        fuel = Fuel()
        parts = [part for line in lines for part in parts_of(line, self._places, fuel)]
        return with_own_names(parts, self._files, fuel)

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """The commands of the call itself."""
        return _commands(self._parts)

    @cached_property
    def all_commands(self) -> tuple[Command, ...]:
        """With those in the files that it runs."""
        return self.commands + _commands(self._scripts[0], len(self._parts)) if self._scripts[0] else self.commands

    @cached_property
    def _scripts(self) -> tuple[list[Part], tuple[RunFile, ...]]:
        found = self._followed
        return found.parts, tuple(dict.fromkeys(found.unread))

    @cached_property
    def _followed(self) -> Scripts:
        found = Scripts(self._files)
        for part in self._parts:
            if part.shell.unread:
                found.follow(part)
            if part.shell.files:
                found.take_written(part)
        return found

    @property
    def unread(self) -> tuple[RunFile, ...]:
        """The files that are run and could not be read."""
        return self._scripts[1]

    @property
    def ran(self) -> tuple[RunFile, ...]:
        """The files that are run, whether they could be read or not."""
        return tuple(dict.fromkeys(self._followed.ran))

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why part of the call cannot be read."""
        found = [reason for part in self._parts for reason in part.shell.reasons]
        found += [effects.opaque for part in self._parts for _, _, effects in part.code if effects.opaque]
        if self._use.command and not self._lines and any(one.split(".")[0] in self._given for one in self._use.command):
            found.append("a command that is no text")
        if self._use.url and None in [read_url(text) for text in _texts_at(self._given, self._use.url)]:
            found.append("an address that cannot be read")
        if self._followed.rewritten:
            found.append("runs a file that is written here")
        if self._followed.cut:
            found.append("files that run more files than are read")
        found += [f"more than {name}" for name in self._limits if f"more than {name}" not in found]
        if any(_has_lost_path(part) for part in self._parts):
            found.append(_NO_PATH)
        if any(UNKNOWN in url.host for url in self.urls):
            found.append(_NO_ADDRESS)
        return tuple(dict.fromkeys(found))

    @property
    def opaque(self) -> bool:
        """Whether part of the call cannot be read; what is in the files that it runs is not part of it."""
        return bool(self.reasons)

    @cached_property
    def _limits(self) -> list[str]:
        """The limits at which reading the call's own text stopped, and a command could follow."""
        parts = [*self._parts, *self._followed.written]
        found = [name for part in parts for name in part.shell.incomplete]
        found += [name for part in parts for _, _, effects in part.code for name in effects.incomplete]
        found += self._followed.incomplete
        if self._touched.stopped is not None:
            found.append(self._touched.stopped.name)
        return list(dict.fromkeys(found))

    @cached_property
    def incomplete(self) -> tuple[str, ...]:
        """The limits at which reading the call's own text stopped, and a command could follow. It is opaque then.

        A value that the call gives and that was lost at a limit counts as well, if anything that is run is not known.
        """
        found = list(self._limits)
        if not _ARGUMENTS.issuperset(self.reasons):
            parts = [*self._parts, *self._followed.written]
            found += [name for part in parts for name in part.shell.lost]
            found += [name for part in parts for _, _, effects in part.code for name in effects.lost]
        return tuple(dict.fromkeys(found))

    @cached_property
    def plain(self) -> bool:
        """Whether its commands are all that it is, so that who permits each of them permits the call."""
        return not self.opaque and all(part.shell.plain for part in self._parts)

    # --- what it touches and reaches ---------------------------------------------------------------------------

    @cached_property
    def _touched(self) -> Touched:
        touched = Touched(self._places, self._files)
        tool = self._call.tool_name if self._call is not None else ""
        if tool in _FOLDER_TOOLS:
            self._add_folder(tool, touched)
        else:
            for path in _texts_at(self._given, self._use.read):
                touched.add(path)
            for path in _texts_at(self._given, self._use.write):
                touched.add(path, write=True)
        _add_parts(self._parts, touched)
        return touched

    def _add_folder(self, tool: str, touched: Touched) -> None:
        """A tool that looks through a folder, for a pattern of its own."""
        folder = self._given.get("path")
        folder = folder if isinstance(folder, str) and folder else "."
        touched.add(folder, below=tool == "Grep")  # the others look at names alone
        pattern = self._given.get(_FOLDER_TOOLS[tool])
        if isinstance(pattern, str) and pattern:
            touched.pattern(pattern, joined(folder, self._places))

    @property
    def paths(self) -> tuple[PathUse, ...]:
        """The paths that the call itself touches."""
        return self._touched.uses

    @property
    def lost(self) -> str:
        """Why there may be more paths, if so."""
        return self._touched.lost

    @cached_property
    def all_paths(self) -> tuple[PathUse, ...]:
        """With those that the files it runs touch."""
        if not self._scripts[0]:
            return self.paths
        touched = Touched(self._places, self._files)
        _add_parts(self._scripts[0], touched)
        known = set(self.paths)
        return self.paths + tuple(use for use in touched.uses if use not in known and UNKNOWN not in use.path)

    @cached_property
    def downloaded(self) -> frozenset[str]:
        """The files that the call's own commands bring from the network."""
        return frozenset(path for part in self._parts for path in _downloads_of(part))

    @cached_property
    def urls(self) -> tuple[Url, ...]:
        """The addresses that the call itself reaches."""
        fetched = (read_url(text) for text in _texts_at(self._given, self._use.url))
        return tuple(dict.fromkeys([*(url for url in fetched if url is not None), *_urls_of(self._parts)]))

    @cached_property
    def all_urls(self) -> tuple[Url, ...]:
        """With those that the files it runs reach."""
        return tuple(dict.fromkeys([*self.urls, *_urls_of(self._scripts[0])])) if self._scripts[0] else self.urls

    # --- what is in it -----------------------------------------------------------------------------------------

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Texts that go into files; of a result, those that came back."""
        event = self._event
        if isinstance(event, UserPromptExpansion):
            return (event.prompt,)
        if isinstance(event, PostToolUse):
            return tuple(_strings(event.tool_response))
        if self._call is None:
            return ()
        written = [text for part in self._parts for _, text in part.shell.files]
        return (*_texts_at(self._given, self._use.content), *(text.replace(UNKNOWN, "…") for text in written))

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """Credential-shaped strings in commands, contents and results."""
        searched = "\n".join((*self._lines, *self.texts))
        return find_secrets(searched) if searched else ()

    def entries(self, folder: str) -> tuple[str, ...]:
        """Names in a folder that the call touches."""
        return self._files.entries(folder)


# --- lines and the code in them ------------------------------------------------------------------------------------


def _commands(parts: list[Part], before: int = 0) -> tuple[Command, ...]:
    """The commands of some parts. Pipelines are numbered in each of them from one on, and stay apart."""
    if len(parts) == 1 and not before:
        return parts[0].shell.commands
    return tuple(
        replace(one, pipeline=one.pipeline + number * _PIPELINES)
        for number, part in enumerate(parts, before)
        for one in part.shell.commands
    )


def _has_lost_path(part: Part) -> bool:
    """Whether something is deleted of which not even the folder is known.

    What is written into such a place is a path like any other: no pattern but one for everything covers it.
    """
    commands = part.shell.commands
    words = [word for _, _, effects in part.code for word in effects.deletes]
    for number, command in enumerate(commands):
        for word in command.use.deletes if command.name not in _KEEPS else ():
            if word.startswith(UNKNOWN):
                words += places_of(word, commands, number)
    return any(word.startswith(UNKNOWN) for word in words)


def _add_parts(parts: list[Part], touched: Touched) -> None:
    for part in parts:
        paths_of_commands(part.shell, touched, part.places)
        for number, folder, effects in part.code:
            leaves = effects.sends and not (effects.urls and all(map(is_local, effects.urls)))
            given = _given_paths(part.shell.commands[number]) if _is_told(effects) and part.shell.commands else ()
            for word in given:
                touched.add(word, folder, write=bool(effects.writes), delete=bool(effects.deletes), below=True)
            for word in effects.reads:
                touched.add(word, folder, send=leaves)
            for word in effects.writes:
                touched.add(word, folder, write=True)
            for word in effects.deletes:
                touched.add(word, folder, delete=True, below=True)


def _is_told(effects: CodeEffects) -> bool:
    """Whether code changes files of which it does not say the names."""
    return any(word.startswith(UNKNOWN) for word in (*effects.writes, *effects.deletes))


def _given_paths(command: Command) -> Iterator[str]:
    """The words behind a program text that may be files."""
    for word in command.args[1:]:
        if _FILE_NAME.fullmatch(word):
            yield word


def _downloads_of(part: Part) -> Iterator[str]:
    """Where the commands of a line put what the network sends."""
    for command in part.shell.commands:
        if "network" in command.use.traits:
            targets = [one.target for one in command.redirects if one.kind != "read"]
            named = command.use.writes if "downloads" in command.use.traits else ()
            folder = folder_of(command, part.places)
            yield from (resolve(word, part.places, folder) for word in (*named, *targets) if UNKNOWN not in word)


# --- addresses -----------------------------------------------------------------------------------------------------


def _urls_of(parts: list[Part]) -> Iterator[Url]:
    for part in parts:
        for command in part.shell.commands:
            for word in _addresses(command):
                url = read_url(word)
                if url is not None:
                    yield url
        for _, _, effects in part.code:
            for word in effects.urls:
                url = read_url(word)
                if url is not None:
                    yield url


def _addresses(command: Command) -> Iterator[str]:
    use = command.use
    yield from use.urls
    yield from use.hosts
    for one in command.redirects:
        if one.target.startswith(("/dev/tcp/", "/dev/udp/")):
            host, _, port = one.target[9:].partition("/")
            yield f"{host}:{port}" if port.isdigit() else host
    if use.known and use.traits and use.traits <= HARMLESS:
        return  # it only looks at its words
    for word in (*use.operands, *use.mentions):
        if "://" in word and word not in use.urls:
            yield word


# --- fields --------------------------------------------------------------------------------------------------------


def _texts_at(given: Any, fields: tuple[str, ...]) -> Iterator[str]:
    for field in fields:
        yield from _at(given, field)


def _at(value: Any, field: str) -> Iterator[str]:
    """The strings at a dotted field, through lists."""
    if isinstance(value, list):
        for item in value:
            yield from _at(item, field)
        return
    if not field:
        if isinstance(value, str):
            yield value
        return
    step, _, rest = field.partition(".")
    if isinstance(value, dict) and step in value:
        yield from _at(value[step], rest)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
