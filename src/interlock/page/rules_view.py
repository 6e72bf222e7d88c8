"""The view *Rules*: every rule in force with what it did, one rule whole, and a call to try."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

from msgspec import DecodeError, Meta, Struct, ValidationError, json
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import context_of, show
from interlock.page.digest import Digest
from interlock.page.editors import editor_link
from interlock.page.figures import (
    Period,
    RuleFigures,
    day_word,
    first_day,
    known_projects,
    numbers_of,
    numbers_of_rules,
)
from interlock.page.one_rule import account_of
from interlock.page.render import render
from interlock.page.rulebook import LAYERS, RuleGroup, RuleRow, rulebook_of
from interlock.page.trying import Attempt, try_call

__all__ = ["ROUTES"]

JsonObject: TypeAlias = dict[str, Any]
_DAYS = 30
_QUIET = 90  # days without a hit after which a rule counts as dead
_NEW = 7
_MOST_FORM = 64 * 1024
_MOST_SESSIONS = 30
# Each note with what it says where the pointer rests, in the order in which they are offered.
_NOTES = {
    "fired": f"It did something in the last {_DAYS} days.",
    "noisy": f"It asked at least ten times in {_DAYS} days, and every answer was yes.",
    "suggestion": "People always approve the same thing: there is a suggestion how it could ask less.",
    "dead": f"It has done nothing for {_QUIET} days, and the record goes back that far.",
    "new": f"Its file changed in the last {_NEW} days, and it did nothing before.",
    "observes": "It notes what it would do, and does nothing.",
    "left out": "A policy uses its pack `without` it.",
    "not trusted": "Nobody has trusted the policy, so only its deny and ask rules count.",
}
_TRYING = threading.Lock()
_TOOLS = ("Bash", "Read", "Write", "Edit", "WebFetch", "WebSearch", "Task")


class ShownRule(Struct, frozen=True):
    """A rule as one line of the list."""

    row: RuleRow
    numbers: RuleFigures
    notes: tuple[str, ...]
    editor: str  # the address that opens it in an editor; usually empty


class ShownGroup(Struct, frozen=True):
    """The rules of one file that pass the filters."""

    group: RuleGroup
    rules: tuple[ShownRule, ...]


class _TryForm(Struct, forbid_unknown_fields=True):
    """What the form *Try a call* sends."""

    tool: Annotated[str, Meta(max_length=200)] = "Bash"
    call: str = ""
    session: Annotated[str, Meta(max_length=200)] = ""
    project: str = ""


class _Choice(Struct, frozen=True, kw_only=True):
    """What a person chose in the address of the page."""

    project: Path
    projects: tuple[str, ...]
    text: str = ""
    layer: str = ""
    note: str = ""
    everything: bool = False
    editor: str = ""

    @property
    def is_filtered(self) -> bool:
        return bool(self.text or self.layer or self.note)

    def address(self, **changes: Any) -> str:
        """The address of the list with something chosen otherwise."""
        now = {"q": self.text, "layer": self.layer, "note": self.note, "all": "1" if self.everything else ""}
        now |= {"project": str(self.project) if len(self.projects) > 1 else ""}
        left = {name: value for name, value in (now | changes).items() if value}
        return f"/rules?{urlencode(left)}" if left else "/rules"


def _rules(request: Request) -> Response:
    return show(request, "rules.html", title="Rules", **_list(request))


def _list(request: Request) -> JsonObject:
    context = context_of(request)
    choice = _choice(request)
    book = rulebook_of(choice.project)
    today = date.fromtimestamp(context.clock())
    digest, project = context.digest, str(choice.project)
    numbers = numbers_of_rules(digest, project, Period(today, _DAYS))
    calls = numbers_of(digest, project, Period(today, _DAYS), answers=False).calls
    begin = first_day(digest)
    sessions = _sessions(digest, project)
    suggested = {rule for one in context.advice.of(project) for rule in one.habit.rules}
    shown = [
        ShownGroup(group, tuple(_line_for(row, numbers, today, begin, choice.editor, suggested) for row in group.rows))
        for group in book.groups
    ]
    everyone = [rule for group in shown for rule in group.rules]
    listed = _apply_filters(shown, choice)
    return {
        "book": book,
        "choice": choice,
        "groups": listed,
        "hidden": len(everyone) - sum(len(group.rules) for group in listed),
        "counts": Counter(note for rule in everyone for note in rule.notes),
        "notes": _NOTES,
        "layers": {group.layer: None for group in book.groups},
        "acting": sum(rule.row.state in ("acts", "observes") for rule in everyone),
        "fired": sum("fired" in rule.notes for rule in everyone),
        "total": len(everyone),
        "most": max((max(rule.numbers.by_day) for rule in everyone), default=0),
        "calls": calls,
        "days": _DAYS,
        "today": today,
        "day_word": day_word,
        "layer_words": LAYERS,
        "tools": _TOOLS,
        "sessions": sessions,
    }


def _line_for(
    row: RuleRow,
    numbers: dict[str, RuleFigures],
    today: date,
    begin: date | None,
    editor: str,
    suggested: Collection[str],
) -> ShownRule:
    own = numbers.get(row.id) or RuleFigures([0] * _DAYS)
    link = "" if row.built_in else editor_link(editor, row.file, row.line)
    notes = [*_notes(row, own, today, begin), *(["suggestion"] if row.id in suggested else [])]
    return ShownRule(row, own, tuple(notes), link)


def _notes(row: RuleRow, numbers: RuleFigures, today: date, begin: date | None) -> list[str]:
    found = ["fired"] if numbers.hits else []
    found += ["noisy"] if numbers.is_noisy else []
    if row.state != "acts":
        found.append(row.state)
    elif not row.shipped and not row.built_in:  # of shipped rules, most are for rare days: that is no fault of theirs
        changed = _day_of_change(row.file)
        quiet = numbers.last < str(today - timedelta(days=_QUIET))
        recorded = begin is not None and begin <= today - timedelta(days=_QUIET)
        settled = numbers.last != "" or (changed is not None and changed <= today - timedelta(days=_QUIET))
        if quiet and recorded and settled:
            found.append("dead")
        recent = changed is not None and changed > today - timedelta(days=_NEW)
        if recent and not any(numbers.by_day[:-_NEW]) and numbers.last in ("", *_last_days(today)):
            found.append("new")
    return found


def _last_days(today: date) -> list[str]:
    return [str(today - timedelta(days=number)) for number in range(_NEW)]


def _day_of_change(file: str) -> date | None:
    """The day on which a file was last written; None if that cannot be told."""
    try:
        return date.fromtimestamp(Path(file).stat().st_mtime)
    except OSError:
        return None


def _apply_filters(groups: Sequence[ShownGroup], choice: _Choice) -> list[ShownGroup]:
    found = []
    for group in groups:
        kept = [rule for rule in group.rules if _passes(rule, group.group, choice)]
        # In a pack of 50 rules, those that did something are what one looks for; in a person's own file, their order.
        if group.group.title.startswith(("Pack", "Built in")):
            kept.sort(key=lambda rule: -rule.numbers.hits)
        if kept:
            found.append(ShownGroup(group.group, tuple(kept)))
    return found


def _passes(rule: ShownRule, group: RuleGroup, choice: _Choice) -> bool:
    row = rule.row
    if choice.layer and group.layer != choice.layer:
        return False
    if choice.note and choice.note not in rule.notes:
        return False
    if choice.text:
        held = f"{row.id} {row.says} {row.short_place} {row.does} {group.title}".lower()
        return all(word in held for word in choice.text.lower().split())
    own = not row.shipped and not row.built_in
    return choice.is_filtered or choice.everything or own or bool(rule.notes)


def _choice(request: Request, named: str = "") -> _Choice:
    context, query = context_of(request), request.query_params
    projects = known_projects(context.digest)
    own = str(context.project) if context.project is not None else ""
    listed = tuple(dict.fromkeys([one for one in (own, *projects) if one]))
    wanted = named or query.get("project", "")
    # Only projects that are known here: the address must not make the page read any folder.
    project = wanted if wanted in listed else own or (listed[0] if listed else str(Path.home()))
    return _Choice(
        project=Path(project),
        projects=listed,
        text=query.get("q", "")[:200].strip(),
        layer=query.get("layer", ""),
        note=query.get("note", "") if query.get("note", "") in _NOTES else "",
        everything=query.get("all") == "1",
        editor=query.get("editor", "") or context.editor,
    )


# --- one rule ---------------------------------------------------------------------------------------------------


def _rule(request: Request) -> Response:
    context = context_of(request)
    choice = _choice(request)
    book = rulebook_of(choice.project)
    id = str(request.path_params["rule"])
    account = account_of(context, book, id, choice.editor)
    if account is None:
        near = [row.id for row in book.rows if row.short_id == id.rpartition("/")[2]]
        values = {"id": id, "near": near, "choice": choice}
        return show(request, "rule_missing.html", status=404, title="Rule", **values)
    return show(
        request,
        "rule.html",
        title=id,
        account=account,
        choice=choice,
        most=max(account.numbers.by_day),
        suggestions=context.advice.of(str(choice.project), id),
    )


# --- a call to try ----------------------------------------------------------------------------------------------


async def _try(request: Request) -> Response:
    body = getattr(request.state, "body", None)  # the door has read it, if there is one
    body = await _body_of(request) if body is None else body
    if body is None or len(body) > _MOST_FORM:
        return Response("this is too long to be tried", status_code=413, media_type="text/plain")
    try:
        given = json.decode(body, type=_TryForm)
    except (DecodeError, ValidationError, RecursionError):
        return Response("this is not a call to be tried", status_code=400, media_type="text/plain")
    return await run_in_threadpool(_try_now, request, given)


async def _body_of(request: Request) -> bytes | None:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_FORM:
            return None
    return body


def _try_now(request: Request, given: _TryForm) -> Response:
    context = context_of(request)
    book = rulebook_of(_choice(request, given.project).project)
    with _TRYING:  # one at a time: who types waits, and nobody makes the page judge all day
        tried = try_call(Attempt(tool=given.tool, text=given.call, session=given.session), book, context.store)
    return Response(render("tried.html", tried=tried), media_type="text/html")


def _sessions(digest: Digest, project: str) -> list[tuple[str, str, float]]:
    """The newest sessions of a project, in whose state a call may be judged: id, title, last seen."""
    query = "SELECT id, title, last FROM session WHERE project = ? ORDER BY last DESC LIMIT ?"
    with digest.file.reading() as connection:
        return connection.execute(query, (project, _MOST_SESSIONS)).fetchall()


ROUTES = [
    Route("/rules", _rules),
    Route("/rules/try", _try, methods=["POST"]),
    Route("/rules/{rule:path}", _rule),
]
