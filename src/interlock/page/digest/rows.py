"""An entry of the record as the digest keeps it: one row, made from nothing but the entry."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from interlock.receipts.logbook import LogEntry
from interlock.verdict import STRICTNESS

__all__ = ["COLUMNS", "EntryRow", "RuleWord", "day_of", "row_of", "words_of_rules"]

_MOST_TEXT = 2_000  # characters of a call that are searched and shown in a list
_MOST_REASON = 600
_MARKS = {"deny": "d", "ask": "a", "defer": "a", "allow": "y", None: "n"}


class EntryRow(NamedTuple):
    """One call, or one other event. Everything that lists and charts need; the whole of it is in the record."""

    id: int  # the sequence of its first record
    last: int  # the sequence of its last record
    at: float
    day: str  # the person's local day
    session: str
    project: str
    host: str
    agent: str  # the subagent that made the call; empty for the main agent
    event: str
    tool: str
    decision: str  # deny, ask, defer, allow or none
    outcome: str  # see LogEntry.outcome; empty for other events
    is_call: bool
    is_listed: bool  # a call, or an event that is worth a line among the calls
    is_asked: bool
    answer: str  # yes, edit, no or none; empty if nobody was asked
    answered_after: float | None  # seconds, of answers in the inbox
    is_stopped: bool
    is_changed: bool
    is_breach: bool
    took: float | None  # seconds between the call and its result
    mark: str  # how a strip shows the call, in one letter; empty for other events
    request: str  # the request to a person, if there was one in the inbox
    text: str
    reason: str
    rules: str  # each in a line of its own
    ran: str  # the call as it was changed; empty if it was not
    words: str  # what is searched: all of the above in small letters


COLUMNS = EntryRow._fields


class RuleWord(NamedTuple):
    """What one rule said about one call: the strictest of its opinions."""

    rule: str
    said: str  # deny, ask, defer, allow, change, observe, or empty


def row_of(entry: LogEntry) -> EntryRow:
    """The row of an entry."""
    text, rules = _text(entry)[:_MOST_TEXT], "\n".join(entry.rules)
    reason = (entry.breach or entry.reason or "")[:_MOST_REASON]
    decision, outcome, asked = entry.decision, entry.outcome, entry.asked_by is not None
    changed = bool(entry.changes)
    breach = entry.breach is not None
    first, last = entry.records[0], entry.records[-1]
    return EntryRow(
        id=first.sequence,
        last=last.sequence,
        at=first.at,
        day=day_of(first.at),
        session=first.session or "",
        project=entry.project or "",
        host=str(first.record.get("host") or ""),
        agent=entry.agent,
        event=first.event or "",
        tool=first.tool or "",
        decision=decision or "none",
        outcome=outcome or "",
        is_call=entry.is_call,
        is_listed=entry.is_call or entry.is_notable,
        is_asked=asked,
        answer=_answer(entry) if asked else "",
        answered_after=entry.answered_after,
        is_stopped=entry.is_stopped,
        is_changed=changed,
        is_breach=breach,
        took=_took(entry) if entry.is_call else None,
        mark=_mark(entry, decision, changed, breach) if entry.is_call else "",
        request=_request(entry) if entry.is_call else "",
        text=text,
        reason=reason,
        rules=rules,
        ran=entry.text_of(entry.input_after)[:_MOST_TEXT] if changed and entry.is_call else "",
        words=f"{text}\n{reason}\n{rules}\n{first.tool or ''}".lower(),
    )


def words_of_rules(entry: LogEntry) -> list[RuleWord]:
    """What each rule and hook said about a call, each once."""
    said: dict[str, str] = dict.fromkeys(entry.rules, "")
    for opinion in entry.opinions:
        by = opinion.get("by")
        if by in said:
            said[by] = max(said[by], _word(opinion), key=lambda word: _WEIGHTS[word])
    return [RuleWord(*pair) for pair in said.items()]


_WEIGHTS = {word: weight for weight, word in enumerate(("", "observe", "change", "allow", "ask", "defer", "deny"))}


def _word(opinion: dict[str, Any]) -> str:
    if opinion.get("would") is not None:
        return "observe"
    decision = opinion.get("decision")
    if decision in STRICTNESS and decision is not None:
        return str(decision)
    return "change" if opinion.get("change") is not None else ""


def _answer(entry: LogEntry) -> str:
    if entry.reply is not None:
        said = entry.reply.record
        return "edit" if said.get("edited") else str(said.get("answer") or "none")
    return entry.answer or "none"


def _request(entry: LogEntry) -> str:
    return next((str(one.record["request"]) for one in entry.records if one.record.get("request")), "")


def _took(entry: LogEntry) -> float | None:
    """As the host measured it; otherwise the time from the answer to the result."""
    if entry.duration is not None:
        return entry.duration
    if entry.outcome not in ("ran", "failed", "withheld"):
        return None
    before = [one.at for one in _before_result(entry)]
    return max(0.0, entry.records[-1].at - max(before)) if before else None


def _before_result(entry: LogEntry) -> Iterator[Any]:
    return (one for one in entry.records if one.event not in ("PostToolUse", "PostToolUseFailure"))


def _mark(entry: LogEntry, decision: str | None, changed: bool, breach: bool) -> str:
    if breach:
        return "b"
    if entry.is_stopped and decision != "deny":
        return "w"  # withheld, or nobody answered
    return "c" if changed and decision not in ("deny", "ask", "defer") else _MARKS.get(decision, "n")


def _text(entry: LogEntry) -> str:
    if entry.event == "Answer":
        said = entry.records[0].record
        words = "yes, edited" if said.get("edited") else said.get("answer")
        note = f": {said['note']}" if said.get("note") else ""
        return f"{said.get('by') or 'somebody'} said {words}{note}"
    return entry.text


def day_of(at: float) -> str:
    """The person's local day, as 2026-01-05."""
    return _day_of_quarter(int(at // 900))  # every zone's days begin at a quarter of an hour


@lru_cache(maxsize=4096)
def _day_of_quarter(quarter: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(quarter * 900))
