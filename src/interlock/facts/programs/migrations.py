"""Tools that bring a project's database, site or backup from one state to another, forward or back."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.services import service
from interlock.facts.programs.table import Program, Table, act, look, words

__all__ = ["TABLE", "judge_task"]

_BACK = words("down downgrade rollback undo revert redo zero to-zero")
_EMPTY = words("drop reset flush clean wipe fresh refresh drop-all dropall clear sqlflush reset_db purge")


def judge_task(draft: UseDraft, task: str) -> None:
    """`db:rollback`, `ecto.drop`, `migrate:fresh`, `migration:revert:all`: what a task's name says of the database."""
    parts = task.lower().replace(".", ":").split(":")
    if not any(part in _GROUPS for part in parts[:-1]):
        return
    if (_EMPTY | _BACK).intersection(parts):
        draft.add("database/deletes")


_GROUPS = words("db migrate migration schema ecto doctrine database seed pg mongo redis typeorm")


def _tasks(draft: UseDraft) -> None:
    for word in draft.operands[:6]:
        if ":" in word or "." in word:
            judge_task(draft, word)


def _manage(draft: UseDraft) -> None:
    """Django's tasks: which of them empty or lower the database."""
    task, rest = (draft.operands[0], draft.operands[1:]) if draft.operands else ("", [])
    back = task == "migrate" and rest[1:2] == ["zero"]
    if back or task in {"flush", "reset_db", "drop_test_database", "delete_squashed_migrations", "clear_cache_db"}:
        draft.add("database/deletes")
    elif task in {"check", "showmigrations", "diffsettings", "sqlmigrate", "help", "version", "show_urls"}:
        draft.looks("runs-project")
        draft.add("runs-project")
    elif task in {"shell", "shell_plus"}:
        draft.stdin = "code:python"
        for at, word in enumerate(draft.args[:-1]):
            if word in {"-c", "--command"}:
                draft.run("code:python", draft.args[at + 1])
                draft.stdin = "data"
    elif task == "dbshell":
        draft.add("database/writes")
        draft.stdin = "code:sql"


def _steps(draft: UseDraft) -> None:
    """`alembic downgrade`, `flask db downgrade`: the verb stands among the first words."""
    said = set(draft.operands[:3])
    if draft.operands[:1] == ["shell"]:
        draft.stdin = "code:python"
    if said & _BACK:
        draft.add("database/deletes")


def _prisma(draft: UseDraft) -> None:
    said = draft.operands[:2]
    if said == ["migrate", "reset"] or (
        said == ["db", "push"] and {"--force-reset", "--accept-data-loss"} & set(draft.args)
    ):
        draft.add("database/deletes")
    elif said == ["db", "execute"]:
        draft.add("database/writes", "database/deletes")
    elif said[:1] in (["format"], ["validate"], ["version"]) or said in (["migrate", "status"], ["migrate", "diff"]):
        draft.looks("runs-project")


def _drizzle(draft: UseDraft) -> None:
    if draft.operands[:1] == ["drop"] or (draft.operands[:1] == ["push"] and "--force" in draft.args):
        draft.add("database/deletes")


def _forward(draft: UseDraft) -> None:
    """Options stand before the verb here (`migrate -path m -database u drop`), so any word may be it."""
    said = set(draft.operands)
    if said & _EMPTY or {"drop-all", "dropAll"} & said:
        draft.add("database/drops")
    elif said & _BACK or any(word.startswith(("rollback", "down-", "undo")) for word in said):
        draft.add("database/deletes")
    elif said & _LOOKS:
        draft.looks("database/writes")
        draft.add("database/reads")


_LOOKS = words("status info validate version history list verify log plan current diff lint inspect update-sql "
               "rollback-sql future-rollback-sql changelog-sync-sql snapshot show dump generate-changelog")  # fmt: skip


def _dotnet_ef(draft: UseDraft) -> None:
    if draft.operands[:2] == ["database", "drop"]:
        draft.add("database/deletes", "database/drops")


# Backups that lie elsewhere: what opens them, and how they are reached, are commands.
_REMOTE = (
    "password-command=shell rsh=shell ssh-command=shell remote-schema=shell remote-path= r/repo= p/password-file=read *"
)

TABLE: Table = {
    "flyway liquibase goose dbmate sqlx diesel migrate sqitch golang-migrate atlas refinery tern dbdeployer "
    "node-pg-migrate db-migrate migrate-mongo umzug yoyo evolve": Program(
        "path= database= source= url= u/dir= d/env= e= f/force!forced y yes configFiles= changelog-file= "
            "changeLogFile= "
        "defaults-file=read username= password= dev-url= to= from= n/count= v/verbose D/connection= *",
        "text*", "database/writes network", special=_forward, long=True),
    "alembic flask aerich piccolo": act("runs-project", "c/config= n/name= x= app= A= e/env-file= raiseerr debug "
        "m/message= autogenerate sql!acts *", "mention*", special=_steps),
    "django-admin manage.py": act("runs-project", "settings= pythonpath= noinput no-input traceback v/verbosity= "
        "database= no-color force-color skip-checks *", "mention*", special=_manage),
    "prisma": act("runs-project", "schema= *", "mention*", special=_prisma),
    "drizzle-kit": act("runs-project", "config= dialect= out= schema= *", "mention*", special=_drizzle),
    "knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm mikro-orm objection strapi "
    "adonis ace kysely": act("runs-project", "*", "mention*", special=_tasks),
    "dotnet-ef": act("runs-project", "*", "mention*", special=_dotnet_ef),
    "hasura": service("cloud", {
        "read-only":
            "migrate status, metadata diff, metadata inconsistency list, version, metadata inconsistency status",
        "database/writes": "migrate apply, seed apply",
        "changes": "init, migrate create, seed create, migrate squash",
        "cloud/changes cloud/deploys": "metadata apply, deploy, metadata reload, metadata inconsistency drop",
        "cloud/deletes": "metadata clear",
        "downloads": "metadata export",
        "service": "console",
    }, {"--down": "database/deletes", "--skip-execution": "database/writes"}),
    "dbt": service("local", {
        "runs-project database/writes":
            "run, build, seed, snapshot, test, retry, clone, compile, docs generate, source freshness",
        "read-only": "ls, list, debug, parse",
        "changes": "init, deps, clean",
        "runs-project": "show, docs serve",
        "database/writes database/deletes runs-project": "run-operation",
    }, {"--full-refresh": "database/deletes"}),
    # Sites
    "wp wp-cli": service("local", {
        "read-only":
            "plugin list, theme list, core version, core check-update, option list, user list, user get, post "
            "list, post get, site list, db check, db tables, db size, db columns, cron event list, cli info, "
            "cli version, help, menu list, core is-installed, core verify-checksums, plugin status, config "
            "path, plugin get, theme get, cache type, transient list, role list, cap list, comment list, term "
            "list, media regenerate-list, db search",
        "database/drops": "db drop, db reset, db clean, site empty, site delete",
        "database/deletes":
            "user delete, post delete, comment delete, option delete, plugin delete, theme delete, term delete, "
            "site archive, site spam, user remove-role, menu delete, transient delete, db import, "
            "search-replace, db query, plugin uninstall, export-delete, site deactivate, media delete",
        "database/dumps": "db export",
        "runs-project only-runs": "eval, eval-file, shell",
        "users": "user create, user update, user set-role, user add-role, super-admin add, user reset-password",
        "reads-secret": "config get, config list, db cli",
        "installs-package network":
            "plugin install, theme install, core update, core download, plugin update, theme update, cli update",
    }),
    "drush drupal": service("local", {
        "read-only":
            "status, core:status, pm:list, user:information, watchdog:show, config:get, core:requirements, "
            "help, version, cache:get, role:list, views:list, state:get, route, st, ws, pml, updatedb:status, "
            "field:info",
        "database/drops": "sql:drop, sql-drop, sqld",
        "database/deletes":
            "site:install, si, sql:sync, sql-sync, user:cancel, entity:delete, pm:uninstall, config:delete, "
            "pmu, site:upgrade, sql:query, sqlq, watchdog:delete, config:import, cim",
        "database/dumps": "sql:dump, sql-dump",
        "runs-project only-runs": "php:eval, ev, php:script, scr, php:cli",
        "users": "user:create, user:role:add, user:password, user:login, uli",
        "changes": "cache:rebuild, cr, updatedb, updb, cron, config:export, cex",
    }),
    "magento bin/magento n98-magerun n98-magerun2 magerun": service("local", {
        "read-only":
            "list, info, module:status, cache:status, indexer:status, indexer:info, admin:user:list, "
            "store:list, config:show, deploy:mode:show, setup:db:status, info:adminuri, sys:info, db:status",
        "database/drops": "setup:uninstall, db:drop",
        "database/deletes":
            "setup:rollback, module:uninstall, db:import, store:delete, admin:user:delete, customer:delete",
        "users": "admin:user:create, admin:user:unlock, admin:user:change-password",
        "database/dumps": "db:dump, setup:backup",
        "changes":
            "cache:flush, cache:clean, setup:upgrade, setup:di:compile, indexer:reindex, indexer:reset, "
            "setup:static-content:deploy, cache:enable, cache:disable, maintenance:enable, maintenance:disable, "
            "cron:run",
    }),
    "ghost": service("local", {
        "read-only": "ls, log, version, doctor, check-update, help",
        "database/deletes removes-package": "uninstall",
        "service": "start, stop, restart, run",
        "installs-package": "install, update, setup",
        "database/dumps": "backup",
        "database/restores": "import",
    }),
    # Backups
    "restic": Program("r/repo= p/password-file=read v/verbose q/quiet json o/option= cacert=read "
        "password-command=shell "
        "repository-file=read cache-dir= no-cache no-lock limit-upload= limit-download= insecure-tls!insecure "
            "cleanup-cache",
        "text*", "changes", subs={
        "snapshots ls list stats diff find check version cat help": look(_REMOTE, "text*", "network"),
        "key": Program(_REMOTE, subs={"list": look(_REMOTE, "text*", "network"), "add passwd": act("writes-secret "
            "network",
            _REMOTE),
            "remove": act("shreds writes-secret network", _REMOTE)}),
        "backup": act("network", "n/dry-run!dry exclude= exclude-file=read files-from=read tag= host= "
            "one-file-system " + _REMOTE,
            "mention*", special=lambda draft: draft.send()),
        "cache": act("changes", "*"), "init copy tag": act("network", _REMOTE), "mount": act("mounts network",
            _REMOTE, "create"),
        "restore": act("changes network", "t/target=write include= exclude= s/snapshot= tag= host= verify dry-run!dry "
            "delete!shreds overwrite= " + _REMOTE, "text*"),
        "dump": look("t/target=write " + _REMOTE, "text*", "network"),
        "forget prune rewrite recover repair rebuild-index": act("shreds network", "n/dry-run!dry " + _REMOTE,
            "mention*"),
        "unlock": act("changes network", "remove-all!shreds"), "migrate self-update generate": act("changes network",
            _REMOTE),
    }),
    "borg borgmatic": Program("v/verbose q/quiet info debug p/progress log-json lock-wait= rsh=shell remote-path= "
        "bypass-lock umask= show-version show-rc", "text*", "changes", subs={
        "list info check diff version help benchmark rlist rinfo": look("repair!shreds " + _REMOTE, "text*", "network"),
        "create init rcreate": act("network", "n/dry-run!dry " + _REMOTE, "mention*",
            special=lambda draft: draft.send()),
        "extract export-tar": act("changes", "n/dry-run!dry " + _REMOTE, "mention*"), "mount": act("mounts", _REMOTE,
            "text create"),
        "umount": act("mounts", _REMOTE),
        "delete prune compact rdelete recreate": act("shreds", "n/dry-run!dry " + _REMOTE, "mention*"),
        "key": act("reads-secret writes-secret", _REMOTE), "break-lock rename config upgrade with-lock "
            "import-tar": act("changes", _REMOTE),
    }),
    "kopia duplicacy bup": service("local", {
        "read-only network":
            "snapshot list, snapshot ls, repository status, list, ls, show, policy list, policy show, diff, "
            "content stats, maintenance info, check, index, info, user list, blob list, server status, history",
        "network":
            "snapshot create, snap create, backup, save, init, repository create, repository connect, "
            "restore-list",
        "changes": "restore, snapshot restore, mount",
        "shreds":
            "snapshot delete, snapshot expire, maintenance run, prune, gc, rm, repository disconnect, policy "
            "remove, blob gc, content delete, blob delete, snapshot fix",
        "network/listens": "server start",
        "writes-secret": "repository change-password, user add, user set, password",
    }),
    "tarsnap": Program("d!shreds nuke!shreds fsck-prune!shreds c x=text t f= keyfile=read cachedir= list-archives "
        "print-stats fsck!changes r v *", "mention*", "changes network", special=lambda draft: draft.looks("changes")
            if {"--list-archives", "--print-stats", "-t"} & set(draft.flags) and not {"-d",
                "-c"} & set(draft.flags) else None),
    "duplicity": Program(_REMOTE, "text*", "changes network", subs={
        "collection-status list-current-files verify": look(_REMOTE, "text*", "network"),
        "full incremental incr inc backup": act("network", "dry-run!dry " + _REMOTE, "mention*",
            special=lambda draft: draft.send()),
        "restore": act("changes network", "dry-run!dry " + _REMOTE, "text write"),
        "remove-older-than remove-all-but-n-full remove-all-inc-of-but-n-full cleanup": act("shreds network",
            "dry-run!dry " + _REMOTE),
        "*": act("changes network", _REMOTE, "mention*")}),
    "rdiff-backup": Program("l/list-increments!dry remove-older-than=text!shreds r/restore-as-of= force!forced "
        "list-at-time= "
        "compare!dry " + _REMOTE, "mention*", "changes", special=lambda draft: draft.add("shreds")
            if draft.operands[:2] == ["remove", "increments"] else None),
    "rsnapshot": Program("c=read t!dry v q x V", "text*", "changes", subs={"configtest du diff": look("*"),
        "*": act("changes shreds", "*")}),
}  # fmt: skip
