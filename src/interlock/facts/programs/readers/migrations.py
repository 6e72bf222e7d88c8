"""Tools that bring a project's database, site or backup from one state to another, forward or back."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special, words

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


READERS: dict[str, Special] = {
    "borg_create": (lambda draft: draft.send()),
    "dotnet_ef": _dotnet_ef,
    "drizzle": _drizzle,
    "duplicity_full": (lambda draft: draft.send()),
    "forward": _forward,
    "manage": _manage,
    "prisma": _prisma,
    "rdiff_backup": (lambda draft: draft.add("shreds") if draft.operands[:2] == ["remove", "increments"] else None),
    "restic_backup": (lambda draft: draft.send()),
    "steps": _steps,
    "tarsnap": (
        lambda draft: (
            draft.looks("changes")
            if {"--list-archives", "--print-stats", "-t"} & set(draft.flags) and not {"-d", "-c"} & set(draft.flags)
            else None
        )
    ),
    "tasks": _tasks,
}
