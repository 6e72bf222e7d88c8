"""Sessions: the list, and the marks of a session's strip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from interlock.page.digest.intake import Digest
from interlock.page.digest.session_rows import SessionRow
from interlock.page.digest.tallies import SESSION

__all__ = ["SessionNumbers", "count_sessions", "marks", "session", "sessions"]

_COLUMNS = (*SessionRow.__struct_fields__, *SESSION)
_NAMES = ", ".join(_COLUMNS)


class SessionNumbers(Struct, frozen=True):
    """One session with its numbers."""

    id: str
    project: str
    host: str
    title: str  # the first prompt
    began: float
    last: float
    ended: float | None
    busy: float  # seconds in which it was the agent's turn
    calls: int
    asked: int
    denied: int
    changed: int
    stopped: int
    breaches: int
    tools: float  # seconds that tools ran
    waited: float  # seconds that calls waited for a person


def sessions(
    digest: Digest,
    *,
    project: str | None = None,
    with_stops: bool = False,
    since: float | None = None,
    before: tuple[float, str] | None = None,
    most: int = 50,
) -> list[SessionNumbers]:
    """Sessions, the one with the newest record first. `before`: only those after this one in the list, (last, id)."""
    where, values = _conditions(project, with_stops, since)
    if before is not None:
        where.append("(last, id) < (?, ?)")
        values.extend(before)
    query = f"SELECT {_NAMES} FROM session WHERE {' AND '.join(where)} ORDER BY last DESC, id DESC LIMIT ?"  # noqa: S608
    with digest.file.reading() as connection:
        return [SessionNumbers(*row) for row in connection.execute(query, (*values, most))]


def count_sessions(
    digest: Digest, *, project: str | None = None, with_stops: bool = False, since: float | None = None
) -> int:
    where, values = _conditions(project, with_stops, since)
    with digest.file.reading() as connection:
        query = f"SELECT count(*) FROM session WHERE {' AND '.join(where)}"  # noqa: S608 - ours
        (found,) = connection.execute(query, values).fetchone()
    return int(found)


def session(digest: Digest, id: str) -> SessionNumbers | None:
    with digest.file.reading() as connection:
        found = connection.execute(f"SELECT {_NAMES} FROM session WHERE id = ?", (id,)).fetchone()  # noqa: S608 - ours
    return None if found is None else SessionNumbers(*found)


def marks(digest: Digest, ids: Iterable[str]) -> dict[str, str]:
    """What became of each call of these sessions, one letter a call, in their order.

    n: no rule spoke, y: allowed, c: changed, a: asked, d: denied, w: withheld or unanswered, b: breach.
    """
    with digest.file.reading() as connection:
        return {
            id: "".join(
                mark
                for (mark,) in connection.execute(
                    "SELECT mark FROM entry INDEXED BY entry_session WHERE session = ? ORDER BY id", (id,)
                )
            )
            for id in ids
        }


def _conditions(project: str | None, with_stops: bool, since: float | None) -> tuple[list[str], list[Any]]:
    where, values = ["1"], list[Any]()
    if project is not None:
        where.append("project = ?")
        values.append(project)
    if with_stops:
        where.append("stopped > 0")
    if since is not None:
        where.append("last >= ?")
        values.append(since)
    return where, values
