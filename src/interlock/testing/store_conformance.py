"""What every store must do, as checks that need no test runner: `run_store_conformance(make_store)`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.store.base import (
    MOST_FIRINGS,
    SESSIONS_KEPT,
    UNKNOWN,
    CallKey,
    Conflict,
    Duplicate,
    Entry,
    Forked,
    Note,
    Pending,
    Receipt,
    Scope,
    Session,
    Snapshot,
    StateChange,
    Stopped,
    Store,
    Wants,
)
from interlock.testing.asking_conformance import ASKING_CHECKS
from interlock.testing.claims import equal, raises

__all__ = ["CHECKS", "run_store_conformance"]

SESSION = Scope("session", "s-1")
OTHER = Scope("session", "s-2")
PROJECT = Scope("project", "/home/dev/shop")

Check = Callable[[Store], None]

CHECKS: list[Check] = [*ASKING_CHECKS]


def run_store_conformance(make_store: Callable[[], Store]) -> list[str]:
    """Run every check on its own fresh store. Returns the names of the checks; raises AssertionError if one fails."""
    for check in CHECKS:
        store = make_store()
        try:
            check(store)
        finally:
            store.close()
    return [check.__name__ for check in CHECKS]


def _check(function: Check) -> Check:
    CHECKS.append(function)
    return function


def _entry(number: int = 0, **parts: Any) -> Entry:
    record = {"session": "s-1", "event": "PreToolUse", "tool": "Bash", "decision": "allow", "number": number}
    return Entry(**{"record": record, "raw": b'{"tool_name":"Bash"}', "at": 100.0 + number, **parts})


def _set(name: str, value: Any, scope: Scope = SESSION, *, whole: bool = False) -> Entry:
    return _entry(changes=(StateChange(scope, name, value, whole),))


def _receipt(call: str = "c-1", *pending: Pending, agent: str = "") -> Receipt:
    return Receipt("s-1", call, "Bash", "digest", "allow", 100.0, agent, pending)


def _status(store: Store, call: str = "c-1") -> str | None:
    found = store.receipt("s-1", call)
    return None if found is None else found.status


def _snapshot(store: Store, *names: str, scope: Scope = SESSION, rule: str | None = None) -> Snapshot:
    rules = {} if rule is None else {scope: frozenset([rule])}
    return store.read(Wants({scope: frozenset(names)}, rules))


def _value(store: Store, name: str, scope: Scope = SESSION) -> Any:
    return _snapshot(store, name, scope=scope).values.get((scope, name), "absent")


# --- state -------------------------------------------------------------------------------------------------


@_check
def what_was_never_set_is_absent_and_its_scope_has_version_0(store: Store) -> None:
    found = _snapshot(store, "x", rule="r")
    equal(found, Snapshot({}, {(SESSION, "r"): ()}, {SESSION: 0}), "a fresh store")


@_check
def values_come_back_as_they_were_set(store: Store) -> None:
    values = [None, True, 1, 10**30, -0.5, "", "a\0b\nü🙂", [], [1, {"a": [None]}], {"k": {"n": 1}}, {}]
    for number, value in enumerate(values):
        store.commit(_set(f"v{number}", value))
        equal(_value(store, f"v{number}"), value, "a value")


@_check
def a_value_that_is_not_json_is_refused_and_leaves_nothing(store: Store) -> None:
    for value in (float("nan"), float("inf"), object(), {1, 2}):
        raises(InterlockError, lambda value=value: store.commit(_set("x", value)), "setting what is not JSON")  # type: ignore[misc]
    raises(InterlockError, lambda: store.commit(_entry(record={"x": object()})), "a record that is not JSON")
    raises(InterlockError, lambda: store.commit(_set("\ud800", 1)), "half a surrogate pair in a name")
    raises(InterlockError, lambda: store.commit(_entry(at=float("nan"))), "a time that is none")
    equal((_value(store, "x"), list(store.records())), ("absent", []), "after refusals")


@_check
def a_map_merges_at_the_top_level_and_anything_else_replaces(store: Store) -> None:
    for value in ({"a": {"x": 1}, "b": 1}, {"a": {"y": 2}}):
        store.commit(_set("m", value))
    equal(_value(store, "m"), {"a": {"y": 2}, "b": 1}, "two maps")
    store.commit(_set("m", 7))
    equal(_value(store, "m"), 7, "a number over a map")
    store.commit(_set("m", {"c": 1}))
    equal(_value(store, "m"), {"c": 1}, "a map over a number")
    store.commit(_set("m", {"d": 1}, whole=True))
    equal(_value(store, "m"), {"d": 1}, "a whole map over a map")


@_check
def changes_of_one_entry_apply_in_order(store: Store) -> None:
    store.commit(
        _entry(
            changes=(
                StateChange(SESSION, "n", 1),
                StateChange(SESSION, "n", {"a": 1}),
                StateChange(SESSION, "n", {"b": 2}),
            )
        )
    )
    equal(_value(store, "n"), {"a": 1, "b": 2}, "three changes")


@_check
def scopes_do_not_see_each_other(store: Store) -> None:
    scopes = [SESSION, OTHER, PROJECT, Scope("agent", "s-1"), Scope("user", "s-1")]
    for number, scope in enumerate(scopes):
        store.commit(_set("n", number, scope))
    equal([_value(store, "n", scope) for scope in scopes], list(range(5)), "five scopes")


@_check
def a_scope_s_version_counts_the_entries_that_touched_it(store: Store) -> None:
    store.commit(_entry())
    equal(_snapshot(store).versions[SESSION], 0, "a record alone")
    store.commit(
        _entry(changes=(StateChange(SESSION, "a", 1), StateChange(SESSION, "b", 1), StateChange(PROJECT, "a", 1)))
    )
    store.commit(_entry(fired=((SESSION, "r"), (SESSION, "q"))))
    found = store.read(Wants({SESSION: frozenset(), PROJECT: frozenset(), OTHER: frozenset()})).versions
    equal(found, {SESSION: 2, PROJECT: 1, OTHER: 0}, "versions")


@_check
def a_scope_that_moved_on_conflicts_and_nothing_is_written(store: Store) -> None:
    versions = store.read(Wants({SESSION: frozenset(["n"]), PROJECT: frozenset()})).versions
    store.commit(_set("n", 1, PROJECT))
    late = _entry(
        expect=versions, changes=(StateChange(SESSION, "n", 2),), fired=((SESSION, "r"),), opens=_receipt(), once="late"
    )
    raises(Conflict, lambda: store.commit(late), "a stale version")
    equal(_value(store, "n"), "absent", "its change")
    equal((store.receipt("s-1", "c-1"), store.answer_to("late")), (None, None), "its receipt and answer")
    equal(len(list(store.records())), 1, "records")
    store.commit(replace(late, expect=store.read(Wants({PROJECT: frozenset()})).versions))
    equal(_value(store, "n"), 2, "with fresh versions")


@_check
def firings_come_in_ascending_order_also_when_the_clock_went_back(store: Store) -> None:
    for at in (3.0, 1.0, 2.0, 2.0):
        store.commit(_entry(at=at, fired=((SESSION, "r"),)))
    store.commit(_entry(at=9.0, fired=((SESSION, "q"), (PROJECT, "r"), (SESSION, "q"))))
    equal(_snapshot(store, rule="r").firings, {(SESSION, "r"): (1.0, 2.0, 2.0, 3.0)}, "firings of r")
    equal(_snapshot(store, rule="q").firings, {(SESSION, "q"): (9.0, 9.0)}, "firings of q")


@_check
def only_the_newest_firings_are_kept(store: Store) -> None:
    each = 2000  # many in one commit: one commit for each would make this check take minutes on a store that syncs
    for round_ in range(MOST_FIRINGS // each + 1):
        store.commit(_entry(at=float(round_), fired=((SESSION, "r"),) * each))
    found = _snapshot(store, rule="r").firings[SESSION, "r"]
    equal((len(found), found[0], found[-1]), (MOST_FIRINGS, 1.0, 5.0), "firings")


@_check
def a_forked_session_starts_with_its_parent_s_state_once(store: Store) -> None:
    lost = Pending(SESSION, "gone")
    store.commit(_entry(changes=(StateChange(SESSION, "n", 1),), fired=((SESSION, "r"),), opens=_receipt("c-1", lost)))
    store.commit(_entry(fails=CallKey("s-1", "c-1")))
    store.inherit("s-1", "s-2")
    found = _snapshot(store, "n", "gone", scope=OTHER, rule="r")
    equal(found.values, {(OTHER, "n"): 1, (OTHER, "gone"): UNKNOWN}, "inherited values")
    equal(found.firings, {(OTHER, "r"): (100.0,)}, "inherited firings")
    # Inheriting again must change nothing, or a fork that has moved on would be set back to its parent's state.
    store.commit(_set("n", 5, OTHER))
    store.inherit("s-1", "s-2")
    store.inherit("nobody", "s-3")
    equal((_value(store, "n", OTHER), _value(store, "n")), (5, 1), "after the fork")


# --- receipts and what is unknown --------------------------------------------------------------------------


@_check
def a_receipt_is_open_until_its_result_comes(store: Store) -> None:
    given = _receipt("c-1", Pending(SESSION, "a"), Pending(PROJECT, "m", "k"), agent="reviewer")
    given = replace(given, input=b'{"command":"ls"}')
    store.commit(_entry(opens=given))
    equal(store.receipt("s-1", "c-1"), given, "the receipt")
    equal((store.receipt("s-2", "c-1"), store.receipt("s-1", "c-2")), (None, None), "another session's, another call's")
    store.commit(_entry(closes=CallKey("s-1", "c-1"), changes=(StateChange(SESSION, "a", 1),)))
    equal(store.receipt("s-1", "c-1"), replace(given, status="closed", input=None), "what is known of it after")
    equal((_value(store, "a"), _value(store, "m", PROJECT)), (1, "absent"), "what was set")


@_check
def each_guard_has_a_receipt_of_its_own(store: Store) -> None:
    mine = _receipt("c-1", Pending(SESSION, "a"))
    theirs = replace(_receipt("c-1", Pending(SESSION, "b")), guard="other")
    store.commit(_entry(opens=mine))
    store.commit(_entry(opens=theirs))
    equal(store.receipts("s-1", "c-1"), (mine, theirs), "both")
    equal(store.receipt("s-1", "c-1", "other"), theirs, "the other guard's")
    store.commit(_entry(closes=CallKey("s-1", "c-1", "other")))
    equal([one.status for one in store.receipts("s-1", "c-1")], ["open", "closed"], "after the other's result")
    store.commit(_entry(fails=CallKey("s-1", "c-1")))
    equal([one.status for one in store.receipts("s-1", "c-1")], ["failed", "closed"], "after both results")
    equal((_value(store, "a"), _value(store, "b")), (UNKNOWN, "absent"), "only what failed is unknown")


@_check
def a_receipt_closes_only_once(store: Store) -> None:
    store.commit(_entry(opens=_receipt("c-1", Pending(SESSION, "a")), changes=(StateChange(SESSION, "a", 1),)))
    store.commit(_entry(closes=CallKey("s-1", "c-1")))
    raises(Conflict, lambda: store.commit(_entry(closes=CallKey("s-1", "c-1"))), "a second result")
    equal(len(list(store.records())), 2, "records")
    store.commit(_entry(fails=CallKey("s-1", "c-1")))
    equal(_value(store, "a"), 1, "after a failure of a call that is not open")


@_check
def a_failed_result_makes_what_it_would_have_set_unknown(store: Store) -> None:
    store.commit(_entry(changes=(StateChange(SESSION, "a", 1), StateChange(SESSION, "m", {"k": 1, "l": 2}))))
    store.commit(
        _entry(opens=_receipt("c-1", Pending(SESSION, "a"), Pending(SESSION, "m", "k"), Pending(PROJECT, "p")))
    )
    equal((_value(store, "a"), _value(store, "p", PROJECT)), (1, "absent"), "while it is pending")
    store.commit(_entry(fails=CallKey("s-1", "c-1")))
    found = store.read(Wants({SESSION: frozenset(["a", "m"]), PROJECT: frozenset(["p"])}))
    equal(set(found.values.values()), {UNKNOWN}, "after it failed")
    equal((len(found.values), found.versions), (3, {SESSION: 2, PROJECT: 1}), "how many, and versions")
    equal(_status(store), "failed", "its receipt")


@_check
def a_change_that_sets_what_is_unknown_makes_it_known(store: Store) -> None:
    pending = (Pending(SESSION, "a"), Pending(SESSION, "m", "k"), Pending(SESSION, "m", "l"))
    store.commit(_entry(opens=_receipt("c-1", *pending), changes=(StateChange(SESSION, "m", {"x": 0}),)))
    store.commit(_entry(fails=CallKey("s-1", "c-1")))
    store.commit(_entry(changes=(StateChange(SESSION, "a", 2), StateChange(SESSION, "m", {"k": 1}))))
    equal((_value(store, "a"), _value(store, "m")), (2, UNKNOWN), "one key is still unknown")
    store.commit(_set("m", {"l": 2}))
    equal(_value(store, "m"), {"x": 0, "k": 1, "l": 2}, "all keys set")


@_check
def a_key_set_by_another_call_leaves_a_lost_key_unknown(store: Store) -> None:
    for number, lost in enumerate([Pending(SESSION, "m", "k"), Pending(SESSION, "w")]):
        store.commit(_entry(opens=_receipt(f"c-{number}", lost)))
        store.commit(_entry(fails=CallKey("s-1", f"c-{number}")))
        store.commit(_set(lost.name, {"other": 1}))
        equal(_value(store, lost.name), UNKNOWN, f"{lost.name} after another key was set")
    store.commit(_set("w", {"all": 1}, whole=True))
    store.commit(_set("m", 3))
    equal((_value(store, "w"), _value(store, "m")), ({"all": 1}, 3), "after the whole was set")


@_check
def the_entry_that_reports_a_failure_may_set_what_was_lost(store: Store) -> None:
    store.commit(_entry(opens=_receipt("c-1", Pending(SESSION, "a"))))
    store.commit(_entry(fails=CallKey("s-1", "c-1"), changes=(StateChange(SESSION, "a", "failed"),)))
    equal(_value(store, "a"), "failed", "set with the failure")


@_check
def receipts_without_a_result_expire_where_their_agent_ended(store: Store) -> None:
    for call, agent in (("c-1", ""), ("c-2", "reviewer"), ("c-3", ""), ("c-4", "")):
        store.commit(_entry(opens=_receipt(call, Pending(SESSION, call), agent=agent)))
    store.commit(_entry(expires=("s-1", ""), closes=CallKey("s-1", "c-4"), opens=_receipt("c-5")))
    found = [_status(store, f"c-{number}") for number in range(1, 6)]
    equal(found, ["expired", "open", "expired", "closed", "open"], "receipts")
    values = [_value(store, f"c-{number}") for number in range(1, 5)]
    equal(values, [UNKNOWN, "absent", UNKNOWN, "absent"], "what was pending")
    store.commit(_entry(expires=("s-2", "")))


@_check
def a_denied_call_stays_denied_whatever_is_reported_of_it(store: Store) -> None:
    denied = replace(_receipt(), decision="deny", status="denied", said="Not here.")
    store.commit(_entry(opens=denied))
    raises(Conflict, lambda: store.commit(_entry(closes=CallKey("s-1", "c-1"))), "a result of a denied call")
    store.commit(_entry(fails=CallKey("s-1", "c-1"), expires=("s-1", "")))
    equal(store.receipt("s-1", "c-1"), denied, "the receipt")


@_check
def what_a_failed_call_printed_may_be_withheld_until_its_batch_ends(store: Store) -> None:
    store.commit(_entry(opens=_receipt()))
    store.commit(_entry(fails=CallKey("s-1", "c-1"), withheld="`redact` would have changed it"))
    store.commit(_entry(fails=CallKey("s-1", "c-1"), withheld=None))
    found = store.receipt("s-1", "c-1")
    equal(found, replace(_receipt(), status="failed", withheld="`redact` would have changed it"), "the receipt")
    store.commit(_entry(opens=_receipt()))
    equal(store.receipt("s-1", "c-1"), _receipt(), "the same call opened anew")


# --- sessions ----------------------------------------------------------------------------------------------


@_check
def a_session_is_known_from_its_first_turn_on(store: Store) -> None:
    store.commit(_entry())
    equal(store.session("s-1"), None, "before any turn")
    store.commit(_entry(1, notes=Note("s-1")))
    equal(store.session("s-1"), Session(101.0), "touched")
    store.commit(_entry(2, notes=Note("s-1", watch=True)))
    store.commit(_entry(3, notes=Note("s-1", watch=True)))
    equal(store.session("s-1"), Session(103.0, 102.0), "watched since the first time")
    equal(store.session("s-2"), None, "another session")


@_check
def the_end_of_a_session_lets_its_receipts_go_and_keeps_its_state(store: Store) -> None:
    other = replace(_receipt(), session="s-2")
    store.commit(_entry(opens=_receipt("c-1", Pending(PROJECT, "p"), agent="reviewer"), notes=Note("s-1", watch=True)))
    store.commit(_entry(1, opens=_receipt("c-2"), changes=(StateChange(SESSION, "a", 1),)))
    store.commit(_entry(2, opens=other))
    store.commit(_entry(3, expires=("s-1", ""), notes=Note("s-1", end=True, breach="it ran.")))
    equal((_status(store, "c-1"), _status(store, "c-2"), store.receipt("s-2", "c-1")), (None, None, other), "receipts")
    equal((_value(store, "a"), _value(store, "p", PROJECT)), (1, UNKNOWN), "state, and what was pending")
    equal(store.session("s-1"), Session(103.0, None, "it ran."), "the session")


@_check
def nothing_more_runs_in_a_session_after_a_breach(store: Store) -> None:
    store.commit(_entry(notes=Note("s-1", breach="first.")))
    store.commit(_entry(notes=Note("s-1", breach="second.")))
    stopped = raises(Stopped, lambda: store.commit(_entry(9, opens=_receipt(), once="k")), "a call after it")
    equal((stopped.why, _status(store), store.answer_to("k")), ("first.", None, None), "why, and what was written")
    store.commit(_entry(opens=replace(_receipt("c-2"), decision="deny", status="denied")))
    store.commit(_entry(opens=replace(_receipt(), session="s-2")))
    store.commit(_entry(opens=_receipt("c-3"), despite=True))
    equal([_status(store, call) for call in ("c-2", "c-3")], ["denied", "open"], "denials, and a person's way out")


@_check
def a_lifted_breach_lets_calls_run_again_and_is_watched_from_the_next_turn_on(store: Store) -> None:
    store.commit(_entry(1, notes=Note("s-1", watch=True)))
    store.commit(_entry(2, notes=Note("s-1", breach="it ran.")))
    equal(
        (store.lift_breach("s-1", by="me"), store.lift_breach("s-1"), store.lift_breach("s-2")),
        (True, False, False),
        "lifts",
    )
    equal(store.session("s-1"), Session(102.0), "the session")
    store.commit(_entry(opens=_receipt()))
    store.commit(_entry(5, notes=Note("s-1", watch=True)))
    equal(store.session("s-1"), Session(105.0, 105.0), "watched anew")
    lifted = [record.record for record in store.records() if record.event == "Lift"]
    equal(lifted, [{"event": "Lift", "session": "s-1", "by": "me", "breach": "it ran."}], "records of it")
    equal(store.verify().problems, [], "problems")


@_check
def a_fork_opens_no_receipt_before_it_has_its_parent_s_state(store: Store) -> None:
    store.commit(_set("n", 1, OTHER))
    store.commit(_entry(notes=Note("s-1", fork=True)))
    # Even a denial, because it was judged without the parent's state as well.
    denied = replace(_receipt("c-2"), decision="deny", status="denied")
    for receipt in (_receipt(), denied):
        raises(Forked, lambda receipt=receipt: store.commit(_entry(opens=receipt)), "a call of a fork")  # type: ignore[misc]
    store.inherit("s-2", "s-1")
    store.commit(_entry(1, opens=_receipt()))
    equal((_value(store, "n"), _status(store)), (1, "open"), "afterwards")
    store.commit(_entry(notes=Note("s-3", fork=True)))
    store.inherit(None, "s-3")
    equal(store.session("s-3"), Session(100.0), "a fork of nobody")


@_check
def a_forgotten_session_leaves_only_its_records(store: Store) -> None:
    # The second belongs to a session called `s-1/x`: what is forgotten must not go by the start of a name alone.
    agent, longer = Scope("agent", "s-1/main"), Scope("agent", "s-1/x/main")
    for scope in (SESSION, agent, longer, OTHER):
        store.commit(_entry(changes=(StateChange(scope, "n", 1),), fired=((scope, "r"),)))
    store.commit(_entry(opens=_receipt("c-1", Pending(PROJECT, "p")), notes=Note("s-1")))
    store.forget_session("s-1")
    values = [_value(store, "n", scope) for scope in (SESSION, agent, longer, OTHER)]
    equal(values, ["absent", "absent", 1, 1], "state")
    equal(_snapshot(store, rule="r"), Snapshot({}, {(SESSION, "r"): ()}, {SESSION: 0}), "firings and version")
    equal((store.session("s-1"), _status(store)), (None, None), "the session and its receipt")
    equal(_value(store, "p", PROJECT), UNKNOWN, "what was pending")
    events = [record.event for record in store.records()]
    equal(events, [*["PreToolUse"] * 5, "Forget"], "records: those that were there, and that it was forgotten")
    store.forget_session("nobody")
    equal(store.verify().problems, [], "problems")


@_check
def pruning_forgets_sessions_that_nobody_came_back_to(store: Store) -> None:
    ids = [f"s-{number}" for number in range(1, 6)]
    old, late = 0.0, SESSIONS_KEPT + 1.0
    for id_ in ids:
        store.commit(_entry(at=old, changes=(StateChange(Scope("session", id_), "n", 1),)))
    store.commit(_entry(at=late, notes=Note("s-2")))
    store.commit(_entry(at=late, fired=((Scope("session", "s-3"), "r"),)))
    store.commit(_entry(at=late, changes=(StateChange(Scope("agent", "s-4/main"), "m", 1),)))
    store.commit(_entry(at=old, changes=(StateChange(PROJECT, "n", 1),)))
    store.prune(0)
    found = [_value(store, "n", Scope("session", id_)) for id_ in ids]
    equal((found, _value(store, "n", PROJECT)), (["absent", 1, 1, 1, "absent"], 1), "what is left")


# --- once --------------------------------------------------------------------------------------------------


@_check
def the_same_event_twice_counts_once_and_gets_the_same_answer(store: Store) -> None:
    entry = _entry(once="k", answer=b"\x00answer", fired=((SESSION, "r"),))
    equal(store.answer_to("k"), None, "before")
    store.commit(entry)
    # A stale version does not matter for a repeated event: it is not judged again, so it cannot conflict.
    again = raises(Duplicate, lambda: store.commit(replace(entry, expect={SESSION: 99})), "the second delivery")
    equal((again.answer, store.answer_to("k")), (b"\x00answer", b"\x00answer"), "answers")
    equal(len(_snapshot(store, rule="r").firings[SESSION, "r"]), 1, "firings")
    equal(len(list(store.records())), 1, "records")


@_check
def parallel_callers_against_a_limit_let_exactly_the_limit_through(store: Store) -> None:
    # The reason why entries carry the versions they expect: a limit of 10 must hold however many calls race for it.
    limit, callers = 10, 64
    through: list[int] = []
    threads = [threading.Thread(target=_try_to_pass, args=(store, limit, n, through)) for n in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal((len(through), _value(store, "used")), (limit, limit), "calls let through, and counted")
    equal([found.sequence for found in store.records()], list(range(1, callers + 1)), "sequence numbers")
    equal(store.verify().problems, [], "problems")


def _try_to_pass(store: Store, limit: int, number: int, through: list[int]) -> None:
    while True:
        snapshot = _snapshot(store, "used")
        used = snapshot.values.get((SESSION, "used"), 0)
        changes = (StateChange(SESSION, "used", used + 1),) if used < limit else ()
        try:
            store.commit(_entry(number, changes=changes, expect=snapshot.versions))
        except Conflict:
            continue
        through += [number] if changes else []
        return


# --- records -----------------------------------------------------------------------------------------------


def _some_records(store: Store) -> None:
    rows = [("s-1", "allow", "a"), ("s-2", "deny", "b"), ("s-1", "deny", "a"), ("s-1", None, "b"), ("s-2", "ask", "a")]
    for number, (session, decision, rule) in enumerate(rows):
        record = {"session": session, "event": "Stop", "tool": None, "decision": decision, "rules": [rule, rule]}
        store.commit(_entry(number, record=record))


@_check
def records_keep_everything_and_count_from_1(store: Store) -> None:
    record = {"session": "s", "event": "Stop", "decision": "deny", "verdict": {"reasons": ["ü", 1.5, None, 10**25]}}
    raw = b'{"a" : 1}\n\xff\x00'
    sequence = store.commit(
        _entry(record=record, raw=raw, at=7.25, fired=((SESSION, "r"), (PROJECT, "r"), (SESSION, "q")))
    )
    (found,) = store.records()
    equal((sequence, found.sequence, found.at, found.record, found.raw), (1, 1, 7.25, record, raw), "the record")
    equal((found.session, found.event, found.tool, found.decision), ("s", "Stop", None, "deny"), "its columns")
    equal((found.rules, len(found.hash)), (("r", "q"), 64), "its rules and hash")


@_check
def records_are_found_by_every_filter(store: Store) -> None:
    _some_records(store)

    def numbers(*after: int, **filters: Any) -> list[int]:
        return [found.sequence for found in store.records(*after, **filters)]

    equal(numbers(), [1, 2, 3, 4, 5], "all")
    equal(numbers(3), [4, 5], "after 3")
    equal(numbers(session="s-1"), [1, 3, 4], "of a session")
    equal(numbers(rule="b"), [2, 4], "of a rule")
    equal(numbers(decision="deny"), [2, 3], "of a decision")
    equal(numbers(since=101.0, until=103.0), [2, 3], "of a time")
    equal(numbers(newest=2), [4, 5], "the newest")
    equal(numbers(newest=0), [], "the newest none")
    equal(numbers(newest=9, session="s-2"), [2, 5], "more than there are")
    equal(numbers(1, session="s-1", rule="a", newest=1), [3], "all at once")


@_check
def a_slow_reader_sees_the_log_grow_and_holds_nobody_up(store: Store) -> None:
    _some_records(store)
    reading: Iterator[Any] = store.records()
    next(reading)
    store.commit(_entry())
    equal([found.sequence for found in reading][:4], [2, 3, 4, 5], "the rest")


@_check
def pruning_removes_whole_sealed_segments_and_the_chain_still_holds(store: Store) -> None:
    with ThreadPoolExecutor(32) as callers:  # many at once, because a store that batches is much faster then
        list(callers.map(store.commit, map(_entry, range(2003))))
    equal(store.prune(1000), 0, "before the first segment's end")
    equal(store.prune(1500), 1000, "within the second")
    equal((store.verify().count, store.verify().problems), (1003, []), "verification")
    equal(store.prune(10**9), 1000, "beyond the end")
    equal([found.sequence for found in store.records()], [2001, 2002, 2003], "what is left")
    equal((store.commit(_entry()), store.verify().problems), (2004, []), "and it goes on")


@_check
def a_closed_store_refuses(store: Store) -> None:
    store.commit(_entry())
    store.close()
    store.close()
    raises(InterlockError, lambda: store.commit(_entry()), "a commit after closing")
    raises(InterlockError, lambda: _snapshot(store, "x"), "a read after closing")
