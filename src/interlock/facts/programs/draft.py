"""What has been learnt of a command so far, and the roles that its words can play."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from interlock.facts.limits import Limit
from interlock.facts.programs.use import Kind, Nested, Place, Push, Stdin

__all__ = ["ASIDE", "ROLES", "SINKS", "Role", "UseDraft", "host_of", "inside", "join", "names_disk", "names_url"]


class UseDraft:
    """The growing account of one command."""

    __slots__ = (
        "args", "base", "cd", "creates", "deletes", "doubtful", "dry", "executable", "flags", "hosts", "known",
        "mentions", "name", "operands", "outer", "push", "reached", "read_only", "reads", "refs", "roles", "runs",
        "sends", "sent", "stdin", "swallows", "traits", "unknown", "urls", "vague", "values", "words", "writes",
    )  # fmt: skip

    def __init__(self, name: str, args: tuple[str, ...]) -> None:
        self.name = name
        self.args = args
        self.flags: list[str] = []
        self.outer = 0  # how many of the flags come before the subcommand
        self.values: list[tuple[str, str]] = []
        self.roles: tuple[str, ...] = ()  # of the operands, for a parser that takes the place of the usual one
        self.operands: list[str] = []  # of the form that applies, without its subcommand words
        self.words: list[str] = []  # the subcommand words
        self.doubtful: list[int] = []  # operands that may be the value of an unknown option
        self.unknown: list[str] = []
        self.swallows = -1  # the place of a word that an undescribed option may take for its value
        self.vague = False  # an unknown word may be an option
        self.dry = False
        self.reached: Limit | None = None  # at which what it runs was not put together any more
        self.read_only = True
        self.known = True
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.creates: list[str] = []
        self.deletes: list[str] = []
        self.executable: list[str] = []
        self.mentions: list[str] = []
        self.urls: list[str] = []
        self.hosts: list[str] = []
        self.sends = False
        self.sent: list[str] = []
        self.refs: list[str] = []
        self.runs: list[Nested] = []
        self.stdin: Stdin = "data"
        self.cd: str | None = None
        self.base = ""
        self.push: Push | None = None
        self.traits: set[str] | None = None

    def own_flags(self) -> set[str]:
        """The flags of the form that applies, without those before its subcommand: `git -C x branch` copies nothing."""
        return set(self.flags[self.outer :])

    def marks(self, valued: frozenset[str] = frozenset()) -> set[str]:
        """The options as they are written, without values. What is behind `--`, or the value of another, is none."""
        found: set[str] = set()
        before = ""
        for word in self.args:
            if word == "--":
                break
            if word[:1] == "-" and before not in valued:
                found.add(word.partition("=")[0])
                before = word
            else:
                before = ""
        return found

    def add(self, *traits: str) -> None:
        """Note traits."""
        if self.traits is None:
            self.traits = set(traits)
        else:
            self.traits.update(traits)

    def drop(self, *traits: str) -> None:
        """Take traits of the form's table back."""
        if self.traits is None:
            self.traits = set()
        self.traits.update("-" + trait for trait in traits)

    def acts(self) -> None:
        """This form does not only look."""
        self.read_only = False

    def looks(self, *instead_of: str) -> None:
        """This form only looks, though its program's table has it do more."""
        if not self.vague:
            self.read_only = True
            self.add("read-only")
            self.drop(*instead_of)

    def value(self, name: str) -> str | None:
        """The last value of an option, by its name."""
        for flag, value in reversed(self.values):
            if flag == name:
                return value
        return None

    def run(self, kind: Kind, *words: str, by: str = "", where: Place = "here", aside: bool = False) -> None:
        """Note something that is run."""
        self.runs.append(Nested(kind, words, by, where, aside))

    def aside(self, text: str) -> None:
        """Note a shell's text that is run beside what the program is for."""
        head = text.split(None, 1)
        usual = bool(head) and head[0].rpartition("/")[2] in _USUAL and _MANY.isdisjoint(text)
        self.run("shell", text, aside=not usual)

    def send(self, *files: str) -> None:
        """Note that data leaves, and from which files."""
        self.sends = True
        self.sent += files
        self.reads += files

    def reach(self, word: str) -> None:
        """Note a host or URL that is reached."""
        if names_url(word):
            self.urls.append(word)
        else:
            self.hosts.append(host_of(word))


Role: TypeAlias = Callable[[UseDraft, str], None]


def names_url(word: str) -> bool:
    """Whether a word is a URL with a scheme."""
    scheme, mark, _ = word.partition("://")
    return bool(mark) and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum()


def host_of(word: str) -> str:
    """The machine in `user@host:port`, `[::1]:port` or a plain name."""
    word = word.rpartition("@")[2]
    if word.startswith("["):
        return word[1:].partition("]")[0]
    return word if word.count(":") > 1 else word.partition(":")[0]


def join(directory: str, word: str) -> str:
    """A path below a directory, unless it stands for itself."""
    if not directory or word.startswith(("/", "~", "\0")):
        return word
    return f"{directory.rstrip('/') or '/'}/{word}" if directory != "/" else "/" + word


def inside(directory: str) -> str:
    """Something in a directory."""
    return "./\0" if directory in {"", ".", "./"} else directory.rstrip("/") + "/\0"


def names_disk(word: str) -> bool:
    """Whether a path is a disk or a part of one."""
    return word.startswith(_DISKS)


_DISKS = (
    "/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/mapper/", "/dev/dm-", "/dev/md",
    "/dev/disk", "/dev/rdisk",
    "/dev/loop", "/dev/zd", "/dev/nbd", "/dev/block/",
)  # fmt: skip


# What options that name a program are for: other machines, packing, paging and editing.
_USUAL = frozenset({
    "autossh", "bat", "batcat", "brotli", "bzip2", "cat", "code", "delta", "emacs", "emacsclient", "gunzip", "gzip",
    "helix", "hx", "lbzip2", "less", "lz4", "lzip", "lzop", "micro", "more", "most", "nano", "nvim", "pbzip2", "pigz",
    "pixz", "plink", "plzip", "pxz", "pzstd", "rsh", "ssh", "subl", "true", "vi", "vim", "xz", "zstd", "zstdmt",
})  # fmt: skip
_MANY = frozenset(";|&`$<>()\n")  # signs of more than one command

# Writing there leaves nothing behind.
SINKS = frozenset({"-", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"})


def _text(draft: UseDraft, word: str) -> None:
    pass


def _read(draft: UseDraft, word: str) -> None:
    if word[:2] in {"@/", "@~"}:  # a file with more words in it
        draft.reads.append(word[1:])
    elif word != "-":
        draft.reads.append(word)


def _write(draft: UseDraft, word: str) -> None:
    if word not in SINKS:
        draft.writes.append(word)


def _edit(draft: UseDraft, word: str) -> None:
    if word not in SINKS:
        draft.reads.append(word)
        draft.writes.append(word)


def _create(draft: UseDraft, word: str) -> None:
    draft.creates.append(word)


def _within(draft: UseDraft, word: str) -> None:
    draft.writes.append(inside(word))


def _delete(draft: UseDraft, word: str) -> None:
    draft.deletes.append(word)


def _move(draft: UseDraft, word: str) -> None:
    draft.reads.append(word)
    draft.deletes.append(word)


def _exec(draft: UseDraft, word: str) -> None:
    draft.writes.append(word)
    draft.executable.append(word)


def _mention(draft: UseDraft, word: str) -> None:
    draft.mentions.append(word)


def _url(draft: UseDraft, word: str) -> None:
    draft.urls.append(word)


def _host(draft: UseDraft, word: str) -> None:
    draft.reach(word)


def _fetch(draft: UseDraft, word: str) -> None:
    """A URL if it has a scheme, else a file."""
    if word.startswith("file:"):
        draft.reads.append(word[5:].replace("//localhost/", "/").replace("///", "/").removeprefix("//"))
    elif names_url(word):
        draft.urls.append(word)
    else:
        _read(draft, word)


def _send(draft: UseDraft, word: str) -> None:
    draft.sends = True
    if word != "-":
        draft.send(word)


def _ref(draft: UseDraft, word: str) -> None:
    draft.refs.append(word)


def _base(draft: UseDraft, word: str) -> None:
    draft.base = join(draft.base, word)


def _cd(draft: UseDraft, word: str) -> None:
    draft.cd = word


def _shell(draft: UseDraft, word: str) -> None:
    draft.run("shell", word)


def _file(draft: UseDraft, word: str) -> None:
    """A file that is run as code by the program itself; `-` is the input."""
    if word != "-":
        draft.reads.append(word)
        draft.run("file", word, by=draft.name)
    elif draft.stdin == "data":
        draft.stdin = "code:other"


def _code(kind: str) -> Role:
    def run(draft: UseDraft, word: str) -> None:
        draft.run(cast("Kind", "code:" + kind), word)

    return run


def _program(draft: UseDraft, word: str) -> None:
    """One program, by its name or path, that is run."""
    draft.run("argv", word)


def _aside(draft: UseDraft, word: str) -> None:
    draft.aside(word)


def _program_aside(draft: UseDraft, word: str) -> None:
    draft.run("argv", word, aside=word.rpartition("/")[2] not in _USUAL)


# What an option runs; `line` is for programs whose purpose that is.
ASIDE: dict[str, Role] = {"shell": _aside, "program": _program_aside}

ROLES: dict[str, Role] = {
    "text": _text,
    "read": _read,
    "write": _write,
    "edit": _edit,
    "within": _within,
    "create": _create,
    "delete": _delete,
    "move": _move,
    "exec": _exec,
    "mention": _mention,
    "url": _url,
    "host": _host,
    "fetch": _fetch,
    "send": _send,
    "ref": _ref,
    "base": _base,
    "cd": _cd,
    "shell": _shell,
    "line": _shell,
    "file": _file,
    "program": _program,
    **{"code:" + kind: _code(kind) for kind in ("python", "js", "perl", "ruby", "php", "sql", "awk", "other")},
}
