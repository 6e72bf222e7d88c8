"""One session in the order in which it happened, page by page."""

from __future__ import annotations

from collections import Counter

from interlock.page.digest.entries import ROW_NAMES
from interlock.page.digest.intake import Digest
from interlock.page.digest.rows import EntryRow

__all__ = ["entries_around", "next_calls", "place_before", "rules_in", "timeline", "tools_in"]

# Events that say nothing to a person who reads what happened.
_SILENT = ("PostToolBatch", "Notification", "SubagentStart", "PreCompact", "Inherit", "Forget", "Abandoned", "Paused")


def timeline(digest: Digest, session: str, after: int = 0, most: int = 500) -> list[EntryRow]:
    """The entries of a session after one of them, oldest first."""
    silent = ", ".join("?" * len(_SILENT))
    query = (
        f"SELECT {ROW_NAMES} FROM entry INDEXED BY entry_session WHERE session = ? AND id > ?"  # noqa: S608 - ours
        f" AND (is_listed OR event NOT IN ({silent})) ORDER BY id LIMIT ?"
    )
    with digest.file.reading() as connection:
        return [EntryRow(*row) for row in connection.execute(query, (session, after, *_SILENT, most))]


def place_before(digest: Digest, session: str, id: int, count: int) -> int:
    """The entry after which so many entries of a session come before this one; 0 if it has no more."""
    query = (
        "SELECT id FROM entry INDEXED BY entry_session WHERE session = ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ?"
    )
    with digest.file.reading() as connection:
        found = connection.execute(query, (session, id, count)).fetchone()
    return 0 if found is None else int(found[0])


def next_calls(digest: Digest, session: str, after: int, most: int = 3) -> list[EntryRow]:
    """What an agent called next."""
    query = (
        f"SELECT {ROW_NAMES} FROM entry INDEXED BY entry_session WHERE session = ? AND id > ? AND mark != ''"  # noqa: S608
        " ORDER BY id LIMIT ?"
    )
    with digest.file.reading() as connection:
        return [EntryRow(*row) for row in connection.execute(query, (session, after, most))]


def entries_around(digest: Digest, session: str, sequence: int, most: int = 20) -> list[EntryRow]:
    """The calls that began before a record of their session and ended with it or after it, the newest first."""
    query = (
        f"SELECT {ROW_NAMES} FROM entry INDEXED BY entry_session WHERE session = ? AND id < ? AND last >= ?"  # noqa: S608
        " ORDER BY id DESC LIMIT ?"
    )
    with digest.file.reading() as connection:
        return [EntryRow(*row) for row in connection.execute(query, (session, sequence, sequence, most))]


def rules_in(digest: Digest, session: str) -> list[tuple[str, Counter[str]]]:
    """The rules that spoke in a session, each with what it said how often; the one that spoke most is first."""
    query = (
        "SELECT entry_rule.rule, entry_rule.said, count(*) FROM entry JOIN entry_rule ON entry_rule.id = entry.id"
        " WHERE entry.session = ? AND entry.rules != '' AND entry.is_call GROUP BY 1, 2"
    )
    found: dict[str, Counter[str]] = {}
    with digest.file.reading() as connection:
        for rule, said, count in connection.execute(query, (session,)):
            found.setdefault(rule, Counter())[said] += count
    return sorted(found.items(), key=lambda item: (-item[1].total(), item[0]))


def tools_in(digest: Digest, session: str) -> list[tuple[str, int]]:
    """The tools that a session called, each with how often; the one that was called most is first."""
    query = "SELECT tool, count(*) FROM entry WHERE session = ? AND is_call GROUP BY 1 ORDER BY 2 DESC, 1"
    with digest.file.reading() as connection:
        return connection.execute(query, (session,)).fetchall()
