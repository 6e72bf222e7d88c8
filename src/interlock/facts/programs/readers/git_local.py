"""git: forms that change this repository, where which work or history may be lost depends on several words."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.git_settings import settings_of
from interlock.facts.programs.table import Special

_FILE_NAME = re.compile(r"\.[A-Za-z]{1,5}$")


def _is_path(word: str) -> bool:
    """Whether a word is no name of a branch."""
    if word.startswith(("./", "../", ":")) or word.endswith("/") or "*" in word:
        return True
    return _FILE_NAME.search(word) is not None


def _takes_side(draft: UseDraft, flags: set[str]) -> bool:
    """Whether one side of a conflict is taken for named files. A whole folder has others, whose changes are lost."""
    words = draft.operands
    names = words and not any(word.endswith(("/", ".")) or "*" in word or word.startswith(":") for word in words)
    return bool({"--ours", "--theirs"} & flags) and bool(names)


def _checkout(draft: UseDraft) -> None:
    """Paths discard work; a branch does not, unless forced."""
    flags = set(draft.flags)
    args = draft.args
    if _takes_side(draft, flags):
        draft.writes += draft.operands
        return
    if "--" in args:
        files = list(args[args.index("--") + 1 :])
        if files:
            draft.writes += files
            draft.add("git/discards-work")
        return
    if {"-b", "-B", "-t", "--orphan", "--detach", "--track"} & flags:  # with these, git takes no paths
        if "-B" in flags:
            draft.add("git/rewrites-history")
        draft.refs += [value for name, value in draft.values if name in {"-b", "-B", "--orphan"}]
        return
    words = draft.operands
    if {"--ours", "--theirs", "--pathspec-from-file"} & flags or words[:1] == ["."]:
        draft.writes += words
        draft.add("git/discards-work")
    elif len(words) > 1:
        draft.writes += words[1:]
        draft.add("git/discards-work")
    elif words and _is_path(words[0]):
        draft.writes += words
        draft.add("git/discards-work")


def _restore(draft: UseDraft) -> None:
    """What is restored: the index, which loses nothing, or files of the work tree."""
    flags: set[str] = set()
    refused: set[str] = set()
    for flag in draft.flags:  # of `--staged` and `--no-staged`, the last one holds
        if flag in {"--no-staged", "--no-worktree", "--no-patch"}:
            refused.add(name := flag.replace("--no-", "--", 1))
            flags.discard(name)
        else:
            flags.add(flag)
    places = {"--staged", "--worktree"}
    if (not draft.operands and not {"--patch", "--pathspec-from-file"} & flags) or (
        places & refused and not places & flags
    ):
        draft.looks()  # it only complains
        return
    if "--staged" in flags and "--worktree" not in flags:
        draft.add("git/changes")
        return
    draft.add("git/changes" if _takes_side(draft, flags) else "git/discards-work")
    draft.writes += draft.operands


def _reset(draft: UseDraft) -> None:
    """A commit moves the branch, a path does not: they are told apart by how they are written."""
    flags = set(draft.flags)
    words = draft.operands
    if {"--hard", "--merge"} & flags:
        draft.add("git/discards-work")
    moved = [word for word in words[:1] if word not in {"HEAD", "@"} and "--" not in draft.args]
    looks_like_commit = moved and (
        "~" in moved[0] or "^" in moved[0] or "@{" in moved[0] or moved[0].startswith(("origin/", "upstream/"))
    )
    modes = {"--hard", "--soft", "--mixed", "--keep", "--merge"} & flags
    if (modes and moved) or (looks_like_commit and len(words) == 1):
        draft.add("git/rewrites-history")
    draft.refs.append("HEAD")


def _clean(draft: UseDraft) -> None:
    """It deletes only if it is forced, by an option or by a setting."""
    flags = set(draft.flags)
    if "--force" in flags or "-f" in flags or ("clean.requireforce", "false") in settings_of(draft):
        draft.deletes += draft.operands or ["."]
        draft.add("git/discards-work")
    elif "--interactive" in flags:
        draft.add("git/discards-work", "interactive")


def _branch(draft: UseDraft) -> None:
    """`-C` means something else before the subcommand, so only the form's own options count."""
    flags = draft.own_flags()
    words = draft.operands
    if "--delete" in flags or "-D" in flags:
        draft.refs += words
        draft.add("git/deletes-branch")
        if "-D" in flags or "--force" in flags:
            draft.add("forced")
        draft.acts()
    elif {"--move", "-M", "--copy", "-C"} & flags:
        draft.refs += words
        draft.add("git/changes", *(("forced", "git/deletes-branch") if {"-M", "-C"} & flags else ()))
        draft.acts()
    elif {"--set-upstream-to", "--unset-upstream", "--edit-description", "--track"} & flags:
        draft.add("git/config")
        draft.acts()
    elif (
        words
        and not {"--list", "--contains", "--merged", "--no-merged", "--points-at", "--no-contains", "--show-current"}
        & flags
    ):
        draft.refs += words[:1]
        # A branch that is moved by force may have been the only one to hold its commits.
        moved = ("git/rewrites-history", "git/deletes-branch", "forced")
        draft.add("git/changes", *(moved if "--force" in flags else ()))
        draft.acts()


READERS: dict[str, Special] = {
    "branch": _branch,
    "checkout": _checkout,
    "clean": _clean,
    "reset": _reset,
    "restore": _restore,
}
