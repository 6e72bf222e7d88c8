"""Git's smaller commands that either look or change, by their own subcommands."""

from __future__ import annotations

from interlock.facts.programs.draft import Draft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["SMALL"]


def _replace(draft: Draft) -> None:
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
    "credential": act("reads-secret", "*"),
    "credential-store credential-cache": act("writes-secret", "*"),
}  # fmt: skip
