"""What a person wants to see of the log, as it is written in the address."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import asdict, replace
from starlette.datastructures import QueryParams

from interlock.page.digest.entries import EntryFilter

__all__ = ["SHOWS", "TIMES", "LogQuery", "read_query"]

# What to show → how the chip is labelled, its verdict's shape, and the filter.
SHOWS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "": ("All", "", {}),
    "stopped": ("Stopped", "", {"stopped": True}),
    "deny": ("deny", "deny", {"decision": "deny"}),
    "ask": ("ask", "ask", {"asked": True}),
    "change": ("change", "change", {"changed": True}),
    "allow": ("allow", "allow", {"decision": "allow"}),
}
TIMES = {"": "Any time", "hour": "Last hour", "today": "Today", "week": "Last 7 days", "month": "Last 30 days"}
_MOST = 200  # characters of any value in the address


class LogQuery(Struct, frozen=True, kw_only=True):
    """The filters of the log."""

    q: str = ""
    show: str = ""
    tool: str = ""
    project: str = ""
    session: str = ""
    rule: str = ""
    when: str = ""  # one of TIMES, or a day: 2026-01-05
    events: str = ""
    before: str = ""

    def filter(self, now: float) -> EntryFilter:
        """The entries that are wanted, without what the chips choose between."""
        since, until = _span(self.when, now)
        return EntryFilter(
            text=self.q,
            tool=self.tool or None,
            project=self.project or None,
            session=self.session or None,
            rule=self.rule or None,
            since=since,
            until=until,
            events=self.events == "1",
        )

    def whole_filter(self, now: float) -> EntryFilter:
        return replace(self.filter(now), **SHOWS[self.show][2])

    @property
    def is_plain(self) -> bool:
        """Whether everything is wanted, from the newest on."""
        return self == LogQuery()

    def address(self, **changes: str) -> str:
        """Where the log is shown like this, except for the changes. Its newest entries come first."""
        given = {name: value for name, value in asdict(replace(self, **{"before": "", **changes})).items() if value}
        return f"/log?{urlencode(given)}" if given else "/log"

    def hidden(self) -> dict[str, str]:
        """What the form must send along, besides what it shows."""
        return {name: value for name in ("show", "session", "rule", "events") if (value := getattr(self, name))}

    def linked_filters(self) -> list[tuple[str, str, str]]:
        """Filters that only a link chooses: their name, their value, and where they are left out."""
        shown = [(name, getattr(self, name)) for name in ("session", "rule") if getattr(self, name)]
        if self.when and self.when not in TIMES:
            shown.append(("day", self.when))
        return [(name, value, self.address(**{"when" if name == "day" else name: ""})) for name, value in shown]


def read_query(params: QueryParams) -> LogQuery:
    """The query of an address. What it does not know is left out."""
    given = {name: params.get(name, "").strip()[:_MOST] for name in LogQuery.__struct_fields__}
    if given["show"] not in SHOWS:
        given["show"] = ""
    if given["when"] not in TIMES and _day(given["when"]) is None:
        given["when"] = ""
    if not given["before"].isdecimal() or len(given["before"]) > 15:
        given["before"] = ""
    return LogQuery(**given)


def _span(when: str, now: float) -> tuple[float | None, float | None]:
    midnight = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    starts = {
        "hour": now - 3600,
        "today": midnight.timestamp(),
        "week": (midnight - timedelta(days=6)).timestamp(),
        "month": (midnight - timedelta(days=29)).timestamp(),
    }
    if when in starts:
        return starts[when], None
    day = _day(when)
    return (None, None) if day is None else (day.timestamp(), (day + timedelta(days=1)).timestamp())


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        return None
