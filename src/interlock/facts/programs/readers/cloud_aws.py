"""Amazon's command line."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.cloud_verbs import judge_verb
from interlock.facts.programs.readers.databases import judge_sql
from interlock.facts.programs.table import Special, words


def _service(draft: UseDraft) -> None:
    """`aws SERVICE OPERATION`: named after what the interface calls it."""
    said = draft.operands
    if not said:
        return
    service, verb = draft.words[-1], said[0]
    if said[1:] == ["help"]:
        draft.dry = True
    judge_verb(draft, [service], verb)
    for _, value in draft.values:
        if value.startswith(("file://", "fileb://")):
            draft.reads.append(value.partition("://")[2])
    for word in said[1:]:
        if word.startswith(("file://", "fileb://")):
            draft.reads.append(word.partition("://")[2])
    _particular(draft, service, verb, said)
    if verb in {"start-query-execution", "execute-statement", "batch-execute-statement"}:
        _query(draft)


def _query(draft: UseDraft) -> None:
    """A query for a store of data is judged as one."""
    args = draft.args
    for at, word in enumerate(args):
        name, mark, text = word.partition("=")
        if name in {"--query-string", "--sql", "--statement", "--sqls"}:
            judge_sql(draft, text if mark else args[at + 1] if at + 1 < len(args) else "\0")
            if not {"database/writes", "database/drops", "database/deletes"} & (draft.traits or set()):
                draft.looks("cloud/changes", "cloud/deploys", "cloud/runs")
                draft.add("cloud/reads")
            return


_SENDS = words(
    "send-email send-raw-email send-templated-email send-bulk-email send-bulk-templated-email send-text-message "
    "send-custom-verification-email send-voice-message send-messages send-users-messages"
)
# They change a note, a name or what only the caller sees.
_MILD = words(
    "update-kubeconfig put-metric-data tag-resource untag-resource change-tags-for-resource start-query stop-query "
    "send-message send-message-batch receive-message"
)
# They put settings of something live, though their verb often makes something new.
_LIVE = (
    "put-bucket-", "put-public-access-block", "put-secret-value", "put-function-concurrency", "put-scaling-policy",
    "put-rule", "put-retention-policy", "batch-write-item", "change-resource-record-sets", "create-invalidation",
    "set-desired-capacity", "set-load-balancer", "set-security-groups", "set-subnets", "set-queue-attributes",
    "set-topic-attributes", "set-identity-", "set-user-pool-", "start-instance-refresh", "reboot-", "execute-",
    "start-automation-execution", "start-pipeline-execution", "start-build", "start-deployment", "start-job-run",
    "create-deployment", "unsubscribe", "stop-",
)  # fmt: skip


def _particular(draft: UseDraft, service: str, verb: str, said: list[str]) -> None:
    key = (service, verb)
    if key in {
        ("s3api", "get-object"),
        ("lambda", "invoke"),
        ("glacier", "get-job-output"),
        ("s3api", "get-object-torrent"),
    }:
        draft.writes += said[-1:]
        draft.add("downloads")
    if key in {
        ("ssm", "send-command"),
        ("ssm", "start-session"),
        ("ecs", "execute-command"),
        ("lambda", "invoke"),
        ("ec2-instance-connect", "ssh"),
        ("ecs", "run-task"),
    }:
        draft.add("cloud/runs")
        draft.drop("read-only", "cloud/reads")
    if service in {"kms"} and verb in {"decrypt", "encrypt", "generate-data-key", "sign"}:
        draft.add("encrypts")
        if verb == "decrypt":
            draft.add("reads-secret")
    if verb in _SENDS or key == ("sns", "publish"):
        draft.add("notifies", "cloud/changes")
        draft.drop("cloud/deploys")
    if verb in _MILD:
        draft.drop("cloud/deploys")
    if verb.startswith(_LIVE):
        draft.add("cloud/deploys")
    if verb.endswith("-acl") and verb.startswith("put-"):
        draft.add("cloud/access")
    if service == "sts" and verb.startswith(("assume-role", "get-session-token", "get-federation-token")):
        draft.add("reads-secret")
        draft.drop("cloud/changes")
    if key in {("secretsmanager", "get-random-password"), ("sts", "decode-authorization-message")}:
        draft.drop("reads-secret")
    if "--with-decryption" in draft.flags:
        draft.add("reads-secret")
    if key in {("ecr", "get-login-password"), ("ecr", "get-login"), ("ec2", "get-password-data"), ("ecr",
        "get-authorization-token"), ("eks", "get-token"), ("rds", "generate-db-auth-token"),
               ("codeartifact", "get-authorization-token"), ("iam", "create-access-key"), ("ec2",
                   "create-key-pair"), ("cognito-identity",
                   "get-credentials-for-identity")}:  # fmt: skip
        draft.add("reads-secret")
    if service == "cloudtrail" and verb in {"stop-logging", "delete-trail", "update-trail", "put-event-selectors"}:
        draft.add("log-wiped", "security-off")
    if service in {"guardduty", "securityhub", "config", "configservice", "macie2", "wafv2"} and verb.startswith(
        ("delete", "stop", "disable", "update-detector")
    ):
        draft.add("security-off")
    if service == "eks" and verb == "update-kubeconfig":
        draft.writes.append("~/.kube/config")
        draft.drop("cloud/changes")
        draft.add("changes")
    if service == "cloudformation" and verb in {"deploy", "create-stack", "update-stack", "execute-change-set"}:
        draft.add("infra/applies")
    if service == "cloudformation" and verb == "delete-stack":
        draft.add("infra/destroys")
    if "--dry-run" in draft.flags and service == "ec2":
        draft.dry = True


def _s3_move(draft: UseDraft) -> None:
    """`cp`, `sync`, `mv` between here and there."""
    words = [word for word in draft.operands if "\0" not in word or "/" in word][:2]
    if len(words) < 2:
        return
    source, target = words
    up, down = target.startswith("s3://"), source.startswith("s3://")
    draft.urls += [word for word in words if word.startswith("s3://")]
    if up and not down:
        draft.sends = True
        if source == "-":
            draft.add("sends-stdin")
        else:
            draft.send(source)
        draft.add("cloud/changes")
    elif down and not up:
        if target == "-":
            draft.looks("cloud/changes")
            draft.add("cloud/reads")
        else:
            draft.writes.append(target)
            draft.add("downloads")
    else:
        draft.add("cloud/changes")
    if draft.words[-1] == "mv":
        draft.add("cloud/deletes")
        if not down:
            draft.deletes.append(source)
    if "--delete" in draft.flags:
        draft.add("cloud/deletes")
        if not up:
            draft.deletes.append(target)


def _sign_on(draft: UseDraft) -> None:
    if draft.operands[:1] in (["login"], ["logout"]):
        draft.add("signs-in", "network")
    else:
        _service(draft)


def _configured(draft: UseDraft) -> None:
    """A region is told; a key is shown."""
    if not draft.operands or any(part in draft.operands[0] for part in ("secret", "token", "\0")):
        draft.add("reads-secret")


def _help_page(draft: UseDraft) -> None:
    """`help` behind any command shows its page."""
    draft.dry = draft.dry or draft.operands == ["help"]


READERS: dict[str, Special] = {
    "configured": _configured,
    "help_page": _help_page,
    "s3_move": _s3_move,
    "service": _service,
    "sign_on": _sign_on,
}
