"""Options that several forms of git share."""

from __future__ import annotations

__all__ = ["COMMIT", "DIFF", "FETCH", "MERGE", "PRETTY", "REVS", "STASH"]

PRETTY = (
    "oneline pretty? format= abbrev-commit no-abbrev-commit abbrev? encoding= notes? no-notes show-notes? "
    "show-signature expand-tabs? no-expand-tabs relative-date date= parents children left-right graph no-graph "
    "show-linear-break? "
    "decorate? no-decorate decorate-refs= decorate-refs-exclude= source use-mailmap mailmap log-size color? no-color"
)
DIFF = (
    "p/u/patch s/no-patch U/unified= output=write output-indicator-new= output-indicator-old= "
    "output-indicator-context= raw patch-with-raw t indent-heuristic no-indent-heuristic minimal patience "
    "histogram anchored= diff-algorithm= "
    "stat? compact-summary numstat shortstat X/dirstat? cumulative dirstat-by-file? summary patch-with-stat z "
    "name-only name-status submodule? color? no-color color-moved? no-color-moved color-moved-ws= word-diff? "
    "word-diff-regex= color-words? no-renames rename-empty check ws-error-highlight= full-index binary abbrev? "
    "B/break-rewrites? M/find-renames? C/find-copies? find-copies-harder D/irreversible-delete l= diff-filter= "
    "S= G= "
    "find-object= pickaxe-all pickaxe-regex O=read skip-to= rotate-to= R relative? no-relative a/text "
    "ignore-cr-at-eol ignore-space-at-eol b/ignore-space-change w/ignore-all-space ignore-blank-lines "
    "I/ignore-matching-lines= "
    "inter-hunk-context= W/function-context exit-code quiet ext-diff!acts no-ext-diff textconv no-textconv "
    "ignore-submodules? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= ita-invisible-in-index "
    "cached staged merge-base no-index base ours theirs 0 1 2 3 c cc m combined-all-paths diff-merges= first-parent "
    "no-diff-merges remerge-diff H"
)
REVS = (
    "n/max-count= skip= since/after= until/before= since-as-filter= author= committer= grep-reflog= grep= all-match "
    "invert-grep i/regexp-ignore-case basic-regexp E/extended-regexp F/fixed-strings P/perl-regexp remove-empty "
    "merges "
    "no-merges min-parents= max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not "
    "all branches? tags? remotes? glob= exclude= exclude-hidden= reflog alternate-refs single-worktree "
    "ignore-missing "
    "bisect stdin cherry-mark cherry-pick left-only right-only cherry g/walk-reflogs merge boundary "
    "simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path? "
    "date-order author-date-order topo-order reverse no-walk? do-walk follow L= full-diff 4 5 6 7 8 9"
)
COMMIT = (
    "a/all p/patch C/reuse-message= c/reedit-message= fixup= squash= reset-author short branch porcelain long z/null "
    "F/file=read author= date= m/message= t/template=read s/signoff no-signoff trailer= "
    "n/no-verify!git/skips-hooks "
    "allow-empty allow-empty-message cleanup= e/edit no-edit amend no-post-rewrite i/include o/only "
    "pathspec-from-file=read pathspec-file-nul u/untracked-files? v/verbose q/quiet dry-run!dry status no-status "
    "S/gpg-sign? no-gpg-sign!git/skips-hooks interactive"
)
MERGE = (
    "commit no-commit e/edit no-edit cleanup= ff no-ff ff-only S/gpg-sign? no-gpg-sign log? no-log signoff stat "
    "no-stat n squash no-squash no-verify!git/skips-hooks s/strategy= X/strategy-option= verify-signatures "
    "summary q/quiet "
    "v/verbose progress no-progress autostash no-autostash allow-unrelated-histories m/message= into-name= "
    "F/file=read rerere-autoupdate overwrite-ignore abort!git/discards-work quit continue"
)
FETCH = (
    "all a/append atomic depth= deepen= shallow-since= shallow-exclude= unshallow update-shallow negotiation-tip= "
    "dry-run!dry f/force!forced k/keep multiple auto-maintenance auto-gc p/prune P/prune-tags n/no-tags refmap= "
    "t/tags "
    "recurse-submodules? no-recurse-submodules j/jobs= set-upstream upload-pack= q/quiet v/verbose progress "
    "o/server-option= show-forced-updates 4/ipv4 6/ipv6 filter= stdin prefetch porcelain write-fetch-head "
    "negotiate-only u/update-head-ok"
)
STASH = (
    "p/patch S/staged k/keep-index no-keep-index u/include-untracked a/all m/message= pathspec-from-file=read "
    "q/quiet index"
)
