"""A rule can see whether other rules of the same event fire, on the call as it will run."""

from __future__ import annotations

import pytest

from interlock.testing.cases import run_cases
from tests.policy.builders import Session, complaints, load

PUSH = "{id: push, command: git push, ask: Push?}"


def told(policy: str, *calls: object, **options: object) -> list[tuple[str | None, tuple[str, ...]]]:
    session = Session(policy, **options)  # type: ignore[arg-type]
    return [((verdict := session.call(call)).decision, verdict.notices) for call in calls]


def test_a_rule_sees_that_another_one_fired():
    policy = f"rules:\n  - {PUSH}\n  - {{id: seen, when: fired('push'), notify: A push.}}\n"
    assert told(policy, "git push", "git pull") == [("ask", ("A push.",)), (None, ())]


def test_the_order_in_the_file_does_not_matter():
    policy = f"rules:\n  - {{id: seen, when: fired('push'), notify: A push.}}\n  - {PUSH}\n"
    assert told(policy, "git push", "git pull") == [("ask", ("A push.",)), (None, ())]
    assert [rule.id for rule, _ in load(policy).rules] == ["push", "seen"]


def test_rules_that_ask_for_nothing_keep_their_places():
    policy = f"""
        rules:
          - {{id: a, when: fired('c'), notify: a}}
          - {{id: b, when: "true", notify: b}}
          - {{id: c, when: fired('push'), notify: c}}
          - {{id: d, when: "true", notify: d}}
          - {PUSH}
        """
    assert [rule.id for rule, _ in load(policy).rules] == ["push", "c", "a", "b", "d"]


def test_a_rule_that_changed_the_call_fired_though_it_no_longer_matches():
    policy = """
        rules:
          - {id: to-pnpm, command: npm install, change: {command: pnpm install}}
          - {id: seen, when: fired('to-pnpm'), notify: changed}
          - {id: unseen, when: "!fired('to-pnpm')", notify: unchanged}
        """
    for alone in (True, False):
        assert told(policy, "npm install", "pnpm install", alone=alone) == [
            (None, ("changed",)),
            (None, ("unchanged",)),
        ]


def test_what_counts_is_the_call_as_it_will_run():
    """`risky` holds for the original only, and `mild` for what runs; both are judged before the change, and again."""
    policy = """
        rules:
          - {id: risky, tool: Bash, when: 'input.command.contains("-f")', context: risky}
          - {id: mild, tool: Bash, when: '!input.command.contains("-f")', context: mild}
          - {id: without-force, tool: Bash, when: 'input.command.contains("-f")', change: {command: git push}}
          - {id: seen, when: "fired('risky')", notify: risky}
          - {id: also-seen, when: "fired('mild')", notify: mild}
        """
    assert told(policy, "git push -f", "git push") == [(None, ("mild",)), (None, ("mild",))]


def test_a_rule_before_the_last_change_sees_the_call_as_it_will_run_too():
    policy = """
        rules:
          - {id: forced, tool: Bash, when: 'input.command.contains("-f")', context: forced}
          - {id: early, when: "fired('forced')", deny: Not by force.}
          - {id: late, tool: Bash, when: 'input.command.contains("-f")', change: {command: git push}}
        """
    assert told(policy, "git push -f") == [(None, ())]  # alone: what runs is no longer forced
    assert told(policy, "git push -f", alone=False)[0][0] == "deny"  # another hook may undo the change


def test_a_check_runs_once_though_another_rule_waits_for_it():
    policy = """
        rules:
          - {id: tests, event: Stop, run: make test, deny: "Fix: ${run.out}"}
          - {id: bell, event: Stop, when: "fired('tests')", notify: The tests fail.}
        """
    session = Session(policy, given={"run": {"code": 1, "out": "2 failed"}})
    verdict = session.event("Stop", stop_hook_active=False)
    assert (verdict.reason, verdict.notices) == ("Fix: 2 failed", ("The tests fail.",))
    assert Session(policy, given={"run": 0}).event("Stop", stop_hook_active=False).notices == ()


def test_if_the_other_rule_fails_so_does_this_one():
    policy = """
        rules:
          - {id: broken, tool: Bash, when: "int(input.command) > 1", on_error: ignore, observe: %s, context: x}
          - {id: calm, tool: Bash, when: "!fired('broken')", allow: true}
        """
    for observe in ("false", "true"):
        verdict = Session(policy % observe).call("ls")
        assert verdict.decision == "deny"
        assert "whether `broken` fired is not known, because it failed" in (verdict.reason or "")


def test_a_rule_that_only_observes_fires_too():
    policy = (
        "rules:\n  - {id: push, command: git push, observe: true, deny: No.}\n  - {id: s, when: fired('push'), ask: a}"
    )
    assert told(policy, "git push", "git pull") == [("ask", ()), (None, ())]


def test_a_rule_of_a_pack_can_be_asked_about():
    policy = "packs: [git]\nrules: [{id: seen, when: fired('git/force-push'), notify: forced}]"
    assert told(policy, "git push --force origin main")[0][1] == ("forced",)
    assert told(policy, "git push")[0][1] == ()


def test_a_rule_that_a_policy_leaves_out_of_a_pack_cannot_be_asked_about():
    policy = "packs: [{use: git, without: [force-push]}]\nrules: [{id: seen, when: fired('git/force-push'), notify: x}]"
    assert 'fired("git/force-push") asks about a rule that does not exist' in complaints(policy)[0]


def test_the_rules_of_a_pack_that_is_used_twice_are_all_kept():
    policy = """
        packs: [{use: git, with: {protected: [main]}}, {use: git, with: {protected: [next]}}]
        rules: [{id: seen, when: fired('git/force-push'), notify: x}]
        """
    once = len(load("packs: [git]").rules)
    assert len(load(policy).rules) == 2 * once + 1
    assert told(policy, "git push -f origin main")[0][1] == ("x",)


def test_cases_include_the_rules_that_are_asked_about():
    policy = f"""
        rules:
          - {PUSH}
          - id: seen
            when: fired('push')
            notify: x
            cases: {{catch: [git push], pass: [git pull]}}
        """
    assert [(result.ok, result.message) for result in run_cases(load(policy))] == [(True, ""), (True, "")]


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        (
            "{id: a, when: fired('psh'), notify: x}, " + PUSH,
            'fired("psh") asks about a rule that does not exist; did you mean `push`?',
        ),
        (
            "{id: a, when: fired(tool), notify: x}",
            'fired() takes a rule\'s id as a text; write fired("force-push")',
        ),
        (
            "{id: a, event: Stop, when: fired('push'), notify: x}, " + PUSH,
            'fired("push") is never true on Stop: that rule is about PreToolUse; give both rules the same event',
        ),
        (
            "{id: a, when: fired('a'), notify: x}",
            "these rules wait for each other: a → a; take one of their fired(…) out",
        ),
        (
            "{id: a, when: fired('b'), notify: x}, {id: b, when: fired('c'), notify: x}, "
            "{id: c, tool: Bash, deny: \"${fired('a')}\"}",
            "these rules wait for each other: a → b → c → a; take one of their fired(…) out",
        ),
    ],
)
def test_a_question_that_could_not_be_answered_is_refused(rules: str, complaint: str):
    assert [one.split(" ", 1)[1] for one in complaints(f"rules: [{rules}]")] == [complaint]
