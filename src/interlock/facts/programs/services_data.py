"""Stores of data, queues, pipelines of data and backups, whose command lines are groups, a verb and names."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.services import service
from interlock.facts.programs.table import Program, Table, act, look, words

__all__ = ["TABLE"]


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


_LOAD = "database/writes database/restores"

TABLE: Table = {
    "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh "
    "kafka-acls kafka-acls.sh kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions "
    "kafka-reassign-partitions.sh kafka-leader-election kafka-leader-election.sh kafka-console-producer "
    "kafka-console-producer.sh kafka-console-consumer kafka-console-consumer.sh kafka-get-offsets kafka-get-offsets.sh "
    "kafka-dump-log kafka-dump-log.sh kafka-broker-api-versions kafka-broker-api-versions.sh kafka-log-dirs "
    "kafka-log-dirs.sh kafka-streams-application-reset kafka-streams-application-reset.sh kafka-storage "
    "kafka-storage.sh kafka-transactions kafka-transactions.sh": Program(
        "bootstrap-server= broker-list= zookeeper= topic= group= partitions= replication-factor= config= delete list "
        "describe alter create add-config= delete-config= entity-type= entity-name= reset-offsets execute dry-run "
        "to-earliest to-latest to-offset= shift-by= all-topics all-groups members state offsets verify generate add "
        "remove allow-principal= operation= offset-json-file=read command-config=read "
        "reassignment-json-file=read force!forced from-beginning max-messages= property= consumer.config=read "
        "producer.config=read *",
        "text*", "database/writes network", special=_kafka, long=False),
    "rpk": service("database", {
        "read-only":
            "topic list, topic describe, topic consume, cluster info, cluster health, cluster status, group "
            "list, group describe, version",
        "cloud/deploys database/writes":
            "topic alter-config, cluster config set, cluster config import, redpanda tune",
        "cloud/access": "acl create, acl user create, security acl create",
        "service": "redpanda start, redpanda stop",
        "container/changes": "container start, container stop, container purge",
    }),
    "rabbitmqctl rabbitmq-diagnostics rabbitmq-queues rabbitmq-upgrade": service("database", {
        "read-only":
            "list_queues, status, cluster_status, environment, report, ping, eval_file, list_users, "
            "list_vhosts, list_permissions, list_exchanges, list_bindings, list_connections, list_channels, "
            "check_running, help",
        "cloud/access":
            "set_permissions, add_user, set_user_tags, change_password, set_topic_permissions, "
            "clear_permissions, clear_password, authenticate_user",
        "database/deletes":
            "stop_app, reset, force_reset, forget_cluster_node, delete_queue, purge_queue, delete_vhost, "
            "delete_user, close_connection, close_all_connections, stop, shutdown, force_boot",
        "cloud/runs": "eval",
    }),
    "rabbitmqadmin": service("database", {
        "read-only": "list, show, get, help",
        "database/deletes": "delete, purge, close",
        _LOAD: "import",
        "database/reads downloads": "export",
    }),
    "nats": service("database", {
        "read-only":
            "stream ls, stream info, stream view, stream report, consumer ls, consumer info, kv get, kv ls, "
            "account info, server list, server info, context ls, rtt, latency",
        "network": "sub, reply",
        "database/writes": "pub, request, kv put, stream add, consumer add",
        "database/deletes":
            "stream rm, stream purge, stream rmm, consumer rm, kv del, kv rm, kv purge, object rm, object del",
        _LOAD: "stream restore, account restore",
    }),
    "pulsar-admin bin/pulsar-admin": service("database"),
    "influx": service("database", {
        "database/writes": "write",
        "read-only": "ping, bucket list, org list, version, query, v1 dbrp list, config ls, completion",
        "database/deletes": "delete, bucket delete, org delete, user delete, task delete",
        _LOAD: "restore",
        "database/reads downloads": "backup",
        "changes writes-secret": "config create, config set",
        "cloud/access writes-secret reads-secret": "auth create",
    }, {"-execute": "database/writes"}),
    "etcdctl etcdutl": service("cluster", {
        "cluster/reads read-only":
            "get, watch, endpoint health, endpoint status, member list, alarm list, user list, role list, "
            "version, check perf, endpoint hashkv, auth status, user get, role get, snapshot status",
        "cluster/changes":
            "put, txn, compaction, defrag, move-leader, member add, member update, lock, lease grant",
        "cluster/deletes": "del, member remove, lease revoke, user delete, role delete, alarm disarm",
        "cluster/deletes cloud/access": "auth disable",
        "database/restores cluster/changes": "snapshot restore",
        "database/dumps downloads": "snapshot save",
    }),
    "zkCli.sh zkcli zkCli zookeepercli zk-shell": act("database/writes network", "server= timeout= r waitforconnection",
        long=True, special=_pod),
    "nodetool": service("database", {
        "read-only":
            "status, info, ring, describecluster, tpstats, cfstats, tablestats, netstats, gossipinfo, version, "
            "compactionstats, listsnapshots, tablehistograms, proxyhistograms, getendpoints, "
            "getcompactionthroughput, gcstats",
        "database/deletes":
            "decommission, removenode, assassinate, clearsnapshot, drain, garbagecollect, truncatehints, "
            "stopdaemon, resetlocalschema",
        "database/writes": "repair, flush, snapshot, compact, cleanup, refresh, rebuild, scrub, upgradesstables",
    }),
    "neo4j-admin neo4j": service("database", {
        "read-only": "status, version, server report, database info, database check, report, check-consistency",
        _LOAD: "database load, load, database restore, restore, database import, import",
        "database/dumps": "database dump, dump, database backup, backup",
        "service": "start, stop, restart, console, server start",
        "users writes-secret": "dbms set-initial-password, set-initial-password",
    }),
    "surreal": service("database", {
        "database/writes": "sql",
        "service": "start",
        _LOAD: "import",
        "database/dumps": "export",
        "read-only": "version, isready",
    }),
    "pscale planetscale": service("cloud", {
        "signs-in": "auth login, auth logout, login",
        "database/writes cloud/runs": "shell",
        "network/tunnels": "connect",
        "cloud/changes cloud/deploys":
            "deploy-request deploy, deploy-request revert, branch promote, backup restore",
        "cloud/changes": "deploy-request create, branch create",
        "writes-secret reads-secret": "password create",
        "downloads": "database dump",
        "database/restores": "database restore-dump",
        "read-only":
            "deploy-request list, deploy-request show, deploy-request diff, password list, branch schema, "
            "branch diff",
    }),
    "turso": service("cloud", {
        "signs-in": "auth login, auth logout",
        "reads-secret": "auth token, db tokens create, group tokens create",
        "database/writes cloud/runs": "db shell",
        "runs-project": "dev",
        "database/deletes": "db tokens invalidate",
        "read-only": "db list, db show, db inspect, group list, plan show, auth whoami, db locations",
    }),
    "neonctl neon": service("cloud", {
        "signs-in": "auth",
        "reads-secret": "connection-string, cs",
        "read-only": "me, branches list, projects list",
        "database/restores": "branches restore, branches reset",
        "changes": "set-context, bootstrap",
    }),
    "databricks": service("cloud", {
        "cloud/runs": "jobs run-now, jobs submit, runs submit",
        "signs-in writes-secret": "configure, auth login",
        "reads-secret": "auth token",
        "read-only": "fs ls, fs cat, workspace ls, current-user me, auth profiles, bundle validate",
        "cloud/changes": "fs cp, fs mkdirs, workspace import",
        "downloads": "workspace export, workspace export_dir",
        "cloud/changes cloud/deploys": "bundle deploy",
        "cloud/deletes": "bundle destroy, fs rm",
        "runs-project": "bundle run",
    }),
    "snow": service("cloud", {
        "database/writes": "sql, object create",
        "cloud/changes cloud/deploys": "app deploy, app run, streamlit deploy",
        "read-only": "connection list, connection test, object list, stage list, app validate",
        "changes": "init, connection add",
    }),
    "confluent ccloud": service("cloud", {
        "signs-in": "login, logout",
        "read-only": "kafka topic consume, environment use, kafka cluster use, api-key use",
        "cloud/changes": "kafka topic produce",
        "reads-secret writes-secret": "api-key create",
        "container/changes": "local kafka start, local kafka stop, local services start, local services stop",
    }),
    "airflow": service("local", {
        "read-only":
            "dags list, dags show, dags state, dags report, dags list-runs, tasks list, tasks state, tasks "
            "render, info, version, config list, config get-value, db check, db check-migrations, pools list, "
            "providers list, cheat-sheet, jobs check, plugins, variables list, users list, roles list, dags "
            "details, dags list-import-errors",
        "reads-secret": "connections get, connections list, connections export, variables get, variables export",
        "database/writes":
            "db migrate, db upgrade, db init, pools set, variables set, connections add, dags unpause, dags "
            "pause, variables import, connections import, pools import",
        "database/deletes":
            "db reset, db clean, db downgrade, dags delete, tasks clear, pools delete, variables delete, "
            "connections delete, users delete, roles delete, db drop-archived",
        "cloud/runs": "dags trigger, dags backfill, backfill create, tasks run, celery worker",
        "cloud/access users":
            "users create, users add-role, users remove-role, roles create, users reset-password",
        "service network/listens":
            "webserver, scheduler, triggerer, standalone, api-server, dag-processor, kerberos",
        "runs-project": "tasks test, dags test",
        "database/reads": "db shell",
    }),
    "prefect dagster mage luigi kedro metaflow flyte pyflyte": service("local", {
        "read-only":
            "version, flow ls, deployment ls, deployment inspect, work-pool ls, flow-run ls, config view, job "
            "list, run list, schedule list, asset list, profile ls, registry list, catalog list, definitions "
            "validate, flow-run logs",
        "cloud/deletes":
            "deployment delete, flow-run delete, flow delete, work-pool delete, block delete, variable delete, "
            "asset wipe, schedule wipe, flow-run cancel, work-queue delete",
        "database/deletes": "server database reset, run wipe, run delete, run wipe-worker",
        "cloud/changes cloud/deploys": "deploy, deployment apply, deployment run, cloud deploy, register",
        "service network/listens": "server start, dev, ui, agent start, worker start, webserver",
        "signs-in": "cloud login, cloud logout",
        "runs-project": "run, job execute, asset materialize, test, package",
        "changes": "init, new, project scaffold, config set",
    }),
    "dvc": service("local", {
        "read-only":
            "status, diff, list, ls, dag, version, params diff, metrics show, metrics diff, plots show, plots "
            "diff, exp show, exp diff, remote list, doctor, root, check-ignore, exp list, data status, data ls",
        "cloud/deletes shreds": "gc",
        "network downloads": "pull, fetch, get, import, import-url, get-url, update",
        "cloud/changes network": "push, exp push",
        "changes":
            "add, commit, checkout, move, unprotect, init, remote add, remote modify, config, install, freeze, "
            "unfreeze, remove, exp remove, exp apply, exp save, stage add, remote remove, cache dir, destroy",
        "runs-project": "repro, run, exp run, queue start",
    }),
    "mlflow wandb comet neptune clearml": service("cloud", {
        "service network/listens":
            "server, ui, models serve, server start, gateway start, deployments start-server",
        "signs-in writes-secret": "login",
        "runs-project": "run, agent, models predict, launch",
        "changes":
            "init, offline, online, disabled, enabled, artifact cache cleanup, models build-docker, models "
            "generate-dockerfile",
        "read-only":
            "status, experiments search, experiments get, runs list, runs describe, artifacts list, doctor, "
            "verify",
        "downloads": "artifacts download, artifact get, pull, restore",
        "cloud/deletes shreds": "gc",
        "cloud/changes": "sync, artifact put, artifacts log-artifact, sweep",
    }),
    "dolt doltctl": service("database", {
        "read-only": "status, log, diff, ls, branch, blame, schema show, version, remote",
        "database/deletes": "reset, table rm, revert, filter-branch",
        "database/writes": "checkout, gc, sql, add, commit, merge, table import, clone, pull, fetch, init",
        "database/writes cloud/deploys": "push",
        "service network/listens": "sql-server",
    }),
    "gluster": service("database", {
        "read-only":
            "volume info, volume status, peer status, pool list, volume list, volume heal info, snapshot list, "
            "snapshot info",
        "database/drops": "volume delete, volume reset, snapshot delete",
        "database/deletes": "volume stop, volume remove-brick, peer detach, snapshot restore",
    }),
    "hdfs hadoop mapred": Program("config= loglevel=", "text*", "database/writes network", long=True, subs={
        "dfs fs": Program("", "text*", "database/writes", long=True, special=lambda draft: _hdfs(draft)),
        "version classpath envvars checknative fsck getconf lsSnapshottableDir snapshotDiff node queue logs top "
        "groups": look("*", "text*", "database/reads", special=lambda draft: draft.add("database/deletes")
            if {"-delete", "-move"} & set(draft.args) else None),
        "jar": act("runs-project cluster/runs", "*", "mention*"),
        "application applicationattempt container job": act("cluster/changes", "*",
            special=lambda draft: draft.add("cluster/deletes") if "-kill" in draft.args
                else draft.looks("cluster/changes") if {"-list", "-status", "-logs"} & set(draft.args) else None),
        "distcp": act("database/writes", "*",
            special=lambda draft: draft.add("database/deletes") if "-delete" in draft.args else None),
        "namenode": act("service database/writes", "*", special=lambda draft: draft.add("database/drops")
            if "-format" in draft.args else None),
        "dfsadmin rmadmin haadmin": act("database/writes service", "*",
            special=lambda draft: draft.looks("database/writes", "service") if {"-report", "-printTopology",
                "-getServiceState", "-getAllServiceState"} & set(draft.args) else None),
        "*": act("service database/writes", "*")}),
    "hbase": Program("", "text*", "database/writes", subs={
        "shell": act("database/writes", "n/noninteractive", "file*", stdin="code:ruby"),
        "version classpath hbck": look("*"), "*": act("service database/writes", "*")}),
    "velero": service("cluster", {
        "cluster/deletes": "backup delete, schedule delete, restore delete, uninstall, backup-location delete",
        "cluster/changes": "backup create, schedule create, install, create",
        "database/restores cluster/changes": "restore create, create restore",
        "read-only cluster/reads":
            "backup get, backup describe, backup logs, restore get, restore describe, restore logs, schedule "
            "get, get, describe, version, client config get, plugin get, schedule describe, backup-location "
            "get, repo get",
        "downloads": "backup download",
        "cluster/deletes cluster/changes": "delete",
    }),
    "pgbackrest wal-g barman pg_probackup pghoard xtrabackup mariabackup mydumper myloader": service("database", {
        "read-only":
            "info, check, version, backup-list, list-backup, show-backup, list-backups, backup-show, "
            "list-files, show-config, list-server, wal-show, wal-verify, show, validate, status, help, "
            "list-servers, show-server, diagnose",
        "database/restores": "restore, recover, backup-fetch, wal-fetch, get-wal, catchup",
        "shreds database/deletes":
            "delete, stanza-delete, expire, delete everything, del-backup, merge, retention",
        "database/dumps":
            "backup, backup-push, wal-push, archive-push, cron, switch-wal, stanza-create, stanza-upgrade, "
            "add-instance",
    }, {"--copy-back": "database/restores", "--move-back": "database/restores"}),
    "dropbox-cli megacmd gdrive drive onedrive": service("cloud"),
    "mc mcli minio-client": service("cloud", {
        "read-only":
            "ls, cat, head, stat, diff, find, tree, du, admin info, admin user list, admin policy list, alias "
            "list, version info, admin user info, ilm rule ls, admin policy info, tag list, anonymous get, "
            "replicate status, ping, ready, od, sql, admin trace",
        "cloud/changes": "cp, mb, put, pipe, tag set, version enable",
        "cloud/changes cloud/deletes": "mv",
        "writes-secret": "alias set",
        "changes": "alias remove, alias rm",
        "downloads": "get",
        "cloud/deletes": "rm, rb, undo, ilm rule rm, ilm rule remove, event remove, replicate rm",
        "cloud/access":
            "anonymous set, policy set, admin user add, admin user remove, admin user disable, admin policy "
            "attach, admin policy detach, admin policy create, admin policy remove, admin group add, share "
            "upload",
        "cloud/changes cloud/deploys":
            "admin service restart, admin service stop, admin config set, admin update, mirror",
    }, {"--remove": "cloud/deletes"}),
    "b2 b2v4": service("cloud", {
        "read-only":
            "ls, list-buckets, list-file-names, get-account-info, get-bucket, bucket list, bucket get, account "
            "get, file info, version",
        "downloads": "download-file-by-name, download-file, file download",
        "signs-in": "authorize-account, clear-account, account authorize",
        "cloud/changes": "upload-file, file upload, create-bucket, bucket create, sync",
        "reads-secret writes-secret": "create-key, key create",
        "cloud/deletes":
            "delete-bucket, bucket delete, delete-file-version, file delete, rm, delete-key, key delete, "
            "hide-file, file hide",
    }, {"--delete": "cloud/deletes", "--replace-newer": "cloud/deploys"}),
}  # fmt: skip


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
