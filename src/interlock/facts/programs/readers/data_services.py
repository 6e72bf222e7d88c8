"""Stores of data, queues, pipelines of data and backups, whose command lines are groups, a verb and names."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special, words


def _kafka(draft: UseDraft) -> None:
    """Kafka's scripts do what their options say."""
    flags = set(draft.flags)
    if {"--delete", "--remove", "--delete-config"} & flags or draft.name.startswith(
        ("kafka-delete-records", "kafka-leader-election", "kafka-streams-application-reset")
    ):
        draft.add("database/deletes")
    elif "--reset-offsets" in flags:
        if "--execute" in flags:
            draft.add("database/deletes")
        elif not draft.unknown:
            draft.looks("database/writes")
    elif "--add" in flags and "acls" in draft.name:
        draft.add("cloud/access")
    elif "--alter" in flags or ("--execute" in flags and "reassign" in draft.name):
        draft.add("database/writes", "cloud/deploys")
    elif {"--list", "--describe", "--members", "--state", "--verify", "--generate"} & flags or draft.name.startswith(
        ("kafka-console-consumer", "kafka-dump-log", "kafka-broker-api", "kafka-get-offsets")
    ):
        draft.looks("database/writes")


def _pod(draft: UseDraft) -> None:
    """`nodetool`, `zkCli.sh` and others, which take options of their own before the verb."""
    if any(word in {"delete", "deleteall", "rmr", "removewatches"} for word in draft.operands):
        draft.add("database/deletes")
    elif draft.operands and draft.operands[0] in {"ls", "get", "stat", "getAcl", "ls2", "version"}:
        draft.looks("database/writes")


_HDFS_LOOKS = words(
    "-ls -lsr -cat -text -tail -head -stat -du -df -count -test -find -help -checksum -getfacl -getfattr -usage"
)


def _hdfs(draft: UseDraft) -> None:
    verb = draft.args[1] if len(draft.args) > 1 else ""
    if verb in {"-rm", "-rmr", "-rmdir", "-expunge", "-truncate", "-deleteSnapshot"}:
        draft.add("database/deletes")
        if "-skipTrash" in draft.args:
            draft.add("database/drops")
    elif verb in _HDFS_LOOKS:
        draft.unknown.clear()
        draft.looks("database/writes")
        draft.add("database/reads")
    elif verb in {"-chmod", "-chown", "-setfacl"}:
        draft.add("cloud/access")


READERS: dict[str, Special] = {
    "hdfs_application": (
        lambda draft: (
            draft.add("cluster/deletes")
            if "-kill" in draft.args
            else draft.looks("cluster/changes")
            if {"-list", "-status", "-logs"} & set(draft.args)
            else None
        )
    ),
    "hdfs_dfs": (lambda draft: _hdfs(draft)),
    "hdfs_dfsadmin": (
        lambda draft: (
            draft.looks("database/writes", "service")
            if {"-report", "-printTopology", "-getServiceState", "-getAllServiceState"} & set(draft.args)
            else None
        )
    ),
    "hdfs_distcp": (lambda draft: draft.add("database/deletes") if "-delete" in draft.args else None),
    "hdfs_namenode": (lambda draft: draft.add("database/drops") if "-format" in draft.args else None),
    "hdfs_version": (lambda draft: draft.add("database/deletes") if {"-delete", "-move"} & set(draft.args) else None),
    "kafka": _kafka,
    "pod": _pod,
}
