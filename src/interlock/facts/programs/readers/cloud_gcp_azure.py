"""Google's and Microsoft's command lines: groups, a verb, names, and what their options make of them."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.cloud_verbs import deletes, find_verb, judge_verb, leading_words, verb_of
from interlock.facts.programs.readers.databases import judge_sql
from interlock.facts.programs.table import Special

_GLOBAL = frozenset({
    "--project", "--account", "--format", "--zone", "--region", "--configuration", "--verbosity", "--billing-project",
        "--impersonate-service-account", "--subscription", "--output", "-o", "--query", "--access-token-file",
    "--context", "-c", "-t", "--access-token", "--filter", "--org", "--profile", "--config-file", "--tenant",
        "--api-url", "--trace-token", "--flags-file", "-p",
})  # fmt: skip
# Phrases whose verb is not in the lists, or means something else, by what they do.
_PHRASES = {
    "signs-in": "login, logout, init, auth login, auth revoke, auth activate-service-account, "
    "auth application-default login",
    "reads-secret": "auth print-access-token, auth print-identity-token, auth application-default print-access-token, "
    "account get-access-token",
    "writes-secret": "container clusters get-credentials, aks get-credentials",
    "changes": "config set, config unset, config configurations activate, config configurations create, "
    "config configurations delete, auth configure-docker, account set, configure, bicep build, quantum target set, "
    "quantum workspace set",
    "installs-package": "components install, components update, upgrade, extension add, bicep install, bicep upgrade",
    "removes-package": "components remove, bicep uninstall",
    "interactive": "interactive",
    "database/writes": "sql connect",
    "cloud/changes": "rest, domains verify",
    "infra/applies cloud/changes": "deployment group create, deployment sub create, deployment mg create, "
    "deployment tenant create",
}
_WHOLE = {
    tuple(phrase.split()): tuple(traits.split()) for traits, listed in _PHRASES.items() for phrase in listed.split(", ")
}
# What is not at the source is removed at the target.
_LEAVES_NOTHING = frozenset({"--delete-unmatched-destination-objects", "--delete-destination"})


def _cloud(draft: UseDraft) -> None:
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
    if {"--help", "-h", "--dry-run", "--validate-only"} & draft.marks():
        draft.dry = True
    # Of `az`, nothing but options follows the verb.
    last = draft.name == "az" and verb_of(words[-1]) != "" and not any(deletes(word) for word in words[1:])
    groups, verb = (words[:-1], words[-1]) if last else _verb(words)
    if verb_of(verb) == "runs":
        draft.add("network", "cloud/runs")
        _nested(draft)
        return
    judge_verb(draft, groups, verb)
    if "--no-wait" in draft.marks():
        draft.drop("read-only")
    if _LEAVES_NOTHING & {word.partition("=")[0] for word in draft.args}:
        draft.add("cloud/deletes")
    if words[0] == "rest" or words[:2] == ["storage", "cp"]:
        draft.acts()


def _verb(words: list[str]) -> tuple[list[str], str]:
    at = find_verb(words)
    return words[:at], words[at]


def _nested(draft: UseDraft) -> None:
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


def _storage(draft: UseDraft) -> None:
    """gsutil and others: `verb [options] from to`."""
    draft.operands = [word for word in draft.args if word[:1] != "-"]
    words = draft.operands
    if not words:
        return
    verb, paths = words[0], words[1:]
    far = [word for word in paths if "://" in word]
    draft.urls += far
    draft.add("network")
    if {"--dry-run", "--dryrun", "--help"} & draft.marks():
        draft.dry = True
    if {"--delete", "--delete-removed", "--delete-destination=true"} & set(draft.args):
        draft.add("cloud/deletes")
    if verb in {"ls", "cat", "stat", "du", "hash", "version", "help", "list", "info"} or (
        verb in {"acl", "iam", "cors", "lifecycle", "versioning"} and paths[:1] == ["get"]
    ):
        draft.looks()
        draft.add("cloud/reads")
    elif verb in {"cp", "copy", "rsync", "mv", "sync", "upload", "put"} and len(paths) > 1:
        draft.add("cloud/changes")
        if verb == "rsync" and "-n" in draft.marks():
            draft.dry = True
        if (verb == "rsync" and "-d" in draft.args) or _LEAVES_NOTHING & set(draft.args):
            draft.add("cloud/deletes")
        near = [word for word in paths[:-1] if "://" not in word]
        if "://" in paths[-1]:
            draft.send(*near)
        else:
            draft.writes.append(paths[-1])
            draft.add("downloads")
        if verb == "mv":
            draft.add("cloud/deletes")
            draft.deletes += near
    elif verb in {"rm", "rb", "del", "remove", "delete", "rmdir"}:
        draft.add("cloud/deletes")
    elif verb in {"iam", "acl", "defacl", "setacl", "setpolicy", "delpolicy", "pap", "ubla", "bucketpolicyonly"}:
        draft.add("cloud/changes", "cloud/access")
    elif verb in {"lifecycle", "versioning", "retention", "web", "cors", "expire", "kms", "rewrite"}:
        draft.add("cloud/changes", "cloud/deploys")
    else:
        draft.add("cloud/changes")


def _query(draft: UseDraft) -> None:
    """`bq query TEXT`: what the text says; without one, its input says it."""
    for text in draft.operands:
        draft.run("code:sql", text)
        judge_sql(draft, text)
    if not draft.operands:
        draft.add("database/writes")


READERS: dict[str, Special] = {
    "cloud": _cloud,
    "query": _query,
    "storage": _storage,
}
