"""git: forms that show files as they are, were, or differ. What a file contained in the past is no less a secret."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

# Forms that show what changed only if they are told to.
_LISTS = frozenset({"log", "shortlog", "whatchanged", "rev-list", "diff-tree", "diff-index", "diff-files"})
_PATCHES = frozenset({"--patch", "--unified", "--cc", "-c", "-L", "--full-diff", "--patch-with-stat",
                      "--patch-with-raw", "--word-diff", "--color-words", "--function-context"})  # fmt: skip
_NAMES_ONLY = frozenset({"--stat", "--numstat", "--shortstat", "--name-only", "--name-status", "--summary", "--raw",
                         "--dirstat", "--compact-summary", "--no-patch", "--quiet"})  # fmt: skip
_NO_LINES = frozenset({"--quiet", "--files-with-matches", "--files-without-match", "--count"})


def _shows(draft: UseDraft) -> None:
    """`show HEAD:.env`, `log -p -- .env`, `diff .env`: the lines of a file, unless only its name is asked for."""
    flags = set(draft.flags)
    lists = bool(_LISTS.intersection(draft.words))
    if not flags & _PATCHES and (lists or flags & _NAMES_ONLY):
        return
    # `-L 1,9:file` has its file in its value.
    draft.reads += [value.rpartition(":")[2] for name, value in draft.values if name == "-L" and ":" in value]
    _read_words(draft)


def _prints(draft: UseDraft) -> None:
    """`cat-file -p HEAD:.env`; with `-t`, `-s` and `-e` only what sort of thing it is."""
    if draft.words[-1:] == ["cat-file"] and not {"-t", "-s", "-e"} & set(draft.flags):
        draft.reads += _in_commits(draft.operands)


def _blames(draft: UseDraft) -> None:
    draft.reads += draft.operands[-1:]


def _searches(draft: UseDraft) -> None:
    """The files that are searched are named behind `--`; ahead of it a word may be a pattern or a commit."""
    if not _NO_LINES & set(draft.flags) and "--" in draft.args:
        draft.reads += draft.args[draft.args.index("--") + 1 :]


def _read_words(draft: UseDraft) -> None:
    args = draft.args
    behind = args[args.index("--") + 1 :] if "--" in args else ()
    draft.reads += behind
    ahead = draft.operands[: len(draft.operands) - len(behind)]
    draft.reads += _in_commits(ahead)
    if not _LISTS.intersection(draft.words):
        draft.mentions += ahead


def _in_commits(words: list[str]) -> list[str]:
    """The files in `COMMIT:file`; `:file` and `:0:file` are in the index, `:/text` is a commit by its message."""
    found = []
    for word in words:
        commit, mark, file = word.partition(":")
        if mark and file and not (commit == "" and file.startswith("/")):
            found.append(file.rpartition(":")[2] if commit == "" else file)
    return found


READERS: dict[str, Special] = {
    "blames": _blames,
    "prints": _prints,
    "searches": _searches,
    "shows": _shows,
}
