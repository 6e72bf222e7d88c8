"""The files that a call runs: those on the disk, and those that it writes itself."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.builders import Build, is_source
from interlock.facts.effects import MODULES
from interlock.facts.limits import FILE_DEPTH, FILES, WRITTEN_DEPTH, WRITTEN_FILES, Limit
from interlock.facts.origins import LineFiles, Origin, SessionFiles
from interlock.facts.own_programs import ProgramReader
from interlock.facts.parts import Part, code_effects, parts_of, with_own_names
from interlock.facts.paths import UNKNOWN, Files, Places, below, resolve
from interlock.facts.scripts import code_of_file, lines_of_file
from interlock.facts.shell import Command, Fuel, Shell, Unread
from interlock.facts.touch import folder_of

__all__ = ["SCRIPT", "RunFile", "Scripts"]

SCRIPT = "script "  # stands before the file that a command stands in
# Who runs a script with the words behind it as its parameters; nobody: it runs by itself.
_GIVES_ARGUMENTS = frozenset({"", "sh", "bash", "zsh", "dash", "ksh", "ash"})
_BUILD_AND_RUN = frozenset({"go run", "cargo run"})  # they are given a folder, or the file that describes one
# What tools build that is run by another program; beside it there are texts that they do not make.
_OUTPUTS = frozenset({"js", "mjs", "cjs", "class", "jar", "war", "dll", "exe", "wasm", "pyc", "so", "dylib", "beam"})
# Programs that put a text into a file, or change the text that is there.
_PUTS_TEXT = frozenset({"tee", "dd", "sponge", "sed", "gsed", "perl", "ed", "ex"})
# They run code of the project without being told which.
_INTERPRETERS = frozenset({"python", "python3", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "cargo", "go",
    "gcc", "cc", "g++", "c++", "clang", "clang++", "tcc", "rustc", "lua", "luajit", "rscript", "Rscript", "awk", "gawk",
    "mawk", "julia", "swift", "java", "javac", "nim"})  # fmt: skip


class RunFile(Struct, frozen=True):
    """A file that would be run, and by what."""

    file: str
    by: str


class Scripts:
    """Follows the files that lines run: from the disk, or with a text that the call itself puts into them."""

    def __init__(self, files: Files, own: ProgramReader | None = None, session: SessionFiles | None = None) -> None:
        """`session`: the files that it made in earlier calls."""
        self.parts: list[Part] = []
        self.written: list[Part] = []  # those of them that stand in the call itself
        self.unread: list[RunFile] = []
        self.ran: list[RunFile] = []
        self.incomplete: list[str] = []  # limits at which texts of the call itself were not read
        self.rewritten = False  # the line itself makes a file that it runs, and nobody knows of what
        self.cut = False  # there are more than are followed
        self._files = files
        self._own = own
        self._session = session or SessionFiles({})
        self._texts: dict[str, list[str]] = {}  # what the call puts into files
        self._different: set[tuple[str, str]] = set()  # the same, each file and text once
        self._seen: set[tuple[str, str, tuple[str, ...], str, int]] = set()
        self._fuel, self._written_fuel = Fuel(), Fuel()
        self._left = FILES.most
        self._left_written = WRITTEN_FILES.most

    def follow(self, part: Part, depth: int = 1, *, own: bool = True) -> None:
        """Read the files that a line runs, and those that they run. `own`: the line stands in the call itself."""
        if own:
            for target, text in part.shell.files:
                file = resolve(target, part.places)
                self._texts.setdefault(file, []).append(text)
                self._different.add((file, text))
        written: dict[str, dict[str, list[str]]] = {}  # by the folder in which a file is run
        rewrites = _Rewrites(part)
        line: LineFiles | None = None
        for one in part.shell.unread:
            command = part.shell.commands[one.command]
            folder = folder_of(command, part.places)
            if command.use.base:
                folder = resolve(command.use.base, part.places, folder)
            file = one.file if one.by.endswith(" -m") else resolve(_absolute(one.file), part.places, folder)
            self.ran.append(RunFile(file.replace(UNKNOWN, "…"), one.by))
            places = replace(part.places, cwd=folder)
            if folder not in written:
                written[folder] = _texts_by_file(part, folder)
            texts = _texts_of(file, written[folder], self._texts)
            if texts:
                self._follow_written(texts, one, file, places, depth, own=own)
                continue
            line = line or LineFiles(part, self._session)
            run = _Run(one, file, places, depth, own, line.before(one.command, file), written[folder])
            if one.by in _BUILD_AND_RUN and not is_source(file):
                sources = posixpath.dirname(file) if one.by == "cargo run" else file
                run.made = (
                    None if below(sources, places.project) else line.of_sources(Build(sources=(sources,)), folder)
                )
            self._follow_file(run, rewrites)

    def _follow_file(self, run: _Run, rewrites: _Rewrites) -> None:
        """Read a file that lies on the disk, or that the line puts there from elsewhere."""
        made, changed = run.made, rewrites.before(run.one.command, run.file)
        if made is not None and changed is None:
            if made.how == "built":
                self._follow_built(run, made)
            elif made.sources:
                self._follow_copy(run, made)
            else:  # another command of the line writes it, or brings it
                self.unread.append(self.ran[-1])
            return
        origin = self._session.of(run.file)
        if changed is None and origin is not None and origin.how == "built":
            self._follow_built(run, origin)
        else:
            self._follow_read(run, run.file, origin, changed)

    def _follow_read(self, run: _Run, file: str, origin: Origin | None, changed: Command | None = None) -> None:
        """Read a file that lies on the disk. One that the session wrote is read wherever that is, in any language."""
        within = run.depth <= FILE_DEPTH.most and self._left > 0
        self.cut = self.cut or not within
        if changed is not None:
            self.rewritten = self.rewritten or (within and "network" not in changed.use.traits)
        own = origin is not None and origin.is_own
        read = self._read(run.one, file, own=own) if within and changed is None else None
        if read is None:
            self.unread.append(self.ran[-1])
            if origin is not None and origin.how == "foreign":  # a copy in the project is not the project's own
                self.unread += [RunFile(source, run.one.by) for source in origin.sources]
            return
        self._left -= 1
        self._take(read, file, run.places, run.depth, run.one, own=False)

    def _follow_copy(self, run: _Run, made: Origin) -> None:
        """Read what a file is a copy of, or a link to."""
        source = made.sources[0]
        if made.how == "written":
            texts = _texts_of(source, run.texts, self._texts)
            if texts:
                self._follow_written(texts, run.one, run.file, run.places, run.depth, own=run.own)
            else:
                self._follow_read(run, source, self._session.of(source))
            return
        self.unread += [self.ran[-1], RunFile(source.replace(UNKNOWN, "…"), run.one.by)]

    def _follow_built(self, run: _Run, made: Origin) -> None:
        """Read the sources that a program was built of, where they are not the project's own."""
        text = None
        if run.file.rpartition(".")[2] not in _OUTPUTS and UNKNOWN not in run.file and run.one.by not in _BUILD_AND_RUN:
            text = self._files.read(run.file, anywhere=True)  # beside what is built, scripts may lie in a folder
        if text is not None and lines_of_file(run.file, run.one.by, run.one.args, text) is not None:
            self._follow_read(run, run.file, Origin("written"))
            return
        for source in made.sources:
            texts = _texts_of(source, run.texts, self._texts)
            if texts:
                self._follow_written(texts, run.one, source, run.places, run.depth, own=run.own)
                continue
            within = run.depth <= FILE_DEPTH.most and self._left > 0
            self.cut = self.cut or not within
            text = self._files.read(source, anywhere=True) if within else None
            read = code_of_file(source, "", text) if text is not None else None
            if read is None:
                self.unread.append(self.ran[-1])
                continue
            self._left -= 1
            self._take(read, source, run.places, run.depth, run.one, own=False)

    def _follow_written(
        self, texts: list[str], one: Unread, file: str, places: Places, depth: int, *, own: bool
    ) -> None:
        """Read the texts that the line puts into a file, of which it may run each."""
        for text in texts:
            # Run again after another text was put into a file, a script may run that.
            key = (file, one.by, one.args, text, len(self._different))
            if key in self._seen:
                continue  # a script that runs itself
            self._seen.add(key)
            reached = self._limit_of_written(depth)
            read = None
            if reached is None:
                self.rewritten = self.rewritten or any(line.strip() == UNKNOWN for line in text.split("\n"))
                read = lines_of_file(file, one.by, one.args, text) or code_of_file(file, one.by, text)
            else:
                self.cut = True
                self.incomplete += [reached.name] if own else []
            if read is None:
                self.unread.append(self.ran[-1])
                continue
            self._left_written -= 1
            self._take(read, file, places, depth, one, own=own)

    def _limit_of_written(self, depth: int) -> Limit | None:
        if depth > WRITTEN_DEPTH.most:
            return WRITTEN_DEPTH
        return WRITTEN_FILES if self._left_written <= 0 else None

    def _read(self, one: Unread, file: str, *, own: bool) -> tuple[str, str] | None:
        if UNKNOWN in file:
            return None
        text = self._files.read(file, anywhere=True) if own else self._files.read(file)
        if text is None:
            return None
        read = lines_of_file(file, one.by, one.args, text)
        return read if read is not None or not own else code_of_file(file, one.by, text)

    def take_written(self, part: Part) -> None:
        """Read the code that a line puts into files of the project, where it also runs what the project holds."""
        runs = [number for number, one in enumerate(part.shell.commands) if _runs_project(one)]
        ran = {one.file for one in self.ran}
        for target, text in part.shell.files if runs else ():
            file = resolve(target, part.places)
            read = code_of_file(file, "", text)
            if read is None or file in ran:
                continue
            if self._left_written <= 0:
                self.incomplete.append(WRITTEN_FILES.name)
                return
            self._left_written -= 1
            self._take(read, file, part.places, 1, Unread(target, (), runs[-1]), own=True)

    def _take(self, read: tuple[str, str], file: str, places: Places, depth: int, one: Unread, *, own: bool) -> None:
        kind, text = read
        fuel = self._written_fuel if own else self._fuel
        within = (SCRIPT + file,)
        if kind == "shell":
            given = one.args if one.by in _GIVES_ARGUMENTS else None
            parts = parts_of(text, places, fuel, within, positional=given, own=self._own)
        else:
            effects = code_effects(kind, text, fuel, self._own)
            place = Part(Shell((), opaque=False), places, [(0, places.cwd, effects)])
            lines = (parts_of(line, places, fuel, within, own=self._own) for line in effects.shell)
            parts = [place, *(part for found in lines for part in found)]
        parts = with_own_names(parts, self._files, fuel, self._own)
        self.parts += parts
        self.written += parts if own else []
        if any(
            part.shell.opaque or any(effects.opaque not in ("", MODULES) for _, _, effects in part.code)
            for part in parts
        ):
            self.unread.append(RunFile(file, one.by))
        for part in parts:
            self.follow(part, depth + 1, own=own)


class _Rewrites:
    """The commands of a line that put a text into files of which nobody knows what it says."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._found: dict[str, int] | None = None  # for each file, the first of them

    def before(self, number: int, file: str) -> Command | None:
        """The command that writes the file before another one runs it."""
        if self._found is None:
            self._found = dict(reversed(list(self._all())))
        first = self._found.get(file, number)
        return self._part.shell.commands[first] if first < number else None

    def _all(self) -> Iterator[tuple[str, int]]:
        for number, command in enumerate(self._part.shell.commands):
            targets = [opened.target for opened in command.redirects if opened.kind in ("write", "append")]
            if command.name in _PUTS_TEXT and not command.use.described:
                targets += command.use.writes
            folder = folder_of(command, self._part.places) if targets else ""
            yield from ((resolve(target, self._part.places, folder), number) for target in targets)


class _Run(Struct):
    """A file that is run, where, and what the commands before it in the line make of it."""

    one: Unread
    file: str
    places: Places
    depth: int
    own: bool
    made: Origin | None
    texts: dict[str, list[str]]  # that the line puts into files


def _texts_of(file: str, *written: dict[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(text for one in written for text in one.get(file, ())))


def _absolute(file: str) -> str:
    """A file on a drive of its own is not below the folder that a command stands in."""
    return f"/{file}" if file[1:3] in (":/", ":\\") and file[0].isalpha() else file


def _texts_by_file(part: Part, folder: str) -> dict[str, list[str]]:
    """The texts that a line puts into files, whose names are those seen from a folder."""
    found: dict[str, list[str]] = {}
    for target, text in part.shell.files:
        found.setdefault(resolve(target, part.places, folder), []).append(text)
    return found


def _runs_project(command: Command) -> bool:
    """Whether a command runs code that the project holds, or may load it."""
    traits = command.use.traits
    return command.name in _INTERPRETERS or not traits.isdisjoint({"runs-project", "installs-package", "runs-package"})
