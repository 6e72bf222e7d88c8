"""One request on the desk: what would run, what it touches, why it is asked, who wants it, and what became of it."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct, json

from interlock.approvals.answers import why_not_editable
from interlock.approvals.granting import WIDTHS, GrantWidth, widths_for
from interlock.approvals.touches import touches_of
from interlock.hosts import HOSTS
from interlock.page.call_text import Piece, editable_text, pieces_of, text_of_call, visible
from interlock.page.context import PageContext
from interlock.page.inbox_rows import InboxRow, row_of, same_shape
from interlock.receipts.log_search import LogFilter, newest_entries
from interlock.receipts.logbook import LogEntry
from interlock.store.asking import LATE_SECONDS, ApprovalRequest, Grant

__all__ = ["Desk", "Several", "desk_of", "several"]

JsonObject: TypeAlias = dict[str, Any]
_BEFORE = 5  # calls of the session that are shown as well
_MOST_TOUCHED = 8  # of one kind


class ShownTouch(Struct, frozen=True):
    """Things that a call touches in one way, as far as they are shown."""

    kind: str
    values: list[str]
    more: int
    is_loud: bool


class AnswerOutcome(Struct, frozen=True, kw_only=True):
    """What became of an answered request."""

    verdict: str  # allow or deny
    text: str
    edited: str | None = None
    grants: list[Grant]


class Desk(Struct, frozen=True, kw_only=True):
    """Everything about one request that the desk shows."""

    request: ApprovalRequest
    row: InboxRow
    question: str
    reasons: list[JsonObject]
    original: list[Piece] | None
    pieces: list[Piece]
    text: str
    touches: list[ShownTouch]
    changed_by: list[str]
    host: str
    cwd: str
    is_cut: bool
    before: list[LogEntry]
    same: list[str]  # ids of what waits and has the same shape, this one too
    edit: str
    edit_is_json: bool
    not_editable: str | None
    widths: dict[GrantWidth, str]  # of a grant, each as it is called; empty: nothing more can be allowed
    outcome: AnswerOutcome | None
    late_until: float

    @property
    def is_unanswered(self) -> bool:
        return self.row.state in ("waiting", "open")


def desk_of(context: PageContext, request: ApprovalRequest) -> Desk:
    now = context.clock()
    shown: JsonObject = json.decode(request.body)
    row = row_of(request, now)
    text = text_of_call(request.tool, shown["input"])
    original = shown.get("original")
    wrote = None if original is None else text_of_call(request.tool, original)
    reasons = [{**one, "text": visible(one["text"])} for one in shown["reasons"]]
    quotes = [one["text"] for one in reasons]
    edit, edit_is_json = editable_text(request.tool, shown["input"])
    is_waiting = row.state == "waiting"
    return Desk(
        request=request,
        row=row,
        question=" ".join(dict.fromkeys(quotes)) or "May this call run?",
        reasons=reasons,
        original=None if wrote is None else pieces_of(wrote, text, "before", []),
        pieces=pieces_of(text, wrote, "after", quotes),
        text=text,
        touches=_touches(shown.get("touches") or {}),
        changed_by=shown.get("changed_by") or [],
        host=HOSTS[request.host].title if request.host in HOSTS else request.host or "an agent",
        cwd=shown.get("cwd") or "",
        is_cut=bool(shown.get("is_cut")),
        before=_before(context, request),
        same=[one.id for one in same_shape(context.requests.look(), request)] if is_waiting else [],
        edit=edit,
        edit_is_json=edit_is_json,
        not_editable=why_not_editable(request),
        widths={width: WIDTHS[width] for width in (widths_for(request) if row.state in ("waiting", "open") else ())},
        outcome=_outcome(context, request) if row.state in ("yes", "no") else None,
        late_until=request.until + LATE_SECONDS,
    )


def _touches(found: JsonObject) -> list[ShownTouch]:
    return [
        ShownTouch(
            one.kind,
            [visible(value) for value in one.values[:_MOST_TOUCHED]],
            max(0, len(one.values) - _MOST_TOUCHED),
            one.is_loud,
        )
        for one in touches_of(found)
    ]


def _before(context: PageContext, request: ApprovalRequest) -> list[LogEntry]:
    """The last calls of the session before this one."""
    found = newest_entries(context.store, LogFilter(session=request.session), 4 * _BEFORE)
    calls = [one for one in found if one.is_call and one.at <= request.at and one.call != request.call]
    return calls[-_BEFORE:]


# --- what became of it -------------------------------------------------------------------------------------------


def _outcome(context: PageContext, request: ApprovalRequest) -> AnswerOutcome:
    grants = [one for one in context.store.grants() if one.request == request.id]
    edited = None if request.edit is None else text_of_call(request.tool, json.decode(request.edit))
    verdict, text = _became(context, request, grants)
    return AnswerOutcome(verdict=verdict, text=text, edited=edited, grants=grants)


def _became(context: PageContext, request: ApprovalRequest, grants: list[Grant]) -> tuple[str, str]:
    if request.status == "no":
        told = f" and told the model: “{visible(request.note)}”" if request.note else ""
        return "deny", f"{request.by} said no{told}."
    who = f"{request.by} said yes"
    late = next((one for one in grants if one.key), None)
    if late is not None:
        if late.used:
            return "allow", f"{who}, and the call ran when the agent tried it again."
        if late.holds_at(context.clock()):
            return "allow", f"{who}. The same call may run once, when the agent tries it again within the hour."
        return "deny", f"{who}, but the agent did not try it again in time."
    receipt = context.store.receipt(request.session, request.call, request.guard)
    if receipt is None or (receipt.status == "denied" and receipt.decision == "ask"):
        return "allow", f"{who}. The agent has not been told yet."
    if receipt.status == "denied":
        return "deny", f"{who}, but the call stays denied: {visible(receipt.said or 'a rule denies it.')}"
    ran = {"closed": "It ran.", "failed": "It ran, and failed."}.get(receipt.status, "It runs.")
    return "allow", f"{who}{' to the edited call' if request.edit is not None else ''}. {ran}"


# --- several at once ---------------------------------------------------------------------------------------------


class Several(Struct, frozen=True, kw_only=True):
    """Requests that are answered together."""

    rows: list[InboxRow]
    gone: int  # of those that were asked for, answered meanwhile
    questions: list[str]


def several(context: PageContext, ids: list[str]) -> Several:
    found = {one.id: one for one in context.requests.look().waiting}
    rows = [row_of(found[id]) for id in dict.fromkeys(ids) if id in found]
    questions = list(dict.fromkeys(row.why for row in rows))
    return Several(rows=rows, gone=len(set(ids)) - len(rows), questions=questions)
