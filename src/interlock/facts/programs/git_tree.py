"""git: forms that change the work tree and the index."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.git_options import DIFF, PRETTY, REVS, STASH
from interlock.facts.programs.git_remotes import clones
from interlock.facts.programs.git_settings import settings_of
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["FORMS"]

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


FORMS: Table = {
    "checkout": act("git/changes git/runs-hooks", "q/quiet progress f/force!git/discards-work ours theirs b= B= "
        "t track? no-track guess no-guess l d/detach orphan= ignore-skip-worktree-bits m/merge conflict= p/patch "
        "ignore-other-worktrees overwrite-ignore recurse-submodules overlay no-overlay pathspec-from-file=read "
        "U/unified= inter-hunk-context= h/help!dry",
                    special=_checkout),
    "switch": act("git/changes git/runs-hooks", "c/create=ref C/force-create=ref!git/rewrites-history d/detach guess "
        "no-guess f/force!git/discards-work discard-changes!git/discards-work m/merge conflict= q/quiet progress "
        "t/track? no-track orphan=ref ignore-other-worktrees recurse-submodules"),
    "restore": Program("s/source= p/patch W/worktree S/staged q/quiet progress ours theirs m/merge conflict= "
        "ignore-unmerged ignore-skip-worktree-bits recurse-submodules overlay no-overlay pathspec-from-file=read "
        "no-staged no-worktree no-patch U/unified= inter-hunk-context= h/help/version!dry",
            special=_restore),
    "reset": act("git/changes", "soft mixed hard merge keep q/quiet refresh no-refresh p/patch N/intent-to-add "
        "recurse-submodules pathspec-from-file=read", special=_reset),
    "clean": Program("d f/force i/interactive n/dry-run!dry q/quiet e/exclude= x X", special=_clean),
    "rm": Program("f/force n/dry-run!dry r!recursive cached ignore-unmatch sparse q/quiet pathspec-from-file=read",
        special=_rm),
    "mv": act("git/changes", "f/force!forced k n/dry-run!dry v/verbose sparse", "move* write"),
    "add stage": act("git/changes", "n/dry-run!dry v/verbose f/force i/interactive p/patch e/edit u/update "
        "A/all/no-ignore-removal no-all/ignore-removal N/intent-to-add refresh ignore-errors ignore-missing "
        "renormalize sparse chmod= pathspec-from-file=read pathspec-file-nul no-warn-embedded-repo"),
    "stash": act("git/changes", STASH, subs={
        "list": look(f"{PRETTY} {DIFF} {REVS}"),
        "show": look(f"{DIFF} include-untracked only-untracked"),
        "push save": act("git/changes", STASH),
        "pop": act("git/changes git/deletes-branch", STASH),
        "apply branch create store": act("git/changes", STASH + " e"),
        "drop": act("git/deletes-branch git/discards-work", "q/quiet"),
        "clear": act("git/deletes-branch git/discards-work"),
    }),
    "worktree": look("", subs={
        "list": look("v/verbose porcelain z expire="),
        "add": act("git/changes git/runs-hooks", "f/force!forced d/detach checkout no-checkout guess-remote lock "
            "reason= orphan q/quiet track b=ref B=ref!git/rewrites-history", "create text*"),
        "remove": act("git/deletes-branch", "f/force!git/discards-work,forced", "delete*"),
        "prune": act("git/changes", "n/dry-run!dry v/verbose expire="),
        "move lock unlock repair": act("git/changes", "f/force reason=", "mention*"),
    }),
    "submodule": act("git/changes", "q/quiet cached", subs={
        "status summary": look("cached recursive files n/summary-limit="),
        "foreach": Program("recursive q/quiet", "text*", "only-runs", special=_submodule_each, stops=True),
        "add": act("git/changes network", "b/branch= f/force name= reference= depth= progress q/quiet",
        special=clones),
        "update init sync": act("git/changes network", "init remote no-fetch N f/force!git/discards-work checkout "
            "merge rebase recursive reference= depth= j/jobs= single-branch q/quiet progress recommend-shallow "
            "filter="),
        "deinit": act("git/changes", "f/force!forced,git/discards-work all q/quiet", "mention*"),
        "set-url set-branch absorbgitdirs": act("git/config", "b/branch= d/default q/quiet"),
    }),
    "apply": Program("stat!dry numstat!dry summary!dry check!dry index intent-to-add 3/3way build-fake-ancestor= "
        "R/reverse reject z p= C= unidiff-zero apply!acts no-add allow-binary-replacement exclude= include= "
        "ignore-space-change whitespace= inaccurate-eof v/verbose recount directory=within "
        "unsafe-paths!forced allow-empty cached", "read*", "git/changes",
                     special=lambda draft: draft.writes.append("\0")),
    "checkout-index": act("git/changes", "a/all f/force n/no-create u/index q/quiet prefix= stage= temp "
        "ignore-skip-worktree-bits stdin z", special=_checkout_index),
    "read-tree": act("git/changes", "m reset u i n/dry-run!dry v trivial aggressive prefix= index-output=write "
        "empty no-sparse-checkout recurse-submodules q/quiet", special=_read_tree),
    "update-index write-tree mktree unpack-objects index-pack pack-objects mergetool merge-file "
    "merge-index": act("git/changes", "*", "mention*"),
}  # fmt: skip
