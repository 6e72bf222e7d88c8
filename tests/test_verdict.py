"""Opinions become one verdict: change, then judge, then combine."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from msgspec import UNSET

from interlock.errors import Source
from interlock.fold import ask_in_order, decide
from interlock.verdict import (
    STRICTNESS,
    Change,
    Opinion,
    Reason,
    apply_change,
    combine,
    failure,
    merge_change,
)

allow = Opinion(by="a", decision="allow", reason="fine")
ask = Opinion(by="b", decision="ask", reason="sure?")
deny = Opinion(by="c", decision="deny", reason="no")
defer = Opinion(by="d", decision="defer", reason="later")

NAMES = st.sampled_from(["command", "timeout", "path"])
VALUES = st.none() | st.integers() | st.text(max_size=3) | st.booleans()
CHANGES = st.dictionaries(NAMES, VALUES, max_size=3)
OPINIONS = st.builds(
    Opinion,
    by=st.sampled_from("abcdef"),
    decision=st.sampled_from([None, "allow", "ask", "deny", "defer"]),
    reason=st.none() | st.text(min_size=1, max_size=5),
    change=st.none() | CHANGES,
    context=st.none() | st.just("c"),
    interrupt=st.booleans(),
)


@pytest.mark.parametrize(
    ("opinions", "decision"),
    [
        ([], None),
        ([allow], "allow"),
        ([allow, ask], "ask"),
        ([ask, defer, allow], "defer"),
        ([allow, ask, defer, deny], "deny"),
        ([Opinion(by="x", context="hello")], None),
    ],
)
def test_the_strictest_decision_wins(opinions, decision):
    assert combine(opinions).decision == decision


def test_one_reason_stands_as_it_was_written():
    assert combine([deny, allow]).reason == "no"


def test_several_reasons_are_all_kept_and_numbered_in_order():
    """S1-12 several denials."""
    two = [Opinion(by="x", decision="deny", reason="Customer not verified"), deny]
    assert combine(two).reason == "Denied: (1) Customer not verified. (2) no. Both must be resolved."
    three = [
        deny,
        Opinion(by="e", decision="deny", reason="Really?"),
        Opinion(by="f", decision="deny", reason="Stop!"),
    ]
    assert combine(three).reason == "Denied: (1) no. (2) Really? (3) Stop! All must be resolved."


def test_the_same_reason_from_two_layers_is_told_once():
    twice = [deny, Opinion(by="e", decision="deny", reason="no"), Opinion(by="f", decision="deny", reason="never")]
    assert combine(twice).reason == "Denied: (1) no. (2) never. Both must be resolved."
    assert [opinion.by for opinion in combine(twice).opinions] == ["c", "e", "f"]


def test_reasons_to_a_person_are_numbered_without_the_word_denied():
    assert combine([ask, Opinion(by="e", decision="ask", reason="And this?")]).reason == "(1) sure? (2) And this?"


def test_only_the_winners_reasons_are_told_and_all_opinions_are_kept():
    verdict = combine([allow, deny, ask])
    assert verdict.reasons == (Reason("no", "c"),)
    assert verdict.opinions == (allow, deny, ask)


def test_a_change_keeps_the_fields_it_does_not_name():
    """S0-04 partial replacement."""
    original = {"command": "rm -rf /", "timeout": 30}
    verdict = combine([Opinion(by="tame", change={"command": "echo hello"})], original)
    assert verdict.input == {"command": "echo hello", "timeout": 30}
    assert verdict.original == {"command": "rm -rf /", "timeout": 30}
    assert verdict.changes == (Change("command", "rm -rf /", "echo hello", "tame"),)


def test_changes_follow_each_other_and_each_is_signed():
    opinions = [
        Opinion(by="one", change={"command": "b", "note": "x"}),
        Opinion(by="two", change={"command": "c", "timeout": None}, quiet="a default"),
    ]
    verdict = combine(opinions, {"command": "a", "timeout": 5})
    assert verdict.input == {"command": "c", "note": "x"}
    assert verdict.changes == (
        Change("command", "a", "b", "one"),
        Change("note", UNSET, "x", "one"),
        Change("command", "b", "c", "two", "a default"),
        Change("timeout", 5, UNSET, "two", "a default"),
    )


def test_a_change_to_the_same_value_is_none_and_one_to_another_type_is_one():
    assert combine([Opinion(by="x", change={"n": 1})], {"n": 1}).changes == ()
    assert combine([Opinion(by="x", change={"gone": None})], {}).changes == ()
    assert combine([Opinion(by="x", change={"n": True})], {"n": 1}).changes == (Change("n", 1, True, "x"),)
    assert combine([Opinion(by="x", change={"n": 1.0})], {"n": 1}).changes == (Change("n", 1, 1.0, "x"),)


def test_a_change_is_told_to_the_model_unless_it_is_quiet():
    """S1-13 silent semantic change."""
    loud = Opinion(by="tag", change={"classification": "confidential"})
    assert combine([loud], {}).told == snapshot('Interlock added `classification` = "confidential" to this call (tag).')
    changed = Opinion(by="tag", change={"path": "/sandbox/a", "mode": None})
    assert combine([changed], {"path": "/a", "mode": 1}).told == snapshot("""\
Interlock changed `path` of this call from "/a" to "/sandbox/a" (tag).
Interlock removed `mode` from this call (tag).\
""")
    quiet = Opinion(by="tag", change={"path": "/sandbox/a"}, quiet="the same file")
    assert combine([quiet], {"path": "/a"}).told is None


def test_a_denied_call_tells_nothing_of_changes_but_keeps_context():
    opinions = [Opinion(by="tag", change={"a": 1}), deny, Opinion(by="hint", context="See docs.")]
    assert combine(opinions, {}).told == "See docs."


def test_interrupt_counts_only_with_the_decision_that_wins():
    stop = Opinion(by="x", decision="deny", reason="no", interrupt=True)
    assert combine([stop, ask]).interrupt
    assert not combine([deny, Opinion(by="x", decision="ask", reason="?", interrupt=True)]).interrupt


def test_outputs_merge_into_the_result_in_order():
    opinions = [Opinion(by="a", output={"stdout": "x", "extra": None}), Opinion(by="b", output={"code": 1})]
    assert combine(opinions, {}, {"stdout": "secret", "stderr": "", "extra": 1}).output == {
        "stdout": "x",
        "stderr": "",
        "code": 1,
    }
    assert combine([Opinion(by="a", output="text")], {}, {"stdout": "secret"}).output == "text"
    assert combine([allow], {}, {"stdout": "secret"}).output is UNSET


@given(st.lists(OPINIONS, max_size=4), st.integers(0, 4), st.sampled_from(["text", {"stdout": "x"}, None]))
def test_adding_opinions_without_an_output_never_changes_the_output(others, place, output):
    hides = Opinion(by="hides", output=output)
    alone = combine([hides], {}, {"stdout": "secret"})
    others.insert(min(place, len(others)), hides)
    assert combine(others, {}, {"stdout": "secret"}).output == alone.output


@given(st.lists(OPINIONS, max_size=4), st.integers(0, 4))
def test_adding_opinions_never_removes_what_is_withheld(others, place):
    others.insert(min(place, len(others)), Opinion(by="fails", withhold="it failed", notice="n", error="e"))
    verdict = combine(others, {}, {"stdout": "secret"})
    assert (verdict.withheld, verdict.notices, verdict.errors) == ("it failed", ("n",), ("e",))


def test_what_fails_goes_the_events_safe_way_and_names_itself():
    """S1-08 a check that fails."""
    where = Source("guards.py", 3)
    assert failure("PreToolUse", "guard", "guard broke", "on 'x'", where) == Opinion(
        by="guard", source=where, decision="deny", reason="guard broke: on 'x'", error="guard broke: on 'x'"
    )
    assert failure("Stop", "guard", "guard broke") == Opinion(by="guard", notice="guard broke", error="guard broke")


def test_the_details_of_a_failure_are_kept_from_the_reader_of_a_withheld_result():
    held = combine([failure("PostToolUse", "guard", "guard broke", "on 'secret'")])
    assert (held.decision, held.withheld) == (None, "guard broke")
    assert held.notices == held.errors == ("guard broke: on 'secret'",)


# --- rounds ------------------------------------------------------------------------------------------------


def run(participants, original, *, alone=False):
    """Deliberate with plain functions of the input, and count how often each was asked."""
    asked = [0] * len(participants)

    def numbered(number, participant):
        def ask(draft):
            asked[number] += 1
            return tuple(participant(draft.input))

        return number, ask

    everybody = [numbered(number, participant) for number, participant in enumerate(participants)]
    return decide(original, lambda round_: ask_in_order(round_, everybody), alone=alone), asked


def changer(name, field, value, **parts):
    return lambda current: [Opinion(by=name, change={field: value}, **parts)]


def denier(name, bad):
    return lambda current: [Opinion(by=name, decision="deny", reason=f"{bad} is bad")] if bad in str(current) else []


def test_without_changes_everybody_is_asked_once():
    verdict, asked = run([denier("x", "rm"), lambda current: [ask]], {"command": "ls"})
    assert verdict.decision == "ask"
    assert asked == [1, 1]


def test_a_judge_before_the_change_judges_what_would_run():
    verdict, asked = run([denier("x", "rm"), changer("y", "command", "rm -rf /")], {"command": "ls"})
    assert (verdict.decision, verdict.reason) == ("deny", "rm is bad")
    assert asked == [2, 2]


def test_a_change_is_made_once_and_its_makers_decision_stands():
    verdict, asked = run(
        [changer("y", "command", "ls", decision="ask", reason="like this?"), denier("x", "rm")],
        {"command": "rm"},
        alone=True,
    )
    assert (verdict.decision, verdict.reason, verdict.input) == ("ask", "like this?", {"command": "ls"})
    assert asked == [2, 1]


def guard_that_changes(name, bad):
    """A hook that holds two rules: it denies what is bad and changes everything else."""

    def look(current):
        if bad in current["command"]:
            return [Opinion(by=name, decision="deny", reason=f"{bad} is bad")]
        return [Opinion(by=name, change={"timeout": 5})]

    return look


def test_a_hook_that_changes_is_a_judge_of_what_would_run_as_well():
    for alone in (True, False):
        verdict, _ = run([guard_that_changes("x", "rm"), changer("y", "command", "rm")], {"command": "ls"}, alone=alone)
        assert (verdict.decision, verdict.reason) == ("deny", "rm is bad")


def test_a_hook_that_changes_is_a_judge_of_the_original_as_well():
    order = [changer("y", "command", "ls"), guard_that_changes("x", "rm")]
    verdict, _ = run(order, {"command": "rm"})
    assert verdict.decision == "deny"
    saved, _ = run(order, {"command": "rm"}, alone=True)
    assert (saved.decision, saved.input) == (None, {"command": "ls", "timeout": 5})


def test_a_changer_that_repeats_itself_is_heard_once():
    verdict, _ = run([changer("y", "command", "ls", decision="ask", reason="ok?")], {"command": "rm"})
    assert verdict.reason == "ok?"


def test_beside_other_hooks_a_change_does_not_save_what_is_denied_as_written():
    judges = [denier("x", "rm"), changer("y", "command", "ls")]
    for order in (judges, judges[::-1]):
        verdict, _ = run(order, {"command": "rm", "timeout": 3})
        assert verdict.decision == "deny"
        assert verdict.reason == 'rm is bad Make this call instead: {"command":"ls","timeout":3}'
        saved, _ = run(order, {"command": "rm", "timeout": 3}, alone=True)
        assert (saved.decision, saved.input) == (None, {"command": "ls", "timeout": 3})


def test_each_changer_sees_what_the_one_before_left():
    def append(name, mark):
        return lambda current: [Opinion(by=name, change={"command": current["command"] + mark})]

    verdict, _ = run([append("one", "1"), append("two", "2")], {"command": "x"})
    assert verdict.input == {"command": "x12"}
    assert [(change.by, change.before, change.after) for change in verdict.changes] == [
        ("one", "x", "x1"),
        ("two", "x1", "x12"),
    ]


def test_a_change_wished_for_after_the_changes_are_done_denies():
    def sanitise(current):
        return [Opinion(by="sanitise", change={"path": "/sandbox"})] if current["path"] == "/etc" else []

    verdict, _ = run([sanitise, changer("move", "path", "/etc")], {"path": "/tmp"})
    assert verdict.decision == "deny"
    assert verdict.reason == snapshot(
        "sanitise would change `path` again after a later hook changed the call; put it behind that hook"
    )
    assert verdict.errors == (verdict.reason,)


def test_reasons_keep_their_order_when_judges_are_asked_again():
    judges = [denier("first", "x"), changer("mover", "command", "x y"), denier("last", "x y")]
    verdict, _ = run(judges, {"command": "y"})
    assert [reason.by for reason in verdict.reasons] == ["first", "last"]


# --- properties --------------------------------------------------------------------------------------------


@given(st.lists(OPINIONS, max_size=6), st.integers(0, 6))
def test_adding_a_deny_never_loosens_a_verdict(opinions, place):
    before = combine(opinions, {})
    after = combine([*opinions[:place], deny, *opinions[place:]], {})
    assert after.decision == "deny"
    assert STRICTNESS[after.decision] >= STRICTNESS[before.decision]


@given(st.lists(OPINIONS, max_size=6), OPINIONS)
def test_adding_any_opinion_never_loosens_a_decision(opinions, more):
    assert STRICTNESS[combine([*opinions, more], {}).decision] >= STRICTNESS[combine(opinions, {}).decision]


@given(st.lists(OPINIONS, max_size=6).flatmap(lambda some: st.tuples(st.just(some), st.permutations(some))))
def test_the_order_of_deciding_opinions_never_changes_the_decision(pair):
    some, shuffled = pair
    one, other = combine(some, {}), combine(shuffled, {})
    assert one.decision == other.decision
    assert sorted(reason.text for reason in one.reasons) == sorted(reason.text for reason in other.reasons)


@given(CHANGES, CHANGES, CHANGES, st.dictionaries(NAMES, st.integers(), max_size=3))
def test_merging_changes_is_associative_and_does_what_its_parts_do(a, b, c, value):
    assert merge_change(merge_change(a, b), c) == merge_change(a, merge_change(b, c))
    assert apply_change(apply_change(value, a), b) == apply_change(value, merge_change(a, b))


@given(st.lists(OPINIONS, max_size=6), st.dictionaries(NAMES, VALUES, max_size=3))
def test_what_would_run_is_the_original_with_every_recorded_change(opinions, original):
    verdict = combine(opinions, original)
    replayed = dict(original)
    for change in verdict.changes:
        if change.after is UNSET:
            replayed.pop(change.field)
        else:
            replayed[change.field] = change.after
    assert json.dumps(replayed, sort_keys=True) == json.dumps(verdict.input, sort_keys=True)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcx")), max_size=4),
    st.lists(st.sampled_from("abcx"), max_size=3),
    st.sampled_from("abcx"),
    st.booleans(),
)
def test_nothing_runs_that_a_judge_denies(moves, bad, start, alone):
    """Whatever the order of changers and judges, what would run has passed every judge."""
    participants = [
        (lambda current, a=a, b=b: [Opinion(by=f"{a}{b}", change={"v": b})] if current["v"] == a else [])
        for a, b in moves
    ]
    for index, letter in enumerate(bad):
        participants.insert(index * 2 % (len(participants) + 1), denier(f"no-{letter}-{index}", f"'{letter}'"))
    verdict, asked = run(participants, {"v": start}, alone=alone)
    if verdict.decision != "deny":
        assert verdict.input["v"] not in bad
        assert alone or start not in bad
    assert max(asked, default=0) <= 3
