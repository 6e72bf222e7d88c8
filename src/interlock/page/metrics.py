"""`/metrics`: a few numbers in Prometheus' text format. They name no call, no project and no session."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import PageContext, context_of
from interlock.store.asking import UNANSWERED

__all__ = ["ROUTES", "Metric", "RisingTotals", "exposition"]

Labels: TypeAlias = Mapping[str, str]
_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# The columns of the digest that are counted, and the metric and label that they are shown under.
_COUNTED = {
    "allowed": ("interlock_calls_total", {"decision": "allow"}),
    "asked": ("interlock_calls_total", {"decision": "ask"}),
    "denied": ("interlock_calls_total", {"decision": "deny"}),
    "none": ("interlock_calls_total", {"decision": "none"}),
    "changed": ("interlock_changed_calls_total", {}),
    "breaches": ("interlock_breaches_total", {}),
    "yes": ("interlock_answers_total", {"answer": "yes"}),
    "edited": ("interlock_answers_total", {"answer": "edited"}),
    "no": ("interlock_answers_total", {"answer": "no"}),
    "unanswered": ("interlock_answers_total", {"answer": "none"}),
}
_HELP = {
    "interlock_calls_total": "Calls judged since these numbers were first read, by decision.",
    "interlock_changed_calls_total": "Calls whose input was changed since these numbers were first read.",
    "interlock_breaches_total": "Breaches since these numbers were first read.",
    "interlock_answers_total": "How questions to people ended since these numbers were first read.",
    "interlock_waiting_requests": "Calls that wait for a person now.",
    "interlock_open_requests": "Requests that nobody answered in time and that may still be answered.",
    "interlock_oldest_waiting_seconds": "How long the call that has waited longest waits; 0 if none does.",
    "interlock_records": "Records in the log.",
    "interlock_records_counted": "Records that these numbers include.",
}


class Metric(Struct, frozen=True):
    """One metric with its samples."""

    name: str
    kind: str
    help: str
    samples: Sequence[tuple[Labels, float]]


class RisingTotals:
    """Totals that only rise, from zero when they are first read, although a record that is pruned has fewer calls."""

    # A counter that falls a little counts for Prometheus as one that began again, and so as a leap.
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, int] | None = None
        self._risen: dict[str, int] = {}

    def take(self, totals: Mapping[str, int]) -> dict[str, int]:
        """How much each total has risen since the first time."""
        with self._lock:
            seen = self._seen or totals
            for name, total in totals.items():
                self._risen[name] = self._risen.get(name, 0) + max(0, total - seen.get(name, 0))
            self._seen = dict(totals)
            return dict(self._risen)

    def latest(self) -> dict[str, int]:
        """How much each had risen when it was last looked."""
        with self._lock:
            return dict(self._risen)


def exposition(metrics: Iterable[Metric]) -> str:
    """Metrics as text, in Prometheus' format 0.0.4."""
    lines: list[str] = []
    for metric in metrics:
        lines.append(f"# HELP {metric.name} {_escape(metric.help)}")
        lines.append(f"# TYPE {metric.name} {metric.kind}")
        for labels, value in metric.samples:
            named = ",".join(f'{name}="{_escape(text, quotes=True)}"' for name, text in labels.items())
            lines.append(f"{metric.name}{'{' + named + '}' if named else ''} {value}")
    return "\n".join(lines) + "\n"


def _escape(text: str, *, quotes: bool = False) -> str:
    found = text.replace("\\", "\\\\").replace("\n", "\\n")
    return found.replace('"', '\\"') if quotes else found


def _metrics(request: Request) -> Response:
    state = request.app.state
    if not hasattr(state, "rising_totals"):
        state.rising_totals = RisingTotals()
    text = exposition(_all(context_of(request), state.rising_totals))
    return Response(text, media_type=_TYPE, headers={"Cache-Control": "no-store"})


def _all(context: PageContext, rising: RisingTotals) -> list[Metric]:
    progress = context.digest.progress()
    # While the record is counted for the first time, its past would look as if it happened now.
    risen = rising.take(_totals(context)) if progress.is_whole else rising.latest()
    counters: dict[str, list[tuple[Labels, float]]] = {}
    for column, (name, labels) in _COUNTED.items():
        counters.setdefault(name, []).append((labels, risen.get(column, 0)))
    found = [Metric(name, "counter", _HELP[name], samples) for name, samples in counters.items()]
    now = context.clock()
    requests = context.store.requests(UNANSWERED)
    waiting = [one for one in requests if one.status == "waiting" and one.until > now]
    gauges = {
        "interlock_waiting_requests": len(waiting),
        "interlock_open_requests": len(requests) - len(waiting),
        "interlock_oldest_waiting_seconds": round(max((now - one.at for one in waiting), default=0.0), 3),
        "interlock_records": progress.total,
        "interlock_records_counted": progress.done,
    }
    return [*found, *(Metric(name, "gauge", _HELP[name], [({}, value)]) for name, value in gauges.items())]


def _totals(context: PageContext) -> dict[str, int]:
    """What the whole record comes to."""
    names = ("calls", *(name for name in _COUNTED if name != "none"))
    with context.digest.file.reading() as connection:
        row = connection.execute(f"SELECT {', '.join(f'sum({name})' for name in names)} FROM day").fetchone()  # noqa: S608
    found = {name: int(value or 0) for name, value in zip(names, row, strict=True)}
    calls = found.pop("calls")
    return {**found, "none": max(0, calls - found["allowed"] - found["asked"] - found["denied"])}


ROUTES = [Route("/metrics", _metrics)]
