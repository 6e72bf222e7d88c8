"""Cloud command lines are `group … verb --option value`: the verb says whether it looks, changes or deletes."""

from __future__ import annotations

from interlock.facts.programs.draft import Draft

__all__ = ["deletes", "judge_verb", "leading_words", "only_looks"]

_LOOKS = (
    "list", "show", "describe", "get", "head", "lookup", "search", "query", "check", "validate", "test", "estimate",
        "view", "count", "scan", "wait", "filter", "tail", "ls", "status", "info", "version",
    "exists", "help", "verify", "preview", "discover", "detect", "select", "batch-get", "read", "simulate", "browse",
        "history", "top", "find", "diff", "usage", "ping", "whoami", "explain", "logs", "tree", "admin-get",
            "admin-list", "transact-get", "summarize", "url",
    "inspect", "display", "print", "stats", "metrics", "events", "cat", "plan",
)  # fmt: skip
# These begin like a question and are none.
_FALSE_FRIENDS = ("check-in", "check-out", "test-invoke", "test-run", "test-role")
_DELETES = (
    "delete", "remove", "terminate", "destroy", "purge", "deregister", "drop", "rm", "rb", "stop", "cancel", "detach",
        "disassociate", "revoke", "disable", "erase", "unset", "empty", "uninstall", "release", "reset", "wipe",
    "deprovision", "deallocate", "abort", "batch-delete", "schedule-key-deletion", "force-delete", "kill",
        "power-off", "clear", "prune", "flush", "undeploy", "del",
)  # fmt: skip
_ACCESS = (
    "iam",
    "role",
    "policy",
    "permission",
    "credential",
    "access",
    "ad",
    "user",
    "users",
    "roles",
    "grant",
    "acl",
    "organizations",
    "sso",
    "login-profile",
    "service-accounts",
    "service-account",
    "sp",
    "identity",
)
_SECRET = (
    "secret",
    "secrets",
    "password",
    "access-token",
    "keys",
    "credentials",
    "token",
    "secretsmanager",
    "connection-string",
    "key-value",
    "tokens",
    "passwords",
    "print-access-token",
    "print-identity-token",
)


def leading_words(args: tuple[str, ...], valued: frozenset[str] = frozenset()) -> list[str]:
    """The words before the first option, leaving out global options that stand ahead of them."""
    words: list[str] = []
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if word[:1] == "-":
            if words:
                break
            if "=" not in word and word in valued:
                at += 1
            continue
        words.append(word)
    return words


def _begins(word: str, verbs: tuple[str, ...]) -> bool:
    return any(word == verb or word.startswith(verb + "-") for verb in verbs)


def only_looks(verb: str) -> bool:
    """Whether a verb asks and changes nothing."""
    return _begins(verb, _LOOKS) and not _begins(verb, _FALSE_FRIENDS)


def deletes(verb: str) -> bool:
    """Whether a verb takes something away."""
    return _begins(verb, _DELETES)


def judge_verb(draft: Draft, groups: list[str], verb: str) -> None:
    """Give a form its traits by its groups and its verb; what no verb list has changes something."""
    draft.add("network")
    touchy = any(
        word in _SECRET or word.endswith(("-secret", "-secrets", "-keys", "-credentials", "-token"))
        for word in (*groups, verb)
    )
    if "\0" in verb:
        draft.add("cloud/changes")
    elif only_looks(verb):
        draft.looks()
        draft.add("cloud/reads")
        if touchy and not verb.startswith(("list", "ls")) and verb not in {"describe", "help"}:
            draft.add("reads-secret")
    elif _begins(verb, _DELETES):
        draft.add("cloud/deletes")
    else:
        draft.add("cloud/changes")
    if not only_looks(verb):
        if any(word in _ACCESS or "iam" in word or "role" in word or "policy" in word for word in (*groups, verb)):
            draft.add("cloud/access")
        if touchy:
            draft.add("writes-secret")
