"""Code forges: GitHub's, GitLab's and others' command lines."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


# Mutations of GraphQL that take something away, or let it in for good.
_GONE = ("delete", "archive", "merge", "remove", "transfer")


# What decides who may do what, and what runs by itself.
_GUARDS = frozenset(
    {"protection", "collaborators", "secrets", "hooks", "keys", "rulesets", "environments", "permissions"}
)


def _gone(query: str) -> bool:
    names = query.replace("(", " ").replace("{", " ").split()
    return "mutation" in query and any(name.startswith(_GONE) for name in names)


def _api(draft: UseDraft) -> None:
    """`gh api`: a GET looks, anything else writes; fields make it a POST."""
    flags = set(draft.flags)
    method = (draft.value("--method") or "").upper()
    fields = {"--field", "--raw-field", "--input"} & flags
    graphql = draft.operands[:1] == ["graphql"]
    for name, value in draft.values:
        if name == "--input":
            draft.add("sends-stdin") if value == "-" else draft.send(value)
        elif name == "--field" and value.partition("=")[2].startswith("@"):
            draft.send(value.partition("=")[2][1:])
    if graphql:
        queries = [
            value.partition("=")[2]
            for name, value in draft.values
            if name in {"--field", "--raw-field"} and value.startswith("query=")
        ]
        if any(_gone(query) for query in queries):
            draft.add("forge/deletes")
        if (
            len(queries) == 1
            and queries[0].lstrip().startswith(("query", "{"))
            and "mutation" not in queries[0]
            and method in {"", "POST"}
        ):
            draft.looks("forge/writes")
        return
    if method in {"GET", "HEAD"} or (not method and not fields):
        draft.looks("forge/writes")
        if "\0" in "".join(draft.operands):
            draft.acts()
    elif method == "DELETE":
        draft.add("forge/deletes")
    elif method != "GET" and _GUARDS.intersection("/".join(draft.operands[:1]).split("/")):
        draft.add("cloud/access")


def _review(draft: UseDraft) -> None:
    if draft.words[-1] == "review" and {"--approve", "-a"} & set(draft.args):
        draft.add("forge/merges")


def _clone(draft: UseDraft) -> None:
    if draft.operands:
        name = draft.operands[0].rstrip("/").rpartition("/")[2]
        draft.creates.append(draft.operands[1] if len(draft.operands) > 1 else name)


def _alias(draft: UseDraft) -> None:
    if len(draft.operands) > 1 and (draft.operands[1].startswith("!") or "--shell" in draft.flags):
        draft.run("shell", draft.operands[1].removeprefix("!"))


_R = "R/repo= h!dry hostname="
_J = _R + " json= q/jq= t/template= w/web L/limit= "
_LIST = _J + (
    "s/state= A/author= a/assignee= l/label= S/search= B/base= H/head= d/draft app= milestone/m= mention= c/comments "
    "s= b/branch= e/event= u/user= w/workflow= status= created= commit= n/name-only visibility= language= topic= "
    "fork source archived no-archived org= o/order= sort= key= ref= i/interval= exit-status r/required "
    "fail-fast watch "
    "v/verbose log log-failed j/job= attempt= color= patch name-only exclude-drafts exclude-pre-releases yes-name "
    "closed o= e/env= a/all p/project= owner= merged merged-at= review= checks= created= updated= match= "
    "include-prs stars= forks= size= license= good-first-issues= followers= filename= extension= undo"
).replace(" yes-name", "")

_VIEW = look(_LIST, "text*", "network")


_RUN_SETTINGS = ("hooks.", "ui.ssh", "ui.editor", "ui.merge", "extdiff.cmd", "pager.pager")


def _settings(draft: UseDraft) -> None:
    """`hg --config alias.x=!cmd x`."""
    for name, value in draft.values:
        text = value.partition("=")[2]
        key = value.partition("=")[0]
        if name == "--config" and text.startswith("!"):
            draft.aside(text[1:])
        elif name == "--config" and key.startswith(_RUN_SETTINGS):
            draft.aside(text)
        if name == "--config-option" and ":tunnels:" in key:
            draft.aside(text)


# Options by which the others let a caller name programs.
_SCM = (
    "config=text!changes config-option=text!changes pager=text!changes diff-cmd=program diff3-cmd=program "
    "tool=text!changes *"
)
TABLE: Table = {
    "gh": Program("h!dry R/repo=", subs={
        "status search browse version help completion": look(_LIST + " e/exclude= o/org= s/shell= c/commit= "
            "n/no-browser p/projects r/releases wiki settings a/actions blame", "text*", "network"),
        "pr mr": Program(_R, subs={
            "list ls view show diff checks status": _VIEW,
            "create new edit comment ready review reopen lock unlock update-branch revert": act(
                "forge/writes network", "*",
                    special=_review),
            "close": act("forge/writes network", "c/comment= d/delete-branch!git/deletes-remote *"),
            "merge": act("forge/merges forge/writes network", "admin!forced auto b/body= F/body-file=read "
                "d/delete-branch!git/deletes-remote disable-auto m/merge match-head-commit= r/rebase s/squash "
                "t/subject= A/author-email= R/repo="),
            "checkout co": act("git/changes network", "b/branch= detach f/force!git/discards-work recurse-submodules "
                "R/repo="),
        }),
        "issue": Program(_R, subs={"list ls view show status": _VIEW, "create new edit comment close reopen lock "
            "unlock pin unpin transfer develop": act("forge/writes network", "*"),
                "delete": act("forge/deletes network", "*")}),
        "repo": Program(_R, subs={
            "list ls view": _VIEW, "clone": act("network", "u/upstream-remote-name=", special=_clone),
                "create new fork sync set-default unarchive": act("forge/writes network", "*"),
                # Who sees a repository, what it is called and whether it may be changed is for all who use it.
                "edit": act("forge/writes network", "visibility=text!forge/deletes "
                    "accept-visibility-change-consequences *"),
                "archive rename": act("forge/deletes forge/writes network", "y/yes!forced *"),
            "delete": act("forge/deletes network", "yes!forced confirm!forced"),
                "deploy-key autolink": Program(_R, subs={"list ls view": _VIEW,
                    "add create": act("forge/writes network writes-secret cloud/access", "*"),
                    "delete": act("forge/deletes network", "*")}), "gitignore license": look("*",
                    "text*", "network"),
        }),
        "release": Program(_R, subs={"list ls view verify verify-asset": _VIEW, "download": act("downloads network",
            "A/archive= D/dir=write O/output=write p/pattern= clobber skip-existing R/repo=",
                special=lambda draft: draft.writes.append(draft.value("--dir") or "\0")),
                                     "create new upload edit": act("publishes-package forge/writes network",
            "F/notes-file=read *"), "delete delete-asset": act("forge/deletes network",
            "*")}),
        "run": Program(_R, subs={"list ls view watch": _VIEW, "rerun": act("forge/writes network", "*"),
            "cancel": act("forge/deletes network", "*"),
            "delete": act("forge/deletes network", "*"), "download": act("downloads network",
                "D/dir=write n/name= p/pattern= R/repo=",
                    special=lambda draft: draft.writes.append(draft.value("--dir") or "\0"))}),
        "workflow": Program(_R, subs={"list ls": _VIEW, "view": look(_LIST + " y/yaml r/ref=", "text*", "network"),
            "run enable": act("forge/writes cloud/runs network", "*"),
            "disable": act("forge/deletes network", "*")}),
        # The next run fills it again.
        "cache": Program(_R, subs={"list ls": _VIEW, "delete": act("forge/writes network", "*")}),
        "gist": Program(_R, subs={"list ls view": look(_LIST + " f/filename= files r/raw public secret "
            "include-content filter=", "text*", "network"),
                "create new": act("forge/writes publishes-package network", "d/desc= f/filename= p/public w/web",
                    "send*"), "edit rename": act("forge/writes network", "*"), "delete": act("forge/deletes network",
                        "*"), "clone": act("network", "", special=_clone)}),
        "auth": Program(_R, subs={"status": look("h/hostname= t/show-token!reads-secret a/active json= q/jq=",
            "text*", "network"), "token": look("h/hostname= u/user= secure-storage", "text*", "reads-secret"),
                "login logout refresh setup-git switch": act("signs-in network", "*")}),
        "variable": Program(_R, subs={"list ls": _VIEW, "get": look(_LIST, "text*", "network"),
            "set": act("forge/writes network", "f/env-file=read *"),
            "delete remove": act("forge/deletes network", "*")}),
        "secret": Program(_R, subs={"list ls": _VIEW, "get": look(_LIST, "text*", "network"),
            "set": act("writes-secret forge/writes cloud/access network", "*"),
                "delete remove": act("forge/deletes writes-secret network", "*")}),
        "ssh-key gpg-key": Program(_R, subs={"list ls": _VIEW, "add": act("writes-secret forge/writes network users",
            "*", "read*"), "delete": act("forge/deletes network", "*")}),
        "label project": Program(_R, subs={"list ls view field-list item-list": look(_LIST + " format= ", "text*",
            "network"), "create edit clone copy close link unlink mark-template field-create item-add item-archive "
                "item-create item-edit": act("forge/writes network", "*"),
                    "delete field-delete item-delete": act("forge/deletes network", "*")}),
        "org": Program(_R, subs={"list ls": _VIEW}),
        "api": act("forge/writes network", "cache= F/field= f/raw-field= H/header= hostname= i/include input= q/jq= "
            "X/method= paginate p/preview= silent slurp t/template= verbose", special=_api),
        "codespace cs": Program(_R, subs={"list ls view logs": _VIEW,
            "ports": Program(_R, "text*", "network read-only", subs={"forward": act("network/tunnels network", "*"),
                "visibility": act("network/tunnels cloud/access network", "*")}),
            "ssh cp jupyter code": act("cloud/runs network", "*"),
                "create edit rebuild stop": act("cloud/changes network", "*"), "delete": act("cloud/deletes network",
                    "*")}),
        "extension ext extensions": Program(_R, subs={"list ls search": _VIEW, "browse": act("interactive "
            "installs-package network", "*"),
            "install upgrade create exec": act("installs-package network", "*"), "remove": act("removes-package",
                "*")}),
        "alias": Program(_R, subs={"list ls": look("*"), "set import": act("changes", "s/shell clobber",
            special=_alias), "delete": act("changes", "*")}),
        "config": Program(_R, subs={"list ls get": look("h/host="), "set clear-cache": act("changes", "*")}),
        "ruleset rs": Program(_R, subs={"list ls view check": look(_LIST + " default p/parents", "text*",
        "network")}),
        "attestation at": Program(_R, subs={"verify trusted-root": look("*", "read*", "network"), "download": act(
            "downloads network", "*", "read*")}),
        "copilot agent-task preview models": act("interactive network", "*"),
    }),
    "glab hub tea fj lab": Program("h!dry R/repo=", subs={
        "mr pr issue incident": Program(_R,
            subs={"list ls view show diff status checks approvers issues for": look("*", "text*", "network"),
                "merge approve revoke": act("forge/merges network", "*"), "delete": act("forge/deletes network", "*"),
                    "checkout": act("git/changes network", "*"), "*": act("forge/writes network", "*")}),
        "repo project release ci pipeline label milestone snippet schedule": Program(_R,
            subs={"list ls view status trace get lint search contributors": look("*", "text*", "network"),
                "clone": act("network", "*", special=_clone), "delete transfer archive": act("forge/deletes network",
                    "*"),
                    "*": act("forge/writes network", "*")}),
        "auth": Program(_R, subs={"status": look("t/show-token!reads-secret *"), "*": act("signs-in network", "*")}),
        "variable ssh-key token deploy-key": Program(_R, subs={"list ls": look("*", "text*", "network"),
            "get": look("*", "text*", "reads-secret network"), "delete revoke": act("forge/deletes network", "*"),
            "*": act("writes-secret cloud/access network", "*")}),
        "api": act("forge/writes network", "F/field= f/raw-field= H/header= i/include input= X/method= paginate "
            "silent hostname=", special=_api),
        "version help completion": look("*"), "clone": act("network", "*", special=_clone),
        "sync push pull-request fork create config alias": act("forge/writes network", "*"),
        "delete": act("forge/deletes network", "*"), "ci-status browse compare whoami notifications": look("*",
            "text*", "network"),
        "repos releases labels milestones issues pulls branches times organizations webhooks actions": Program(_R,
            subs={
            "list ls show search": look("*", "text*", "network"), "delete rm remove": act("forge/deletes network", "*"),
            "*": act("forge/writes network", "*")}),
    }),
    "act": act("runs-project container/runs", "n/dryrun!dry l/list!dry *"),
    # Every operation is kept, and `jj undo` takes any of them back.
    "jj": Program("R/repository=base no-pager quiet color= at-op= at-operation= ignore-working-copy ignore-immutable "
        "config=text!changes config-file=read!changes debug", subs={
        "status st diff log show evolog obslog interdiff root version help": look("T/template= r/revisions= *",
            "text*"),
        "file": Program(subs={"list show annotate search": look("*"), "*": act("git/changes", "*", "mention*")}),
        "op operation": Program(subs={"log show diff": look("*"), "abandon": act("git/expires", "*"),
            "*": act("git/changes", "*")}),
        "restore": act("git/changes", "*", "mention*"),
        "revert undo redo abandon": act("git/changes", "*"),
        "bookmark b branch": Program(subs={"list l": look("*"), "*": act("git/changes", "*")}),
        "tag": Program(subs={"list l": look("*"), "*": act("git/changes", "*")}),
        "git": Program(subs={"push": act("git/publishes network", "dry-run!dry deleted!git/deletes-remote *"),
            "remote": Program(subs={"list": look("*"), "*": act("git/config", "*")}),
            "root": look("*"), "*": act("git/changes network", "*", "mention*")}),
        "config": Program(subs={"list l get path": look("*"), "*": act("git/config", "*")}),
        "rebase squash split absorb describe desc commit ci new edit diffedit metaedit": act("git/changes",
            "tool=text!changes *", "mention*"),
        "fix": act("git/changes runs-project", "*"),
        "gerrit": act("git/publishes network", "n/dry-run!dry *"),
        "util": Program(subs={"gc": act("git/expires", "*"), "exec": Program("", "argv", "read-only"),
            "*": look("*")}),
        "*": act("git/changes", "*", "mention*")}),
    "hg svn fossil darcs bzr p4 cvs pijul": Program("R/repository=base cwd=base q/quiet v/verbose "
        "y/noninteractive config=text!changes config-option=text!changes color= no-pager "
        "at-op= at-operation= ignore-working-copy "
        "non-interactive username= password= no-auth-cache trust-server-cert h!dry", special=_settings, subs={
        "status st diff log annotate blame praise cat heads parents tip summary identify id files locate manifest "
        "paths root showconfig version help info list ls show evolog obslog interdiff outgoing incoming branches "
        "tags bookmarks proplist propget pl pg changes describe opened timeline": look(_SCM, "text*",
                    "network"),
        "commit ci add remove rm delete move mv copy cp rename addremove new desc bookmark branch tag merge update "
        "up checkout co switch sw pull fetch import unshelve shelve graft backout resolve propset ps mkdir "
        "relocate lock unlock cleanup squash split absorb parallelize duplicate edit next prev workspace "
        "sparse init clone git": act("git/changes", "*", "mention*"),
        "push submit": act("git/publishes network", "f/force!git/force-publishes *"),
            "revert restore undo purge abandon op operation discard": act("git/discards-work", "n/dry-run!dry *",
                "write*"), "strip rebase histedit amend uncommit rollback": act("git/rewrites-history", "*"),
        "serve": act("network/listens", "*"), "config": act("git/config", "*"),
    }),
    "etckeeper": act("upkeep", "d=base", subs={"vcs": Program("", "argv", "only-runs",
        rewrite=lambda args: ("git", *args)), "unclean": look(""),
        "uninit": act("shreds", "f/force!forced"), "*": act("upkeep", "*")}),
    "gita ghq repo git-lfs git-flow git-crypt git-secret git-annex b4 gitleaks trufflehog onefetch "
    "git-cliff": act("changes", "*", "mention*"),
    "gitk git-gui sourcetree gitg": look("*", "text*", "interactive"),
}  # fmt: skip
