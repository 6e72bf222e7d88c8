"""Git's smaller commands that either look or change, by their own subcommands."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.git_remotes import subtree_push
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["SMALL"]


def _replace(draft: UseDraft) -> None:
    if "--list" in draft.flags or not draft.args:
        draft.looks("git/changes")


SMALL: Table = {
    "notes": Program("ref=", "text*", "read-only", subs={
        "list show get-ref": look("*"),
        "add copy append edit merge remove prune": act("git/changes", "n!dry *", "mention*"),
    }),
    "rerere": act("git/changes", "rerere-autoupdate no-rerere-autoupdate", subs={
        "status diff remaining": look(),
        "clear forget gc": act("git/changes", "*", "mention*"),
    }),
    "sparse-checkout": Program("", "text*", "", subs={
        "list check-rules": look("z cone no-cone rules-file=read"),
        "init set add reapply disable clean": act("git/changes", "*", "mention*"),
    }),
    "replace": act("git/changes", "l/list f/force d/delete e/edit raw g/graft convert-graft-file format=",
        special=_replace),
    "lfs": look("", subs={
        "ls-files status env version pointer": look("*"),
        "pull fetch checkout logs fsck": act("git/changes network", "*"),
        "push": act("git/publishes network", "*"),
        "track untrack install uninstall update lock unlock prune dedup": act("git/config", "*"),
        "migrate": act("git/rewrites-history", "*"),
    }),
    "subtree": Program("q/quiet P/prefix= d/debug", "text*", "git/changes", subs={
        "add pull merge": act("git/changes network", "*", "mention*"), "split": act("git/changes", "*", "mention*"),
        "push": act("git/publishes network git/runs-hooks", "*", "mention*", special=subtree_push)}),
    # git-extras and other commands that are often installed beside git
    "fame effort summary line-summary count commits-since guilt show-merged-branches show-unmerged-branches show-tree "
    "info "
    "missing standup root contrib local-commits locked ls-crypt extras cliff sizer quick-stats who": look(
        "o/output=write p/prepend=write c/config=read *", "text*"),
    "clear clear-soft reset-file force-clone unstage-all": act("git/discards-work", "f/force!forced *", "mention*"),
    "obliterate reauthor squash undo psykorebase rebase-patch stamp coauthor graft merge-repo "
    "imerge": act("git/rewrites-history", "*",
        "mention*"),
    "delete-branch delete-tag": act("git/deletes-branch git/deletes-remote network", "*"),
    "delete-merged-branches delete-squashed-branches": act("git/deletes-branch", "*"),
    "release publish unpublish rename-branch rename-tag rename-remote create-branch": act("git/publishes git/changes "
        "network", "*"),
    "scp rscp": Program("*", "text*", "network", special=lambda draft: draft.send(*draft.operands[1:])),
    "pr mr pull-request fork sync": act("git/changes network", "*"),
    "paste": act("network sends-stdin", "*"),
    "changelog authors ignore-io ignore cola magic bug secret annex feature fresh-branch delete-submodule cp touch "
    "utimes lock "
    "unlock abort alias setup archive-file brv sed gh-pages merge-into": act("git/changes", "*", "mention*"),
    "for-each-repo bulk repl": act("only-runs git/changes", "*", "mention*"),
    "credential": act("reads-secret", "*"),
    "credential-store credential-cache": act("writes-secret", "*"),
}  # fmt: skip
