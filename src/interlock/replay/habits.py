"""What people approve again and again: the same thing, often, and never refused. For that, a rule is proposed.

An `allow` does not beat an `ask`, so what is proposed is an exception to the rule that asks, measured by judging the
recorded calls again with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, field, json

from interlock.approvals.granting import match_of, words_of_match
from interlock.facts.shapes import commands_in
from interlock.policy.load import Policy
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Scene
from interlock.replay.record import play_record
from interlock.replay.suggest import Suggestion, measure_exception
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Store, StoredRecord

__all__ = ["Habit", "HabitSuggestion", "habits_of", "suggestions_from"]

JsonObject: TypeAlias = dict[str, Any]
_OFTEN = 5
_PLACES = 2  # sessions or days, at least: often in one afternoon is not a habit
_NEWEST = 1_000  # questions that are looked at
_MOST_EXACT = 3  # different commands that are named one by one; of more, what they have in common
_MOST_SESSIONS = 40  # that are judged again
_MOST_SUGGESTIONS = 5
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")


class Habit(Struct):
    """More of the same that people were asked about, in one project: the same lines, or lines of the same shape."""

    project: str
    rules: tuple[str, ...]  # that asked
    match: JsonObject  # which calls, in the words of a rule
    line: tuple[str, ...] = ()  # the commands of a shell line, if it is about this line alone
    approved: int = 0
    granted: int = 0  # of these, by a grant for the whole shape
    refused: int = 0  # or edited, or taken back: anything but a plain yes
    sessions: dict[str, None] = field(default_factory=dict)  # in the order of time
    days: set[str] = field(default_factory=set)
    lines: set[tuple[str, ...]] = field(default_factory=set)  # different ones, as many as matter

    @property
    def holds(self) -> bool:
        """Whether it is a habit: often, never refused, and not only once."""
        spread = len(self.sessions) >= _PLACES or len(self.days) >= _PLACES
        # Of a shape, a few lines are better named one by one, unless a person has allowed the shape itself.
        varied = bool(self.line or self.granted) or "command" not in self.match or len(self.lines) > _MOST_EXACT
        return self.approved >= _OFTEN and not self.refused and spread and varied

    @property
    def exception(self) -> JsonObject | None:
        """The condition of an exception for it; None if nothing narrower than a whole tool can be said."""
        if self.line:
            return {"command": [_exactly(one) for one in self.line]}
        if "command" in self.match:
            return {"command": self.match["command"]}
        return self.match if len(self.match) > 1 else None

    @property
    def words(self) -> str:
        return f"`{'`, `'.join(self.line)}`" if self.line else words_of_match(self.match)

    def take(self, answer: bool, session: str, at: float) -> None:
        """Count an answer: a plain yes, or anything else."""
        self.refused += not answer
        if answer:
            self.approved += 1
            self.sessions[session] = None
            self.days.add(str(datetime.fromtimestamp(at).date()))


class HabitSuggestion(Struct, frozen=True):
    """A habit, and the change to a policy that would have spared its questions."""

    habit: Habit
    change: Suggestion
    sessions: int  # that were judged again

    @property
    def title(self) -> str:
        """What people did, in one sentence."""
        habit = self.habit
        where = f"{len(habit.sessions)} sessions" if len(habit.sessions) > 1 else f"{len(habit.days)} days"
        return f"{habit.words} was approved {habit.approved} times in {where}, and never refused."

    @property
    def effect(self) -> str:
        """What the change would have done, in one sentence."""
        change = self.change
        what = {
            "unless": "With this exception",
            "without": "Without this rule of the pack",
            "observe": "If the rule only observed",
        }[change.kind]
        where = "these sessions" if self.sessions == len(self.habit.sessions) else f"the last {self.sessions} of these"
        return f"{what}, {change.freed} of {change.questions} questions in {where} would not have been asked."


def _exactly(command: str) -> str:
    """A pattern for one command and no other."""
    literal = _SPECIAL.sub(r"\\\1", command)
    return f"/^{literal}$/"


def habits_of(store: Store, since: float = 0.0, project: str | None = None) -> list[Habit]:
    """What people approve again and again, the most frequent first."""
    found = _Habits(project)
    known: dict[str, list[Habit]] = {}  # by request
    for request in store.requests(newest=_NEWEST):
        if request.at >= since:
            known[request.id] = _take_request(found, request)
    for grant in store.grants():
        for habit in known.get(grant.request, ()):
            if not grant.key and not habit.line:  # of a late yes, the answer was counted
                habit.approved += grant.used
                habit.granted += grant.used
            habit.refused += grant.revoked is not None
    for record in store.records(decision="ask", since=since or None, newest=_NEWEST):
        _take_prompt(found, store, record)
    return found.listed()


class _Habits:
    """Groups what people were asked about."""

    def __init__(self, project: str | None) -> None:
        self._project = project
        self._found: dict[tuple[Any, ...], Habit] = {}

    def of(self, project: str, rules: tuple[str, ...], tool: str, given: JsonObject) -> list[Habit]:
        """What a call belongs to: the calls of its shape, and those that are the same line."""
        if self._project not in (None, project) or not rules:
            return []
        match = match_of(tool, {"input": given})
        line = tuple(one.text for one in commands_in(tool, given) if one.text)
        key = project, rules, json.encode(match, order="sorted")
        wide = self._found.setdefault(key, Habit(project, rules, match))
        if len(wide.lines) <= _MOST_EXACT:
            wide.lines.add(line)
        if not line:
            return [wide]
        return [wide, self._found.setdefault((*key, line), Habit(project, rules, match, line))]

    def listed(self) -> list[Habit]:
        """Those that are habits. A line is not listed where its whole shape is."""
        holding = [one for one in self._found.values() if one.holds]
        wide = [(one.project, one.rules, one.match) for one in holding if not one.line]
        kept = [one for one in holding if not one.line or (one.project, one.rules, one.match) not in wide]
        return sorted(kept, key=lambda one: (-one.approved, one.words))


def _take_request(found: _Habits, request: ApprovalRequest) -> list[Habit]:
    """Count what a person answered in the inbox. Where nobody answered, nobody said no."""
    body = json.decode(request.body)
    rules = tuple(dict.fromkeys(str(one["by"]) for one in body["reasons"]))
    habits = found.of(request.project, rules, request.tool, body["input"])
    if request.status in ("yes", "no"):
        for habit in habits:
            habit.take(request.status == "yes" and request.edit is None, request.session, request.at)
    return habits


def _take_prompt(found: _Habits, store: Store, record: StoredRecord) -> None:
    """Count a question at the host's own prompt: a call that ran was agreed to."""
    about = record.record
    if about.get("request") or record.event != "PreToolUse":
        return
    try:
        event = json.decode(record.raw)
        tool, given, call = str(event["tool_name"]), event["tool_input"], str(event["tool_use_id"])
    except (DecodeError, KeyError, TypeError):
        return
    receipt = store.receipt(record.session or "", call)
    if receipt is None or receipt.status == "open" or not isinstance(given, dict):
        return  # what became of it is not known
    opinions = about.get("opinions") or ()
    rules = tuple(dict.fromkeys(str(one["by"]) for one in opinions if one.get("decision") == "ask"))
    for habit in found.of(str(about.get("project") or ""), rules, tool, given):
        habit.take(receipt.status in ("closed", "failed"), record.session or "", record.at)


def suggestions_from(
    store: Store, acting: Sequence[Policy], habits: Iterable[Habit], most: int = _MOST_SUGGESTIONS
) -> Iterator[HabitSuggestion]:
    """For each habit that can be spared a question: the change to the policies, as measured on the record."""
    given = 0
    for habit in habits:
        exception = habit.exception
        if exception is None or given >= most:
            continue
        sessions = list(habit.sessions)[-_MOST_SESSIONS:]

        def replay(
            judges: Sequence[PastJudge], wanted: frozenset[str], chosen: list[str] = sessions
        ) -> Iterator[Scene]:
            return play_record(store, judges, Faults(), sessions=[one for one in chosen if one in wanted])

        change = measure_exception(acting, habit.rules, exception, frozenset(sessions), replay)
        if change is not None:
            given += 1
            yield HabitSuggestion(habit, change, len(sessions))
