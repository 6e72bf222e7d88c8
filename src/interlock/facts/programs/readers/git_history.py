"""git: forms that record commits, move references, and rewrite or expire what was recorded."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _branch(draft: UseDraft) -> None:
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


def _tag(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if "--delete" in flags:
        draft.refs += draft.operands
        draft.add("git/deletes-branch")
        draft.acts()
    elif (
        draft.operands
        and not {"--list", "--contains", "--merged", "--no-merged", "--points-at", "--no-contains", "--verify"} & flags
    ):
        draft.refs += draft.operands[:1]
        moved = ("git/rewrites-history", "git/deletes-branch", "forced")
        draft.add("git/commits", *(moved if "--force" in flags else ()))
        draft.acts()


def _commit(draft: UseDraft) -> None:
    if "--amend" in draft.flags:
        draft.add("git/rewrites-history")
        draft.refs.append("HEAD")
    if "--no-verify" in draft.flags:
        draft.drop("git/runs-hooks")


def _rebase(draft: UseDraft) -> None:
    if {"--abort", "--quit"} & set(draft.flags):
        draft.add("git/discards-work")
    draft.refs.append("HEAD")
    for name, value in draft.values:
        if name == "--exec":
            draft.run("shell", value)


def _filter(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name.endswith("-filter") and name != "--subdirectory-filter":
            draft.run("shell", value)
    draft.refs.append("*")


def _bisect(draft: UseDraft) -> None:
    words = draft.operands
    if words[:1] == ["run"] and len(words) > 1:
        draft.run("argv", *words[1:])
    elif words[:1] in (["log"], ["view"], ["visualize"]):
        draft.looks("git/changes")


def _reflog(draft: UseDraft) -> None:
    if draft.operands[:1] in (["expire"], ["delete"], ["drop"]) and not {"--dry-run", "-n"} & set(draft.flags):
        draft.add("git/expires")


def _update_ref(draft: UseDraft) -> None:
    draft.refs += draft.operands[:1]
    if "-d" in draft.flags:
        draft.add("git/deletes-branch")


def _gc(draft: UseDraft) -> None:
    value = draft.value("--prune")
    if value is not None and value in {"now", "all"}:
        draft.add("git/expires")


def _symbolic(draft: UseDraft) -> None:
    if len(draft.operands) > 1 or "--delete" in draft.flags:
        draft.add("git/changes")
        draft.refs += draft.operands[:1]


def _bundle_create(draft: UseDraft) -> None:
    draft.writes += draft.operands[:1]


READERS: dict[str, Special] = {
    "bisect": _bisect,
    "branch": _branch,
    "bundle_create": _bundle_create,
    "commit": _commit,
    "filter": _filter,
    "gc": _gc,
    "git_format_patch": (lambda draft: None if "--stdout" in draft.flags else draft.creates.append("\0")),
    "rebase": _rebase,
    "reflog": _reflog,
    "symbolic": _symbolic,
    "tag": _tag,
    "update_ref": _update_ref,
}
