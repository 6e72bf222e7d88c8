"""Where files come from that a session made: what it wrote, what it built of which sources, what it downloaded.

A session's files are kept as a map from a path to a text: one of the words below and, each in a line behind it, the
files that it was made of. A path with a slash at its end is a folder and all that lies in it.

- `built`: a known tool made it of sources of the project, or of sources that the session wrote. Those are named.
- `written`: the session put it there. It is judged by the text that it has when it is run. A copy names what it is of.
- `foreign`: a copy of a file that is neither the project's nor the session's. For policies it is `written`.
- `downloaded`: it came from another machine, or from what did.

What is worse stays: within a call nobody knows which of two commands is the last one to write a file, and what was
downloaded is no better for being moved, unpacked, filtered or compiled.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.builders import Build, build_of, is_builder, is_source
from interlock.facts.lazy import lazy
from interlock.facts.limits import SOURCES
from interlock.facts.parts import Part, parts_of
from interlock.facts.paths import UNKNOWN, Places, below, resolve
from interlock.facts.program_places import is_searched
from interlock.facts.shell import Command, Fuel
from interlock.facts.touch import folder_of, links_of

__all__ = ["EVERYTHING", "LineFiles", "Origin", "SessionFiles", "texts_written", "to_remember", "worse"]

EVERYTHING = "*"  # instead of more paths than are kept: any file may be one of them
_RANK = {"built": 0, "written": 1, "foreign": 2, "downloaded": 3}
_COPIES = frozenset({"cp", "gcp", "mv", "gmv", "install", "ginstall", "rsync", "ditto", "ln", "gln", "link"})
# They change what may be done with a file, or what is said of it, and not what is in it.
_KEEP_CONTENT = frozenset({
    "chmod", "gchmod", "chown", "gchown", "chgrp", "touch", "gtouch", "xattr", "setfacl", "chattr", "codesign", "strip",
    "setcap", "fallocate", "stat", "restorecon", "chcon",
})  # fmt: skip
_MAKES_FOLDERS = frozenset({"mkdir", "gmkdir", "cargo", "npm", "uv", "go", "dotnet", "poetry", "rails", "django-admin"})
_FROM_ELSEWHERE = frozenset(
    {"scp", "rsync", "sftp", "rclone", "gsutil", "azcopy", "oras", "crane", "docker", "podman", "kubectl"}
)
_ARCHIVE = re.compile(
    r"(.+?)(?:\.(?:tar|cpio))?\.(?:tgz|tbz2?|txz|tzst|gz|bz2|xz|zst|zip|jar|whl|7z|rar|tar|deb|crate|gem)\Z"
)
# The folder that a client gives a session for its own files.
_SCRATCH = re.compile(r"(?:/private)?/(?:tmp|var/tmp)/claude(?:-\d+)?/[^\0]+/scratchpad/[^\0]+")


class Origin(Struct, frozen=True):
    """How a file came to be, and what it was made of."""

    how: str
    sources: tuple[str, ...] = ()
    folder: str = ""  # with which it came, if it is not known by itself

    @property
    def word(self) -> str:
        """For policies."""
        return "written" if self.how == "foreign" else self.how

    @property
    def is_own(self) -> bool:
        """Whether nothing went into it but what the project contains and the session wrote."""
        return self.how in ("built", "written")


_WRITTEN = Origin("written")
_DOWNLOADED = Origin("downloaded")


def _text_of(origin: Origin) -> str:
    """An origin as it is kept."""
    return "\n".join((origin.how, *origin.sources))


def worse(one: Origin | None, other: Origin) -> Origin:
    """What holds of a file if either may be true of it."""
    if one is None or _RANK[other.how] > _RANK[one.how]:
        return other
    if one.how == other.how == "built":
        return Origin("built", tuple(dict.fromkeys((*one.sources, *other.sources))))
    return one


class SessionFiles:
    """The files that a session made in earlier calls."""

    def __init__(self, wrote: Mapping[str, str]) -> None:
        self._wrote = wrote
        self.full = EVERYTHING in wrote  # more than is kept: nothing is known to be the session's own

    def __bool__(self) -> bool:
        return bool(self._wrote)

    def of(self, path: str) -> Origin | None:
        """How a file came to be, by itself or with the folder that it lies in."""
        found = _look_up(self._wrote, path) if self._wrote else None
        if found is None and _SCRATCH.fullmatch(path) and "/../" not in path:
            found = _WRITTEN
        if self.full:
            return found if found is not None and not found.is_own else Origin("foreign")
        return found

    def replaced(self, path: str, home: str) -> bool:
        """Whether it put a file into a folder of programs, by its name or with all that came there at once.

        What a downloaded project has in such folders of its own was put there by the tools that it uses.
        """
        found = _look_up(self._wrote, path) if self._wrote else None
        return found is not None and (not found.folder or is_searched(f"{found.folder}/x", home))

    @lazy
    def _paths(self) -> str:
        """All of them in one text: most calls have to do with none, which is found out at once."""
        return "\n".join((*self._wrote, ""))

    def folders(self) -> list[str]:
        """The folders that it filled at once."""
        return [path for path in self._wrote if path.endswith("/")] if "/\n" in self._paths else []

    def below(self, folder: str) -> list[str]:
        """The files that it made in a folder."""
        start = folder.rstrip("/") + "/"
        return [path for path in self._wrote if path.startswith(start)]

    def copies(self) -> dict[str, str]:
        """The files that are copies, or links, and what they are of."""
        if "\n" not in "".join(self._wrote.values()):
            return {}
        return {
            path: text.split("\n")[1]
            for path, text in self._wrote.items()
            if text.startswith(("written\n", "foreign\n"))
        }

    def named(self, names: frozenset[str]) -> list[str]:
        """The files with one of these names."""
        paths = self._paths
        if not any(f"/{name}\n" in paths for name in names):
            return []
        return [path for path in self._wrote if path[path.rfind("/") + 1 :] in names]


def _look_up(kept: Mapping[str, Origin] | Mapping[str, str], path: str) -> Origin | None:
    found = kept.get(path)
    if found is not None:
        return _origin(found)
    folder = path
    while folder.strip("/"):  # the parent of `//` is `//`
        found = kept.get(f"{folder}/")
        if found is not None:
            return replace(_origin(found), folder=folder)
        folder = posixpath.dirname(folder)
    return None


def _origin(kept: Origin | str) -> Origin:
    if isinstance(kept, Origin):
        return kept
    how, *sources = kept.split("\n")
    return Origin(how if how in _RANK else "written", tuple(sources))


def _may_make(command: Command) -> bool:
    use = command.use
    return bool(use.writes or use.creates or command.redirects) or is_builder(command.name)


class LineFiles:
    """The files that a line makes, each with the number of the command that does."""

    def __init__(self, part: Part, session: SessionFiles) -> None:
        self._places = part.places
        self._part = part
        self._session = session
        self._made: list[tuple[int, str, Origin]] = []
        self._by_path: dict[str, Origin] = {}
        self._fetching: dict[int, int] = {}  # pipeline → the first stage that brings something from elsewhere
        makers = sum(map(_may_make, part.shell.commands))
        for _ in range(min(makers, 2)):  # what a loop or a job makes may be used before it
            self._made.clear()
            for number, command in enumerate(part.shell.commands):
                if "elsewhere" not in command.use.traits:
                    for path, origin in self._of_command(number, command):
                        self._made.append((number, path, origin))
                        self._by_path[path] = worse(self._by_path.get(path), origin)
        for number, folder, effects in part.code:
            fetched = bool(effects.urls) or "network" in effects.traits or self._is_fetched(effects.reads, folder)
            for word in effects.writes:
                path = resolve(word, part.places, folder)
                self._made.append((number, path, _DOWNLOADED if fetched else _WRITTEN))
                self._by_path[path] = worse(self._by_path.get(path), self._made[-1][2])

    @property
    def made(self) -> dict[str, Origin]:
        return {path: origin for path, origin in self._by_path.items() if UNKNOWN not in path}

    def before(self, number: int, file: str) -> Origin | None:
        """How a file came to be by the commands in front of another."""
        found: Origin | None = None
        for at, path, origin in self._made:
            if at >= number:
                break
            if path == file:
                found = worse(found, origin)
            elif path.endswith("/") and f"{file}/".startswith(path):
                found = worse(found, Origin(origin.how, origin.sources, path.rstrip("/")))
        return found

    def _of(self, path: str) -> Origin | None:
        found = _look_up(self._by_path, path) if self._by_path else None
        return found or self._session.of(path)

    # --- what one command makes ----------------------------------------------------------------------------------

    def _of_command(self, number: int, command: Command) -> Iterator[tuple[str, Origin]]:
        use = command.use
        if not _may_make(command):
            if self._brings(command) or self._reads_fetched(command, folder_of(command, self._places)):
                self._fetch(command)
            return
        folder = folder_of(command, self._places)
        folder = resolve(use.base, self._places, folder) if use.base else folder
        opened = [one.target for one in command.redirects if one.kind != "read"]
        brings = self._brings(command) or self._is_fed(command) or self._reads_fetched(command, folder)
        if brings:
            self._fetch(command)
        filtered = _DOWNLOADED if brings else _WRITTEN
        for target in opened:
            yield resolve(target, self._places, folder_of(command, self._places)), filtered
        if command.name in _KEEP_CONTENT or use.described is not None:  # what a policy says only adds
            return
        build = build_of(command)
        if build is not None:
            yield from self._of_build(build, folder)
        elif command.name in _COPIES:
            yield from self._of_copy(command, folder, brings=brings)
        else:
            yield from self._of_others(command, folder, filtered)

    def _of_others(self, command: Command, folder: str, filtered: Origin) -> Iterator[tuple[str, Origin]]:
        use = command.use
        for word in use.writes:
            root, mark, rest = word.partition(f"/{UNKNOWN}")
            if mark and not rest:  # it puts what it likes into a folder
                place = resolve(root or "/", self._places, folder)
                yield from self._of_archive(command, place, filtered, shared=root == ".")
            else:
                yield resolve(word, self._places, folder), filtered
        for word in use.creates:
            path = resolve(word, self._places, folder)
            if "network" in use.traits and command.name not in _MAKES_FOLDERS:
                yield f"{path}/", _DOWNLOADED
            elif command.name == "git" and "worktree" in use.operands[:1]:
                yield f"{path}/", _WRITTEN
            else:
                yield path, filtered

    def _of_archive(
        self, command: Command, folder: str, origin: Origin, *, shared: bool
    ) -> Iterator[tuple[str, Origin]]:
        """What comes out of an archive. In a folder with other things in it, that has the archive's own name."""
        if origin.how != "downloaded":
            return
        if not shared and not _is_shared(folder, self._places):
            yield f"{folder}/", origin
            return
        for word in command.use.reads:
            stem = _ARCHIVE.fullmatch(posixpath.basename(word))
            if stem is not None:
                yield f"{folder.rstrip('/')}/{stem[1]}/", origin
                yield f"{folder.rstrip('/')}/{stem[1]}", origin

    def _of_copy(self, command: Command, folder: str, *, brings: bool) -> Iterator[tuple[str, Origin]]:
        pairs = list(links_of(command, folder, self._places)) if command.name in ("ln", "gln", "link") else []
        if not pairs and len(command.use.operands) > 1:
            *sources, target = command.use.operands
            at = resolve(target, self._places, folder)
            for source in sources:
                leads = resolve(source, self._places, folder)
                name = posixpath.basename(leads)
                pairs += [(at, leads), (posixpath.join(at, name), leads)]
        if brings or not pairs:
            targets = [resolve(word, self._places, folder) for word in (*command.use.writes, *command.use.creates)]
            yield from ((path, _DOWNLOADED if brings else _WRITTEN) for path in targets)
            if brings and "recursive" in command.use.traits:
                yield from ((f"{path}/", _DOWNLOADED) for path in targets if not _is_shared(path, self._places))
            return
        for at, leads in pairs:
            yield at, self._copy_of(leads)
            inside = self._of(f"{leads}/…")
            if inside is not None and not _is_shared(at, self._places):  # a whole folder of them
                yield f"{at}/", inside

    def _copy_of(self, source: str) -> Origin:
        found = self._of(source)
        if found is not None and found.how in ("built", "downloaded"):
            return Origin(found.how, found.sources)
        own = below(source, self._places.project) if found is None else found.is_own
        return Origin("written" if own else "foreign", (source,))

    def _of_build(self, build: Build, folder: str) -> Iterator[tuple[str, Origin]]:
        origin = self.of_sources(build, folder)
        for word in build.files:
            yield resolve(word, self._places, folder), origin
        for word in build.folders:
            path = resolve(word, self._places, folder)
            if not _is_shared(path, self._places):
                yield f"{path}/", origin

    def of_sources(self, build: Build, folder: str) -> Origin:
        """What a build is that is made of these."""
        if build.fetched:
            return _DOWNLOADED
        found = Origin("built")
        for word in build.sources:
            found = worse(found, self._of_source(word, folder))
        return found if len(found.sources) <= SOURCES.most else Origin("foreign")

    def _of_source(self, word: str, folder: str) -> Origin:
        """What a build is that is made of one file, or of all that lies in a folder."""
        path = resolve(word, self._places, folder)
        origin = self._of(path)
        inner = [path] if is_source(path) else self._sources_in(path)
        fetched = (self._of(one) for one in inner)
        if (origin is not None and origin.how == "downloaded") or any(
            one is not None and one.how == "downloaded" and not one.folder for one in fetched
        ):
            return _DOWNLOADED
        if word[:1] in ("-", "@") or UNKNOWN in path or (origin is not None and origin.how == "foreign"):
            return Origin("foreign")
        if origin is not None and origin.how == "built":
            return Origin("built", origin.sources)
        if below(path, self._places.project):
            # The project's own. A single file that the session wrote is looked at all the same.
            return Origin("built", (path,) if origin is not None and inner == [path] else ())
        return Origin("built", tuple(inner)) if inner and (origin is not None or inner != [path]) else Origin("foreign")

    def _sources_in(self, folder: str) -> list[str]:
        """The sources in a folder that the session wrote."""
        start = folder.rstrip("/") + "/"
        own = [path for path in self._by_path if path.startswith(start)]
        return [path for path in dict.fromkeys((*self._session.below(folder), *own)) if is_source(path)]

    # --- what comes from elsewhere -------------------------------------------------------------------------------

    def _brings(self, command: Command) -> bool:
        traits = command.use.traits
        if "downloads" in traits:
            return True
        if command.name in _FROM_ELSEWHERE and command.use.writes:
            return bool(command.use.hosts or command.use.urls) or command.name not in ("rsync",)
        return "network" in traits and not command.use.writes and command.name not in _MAKES_FOLDERS

    def _reads_fetched(self, command: Command, folder: str) -> bool:
        reads = (*command.use.reads, *(one.target for one in command.redirects if one.kind in ("read", "both")))
        return self._is_fetched(reads, folder)

    def _is_fetched(self, reads: Iterable[str], folder: str) -> bool:
        found = (self._of(resolve(word, self._places, folder)) for word in reads)
        return any(one is not None and one.how == "downloaded" for one in found)

    def _fetch(self, command: Command) -> None:
        first = self._fetching.get(command.pipeline, command.stage)
        self._fetching[command.pipeline] = min(first, command.stage)

    def _is_fed(self, command: Command) -> bool:
        first = self._fetching.get(command.pipeline)
        return first is not None and first < command.stage


def _is_shared(folder: str, places: Places) -> bool:
    """Whether more lies in a folder than one tool puts there."""
    if below(places.project, folder) or below(places.home, folder):
        return True
    return folder.count("/") < 2 or folder in ("/var/tmp", "/private/tmp", "/dev/shm")  # noqa: S108


def _is_lasting(origin: Origin) -> bool:
    return origin.how == "downloaded" or (origin.how == "foreign" and bool(origin.sources))


def to_remember(session: SessionFiles, made: Mapping[str, Origin], whole: Iterable[str]) -> dict[str, str]:
    """What is to be remembered of the files that a call makes. `whole`: files that get a new text from end to end."""
    replaced = frozenset(whole)
    found: dict[str, str] = {}
    for path, origin in made.items():
        before = session.of(path)
        # A job of an earlier call may still be about to bring or to copy what it was told to.
        if before is not None and path not in replaced and _is_lasting(before) and not before.folder:
            origin = worse(before, origin)
        found[path] = _text_of(origin)
    return found


def texts_written(line: str, places: Places) -> dict[str, str | None]:
    """The files that a line for a shell writes, and the texts that they have then. None: not known."""
    found: dict[str, str | None] = {}
    for part in parts_of(line, places, Fuel()):
        found |= dict.fromkeys(path for path in LineFiles(part, SessionFiles({})).made if not path.endswith("/"))
        texts = dict(part.shell.files)
        for command in part.shell.commands if texts else ():
            folder = folder_of(command, part.places)
            opened = {one.target: one.kind for one in command.redirects}
            for target in (*opened, *command.use.writes):
                text = texts.get(target)
                if text is not None and UNKNOWN not in text and opened.get(target) != "append":
                    found[resolve(target, part.places, folder)] = text
    return found
