"""The Inbox's list: what waits, what is still open, and what was answered today."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeAlias

from msgspec import Struct, json

from interlock.page.board import WaitingList
from interlock.page.call_text import one_line, visible
from interlock.page.context import PageContext
from interlock.store.asking import ApprovalRequest

__all__ = ["InboxRow", "RowGroup", "RowList", "list_rows", "row_of", "same_shape"]

JsonObject: TypeAlias = dict[str, Any]
_MOST = 200  # rows of what waits: nobody reads more, and a search finds the others
_MOST_OPEN = 50
_MOST_ANSWERED = 50


class InboxRow(Struct, frozen=True, kw_only=True):
    """One request in the list."""

    id: str
    state: str  # waiting, open, yes, no, over
    tool: str
    line: str
    why: str
    project: str
    agent: str
    at: float
    until: float
    is_changed: bool
    by: str | None
    answered: float | None

    @property
    def mark(self) -> str:
        """Another one if the row must be drawn again."""
        return f"{self.state}{self.by or ''}"


class RowGroup(Struct, frozen=True, kw_only=True):
    """Requests that wait and have the same shape; a single one is a group too."""

    shape: str
    rows: list[InboxRow]

    @property
    def id(self) -> str:
        return self.rows[0].id

    @property
    def ids(self) -> str:
        return ",".join(row.id for row in self.rows)


class RowList(Struct, frozen=True, kw_only=True):
    """Everything that the list shows."""

    waiting: int
    groups: list[RowGroup]
    open: list[InboxRow]
    answered: list[InboxRow]
    median: float | None  # seconds from question to answer, today
    is_cut: bool = False

    @property
    def first(self) -> str | None:
        """What is looked at if nothing is chosen."""
        return next((group.rows[0].id for group in self.groups), None) or next((row.id for row in self.open), None)

    @property
    def is_empty(self) -> bool:
        return not (self.groups or self.open or self.answered)


def list_rows(context: PageContext, query: str = "") -> RowList:
    found = context.requests.look()
    now = context.clock()
    waiting = [one for one in found.waiting if _has(one, query)]
    answered = [one for one in context.store.requests(("yes", "no"), newest=_MOST_ANSWERED) if _is_today(one, now)]
    took = sorted(one.answered - one.at for one in answered if one.answered is not None)
    return RowList(
        waiting=len(found.waiting),
        groups=_groups(waiting[:_MOST]),
        open=[row_of(one, now) for one in found.open[:_MOST_OPEN] if _has(one, query)],
        answered=[row_of(one, now) for one in sorted(answered, key=_moment, reverse=True) if _has(one, query)],
        median=took[len(took) // 2] if took else None,
        is_cut=len(waiting) > _MOST,
    )


def same_shape(found: WaitingList, request: ApprovalRequest) -> list[ApprovalRequest]:
    """What waits and has the same shape in the same project: one answer may do for them."""
    return [one for one in found.waiting if _kind(one) == _kind(request)]


def _kind(request: ApprovalRequest) -> tuple[str, str, str]:
    return request.tool, request.shape, request.project


def _groups(requests: list[ApprovalRequest]) -> list[RowGroup]:
    """Requests of one shape together, at the place of the one that gives up soonest."""
    found: dict[tuple[str, str, str], list[ApprovalRequest]] = {}
    for one in requests:
        found.setdefault(_kind(one), []).append(one)
    return [RowGroup(shape=same[0].shape, rows=[row_of(one) for one in same]) for same in found.values()]


def row_of(request: ApprovalRequest, now: float | None = None) -> InboxRow:
    shown: JsonObject = json.decode(request.body)
    is_late = request.status == "waiting" and now is not None and request.until <= now
    return InboxRow(
        id=request.id,
        state="open" if is_late else request.status,
        tool=request.tool,
        line=one_line(request.tool, shown["input"]),
        why=visible(next((reason["text"] for reason in shown["reasons"]), "")),
        project=request.project.rstrip("/").rpartition("/")[2],
        agent=shown.get("agent") or "",
        at=request.at,
        until=request.until,
        is_changed=shown.get("original") is not None,
        by=request.by,
        answered=request.answered,
    )


def _has(request: ApprovalRequest, query: str) -> bool:
    words = query.lower().split()
    if not words:
        return True
    text = f"{request.tool} {request.project} {request.session} {request.body.decode('utf-8', 'replace')}".lower()
    return all(word in text for word in words)


def _is_today(request: ApprovalRequest, now: float) -> bool:
    return request.answered is not None and _day(request.answered) == _day(now)


def _day(moment: float) -> Any:
    return datetime.fromtimestamp(moment).astimezone().date()


def _moment(request: ApprovalRequest) -> float:
    return request.answered or request.at
