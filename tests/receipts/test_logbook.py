"""The record as entries: every record belongs to exactly one, and a call says what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import replace

from interlock.receipts import log_search
from interlock.receipts.log_search import LogFilter, find_entry, newest_entries
from interlock.receipts.logbook import Logbook, LogEntry
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore

GIVEN = {"command": "ls"}


def event(name: str, decision: str | None = None, *, session: str = "s", **fields: Any) -> Entry:
    """One event as it is recorded. Fields of the record begin with an underscore, the others are the payload's."""
    kept = {key[1:]: value for key, value in fields.items() if key.startswith("_")}
    sent = {key: value for key, value in fields.items() if not key.startswith("_")}
    tool = sent.get("tool_name")
    payload = {"session_id": session, "cwd": "/shop", "hook_event_name": name, **sent}
    record = {"session": session, "event": name, "tool": tool, "decision": decision, "project": "/shop", **kept}
    return Entry(record={"rules": [], "reason": None, **record}, raw=json.encode(payload), at=1.0)


def call(name: str, decision: str | None = None, id: str = "c1", **fields: Any) -> Entry:
    return event(name, decision, **{"tool_name": "Bash", "tool_input": GIVEN, "tool_use_id": id, **fields})


def unnamed(name: str, decision: str | None = None, **fields: Any) -> Entry:
    return event(name, decision, **{"tool_name": "Bash", "tool_input": GIVEN, **fields})


def batch(*responses: tuple[str, Any]) -> Entry:
    calls = [{"tool_name": "Bash", "tool_input": GIVEN, "tool_use_id": id, "tool_response": r} for id, r in responses]
    return event("PostToolBatch", tool_calls=calls)


def entries(*events: Entry) -> list[LogEntry]:
    return Logbook().read(kept(events).records())


def kept(events: Iterable[Entry]) -> MemoryStore:
    store = MemoryStore()
    for one in events:
        store.commit(one)
    return store


PRE, ASK, DENY = call("PreToolUse"), call("PreToolUse", "ask"), call("PreToolUse", "deny")
POST = call("PostToolUse")
PROMPT = unnamed("PermissionRequest")
STOP = event("Stop", stop_hook_active=False)
INBOX = call("PreToolUse", "ask", _request="q1", _answer=None)

# What happened → decision, who wanted a question, the answer, the outcome, who refused.
STORIES: dict[str, tuple[list[Entry], tuple[str | None, ...]]] = {
    "it ran": ([PRE, POST], (None, None, None, "ran", None)),
    "it was allowed and ran": ([call("PreToolUse", "allow"), POST], ("allow", None, None, "ran", None)),
    "it is running": ([PRE], (None, None, None, "open", None)),
    "it was denied": ([DENY], ("deny", None, None, "denied", None)),
    "it was denied, and the batch says so": ([DENY, batch(("c1", "No."))], ("deny", None, None, "denied", None)),
    "it ran although it was denied": ([DENY, POST], ("deny", None, None, "ran", None)),
    "a second guard denied it": ([PRE, DENY], ("deny", None, None, "denied", None)),
    "it failed": ([PRE, call("PostToolUseFailure", error="exit 1")], (None, None, None, "failed", None)),
    "its result was withheld": ([PRE, call("PostToolUse", _withheld="x")], (None, None, None, "withheld", None)),
    "its failure was withheld": (
        [PRE, call("PostToolUseFailure", error="x", _unread="y")], (None, None, None, "withheld", None)
    ),
    "a person is being asked": ([ASK], ("ask", "rule", None, "open", None)),
    "a person said yes": ([ASK, PROMPT, POST], ("ask", "rule", "yes", "ran", None)),
    "a person said yes, and it failed": (
        [ASK, call("PostToolUseFailure", error="x")], ("ask", "rule", "yes", "failed", None)
    ),
    "a person said no": (
        [ASK, PROMPT, batch(("c1", "The user doesn't want to proceed with this tool use."))],
        ("ask", "rule", "no", "refused", "person"),
    ),
    "a person said no to the gate": (
        [ASK, PROMPT, call("PermissionDenied", reason="the person did not approve this call")],
        ("ask", "rule", "no", "refused", "person"),
    ),
    "nobody could be asked": (
        [ASK, batch(("c1", "Permission to use Bash has been denied."))], ("ask", "rule", "no", "refused", "host")
    ),
    "the turn ended without an answer": ([ASK, PROMPT, STOP], ("ask", "rule", "no", "refused", "person")),
    "the host asked, and a person said yes": ([PRE, PROMPT, POST], (None, "host", "yes", "ran", None)),
    "the host asked, and a person said no": ([PRE, PROMPT, STOP], (None, "host", "no", "refused", "person")),
    "a rule answered the host's question": (
        [PRE, unnamed("PermissionRequest", "allow"), POST], ("allow", None, None, "ran", None)
    ),
    "a rule denied at the prompt": ([PRE, unnamed("PermissionRequest", "deny")], ("deny", None, None, "denied", None)),
    "the host's classifier refused it": (
        [PRE, call("PermissionDenied", reason="risky")], (None, None, None, "refused", "host")
    ),
    "the host's own rule refused it": (
        [PRE, batch(("c1", "Permission to use Bash has been denied."))], (None, None, None, "refused", "host")
    ),
    "no result ever came": ([PRE, STOP], (None, None, None, "no result", None)),
    "the session ended": ([PRE, event("SessionEnd", reason="other")], (None, None, None, "no result", None)),
    "another agent's turn ended": (
        [PRE, event("SubagentStop", agent_id="a1", stop_hook_active=False)], (None, None, None, "open", None)
    ),
    "another session's turn ended": ([PRE, event("Stop", session="t")], (None, None, None, "open", None)),
    "a result came after all": ([PRE, STOP, POST], (None, None, None, "ran", None)),
    "the host names no calls": (
        [unnamed("PreToolUse", "ask"), unnamed("PostToolUse")], ("ask", "rule", "yes", "ran", None)
    ),
    "a person said no in the inbox": (
        [INBOX, call("PreToolUse", "deny", _request="q1", _answer="no")], ("ask", "rule", "no", "refused", "person")
    ),
    "nobody answered in the inbox": (
        [INBOX, call("PreToolUse", "deny", _request="q1", _answer="waiting"), batch(("c1", "Denied."))],
        ("ask", "rule", None, "unanswered", None),
    ),
    "a person said yes in the inbox, and nothing more is known": (
        [INBOX, event("Answer", _request="q1", _answer="yes"), STOP], ("ask", "rule", "yes", "no result", None)
    ),
    "a yes came too late": (
        [INBOX, call("PreToolUse", "deny", _request="q1", _answer="open"),
         event("Answer", _request="q1", _answer="yes", _late=True)],
        ("ask", "rule", None, "unanswered", None),
    ),
    "an edit in the inbox was denied": (
        [INBOX, call("PreToolUse", "deny", _request="q1", _answer="yes")], ("deny", None, None, "denied", None)
    ),
    "a prompt of which the call is not recorded": ([PROMPT, STOP], (None, "host", None, "no result", None)),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_call_says_what_became_of_it(story: str):
    events, expected = STORIES[story]
    first = entries(*events)[0]
    found = (first.decision, first.asked_by, first.answer, first.outcome, first.refused_by)
    assert found == expected


def test_a_record_tells_which_entries_it_changes():
    answered = replace(event("Answer", _request="q1", _answer="yes", _by="ann"), at=31.0)
    book = Logbook()
    changed = [[one.id for one in book.take(record)] for record in kept([INBOX, PRE, answered, STOP]).records()]
    assert changed == [[1], [1], [3, 1], [4, 1]]
    (call_, *_) = entries(INBOX, answered)
    assert (call_.answered_after, call_.reply and call_.reply.record["by"]) == (30.0, "ann")


def test_a_prompt_belongs_to_the_call_with_its_input_as_the_policy_changed_it():
    change = {"field": "command", "before": "ls", "after": "ls -l", "by": "r"}
    first, second = entries(
        call("PreToolUse", "ask", _changes=[change]),
        call("PreToolUse", "ask", id="c2"),
        unnamed("PermissionRequest", tool_input={"command": "ls -l"}),
    )
    assert [len(one.records) for one in (first, second)] == [2, 1]


def test_a_prompt_whose_input_the_host_normalised_belongs_to_the_only_open_call_of_its_tool():
    (only,) = entries(ASK, unnamed("PermissionRequest", tool_input={"command": "ls", "timeout": 5}))
    assert only.asked_by == "rule"
    two = entries(ASK, call("PreToolUse", id="c2"), unnamed("PermissionRequest", tool_input={"command": "other"}))
    assert [len(one.records) for one in two] == [1, 1, 1]


def test_the_same_id_in_two_sessions_names_two_calls():
    assert len(entries(PRE, call("PreToolUse", session="t"), call("PostToolUse", session="t"))) == 2


def test_only_events_that_somebody_spoke_about_are_notable():
    quiet = event("UserPromptSubmit", prompt="hello")
    loud = event("Stop", "deny", _reason="Tests fail.", _rules=["tests"])
    lost = event("EntriesLost", reason="gone")
    inherited = event("Inherit")
    assert [one.is_notable for one in entries(quiet, loud, lost, inherited)] == [False, True, True, False]


def test_a_record_that_cannot_be_read_is_an_entry_too():
    raw = Entry(record={"event": None, "decision": "deny", "errors": ["not JSON"]}, raw=b"\xff", at=1.0)
    (only,) = entries(raw)
    assert (only.is_call, only.is_notable, only.text, only.errors) == (False, True, "", ["not JSON"])


# --- all of them --------------------------------------------------------------------------------------------------

NAMES = ["PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure"]
DECISIONS = st.sampled_from([None, None, "allow", "ask", "deny"])
ANY_CALL = st.builds(
    lambda name, decision, number, session, given, rules: event(
        name, decision, session=session, tool_name="Bash", tool_input={"command": given}, _rules=rules,
        **({} if name == "PermissionRequest" else {"tool_use_id": number}),
    ),
    st.sampled_from(NAMES), DECISIONS, st.sampled_from(["c1", "c2", ""]), st.sampled_from(["s", "t"]),
    st.sampled_from(["ls", "rm"]), st.lists(st.sampled_from(["r1", "r2"]), max_size=2, unique=True),
)  # fmt: skip
ANY_OTHER = st.builds(
    lambda name, decision, session: event(name, decision, session=session),
    st.sampled_from(["Stop", "UserPromptSubmit", "SessionEnd", "SessionStart", "Lift"]),
    DECISIONS,
    st.sampled_from(["s", "t"]),
)
EVENTS = st.lists(ANY_CALL | ANY_OTHER, max_size=30)


@given(EVENTS)
def test_every_record_belongs_to_exactly_one_entry(events: list[Entry]):
    found = entries(*events)
    assert sorted(record.sequence for one in found for record in one.records) == list(range(1, len(events) + 1))
    for one in found:
        assert (one.answer is None) or one.asked_by is not None
        assert (one.outcome is None) == (not one.is_call)
        assert one.text is not None


FILTERS = st.builds(
    LogFilter,
    session=st.sampled_from([None, "s", "t", "nobody"]),
    project=st.sampled_from([None, "/shop", "/other"]),
    rule=st.sampled_from([None, "r1", "r*", "nothing"]),
    decision=st.sampled_from([None, "ask", "deny", "none"]),
    tool=st.sampled_from([None, "Bash", "B*", "Read"]),
    text=st.sampled_from([None, "LS", "rm"]),
    asked=st.booleans(),
    stopped=st.booleans(),
    events=st.booleans(),
)


@settings(max_examples=300)
@given(EVENTS, FILTERS, st.integers(1, 5))
def test_what_is_found_quickly_is_what_reading_everything_finds(events: list[Entry], wanted: LogFilter, most: int):
    store = kept(events)
    every = [one for one in Logbook().read(store.records()) if wanted.matches(one)]
    found = newest_entries(store, wanted, most)
    assert [described(one) for one in found] == [described(one) for one in every[-most:]]


@given(EVENTS)
def test_an_entry_is_found_by_the_number_of_any_of_its_records(events: list[Entry]):
    store = kept(events)
    for one in Logbook().read(store.records()):
        for record in one.records:
            found = find_entry(store, str(record.sequence))
            assert found is not None
            assert described(found) == described(one)
    assert find_entry(store, str(len(events) + 1)) is None
    assert find_entry(store, "toolu_unknown") is None


def described(entry: LogEntry) -> tuple[object, ...]:
    return entry.id, [record.sequence for record in entry.records], entry.outcome, entry.answer


def test_a_call_that_began_long_ago_and_ended_last_does_not_hide_a_newer_one():
    last = call("PostToolUse", id="long", _rules=["r1"])
    store = kept([call("PreToolUse", id="long"), call("PreToolUse", id="new", _rules=["r1"], session="t"), last, last])
    assert [one.id for one in newest_entries(store, LogFilter(rule="r1"), 1)] == [2]


@settings(max_examples=200)
@given(EVENTS, FILTERS, st.integers(1, 5), st.integers(1, 6))
def test_a_search_from_the_end_finds_what_reading_everything_finds(
    events: list[Entry], wanted: LogFilter, most: int, size: int
):
    store = kept(events)
    every = [one for one in Logbook().read(store.records()) if wanted.matches(one)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_search, "_FIRST", size)
        found = newest_entries(store, wanted, min(most, size))
    assert [described(one) for one in found] == [described(one) for one in every[-min(most, size) :]]


@pytest.mark.parametrize("size", [1, 3, 50])
def test_a_long_record_is_searched_from_its_end(monkeypatch: pytest.MonkeyPatch, size: int):
    """The beginning of a call may be far before the records that are looked at first."""
    monkeypatch.setattr("interlock.receipts.log_search._FIRST", size)
    store = kept([call("PreToolUse", id="long"), *(call("PreToolUse", id=f"x{n}") for n in range(40)),
                  call("PostToolUse", id="long", _rules=["rare"])])  # fmt: skip
    (found,) = newest_entries(store, LogFilter(rule="rare"), 1)
    assert (found.id, found.outcome) == (1, "ran")
    assert [one.id for one in newest_entries(store, LogFilter(), 2)] == [40, 41]


def test_a_long_record_is_read_in_bounded_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("interlock.receipts.log_search._FIRST", 1)
    monkeypatch.setattr("interlock.receipts.log_search._MOST_PENDING", 4)
    pairs = [(call("PreToolUse", id=f"x{n}", tool_input={"command": f"c{n}"}), call("PostToolUse", id=f"x{n}"))
             for n in range(60)]  # fmt: skip
    store = kept(one for pair in pairs for one in pair)
    found = newest_entries(store, LogFilter(text="c1"), 100)
    assert [one.text for one in found] == ["c1", *(f"c{n}" for n in range(10, 20))]
    assert {one.outcome for one in found} == {"ran"}
    assert all(record.raw == b"" for one in found for record in one.records)
