"""Google's, Microsoft's and other providers' command lines."""

from __future__ import annotations

from interlock.facts.programs.cloud_verbs import deletes, judge_verb, leading_words, only_looks
from interlock.facts.programs.draft import Draft
from interlock.facts.programs.table import Program, Table, act

__all__ = ["TABLE"]

_GLOBAL = frozenset({
    "--project", "--account", "--format", "--zone", "--region", "--configuration", "--verbosity", "--billing-project",
        "--impersonate-service-account", "--subscription", "--output", "-o", "--query", "--access-token-file",
    "--context", "-c", "-t", "--access-token", "--filter", "--org", "--profile", "--config-file", "--tenant",
        "--api-url", "--trace-token", "--flags-file", "-p",
})  # fmt: skip
# `gcloud auth print-access-token` and others whose verb is not in the lists.
_WHOLE: dict[tuple[str, ...], tuple[str, ...]] = {
    ("auth", "login"): ("signs-in",),
    ("auth", "revoke"): ("signs-in",),
    ("auth", "print-access-token"): ("reads-secret",),
    ("auth", "print-identity-token"): ("reads-secret",),
    ("auth", "application-default", "login"): ("signs-in",),
    ("auth", "application-default", "print-access-token"): ("reads-secret",),
    ("auth", "configure-docker"): ("changes",),
    ("config", "set"): ("changes",),
    ("config", "unset"): ("changes",),
    ("login",): ("signs-in",),
    ("logout",): ("signs-in",),
    ("init",): ("signs-in",),
    ("account", "set"): ("changes",),
    ("account", "get-access-token"): ("reads-secret",),
    ("configure",): ("changes",),
    ("components", "install"): ("installs-package",),
    ("components", "update"): ("installs-package",),
    ("components", "remove"): ("removes-package",),
    ("upgrade",): ("installs-package",),
    ("extension", "add"): ("installs-package",),
    ("container", "clusters", "get-credentials"): ("writes-secret",),
    ("aks", "get-credentials"): ("writes-secret",),
    ("interactive",): ("interactive",),
    ("rest",): ("cloud/changes",),
    ("sql", "connect"): ("database/writes",),
    ("redis", "connect"): ("database/writes",),
}  # fmt: skip
_LAST = {"az"}  # nothing but options follows the verb
_RUNS = {
    "ssh",
    "scp",
    "run-command",
    "exec",
    "execute",
    "invoke",
    "call",
    "tunnel",
    "start-iap-tunnel",
    "console",
    "attach",
}


def _cloud(draft: Draft) -> None:
    words = leading_words(draft.args, _GLOBAL)
    draft.operands = words
    while words and words[0] in {"alpha", "beta", "preview"}:
        words = words[1:]
    if not words:
        draft.looks()
        return
    if words[0] in {"help", "version", "info", "topic", "find", "--version"}:
        draft.looks()
        return
    for size in (3, 2, 1):
        traits = _WHOLE.get(tuple(words[:size]))
        if traits is not None:
            draft.add("network", *traits)
            return
    last = draft.name in _LAST and not any(deletes(word) for word in words[1:])
    groups, verb = (words[:-1], words[-1]) if last else _verb(words)
    if verb in _RUNS:
        draft.add("network", "cloud/runs")
        _nested(draft)
        return
    if {"--help", "-h"} & set(draft.args):
        draft.dry = True
    judge_verb(draft, groups, verb)
    if "--no-wait" in draft.args:
        draft.drop("read-only")
    if words[0] == "rest" or words[:2] == ["storage", "cp"]:
        draft.acts()


def _verb(words: list[str]) -> tuple[list[str], str]:
    """Operands may follow the verb: it is the first word like one that does something, or that looks."""
    verbs = [at for at, word in enumerate(words) if at and _is_verb(word)]
    known = next((at for at in verbs if not only_looks(words[at])), verbs[0] if verbs else len(words) - 1)
    return words[:known], words[known]


_VERBS = frozenset({
    "list", "show", "describe", "get", "create", "delete", "update", "set", "add", "remove", "start", "stop",
        "restart", "reset", "deploy", "run", "enable", "disable", "wait", "purge", "restore", "import", "export",
            "upload", "download",
    "cp", "mv", "rm", "ls", "cat", "rsync", "mb", "rb", "patch", "apply", "attach", "detach", "scale", "resize",
        "move", "copy", "sync", "publish", "pull", "push", "submit", "cancel", "invoke", "call", "ssh", "scp", "exec",
            "recover",
    "generate", "regenerate", "renew", "rotate", "clone", "read", "test", "check", "validate", "query", "search",
        "tail", "connect", "failover", "undelete", "untag", "tag", "import-image", "build", "unset", "activate",
            "deactivate",
    "lock", "unlock", "assign", "unassign", "grant", "revoke", "deallocate", "redeploy", "reimage", "up", "down",
        "logs", "browse", "assume", "promote", "rollback", "upgrade", "init", "login", "logout", "link", "unlink",
            "respond",
})  # fmt: skip


def _is_verb(word: str) -> bool:
    head = word.partition("-")[0]
    return word in _VERBS or (head in _VERBS and "-" in word)


def _nested(draft: Draft) -> None:
    args = draft.args
    for at, word in enumerate(args):
        if word == "--command" and at + 1 < len(args):
            draft.run("shell", args[at + 1], where="host")
        elif word.startswith("--command="):
            draft.run("shell", word.partition("=")[2], where="host")
        elif word == "--" and at + 1 < len(args):
            draft.run("argv", *args[at + 1 :], where="host")
        elif word == "--scripts" and at + 1 < len(args):
            draft.run("shell", " ".join(args[at + 1 :]), where="host")


def _storage(draft: Draft) -> None:
    """gsutil and others: `verb [options] from to`."""
    draft.operands = [word for word in draft.args if word[:1] != "-"]
    words = draft.operands
    if not words:
        return
    verb, paths = words[0], words[1:]
    far = [word for word in paths if "://" in word]
    draft.urls += far
    draft.add("network")
    if verb in {"ls", "cat", "stat", "du", "hash", "version", "help", "list", "info"} or (
        verb in {"acl", "iam", "cors", "lifecycle", "versioning"} and paths[:1] == ["get"]
    ):
        draft.looks()
        draft.add("cloud/reads")
    elif verb in {"cp", "rsync", "mv", "sync", "upload", "put"} and len(paths) > 1:
        draft.add("cloud/changes")
        near = [word for word in paths[:-1] if "://" not in word]
        if "://" in paths[-1]:
            draft.send(*near)
        else:
            draft.writes.append(paths[-1])
            draft.add("downloads")
        if verb == "mv":
            draft.add("cloud/deletes")
            draft.deletes += near
    elif verb in {"rm", "rb", "del"}:
        draft.add("cloud/deletes")
    elif verb in {"iam", "acl"}:
        draft.add("cloud/changes", "cloud/access")
    else:
        draft.add("cloud/changes")


_ANY = Program("*", "text*", "", special=_cloud, help=False)

TABLE: Table = {
    "gcloud az doctl ibmcloud oci linode-cli exo hcloud openstack scw civo vultr-cli aliyun tccli yc auth0 okta "
    "kaggle snow databricks confluent atlas mongocli stripe twilio supabase planetscale pscale cf dapr azd func "
    "hasura datadog-ci sentry-cli launchdarkly newrelic rpk upstash turso neonctl cloudsmith jfrog jf "
    "twurl jira glooctl vcluster loft opslevel pagerduty ns1 cli53 flarectl cli4 b2 exoscale packet metal equinix "
    "anchore prowler snyk": _ANY,
    "gsutil bq s3cmd s5cmd azcopy s4cmd": Program("*", "text*", "", special=_storage, help=False),
}  # fmt: skip
TABLE["cloud-sql-proxy cloud_sql_proxy"] = act("network/tunnels", "*")
