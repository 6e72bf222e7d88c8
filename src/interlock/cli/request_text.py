"""How requests and grants are shown in a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import json

from interlock.approvals.touches import touches_of
from interlock.cli.common import visible
from interlock.cli.layout import Section, cut, flat, paint, short_path, text_width
from interlock.facts.shapes import line_of_call
from interlock.store.asking import ApprovalRequest, Grant

__all__ = [
    "RequestPart",
    "call_lines",
    "grant_data",
    "grant_line",
    "request_data",
    "request_line",
    "request_lines",
    "request_parts",
    "wait_text",
]

_MOST_TOUCHED = 6
_LABEL = 10  # the width of the column for labels; names of MCP tools are longer


class RequestPart(NamedTuple):
    """A labelled part of a request. The lines of a call keep their spaces."""

    label: str
    lines: list[str]
    colour: str | None = None
    is_call: bool = False


def request_data(request: ApprovalRequest) -> dict[str, Any]:
    """Everything about a request, for programs."""
    return {
        "id": request.id,
        "status": request.status,
        "tool": request.tool,
        "session": request.session,
        "agent": request.agent or None,
        "project": request.project,
        "host": request.host,
        "asked": _iso(request.at),
        "until": _iso(request.until),
        "shape": request.shape,
        **json.decode(request.body),
        "answered": None if request.answered is None else _iso(request.answered),
        "by": request.by,
        "note": request.note,
    }


def request_line(request: ApprovalRequest) -> str:
    """A request in one line: its id, how long it waits, and the call."""
    given = json.decode(request.body)["input"]
    head = f"{request.id}  {wait_text(request):<9}"
    return f"{head}  {cut(flat(visible(line_of_call(request.tool, given))), text_width() - len(head) - 2)}"


def request_parts(request: ApprovalRequest) -> Iterator[RequestPart]:
    """A request in full: what would run, what changed, why it is asked, what it touches, and who wants it."""
    shown = json.decode(request.body)
    is_short = len(request.tool) < _LABEL
    name, before = (request.tool, []) if is_short else ("call", [request.tool])
    yield RequestPart(name, [*before, *call_lines(shown["input"])], "cyan", is_call=True)
    if shown.get("original") is not None:
        yield RequestPart("written", call_lines(shown["original"]), "magenta", is_call=True)
    for reason in shown["reasons"]:
        yield RequestPart("why", [f"{reason['text']} ({reason['by']})"], "yellow")
    for touch in touches_of(shown["touches"]):
        values = touch.values
        more = f" and {len(values) - _MOST_TOUCHED} more" if len(values) > _MOST_TOUCHED else ""
        yield RequestPart(touch.kind, [", ".join(map(visible, values[:_MOST_TOUCHED])) + more])
    agent = f", agent {shown['agent']}" if shown.get("agent") else ""
    where = f"{short_path(request.project)}, session {request.session[:8]}{agent}, asked {_ago(request.at)}"
    yield RequestPart("from", [where])
    yield RequestPart("waits", [wait_text(request)])


def request_lines(request: ApprovalRequest) -> Iterator[str]:
    """A request in full, ready to print."""
    for part in request_parts(request):
        section = Section(part.label, part.colour)
        if part.is_call:
            section.verbatim([visible(line) for line in part.lines])
        else:
            section.say("\n".join(part.lines))
        yield from section.lines()


def grant_data(grant: Grant) -> dict[str, Any]:
    """Everything about a grant, for programs."""
    return {
        "id": grant.id,
        "text": grant.text,
        "by": grant.by,
        "given": _iso(grant.at),
        "scope": list(grant.scope),
        "match": json.decode(grant.match),
        "left": grant.left,
        "used": grant.used,
        "until": None if grant.until is None else _iso(grant.until),
        "revoked": None if grant.revoked is None else _iso(grant.revoked),
        "holds": grant.holds_at(time.time()),
        "request": grant.request,
    }


def grant_line(grant: Grant) -> str:
    """A grant in one line."""
    state = "" if grant.holds_at(time.time()) else paint("  (ended)", "bright_black")
    return (
        f"{grant.id}  {visible(grant.text)}; {_use_text(grant)}, given by {visible(grant.by)} {_ago(grant.at)}{state}"
    )


def _use_text(grant: Grant) -> str:
    return {0: "not used yet", 1: "used once"}.get(grant.used, f"used {grant.used} times")


def call_lines(given: dict[str, Any]) -> list[str]:
    """The input of a call, as lines: the command alone if there is nothing else that acts, or the whole as JSON."""
    if set(given) <= {"command", "description"} and isinstance(given.get("command"), str):
        return given["command"].splitlines() or [""]
    return json.format(json.encode(given), indent=2).decode().splitlines()


def wait_text(request: ApprovalRequest) -> str:
    """How long a call still waits, or what became of the request."""
    if request.status == "open":
        return "open"
    if request.status != "waiting":
        return request.status
    left = max(0, round(request.until - time.time()))
    return f"{left // 60}:{left % 60:02} left"


def _ago(moment: float) -> str:
    seconds = max(0, round(time.time() - moment))
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().isoformat(timespec="seconds")
