"""git: forms that record commits, move references, and rewrite or expire what was recorded."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.git_options import COMMIT, DIFF, MERGE, PRETTY, REVS
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["FORMS"]


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


FORMS: Table = {
    "branch": look("d/delete D m/move M c/copy C f/force color? no-color i/ignore-case column? no-column r/remotes "
        "a/all l/list show-current v/verbose q/quiet abbrev= no-abbrev t track? no-track u/set-upstream-to= "
        "unset-upstream edit-description "
        "contains? no-contains? merged? no-merged? sort= points-at= format= create-reflog "
        "recurse-submodules omit-empty", special=_branch),
    "tag": look("a/annotate s/sign no-sign u/local-user= f/force d/delete v/verify n? l/list sort= color? "
        "i/ignore-case column? no-column contains? no-contains? merged? no-merged? points-at= m/message= F/file=read "
        "e/edit cleanup= create-reflog "
        "format= omit-empty trailer=", special=_tag),
    "reflog": look(f"{PRETTY} {REVS} all expire= expire-unreachable= updateref rewrite stale-fix single-worktree "
        f"n/dry-run v/verbose".replace("n/max-count=", "max-count="), special=_reflog),
    "commit": act("git/commits git/runs-hooks", COMMIT, special=_commit),
    "merge": act("git/commits git/runs-hooks", MERGE),
    "rebase": act("git/rewrites-history git/runs-hooks", "onto= keep-base continue skip abort quit edit-todo "
        "show-current-patch!dry apply empty= no-keep-empty keep-empty reapply-cherry-picks allow-empty-message "
        "m/merge s/strategy= X/strategy-option= S/gpg-sign? "
        "q/quiet v/verbose stat n/no-stat no-verify!git/skips-hooks verify C= f/force-rebase no-ff "
        "fork-point no-fork-point ignore-whitespace whitespace= committer-date-is-author-date "
        "reset-author-date signoff i/interactive "
        "r/rebase-merges? x/exec= root autosquash no-autosquash autostash no-autostash "
        "reschedule-failed-exec update-refs", special=_rebase),
    "cherry-pick revert": act("git/commits git/runs-hooks", "e/edit no-edit cleanup= x r m/mainline= n/no-commit "
        "s/signoff S/gpg-sign? ff allow-empty allow-empty-message keep-redundant-commits empty= strategy= "
        "X/strategy-option= continue skip quit abort!git/discards-work reference"),
    "am": act("git/commits git/runs-hooks", "s/signoff k/keep keep-non-patch 3/3way q/quiet u/utf8 C= p= directory= "
        "exclude= include= reject patch-format= i/interactive committer-date-is-author-date ignore-date skip "
        "S/gpg-sign? continue resolved abort!git/discards-work quit", "read*"),
    "format-patch": Program(f"{DIFF} o/output-directory=create n/numbered N/no-numbered start-number= "
        f"k/keep-subject s/signoff stdout attach? inline? thread? v/reroll-count= to= cc= from? subject-prefix= rfc? "
        f"cover-letter signature= base= suffix= range-diff= creation-factor= root",
                            "text*", special=lambda draft: None if "--stdout" in draft.flags
                                else draft.creates.append("\0")),
    "bisect": act("git/changes", "term-new= term-old= term-good= term-bad= no-checkout first-parent", special=_bisect,
        stops=True),
    "filter-branch": act("git/rewrites-history", "setup= subdirectory-filter= env-filter= tree-filter= index-filter= "
        "parent-filter= msg-filter= commit-filter= tag-name-filter= prune-empty original= d= f/force!forced "
        "state-branch=", special=_filter),
    "filter-repo": act("git/rewrites-history git/expires", "path= invert-paths force!forced analyze!dry path-glob= "
        "replace-text=read subdirectory-filter= to-subdirectory-filter= mailmap=read blob-callback=code:python "
        "commit-callback=code:python "
        "message-callback=code:python filename-callback=code:python refname-callback=code:python "
        "strip-blobs-bigger-than= dry-run!dry partial refs=", special=_filter),
    "prune": act("git/expires", "n/dry-run!dry v/verbose progress expire="),
    "gc maintenance repack prune-packed pack-refs commit-graph multi-pack-index": act("git/changes",
        "aggressive auto prune?!git/expires no-prune q/quiet force keep-largest-pack cruft a A d f F n/dry-run!dry "
        "v/verbose progress expire= all no-all task= schedule= l window= depth= detach", special=_gc),
    "update-ref": act("git/rewrites-history", "d no-deref m= z stdin create-reflog", special=_update_ref),
    "symbolic-ref": look("d/delete q/quiet short recurse m=", special=_symbolic),
    "bundle": look("q/quiet", subs={
        "create": Program("q/quiet progress all-progress version= all", "text*", special=_bundle_create),
        "verify list-heads": look("q/quiet", "read*"),
        "unbundle": act("git/changes", "progress", "read*"),
    }),
    "commit-tree mktag fast-import fast-export": act("git/changes", "*", "mention*"),
}  # fmt: skip
