"""The fold: what each participant leaves of the input and of the result, and what an allow speaks for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from interlock.fold import Draft, ask_in_order, decide
from interlock.verdict import Opinion, Verdict, apply_change

WORDS = st.sampled_from(["alpha1", "beta22", "gamma3", "delta4"])


def settle(participants: list[Any], given: Any = None, *, result: Any = UNSET, alone: bool = True) -> Verdict:
    """Deliberate with plain functions of the draft."""
    everybody = list(enumerate(participants))
    return decide(given or {}, lambda round_: ask_in_order(round_, everybody), alone=alone, result=result)


# --- results ---------------------------------------------------------------------------------------------------


def hider(word: str, mark: str = "***", **parts: Any) -> Any:
    """A participant that removes a word from the text of a result."""

    def hide(draft: Draft) -> tuple[Opinion, ...]:
        text = draft.result["text"]
        if word not in text:
            return ()
        return (Opinion(by=f"hide {word}", output={"text": text.replace(word, mark)}, **parts),)

    return hide


def adder(word: str) -> Any:
    return lambda draft: (Opinion(by=f"add {word}", output={"text": f"{draft.result['text']} {word}"}),)


def teller(draft: Draft) -> tuple[Opinion, ...]:
    return (Opinion(by="teller", context=f"It says {draft.result['text']}"),)


def rememberer(text: str) -> Any:
    """A participant that quotes what it was shown at first, whatever it is asked about later."""
    return lambda draft: (Opinion(by="rememberer", context=text, notice=text),)


def read(verdict: Verdict) -> str:
    """Everything of a verdict that anybody reads."""
    output = "" if verdict.output is UNSET else str(verdict.output)
    return "\n".join([output, verdict.told or "", *verdict.notices, verdict.reason or ""])


def test_each_participant_sees_the_result_that_the_one_before_left():
    verdict = settle([hider("alpha1"), hider("beta22"), teller], result={"text": "alpha1 beta22"})
    assert verdict.output == {"text": "*** ***"}
    assert verdict.context == ("It says *** ***",)


def test_who_spoke_before_a_change_speaks_of_the_result_as_it_will_be_read():
    verdict = settle([teller, hider("alpha1")], result={"text": "alpha1 and more"})
    assert verdict.context == ("It says *** and more",)


def test_what_is_added_after_a_redaction_is_redacted_too():
    verdict = settle([hider("alpha1"), adder("alpha1")], result={"text": "x"})
    assert verdict.output == {"text": "x ***"}


def test_an_addition_is_made_once_however_often_its_maker_is_asked():
    verdict = settle([adder("footer"), hider("alpha1"), adder("alpha1")], result={"text": "alpha1"})
    assert verdict.output == {"text": "*** footer ***"}


def test_a_number_that_is_changed_is_not_taken_for_something_removed():
    def grow(draft: Draft) -> tuple[Opinion, ...]:
        return (Opinion(by="grow", output={"n": draft.result["n"] + 1}),)

    assert settle([grow, grow], result={"n": 1}).output == {"n": 3}


def test_a_text_that_quotes_what_was_removed_later_is_not_told():
    def once(draft: Draft) -> tuple[Opinion, ...]:
        return (Opinion(by="once", context="Seen: sekrit"),) if "sekrit" in draft.result["text"] else ()

    verdict = settle([once, hider("sekrit")], result={"text": "the sekrit word"})
    assert (verdict.output, verdict.context) == ({"text": "the *** word"}, ())


def test_a_text_about_what_was_removed_stays_when_it_quotes_nothing_of_it():
    def once(draft: Draft) -> tuple[Opinion, ...]:
        return (Opinion(by="once", context="Do not print keys."),) if "alpha1" in draft.result["text"] else ()

    verdict = settle([once, hider("alpha1", context="A key was hidden.")], result={"text": "key alpha1"})
    assert verdict.context == ("Do not print keys.", "A key was hidden.")


def test_who_remembers_what_it_saw_cannot_bring_it_back():
    verdict = settle([rememberer("It was alpha1!"), hider("alpha1")], result={"text": "alpha1"})
    assert (verdict.context, verdict.notices) == (("It was [removed]!",), ("It was [removed]!",))


def test_a_participant_cannot_tell_what_it_removes_itself():
    verdict = settle([hider("alpha1", context="Hidden: alpha1.")], result={"text": "alpha1"})
    assert verdict.context == ("Hidden: [removed].",)


def test_a_withheld_result_is_not_told_by_another():
    def fail(draft: Draft) -> tuple[Opinion, ...]:
        return (Opinion(by="fail", withhold="it broke", error="it broke"),)

    for order in ([teller, fail], [fail, teller]):
        verdict = settle(order, result={"text": "the quick brown fox\nalpha1"})
        assert verdict.withheld == "it broke"
        assert verdict.context == ("It says [removed]\n[removed]",)


def carrier(draft: Draft) -> tuple[Opinion, ...]:
    """A participant that hands on a field of a host's own answer, with the result in it."""
    return (Opinion(by="carrier", carried={"extra": {"seen": [draft.result["text"], "plain"]}}),)


def carried_in(verdict: Verdict) -> list[Any]:
    return [opinion.carried for opinion in verdict.opinions if opinion.carried is not None]


@pytest.mark.parametrize("order", [[carrier, hider("alpha1")], [hider("alpha1"), carrier]])
def test_a_carried_field_is_kept_once_and_shows_the_result_as_it_will_be_read(order):
    verdict = settle(order, result={"text": "alpha1 beta22"})
    assert carried_in(verdict) == [{"extra": {"seen": ["*** beta22", "plain"]}}]


def test_a_carried_field_that_quotes_what_was_removed_is_stripped_of_it():
    remembers = Opinion(by="remembers", carried={"extra": {"seen": ["it was alpha1", 7, None]}, "other": True})
    verdict = settle([hider("alpha1"), lambda draft: (remembers,)], result={"text": "alpha1 beta22"})
    assert carried_in(verdict) == [{"extra": {"seen": ["it was [removed]", 7, None]}, "other": True}]


def test_a_carried_field_beside_a_withheld_result_is_stripped_too():
    fails = Opinion(by="fails", withhold="it failed", notice="it failed", error="it failed")
    verdict = settle([carrier, lambda draft: (fails,)], result={"text": "alpha1 beta22"})
    assert "alpha1" not in str(carried_in(verdict))


def test_two_who_undo_each_other_have_the_result_withheld():
    swap = [
        lambda draft: (Opinion(by="there", output={"text": draft.result["text"].replace("a", "b")}),),
        lambda draft: (Opinion(by="back", output={"text": draft.result["text"].replace("b", "a")}),),
    ]
    verdict = settle(swap, result={"text": "a"})
    assert verdict.withheld == "`there`, `back` undo each other's changes of this result"


def test_a_check_that_cannot_read_the_later_result_fails_only_if_something_was_added():
    def strict(draft: Draft) -> tuple[Opinion, ...]:
        if isinstance(draft.result, dict):
            return (Opinion(by="strict", set={"seen": True}),)
        return (Opinion(by="strict", withhold="strict broke", error="strict broke"),)

    def replacing(text: str) -> Any:
        return lambda draft: (Opinion(by="replace", output=text, replaces=True),)

    assert settle([strict, replacing("text")], result={"text": "x"}).withheld is None
    assert settle([strict, replacing("brand new")], result={"text": "x"}).withheld == "strict broke"


def test_adding_an_opinion_without_an_output_never_removes_an_output():
    for order in ([teller, hider("alpha1")], [hider("alpha1"), teller]):
        assert settle(order, result={"text": "alpha1"}).output == {"text": "***"}


@given(
    st.lists(
        st.one_of(
            st.builds(hider, WORDS),
            st.builds(adder, WORDS),
            st.just(teller),
            st.builds(rememberer, st.lists(WORDS, min_size=1).map(", ".join)),
        ),
        max_size=6,
    ),
    st.lists(WORDS, min_size=1).map(" ".join),
    st.sets(WORDS),
)
def test_no_text_that_any_participant_removes_is_in_the_answer(others, text, hidden):
    """Whatever the order: redactors may stand before, between or behind those who add and those who tell."""
    participants = [*others]
    for place, word in enumerate(sorted(hidden)):
        participants.insert(place * 2, hider(word))
    verdict = settle(participants, result={"text": text})
    for word in hidden:
        if word in text:
            assert word not in read(verdict)


# --- what an allow speaks for ----------------------------------------------------------------------------------


def rule(by: str, pattern: str, change: Any = None, **parts: Any) -> Any:
    """A rule about commands: it fires on those that begin with a pattern."""

    def look(draft: Draft) -> tuple[Opinion, ...]:
        fires = draft.input["command"].startswith(pattern)
        return (Opinion(by=by, change=change, **parts),) if fires else ()

    return look


def test_an_allow_does_not_outlive_a_later_change():
    first = rule("first", "ls", {"timeout": 5000}, decision="allow")
    verdict = settle([first, rule("second", "ls", {"command": "make deploy"})], {"command": "ls"})
    assert (verdict.decision, verdict.input) == (None, {"command": "make deploy", "timeout": 5000})
    assert [(loss.effect, loss.instead) for loss in verdict.lowered] == [
        ("allow", "no decision: `first` did not allow every input that could run")
    ]


def test_an_allow_with_its_own_change_holds_when_another_field_is_changed_later():
    tests = rule("tests", "npm test", {"command": "npm test --ci"}, decision="allow")
    verdict = settle([tests, rule("slow", "npm", {"timeout": 9})], {"command": "npm test"})
    assert (verdict.decision, verdict.input) == ("allow", {"command": "npm test --ci", "timeout": 9})
    exact = rule("tests", "npm test\n", {"command": "npm run ci"}, decision="allow")
    verdict = settle([exact, rule("slow", "npm", {"timeout": 9})], {"command": "npm test\n"})
    assert (verdict.decision, verdict.input) == ("allow", {"command": "npm run ci", "timeout": 9})


def test_beside_other_hooks_an_allow_holds_for_the_original_too():
    dry = rule("dry", "make deploy", {"command": "make deploy-dry"})
    fine = rule("fine", "make deploy-dry", decision="allow")
    for order in ([dry, fine], [fine, dry]):
        assert settle(order, {"command": "make deploy"}).decision == "allow"
        assert settle(order, {"command": "make deploy"}, alone=False).decision is None
    tests = rule("tests", "npm test", {"command": "npm test --ci"}, decision="allow")
    assert settle([tests], {"command": "npm test"}, alone=False).decision == "allow"


def test_beside_other_hooks_a_question_about_the_original_drops_an_allow():
    everything = rule("everything", "make", decision="allow")
    sure = rule("sure", "make deploy\n", decision="ask", reason="Sure?")
    dry = rule("dry", "make deploy", {"command": "make deploy-dry"})
    assert settle([everything, sure, dry], {"command": "make deploy\n"}, alone=False).decision is None
    assert settle([everything, sure, dry], {"command": "make deploy\n"}).decision == "allow"


def test_a_denial_or_a_question_is_never_dropped():
    for decision in ("ask", "deny"):
        first = rule("first", "ls", {"timeout": 1}, decision=decision, reason="Because.")
        verdict = settle([first, rule("second", "ls", {"command": "pwd"})], {"command": "ls"})
        assert (verdict.decision, verdict.reason) == (decision, "Because.")


COMMANDS = st.sampled_from(["a", "b", "c", "d"])
RULES = st.tuples(COMMANDS, st.none() | COMMANDS, st.none() | st.integers(1, 2), st.booleans())


@given(st.lists(RULES, min_size=1, max_size=5), COMMANDS, st.booleans())
def test_nothing_is_allowed_that_no_rule_allows(rules, command, alone):
    """Under changers of every sort, alone and beside hooks that may restore what the model wrote."""

    def made(number: int, pattern: str, to: str | None, timeout: int | None, allows: bool) -> Any:
        change = {key: value for key, value in (("command", to), ("timeout", timeout)) if value is not None}
        return rule(f"r{number}", pattern, change or None, decision="allow" if allows else None)

    participants = [made(number, *parts) for number, parts in enumerate(rules)]
    verdict = settle(participants, {"command": command}, alone=alone)
    if verdict.decision != "allow":
        return
    # A rule allows what it leaves of an input that it fires on.
    left = [
        apply_change({"command": pattern}, {} if to is None else {"command": to})["command"]
        for pattern, to, _, allows in rules
        if allows
    ]
    assert verdict.input["command"] in left
    assert alone or verdict.changes == () or command in {pattern for pattern, _, _, allows in rules if allows}
