"""The digest says what a plain count over the whole record says, however it was taken in."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.page.digest import Digest
from interlock.page.digest import file as digest_file
from interlock.page.digest.days import DayNumbers, RuleNumbers, answer_seconds, days, projects, rule_days
from interlock.page.digest.entries import EntryFilter, count_entries, entries, entry_row, newest_id, tools
from interlock.page.digest.following import DigestFollower
from interlock.page.digest.rows import EntryRow, day_of, row_of, words_of_rules
from interlock.page.digest.sessions import count_sessions, marks, session, sessions
from interlock.receipts.logbook import Logbook, LogEntry
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.page.records import MORNING, PROJECTS, event, records


@contextmanager
def taken_in(
    events: Iterable[Entry], cuts: Iterable[int] = (), window: int = 100
) -> Iterator[tuple[MemoryStore, Digest]]:
    """A digest that was caught up, and opened again, after each of the cuts."""
    store = MemoryStore()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "digest.db"
        digest = Digest(path, store, step=3, window=window)
        for number, one in enumerate(events):
            if number in cuts:
                digest.catch_up()
                digest.close()
                digest = Digest(path, store, step=3, window=window)
            store.commit(one)
        digest.catch_up()
        yield store, digest
        digest.close()


def plain(store: MemoryStore) -> list[LogEntry]:
    return Logbook().read(store.records())


CUTS = st.sets(st.integers(0, 40), max_size=4)


@settings(max_examples=60)
@given(records(), CUTS)
def test_entries_are_those_of_the_whole_record(found: list[Entry], cuts: set[int]):
    with taken_in(found, cuts) as (store, digest):
        expected = [row_of(one) for one in plain(store)]
        assert entries(digest, EntryFilter(events=True), most=1000) == expected[::-1]
        assert digest.progress() == (len(found), len(found))


@settings(max_examples=40)
@given(records(), CUTS, st.sampled_from([None, *PROJECTS]))
def test_days_are_a_plain_count(found: list[Entry], cuts: set[int], project: str | None):
    with taken_in(found, cuts) as (store, digest):
        expected: dict[str, Counter[str]] = defaultdict(Counter)
        for row in map(row_of, plain(store)):
            if row.is_listed and project in (None, row.project):
                expected[row.day].update(name for name, holds in numbers_of(row).items() if holds)
        assert [told(one) for one in days(digest, project=project)] == [
            {"day": day, "project": "", **dict.fromkeys(numbers_of(ROW), 0), **count}
            for day, count in sorted(expected.items())
            if count
        ]
        counted = Counter(row.project for row in map(row_of, plain(store)) if row.is_call)
        assert dict(projects(digest)) == dict(counted)


ROW = EntryRow(*[""] * len(EntryRow._fields))  # type: ignore[arg-type]


def numbers_of(row: EntryRow) -> dict[str, bool]:
    return {
        "calls": row.is_call,
        "allowed": row.is_call and row.decision == "allow",
        "asked": row.is_asked,
        "denied": row.is_call and row.decision == "deny",
        "changed": row.is_changed,
        "stopped": row.is_stopped,
        "breaches": row.is_breach,
        "failed": row.outcome == "failed",
        "yes": row.answer == "yes",
        "edited": row.answer == "edit",
        "no": row.answer == "no",
        "unanswered": row.answer == "none",
    }


def told(numbers: DayNumbers | RuleNumbers) -> dict[str, object]:
    return {name: getattr(numbers, name) for name in numbers.__struct_fields__}


@settings(max_examples=40)
@given(records(), CUTS)
def test_days_of_rules_are_a_plain_count(found: list[Entry], cuts: set[int]):
    with taken_in(found, cuts) as (store, digest):
        hits: Counter[tuple[str, str, str]] = Counter()
        denied: Counter[tuple[str, str, str]] = Counter()
        agreed: Counter[tuple[str, str, str]] = Counter()
        for entry in plain(store):
            row = row_of(entry)
            for rule, said in words_of_rules(entry):
                key = (rule, row.day, row.project)
                hits[key] += 1
                denied[key] += said == "deny"
                agreed[key] += said == "ask" and row.answer == "yes"
        counted = {(one.rule, one.day, one.project): one for one in rule_days(digest, by_project=True)}
        assert {key: one.hits for key, one in counted.items()} == hits
        assert {key: one.denied for key, one in counted.items()} == denied
        assert {key: one.yes for key, one in counted.items()} == agreed


@settings(max_examples=40)
@given(records(), CUTS)
def test_sessions_are_a_plain_count(found: list[Entry], cuts: set[int]):
    with taken_in(found, cuts) as (store, digest):
        listed = {one.id: one for one in sessions(digest)}
        for id_ in {entry.session for entry in plain(store)}:
            rows = [row_of(entry) for entry in plain(store) if entry.session == id_]
            times = [record.at for record in store.records(session=id_)]
            prompts = [row.text for row in rows if row.event == "UserPromptSubmit"]
            one = listed.pop(id_ or "")
            assert (one.began, one.last, one.title) == (times[0], times[-1], prompts[0] if prompts else "")
            assert (one.calls, one.asked, one.denied, one.changed, one.stopped, one.breaches) == (
                sum(row.is_call for row in rows),
                sum(row.is_asked for row in rows),
                sum(row.is_call and row.decision == "deny" for row in rows),
                sum(row.is_changed for row in rows),
                sum(row.is_stopped for row in rows),
                sum(row.is_breach for row in rows),
            )
            assert one.tools == pytest.approx(sum(row.took or 0 for row in rows))
            assert one.waited == pytest.approx(sum(row.answered_after or 0 for row in rows))
            assert marks(digest, [one.id]) == {one.id: "".join(row.mark for row in rows)}
        assert listed == {}


FILTERS = st.builds(
    EntryFilter,
    text=st.sampled_from(["", "LS", "make bash", "r1", "nothing"]),
    decision=st.sampled_from([None, None, "ask", "deny", "none"]),
    asked=st.booleans(),
    stopped=st.booleans(),
    changed=st.booleans(),
    tool=st.sampled_from([None, None, "Bash"]),
    project=st.sampled_from([None, None, *PROJECTS]),
    session=st.sampled_from([None, None, "s"]),
    rule=st.sampled_from([None, None, "r1"]),
    since=st.sampled_from([None, MORNING + 30]),
    until=st.sampled_from([None, MORNING + 40_000]),
    events=st.booleans(),
)


@settings(max_examples=80)
@given(records(), FILTERS, st.integers(1, 5))
def test_what_is_searched_for_is_what_reading_everything_finds(found: list[Entry], wanted: EntryFilter, most: int):
    with taken_in(found) as (store, digest):
        expected = [row for row in map(row_of, plain(store)) if is_wanted(row, wanted)][::-1]
        assert entries(digest, wanted, most=most) == expected[:most]
        assert count_entries(digest, wanted, most=1000) == len(expected)
        if len(expected) > most:
            assert entries(digest, wanted, before=expected[most - 1].id, most=1000) == expected[most:]
            assert entries(digest, wanted, after=expected[most].id, most=1000) == expected[:most]


def is_wanted(row: EntryRow, wanted: EntryFilter) -> bool:
    text = "\n".join((row.text, row.reason, row.rules, row.tool)).lower()
    return (
        (wanted.events or row.is_listed)
        and all(word in text for word in wanted.text.lower().split())
        and wanted.decision in (None, row.decision)
        and (row.is_asked or not wanted.asked)
        and (row.is_stopped or not wanted.stopped)
        and (row.is_changed or not wanted.changed)
        and wanted.tool in (None, row.tool)
        and wanted.project in (None, row.project)
        and wanted.session in (None, row.session)
        and (wanted.rule is None or wanted.rule in row.rules.split("\n"))
        and (wanted.since is None or row.at >= wanted.since)
        and (wanted.until is None or row.at < wanted.until)
    )


# --- a few lives ----------------------------------------------------------------------------------------------------


def test_an_answer_that_comes_after_a_restart_counts_for_its_call():
    asked = event(
        "PreToolUse", MORNING, decision="ask", tool_name="Bash", tool_input={"command": "make deploy"},
        tool_use_id="c1", _request="q1", _answer=None,
    )  # fmt: skip
    waits = [event("Notification", MORNING + number, session="t") for number in range(20)]
    answered = event("Answer", MORNING + 90, _request="q1", _answer="yes", _edited=True, _by="ann")
    ran = event(
        "PostToolUse", MORNING + 95, tool_name="Bash", tool_input={"command": "make deploy"}, tool_use_id="c1"
    )  # fmt: skip
    with taken_in([asked, *waits, answered, *waits, ran], cuts={21, 40}, window=4) as (_, digest):
        row = entry_row(digest, 1)
        assert row is not None
        assert (row.decision, row.outcome, row.answer, row.answered_after) == ("ask", "ran", "edit", 90.0)
        assert answer_seconds(digest, MORNING) == [(day_of(MORNING), 90.0)]
        assert [(one.asked, one.edited, one.unanswered) for one in days(digest)] == [(1, 1, 0)]


def test_a_result_that_comes_after_a_restart_belongs_to_its_call():
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "c1"}
    between = [event("Notification", MORNING + number, session="t") for number in range(1, 20)]
    asked = event("PermissionRequest", MORNING + 1, tool_name="Bash", tool_input={"command": "make"})
    began = [event("PreToolUse", MORNING, **call), asked]
    found = [*began, *between, event("PostToolUse", MORNING + 30, **call)]
    with taken_in(found, cuts={5, 21}, window=4) as (_, digest):
        row = entry_row(digest, 1)
        assert row is not None
        assert (row.outcome, row.took, row.last, row.answer) == ("ran", 29.0, 22, "yes")
        assert [(one.calls, one.yes) for one in days(digest)] == [(1, 1)]


def test_a_call_that_nobody_answered_is_asked_and_stopped_and_not_denied():
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "make deploy"},
        "tool_use_id": "c1",
        "_request": "q1",
    }
    gave_up = event("PreToolUse", MORNING + 60, decision="deny", **call, _answer="waiting")
    with taken_in([event("PreToolUse", MORNING, decision="ask", **call, _answer=None), gave_up]) as (_, digest):
        (row,) = entries(digest, EntryFilter())
        assert (row.decision, row.outcome, row.answer, row.is_stopped) == ("ask", "unanswered", "none", True)
        (day,) = days(digest)
        assert (day.asked, day.denied, day.stopped, day.unanswered) == (1, 0, 1, 1)


def test_lists_of_a_small_record():
    call = event("PreToolUse", MORNING, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="c1")
    with taken_in([event("UserPromptSubmit", MORNING - 5, prompt="Look around."), call]) as (_, digest):
        found = session(digest, "s")
        assert found is not None
        assert (found.title, found.calls, found.busy) == ("Look around.", 1, 5.0)
        assert (count_sessions(digest), count_sessions(digest, with_stops=True)) == (1, 0)
        assert sessions(digest, before=(found.last, found.id)) == []
        assert tools(digest) == ["Bash"]
        assert newest_id(digest) == 2


# --- the file -------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "store" / "interlock.db", segment_size=4)
    for number in range(10):
        fields: dict[str, Any] = {
            "tool_name": "Bash",
            "tool_input": {"command": f"ls {number}"},
            "tool_use_id": f"c{number}",
        }
        made.commit(event("PreToolUse", MORNING + number, **fields))
    yield made
    made.close()


def made_again(path: Path, store: SqliteStore) -> int:
    digest = Digest(path, store)
    while digest.catch_up():
        pass
    found = count_entries(digest, EntryFilter())
    digest.close()
    return found


def test_a_damaged_digest_is_made_again(tmp_path, store):
    path = tmp_path / "digest.db"
    assert made_again(path, store) == 10
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 9000)
    assert made_again(path, store) == 10
    path.write_bytes(b"not a database")
    assert made_again(path, store) == 10


def test_a_digest_may_be_deleted_while_it_is_used(tmp_path, store):
    path = tmp_path / "digest.db"
    digest = Digest(path, store)
    digest.catch_up()
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    digest.freshen()
    assert count_entries(digest, EntryFilter()) == 10
    assert path.stat().st_mode & 0o777 == 0o600
    digest.close()


def test_a_full_disk_is_no_reason_to_throw_it_away(tmp_path, store):
    digest = Digest(tmp_path / "digest.db", store)
    digest.catch_up()
    (pages,) = digest.file.writing.execute("PRAGMA page_count").fetchone()
    digest.file.writing.execute(f"PRAGMA max_page_count = {pages}")
    for number in range(200):
        store.commit(event("Stop", MORNING + number, session=f"s{number}", prompt="x" * 900))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        digest.catch_up()
    digest.freshen()
    assert count_entries(digest, EntryFilter()) == 10
    digest.file.writing.execute("PRAGMA max_page_count = 100000")
    digest.catch_up()
    assert digest.progress().is_whole
    digest.close()


def test_a_folder_that_cannot_be_used_is_named(tmp_path, store):
    (tmp_path / "page").write_text("a file")
    with pytest.raises(InterlockError, match="the page cannot keep its counts in"):
        Digest(tmp_path / "page" / "digest.db", store)


def test_a_digest_of_an_earlier_version_is_made_again(tmp_path, store, monkeypatch):
    path = tmp_path / "digest.db"
    made_again(path, store)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM entry")
    connection.close()
    assert made_again(path, store) == 0  # as it is
    monkeypatch.setattr(digest_file, "VERSION", digest_file.VERSION + 1)
    assert made_again(path, store) == 10


def test_a_digest_of_another_record_is_made_again(tmp_path, store):
    path = tmp_path / "digest.db"
    made_again(path, store)
    other = MemoryStore()
    for number in range(12):
        other.commit(event("Stop", MORNING + number))
    digest = Digest(path, other)
    digest.catch_up()
    assert [row.event for row in entries(digest, EntryFilter(events=True))] == ["Stop"] * 12
    digest.close()


def test_what_was_pruned_from_the_record_leaves_the_digest(tmp_path, store):
    digest = Digest(tmp_path / "digest.db", store)
    digest.catch_up()
    store.prune(7)
    first = next(store.records()).sequence
    digest.forget_pruned()
    assert [row.id for row in entries(digest, EntryFilter())] == list(range(10, first - 1, -1))
    assert [one.calls for one in days(digest)] == [11 - first]
    assert digest.progress() == (11 - first, 11 - first)
    digest.close()


def test_two_pages_may_share_one_digest(tmp_path, store):
    one, other = (Digest(tmp_path / "digest.db", store, step=3) for _ in range(2))
    while one.catch_up(steps=1) | other.catch_up(steps=1):
        pass
    assert [numbers.calls for numbers in days(one)] == [numbers.calls for numbers in days(other)] == [10]
    one.close()
    other.close()


def test_a_thread_takes_in_what_is_new(tmp_path, store):
    digest = Digest(tmp_path / "digest.db", store)
    follower = DigestFollower(digest).start()
    wait_until_whole(digest)
    store.commit(event("Stop", MORNING + 50))
    wait_until_whole(digest)
    follower.stop()
    assert newest_id(digest) == 11
    digest.close()


def wait_until_whole(digest: Digest) -> None:
    while not digest.progress().is_whole:
        digest.freshen()
