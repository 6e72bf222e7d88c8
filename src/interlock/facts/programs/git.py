"""git: by what a form does to the work tree, to history, and to other repositories."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import Draft, names_url
from interlock.facts.programs.git_options import COMMIT, DIFF, FETCH, MERGE, PRETTY, REVS, STASH
from interlock.facts.programs.git_small import SMALL
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_COMMAND_KEYS = ("alias.", "core.sshcommand", "core.pager", "core.editor", "core.fsmonitor", "core.hookspath",
                 "core.gitproxy", "diff.external", "sequence.editor", "credential.helper", "gpg.program",
                 "gpg.ssh.program", "pager.", "uploadpack.packobjectshook", "core.askpass", "ssh.variant")  # fmt: skip
_COMMAND_ENDS = (".textconv", ".command", ".cmd", ".clean", ".smudge", ".process", ".driver", ".helper", ".path",
                 ".uploadpack", ".receivepack", ".proxy", ".program")  # fmt: skip

_FILE_NAME = re.compile(r"\.[A-Za-z]{1,5}$")


def _setting(draft: Draft, key: str, value: str) -> None:
    """A configuration value that names a command is a command."""
    low = key.lower()
    if low.startswith("alias.") and not value.startswith("!"):
        return
    if low.startswith(_COMMAND_KEYS) or low.endswith(_COMMAND_ENDS):
        draft.run("shell", value.removeprefix("!"))
        draft.acts()
    if low in {"http.sslverify", "commit.gpgsign"} and value.lower() in {"false", "0", "no"}:
        draft.add("insecure")


def _global(draft: Draft) -> None:
    for name, value in draft.values:
        if name == "-c":
            key, _, text = value.partition("=")
            _setting(draft, key, text)
        elif name in {"--config-env", "--exec-path"}:
            draft.acts()


def _git(draft: Draft) -> None:
    _global(draft)
    aliases = {
        key[6:].lower(): text
        for name, value in draft.values
        if name == "-c" and (key := value.partition("=")[0]).lower().startswith("alias.")
        for text in [value.partition("=")[2]]
    }
    if draft.words or not draft.operands:
        return
    text = aliases.get(draft.operands[0].lower())
    if text is not None and not text.startswith("!"):
        draft.run("argv", "git", *text.split(), *draft.operands[1:])


def _remote(draft: Draft, word: str) -> None:
    """A repository by URL, `host:path` or path; a plain name is a configured remote."""
    if names_url(word):
        draft.urls.append(word)
    elif ":" in word and not word.startswith(("/", ".", "~")) and "\0" not in word.partition(":")[0]:
        if word.startswith("ext::"):
            draft.run("shell", word[5:])
        else:
            draft.hosts.append(word.partition(":")[0].rpartition("@")[2])
    elif "/" in word or word.startswith((".", "~")):
        draft.reads.append(word)


def _push(draft: Draft) -> None:
    flags = set(draft.flags)
    repository = draft.value("--repo")
    words = draft.operands
    if repository is None and words:
        repository, words = words[0], words[1:]
    if repository is not None:
        _remote(draft, repository)
    for word in words:
        plain = word.lstrip("+")
        source, mark, target = plain.partition(":")
        if word.startswith("+"):
            draft.add("git/force-publishes")
        if (mark and not source) or "--delete" in flags:
            draft.add("git/deletes-remote")
        name = target if mark and target else source or target
        draft.refs.append(name.removeprefix("refs/heads/"))
    if {"--all", "--mirror", "--branches"} & flags:
        draft.refs.append("*")
    elif not words and "--tags" not in flags:
        draft.refs.append("HEAD")
    draft.sends = "--dry-run" not in flags
    if not draft.sends:  # the hook still runs
        draft.drop("git/publishes", "git/force-publishes", "git/deletes-remote")


def _fetch(draft: Draft) -> None:
    if draft.operands and "--multiple" not in draft.flags:
        _remote(draft, draft.operands[0])
    for word in draft.operands[1:]:
        if word.startswith("+") or ":" in word:
            draft.refs.append(word.rpartition(":")[2])
    pack = draft.value("--upload-pack")
    if pack is not None:
        draft.run("shell", pack)


def _clone(draft: Draft) -> None:
    if not draft.operands:
        return
    source = draft.operands[0]
    _remote(draft, source)
    for name, value in draft.values:
        if name == "--config":
            key, _, text = value.partition("=")
            _setting(draft, key, text)
        elif name == "--upload-pack":
            draft.run("shell", value)
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    draft.creates.append(draft.operands[1] if len(draft.operands) > 1 else name or "\0")


def _checkout(draft: Draft) -> None:
    """Paths discard work; a branch does not, unless forced."""
    flags = set(draft.flags)
    args = draft.args
    if "--" in args:
        files = list(args[args.index("--") + 1 :])
        if files:
            draft.writes += files
            draft.add("git/discards-work")
        return
    if {"-b", "-B", "--orphan", "--detach"} & flags or ({"-t", "--track"} & flags and not draft.operands[1:]):
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


def _restore(draft: Draft) -> None:
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


def _reset(draft: Draft) -> None:
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


def _clean(draft: Draft) -> None:
    flags = set(draft.flags)
    if "--force" in flags or "-f" in flags:
        draft.deletes += draft.operands or ["."]
        draft.add("git/discards-work")
    elif "--interactive" in flags:
        draft.add("git/discards-work", "interactive")


def _branch(draft: Draft) -> None:
    flags = set(draft.flags)
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
        draft.add("git/changes", *(("git/rewrites-history",) if "--force" in flags else ()))
        draft.acts()


def _tag(draft: Draft) -> None:
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
        draft.add("git/commits", *(("git/rewrites-history",) if "--force" in flags else ()))
        draft.acts()


def _config(draft: Draft) -> None:
    flags = set(draft.flags)
    words = draft.operands
    old = {"--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list",
           "--get-color", "--get-colorbool", "--name-only"}  # fmt: skip
    if words[:1] in (["get"], ["list"]) and len(words) > 0 and not flags & {"--unset", "--add"}:
        return
    if words[:1] == ["edit"] or "--edit" in flags:
        draft.add("git/config", "interactive")
    elif flags & {"--unset", "--unset-all", "--remove-section", "--rename-section", "--add",
        "--replace-all"} or words[:1] in (
        ["set"], ["unset"], ["rename-section"], ["remove-section"]
    ):  # fmt: skip
        draft.add("git/config")
        if words[:1] == ["set"]:
            words = words[1:]
        if len(words) > 1 and not flags & {"--unset", "--unset-all", "--remove-section"}:
            _setting(draft, words[0], words[1])
    elif not flags & old and len(words) > 1:
        draft.add("git/config")
        _setting(draft, words[0], words[1])
        if "alias." in words[0].lower() and words[1].startswith("!"):
            draft.run("shell", words[1][1:])
    elif (
        words and not flags & {"--list"} and any(key in words[0].lower() for key in ("token", "password", "credential"))
    ):
        draft.add("reads-secret")
    if "git/config" in (draft.traits or ()):
        draft.acts()
        file = draft.value("--file")
        where = "~/.gitconfig" if "--global" in flags else "/etc/gitconfig" if "--system" in flags else ".git/config"
        draft.writes.append(file or where)


def _commit(draft: Draft) -> None:
    if "--amend" in draft.flags:
        draft.add("git/rewrites-history")
        draft.refs.append("HEAD")
    if "--no-verify" in draft.flags:
        draft.drop("git/runs-hooks")


def _rebase(draft: Draft) -> None:
    if {"--abort", "--quit"} & set(draft.flags):
        draft.add("git/discards-work")
    draft.refs.append("HEAD")
    for name, value in draft.values:
        if name == "--exec":
            draft.run("shell", value)


def _filter(draft: Draft) -> None:
    for name, value in draft.values:
        if name.endswith("-filter") and name != "--subdirectory-filter":
            draft.run("shell", value)
    draft.refs.append("*")


def _bisect(draft: Draft) -> None:
    words = draft.operands
    if words[:1] == ["run"] and len(words) > 1:
        draft.run("argv", *words[1:])
    elif words[:1] in (["log"], ["view"], ["visualize"]):
        draft.looks("git/changes")


def _submodule_each(draft: Draft) -> None:
    if draft.operands:
        draft.run("shell", " ".join(draft.operands))


def _grep(draft: Draft) -> None:
    pager = draft.value("--open-files-in-pager")
    if "--open-files-in-pager" in draft.flags:
        draft.run("argv", pager or "less")


def _difftool(draft: Draft) -> None:
    command = draft.value("--extcmd")
    if command is not None:
        draft.run("shell", command)


def _archive(draft: Draft) -> None:
    remote = draft.value("--remote")
    if remote is not None:
        _remote(draft, remote)
        draft.add("network")
    if (command := draft.value("--exec")) is not None:
        draft.run("shell", command)


def _ls_remote(draft: Draft) -> None:
    if draft.operands:
        _remote(draft, draft.operands[0])
    if (command := draft.value("--upload-pack")) is not None:
        draft.run("shell", command)
        draft.acts()


def _bundle_create(draft: Draft) -> None:
    draft.writes += draft.operands[:1]


def _alter_remote(draft: Draft) -> None:
    for word in draft.operands[1:]:
        _remote(draft, word)


def _rm(draft: Draft) -> None:
    if "--cached" in draft.flags:
        draft.add("git/changes")
    else:
        draft.deletes += draft.operands
        draft.add("git/changes")
        if "--force" in draft.flags:
            draft.add("git/discards-work")


def _reflog(draft: Draft) -> None:
    if draft.operands[:1] in (["expire"], ["delete"], ["drop"]):
        draft.add("git/expires")


def _update_ref(draft: Draft) -> None:
    draft.refs += draft.operands[:1]
    if "-d" in draft.flags:
        draft.add("git/deletes-branch")


def _gc(draft: Draft) -> None:
    value = draft.value("--prune")
    if value is not None and value in {"now", "all"}:
        draft.add("git/expires")


def _symbolic(draft: Draft) -> None:
    if len(draft.operands) > 1 or "--delete" in draft.flags:
        draft.add("git/changes")
        draft.refs += draft.operands[:1]


_FORMS: Table = {
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
    "ls-remote": look("heads b/branches t/tags refs q/quiet exit-code get-url sort= symref o/server-option= "
        "upload-pack=", traits="network", special=_ls_remote),
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
    "remote": look("v/verbose", subs={
        "show get-url": look("n all push", traits="network"),
        "add": act("git/config", "t= m= f/fetch tags no-tags mirror?", special=_alter_remote),
        "set-url": act("git/config", "push add delete", special=_alter_remote),
        "remove rm rename set-head set-branches": act("git/config", "a/auto d/delete add progress"),
        "update": act("git/changes network", "p/prune"),
        "prune": act("git/changes network", "n/dry-run!dry"),
    }),
    "config": look("global system local worktree f/file=read blob= get get-all get-regexp get-urlmatch list/l edit/e "
        "add replace-all unset unset-all remove-section rename-section type= bool int bool-or-int path expiry-date "
        "z/null "
        "name-only show-origin show-scope get-color get-colorbool includes no-includes default= all "
        "regexp value= fixed-value url= show-names comment= append", special=_config),
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
    "add stage": act("git/changes", "n/dry-run!dry v/verbose f/force i/interactive p/patch e/edit u/update "
        "A/all/no-ignore-removal no-all/ignore-removal N/intent-to-add refresh ignore-errors ignore-missing "
        "renormalize sparse chmod= pathspec-from-file=read pathspec-file-nul no-warn-embedded-repo"),
    "commit": act("git/commits git/runs-hooks", COMMIT, special=_commit),
    "merge": act("git/commits git/runs-hooks", MERGE),
    "pull": act("git/changes network git/runs-hooks", f"{MERGE} {FETCH} r/rebase? no-rebase".replace("p/prune ",
        "prune ").replace("P/prune-tags", "prune-tags").replace(" t/tags", " tags").replace(" n ", " "),
            special=_fetch),
    "fetch": act("git/changes network", FETCH, special=_fetch),
    "push": act("git/publishes network git/runs-hooks",
                "all branches mirror!git/force-publishes tags follow-tags atomic n/dry-run receive-pack=shell "
                "exec=shell f/force!git/force-publishes d/delete prune!git/deletes-remote v/verbose "
                "u/set-upstream progress q/quiet thin no-thin "
                "force-with-lease?!git/force-publishes force-if-includes no-force-with-lease signed? o/push-option= "
                "recurse-submodules? verify no-verify!git/skips-hooks 4/ipv4 6/ipv6 porcelain repo= no-signed "
                "no-recurse-submodules", special=_push),
    "clone": act("network", "l/local no-hardlinks s/shared reference= reference-if-able= dissociate q/quiet "
        "v/verbose progress server-option= n/no-checkout reject-shallow bare sparse filter= also-filter-submodules "
        "mirror o/origin= b/branch= "
        "revision= u/upload-pack= template=read c/config= depth= shallow-since= shallow-exclude= "
        "single-branch no-single-branch no-tags tags recurse-submodules? recursive shallow-submodules "
        "remote-submodules separate-git-dir=create j/jobs= bundle-uri=url ref-format=",
                             special=_clone),
    "init": Program("q/quiet bare template=read separate-git-dir=create object-format= ref-format= b/initial-branch= "
        "shared?", "create*", "git/changes"),
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
    "stash": act("git/changes", STASH, subs={
        "list": look(f"{PRETTY} {DIFF} {REVS}"),
        "show": look(f"{DIFF} include-untracked only-untracked"),
        "push save": act("git/changes", STASH),
        "pop": act("git/changes git/deletes-branch", STASH),
        "apply branch create store": act("git/changes", STASH + " e"),
        "drop": act("git/deletes-branch git/discards-work", "q/quiet"),
        "clear": act("git/deletes-branch git/discards-work"),
    }),
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
    "apply": Program("stat!dry numstat!dry summary!dry check!dry index intent-to-add 3/3way build-fake-ancestor= "
        "R/reverse reject z p= C= unidiff-zero apply!acts no-add allow-binary-replacement exclude= include= "
        "ignore-space-change whitespace= inaccurate-eof v/verbose recount directory= "
        "unsafe-paths!forced allow-empty cached", "read*", "git/changes",
                     special=lambda draft: draft.writes.append("\0")),
    "format-patch": Program(f"{DIFF} o/output-directory=create n/numbered N/no-numbered start-number= "
        f"k/keep-subject s/signoff stdout attach? inline? thread? v/reroll-count= to= cc= from? subject-prefix= rfc? "
        f"cover-letter signature= base= suffix= range-diff= creation-factor= root",
                            "text*", special=lambda draft: None if "--stdout" in draft.flags
                                else draft.creates.append("\0")),
    "send-email imap-send": act("notifies network", "*", "send*"),
    "archive": look("format= l/list v/verbose prefix= o/output=write add-file=read add-virtual-file= "
        "worktree-attributes remote= exec= mtime= 0 1 2 3 4 5 6 7 8 9", special=_archive),
    "bundle": look("q/quiet", subs={
        "create": Program("q/quiet progress all-progress version= all", "text*", special=_bundle_create),
        "verify list-heads": look("q/quiet", "read*"),
        "unbundle": act("git/changes", "progress", "read*"),
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
        special=_clone),
        "update init sync": act("git/changes network", "init remote no-fetch N f/force!git/discards-work checkout "
            "merge rebase recursive reference= depth= j/jobs= single-branch q/quiet progress recommend-shallow "
            "filter="),
        "deinit": act("git/discards-work", "f/force!forced all q/quiet", "delete*"),
        "set-url set-branch absorbgitdirs": act("git/config", "b/branch= d/default q/quiet"),
    }),
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
    "gc maintenance repack prune prune-packed pack-refs commit-graph multi-pack-index": act("git/changes",
        "aggressive auto prune?!git/expires no-prune q/quiet force keep-largest-pack cruft a A d f F n/dry-run!dry "
        "v/verbose progress expire= all no-all task= schedule= l window= depth= detach", special=_gc),
    "update-ref": act("git/rewrites-history", "d no-deref m= z stdin create-reflog", special=_update_ref),
    "symbolic-ref": look("d/delete q/quiet short recurse m=", special=_symbolic),
    "update-index read-tree write-tree commit-tree checkout-index mktree mktag unpack-objects index-pack "
    "pack-objects fast-import fast-export mergetool merge-file merge-index sh-setup backfill": act("git/changes",
        "*", "mention*"),
    "hash-object": look("t= w!git/changes path= no-filters stdin stdin-paths literally", "read*"),
    "difftool": Program(f"{DIFF} t/tool= g/gui y/no-prompt x/extcmd= tool-help d/dir-diff trust-exit-code", "text*",
        "only-runs", special=_difftool),
    "daemon http-backend upload-pack receive-pack shell instaweb cvsserver": act(
        "network/listens", "*", "mention*"),
    "gui citool gitk": act("git/changes interactive", "*", "mention*"),
    "svn p4": act("git/changes git/publishes network", "*", "mention*"),
    "flow": act("git/changes", "*"), **SMALL,
}  # fmt: skip

_TOP = (
    "C=base c= exec-path? html-path man-path info-path p/paginate P/no-pager git-dir=read work-tree=base namespace= "
    "bare no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs "
    "glob-pathspecs noglob-pathspecs icase-pathspecs list-cmds= attr-source= config-env= super-prefix= v h/help!dry"
)

TABLE: Table = {
    "git": Program(_TOP, subs=_FORMS, traits="read-only", special=_git),
    "yadm": Program(_TOP, subs=_FORMS, traits="read-only", special=_git),
}  # fmt: skip
