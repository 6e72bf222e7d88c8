"""What count() and since() count: what happened, and each attempt of a rule that denies."""

import pytest

from interlock.service import answer
from tests.policy.builders import Session, load


def counted(rules: str, *more: str) -> Session:
    """A session whose state can be asked for with `show NAME`."""
    return Session(
        f"rules:\n{rules}\n  - {{id: show, command: show, deny: \"${{count('r')}} ${{count('other')}}\"}}",
        *map(load, more),
    )


def counts(session: Session) -> str | None:
    return session.call("show").reason


def test_a_firing_counts_unless_the_call_was_denied():
    session = counted(
        "  - {id: r, command: git push, context: pushed}\n  - {id: other, command: git push --force, deny: No force.}"
    )
    session.call("git push")
    assert counts(session) == "1 0"
    session.call("git push --force")
    assert counts(session) == "1 1"


def test_a_rule_that_denies_counts_each_time():
    session = counted("  - {id: r, command: rm, deny: Stop.}\n  - {id: other, command: rm, deny: Stop it.}")
    session.call("rm a")
    session.call("rm b")
    assert counts(session) == "2 2"


def test_three_pushes_an_hour_are_not_extended_by_those_that_were_refused():
    session = Session("""
        rules:
          - {id: push, command: git push, context: pushed}
          - {id: often, command: git push, when: 'count("push", "1h") >= 3', deny: Three an hour.}
        """)
    decisions = []
    for wait in (0, 60, 60, 60, 600, 600, 2400):
        session.world.wait(wait)
        decisions.append(session.call("git push").decision)
    # The last comes 3,780 s after the first: two of the three are still within the hour, and none of the refused ones.
    assert decisions == [None, None, None, "deny", "deny", "deny", None]


def test_a_read_that_was_denied_does_not_close_the_network():
    session = Session("""
        rules:
          - {id: secret-read, path: {read: "@secret"}, context: Careful.}
          - {id: key-read, path: {read: ~/.ssh/**}, deny: Keys stay closed.}
          - {id: closed, url: "*", when: count("secret-read") > 0, deny: Closed.}
        """)
    assert session.call({"Read": "~/.ssh/id_rsa"}).decision == "deny"
    assert session.call("curl https://a.example").decision is None
    session.call({"Read": ".env"})
    assert session.call("curl https://a.example").decision == "deny"


def test_since_is_the_time_of_the_last_call_that_was_not_denied():
    session = Session("""
        rules:
          - {id: push, command: git push, context: pushed}
          - {id: soon, command: git push, when: 'since("push") < duration("10m")', deny: Wait.}
        """)
    decisions = []
    for wait in (0, 500, 101, 599):
        session.world.wait(wait)
        decisions.append(session.call("git push").decision)
    assert decisions == [None, "deny", None, "deny"]


def test_a_call_that_another_policy_denies_was_denied():
    session = counted("  - {id: r, command: ls, context: seen}\n  - {id: other, command: pwd}",
                      "rules: [{id: r, command: ls -a, deny: Not here.}]")  # fmt: skip
    session.call("ls -a")
    assert counts(session) == "0 0"
    session.call("ls")
    assert counts(session) == "1 0"


@pytest.mark.parametrize("decision", ["ask: Sure?", "allow: true", "notify: x", "change: {timeout: 5}"])
def test_an_ask_at_the_hosts_own_prompt_counts_when_it_is_asked(decision: str):
    session = counted(f"  - {{id: r, command: ls, {decision}}}\n  - {{id: other, command: ls, context: x}}")
    session.call("ls")
    assert counts(session) == "1 1"


@pytest.mark.parametrize(("decision", "count"), [("defer: true", "0 0"), ("ask: Sure?", "1 1")])
def test_the_verdict_after_lowering_decides(decision: str, count: str):
    """A host that cannot defer denies instead: then nothing ran, and the rule is none that denies."""
    session = counted(f"  - {{id: r, command: ls, {decision}}}\n  - {{id: other, command: ls, context: x}}")
    raw = session.payload("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="c-1")
    assert answer(session.guard, "flat", raw).verdict.decision == ("deny" if count == "0 0" else "ask")
    assert counts(session) == count


def test_rules_that_observe_never_count():
    session = counted("  - {id: r, command: ls, deny: x, observe: true}\n  - {id: other, command: ls, observe: true}")
    session.call("ls")
    assert counts(session) == "0 0"


@pytest.mark.parametrize("on_error", ["deny", "ask", "ignore"])
def test_rules_that_fail_never_count(on_error: str):
    session = counted(
        f"  - {{id: r, command: ls, when: '1 / (commands.size() - 1) > 0', deny: x, on_error: {on_error}}}\n"
        "  - {id: other, command: pwd, context: x}"
    )
    assert session.call("ls").errors
    session.call("pwd")
    assert counts(session) == "0 1"


def test_a_rule_counts_once_for_one_call():
    session = counted("  - {id: r, command: ls, context: x}\n  - {id: other, path: src/, context: x}")
    session.call("ls src; ls src/a; ls src/b")
    assert counts(session) == "1 1"


def test_a_turn_that_may_not_end_counts_only_for_the_rule_that_says_so():
    session = counted(
        "  - {id: r, event: Stop, notify: x}\n  - {id: other, event: Stop, when: 'count(\"other\") < 1', deny: Go on.}"
    )
    session.event("Stop", stop_hook_active=False)
    assert counts(session) == "0 1"
    session.event("Stop", stop_hook_active=True)
    assert counts(session) == "1 1"
