"""git: forms that look at a repository."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.git_options import DIFF, PRETTY, REVS
from interlock.facts.programs.table import Program, Table, look

__all__ = ["FORMS"]


def _grep(draft: UseDraft) -> None:
    pager = draft.value("--open-files-in-pager")
    if "--open-files-in-pager" in draft.flags:
        draft.aside(pager or "less")


def _difftool(draft: UseDraft) -> None:
    command = draft.value("--extcmd")
    if command is not None:
        draft.aside(command)


FORMS: Table = {
    "status": look("s/short b/branch show-stash porcelain? long v/verbose u/untracked-files? ignore-submodules? "
        "ignored? z column? no-column ahead-behind no-ahead-behind renames no-renames find-renames?", "text*"),
    "log shortlog whatchanged rev-list": look(f"{PRETTY} {DIFF} {REVS} s/summary n/numbered e/email group= w? c "
        f"count objects disk-usage? timestamp header max-age= min-age= use-bitmap-index no-object-names "
        f"in-commit-order".replace(" s/no-patch", "").replace("n/max-count=", "max-count=", 1)
                                           .replace(" n/numbered", "").replace("c cc m", "cc m") + " n= numbered"),
    "show": look(f"{PRETTY} {DIFF} {REVS}", "mention*"),
    "diff": look(DIFF, "mention*"),
    "diff-tree diff-index diff-files": look(f"{DIFF} {PRETTY} r root stdin always no-commit-id v q"),
    "range-diff": look(f"{DIFF} creation-factor= dual-color no-dual-color left-only right-only"),
    "blame annotate": look("b root show-stats L= l t S=read reverse first-parent p/porcelain line-porcelain "
        "incremental encoding= contents=read date= progress M? C? ignore-rev= ignore-revs-file=read color-lines "
        "color-by-age c score-debug "
        "f/show-name n/show-number s e/show-email w abbrev= minimal"),
    "grep": look("cached untracked no-index recurse-submodules a/text textconv no-textconv i/ignore-case I "
        "max-depth= r/recursive no-recursive w/word-regexp v/invert-match h H full-name E/extended-regexp "
        "G/basic-regexp "
        "P/perl-regexp F/fixed-strings n/line-number column l/files-with-matches/name-only "
        "L/files-without-match O/open-files-in-pager? z/null o/only-matching c/count color? no-color "
        "break heading p/show-function "
        "C/context= A/after-context= B/before-context= W/function-context m/max-count= threads= f=read e= "
        "and or not all-match q/quiet 0 1 2 3 4 5 6 7 8 9", special=_grep),
    "ls-files ls-tree": look("c/cached d/deleted m/modified o/others i/ignored s/stage u/unmerged k/killed directory "
        "no-empty-directory t v f recurse-submodules x/exclude= X/exclude-from=read exclude-per-directory= "
        "exclude-standard error-unmatch "
        "with-tree= full-name abbrev? debug eol sparse deduplicate format= z r l/long name-only "
        "name-status object-only full-tree"),
    "rev-parse describe name-rev merge-base cherry count-objects check-ignore check-attr check-mailmap "
    "check-ref-format cat-file for-each-ref show-ref show-branch var version verify-commit verify-tag "
    "fsck get-tar-commit-id patch-id fmt-merge-msg stripspace column merge-tree request-pull show-index "
    "verify-pack": look(
        "abbrev-ref? short? verify q/quiet sq not all branches? tags? remotes? glob= exclude= symbolic "
        "symbolic-full-name default= prefix= show-toplevel git-dir absolute-git-dir git-common-dir git-path= "
        "show-cdup show-prefix show-superproject-working-tree "
        "is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository local-env-vars path-format= "
        "since= until= revs-only no-revs flags no-flags parseopt sq-quote disambiguate= shared-index-path "
        "resolve-git-dir= "
        "dirty? broken? contains candidates= exact-match debug long match= always first-parent abbrev? a/all octopus "
        "independent is-ancestor fork-point v/verbose n/non-matching no-index stdin z p t s e batch? "
        "batch-check? batch-command? textconv filters? "
        "batch-all-objects buffer unordered follow-symlinks path= format= sort= count= points-at= merged? no-merged? "
        "contains? no-contains? color? shell perl python tcl heads head d/dereference hash? exists name-only "
        "refs= always undefined "
        "full strict unreachable dangling no-dangling root cache no-reflogs connectivity-only name-objects progress "
        "lost-found!git/changes H/human-readable l c/comment-lines write-tree trivial-merge messages "
        "allow-unrelated-histories raw "
        "reflog? topo-order date-order sparse more= list independent merge-base no-name current stable unstable "
        "verbatim i o/stdout normalize allow-onelevel refspec-pattern branch b topics topo"),
    "help": look("a/all g/guides i/info m/man w/web c/config"),
    "hash-object": look("t= w!git/changes path= no-filters stdin stdin-paths literally", "read*"),
    "difftool": Program(f"{DIFF} t/tool= g/gui y/no-prompt x/extcmd= tool-help d/dir-diff trust-exit-code", "text*",
        "only-runs", special=_difftool),
}  # fmt: skip
