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
    """`flask db downgrade`: the verb stands among the first words. A shell of the project reads Python."""
    said = set(draft.operands[:3])
    if draft.operands[:1] == ["shell"]:
        draft.stdin = "code:python"
    if said & _BACK:
        draft.add("database/deletes")


def _backup(draft: UseDraft) -> None:
    """Data leaves for a repository; which files it takes from the folders it is given is not known."""
    draft.send()


READERS: dict[str, Special] = {
    "backup": _backup,
    "manage": _manage,
    "steps": _steps,
    "tasks": _tasks,
}
