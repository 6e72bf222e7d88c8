"""Command lines of services are `group … verb --option value`: the verb says whether it looks, changes or deletes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import words as set_of

# What a verb does. "" is a word that is no verb; "makes" changes something and takes nothing from anybody.
Verb: TypeAlias = Literal["", "looks", "makes", "deploys", "deletes", "access", "runs"]
_LOOKS = set_of(
    "list show describe get head lookup search query check validate test estimate view count scan wait filter "
    "tail ls status info version exists help verify preview discover detect select read simulate browse history "
    "top find diff usage ping whoami explain logs log tree inspect display print stats metrics events cat plan "
    "lint doctor completion what-if versions releases regions about report summary dashboard docs peek poll "
    "console-output synth template render fmt format examine df watch summarize url"
)
_NOUNS = set_of(
    "log logs metrics events stats history info version versions test query tree plan check scan filter status "
    "usage report summary dashboard docs template releases regions top find head console-output watch format help"
)
_DELETES = set_of(
    "delete remove terminate destroy purge deregister drop rm rb stop cancel detach disassociate revoke disable "
    "erase unset empty uninstall reset wipe deprovision deallocate abort kill clear prune flush undeploy del nuke "
    "poweroff shutdown decommission evict unpublish yank rmi rmr deleteall unregister unlink truncate expire "
    "forget remove-all halt suspend pause undefine teardown leave deactivate drain discard invalidate retire "
    "deletedb release-address delay-delete unassign archive deletion hibernate down unlist unmap"
)
# Verbs that are also names of things: one that is no such name, behind them, counts.
_THINGS = _NOUNS | set_of(
    "run build config tag lock snapshot backup release share import export link deploy-request launch label shell "
    "console access login use connect update"
)
# They change what is live for others: a release, its size, its data, where traffic goes.
_DEPLOYS = set_of(
    "deploy redeploy rollback promote publish scale resize failover rebuild reimage restore reboot restart update "
    "modify patch change replace import submit apply sync swap switchover upgrade downgrade migrate cutover "
    "transfer power reconfigure overwrite rotate recover launch ship activate enable rename move send emit "
    "trigger execute-change-set edit write push release refresh resume start-execution reprocess requeue undo seek "
    "revert up"
)
_ACCESS = set_of("authorize-account-access grant attach-policy allow permit share invite assign expose open-port")
_RUNS = set_of("ssh scp run-command exec execute invoke call tunnel start-iap-tunnel console run shell")
_MAKES = set_of(
    "create add set put make mb new init login logout tag untag label start build upload download copy cp mv "
    "rsync clone register connect associate attach generate regenerate renew join subscribe unsubscribe enroll "
    "book use switch select-context link pull fetch export backup snapshot save lock unlock cordon ack "
    "acknowledge comment close open authorize assume configure setup config"
)
_KINDS: dict[str, Verb] = {
    **dict.fromkeys(_MAKES, "makes"),
    **dict.fromkeys(_RUNS, "runs"),
    **dict.fromkeys(_ACCESS, "access"),
    **dict.fromkeys(_DEPLOYS, "deploys"),
    **dict.fromkeys(_LOOKS, "looks"),
    **dict.fromkeys(_DELETES, "deletes"),
}
_GROUPS_OF_ACCESS = set_of(
    "iam role policy permission credential access ad user users roles grant acl organizations sso login-profile "
    "service-accounts service-account sp identity permissions collaborators team-members members policies defacl nsg "
    "security-group security"
)
_SECRET = set_of(
    "secret secrets password access-token keys credentials token secretsmanager connection-string key-value "
    "tokens passwords print-access-token print-identity-token"
)
_AHEAD = set_of("batch admin transact bulk force")  # they stand before a verb
_FALSE_FRIENDS = set_of("check-in check-out test-invoke test-run test-role")  # they begin like a question and are none
_GAPS = str.maketrans("_:.", "---")


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


def verb_of(word: str) -> Verb:
    """What a word tells a service to do: `delete`, `delete-stack`, `sites:delete`, `cluster-delete`, `DeleteVpc`."""
    kind = _KINDS.get(word)
    if kind is not None:
        return kind
    if word.isalpha():
        head = word[:1].lower() + _until_capital(word[1:])
        return _KINDS.get(head, "") if head != word else ""
    if "/" in word or "=" in word or "@" in word:
        return ""
    parts = word.translate(_GAPS).split("-")
    if parts[0] in _AHEAD:
        parts = parts[1:]
    if "-".join(parts[:2]) in _FALSE_FRIENDS:
        return "runs"
    if parts[0] == "authorize" and len(parts) > 2:
        return "access"
    if parts[0] == "set" and len(parts) > 1:
        return "deploys"
    kind = _KINDS.get(parts[0]) if parts[0] not in {"ssh", "console", "shell"} else None  # `ssh-keys` are things
    if kind is not None and ":" not in word:
        return kind
    if any(_KINDS.get(part) == "deletes" for part in parts[1:]):
        return "deletes"
    return _KINDS.get(parts[-1]) or kind or ""


def find_verb(words: list[str]) -> int:
    """Where the verb stands; names of things may stand before it and behind it. Without one, the last word's place."""
    found = -1
    for at, word in enumerate(words):
        if verb_of(word) == "":
            continue
        if word not in _THINGS and word.partition("-")[0] not in _NOUNS:
            return at
        found = at
    return found if found >= 0 else len(words) - 1


def _until_capital(word: str) -> str:
    for at, letter in enumerate(word):
        if letter.isupper():
            return word[:at]
    return word


def deletes(verb: str) -> bool:
    """Whether a verb takes something away."""
    return verb_of(verb) == "deletes"


def touches_secrets(words: list[str]) -> bool:
    """Whether groups or a verb name credentials."""
    return any(
        word in _SECRET or word.endswith(("-secret", "-secrets", "-keys", "-credentials", "-token")) for word in words
    )


def touches_access(words: list[str]) -> bool:
    """Whether groups or a verb name who may do what."""
    return any(
        word in _GROUPS_OF_ACCESS or "iam" in word or "role" in word or "policy" in word or "firewall" in word
        for word in words
    )


def judge_verb(draft: UseDraft, groups: list[str], verb: str) -> None:
    """Give a form its traits by its groups and its verb; what no verb list has changes something."""
    draft.add("network")
    kind = "" if "\0" in verb else verb_of(verb)
    named = [*groups, verb]
    touchy = touches_secrets(named)
    if kind == "looks":
        draft.looks()
        draft.add("cloud/reads")
        shown = verb.startswith(("list-keys", "list-credentials", "list-publishing", "list-connection"))
        keys = draft.name == "az" and verb == "list" and groups[-1:] == ["keys"]
        if shown or keys or (touchy and not verb.startswith(("list", "ls", "describe")) and verb != "help"):
            draft.add("reads-secret")
        return
    if kind == "deletes":
        draft.add("cloud/deletes")
    elif kind == "deploys":
        draft.add("cloud/changes", "cloud/deploys")
    elif kind == "runs":
        draft.add("cloud/runs")
    elif draft.name == "az" and verb == "set":
        draft.add("cloud/changes", "cloud/deploys")
    else:
        draft.add("cloud/changes")
    if kind == "access" or touches_access(named):
        draft.add("cloud/access")
    if touchy:
        draft.add("writes-secret")
