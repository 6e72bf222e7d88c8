"""find and its relatives: tests, actions, and the commands they run for what they find."""

from __future__ import annotations

from interlock.facts.limits import ROOTS
from interlock.facts.programs.draft import UseDraft, inside
from interlock.facts.programs.table import Special, words

_TESTS = words(
    "a and o or not false true daystart depth d follow ignore_readdir_race noignore_readdir_race mount xdev x noleaf "
    "warn nowarn "
    "empty executable nogroup nouser readable writable print print0 ls prune quit help version E X s nohidden"
)
_VALUED = words(
    "amin anewer atime cmin cnewer ctime fstype gid group ilname iname inum ipath iregex iwholename links lname mmin "
    "mtime name "
    "newer path perm regex samefile size type uid used user wholename xtype context maxdepth mindepth regextype "
    "files0-from "
    "printf flags Bmin Bnewer Btime newermt Bmin"
)
# What leaves only some of what lies below a root. Nearly everything may be of one type, owner, mode, size or age.
_NAMES = words("name iname path ipath wholename iwholename")
_NARROW = _NAMES | words("lname ilname empty nouser nogroup inum samefile")
_FILES = {"fprint": 1, "fprint0": 1, "fls": 1, "fprintf": 2}
_EXECS = frozenset({"exec", "execdir", "ok", "okdir"})


def _roots(args: tuple[str, ...]) -> tuple[list[str], int]:
    """The places where the search begins, and where its expression does."""
    at = 0
    while at < len(args) and (
        args[at] in {"-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x"} or args[at].startswith(("-O", "-D"))
    ):
        at += 2 if args[at] == "-D" else 1
    if at < len(args) and args[at] == "--":
        at += 1
    roots = []
    while at < len(args) and args[at][:1] not in {"-", "!", "("} and args[at] not in {")", ","}:
        roots.append(args[at])
        at += 1
    return roots or ["."], at


def roots_of(args: tuple[str, ...]) -> list[str]:
    """The places where a search begins."""
    return _roots(args)[0]


def narrowed(args: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names that a search is for, if it finds only some of what lies below its roots; else None."""
    names: list[str] = []
    tests = 0
    branches = 1
    for at, word in enumerate(args):
        if word in {"-o", "-or", ","}:
            branches += 1
        if word[:1] != "-" or word[1:] not in _NARROW or args[at - 1] in {"!", "\\!", "-not"}:
            continue
        value = args[at + 1] if at + 1 < len(args) else ""
        if word[1:] in _NAMES:
            if not value.strip("*?./"):
                continue
            names.append(value.lstrip("*/.") if "path" in word or "whole" in word else value)
        tests += 1
    return tuple(names) if tests >= branches else None


def _find(draft: UseDraft) -> None:
    """Tests and actions follow the roots; some of them take words, and some run commands."""
    args = draft.args
    roots, at = _roots(args)
    draft.reads += roots
    draft.operands += roots
    if any(root[:1] == "\0" for root in roots):
        draft.acts()
    while at < len(args):
        word = args[at]
        at += 1
        if word in {"!", "(", ")", ",", "\\(", "\\)", "\\!"}:
            continue
        if word[:1] != "-":
            draft.unknown.append(word)
            draft.reads.append(word)
            continue
        name = word[1:]
        draft.flags.append("-" + name)
        if name in _EXECS:
            if name.startswith("ok"):
                draft.add("interactive")
            at = _exec(draft, args, at, roots)
        elif name == "delete":
            draft.deletes += [inside(root) for root in roots]
            draft.add("recursive")
        elif name in _FILES:
            draft.writes += args[at : at + 1]
            at += _FILES[name]
        elif name in _VALUED or name.startswith("newer"):
            if name in {"newer", "anewer", "cnewer", "samefile", "files0-from"}:
                draft.reads += args[at : at + 1]
            if at < len(args):
                draft.values.append((word, args[at]))
            at += 1
        elif name in {"help", "-help", "version", "-version"}:
            draft.dry = len(args) == 1
        elif name not in _TESTS:
            draft.unknown.append(word)


def _exec(draft: UseDraft, args: tuple[str, ...], at: int, roots: list[str]) -> int:
    """What is found stands below a root, so no name that is found can be taken for an option."""
    words: list[str] = []
    while at < len(args) and args[at] not in {";", "\\;"}:
        if args[at] == "+" and words and words[-1] == "{}":
            break
        words.append(args[at])
        at += 1
    if words:
        found = [inside(root) for root in roots] if len(roots) <= ROOTS.most else ["\0"]
        for place in found if any("{}" in word for word in words) else found[:1]:
            draft.run("argv", *(word.replace("{}", place) for word in words))
    return at + 1


def _braces(word: str) -> str:
    """A word with what is found in the place of its marks."""
    for mark in ("{}", "{/}", "{//}", "{.}", "{/.}"):
        word = word.replace(mark, "\0")
    return word


def _fd_all(draft: UseDraft) -> None:
    """Options are read by the table up to the command that is run, which is read here."""
    args = draft.args
    cut = next(
        (at for at, word in enumerate(args) if word.split("=")[0] in {"-x", "-X", "--exec", "--exec-batch"}), len(args)
    )
    rest = args[cut:]
    if rest:
        words = [rest[0].partition("=")[2]] if "=" in rest[0] else []
        words += rest[1:]
        words = words[: words.index(";")] if ";" in words else words
        filled = [_braces(word) for word in words]
        if words:
            draft.run("argv", *(filled if filled != words else [*filled, "\0"]))
    draft.reads += [word for word in draft.operands[1:] if word not in rest]


READERS: dict[str, Special] = {
    "fd_all": _fd_all,
    "find": _find,
}
