"""The paths that commands touch: where each word leads, and how it is used."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from interlock.facts.limits import LINKS, PATH_LENGTH, PATHS, Limit
from interlock.facts.paths import UNKNOWN, Files, Places, below, is_glob, join_path, resolve
from interlock.facts.programs.draft import inside
from interlock.facts.programs.readers.find import narrowed
from interlock.facts.shell import Command, Shell
from interlock.facts.urls import read_url

__all__ = [
    "MAKE_LINKS",
    "PathUse",
    "TouchedPaths",
    "folder_of",
    "is_local",
    "links_of",
    "paths_of_commands",
    "places_of",
]

_SINKS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"})
_LISTERS = frozenset(
    {"find", "fd", "fdfind", "ls", "grep", "egrep", "fgrep", "rg", "ag", "locate", "git", "tree", "du"}
)
# They go through a folder for the names in it, and open none of its files.
_BY_NAME = frozenset(
    {"find", "gfind", "bfs", "fd", "fdfind", "ls", "gls", "dir", "vdir", "exa", "eza", "lsd", "tree", "du"}
)
_COPIERS = frozenset({
    "cp", "gcp", "rsync", "install", "ginstall", "ditto", "scp", "mv", "gmv", "tar", "gtar", "bsdtar", "unzip", "7z",
    "7za", "unrar", "cpio", "git", "svn", "curl", "wget",
})  # fmt: skip
_OWNERS = frozenset({"chown", "chgrp", "gchown", "gchgrp"})
_RIGHTS = frozenset({"chmod", "gchmod"})
_GIVES = re.compile(r"[ugoa]*\+[rwxX]+(?:,[ugoa]*\+[rwxX]+)*")
_SOCKETS = ("/dev/tcp/", "/dev/udp/")
_DIALOGUES = frozenset({"sftp", "ftp", "lftp", "ncftp", "tftp", "smbclient", "psftp"})
_PUTS = frozenset({"put", "mput", "reput", "send", "append", "mirror"})
_HANDS_ON = frozenset({"xargs", "parallel"})
_REMOVES = frozenset({"rm", "grm", "srm", "shred", "unlink", "trash", "trash-put"})
_LISTS_ALL = frozenset({"ls", "git"})
_PASSES_ALL = frozenset({"sort", "tac", "shuf", "cat", "uniq", "tee", "tr"})
_SOMETHING = "…"  # a name that nobody has: what is found below a folder lies there, and is not all of it
_SUBSTITUTED = "$(…)"
_LOCAL = frozenset({"localhost", "::1", "0.0.0.0", "host.docker.internal"})  # noqa: S104 addresses that are reached
# Options that lead elsewhere than the address says.
_DETOURS = frozenset({
    "--config", "--connect-to", "--resolve", "--proxy", "--preproxy", "--proxy1.0", "--socks4", "--socks4a", "--socks5",
    "--socks5-hostname",
})  # fmt: skip


# Programs that give a file or folder another name, by the options that make them do so.
_LINKS = {
    "ln": frozenset[str](), "gln": frozenset[str](), "link": frozenset[str](),
    "cp": frozenset({"--symbolic-link", "--link"}), "gcp": frozenset({"--symbolic-link", "--link"}),
    "mount": frozenset({"--bind", "--rbind"}),
}  # fmt: skip
MAKE_LINKS = frozenset(_LINKS)
_ALWAYS_LINKS = frozenset({"ln", "gln", "link"})
_HARD = frozenset({"--symbolic", "--symbolic-link", "--recursive", "--archive"})  # without these, links are hard
_WIDE = re.compile(r"(\.?)(?:[*?]|\[[!^][^\]]*\]|\[(?:a-z|A-Z|a-zA-Z|A-Za-z)[^\]]*\])*\*")


class PathUse(Struct, frozen=True):
    """One path that a call touches, resolved, and how. Reading it, writing it and deleting it are uses of their own."""

    path: str
    read: bool = False
    write: bool = False
    create: bool = False
    delete: bool = False
    send: bool = False  # what is read leaves this machine
    below: bool = False  # everything below it is touched too
    glob: bool = False  # a pattern of the shell's, of which nobody knows what it stands for


class TouchedPaths:
    """The uses found so far: for each path one for reading it, one for writing and one for deleting it."""

    def __init__(self, places: Places, files: Files) -> None:
        self._places = places
        self._files = files
        self._uses: dict[tuple[str, bool, bool], PathUse] = {}
        self.links: dict[str, str] = {}  # links that the call makes, and where they lead
        self.lost = ""  # why there may be more
        self.stopped: Limit | None = None  # at which no more were looked at

    def pattern(self, word: str, base: str) -> None:
        """Add a pattern that a tool looks for by itself."""
        self._put(PathUse(resolve(_short(word), self._places, base), glob=True), write=False, delete=False, send=False)

    @property
    def uses(self) -> tuple[PathUse, ...]:
        return tuple(self._uses.values())

    def add(
        self, word: str, base: str | None = None, *, write: bool = False, delete: bool = False, send: bool = False,
        below: bool = False, looked_up: bool = False,
    ) -> None:  # fmt: skip
        """Add what a word stands for. `looked_up`: a shell has been at it, so that its patterns are files."""
        if len(self._uses) >= PATHS.most:
            self.lost, self.stopped = "too many paths to look at", PATHS
            return
        word = _short(word)
        whole = join_path(word, self._places, base)
        for other in self._targets_of(whole, delete=delete):
            self._put(PathUse(other, below=below), write, delete, send)
        if looked_up and is_glob(word) and UNKNOWN not in whole:
            everything = _wide(posixpath.normpath(whole)) if delete else ""
            if everything:  # all that is there, whatever that is
                self._put(PathUse(everything, below=below), write, delete, send)
            # Below a folder that nobody has named, there is nothing to look for.
            found = None if f"/{_SOMETHING}/" in whole else self._files.glob(posixpath.normpath(whole))
            for one in found or ():
                self._add(one, write, delete, send, below)
            if found:
                return
            self._put(PathUse(resolve(word, self._places, base), below=below, glob=found is None), write, delete, send)
            return
        self._add(whole, write, delete, send, below)

    def arriving(self, sources: Iterable[str], base: str) -> Iterator[str]:
        """Names that a copy brings with it, where whole folders' contents are copied and can be looked at."""
        for word in sources:
            whole = join_path(word, self._places, base)
            if UNKNOWN in whole:
                continue
            if is_glob(word):
                yield from (posixpath.basename(one) for one in self._files.glob(posixpath.normpath(whole)) or ())
            elif word.endswith(("/", "/.")):
                yield from self._files.entries(posixpath.normpath(whole))

    def in_project(self, word: str, base: str) -> bool:
        return below(resolve(word, self._places, base), self._places.project)

    def _targets_of(self, whole: str, *, delete: bool) -> list[str]:
        """Where a path leads through links that the line itself makes."""
        led: list[str] = []
        path = resolve(whole, self._places)
        while self.links and len(led) < LINKS.most:
            link = next((one for one in self.links if path == one or path.startswith(f"{one}/")), None)
            if link is None or (delete and path == link and not whole.endswith(("/", "/."))):  # the link itself goes
                break
            path = posixpath.normpath(self.links[link] + path[len(link) :])
            led.append(_wide(path) or path)
        return led

    def _add(self, whole: str, write: bool, delete: bool, send: bool, below: bool) -> None:
        """Add a path as it is written, and where it leads if that is another."""
        path = resolve(whole, self._places)
        self._put(PathUse(path, below=below), write, delete, send)
        if UNKNOWN in path:
            return
        real = self._files.real(whole, follow=not delete)
        if real is None:
            self.lost = self.lost or "a path that takes too long to follow"
        elif real != path:
            self._put(PathUse(real, below=below), write, delete, send)

    def _put(self, use: PathUse, write: bool, delete: bool, send: bool) -> None:
        key = (use.path, write or delete, delete)
        held = self._uses.get(key)
        created = write and UNKNOWN not in use.path and not use.glob and not self._files.exists(use.path)
        self._uses[key] = PathUse(
            use.path,
            read=not key[1],
            write=key[1],
            create=created or (held is not None and held.create),
            delete=delete,
            send=send or (held is not None and held.send),
            below=use.below or (held is not None and held.below),
            glob=use.glob,
        )


def _short(word: str) -> str:
    """A path as a program may shorten it before it opens it; one that is too long for any system is not known."""
    if len(word) <= PATH_LENGTH.most:
        return word
    word = posixpath.normpath(word)
    return word if len(word) <= PATH_LENGTH.most else UNKNOWN


def paths_of_commands(shell: Shell, touched: TouchedPaths, places: Places) -> None:
    """Add the paths that the commands of a line touch."""
    sent = _sent_onwards(shell.commands)
    for number, command in enumerate(shell.commands):
        use = command.use
        if "elsewhere" in use.traits:
            continue
        base = _base_of(command, shell.commands, places) if command.cwd else places.cwd
        if command.redirects:
            leaves = _passes_input_on(number, shell.commands)
            _add_redirects(shell.commands, number, base, touched, send=number in sent or leaves)
        if use.reads or use.writes or use.creates or use.deletes or use.mentions:
            inner = resolve(use.base, places, base) if use.base else base
            _add_uses(shell.commands, number, inner, touched, send=number in sent)
        if command.name in _DIALOGUES:
            for word in _put(_dialogue(shell.commands, command)):
                touched.add(word, base, send=True)
        if command.name in _LINKS:
            touched.links.update(links_of(command, base, places))
            for source in _linked_hard(command):
                touched.add(source, base, write=True)


def _passes_input_on(number: int, commands: tuple[Command, ...]) -> bool:
    """Whether what a command is given leaves this machine: by itself, or by a program that it starts."""
    command = commands[number]
    return any(
        "sends-stdin" in one.use.traits and not _stays(one)
        for at, one in enumerate(commands)
        if at == number
        or (
            at > number
            and command.name in one.nested
            and one.stage == 0
            and command.start <= one.start
            and one.end <= command.end
        )
    )


def links_of(command: Command, base: str, places: Places) -> Iterator[tuple[str, str]]:
    """The other names that a command gives to files and folders, and what they stand for."""
    flags, operands = command.use.flags, command.use.operands
    if not _makes_links(command):
        return
    *targets, link = operands if len(operands) > 1 else (*operands, ".")
    for target in targets:
        at = resolve(link, places, base)
        leads = resolve(target, places, posixpath.dirname(at) if "--symbolic" in flags else base)
        names = (at, f"{at}/{posixpath.basename(target)}")  # a folder that is there gets the link into it
        yield from ((name, leads) for name in names if name not in (base, leads) and UNKNOWN not in at + leads)


def _makes_links(command: Command) -> bool:
    wanted = _LINKS.get(command.name)
    return wanted is not None and (command.name in _ALWAYS_LINKS or not wanted.isdisjoint(command.use.flags))


def _linked_hard(command: Command) -> Iterable[str]:
    """Files that get a second name by which nobody sees later that it is theirs: whoever writes there writes them."""
    if not _makes_links(command) or not _HARD.isdisjoint(command.use.flags) or command.name == "mount":
        return ()
    return command.use.operands[:-1] or command.use.operands


def _wide(path: str) -> str:
    """The path with `*` or `.*` as its last name, if that is a pattern for whatever is there; else nothing."""
    folder, _, name = path.rpartition("/")
    found = _WIDE.fullmatch(name)
    return f"{folder}/{found[1]}*" if found else ""


def folder_of(command: Command, places: Places) -> str:
    """Where a command stands, as far as the shell's own `cd` tell."""
    folder = places.cwd
    for step in command.cwd:
        folder = resolve(step, places, folder)
    return folder


def _base_of(command: Command, commands: tuple[Command, ...], places: Places) -> str:
    """Where a command stands, with folders that were found below a root as such."""
    folder = places.cwd
    for step in command.cwd:
        root, mark, rest = step.partition(f"/{UNKNOWN}")
        if mark and UNKNOWN not in rest and ".." not in rest and _finders(root, commands, command):
            step = f"{root}/{_SOMETHING}{rest}"
        folder = resolve(step, places, folder)
    return folder


def _add_redirects(commands: tuple[Command, ...], number: int, base: str, touched: TouchedPaths, *, send: bool) -> None:
    for one in commands[number].redirects:
        target = one.target
        if target in _SINKS or target.startswith(("/dev/fd/", *_SOCKETS)):
            continue
        if one.kind in ("read", "both"):
            touched.add(target, base, send=send, looked_up=True)
        for place in places_of(target, commands, number) if one.kind != "read" else ():
            touched.add(place, base, write=True, below=place is not target, looked_up=True)


def _alters(command: Command) -> bool:
    """Whether a program that goes through a folder changes what lies in it. One that copies there puts more into it.

    In the project that is ordinary; elsewhere it may fall on anything.
    """
    if command.name in _OWNERS or (command.name in _RIGHTS and any(map(_GIVES.fullmatch, command.use.operands[:1]))):
        return False  # everything stays, and can be read and written as before
    return command.name not in _COPIERS


def _add_uses(commands: tuple[Command, ...], number: int, base: str, touched: TouchedPaths, *, send: bool) -> None:
    command = commands[number]
    use = command.use
    tree = "recursive" in use.traits or command.name == "rsync"
    sent = use.sent if use.sent and not _stays(command) else ()
    for word in use.reads:
        for place in places_of(word, commands, number):
            deep = (tree and command.name not in _BY_NAME) or word in use.deletes or _archives(command)
            touched.add(place, base, send=send or word in sent, below=deep or place is not word, looked_up=True)
    for word in (*use.writes, *use.creates):
        if command.name in _COPIERS and is_glob(word) and word not in command.args:
            word = posixpath.dirname(word) or "."  # the pattern names what is copied, not what lies there already
        for place in places_of(word, commands, number):
            deep = (tree or place is not word) and (_alters(command) or not touched.in_project(place, base))
            touched.add(place, base, write=True, below=deep, looked_up=True)
            if command.name in _COPIERS and not deep:
                for name in touched.arriving(use.reads, base):
                    touched.add(f"{place}/{name}", base, write=True, below=True)
    for word in use.deletes:
        deep = tree or word in use.reads  # what is moved goes with all that is in it
        for place in places_of(word, commands, number):
            touched.add(place, base, delete=True, below=deep or place is not word, looked_up=True)
    for word in use.mentions:
        if _looks_like_path(word):
            touched.add(word, base, send=send, looked_up=True)


def _dialogue(commands: tuple[Command, ...], command: Command) -> str:
    """The lines that a program is told, as far as the line has them."""
    if command.stdin is not None:
        return command.stdin
    told = [
        " ".join(other.args).replace("\\n", "\n")
        for other in commands
        if other.pipeline == command.pipeline and other.stage < command.stage and other.name in ("echo", "printf")
    ]
    return "\n".join(told)


def _put(dialogue: str) -> Iterator[str]:
    """The files that lines for a file transfer program send."""
    for line in dialogue.split("\n"):
        verb, *words = line.split() or [""]
        if verb.lower() in _PUTS:
            files = [word.strip("\"'") for word in words if not word.startswith("-")]
            yield from files if verb.lower() == "mput" else files[:1]


def _archives(command: Command) -> bool:
    return command.name in ("tar", "bsdtar") and "--create" in command.use.flags


def places_of(word: str, commands: tuple[Command, ...], number: int) -> Iterable[str]:
    """The folders that a word from `find` or `xargs` lies in, as far as the stages before it say."""
    if UNKNOWN not in word:
        return (word,)
    command = commands[number]
    root, mark, rest = word.partition(f"/{UNKNOWN}")
    if mark and UNKNOWN not in rest:
        finders = _finders(root, commands, command)
        if finders and rest and ".." not in rest:
            return (f"{root}/{_SOMETHING}{rest}",)  # made of what was found
        if finders and not rest:
            return tuple(place for finder in finders for place in _finds(finder, root or "/"))
        if not rest and word not in command.args and all(one.target != word for one in command.redirects):
            return (root or "/",)  # the program itself says what lies there
    if word.startswith(UNKNOWN) and not _HANDS_ON.isdisjoint(command.nested):
        return tuple(_listed_names(commands, command)) or (word,)
    return (word,)


def _finders(root: str, commands: tuple[Command, ...], command: Command) -> list[Command]:
    """The searches that what lies below a root comes from: the one that runs the command, or gives it names."""
    if command.name == "find":
        return [command]
    return [
        one
        for one in commands
        if one.name == "find"
        and (
            "find" in command.nested
            or _SUBSTITUTED in one.nested
            or (one.pipeline == command.pipeline and one.stage < command.stage)
        )
        and any(inside(place) == f"{root}/{UNKNOWN}" for place in one.use.operands)
    ]


def _listed_names(commands: tuple[Command, ...], command: Command) -> Iterator[str]:
    for other in commands:
        if other.pipeline == command.pipeline and other.stage < command.stage and other.name in _LISTERS:
            if other.cwd != command.cwd:
                return
            for root in other.use.reads or ((".",) if other.name != "locate" else ()):
                if other.name == "find":
                    yield from _finds(other, root)
                else:
                    every = (
                        command.name in _REMOVES
                        and other.name in _LISTS_ALL
                        and not is_glob(root)
                        and not _is_narrow(commands, other, command)
                    )
                    yield f"{root.rstrip('/')}/{'*' if every else _SOMETHING}"
                    if is_glob(root) and not (_wide(f"/{root}") and _is_narrow(commands, other, command)):
                        yield root  # a pattern for the files themselves


def _is_narrow(commands: tuple[Command, ...], lister: Command, command: Command) -> bool:
    """Whether a list of names is of some only, or a stage between it and a command may choose among them."""
    if lister.name == "git" and (lister.args[:1] != ("ls-files",) or not set(lister.args[1:]) <= {"-z", "-c"}):
        return True
    return any(
        one.pipeline == command.pipeline
        and lister.stage < one.stage < command.stage
        and one.name not in _HANDS_ON | _PASSES_ALL
        for one in commands
    )


def _finds(finder: Command, root: str) -> Iterator[str]:
    """What `find` comes upon below a root: all of it, or something, by its names where they are told."""
    names = narrowed(finder.args)
    if names is None:
        yield f"{root.rstrip('/')}/"  # what lies in it, also where it is a link
        return
    below = f"{root.rstrip('/')}/{_SOMETHING}"
    yield below
    for name in names:
        if root.strip("/") and not is_glob(name) and UNKNOWN not in name:
            yield f"{root.rstrip('/')}/{name}"
        literal = name.replace(UNKNOWN, "").strip("*?")
        yield f"{below}/{name.replace(UNKNOWN, _SOMETHING) if literal else name}"


def _sent_onwards(commands: tuple[Command, ...]) -> frozenset[int]:
    """The commands whose reading leaves: through a pipe into a sender, or in the words of one."""
    found: set[int] = set()
    last: dict[int, int] = {}  # pipeline → the last stage whose input leaves
    senders: list[Command] = []
    for command in commands:
        traits = command.use.traits
        reaches = "network" in traits or command.use.sends
        leaves = (reaches or "sends-stdin" in traits) and not _stays(command)
        if reaches and leaves:
            senders.append(command)
        if leaves and "sends-stdin" in traits:
            last[command.pipeline] = max(last.get(command.pipeline, -1), command.stage - 1)
        if command.redirects and any(one.target.startswith(_SOCKETS) for one in command.redirects):
            last[command.pipeline] = max(last.get(command.pipeline, -1), command.stage)
    if not senders and not last:
        return frozenset()
    for number, command in enumerate(commands):
        if command.stage <= last.get(command.pipeline, -1) or (
            _SUBSTITUTED in command.nested and any(_is_word_of(command, sender) for sender in senders)
        ):
            found.add(number)
    return frozenset(found)


def _stays(command: Command) -> bool:
    """Whether all that a command reaches is this machine itself."""
    use = command.use
    reached = [*use.urls, *use.hosts]
    if not reached:
        return False
    return (
        all(is_local(word) for word in reached)
        and _DETOURS.isdisjoint(use.flags)
        and not any(name.lower().endswith("_proxy") for name in command.env)
    )


def is_local(address: str) -> bool:
    """Whether an address is this machine's own."""
    url = read_url(address)
    return url is not None and (url.host in _LOCAL or url.host.startswith("127.") or url.host.endswith(".localhost"))


def _is_word_of(command: Command, other: Command) -> bool:
    """Whether what a command prints stands in the words of the other."""
    return (
        command is not other
        and _SUBSTITUTED in command.nested[len(other.nested) :]
        and other.start <= command.start
        and command.end <= other.end
    )


def _looks_like_path(word: str) -> bool:
    return ("/" in word or word.startswith((".", "~"))) and "://" not in word and not word.startswith("-")
