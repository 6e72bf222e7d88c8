"""The view *Overview*: how much is judged, asked and stopped, which rules nag, and whether the project is guarded."""

from __future__ import annotations

from datetime import date
from typing import Any, TypeAlias
from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import PageContext, context_of, show
from interlock.page.figures import (
    MOST_STOPS,
    Period,
    PeriodNumbers,
    day_word,
    known_projects,
    nags,
    numbers_of,
    numbers_of_projects,
    rules_that_stop,
)
from interlock.page.render import lasting, render
from interlock.replay.habits import HabitSuggestion

__all__ = ["ROUTES"]

JsonObject: TypeAlias = dict[str, Any]
_PERIODS = (7, 30, 90)
_FEW = 50  # calls, below which a comparison says nothing
_MOST_RULES = 6


class Figure(Struct, frozen=True, kw_only=True):
    """One number of the overview: what it is, how it changed, and its days."""

    title: str
    value: str
    about: str
    was: str  # the period before, in words; empty if that says nothing
    days: list[float | None]
    before: float = 0.0  # the mean of the days before
    is_rate: bool = False

    @property
    def label(self) -> str:
        """What a chart says to those who do not see it."""
        return f"{self.title} by day: {self.value} in all{f', {self.was}' if self.was else ''}"


class EndingShare(Struct, frozen=True):
    """One way in which questions ended."""

    name: str
    words: str
    count: int
    share: float


def _overview(request: Request) -> Response:
    return show(request, "overview.html", title="Overview", **_numbers(request), **_guard(context_of(request)))


def _numbers(request: Request) -> JsonObject:
    context = context_of(request)
    wanted = request.query_params.get("days", "30")
    days = int(wanted) if wanted in map(str, _PERIODS) else 30
    period = Period(date.fromtimestamp(context.clock()), days)
    digest = context.digest
    projects = known_projects(digest)
    asked = request.query_params.get("project", "")
    project = asked if asked in projects else None
    now, before = numbers_of(digest, project, period), numbers_of(digest, project, period.before)
    by_project = numbers_of_projects(digest, period) if project is None else []
    nagging = nags(digest, project, period)
    stopping = rules_that_stop(digest, project, period)

    def address(**changes: Any) -> str:
        chosen = {"days": "" if days == 30 else days, "project": project or ""} | changes
        left = {name: value for name, value in chosen.items() if value}
        return f"/overview?{urlencode(left)}" if left else "/overview"

    return {
        "days": days,
        "periods": _PERIODS,
        "projects": projects,
        "project": project,
        "period": period,
        "first": day_word(str(period.first), period.last),
        "numbers": now,
        "figures": _figures(now, before),
        "by_project": by_project,
        "most_asked": max((day or 0.0 for one in by_project for day in one.now.asked_by_day), default=0.0),
        "nags": nagging[:_MOST_RULES],
        "stops": [one for one in stopping if one.went_on][:_MOST_RULES],
        "most_stops": MOST_STOPS if sum(one.stopped for one in stopping) >= MOST_STOPS else 0,
        "endings": _endings(now),
        "is_new": now.calls + before.calls == 0,
        "is_few": now.calls < _FEW,
        "address": address,
        "suggestions": _advice(context, project),
    }


def _advice(context: PageContext, project: str | None) -> tuple[HabitSuggestion, ...]:
    """Suggestions for the chosen project, or else for the one in which the page was opened."""
    chosen = project or (None if context.project is None else str(context.project))
    return () if chosen is None else context.advice.of(chosen)


def _figures(now: PeriodNumbers, before: PeriodNumbers) -> list[Figure]:
    known = before.calls >= _FEW
    days = len(now.calls_by_day)
    median, was = now.median_seconds, before.median_seconds
    return [
        Figure(
            title="Calls judged",
            value=f"{now.calls:,}",
            about=f"{now.calls / days:,.0f} a day",
            was=_change(now.calls, before.calls) if known else "",
            days=[*now.calls_by_day],
        ),
        Figure(
            title="Asked per 100 calls",
            value=_rate(now.per_100(now.asked)),
            about=f"{now.asked:,} in all",
            was=f"was {_rate(before.per_100(before.asked))}" if known else "",
            days=now.asked_by_day,
            before=before.per_100(before.asked) if known else 0.0,
            is_rate=True,
        ),
        Figure(
            title="Denied per 100 calls",
            value=_rate(now.per_100(now.denied)),
            about=f"{now.denied:,} in all",
            was=f"was {_rate(before.per_100(before.denied))}" if known else "",
            days=[*now.denied_by_day],
        ),
        Figure(
            title="Median answer",
            value="–" if median is None else lasting(median),
            about=f"{now.within_a_minute:.0f} % within 1 min" if median is not None else "measured in the inbox",
            was="" if was is None or median is None else f"was {lasting(was)}",
            days=now.seconds_by_day,
            before=was or 0.0,
            is_rate=True,
        ),
    ]


def _rate(value: float) -> str:
    return "0" if not value else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _change(now: int, before: int) -> str:
    share = round(100 * (now - before) / before)
    return "as before" if not share else f"{'up' if share > 0 else 'down'} {abs(share)} %"


def _endings(now: PeriodNumbers) -> list[EndingShare]:
    answers = now.answers
    counts = {
        "yes": ("yes", answers.yes),
        "edited": ("yes, edited", answers.edited),
        "no": ("no", answers.no),
        "unanswered": ("nobody answered", answers.unanswered),
    }
    return [
        EndingShare(name, words, count, 100 * count / answers.all if answers.all else 0.0)
        for name, (words, count) in counts.items()
    ]


# --- is it guarded? ---------------------------------------------------------------------------------------------


def _guard(context: PageContext) -> JsonObject:
    found = context.guarded()
    watch = context.guard
    return {"findings": found, "looking": watch is not None and watch.is_looking, "guarded_project": context.project}


def _guard_part(request: Request) -> Response:
    context = context_of(request)
    return Response(render("guarded.html", now=context.clock(), **_guard(context)), media_type="text/html")


def _look_again(request: Request) -> Response:
    context = context_of(request)
    context.guarded()
    if context.guard is not None:
        context.guard.look_again()
    return _guard_part(request)


ROUTES = [
    Route("/overview", _overview),
    Route("/overview/guarded", _guard_part),
    Route("/overview/look", _look_again, methods=["POST"]),
]
