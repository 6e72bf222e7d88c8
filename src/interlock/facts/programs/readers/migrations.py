"""Tools that bring a project's database, site or backup from one state to another, forward or back."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.archives import is_remote, reach_remote
from interlock.facts.programs.readers.databases import judge_sql
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


# How code of a framework empties tables or deletes rows: by the models' own methods, or by a query in a text.
_MODELS = re.compile(
    r"(?:\.|::|->)(?:(?:destroy|delete)_all|(?:force_?)?(?:delete|destroy)|truncate(?:_all)?|forceDelete|delete_?many|"
    r"drop_table|dropTable|dropIfExists|dropAllTables|flush(?:all|db)?)\b!?(?=\s*(?:\(|;|$|!|\s|'|\"|\)|\}))"
    r"|\b(?:delete_all|flush_all)\(|\b(?i:drop\s+(?:table|database|schema)|truncate\s+table|delete\s+from)\b"
)


def judge_models(draft: UseDraft, code: str) -> None:
    """Code for a framework's own shell: whether it deletes rows or empties tables."""
    if _MODELS.search(code):
        draft.add("database/deletes")


def _tinker(draft: UseDraft) -> None:
    """Laravel's shell is given code by an option."""
    if draft.operands[:1] == ["tinker"]:
        draft.stdin = "code:php"
        for at, word in enumerate(draft.args):
            name, mark, code = word.partition("=")
            if name == "--execute":
                code = code if mark else "".join(draft.args[at + 1 : at + 2])
                draft.run("code:php", code)
                draft.stdin = "data"
                judge_models(draft, code)


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
                judge_models(draft, draft.args[at + 1])
    elif task == "dbshell":
        draft.add("database/writes")
        draft.stdin = "code:sql"
        for word in rest:
            if " " in word.strip():
                judge_sql(draft, word)


def _steps(draft: UseDraft) -> None:
    """`flask db downgrade`: the verb stands among the first words. A shell of the project reads Python."""
    said = set(draft.operands[:3])
    if draft.operands[:1] == ["shell"]:
        draft.stdin = "code:python"
    if said & _BACK:
        draft.add("database/deletes")


def _backup(draft: UseDraft) -> None:
    """Data leaves for a repository: for another machine, or for a place that a variable or a mount decides."""
    remote = [word for word in (draft.value("--repo") or "", *draft.operands) if _is_away(word)]
    files = [word for word in draft.operands if not is_remote(word) and "::" not in word]
    for word in remote:
        reach_remote(draft, _STORES.sub("", word))
    draft.send(*(files if remote else ()))


# Where restic keeps data elsewhere: `rest:https://…`, `sftp:me@host:/x`, `s3:…`. Others have `host:path` or a URL.
_STORES = re.compile(r"^(?:rest|s3|sftp|b2|azure|gs|swift|rclone):(?!//)")


def _is_away(word: str) -> bool:
    return bool(_STORES.match(word)) or (is_remote(word) and not word.startswith("file:"))


def _copied_out(draft: UseDraft) -> None:
    """`rdiff-backup work host::place`, `duplicity work sftp://host/place`: what is not elsewhere goes there."""
    *sources, target = [*draft.words, *draft.operands] or [""]
    if sources and _is_away(target):
        reach_remote(draft, target)
        draft.send(*(word for word in sources if not is_remote(word)))


READERS: dict[str, Special] = {
    "backup": _backup,
    "copied_out": _copied_out,
    "manage": _manage,
    "steps": _steps,
    "tasks": _tasks,
    "tinker": _tinker,
}
