"""What `interlock replay` prints: a report for a person, or JSON for a program."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from msgspec import Struct, field

from interlock.cli.common import as_json, visible
from interlock.replay.compare import DIFFERENCES, Comparison, DifferenceGroup
from interlock.replay.faults import FaultCount
from interlock.replay.habits import HabitSuggestion
from interlock.replay.playback import Scene
from interlock.replay.suggest import Suggestion
from interlock.replay.tally import EFFECTS, Effect, Example, ReplayTally, RuleTally, SessionTally, Shape

__all__ = ["Report", "report_json", "report_text"]

_MOST_SHAPES = 3
_MOST_SESSIONS = 3
_MOST_GROUPS = 10
_ALWAYS: tuple[Effect, ...] = ("denied", "asked", "changed")
_COLOURS = {"denied": "red", "asked": "yellow"}
_LABEL, _NUMBER, _SHAPE = 10, 9, 28


class Report(Struct, kw_only=True):
    """Everything that a replay found."""

    titles: list[str]  # the policies, in words
    tally: ReplayTally
    rule: str | None = None  # the one whose calls are all shown
    source: str = ""
    other: str = ""  # the policy to compare with
    comparison: Comparison | None = None
    suggestions: list[Suggestion] | None = None  # None if none were wanted
    habits: list[HabitSuggestion] = field(default_factory=list)  # from what people approved
    unknown: list[str] = field(default_factory=list)
    faults: list[FaultCount] = field(default_factory=list)
    interrupted: bool = False

    def add(self, scene: Scene) -> None:
        """Count one call or prompt."""
        self.tally.add(scene)
        if self.comparison is not None:
            self.comparison.add(scene)


# --- text --------------------------------------------------------------------------------------------------


def report_text(report: Report) -> str:
    """The report for a person, as wide as the terminal."""
    width = shutil.get_terminal_size((80, 24)).columns
    lines = [*_head(report)]
    if not report.tally.calls and not report.tally.prompts:
        lines += ["", "No calls were found."]
    elif report.rule is not None:
        lines += ["", *_calls_of_rule(report)]
    elif report.comparison is not None:
        lines += ["", *_differences(report.comparison, width)]
    else:
        lines += ["", *_totals(report.tally), *_rules(report.tally, width), *_sessions(report.tally, width)]
        if report.suggestions is not None:
            lines += ["", *_suggestions(report.suggestions, report.tally, width)]
            lines += _habits(report.habits, width)
    lines += _reservations(report, width)
    return "\n".join(lines)


def _head(report: Report) -> Iterator[str]:
    tally = report.tally
    judges = _short(", ".join([*report.titles, "core"]))
    yield _row("judged by", judges if not report.other else f"{judges}, compared with {report.other}")
    yield _row("read", _short(report.source))
    if report.interrupted:
        yield _row("stopped", "by ^C, so this is only a part")
    if not tally.calls:
        return
    sessions, projects = len(tally.sessions), len(tally.projects)
    where = f"{_count(sessions, 'session')} of {_count(projects, 'project')}"
    when = _day(tally.first) if _day(tally.first) == _day(tally.last) else f"{_day(tally.first)} to {_day(tally.last)}"
    yield _row("calls", f"{tally.calls:,} in {where}, {when}")
    idle = [f"{tally.outcomes[name]:,} {words}" for name, words in _OUTCOMES.items() if tally.outcomes[name]]
    if idle:
        yield _row("", f"of which {', '.join(idle)}")


_OUTCOMES = {"failed": "failed", "refused": "refused by somebody", "open": "without a result"}


def _totals(tally: ReplayTally) -> Iterator[str]:
    for effect in EFFECTS:
        number = tally.effects[effect]
        if effect in _ALWAYS or (number and effect in ("allowed", "failed")):
            yield _row(_in_colour(effect, effect.ljust(_LABEL)), f"{number:>6,}  {_share(number, tally.calls)}")
    quiet = sum(not session.stops for session in tally.sessions.values())
    most = max((session.stops for session in tally.sessions.values()), default=0)
    yield _row("stops", f"{tally.stops:>6,}  {_share(tally.stops, tally.calls)}")
    if len(tally.sessions) > 1:
        sessions = _count(len(tally.sessions), "session")
        yield _row("", f"        none in {quiet:,} of {sessions}, at most {most:,} in one")


def _rules(tally: ReplayTally, width: int) -> Iterator[str]:
    rules = sorted((rule for rule in tally.rules.values() if _is_shown(rule)), key=_weight)
    if not rules:
        return
    columns = [effect for effect in EFFECTS if effect in _ALWAYS or any(rule.effects[effect] for rule in rules)]
    name = max(20, width - _NUMBER * (len(columns) + 1))
    yield ""
    yield click.style("rule".ljust(name) + "".join(f"{column:>{_NUMBER}}" for column in (*columns, "ran")), bold=True)
    for rule in rules:
        cells = "".join(_in_colour(column, f"{rule.effects[column] or '-':>{_NUMBER}}") for column in columns)
        yield f"{_cut(rule.rule, name - 1):<{name}}{cells}{rule.ran if rule.stops else '-':>{_NUMBER}}"
        shapes = rule.most_frequent()
        for shape in shapes[:_MOST_SHAPES]:
            yield _shape_line(shape, width)
        left = sum(shape.count for shape in shapes[_MOST_SHAPES:])
        if left:
            yield f"{left:>7,} × other calls: interlock replay --rule {rule.rule}"
        if rule.error:
            yield f"        failed: {_cut(visible(rule.error), width - 16)}"
    yield ""
    yield "ran: how many of the calls that it would have stopped really ran"


def _is_shown(rule: RuleTally) -> bool:
    """Rules that only tell a person something at the start of a session are not about calls."""
    return rule.calls > 0 and rule.rule != "interlock"


def _weight(rule: RuleTally) -> tuple[int, int, str]:
    return -rule.stops, -rule.calls, rule.rule


def _sessions(tally: ReplayTally, width: int) -> Iterator[str]:
    worst = sorted((one for one in tally.sessions.values() if one.stops), key=_session_weight)[:_MOST_SESSIONS]
    if len(tally.sessions) < 2 or not worst:
        return
    yield ""
    yield click.style("sessions with the most stops", bold=True)
    for one in worst:
        about = f"{one.stops:>7,} of {_count(one.calls, 'call')} ({100 * one.stops / one.calls:.1f} of 100)"
        yield _cut(f"{about:<36}  {one.session[:8]}  {_short(visible(one.project))}", width)


def _session_weight(session: SessionTally) -> tuple[int, int, str]:
    return -session.stops, session.calls, session.session


def _shape_line(shape: Shape, width: int) -> str:
    head = f"{shape.count:>7,} × {_cut(visible(shape.shape), _SHAPE):<{_SHAPE}}  "
    return head + _cut(visible(shape.example.part or shape.example.line), width - len(head))


def _calls_of_rule(report: Report) -> Iterator[str]:
    tally = report.tally
    rule = tally.rules.get(report.rule or "")
    if rule is None:
        yield f"`{report.rule}` would have caught none of them."
        return
    yield f"`{report.rule}` would have caught {_count(rule.calls, 'call')}:"
    for one in tally.kept:
        head = f"{_minute(one.at)}  {'+'.join(one.effects):<7}  {one.outcome:<7}  "
        yield head + visible(one.line)  # whole: this is for a close look
    if rule.calls > len(tally.kept):
        yield f"… and {rule.calls - len(tally.kept):,} more; give --since or --project"


def _differences(found: Comparison, width: int) -> Iterator[str]:
    if not found.counts:
        yield "No call would have been answered differently."
        return
    for kind in DIFFERENCES:
        if found.counts[kind]:
            yield f"{kind:<24}{found.counts[kind]:>6,}  {_share(found.counts[kind], found.calls)}"
    for kind in DIFFERENCES:
        groups = found.of_kind(kind)
        if not groups:
            continue
        yield ""
        yield click.style(kind, bold=True)
        for group in groups[:_MOST_GROUPS]:
            yield from _group_lines(group, width)
        left = found.counts[kind] - sum(group.count for group in groups[:_MOST_GROUPS])
        if left:
            yield f"{left:>7,} × other calls: --json lists them"


def _group_lines(group: DifferenceGroup, width: int) -> Iterator[str]:
    head = f"{group.count:>7,} × "
    by = f"  [{', '.join(group.rules)}]" if group.rules else ""
    yield head + _cut(visible(group.example.line), max(20, width - len(head) - len(by))) + by


def _suggestions(found: Sequence[Suggestion], tally: ReplayTally, width: int) -> Iterator[str]:
    if not found:
        yield "Nothing to suggest: no rule asks often where a small change would help."
        return
    yield click.style("suggestions, each measured by a replay with it", bold=True)
    for one in found:
        left = one.stops - one.freed
        yield ""
        yield f"{one.rule}: {_count(one.asked, 'question')}"
        if one.about:
            yield _wrap(one.about, width)
        leaving = "Leaving them out" if " + " in one.rule else "Leaving it out"
        verb = leaving if one.kind == "without" else "This exception"
        refused = f", of which {one.refused:,} {'was' if one.refused == 1 else 'were'} refused" if one.refused else ""
        freed = f"{verb} frees {_count(one.freed, 'call')}{refused}."
        yield _wrap(f"{freed} {_count(left, 'stop')} would be left, {_share(left, tally.calls)}.", width)
        for shape in one.most_frequent()[:_MOST_SHAPES]:
            yield _shape_line(shape, width)
        yield ""
        yield from (f"    {line}" for line in one.text.splitlines())


def _habits(found: Sequence[HabitSuggestion], width: int) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield click.style("suggestions from what people approved, each measured on the record", bold=True)
    for one in found:
        yield ""
        yield f"{' + '.join(one.habit.rules)}: approved {one.habit.approved} times"
        yield _wrap(visible(f"{one.title} {one.effect}"), width)
        yield ""
        yield from (f"    {visible(line)}" for line in one.change.text.splitlines())


def _reservations(report: Report, width: int) -> Iterator[str]:
    failed = report.tally.effects["failed"]
    broken = f"{_count(failed, 'call')} could not be judged by every rule: {_short(visible(report.tally.error))}"
    notes = [*([broken] if failed else ()), *report.unknown, *(_fault(fault) for fault in report.faults)]
    if notes:
        yield ""
        yield click.style("what this cannot say", bold=True)
        for note in notes:
            yield _wrap(note, width, "  - ", "    ")


def _fault(fault: FaultCount) -> str:
    return f"{fault.what}: {fault.count:,}, the first at {_short(fault.first)}"


def _row(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}  {text}"


def _short(text: str) -> str:
    """A text in which paths are as a person would write them here: below this folder, or below `~`."""
    return text.replace(f"{Path.cwd()}/", "").replace(f"{Path.home()}/", "~/")


def _wrap(text: str, width: int, first: str = "  ", then: str = "  ") -> str:
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )


def _in_colour(effect: str, text: str) -> str:
    return click.style(text, fg=_COLOURS[effect]) if effect in _COLOURS and text.strip() != "-" else text


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(most - 1, 0)] + "…"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _share(number: int, of: int) -> str:
    return f"{100 * number / of:.2f} of 100 calls" if of else ""


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def _minute(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


# --- JSON --------------------------------------------------------------------------------------------------


def report_json(report: Report) -> str:
    """The report for a program, with everything that was kept."""
    tally = report.tally
    data: dict[str, Any] = {
        "policies": [*report.titles, "core"],
        "source": report.source,
        "interrupted": report.interrupted,
        "calls": tally.calls,
        "prompts": tally.prompts,
        "outcomes": dict(tally.outcomes),
        "effects": _effects(tally.effects),
        "error": tally.error,
        "stops": tally.stops,
        "stops_per_100": round(tally.stops_per_100, 3),
        "rules": [_rule(rule) for rule in sorted(filter(_is_shown, tally.rules.values()), key=_weight)],
        "sessions": [
            {"session": one.session, "project": one.project, "calls": one.calls, "stops": one.stops}
            for one in tally.sessions.values()
        ],
        "unknown": report.unknown,
        "faults": [{"what": fault.what, "count": fault.count, "first": fault.first} for fault in report.faults],
    }
    if report.rule is not None:
        data |= {"rule": report.rule, "found": [_example(one) for one in tally.kept]}
    if report.suggestions is not None:
        data["suggestions"] = [
            {"rule": one.rule, "about": one.about, "kind": one.kind, "policy": one.text, "freed": one.freed,
             "ran": one.ran, "refused": one.refused, "stops_left": one.stops - one.freed,
             "shapes": [{"shape": shape.shape, "count": shape.count, "example": _example(shape.example)}
                        for shape in one.most_frequent()]}
            for one in report.suggestions
        ]  # fmt: skip
        data["habits"] = [
            {"rules": list(one.habit.rules), "what": one.habit.words, "project": one.habit.project,
             "approved": one.habit.approved, "sessions": len(one.habit.sessions), "kind": one.change.kind,
             "policy": one.change.text, "freed": one.change.freed, "questions": one.change.questions}
            for one in report.habits
        ]  # fmt: skip
    if report.comparison is not None:
        data |= {"against": report.other, "differences": _comparison(report.comparison)}
    return as_json(data)


def _effects(effects: Counter[Effect]) -> dict[str, int]:
    return {effect: effects[effect] for effect in EFFECTS}


def _rule(rule: RuleTally) -> dict[str, Any]:
    return {
        "rule": rule.rule,
        "calls": rule.calls,
        "effects": _effects(rule.effects),
        "stops": rule.stops,
        "ran": rule.ran,
        "error": rule.error,
        "shapes": [
            {"shape": shape.shape, "count": shape.count, "example": _example(shape.example)}
            for shape in rule.most_frequent()
        ],
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    groups: Sequence[DifferenceGroup] = [group for kind in DIFFERENCES for group in found.of_kind(kind)]
    return {
        "counts": {kind: found.counts[kind] for kind in DIFFERENCES},
        "groups": [
            {"kind": group.kind, "rules": list(group.rules), "shape": group.shape, "count": group.count,
             "example": _example(group.example)}
            for group in groups
        ],
    }  # fmt: skip


def _example(one: Example) -> dict[str, Any]:
    return {
        "call": one.line,
        "place": one.place,
        "session": one.session,
        "outcome": one.outcome,
        "at": one.at,
        "effects": list(one.effects),
    }
