"""Files and directories: listing, copying, moving, removing, permissions, and what prints a little text."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, join
from interlock.facts.programs.table import Special


def _into(target: str, source: str) -> str | None:
    """Where a source lands below a directory; None if that is the directory itself."""
    name = source.rstrip("/").rpartition("/")[2]
    if name in {"", ".", ".."}:
        return None
    return f"{target.rstrip('/')}/{name}" if source != "\0" else join(target.rstrip("/") or "/", name)


def place(draft: UseDraft, sources: list[str], target: str, *, directory: bool) -> None:
    """Note what copying, moving or linking sources to a target writes."""
    surely = directory or len(sources) > 1 or target.endswith("/") or target in {".", "..", "~"}
    surely = surely or target.endswith(("/.", "/.."))
    if not surely:
        draft.writes.append(target)
    if "--no-target-directory" in draft.flags:
        return
    for source in sources:
        landed = _into(target, source)
        if landed is not None:
            draft.writes.append(landed)
        elif surely:
            draft.writes.append(target)


def _sources_and_target(draft: UseDraft) -> tuple[list[str], str | None, bool]:
    """What is copied, where to, and whether that is surely a folder."""
    directory = draft.value("--target-directory")
    if directory is not None:
        return draft.operands, directory, True
    if len(draft.operands) < 2:
        return draft.operands, None, False
    return draft.operands[:-1], draft.operands[-1], False


def _copy(draft: UseDraft) -> None:
    """The target may be a file or a folder, so both places are written."""
    sources, target, directory = _sources_and_target(draft)
    draft.reads += sources
    if target is not None:
        place(draft, sources, target, directory=directory)
    if draft.doubtful:
        draft.writes += draft.operands


def _move(draft: UseDraft) -> None:
    """As copying; the sources are gone afterwards."""
    sources, target, directory = _sources_and_target(draft)
    draft.reads += sources
    draft.deletes += sources
    if target is not None:
        place(draft, sources, target, directory=directory)
    if draft.doubtful:
        draft.deletes += draft.operands[-1:]


def _link(draft: UseDraft) -> None:
    """As copying, but it replaces something only if it is forced to."""
    sources, target, directory = _sources_and_target(draft)
    if target is None and sources:
        target, directory = ".", True
    draft.reads += sources
    if target is None:
        return
    before = len(draft.writes)
    place(draft, sources, target, directory=directory)
    if "--force" not in draft.flags:
        draft.creates += draft.writes[before:]
        del draft.writes[before:]


def _install(draft: UseDraft) -> None:
    """As copying; the mode decides whether the copy can be run."""
    if "--directory" in draft.flags:
        draft.creates += draft.operands
        return
    before = len(draft.writes)
    _copy(draft)
    mode = draft.value("--mode")
    if mode is None or adds_execution(mode):
        draft.executable += draft.writes[before:]
    if mode is not None:
        _mode_traits(draft, mode)


def adds_execution(mode: str) -> bool:
    """Whether a mode of chmod may let somebody run the file."""
    if "\0" in mode:
        return True
    if mode.isdigit():
        return any(int(digit) & 1 for digit in mode[-3:])
    return any("x" in part.partition(sign)[2] for part in mode.split(",") for sign in "+=" if sign in part)


def _mode_traits(draft: UseDraft, mode: str) -> None:
    """Who may do what, by numbers or by letters."""
    if mode.isdigit():
        if int(mode[-1]) & 2:
            draft.add("world-writable")
        if len(mode) > 3 and int(mode[-4]) & 6:
            draft.add("set-user-id")
        return
    for part in mode.split(","):
        for sign in "+=":
            who, found, what = part.partition(sign)
            if not found:
                continue
            if "w" in what and ("o" in who or "a" in who):
                draft.add("world-writable")
            if "s" in what and "o" not in who:
                draft.add("set-user-id")


def _chmod(draft: UseDraft) -> None:
    """The mode is the first word, or looks like options."""
    files = list(draft.operands)
    modes = []
    # `-x`, `-w,o=r`: a mode that looks like options.
    for word in draft.args:
        if len(word) > 1 and word[0] == "-" and word[1] in "rwxst" and set(word) <= set("-+=,rwxstugoa"):
            modes.append(word)
    draft.unknown = [word for word in draft.unknown if word not in modes]
    if not modes and "--reference" not in draft.flags and files:
        modes.append(files.pop(0))
    for mode in modes:
        _mode_traits(draft, mode)
        if adds_execution(mode):
            draft.executable += files
    draft.writes += files


def _chown(draft: UseDraft) -> None:
    """The owner is the first word; root as an owner gives rights away."""
    files = draft.operands
    if "--reference" not in draft.flags and files:
        owner = files[0].partition(":")[0].partition(".")[0]
        if owner in {"root", "0"}:
            draft.add("users")
        files = files[1:]
    draft.writes += files


def _dd(draft: UseDraft) -> None:
    """Operands such as `if=…`, `of=…`."""
    for word in draft.args:
        name, mark, value = word.partition("=")
        if name == "if":
            draft.reads.append(value)
        elif name == "of":
            draft.writes.append(value)
        elif not mark and word not in {"--help", "--version"}:
            draft.unknown.append(word)
            if "\0" in word:
                draft.writes.append(word)
        draft.operands.append(word)
    draft.dry = draft.args in {("--help",), ("--version",)}


def _truncate(draft: UseDraft) -> None:
    """Emptying a log or a history hides what happened."""
    # A project's own logs are its own; where a word leads from here, rules about paths know.
    if any(word.startswith(("/", "~")) and ("/log/" in word or word.endswith(".log")) for word in draft.operands):
        draft.add("log-wiped")
    if any("history" in word for word in draft.operands):
        draft.add("history-wiped")


def _shred(draft: UseDraft) -> None:
    """What is overwritten may be a device, also one whose name is not known."""
    if not draft.operands:
        draft.looks("shreds")  # it only complains
    draft.writes += draft.operands
    if "--remove" in draft.flags:
        draft.deletes += draft.operands
    if any(word.startswith("/dev/") for word in draft.operands):
        draft.add("formats-disk")


def _mktemp(draft: UseDraft) -> None:
    """The names are made from templates, in a folder that an option or the program chooses."""
    if not draft.operands:
        draft.creates.append("/tmp/tmp.\0")  # noqa: S108 the program's own choice
    for word in draft.operands:
        directory = draft.value("--tmpdir") or ("/tmp" if "-t" in draft.flags else "")  # noqa: S108
        draft.creates.append(join(directory, word.rstrip("X") + "\0"))


def _rename(draft: UseDraft) -> None:
    """Perl's takes code first, util-linux's two texts; both rename what follows."""
    draft.writes += draft.operands[1:]
    draft.deletes += draft.operands[1:]
    if draft.operands and "/" in draft.operands[0]:
        draft.run("code:perl", draft.operands[0])


def _date(draft: UseDraft) -> None:
    """A word that is no format sets the clock."""
    if any(word[:1] not in {"+", ""} for word in draft.operands) and not {"--date", "-j"} & set(draft.flags):
        draft.add("system-settings")
        draft.acts()


def _marks(draft: UseDraft) -> None:
    """What a person notes at a file is theirs; the system's own marks decide who may do what with it."""
    names = [value for name, value in draft.values if name in {"--name", "--remove"}]
    if any(not name.startswith("user.") for name in names):
        draft.add("hides")


READERS: dict[str, Special] = {
    "chmod": _chmod,
    "chown": _chown,
    "copy": _copy,
    "date": _date,
    "dd": _dd,
    "install": _install,
    "link": _link,
    "marks": _marks,
    "mktemp": _mktemp,
    "move": _move,
    "rename": _rename,
    "shred": _shred,
    "test": (lambda draft: draft.operands.extend(draft.args)),
    "truncate": _truncate,
}
