"""git: forms that change the work tree and the index."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.git_settings import settings_of
from interlock.facts.programs.table import Special

_FILE_NAME = re.compile(r"\.[A-Za-z]{1,5}$")


def _checkout(draft: UseDraft) -> None:
    """Paths discard work; a branch does not, unless forced."""
    flags = set(draft.flags)
    args = draft.args
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
    elif words and (words[0].startswith(("./", "../", ":")) or "*" in words[0] or _FILE_NAME.search(words[0])):
        draft.writes += words
        draft.add("git/discards-work")


def _restore(draft: UseDraft) -> None:
    flags: set[str] = set()
    refused: set[str] = set()
    for flag in draft.flags:  # of `--staged` and `--no-staged`, the last one holds
        if flag in {"--no-staged", "--no-worktree", "--no-patch"}:
            refused.add(name := flag.replace("--no-", "--", 1))
            flags.discard(name)
        else:
            flags.add(flag)
    told = {"--staged", "--worktree"}
    if (not draft.operands and not {"--patch", "--pathspec-from-file"} & flags) or (
        told & refused and not told & flags
    ):
        draft.looks()  # it only complains
        return
    if "--staged" in flags and "--worktree" not in flags:
        draft.add("git/changes")
        return
    draft.add("git/discards-work")
    draft.writes += draft.operands


def _reset(draft: UseDraft) -> None:
    flags = set(draft.flags)
    words = draft.operands
    if {"--hard", "--merge"} & flags:
        draft.add("git/discards-work")
    moved = [word for word in words[:1] if word not in {"HEAD", "@"} and "--" not in draft.args]
    looks_like_commit = moved and (
        "~" in moved[0] or "^" in moved[0] or "@{" in moved[0] or moved[0].startswith(("origin/", "upstream/"))
    )
    told = {"--hard", "--soft", "--mixed", "--keep", "--merge"} & flags
    if (told and moved) or (looks_like_commit and len(words) == 1):
        draft.add("git/rewrites-history")
    draft.refs.append("HEAD")


def _clean(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if "--force" in flags or "-f" in flags or ("clean.requireforce", "false") in settings_of(draft):
        draft.deletes += draft.operands or ["."]
        draft.add("git/discards-work")
    elif "--interactive" in flags:
        draft.add("git/discards-work", "interactive")


def _submodule_each(draft: UseDraft) -> None:
    if draft.operands:
        draft.run("shell", " ".join(draft.operands))


def _checkout_index(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if "--prefix" in flags:
        draft.creates.append(draft.value("--prefix") or "\0")
    elif "--force" in flags and "--no-create" not in flags:
        draft.add("git/discards-work")


def _read_tree(draft: UseDraft) -> None:
    if "--reset" in draft.flags and "-u" in draft.flags:
        draft.add("git/discards-work")


def _rm(draft: UseDraft) -> None:
    if "--cached" in draft.flags:
        draft.add("git/changes")
    else:
        draft.deletes += draft.operands
        draft.add("git/changes")
        if "--force" in draft.flags:
            draft.add("git/discards-work")


READERS: dict[str, Special] = {
    "checkout": _checkout,
    "checkout_index": _checkout_index,
    "clean": _clean,
    "git_apply": (lambda draft: draft.writes.append("\0")),
    "read_tree": _read_tree,
    "reset": _reset,
    "restore": _restore,
    "rm": _rm,
    "submodule_each": _submodule_each,
}
