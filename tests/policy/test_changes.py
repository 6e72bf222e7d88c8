"""Change, then judge: what would run is judged, and the original too where another hook may undo the change."""

from inline_snapshot import snapshot
from msgspec import UNSET

from interlock.verdict import Change
from tests.policy.builders import Session, fired, load


def test_a_change_writes_its_fields_and_keeps_the_others():
    session = Session("rules: [{id: r, tool: Bash, change: {timeout: 5, description: null, extra: [1, a]}}]")
    verdict = session.call({"Bash": {"command": "ls", "timeout": 99, "description": "x"}})
    assert verdict.input == {"command": "ls", "timeout": 5, "extra": [1, "a"]}
    assert verdict.original == {"command": "ls", "timeout": 99, "description": "x"}
    assert verdict.changes == (
        Change("timeout", 99, 5, "r"),
        Change("description", "x", UNSET, "r"),
        Change("extra", UNSET, [1, "a"], "r"),
    )
    assert verdict.decision is None


def test_changes_are_made_in_order_each_seeing_the_one_before():
    session = Session("""
        rules:
          - {id: a, tool: Bash, change: {command: "${input.command} -a"}}
          - {id: b, tool: Bash, when: "input.command.endsWith('-a')", change: {command: "${input.command} -b"}}
          - {id: c, tool: Bash, when: "!input.command.endsWith('-b')", change: {command: never}}
    """)
    verdict = session.call("ls")
    assert verdict.input == {"command": "ls -a -b"}
    assert fired(verdict) == ["a", "b"]


def test_the_order_of_changes_is_the_order_of_the_policy():
    policy = """
        rules:
          - {{id: one, tool: Bash, change: {{command: "${{input.command}} {0}"}}}}
          - {{id: two, tool: Bash, change: {{command: "${{input.command}} {1}"}}}}
    """
    assert Session(policy.format("a", "b")).call("ls").input == {"command": "ls a b"}
    assert Session(policy.format("b", "a")).call("ls").input == {"command": "ls b a"}


def test_whoever_decides_judges_what_would_run_wherever_it_stands():
    for rules in ("[{deny}, {change}]", "[{change}, {deny}]"):
        policy = "rules: " + rules.replace("{deny}", "{id: d, path: {write: /etc/}, deny: stop}").replace(
            "{change}", "{id: c, tool: Write, change: {file_path: '/sandbox${input.file_path}'}}"
        )
        verdict = Session(policy).call({"Write": {"file_path": "/etc/x", "content": ""}})
        assert (verdict.decision, verdict.input["file_path"]) == (None, "/sandbox/etc/x")


def test_a_change_into_something_denied_is_denied():
    session = Session("""
        rules:
          - {id: d, command: rm, deny: "not `${input.command}`"}
          - {id: c, command: ls, change: {command: rm x}}
    """)
    verdict = session.call("ls")
    assert (verdict.decision, verdict.reason) == ("deny", "not `rm x`")
    assert session.call("pwd").decision is None


def test_facts_are_gathered_anew_after_a_change():
    session = Session("""
        rules:
          - {id: c, tool: WebFetch, change: {url: "https://proxy.org/x"}}
          - {id: d, url: proxy.org, ask: "through ${match.url.host}, ${urls[0].host}?"}
          - {id: e, url: evil.org, deny: never}
    """)
    verdict = session.call({"WebFetch": {"url": "https://evil.org/x", "prompt": "p"}})
    assert (verdict.decision, verdict.reason) == ("ask", "through proxy.org, proxy.org?")


def test_input_is_what_would_run_and_original_what_the_model_wrote():
    session = Session("""
        rules:
          - {id: c, tool: Bash, change: {command: pwd}}
          - {id: a, tool: Bash, ask: "${original.command} became ${input.command}"}
    """)
    assert session.call("ls").reason == "ls became pwd"


def test_a_rule_that_changes_and_decides_matches_once_and_its_decision_stands():
    session = Session("""
        rules:
          - id: moved
            tool: [Write, Edit]
            path: {write: /**}
            unless: {path: {write: ["${project}/**", /sandbox/**]}}
            change: {file_path: "/sandbox${match.path}"}
            ask: This write was moved to ${input.file_path}.
    """)
    verdict = session.call({"Write": {"file_path": "/etc/x", "content": "y"}})
    assert (verdict.decision, verdict.reason) == ("ask", "This write was moved to /sandbox/etc/x.")
    assert verdict.input == {"file_path": "/sandbox/etc/x", "content": "y"}
    assert fired(verdict) == ["moved"]
    inside = session.call({"Write": {"file_path": "a", "content": "y"}})
    assert (inside.decision, inside.input["file_path"]) == (None, "a")


def test_a_change_that_widens_an_allow_is_judged_as_it_would_run():
    session = Session("""
        rules:
          - {id: a, command: cargo test, allow: true}
          - {id: c, tool: Bash, change: {command: "${input.command}; curl evil.org"}}
    """)
    assert session.call("cargo test").decision is None


def test_the_model_is_told_of_a_change_unless_it_is_quiet():
    loud = Session("rules: [{id: c, tool: Bash, change: {command: pwd}}]").call("ls")
    assert loud.told == snapshot('Interlock changed `command` of this call from "ls" to "pwd" (c).')
    quiet = Session("rules: [{id: c, tool: Bash, change: {command: pwd}, quiet: the same here}]").call("ls")
    assert (quiet.told, quiet.changes[0].quiet) == (None, "the same here")


def test_a_change_to_what_is_there_already_is_no_change():
    verdict = Session("rules: [{id: c, tool: Bash, change: {command: ls}}]").call("ls")
    assert (verdict.changes, verdict.told) == ((), None)


def test_a_value_that_is_one_expression_keeps_its_type():
    session = Session("""
        let: {most: 60}
        rules:
          - id: c
            tool: Bash
            change:
              timeout: ${most}
              description: "at most ${most} of ${[1, 2]}"
              tags: [a, "${most > 1}", {deep: "${input.command}"}]
    """)
    assert session.call("ls").input == {
        "command": "ls", "timeout": 60, "description": "at most 60 of [1,2]", "tags": ["a", True, {"deep": "ls"}],
    }  # fmt: skip


def test_a_change_that_cannot_be_made_fails_the_rule_and_denies():
    session = Session("rules: [{id: c, tool: Bash, change: {command: '${input.?nothing.x}'}}]")
    verdict = session.call("ls")
    assert (verdict.decision, verdict.input) == ("deny", {"command": "ls"})
    assert verdict.reason == snapshot(
        "rule `c` [interlock.yaml:2:9] failed: the value is an optional: end it with .orValue(…)"
    )


def test_a_number_that_json_cannot_write_fails_the_change():
    session = Session("rules: [{id: c, tool: Bash, change: {timeout: '${1.0 / 0.0}'}}]")
    verdict = session.call("ls")
    assert (verdict.decision, len(verdict.errors)) == ("deny", 1)


# The original beside other hooks

SAVED = """
rules:
  - {id: d, command: git push --force, deny: It loses work.}
  - {id: c, command: git push --force, change: {command: git push --force-with-lease}}
"""


def test_a_change_saves_a_denied_original_where_we_are_alone():
    verdict = Session(SAVED, alone=True).call("git push --force")
    assert (verdict.decision, verdict.input) == (None, {"command": "git push --force-with-lease"})


def test_beside_other_hooks_a_denied_original_is_denied_and_names_the_safe_call():
    verdict = Session(SAVED, alone=False).call("git push --force")
    assert verdict.decision == "deny"
    assert verdict.reason == snapshot(
        'It loses work. Make this call instead: {"command":"git push --force-with-lease"}'
    )


def test_beside_other_hooks_a_harmless_original_is_changed_as_ever():
    policy = "rules: [{id: d, command: rm, deny: stop}, {id: c, command: ls, change: {command: pwd}}]"
    verdict = Session(policy, alone=False).call("ls")
    assert (verdict.decision, verdict.input) == (None, {"command": "pwd"})


def test_layers_change_in_order_the_lowest_first():
    low = load("rules: [{id: low, tool: Bash, change: {command: '${input.command} low'}}]")
    high = load("rules: [{id: high, tool: Bash, change: {command: '${input.command} high'}}]")
    assert Session(low, high).call("ls").input == {"command": "ls low high"}


# A change is no way around a rule that decides on the same input


def test_a_decider_between_two_changes_sees_the_last_of_them():
    session = Session("""
        rules:
          - {id: c1, command: a, change: {command: b}}
          - {id: d, command: b, deny: not b}
          - {id: c2, command: b, change: {command: c}}
    """)
    verdict = session.call("a")
    assert (verdict.decision, verdict.input) == (None, {"command": "c"})


def test_a_change_an_earlier_rule_would_have_made_of_the_result_denies_rather_than_being_lost():
    session = Session("""
        rules:
          - {id: clean, command: curl, change: {command: curl --proto-default https}}
          - {id: alias, command: get, change: {command: curl x.org}}
    """)
    verdict = session.call("get x")
    assert verdict.decision == "deny"
    assert verdict.reason == snapshot(
        "clean would change `command` again after a later hook changed the call; put it behind that hook"
    )
