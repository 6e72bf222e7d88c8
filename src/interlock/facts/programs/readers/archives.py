"""Packing and unpacking."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, inside, join, names_url
from interlock.facts.programs.table import Rewrite, Special

_TAR_VALUED = frozenset("fCTXbgIKLNVHF")
_TAR_KEYS = tuple("cxturAdvzjf")


def _tar(draft: UseDraft) -> None:
    """One letter or word decides whether an archive is written, read or changed; members lie below `-C`."""
    flags = set(draft.flags)
    base = draft.value("--directory") or draft.value("--cd") or ""
    archive = draft.value("--file")
    for name, value in draft.values:
        if name == "--checkpoint-action" and value.startswith("exec="):
            draft.aside(value[5:])
            draft.acts()
        elif name == "--transform" and len(value) > 3 and value[0] == "s":
            named = value[2:].split(value[1])[1:2]
            draft.writes += [word for word in named if word.startswith(("/", "~"))]
    members = [join(base, word) for word in draft.operands]
    remote = archive is not None and is_remote(archive) and "--force-local" not in flags
    if archive is not None and remote:
        reach_remote(draft, archive)
        draft.add("network")
    if {"--create", "--append", "--update", "--catenate"} & flags:
        draft.acts()
        draft.reads += members
        if remote:
            draft.send(*members)
        elif archive not in {None, "-"}:
            draft.writes.append(str(archive))
        if "--remove-files" in flags:
            draft.deletes += members
    elif "--delete" in flags:
        draft.acts()
        if archive is not None:
            draft.writes.append(archive)
    elif "--extract" in flags:
        if archive not in {None, "-"}:
            draft.reads.append(str(archive))
        if "--to-stdout" not in flags and "--to-command" not in flags:
            draft.acts()
            draft.writes.append(inside(base))
            if "--absolute-names" in flags:
                draft.writes.append("/\0")
    elif "--list" in flags or "--diff" in flags or "--test-label" in flags:
        if archive not in {None, "-"}:
            draft.reads.append(str(archive))
    elif not draft.dry:
        draft.acts()


def _tar_bundle(args: tuple[str, ...]) -> tuple[str, ...]:
    """`tar xzf file`: the first word may be a bundle without its dash; values follow in order."""
    if not args or args[0][:1] not in _TAR_KEYS or "\0" in args[0]:
        return args
    words, rest = [], list(args[1:])
    for letter in args[0]:
        words.append("-" + letter)
        if letter in _TAR_VALUED and rest:
            words.append(rest.pop(0))
    return (*words, *rest)


def _zip_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`-TT CMD` is one option, not two."""
    return tuple("--unzip-command" if word == "-TT" else word for word in args)


# The suffix that each program adds. Those in `_KEEPS` leave the original unless they are told to remove it.
_SUFFIXES = {
    "bzip2": ".bz2", "pbzip2": ".bz2", "lbzip2": ".bz2", "bzip3": ".bz3", "xz": ".xz", "pixz": ".xz", "lzma": ".lzma",
    "zstd": ".zst", "pzstd": ".zst", "zstdmt": ".zst", "lz4": ".lz4", "brotli": ".br", "lzip": ".lz", "lzop": ".lzo",
    "compress": ".Z", "snzip": ".sz",
}  # fmt: skip
_KEEPS = frozenset({"zstd", "unzstd", "pzstd", "zstdmt", "lz4", "unlz4", "brotli", "lzop"})
_UNPACKS = ("un", "gun", "bun", "lun")


def _pack(draft: UseDraft) -> None:
    """A file takes the place of another, whose name is made from the first one's."""
    flags = set(draft.flags)
    files = [word for word in draft.operands if word != "-"]
    draft.reads += files
    if {"--stdout", "--test", "--list"} & flags or not files:
        return
    draft.acts()
    unpacks = "--decompress" in flags or draft.name.startswith(_UNPACKS)
    for word in files:
        packed = word + _SUFFIXES.get(draft.name, ".gz")
        draft.writes.append((word.rpartition(".")[0] or word) if unpacks else packed)
    if "--keep" not in flags and (draft.name not in _KEEPS or "--rm" in flags):
        draft.deletes += files


def _seven(draft: UseDraft) -> None:
    """The first word is the verb; folder and password are glued to their options."""
    words = draft.operands
    command = words[0] if words else ""
    archive, files = words[1:2], words[2:]
    if command in {"l", "t", "i", "h", "b", "v"}:
        draft.reads += words[1:]
        return
    draft.acts()
    if not command and not draft.flags:
        draft.looks()
        return
    if command in {"a", "u", "rn", "c", "m"}:
        draft.writes += archive
        draft.reads += files
        if any(word.startswith(("-p", "-hp")) for word in draft.args):
            draft.add("locks")
        if "-sdel" in draft.args or command == "m":
            draft.deletes += files
    elif command == "d":
        draft.writes += archive
    else:
        draft.reads += archive
        base = next((word[2:] for word in draft.args if word.startswith("-o")), "")
        if "-so" not in draft.marks():
            draft.writes.append(inside(base or ""))


def _rsync_like(draft: UseDraft) -> None:
    """Operands of rsync, scp and rclone: any may be on another machine."""
    words = draft.operands
    draft.mentions += [words[at] for at in draft.doubtful if at < len(words)]
    if not words:
        return
    sources, target = words[:-1], words[-1]
    if len(words) == 1:
        sources, target = words, ""
    remote = [word for word in words if is_remote(word)]
    for word in remote:
        reach_remote(draft, word)
    local = [word for word in sources if not is_remote(word)]
    if remote:
        draft.add("network")
    draft.reads += local
    if target and is_remote(target):
        draft.sends = True
        draft.sent += local
    elif target:
        draft.writes.append(target)
        draft.acts()
    elif draft.name == "rsync":
        draft.looks()
    if {
        "--delete",
        "--delete-before",
        "--delete-after",
        "--delete-during",
        "--delete-delay",
        "--delete-excluded",
    } & set(draft.flags) and target:
        if not is_remote(target):
            draft.deletes.append(inside(target))
        draft.add("recursive")
    if "--remove-source-files" in draft.flags:
        draft.deletes += local


def is_remote(word: str) -> bool:
    """Whether a word is `host:path` or a URL."""
    head, mark, _ = word.partition(":")
    return names_url(word) or bool(mark and head and "/" not in head)


def reach_remote(draft: UseDraft, word: str) -> None:
    """Note the machine of `host:path` or a URL."""
    if names_url(word):
        draft.urls.append(word)
    else:
        draft.hosts.append(word.partition(":")[0].rpartition("@")[2].strip("[]"))


READERS: dict[str, Special] = {
    "pack": _pack,
    "rclone_rcat": (lambda draft: draft.send()),
    "rsync_like": _rsync_like,
    "seven": _seven,
    "tar": _tar,
}


REWRITES: dict[str, Rewrite] = {
    "tar_bundle": _tar_bundle,
    "zip_words": _zip_words,
}
