"""Gather what a call means: the commands, paths, URLs and texts in its input or its result.

Each part is worked out when a rule first asks for it, and then kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from interlock.event import Event, PostToolUse, PostToolUseFailure, ToolEvent, UserPromptExpansion
from interlock.facts.effects import MODULES, CodeEffects
from interlock.facts.fields import NO_USE, ToolUse, guess_of, strings_in, use_of
from interlock.facts.follow import SCRIPT, RunFile, Scripts
from interlock.facts.injections import Order, find_orders
from interlock.facts.lazy import lazy
from interlock.facts.limits import BRACES, Limit
from interlock.facts.origins import LineFiles, Origin, SessionFiles, to_remember, worse
from interlock.facts.own_programs import ProgramReader
from interlock.facts.parts import Part, parts_of, with_own_names
from interlock.facts.paths import UNKNOWN, Files, NoFiles, Places, join_path, resolve
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.secrets import Secret, find_secrets
from interlock.facts.shadows import add_shadowed
from interlock.facts.shell import Command, Fuel
from interlock.facts.tools import kind_of
from interlock.facts.touch import PathUse, TouchedPaths, is_local, paths_of_commands, places_of
from interlock.facts.urls import Url, read_url
from interlock.facts.windows_lines import as_shell_line

__all__ = ["Facts", "PathUse", "RunFile", "file_of"]

JsonObject: TypeAlias = dict[str, Any]
_FOLDER_TOOLS = {"Glob": "pattern", "Grep": "glob", "LS": ""}  # the field that holds a pattern
# What is gone from its place afterwards, and lies in another.
_KEEPS = frozenset({
    "mv", "gmv", "rename", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "zstd", "unzstd",
    "compress", "uncompress",
})  # fmt: skip
_PARTS = frozenset({"old_string", "edits", "patch"})  # fields of tools that change a file and do not replace it
_OWN_WORDS = ("edit", "skill")  # kinds of tools whose results say nothing that comes from outside
_SHORTEST_ORDER = 6  # characters: `type`, `status` and the like are shorter
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


class Facts:
    """What a call means, in parts that belong together; what most calls have none of is not looked for there."""

    # What runs.
    lines: tuple[str, ...]  # for a shell, as they are written
    parts: list[Part]
    followed: Scripts  # the files that it runs
    commands: tuple[Command, ...]  # of the call itself
    all_commands: tuple[Command, ...]  # with those in the files that it runs
    unread: tuple[RunFile, ...]  # the files that are run and could not be read
    ran: tuple[RunFile, ...]  # the files that are run, whether they could be read or not
    # What it touches.
    paths: tuple[PathUse, ...]  # that the call itself touches
    all_paths: tuple[PathUse, ...]  # with those that the files it runs touch
    lost: str  # why there may be more paths, if so
    stopped: Limit | None  # at which no more paths were looked at
    # What it reaches.
    urls: tuple[Url, ...]  # the addresses that the call itself reaches
    all_urls: tuple[Url, ...]  # with those that the files it runs reach
    # What cannot be read.
    reasons: tuple[str, ...]  # why part of the call cannot be read
    opaque: bool  # whether that is so; what is in the files that it runs is not part of it
    # The limits at which reading the call's own text stopped, and a command could follow. It is opaque then. A value
    # that the call gives and that was lost at a limit counts as well, if anything that is run is not known.
    incomplete: tuple[str, ...]
    # What is in it.
    texts: tuple[str, ...]  # that go into files; of a result, those that came back
    secrets: tuple[Secret, ...]  # credential-shaped strings in commands, contents and results
    orders: tuple[Order, ...]  # passages of a result that try to command the model

    def __init__(
        self,
        event: Event,
        given: JsonObject,
        places: Places,
        files: Files,
        declared: dict[str, ToolUse] | None = None,
        own: ProgramReader | None = None,
        wrote: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`declared` are tools, and `own` reads programs, that policies describe. `wrote`: the session's own files."""
        self._event = event
        self._given = given
        self._places = places
        self._files = files
        self._own = own
        self._session = SessionFiles(wrote)
        self._call = event if isinstance(event, ToolEvent) else None
        self._use = use_of(event.tool_name, declared) if isinstance(event, ToolEvent) else NO_USE
        # Whether what the fields mean is only guessed, by the name of an MCP tool: then nothing may be trusted on it.
        self.is_guess = False
        if self._use is NO_USE and isinstance(event, ToolEvent) and (guess := guess_of(event.tool_name)) is not None:
            self._use, self.is_guess = guess, True

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Work out what belongs together with this part. Python asks only for what is not there yet."""
            work_out = _WORKED_OUT_BY.get(name)
            if work_out is None:
                raise AttributeError(name)
            work_out(self)
            return self.__dict__[name]

    # --- what runs -------------------------------------------------------------------------------------------

    def _read(self) -> None:
        lines = tuple(_texts_at(self._given, self._use.command)) if self._use.command else ()
        self.lines, self.parts, self.followed = lines, [], _NOTHING
        self.commands = self.all_commands = ()
        self.unread = self.ran = ()
        if not lines:
            return
        fuel = Fuel()
        is_powershell = self._call is not None and self._call.tool_name == "PowerShell"
        parts: list[Part] = []
        for line in lines:
            parts += parts_of(as_shell_line(line) if is_powershell else line, self._places, fuel, own=self._own)
        copies = self._session.copies() if self._session else {}
        self.parts = parts = with_own_names(parts, self._files, fuel, self._own, copies)
        add_shadowed(parts, self._session, self._files)
        self.commands = self.all_commands = _commands(parts)
        for part in parts:
            if part.shell.unread or part.shell.files:
                self._follow()
                break

    def _follow(self) -> None:
        """Read the files that the call runs."""
        found = self.followed = Scripts(self._files, self._own, self._session)
        for part in self.parts:
            if part.shell.unread:
                found.follow(part)
            if part.shell.files:
                found.take_written(part)
        self.unread, self.ran = tuple(dict.fromkeys(found.unread)), tuple(dict.fromkeys(found.ran))
        if found.parts:
            self.all_commands = self.commands + _commands(found.parts, len(self.parts))

    def _weigh(self) -> None:
        """Look for what cannot be read."""
        parts, followed = self.parts, self.followed
        found: list[str] = []
        for part in parts:
            found += part.shell.reasons
        for part in parts:
            for _, _, effects in part.code:
                if effects.opaque:
                    found.append(effects.opaque)
        use = self._use
        if use.command and not self.lines and any(one.split(".")[0] in self._given for one in use.command):
            found.append("a command that is no text")
        if use.url and None in [read_url(text) for text in _texts_at(self._given, use.url)]:
            found.append("an address that cannot be read")
        if followed.rewritten:
            found.append("runs a file that is written here")
        if followed.cut:
            found.append("files that run more files than are read")
        limits, lost = self._limits()
        found += [reason for name in limits if (reason := f"more than {name}") not in found]
        if any(map(_has_lost_path, parts)):
            found.append(_NO_PATH)
        for url in self.urls:
            if UNKNOWN in url.host:
                found.append(_NO_ADDRESS)
        self.reasons = tuple(dict.fromkeys(found))
        self.opaque = bool(self.reasons)
        # What a value that was lost stood for may be in a file that the call itself writes and runs.
        inner = [reason for part in followed.written for reason in part.shell.reasons]
        inner += [effects.opaque for part in followed.written for _, _, effects in part.code if effects.opaque]
        if lost and not _ARGUMENTS.issuperset((*self.reasons, *inner)):
            limits += lost
        self.incomplete = tuple(dict.fromkeys(limits))

    def _limits(self) -> tuple[list[str], list[str]]:
        """The limits at which reading the call's own text stopped, and those at which values were lost."""
        limits: list[str] = []
        lost: list[str] = []
        for part in (*self.parts, *self.followed.written):
            limits += part.shell.incomplete
            lost += part.shell.lost
        for part in (*self.parts, *self.followed.written):
            for _, _, effects in part.code:
                limits += effects.incomplete
                lost += effects.lost
        limits += self.followed.incomplete
        if self.stopped is not None:
            limits.append(self.stopped.name)
        return list(dict.fromkeys(limits)), lost

    @lazy
    def plain(self) -> bool:
        """Whether its commands are all that it is, so that who permits each of them permits the call."""
        return not self.is_guess and not self.opaque and all(part.shell.plain for part in self.parts)

    # --- what it touches and reaches ---------------------------------------------------------------------------

    def _touch(self) -> None:
        touched = TouchedPaths(self._places, self._files)
        tool = self._call.tool_name if self._call is not None else ""
        if tool in _FOLDER_TOOLS:
            self._add_folder(tool, touched)
        else:
            for path in _texts_at(self._given, self._use.read) if self._use.read else ():
                touched.add(path)
            for path in _texts_at(self._given, self._use.write) if self._use.write else ():
                touched.add(path, write=True)
        _add_parts(self.parts, touched)
        self.lost, self.stopped = touched.lost, touched.stopped
        self.paths = self.all_paths = touched.uses
        if self.followed.parts:
            more = TouchedPaths(self._places, self._files)
            _add_parts(self.followed.parts, more)
            known = set(self.paths)
            self.all_paths += tuple(use for use in more.uses if use not in known and UNKNOWN not in use.path)

    def _add_folder(self, tool: str, touched: TouchedPaths) -> None:
        """A tool that looks through a folder, for a pattern of its own."""
        folder = self._given.get("path")
        folder = folder if isinstance(folder, str) and folder else "."
        touched.add(folder, below=tool == "Grep")  # the others look at names alone
        pattern = self._given.get(_FOLDER_TOOLS[tool])
        if isinstance(pattern, str) and pattern:
            touched.pattern(pattern, join_path(folder, self._places))

    @lazy
    def made(self) -> dict[str, str]:
        """The files that the call makes, and how, as they are to be remembered."""
        found: dict[str, Origin] = {}
        whole: set[str] = set()
        for part in (*self.parts, *self.followed.parts):
            for path, origin in LineFiles(part, self._session).made.items():
                found[path] = worse(found.get(path), origin)
        for part in self.parts:
            added = {one.target for command in part.shell.commands for one in command.redirects if one.kind == "append"}
            whole.update(resolve(target, part.places) for target, _ in part.shell.files if target not in added)
        if not self.lines:
            for use in self.paths:
                if use.write and not use.glob and not use.delete and UNKNOWN not in use.path:
                    found[use.path] = Origin("written")
                    whole.update([use.path] if self._use.content and _PARTS.isdisjoint(self._given) else ())
        for path, origin in list(found.items()):
            real = None if path.endswith("/") else self._files.real(path)
            if real is not None and real not in found:
                found[real] = origin
        return to_remember(self._session, found, whole)

    @lazy
    def origins(self) -> dict[str, Origin]:
        """The files that the call runs and that the session made, in this call or an earlier one, and how."""
        found: dict[str, Origin] = {}
        made = SessionFiles(self.made)
        for one in self.ran:
            origin = (made.of(one.file) if made else None) or self._session.of(one.file)
            if origin is not None:
                found[one.file] = origin
        return found

    def _reach(self) -> None:
        fetched = [read_url(text) for text in _texts_at(self._given, self._use.url)] if self._use.url else []
        found = [url for url in fetched if url is not None] if fetched else []
        found += _urls_of(self.parts)
        self.urls = self.all_urls = tuple(dict.fromkeys(found))
        if self.followed.parts:
            self.all_urls = tuple(dict.fromkeys([*self.urls, *_urls_of(self.followed.parts)]))

    # --- what is in it -----------------------------------------------------------------------------------------

    def _take_texts(self) -> None:
        event = self._event
        if isinstance(event, UserPromptExpansion):
            self.texts = (event.prompt,)
        elif isinstance(event, PostToolUse):
            self.texts = tuple(strings_in(event.tool_response))
        elif self._call is None:
            self.texts = ()
        else:
            found = [*_texts_at(self._given, self._use.content)] if self._use.content else []
            for part in self.parts:
                for _, text in part.shell.files:
                    found.append(text.replace(UNKNOWN, "…"))
            self.texts = tuple(found)

    def _find_secrets(self) -> None:
        place = _PLACES.get(type(self._event), "content")
        found = find_secrets("\n".join(self.texts), place) if self.texts else ()
        if self.lines:
            # The text of a file that a command writes is in the command as well, and is named once.
            known = {secret.text for secret in found}
            found += tuple(one for one in find_secrets("\n".join(self.lines), "command") if one.text not in known)
        self.secrets = found

    def _find_orders(self) -> None:
        """Look for orders in what a call brought in. What the model itself wrote, and skills, are not from outside."""
        event = self._event
        texts: tuple[str, ...] = ()
        if isinstance(event, PostToolUse) and kind_of(event.tool_name) not in _OWN_WORDS:
            texts = self.texts
        elif isinstance(event, PostToolUseFailure):
            texts = (event.error,)
        found = (one for text in texts if len(text) > _SHORTEST_ORDER for one in find_orders(text))
        self.orders = tuple(dict.fromkeys(found))

    def entries(self, folder: str) -> tuple[str, ...]:
        """Names in a folder that the call touches."""
        return self._files.entries(folder)


_PLACES: dict[type[Event], str] = {PostToolUse: "result", UserPromptExpansion: "prompt"}  # of an event's texts
_NOTHING = Scripts(NoFiles())  # for all calls that run no file, and so is never given one
_WORKED_OUT_BY: dict[str, Callable[[Facts], None]] = {
    **dict.fromkeys(("lines", "parts", "followed", "commands", "all_commands", "unread", "ran"), Facts._read),
    **dict.fromkeys(("paths", "all_paths", "lost", "stopped"), Facts._touch),
    **dict.fromkeys(("urls", "all_urls"), Facts._reach),
    **dict.fromkeys(("reasons", "opaque", "incomplete"), Facts._weigh),
    "texts": Facts._take_texts,
    "secrets": Facts._find_secrets,
    "orders": Facts._find_orders,
}


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
    words: list[str] = []
    for _, _, effects in part.code:
        words += effects.deletes
    for number, command in enumerate(commands):
        for word in command.use.deletes if command.name not in _KEEPS else ():
            if word.startswith(UNKNOWN):
                words += places_of(word, commands, number)
    return bool(words) and any(word.startswith(UNKNOWN) for word in words)


def _add_parts(parts: list[Part], touched: TouchedPaths) -> None:
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


# --- addresses -----------------------------------------------------------------------------------------------------


def _urls_of(parts: list[Part]) -> list[Url]:
    found = []
    for part in parts:
        for command in part.shell.commands:
            for word in _addresses(command):
                url = read_url(word)
                if url is not None:
                    found.append(url)
        for _, _, effects in part.code:
            for word in effects.urls:
                url = read_url(word)
                if url is not None:
                    found.append(url)
    return found


def _addresses(command: Command) -> list[str]:
    use = command.use
    found = [*use.urls, *use.hosts]
    for one in command.redirects:
        if one.target.startswith(("/dev/tcp/", "/dev/udp/")):
            host, _, port = one.target[9:].partition("/")
            found.append(f"{host}:{port}" if port.isdigit() else host)
    if use.known and use.traits and use.traits <= HARMLESS:
        return found  # it only looks at its words
    for word in (*use.operands, *use.mentions):
        if "://" in word and word not in use.urls:
            found.append(word)
    return found


# --- fields --------------------------------------------------------------------------------------------------------


def _texts_at(given: Any, fields: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for field in fields:
        value = given.get(field) if isinstance(given, dict) and "." not in field else None
        if isinstance(value, str):  # as nearly all are
            found.append(value)
        else:
            found += _at(given, field)
    return found


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
