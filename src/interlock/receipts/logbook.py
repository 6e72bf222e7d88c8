"""The record as a person reads it: one entry for each call, from the model's request to what became of it.

A host raises several events about one call, and each is a record of its own. They are put together by the call's id;
events without one (a permission prompt, and all events of hosts that do not name their calls) belong to the newest call
of the same tool and input in their session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from msgspec import DecodeError, json
from msgspec.structs import replace

from interlock.event import EVENTS
from interlock.facts.fields import main_field
from interlock.receipts.refusal_words import says_it_did_not_run
from interlock.store.base import StoredRecord
from interlock.verdict import STRICTNESS

__all__ = ["LogEntry", "Logbook", "payload_in"]

JsonObject: TypeAlias = dict[str, Any]

_CALLS = frozenset({"PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure"})
# After one of these, no result of an earlier call of the same agent arrives any more.
_ENDS = frozenset({"PostToolBatch", "Stop", "SubagentStop", "UserPromptSubmit", "SessionEnd"})
# What the store and the daemon record about themselves and nobody needs to see every day.
_UPKEEP = frozenset({"Inherit", "Forget", "Abandoned", "Paused"})
_PERSON_REFUSED = "The user doesn't want to "  # how the client tells the model that a person said no
_UNSEEN = "unseen"  # not looked at since the last record came
_GAVE_UP = ("waiting", "open", "over")  # how a request is recorded that nobody answered in time
_NO_YES = ("no", *_GAVE_UP)
_LONG = ("tool_response", "tool_calls")  # fields that may be long and are not shown
_MOST_OPEN = 500  # calls whose result may still come; of more than these, the oldest are not waited for


def payload_in(record: StoredRecord) -> JsonObject:
    """The event as it was recorded, without its secrets. Empty if it was not an event, or could not be read."""
    try:
        found = json.decode(record.raw)
    except DecodeError:
        return {}
    return found if isinstance(found, dict) else {}


class LogEntry:
    """One call with everything recorded about it, or one other event."""

    def __init__(self, first: StoredRecord, payload: JsonObject) -> None:
        self.records = [first]
        self.payload = {key: value for key, value in payload.items() if key not in _LONG}  # of the first event
        self.input = payload.get("tool_input") if isinstance(payload.get("tool_input"), dict) else None
        self.is_call = first.event in _CALLS
        self._batch: Any = None  # what the model was shown of it at the end of the batch
        self._in_batch = False
        self.is_over = False  # no result will come any more
        self._refusal: str | None = None
        self.reply: StoredRecord | None = None  # the record of a person's answer in the inbox
        self.duration: float | None = None  # seconds, as the host measured them
        self.take(payload, first)

    # --- taking in what happened -----------------------------------------------------------------------------

    def add(self, record: StoredRecord, payload: JsonObject) -> None:
        """Take in another event about the same call."""
        self.records.append(record)
        self.take(payload, record)

    def take(self, payload: JsonObject, record: StoredRecord) -> None:
        self._forget()
        if record.event == "PermissionDenied":
            self._refusal = str(payload.get("reason") or "")
        spent = payload.get("duration_ms")
        if isinstance(spent, int | float):
            self.duration = spent / 1000

    def end(self, response: Any = None, *, in_batch: bool = False) -> None:
        """Note that the turn, or the batch that this call was part of, is over."""
        self._forget()
        self.is_over = True
        if in_batch:
            self._in_batch, self._batch = True, response

    def reply_with(self, record: StoredRecord) -> None:
        """Take in what a person answered in the inbox."""
        self._forget()
        self.reply = record

    def _forget(self) -> None:
        # The two are asked for many times, and a long record has many entries.
        self._decision: str | None = _UNSEEN
        self._outcome: str | None = _UNSEEN

    # --- what it is ------------------------------------------------------------------------------------------

    @property
    def id(self) -> int:
        return self.records[0].sequence

    @property
    def at(self) -> float:
        return self.records[0].at

    @property
    def event(self) -> str | None:
        return self.records[0].event

    @property
    def session(self) -> str | None:
        return self.records[0].session

    @property
    def tool(self) -> str | None:
        return self.records[0].tool

    @property
    def call(self) -> str:
        """The host's id of the call."""
        return str(self.payload.get("tool_use_id") or "")

    @property
    def agent(self) -> str:
        """The id of the subagent that made the call; empty for the main agent."""
        return str(self.payload.get("agent_id") or "")

    @property
    def project(self) -> str | None:
        """The project whose policy judged it; None in records of earlier versions."""
        return next((str(one.record["project"]) for one in self.records if one.record.get("project")), None)

    @property
    def cwd(self) -> str:
        return str(self.payload.get("cwd") or "")

    @property
    def input_after(self) -> JsonObject:
        """The input with every change that was made to it."""
        found = dict(self.input or {})
        for change in self.changes:
            if "after" in change:
                found[change["field"]] = change["after"]
            else:
                found.pop(change["field"], None)
        return found

    @property
    def text(self) -> str:
        """The call in a few words: the command, the file, the URL, or the whole input."""
        if self.input is not None:
            return self.text_of(self.input)
        about = ("prompt", "message", "reason", "source", "file_path", "file", "error", "breach")
        # Of an event, what the host sent: the record's own words are the verdict's.
        held = self.payload if self.event in EVENTS else self.records[0].record
        return next((str(held[name]) for name in about if isinstance(held.get(name), str) and held[name]), "")

    def text_of(self, given: JsonObject) -> str:
        """The call in a few words, with another input."""
        value = given.get(main_field(self.tool or "") or "")
        return value if isinstance(value, str) else json.encode(given).decode()

    # --- what was said ---------------------------------------------------------------------------------------

    @property
    def decision(self) -> str | None:
        """The strictest decision about whether it may run; for other events, about the event."""
        if self._decision is _UNSEEN:
            self._decision = self._find_decision()
        return self._decision

    def _find_decision(self) -> str | None:
        judged = [
            one.decision
            for one in self.records
            # A person's no is their answer, and not a rule's denial; nor is it one if nobody answered in time.
            if one.event not in ("PostToolUse", "PostToolUseFailure") and one.record.get("answer") not in _NO_YES
        ]
        return max(judged or [None], key=lambda one: STRICTNESS.get(one, 0))  # type: ignore[arg-type]

    @property
    def reason(self) -> str | None:
        """Why, in the words of the rules that decided; of a withheld result, why it was withheld."""
        decided = [one for one in self.records if one.decision == self.decision and one.record.get("reason")]
        if decided:
            return str(decided[0].record["reason"])
        return next((str(one.record["withheld"]) for one in self.records if one.record.get("withheld")), None)

    @property
    def rules(self) -> list[str]:
        """Every rule and hook that had an opinion, each once."""
        return list(dict.fromkeys(rule for one in self.records for rule in one.rules))

    @property
    def changes(self) -> list[JsonObject]:
        return [change for one in self.records for change in one.record.get("changes") or ()]

    @property
    def opinions(self) -> list[JsonObject]:
        """What each rule and hook said, in the order of the events."""
        return [opinion for one in self.records for opinion in one.record.get("opinions") or ()]

    @property
    def breach(self) -> str | None:
        return next((str(one.record["breach"]) for one in self.records if one.record.get("breach")), None)

    @property
    def end_reason(self) -> str | None:
        """Why Interlock ended the turn with it, if it did."""
        return next((str(one.record["ended"]) for one in self.records if one.record.get("ended")), None)

    @property
    def errors(self) -> list[str]:
        return list(dict.fromkeys(str(error) for one in self.records for error in one.record.get("errors") or ()))

    # --- what became of it -----------------------------------------------------------------------------------

    @property
    def asked_by(self) -> str | None:
        """Who wanted a person to be asked: `rule`, or `host` if its own settings did. None if nobody."""
        if self.decision == "ask":
            return "rule"
        shown = [one for one in self.records if one.event == "PermissionRequest"]
        return "host" if any(one.decision is None for one in shown) and self.decision != "deny" else None

    @property
    def answer(self) -> str | None:
        """The person's answer, as far as later events tell: `yes`, `no`, or None if it is not known or was not asked.

        A call that was asked about and has a result was agreed to. One that never had a result was not.
        """
        if self.asked_by is None:
            return None
        if self._result is not None:
            return "yes"
        if self._inbox_answer in ("yes", "no"):
            return self._inbox_answer
        if self.reply is not None and not self.reply.record.get("late"):
            return str(self.reply.record.get("answer"))
        # Of a prompt whose call is not recorded, nobody can tell what became of the call.
        if self._refusal is None and self._inbox_answer in _GAVE_UP:
            return None
        return "no" if self._refusal is not None or (self.is_over and self.event == "PreToolUse") else None

    @property
    def answered_after(self) -> float | None:
        """How many seconds a person took to answer in the inbox; None if they did not."""
        asked = next((one.at for one in self.records if one.record.get("request")), None)
        return None if asked is None or self.reply is None else max(0.0, self.reply.at - asked)

    @property
    def outcome(self) -> str | None:
        """What became of a call; None for other events.

        `denied`: Interlock refused it. `ran`, `failed`: as its host reports. `withheld`: it ran, and the model did not
        read the result. `refused`: a person or the host said no. `unanswered`: nobody answered in time, and so it was
        denied. `no result`: none ever came. `open`: none came yet.
        """
        if self._outcome is _UNSEEN:
            self._outcome = self._find_outcome()
        return self._outcome

    def _find_outcome(self) -> str | None:
        if not self.is_call:
            return None
        result = self._result
        if result is not None:
            if result.record.get("withheld") or result.record.get("unread"):
                return "withheld"
            return "ran" if result.event == "PostToolUse" else "failed"
        if self.decision == "deny":
            return "denied"
        if self._inbox_answer in _GAVE_UP:
            return "unanswered"
        if self._refusal is not None or self._batch_refuses or self.answer == "no":
            return "refused"
        return "no result" if self.is_over else "open"

    @property
    def refusal(self) -> str | None:
        """What was said with a person's or the host's no, if anything."""
        if self._refusal:
            return self._refusal
        if self._inbox_answer == "no":
            return str(self.records[-1].record.get("reason") or "")
        return str(self._batch) if self._batch_refuses and self.decision != "deny" else None

    @property
    def refused_by(self) -> str | None:
        """Who said no to a call that Interlock did not deny: `person` or `host`. None if that is not known."""
        if self.outcome != "refused":
            return None
        if isinstance(self._batch, str) and self._batch_refuses:
            return "person" if self._batch.startswith(_PERSON_REFUSED) else "host"
        return "person" if self.asked_by is not None else "host"

    @property
    def is_notable(self) -> bool:
        """Whether an event that is not a call is worth a line of its own among the calls."""
        first = self.records[0]
        if self.decision is not None or self.breach or self.end_reason or self.errors or first.record.get("withheld"):
            return True
        return first.event not in EVENTS and first.event not in _UPKEEP

    @property
    def is_stopped(self) -> bool:
        """Whether Interlock kept something from happening, or from being read."""
        stopped = self.decision == "deny" or self.outcome in ("withheld", "unanswered")
        return stopped or self.breach is not None or self.end_reason is not None

    @property
    def _inbox_answer(self) -> str | None:
        """What a person answered in the inbox, if they were asked there."""
        return next((str(one.record["answer"]) for one in reversed(self.records) if one.record.get("answer")), None)

    @property
    def _result(self) -> StoredRecord | None:
        results = [one for one in self.records if one.event in ("PostToolUse", "PostToolUseFailure")]
        return results[-1] if results else None

    @property
    def _batch_refuses(self) -> bool:
        return self._in_batch and says_it_did_not_run(self.tool or "", self._batch, self.reason)


class Logbook:
    """Puts records together, in the order in which they were written."""

    def __init__(self, *, whole: bool = False) -> None:
        """`whole`: keep the events as they were sent, which may be long."""
        self._whole = whole
        self._named: dict[tuple[str | None, str], LogEntry] = {}  # (session, call id) → calls that may go on
        self._open: dict[int, LogEntry] = {}  # by id: calls without a result
        self._asked: dict[str, LogEntry] = {}  # by the id of the request: calls that a person was asked about

    def read(self, records: Iterable[StoredRecord]) -> list[LogEntry]:
        """The entries of these records, in the order in which they began."""
        found: dict[int, LogEntry] = {}
        for record in records:
            entry = self.add(record)
            found.setdefault(entry.id, entry)
        return [found[id_] for id_ in sorted(found)]

    def add(self, record: StoredRecord) -> LogEntry:
        """Take in one record, and return the entry that it belongs to."""
        return self.take(record)[0]

    def take(self, record: StoredRecord) -> list[LogEntry]:
        """Take in one record, and return every entry that it changes: first its own, then calls that it is the end of,
        and the call that it answers a request about.
        """
        payload = payload_in(record)
        if not self._whole:
            record = replace(record, raw=b"")
        if record.event in _CALLS:
            return [self._add_call(record, payload)]
        others: list[LogEntry] = []
        if record.event in _ENDS:
            others = self._end_calls(record, payload)
        elif record.event == "Answer":
            others = self._answer(record)
        return [LogEntry(record, payload), *others]

    def resume(self, entry: LogEntry) -> None:
        """Expect more records about a call that another logbook put together."""
        if entry.call:
            self._named[entry.session, entry.call] = entry
        self._remember(entry)

    def knows_request(self, id: str) -> bool:
        """Whether the call that this request is about is among those that may go on."""
        return id in self._asked

    def _remember(self, entry: LogEntry) -> None:
        for one in entry.records if entry.reply is None else ():
            if request := one.record.get("request"):
                self._asked[str(request)] = entry
        if entry.outcome == "open":
            self._open[entry.id] = entry
            self._drop_oldest()
        else:
            self._open.pop(entry.id, None)

    def _answer(self, record: StoredRecord) -> list[LogEntry]:
        entry = self._asked.pop(str(record.record.get("request")), None)
        if entry is None:
            return []
        entry.reply_with(record)
        return [entry]

    def _add_call(self, record: StoredRecord, payload: JsonObject) -> LogEntry:
        call = str(payload.get("tool_use_id") or "")
        entry = self._named.get((record.session, call)) if call else None
        if entry is None and not call and record.event != "PreToolUse":
            entry = self._same_call(record, payload)
        if entry is None:
            entry = LogEntry(record, payload)
            if call:
                self._named[record.session, call] = entry
        else:
            entry.add(record, payload)
        self._remember(entry)
        return entry

    def _same_call(self, record: StoredRecord, payload: JsonObject) -> LogEntry | None:
        """The newest open call of the session with the same tool and input, for an event that names no call.

        A host may normalise an input before it asks. If only one call of the tool is open, the event is about that one.
        """
        open_ = [one for one in self._open.values() if (one.session, one.tool) == (record.session, record.tool)]
        alike = [one for one in open_ if _is_input_of(one, payload)]
        return alike[-1] if alike else open_[0] if len(open_) == 1 else None

    def _end_calls(self, record: StoredRecord, payload: JsonObject) -> list[LogEntry]:
        """Note, and return, which calls have no result although their batch, their turn or their session is over."""
        responses = {
            str(one.get("tool_use_id") or ""): one.get("tool_response")
            for one in payload.get("tool_calls") or ()
            if isinstance(one, dict)
        }
        changed: dict[int, LogEntry] = {}
        for call, response in responses.items():
            entry = self._named.get((record.session, call)) if call else None
            if entry is not None:
                entry.end(response, in_batch=True)
                changed[entry.id] = entry
        agent = str(payload.get("agent_id") or "")
        for entry in list(self._open.values()):
            if entry.session == record.session and (record.event == "SessionEnd" or entry.agent == agent):
                entry.end()
                changed[entry.id] = entry
            if entry.is_over:
                del self._open[entry.id]
        return list(changed.values())

    def _drop_oldest(self) -> None:
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        if len(self._named) > 10 * _MOST_OPEN:
            for key in list(self._named)[:_MOST_OPEN]:
                del self._named[key]
        if len(self._asked) > 10 * _MOST_OPEN:
            for request in list(self._asked)[:_MOST_OPEN]:
                del self._asked[request]


def _is_input_of(entry: LogEntry, payload: Mapping[str, Any]) -> bool:
    """Whether an event is about this call: its input is what the model wrote, or what the policy made of that."""
    given = payload.get("tool_input")
    return bool(given == entry.input or given == entry.input_after)
