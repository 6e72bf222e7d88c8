"""The numbers that Rules and Overview show, asked of the digest. A project of None means all of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from statistics import median

from msgspec import Struct, field

from interlock.page.digest import Digest
from interlock.page.digest.days import DayNumbers, RuleNumbers, answer_seconds, days, projects, rule_days

__all__ = [
    "MOST_STOPS",
    "Answers",
    "Nag",
    "Period",
    "PeriodNumbers",
    "ProjectNumbers",
    "RuleFigures",
    "UsefulRule",
    "day_word",
    "first_day",
    "known_projects",
    "nags",
    "numbers_of",
    "numbers_of_projects",
    "numbers_of_rules",
    "rules_that_stop",
    "waited_for",
]

NAGS_FROM = 10  # questions, all answered with yes, that make a rule noisy
MOST_STOPS = 1_000  # the newest ones, of which is looked what the agent did next


class Period(Struct, frozen=True):
    """Some days in a row, today the last of them."""

    last: date
    days: int

    @property
    def first(self) -> date:
        return self.last - timedelta(days=self.days - 1)

    @property
    def before(self) -> Period:
        """As many days, just before these."""
        return Period(self.first - timedelta(days=1), self.days)

    @property
    def listed(self) -> list[str]:
        return [str(self.first + timedelta(days=number)) for number in range(self.days)]

    @property
    def since(self) -> float:
        """The moment at which the first day began."""
        return datetime.combine(self.first, datetime.min.time()).timestamp()

    @property
    def until(self) -> float:
        """The moment at which the day after the last one begins."""
        return datetime.combine(self.last + timedelta(days=1), datetime.min.time()).timestamp()

    @property
    def bounds(self) -> tuple[str, str]:
        return str(self.first), str(self.last)


class Answers(Struct):
    """How questions ended."""

    yes: int = 0
    edited: int = 0
    no: int = 0
    unanswered: int = 0

    @property
    def all(self) -> int:
        return self.yes + self.edited + self.no + self.unanswered

    def add(self, row: DayNumbers | RuleNumbers) -> None:
        self.yes += row.yes
        self.edited += row.edited
        self.no += row.no
        self.unanswered += row.unanswered

    @property
    def is_always_yes(self) -> bool:
        """Whether every question that somebody answered was answered with a plain yes."""
        return self.yes > 0 and not self.edited and not self.no


class RuleFigures(Struct):
    """What one rule did in a period, and when it last did anything."""

    by_day: list[int]
    hits: int = 0
    asked: int = 0
    denied: int = 0
    changed: int = 0
    answers: Answers = field(default_factory=Answers)
    last: str = ""  # the day of its last hit, whenever that was

    @property
    def is_noisy(self) -> bool:
        return self.asked >= NAGS_FROM and self.answers.is_always_yes


class PeriodNumbers(Struct):
    """What happened in a period."""

    calls: int = 0
    asked: int = 0
    denied: int = 0
    changed: int = 0
    breaches: int = 0
    answers: Answers = field(default_factory=Answers)
    seconds: list[float] = field(default_factory=list)  # that each answer took
    calls_by_day: list[int] = field(default_factory=list)
    asked_by_day: list[float | None] = field(default_factory=list)  # per 100 calls; None on a day without calls
    denied_by_day: list[int] = field(default_factory=list)
    seconds_by_day: list[float | None] = field(default_factory=list)  # the median

    def per_100(self, number: int) -> float:
        return 100 * number / self.calls if self.calls else 0.0

    @property
    def stops_per_100(self) -> float:
        """How many calls did not simply run: those that were asked about or denied."""
        return self.per_100(self.asked + self.denied)

    @property
    def median_seconds(self) -> float | None:
        return median(self.seconds) if self.seconds else None

    @property
    def within_a_minute(self) -> float:
        """How much of the answers came within a minute, in per cent."""
        return 100 * sum(one <= 60 for one in self.seconds) / len(self.seconds) if self.seconds else 0.0


class ProjectNumbers(Struct, frozen=True):
    """One project in a period, and how often it asked in the period before."""

    project: str
    now: PeriodNumbers
    before: PeriodNumbers


class Nag(Struct, frozen=True):
    """A rule that was always answered with yes, and how long agents waited for it."""

    rule: str
    asked: int
    yes: int
    seconds: float


class UsefulRule(Struct, frozen=True):
    """A rule that stopped calls. `went_on`: how often the agent then found another way."""

    rule: str
    stopped: int
    went_on: int


# --- rules ------------------------------------------------------------------------------------------------------


def numbers_of_rules(digest: Digest, project: str | None, period: Period) -> dict[str, RuleFigures]:
    """What each rule did in a period. Rules that did nothing then are there if they ever did anything."""
    places = {day: number for number, day in enumerate(period.listed)}
    where, given = _of_project(project)
    query = f"SELECT rule, max(day) FROM rule_day WHERE hits > 0{where} GROUP BY rule"  # noqa: S608 - ours
    with digest.file.reading() as connection:
        found = {rule: RuleFigures([0] * period.days, last=day) for rule, day in connection.execute(query, given)}
    for row in rule_days(digest, str(period.first), project):
        if row.day not in places:
            continue
        one = found.setdefault(row.rule, RuleFigures([0] * period.days, last=row.day))
        one.by_day[places[row.day]] += row.hits
        one.hits += row.hits
        one.asked += row.asked
        one.denied += row.denied
        one.changed += row.changed
        one.answers.add(row)
    return found


def waited_for(digest: Digest, rule: str, project: str | None, period: Period) -> list[float]:
    """How many seconds each answer took to a question of a rule."""
    where, given = _of_project(project)
    query = (
        "SELECT answered_after FROM entry WHERE answered_after IS NOT NULL AND at >= ? AND at < ?"  # noqa: S608 - ours
        f"{where} AND id IN (SELECT id FROM entry_rule WHERE rule = ? AND said IN ('ask', 'defer'))"
    )
    with digest.file.reading() as connection:
        return [float(seconds) for (seconds,) in connection.execute(query, (period.since, period.until, *given, rule))]


def nags(digest: Digest, project: str | None, period: Period) -> list[Nag]:
    """The rules that asked often and were always answered with yes, the costliest first."""
    rules = numbers_of_rules(digest, project, period)
    found = [
        Nag(rule, one.asked, one.answers.yes, sum(waited_for(digest, rule, project, period)))
        for rule, one in rules.items()
        if one.is_noisy
    ]
    return sorted(found, key=lambda nag: (-nag.seconds, -nag.asked, nag.rule))


def rules_that_stop(digest: Digest, project: str | None, period: Period) -> list[UsefulRule]:
    """The rules that stopped calls: denied them, or asked and a person said no. The most useful first.

    `went_on` counts the stops after which the session did not try the same call again, ran another one, and had no
    breach.
    """
    where, given = _of_project(project, "e.")
    call = f"FROM entry e JOIN entry_rule r ON r.id = e.id WHERE e.is_call AND e.at >= ? AND e.at < ?{where}"
    query = (
        # Two halves, because each has an index of its own: most of a million calls were neither denied nor asked about.
        f"WITH stopped AS (SELECT r.rule, e.id, e.session, e.text {call}"  # noqa: S608 - ours
        " AND e.is_stopped AND e.decision = 'deny' AND r.said = 'deny'"
        f" UNION SELECT r.rule, e.id, e.session, e.text {call}"
        " AND e.is_asked AND e.answer = 'no' AND r.said IN ('ask', 'defer')"
        f" ORDER BY 2 DESC LIMIT {MOST_STOPS})"
        " SELECT rule, count(*), sum("
        "EXISTS (SELECT 1 FROM entry n WHERE n.session = s.session AND n.id > s.id AND n.is_call"
        " AND n.outcome IN ('ran', 'failed') AND n.text != s.text)"
        " AND NOT EXISTS (SELECT 1 FROM entry n WHERE n.session = s.session AND n.id > s.id AND n.is_call"
        " AND n.text = s.text)"
        " AND NOT EXISTS (SELECT 1 FROM session t WHERE t.id = s.session AND t.breaches > 0))"
        " FROM stopped s GROUP BY rule"
    )
    bounds = (period.since, period.until, *given)
    with digest.file.reading() as connection:
        rows = connection.execute(query, (*bounds, *bounds)).fetchall()
    found = [UsefulRule(rule, int(stopped), int(went_on or 0)) for rule, stopped, went_on in rows]
    return sorted(found, key=lambda one: (-one.went_on, -one.stopped, one.rule))


# --- days and projects ------------------------------------------------------------------------------------------


def numbers_of(digest: Digest, project: str | None, period: Period, *, answers: bool = True) -> PeriodNumbers:
    """What happened in a period, in all and by day; without `answers`, not how long people took to answer."""
    seconds = answer_seconds(digest, period.since, project) if answers else ()
    return _gather(period, {row.day: row for row in days(digest, str(period.first), project)}, seconds)


def numbers_of_projects(digest: Digest, period: Period) -> list[ProjectNumbers]:
    """Each project with calls in a period, the busiest first."""
    found = [
        ProjectNumbers(
            project,
            numbers_of(digest, project, period, answers=False),
            numbers_of(digest, project, period.before, answers=False),
        )
        for project in known_projects(digest)
    ]
    return sorted((one for one in found if one.now.calls), key=lambda one: (-one.now.calls, one.project))


def known_projects(digest: Digest) -> list[str]:
    """Every project of the record."""
    return sorted(project for project, _ in projects(digest))


def first_day(digest: Digest) -> date | None:
    """The first day of which the record knows anything."""
    with digest.file.reading() as connection:
        (day,) = connection.execute("SELECT min(day) FROM day WHERE calls > 0").fetchone()
    return None if day is None else date.fromisoformat(day)


def day_word(day: str, today: date) -> str:
    """A day as people write it: `today`, `yesterday`, `5 Jan`, and with the year if it is long ago."""
    if not day:
        return "never"
    found = date.fromisoformat(day)
    ago = (today - found).days
    if ago < 2:
        return "yesterday" if ago == 1 else "today"
    return f"{found:%-d %b}" if ago < 300 else f"{found:%-d %b %Y}"


def _gather(period: Period, known: dict[str, DayNumbers], seconds: Iterable[tuple[str, float]]) -> PeriodNumbers:
    waited: dict[str, list[float]] = {}
    for day, one in seconds:
        waited.setdefault(day, []).append(float(one))
    found = PeriodNumbers()
    for day in period.listed:
        row = known.get(day)
        found.seconds += waited.get(day, ())
        found.seconds_by_day.append(median(waited[day]) if day in waited else None)
        found.calls_by_day.append(0 if row is None else row.calls)
        found.denied_by_day.append(0 if row is None else row.denied)
        found.asked_by_day.append(None if row is None or not row.calls else 100 * row.asked / row.calls)
        if row is not None:
            found.calls += row.calls
            found.asked += row.asked
            found.denied += row.denied
            found.changed += row.changed
            found.breaches += row.breaches
            found.answers.add(row)
    return found


def _of_project(project: str | None, table: str = "") -> tuple[str, tuple[str, ...]]:
    return ("", ()) if project is None else (f" AND {table}project = ?", (project,))
