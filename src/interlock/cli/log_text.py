"""How `interlock log` shows entries: lines for a person, fields for a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Any

import click
from msgspec import UNSET, ValidationError, convert, json

from interlock.cli.layout import (
    COLOURS,
    Section,
    changed_value,
    cut,
    flat,
    paint,
    short_path,
    terminal_width,
    text_width,
    wrap_lines,
)
from interlock.receipts.log_search import LogFilter
from interlock.receipts.logbook import LogEntry, payload_in
from interlock.store.base import StoredRecord
from interlock.testing.trial import words_of
from interlock.verdict import Opinion

__all__ = ["LogText", "data_of", "record_data", "whole_entry"]

_SESSION = 8  # characters of a session's id: enough to tell sessions apart, and to find one by
_GAP = "  "


# --- for programs ------------------------------------------------------------------------------------------------


def data_of(entry: LogEntry) -> dict[str, Any]:
    """Everything about an entry."""
    first = entry.payload
    return {
        "id": entry.id,
        "at": entry.at,
        "time": datetime.fromtimestamp(entry.at).astimezone().isoformat(timespec="milliseconds"),
        "event": entry.event,
        "session": entry.session,
        "project": entry.project,
        "cwd": entry.cwd or None,
        "host": next((one.record["host"] for one in entry.records if one.record.get("host")), None),
        "agent": first.get("agent_type") or (None if not entry.is_call else "main"),
        "mode": first.get("permission_mode"),
        "tool": entry.tool,
        "call": entry.call or None,
        "text": entry.text,
        "input": entry.input,
        "decision": entry.decision,
        "reason": entry.reason,
        "rules": entry.rules,
        "changes": entry.changes,
        "asked_by": entry.asked_by,
        "answer": entry.answer,
        "outcome": entry.outcome,
        "refused_by": entry.refused_by,
        "refusal": entry.refusal,
        "seconds": entry.duration,
        "breach": entry.breach,
        "ended": entry.end_reason,
        "errors": entry.errors,
        "events": [record_data(record) for record in entry.records],
    }


def record_data(record: StoredRecord, *, whole: bool = False) -> dict[str, Any]:
    """One record; `whole` adds the event as the host sent it, without its secrets."""
    found = {"sequence": record.sequence, "at": record.at, **record.record, "hash": record.hash}
    return {**found, "payload": payload_in(record)} if whole else found


# --- lines -------------------------------------------------------------------------------------------------------


def _status(entry: LogEntry) -> tuple[str, str | None]:
    """What became of an entry in a word or two, and the colour of that."""
    if entry.breach is not None:
        return "BREACH", "red"
    if not entry.is_call:
        return entry.decision or "-", COLOURS.get(entry.decision or "")
    outcome = entry.outcome or ""
    if entry.asked_by is not None:
        if entry.answer == "yes":
            return f"yes, {outcome}", "green" if outcome == "ran" else "yellow"
        if entry.outcome == "open":
            return "asked", "yellow"
        return ("no", "red") if entry.refused_by == "person" else (outcome, "red")
    colours = {"denied": "red", "withheld": "red", "failed": "yellow", "refused": "yellow", "no result": "yellow"}
    return outcome, colours.get(outcome)


class LogText:
    """Entries as lines. A heading says the day and the project whenever one of them changes."""

    def __init__(self, here: str, *, quiet: bool = False, verbose: bool = False) -> None:
        """`here` is the project that the person is in."""
        self._here = here
        self._quiet = quiet
        self._verbose = verbose
        self._width = terminal_width()
        self._heading = ""
        self._number, self._word = 4, 7  # the widths of columns

    def fit(self, entries: Sequence[LogEntry]) -> None:
        """Make the columns wide enough for these entries."""
        self._number = max([self._number, *(len(str(one.id)) for one in entries)])
        self._word = max([self._word, *(len(_status(one)[0]) for one in entries)])

    def lines(self, entry: LogEntry) -> Iterator[str]:
        """The lines of one entry, with the heading if it is needed."""
        at = datetime.fromtimestamp(entry.at)
        heading = f"{at:%a} {at.day} {at:%b %Y}  {flat(self._project(entry.project or entry.cwd))}"
        if heading != self._heading:
            if self._heading:
                yield ""
            self._heading = heading
            yield click.style(cut(heading, self._width), bold=True)
        word, colour = _status(entry)
        start = (
            f"{entry.id:>{self._number}}{_GAP}{at:%H:%M:%S}{_GAP}{flat(entry.session or '-')[:_SESSION]:<{_SESSION}}"
        )
        rest = f"{flat(entry.tool or entry.event or 'unreadable'):<5} {flat(self._call(entry))}".rstrip()
        room = None if self._width is None else max(self._width - len(start) - self._word - 2 * len(_GAP), 10)
        yield f"{start}{_GAP}{paint(f'{word:<{self._word}}', colour)}{_GAP}{cut(rest, room)}"
        if not self._quiet:
            yield from self._details(entry, " " * (len(start) + len(_GAP)))

    def _call(self, entry: LogEntry) -> str:
        """The call in a few words; a file of the project is named as people in the project name it."""
        inside = f"{entry.project}/" if entry.project and entry.input is not None else None
        return entry.text.removeprefix(inside) if inside and "\n" not in entry.text else entry.text

    def _project(self, folder: str) -> str:
        if not folder:
            return "no project"
        return PurePath(folder).name or folder if folder == self._here else short_path(folder)

    def _details(self, entry: LogEntry, margin: str) -> Iterator[str]:
        """Who said what about it: one line, or with -v all of it."""
        said = []
        if entry.breach is not None:
            said.append(f"BREACH: {entry.breach}")
        if (deeds := _deeds(entry)) or entry.reason:
            said.append(": ".join(part for part in (deeds, entry.reason) if part))
        if entry.refusal and entry.outcome == "refused" and (self._verbose or entry.refused_by == "host"):
            said.append(f"the {entry.refused_by} refused it: {entry.refusal}")
        if entry.errors and not any(error in (entry.reason or "") for error in entry.errors):
            said.append(f"error: {entry.errors[0]}")
        for text in said:
            if not self._verbose:
                yield margin + cut(flat(text), None if self._width is None else max(self._width - len(margin), 20))
                continue
            section = Section("", indent=len(margin))
            yield from section.say(text).lines()
        if self._verbose:
            for change in entry.changes:
                section = Section("", indent=len(margin))
                yield from _say_change(section, change, text_width() - len(margin)).lines()

    def summary(self, entries: Sequence[LogEntry], wanted: LogFilter, *, full: bool, anything: bool) -> Iterator[str]:
        """What was shown, in numbers; and where to look if that is nothing."""
        if self._quiet:
            return
        if not entries:
            where = "" if wanted.project is None else f" in {self._project(wanted.project)}"
            yield f"Nothing was recorded{where}." if not _narrows(wanted) else f"Nothing{where} matches."
            if anything and wanted.project is not None:
                yield "`interlock log --all` shows every project."
            return
        calls = [entry for entry in entries if entry.is_call]
        outcomes = Counter(entry.outcome for entry in calls)
        asked = sum(entry.asked_by is not None for entry in calls)
        parts = [f"{outcomes[name]} {name}" for name in ("denied", "refused", "withheld", "failed") if outcomes[name]]
        parts += [f"{asked} asked about"] if asked else []
        more = f"; the newest {len(entries)} are shown, -n shows more" if full else ""
        yield ""
        counts = f"{len(calls)} call{'s' * (len(calls) != 1)}{': ' if parts else ''}{', '.join(parts)}{more}."
        yield from [counts] if self._width is None else wrap_lines(counts, self._width)


# What a rule may do besides deciding → how the log calls it.
_DEEDS = {"change": "changed", "output": "result replaced", "withhold": "result withheld", "context": "model told",
          "notice": "person told", "set": "state set"}  # fmt: skip


def _deeds(entry: LogEntry) -> str:
    """Who did what: `deny by a, b; changed, person told by c`. The decision comes first."""
    done: dict[str, dict[str, None]] = {}  # by whom → what
    for opinion in entry.opinions:
        by = str(opinion.get("by") or "")
        if by == "interlock" and not opinion.get("decision"):
            continue  # what Interlock says about itself at the start of a session, for example
        would = f"would {str(opinion['would']).partition(' ')[0]}" if opinion.get("would") else None
        deeds = [would or opinion.get("decision"), *(word for part, word in _DEEDS.items() if opinion.get(part))]
        done.setdefault(by, {}).update(dict.fromkeys(str(deed) for deed in deeds if deed))
    if not done:  # a record of an event that failed before it was judged
        done = {rule: {entry.decision: None} if entry.decision else {} for rule in entry.rules}
    together: dict[str, list[str]] = {}
    for by, words in done.items():
        together.setdefault(", ".join(words) or "noted", []).append(by)
    ordered = sorted(together, key=lambda words: words.partition(",")[0] != entry.decision)
    return "; ".join(f"{words} by {', '.join(together[words])}" for words in ordered)


def _narrows(wanted: LogFilter) -> bool:
    given = (wanted.session, wanted.rule, wanted.decision, wanted.tool, wanted.since, wanted.text)
    return any(part is not None for part in given) or wanted.asked or wanted.stopped


def _say_change(section: Section, change: dict[str, Any], room: int) -> Section:
    label, by = f"{change.get('field')}: ", f"  (`{change.get('by')}`)"
    before, after = change.get("before", UNSET), change.get("after", UNSET)
    short, lines = changed_value(before, after, room - len(label) - len(by))
    if short:
        return section.verbatim([f"{label}{short}{by}"])
    return section.verbatim([f"{label.rstrip()}{by}"]).verbatim(lines, indent=2, mark=2)


# --- one entry, whole --------------------------------------------------------------------------------------------


def whole_entry(entry: LogEntry) -> str:
    """Everything that is recorded about one entry."""
    return "\n".join(line for section in _sections(entry) for line in section.lines())


def _sections(entry: LogEntry) -> Iterator[Section]:
    at = datetime.fromtimestamp(entry.at).astimezone()
    word, _ = _status(entry)
    yield Section(str(entry.id)).say(f"{entry.tool or entry.event or 'an event that could not be read'}: {word}")
    yield Section("when").say(f"{at:%a} {at.day} {at:%b %Y %H:%M:%S %z}")
    first = data_of(entry)
    who = [
        f"session {entry.session}",
        first["agent"] and f"agent {first['agent']}",
        first["mode"] and f"mode {first['mode']}",
    ]
    yield Section("who").say(", ".join(part for part in who if part))
    if entry.project or entry.cwd:
        where = entry.project or entry.cwd
        inside = f", in {entry.cwd}" if entry.cwd and entry.cwd != where else ""
        yield Section("project").say(f"{where}{inside}")
    if entry.breach is not None:
        yield Section("BREACH", "red").say(entry.breach)
    yield from _verdict_sections(entry)
    if entry.input is not None:
        section = Section("input")
        for name, value in entry.input.items():
            shown = value if isinstance(value, str) else json.encode(value).decode()
            lines = shown.removesuffix("\n").split("\n")
            section.verbatim([f"{name}: {flat(lines[0]) if len(lines) == 1 else ''}".rstrip()])
            if len(lines) > 1:
                section.verbatim([flat_line(line) for line in lines], indent=2)
        yield section
    elif entry.text:
        yield Section("text").say(entry.text)
    if entry.changes:
        section = Section("changed", "yellow")
        for change in entry.changes:
            _say_change(section, change, text_width() - 10)
        yield section
    yield from _told_sections(entry)
    section = Section("events")
    for record in entry.records:
        when = datetime.fromtimestamp(record.at)
        rules = f" [{', '.join(record.rules)}]" if record.rules else ""
        section.say(f"{record.sequence}  {when:%H:%M:%S}  {record.event}: {record.decision or 'no decision'}{rules}")
        section.say(record.hash, indent=2)
    yield section


def flat_line(line: str) -> str:
    """A line of a longer text, with its indentation and without control characters."""
    return line[: len(line) - len(line.lstrip(" "))] + flat(line)


def _verdict_sections(entry: LogEntry) -> Iterator[Section]:
    decision = entry.decision or "none"
    section = Section("verdict", COLOURS.get(decision))
    yield section.say(f"{decision}{f': {entry.reason}' if entry.reason else ''}")
    if entry.opinions:
        section = Section("rules")
        for opinion in entry.opinions:
            section.say(_opinion_text(opinion))
        yield section
    if entry.asked_by is not None:
        by = "by a rule" if entry.asked_by == "rule" else "by the host, as its own settings say"
        yield Section("asked").say(f"{by}; the answer: {entry.answer or 'not known'}")
    if entry.is_call:
        spent = f" in {entry.duration:.1f} s" if entry.duration is not None else ""
        refused = f" by the {entry.refused_by}" if entry.refused_by else ""
        said = f": {entry.refusal}" if entry.refusal and entry.outcome == "refused" else ""
        yield Section("outcome").say(f"{entry.outcome}{refused}{spent}{said}")
    if entry.end_reason is not None:
        yield Section("turn", "red").say(f"Interlock ended it: {entry.end_reason}")


def _opinion_text(opinion: dict[str, Any]) -> str:
    source = opinion.get("source")
    where = f" ({short_path(str(source[0]))}:{source[1]})" if isinstance(source, list) and len(source) > 1 else ""
    try:
        said = words_of(convert(opinion, Opinion))
    except ValidationError:  # a record of a version that wrote opinions differently
        said = str(opinion.get("decision") or "")
    return f"`{opinion.get('by')}`{where}" + (f" → {said}" if said else "")


def _told_sections(entry: LogEntry) -> Iterator[Section]:
    texts = {
        "model": [str(one["context"]) for one in entry.opinions if one.get("context")],
        "person": [str(text) for record in entry.records for text in record.record.get("notices") or ()],
        "lowered": [f"{loss[0]}: {loss[1]}" for record in entry.records for loss in record.record.get("lowered") or ()],
        "error": entry.errors,
    }
    for label, found in texts.items():
        section = Section(label)
        for text in dict.fromkeys(found):
            section.say(text)
        if found:
            yield section
