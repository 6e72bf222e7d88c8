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


# What operations do beside what their verbs say; a trait with a dash is taken away.
_OPERATIONS: dict[tuple[str, ...], frozenset[str]] = {
    ("cloud/runs", "-read-only", "-cloud/reads"): words(
        "ssm:send-command ssm:start-session ecs:execute-command ecs:run-task lambda:invoke ec2-instance-connect:ssh"
    ),
    ("downloads",): words("s3api:get-object s3api:get-object-torrent lambda:invoke glacier:get-job-output"),
    ("encrypts",): words("kms:decrypt kms:encrypt kms:generate-data-key kms:sign"),
    ("reads-secret",): words(
        "kms:decrypt ecr:get-login-password ecr:get-login ecr:get-authorization-token ec2:get-password-data "
        "ec2:create-key-pair eks:get-token rds:generate-db-auth-token codeartifact:get-authorization-token "
        "iam:create-access-key cognito-identity:get-credentials-for-identity"
    ),
    ("-reads-secret",): words("secretsmanager:get-random-password sts:decode-authorization-message"),
    ("notifies", "cloud/changes", "-cloud/deploys"): words("sns:publish"),
    ("changes", "-cloud/changes"): words("eks:update-kubeconfig"),
    ("infra/applies",): words(
        "cloudformation:deploy cloudformation:create-stack cloudformation:update-stack "
        "cloudformation:execute-change-set"
    ),
    ("infra/destroys",): words("cloudformation:delete-stack"),
    ("log-wiped", "security-off"): words(
        "cloudtrail:stop-logging cloudtrail:delete-trail cloudtrail:update-trail cloudtrail:put-event-selectors"
    ),
}
_GUARDS = words("guardduty securityhub config configservice macie2 wafv2")


def _particular(draft: UseDraft, service: str, verb: str, said: list[str]) -> None:
    operation = f"{service}:{verb}"
    for traits, operations in _OPERATIONS.items():
        if operation in operations:
            draft.add(*traits)
            if "downloads" in traits:
                draft.writes += said[-1:]
    if operation == "eks:update-kubeconfig":
        draft.writes.append("~/.kube/config")
    if verb in _SENDS:
        draft.add("notifies", "cloud/changes", "-cloud/deploys")
    if verb in _MILD:
        draft.drop("cloud/deploys")
    if verb.startswith(_LIVE):
        draft.add("cloud/deploys")
    if verb.startswith("put-") and verb.endswith("-acl"):
        draft.add("cloud/access")
    if service == "sts" and verb.startswith(("assume-role", "get-session-token", "get-federation-token")):
        draft.add("reads-secret", "-cloud/changes")
    if "--with-decryption" in draft.flags:
        draft.add("reads-secret")
    if service in _GUARDS and verb.startswith(("delete", "stop", "disable", "update-detector")):
        draft.add("security-off")
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
