"""The two stores agree on any sequence of operations."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.store.asking import UNANSWERED, AlreadyAnswered, ApprovalRequest, Grant, RequestAnswer
from interlock.store.base import (
    SESSIONS_KEPT,
    CallKey,
    Conflict,
    Duplicate,
    Entry,
    Forked,
    Note,
    Pending,
    Receipt,
    Scope,
    StateChange,
    Stopped,
    Store,
    Wants,
)
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore

SCOPES = [Scope("session", "a"), Scope("session", "b"), Scope("project", "a"), Scope("agent", "a/main")]
NAMES = ["x", "m"]
RULES = ["r", "pack/q"]
CALLS = ["c", "d"]

scopes = st.sampled_from(SCOPES)
maps = st.dictionaries(st.sampled_from(["k", "l", ""]), st.none() | st.integers(0, 3), max_size=2)
values = maps | st.none() | st.integers() | st.text(max_size=3) | st.lists(st.booleans(), max_size=2)
changes = st.builds(StateChange, scopes, st.sampled_from(NAMES), values, st.booleans())
pending = st.builds(Pending, scopes, st.sampled_from(NAMES), st.sampled_from([None, "k", "l", ""]))
sessions = st.sampled_from(["a", "b"])
keys = st.builds(CallKey, sessions, st.sampled_from(CALLS), st.sampled_from(["", "other"]))
agents = st.sampled_from(["", "reviewer"])
times = st.integers(0, 9).map(lambda number: number * SESSIONS_KEPT / 3)
receipts = st.builds(
    Receipt,
    sessions,
    st.sampled_from(CALLS),
    st.just("Bash"),
    st.just("digest"),
    st.sampled_from([None, "allow"]),
    times,
    agents,
    st.lists(pending, max_size=2).map(tuple),
    st.sampled_from(["open", "open", "denied"]),
    st.none() | st.just(b"{}"),
    st.just("/home"),
    st.none() | st.just("No."),
    st.none(),
    st.sampled_from(["", "other"]),
)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


asked = st.builds(
    ApprovalRequest,
    id=st.sampled_from(["q", "r"]),
    session=sessions,
    tool=st.just("Bash"),
    at=times,
    until=times,
    status=st.sampled_from(["waiting", "open"]),
    key=st.sampled_from(["", "k"]),
)
granted = st.builds(
    Grant,
    id=st.sampled_from(["g", "h"]),
    at=times,
    by=st.just("ann"),
    scope=scopes,
    text=st.just("`ls`"),
    left=st.none() | st.integers(0, 2),
    until=st.none() | times,
)
answers = st.builds(
    RequestAnswer, yes=st.booleans(), by=st.sampled_from(["ann", "bob"]), at=times, note=maybe(st.just("no"))
)

rare = st.sampled_from([False, False, False, True])
notes = st.builds(Note, sessions, st.booleans(), rare, rare, st.sampled_from([None, None, None, "one.", "two."]))
entries = st.builds(
    Entry,
    record=st.fixed_dictionaries({"session": sessions, "decision": st.sampled_from([None, "allow", "deny"])}),
    raw=st.binary(max_size=4),
    at=times,
    changes=st.lists(changes, max_size=2).map(tuple),
    fired=st.lists(st.tuples(scopes, st.sampled_from(RULES)), max_size=2).map(tuple),
    expect=st.just({}) | st.dictionaries(scopes, st.integers(0, 3), max_size=1),
    opens=maybe(receipts),
    closes=maybe(keys),
    fails=maybe(keys),
    withheld=maybe(st.just("why")),
    expires=maybe(st.tuples(sessions, agents)),
    notes=maybe(notes),
    despite=st.booleans(),
    once=maybe(st.sampled_from(["1", "2", "3", "4", "5"])),
    answer=st.binary(max_size=2),
    asks=maybe(asked),
    leaves=maybe(st.sampled_from(["q", "r"])),
    spends=maybe(st.sampled_from(["g", "h"])),
)
operations = st.lists(
    st.tuples(st.just("commit"), entries)
    | st.tuples(st.just("commit"), entries)
    | st.tuples(st.just("inherit"), st.tuples(st.none() | sessions, sessions))
    | st.tuples(st.just("lift"), sessions)
    | st.tuples(st.just("forget"), sessions)
    | st.tuples(st.just("answer"), st.tuples(st.sampled_from(["q", "r"]), answers, maybe(granted)))
    | st.tuples(st.just("revoke"), st.sampled_from(["g", "h"]))
    | st.tuples(st.just("prune"), st.integers(0, 12)),
    max_size=25,
)


def outcome(store: Store, operation: str, argument: Any) -> Any:
    try:
        match operation:
            case "commit":
                return store.commit(argument)
            case "inherit":
                return store.inherit(*argument)
            case "lift":
                return store.lift_breach(argument)
            case "forget":
                return store.forget_session(argument)
            case "answer":
                return store.answer_request(*argument)
            case "revoke":
                return store.revoke(argument, by="bob", at=7.0)
            case _:
                return store.prune(argument)
    except (Conflict, Forked, Stopped, AlreadyAnswered, InterlockError) as refused:
        return type(refused), str(refused)
    except Duplicate as duplicate:
        return duplicate.answer


def everything(store: Store) -> Any:
    wanted = Wants(dict.fromkeys(SCOPES, frozenset(NAMES)), dict.fromkeys(SCOPES, frozenset(RULES)))
    return (
        store.read(wanted),
        [store.receipts(session, call) for session in ("a", "b") for call in CALLS],
        [store.session(session) for session in ("a", "b")],
        [store.answer_to(once) for once in "12345"],
        [(r.sequence, r.at, r.session, r.decision, r.rules, r.record, r.raw) for r in store.records()],
        [[r.sequence for r in store.records(2, session="a", newest=2)], [r.sequence for r in store.records(rule="r")]],
        [store.request("q"), store.requests(), store.requests(UNANSWERED, session="a", newest=1)],
        [store.grants(), store.grants(SCOPES[:2])],
        store.verify(),
    )


@settings(max_examples=150, deadline=None)
@given(operations)
def test_the_stores_agree_on_any_sequence_of_operations(steps):
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(SqliteStore(Path(folder, "store.db"), segment_size=4, anchor_every=3)) as sqlite,
        closing(MemoryStore(segment_size=4)) as memory,
    ):
        for operation, argument in steps:
            assert outcome(sqlite, operation, argument) == outcome(memory, operation, argument)
        found = everything(sqlite)
        assert found == everything(memory)
        assert found[-1].ok
        # The hashes differ with the log's id; all else of a segment is the same.
        segments = [
            [(s.first, s.last, s.since, s.until, s.decisions, s.pruned) for s in store.segments()]
            for store in (sqlite, memory)
        ]
        assert segments[0] == segments[1]
