"""What people approve again and again becomes a suggestion, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.approvals.granting import Terms
from interlock.config.bundles import find_pack, load_file
from interlock.judging.asking import Asks
from interlock.policy.load import load_policy
from interlock.replay.faults import Faults
from interlock.replay.habits import Habit, HabitSuggestion, habits_of, suggestions_from
from interlock.replay.judge import PastJudge
from interlock.replay.record import play_record
from tests.page.history import Past


@pytest.fixture
def past(tmp_path: Path):
    made = Past(tmp_path)
    yield made
    made.close()


def approve_often(past: Past, command: str = "npm install left-pad", times: int = 6) -> None:
    for number in range(times):
        past.days_ago(10 - number)
        past.asked(command, "yes", f"s-{number}")


def habits(past: Past) -> list[Habit]:
    return habits_of(past.store)


def suggestions(past: Past) -> list[HabitSuggestion]:
    return list(suggestions_from(past.store, [load_file(past.file)], habits(past)))


def test_a_line_that_was_always_approved_gets_an_exception_for_this_line_alone(past: Past):
    approve_often(past)
    past.days_ago(1).asked("make deploy", "yes", "s-1")
    (one,) = suggestions(past)
    assert one.title == "`npm install left-pad` was approved 6 times in 6 sessions, and never refused."
    assert one.effect == ("With this exception, 6 of 7 questions in these sessions would not have been asked.")
    assert one.change.text == (
        "version: 1\n"
        "rules:\n"
        "- id: install\n"
        "  command: npm install\n"
        "  ask: This adds a dependency. Add it?\n"
        "  approve: inbox\n"
        "  unless:\n"
        "    command: [/^npm install left-pad$/]\n"
    )


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("npm install left-pad", None),
        ("npm install left-pad evil", "ask"),
        ("npm install evil", "ask"),
        ("npm install left-pad && npm install evil", "ask"),
        ("npm install left-pad; npm install $(cat name)", "ask"),
        ("npm install 'left-pad'", "ask"),
    ],
)
def test_what_is_suggested_frees_the_approved_line_and_nothing_else(past: Past, command: str, decision: str | None):
    approve_often(past)
    (one,) = suggestions(past)
    past.file.write_text(one.change.text, encoding="utf-8")
    past.guard = past._guard()
    reply, _ = past.days_ago(0).call(command, "new")
    assert reply.verdict.decision == decision
    assert (reply.request is not None) == (decision == "ask")


def test_many_lines_of_one_shape_that_is_all_a_rule_asks_about_make_it_observe(past: Past):
    for number in range(6):
        past.days_ago(10 - number).asked(f"npm install package-{number}", "yes", f"s-{number}")
    (one,) = suggestions(past)
    assert one.title == ("`npm install` with anything behind it was approved 6 times in 6 sessions, and never refused.")
    assert one.effect == ("If the rule only observed, 6 of 6 questions in these sessions would not have been asked.")
    assert one.change.kind == "observe"
    assert load_policy(one.change.text, "interlock.yaml").rules[0][0].observe


def test_a_rule_of_a_pack_becomes_ones_own_with_an_exception(tmp_path: Path):
    past = Past(tmp_path, "version: 1\napprove: inbox\npacks: [packages, git]\n")
    for number in range(6):
        past.days_ago(10 - number).asked("git stash drop", "yes", f"s-{number}")
    past.days_ago(1).asked("git clean -fd", "yes", "s-1")
    (one,) = suggestions(past)
    changed = load_policy(one.change.text, "interlock.yaml", find_pack)
    own = [rule for rule, _ in changed.rules if rule.source.file == "interlock.yaml"]
    assert [(rule.id, len(rule.unless)) for rule in own] == [("hard-reset", 1)]
    assert "git/hard-reset" not in [rule.id for rule, _ in changed.rules]
    assert (one.change.freed, one.change.questions) == (6, 7)
    past.close()


def test_one_refusal_is_enough_to_suggest_nothing(past: Past):
    approve_often(past)
    past.days_ago(1).asked("npm install left-pad", "no", "s-1")
    assert habits(past) == []


def test_a_refusal_of_another_line_of_the_shape_leaves_the_line_its_exception(past: Past):
    approve_often(past)
    past.days_ago(1).asked("npm install evil", "no", "s-1")
    assert [one.words for one in habits(past)] == ["`npm install left-pad`"]


def test_five_times_in_one_session_on_one_day_is_not_a_habit(past: Past):
    past.days_ago(3)
    for _ in range(6):
        past.asked("npm install left-pad", "yes", "s-1")
    assert habits(past) == []
    past.days_ago(2).asked("npm install left-pad", "yes", "s-1")
    assert [one.approved for one in habits(past)] == [7]


def test_four_times_is_not_often(past: Past):
    approve_often(past, times=4)
    assert habits(past) == []


def test_a_question_that_nobody_answered_is_neither_a_yes_nor_a_no(past: Past):
    approve_often(past, times=5)
    past.days_ago(1).asked("npm install left-pad", "none", "s-9")
    assert [one.approved for one in habits(past)] == [5]


def test_calls_that_a_grant_let_run_count_as_approved(past: Past):
    for day in (5, 4):
        past.days_ago(day).asked("npm install a", "yes", f"s-{day}", terms=Terms(scope="session"))
        for name in "bcd":
            past.ran(f"npm install {name}", f"s-{day}")
    (one,) = habits(past)
    assert (one.words, one.approved) == ("`npm install` with anything behind it", 8)


def test_a_grant_that_was_taken_back_is_a_refusal(past: Past):
    approve_often(past)
    past.days_ago(1).asked("npm install left-pad", "yes", "s-1", terms=Terms(scope="session"))
    (grant,) = past.store.grants()
    past.store.revoke(grant.id, by="ann", at=past.now)
    assert habits(past) == []


def test_answers_at_the_hosts_own_prompt_count_by_what_became_of_the_call(past: Past):
    for number in range(6):
        past.days_ago(10 - number)
        _, call = past.call("npm install left-pad", f"s-{number}", asks=Asks())
        past.event("PostToolUse", f"s-{number}", **call, tool_response={"stdout": "ok"})
    assert [(one.words, one.approved) for one in habits(past)] == [("`npm install left-pad`", 6)]
    past.call("npm install left-pad", "s-5", asks=Asks())
    past.event("Stop", "s-5", stop_hook_active=False)  # the turn is over, and no result came: a person said no
    assert habits(past) == []


def test_a_whole_tool_is_never_excepted(tmp_path: Path):
    past = Past(tmp_path, "version: 1\nrules: [{id: refund, tool: refund, ask: Refund?, approve: inbox}]\n")
    for number in range(6):
        past.days_ago(10 - number).asked_tool("refund", {"amount": number}, f"s-{number}")
    assert [one.words for one in habits(past)] == ["refund with any input"]
    assert suggestions(past) == []
    past.close()


def test_a_call_that_waited_for_its_answer_is_played_once(past: Past):
    past.days_ago(3)
    past.asked("npm install a", "yes")
    past.asked("npm install b", "no")
    past.asked("npm install c", "none")
    scenes = list(play_record(past.store, [PastJudge([load_file(past.file)])], Faults()))
    assert [(scene.what.input["command"], scene.outcome) for scene in scenes] == [  # type: ignore[union-attr]
        ("npm install a", "ran"),
        ("npm install b", "refused"),
        ("npm install c", "refused"),
    ]
