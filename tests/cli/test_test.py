"""`interlock test`: scenarios of *.test.yaml files, found, run and reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.lint.project import Project

PASSING = """\
policy: interlock.yaml
scenarios:
  - name: rm is closed
    steps:
      - {call: rm x, expect: deny, reason: No rm, fires: [no-rm]}
      - {call: ls, expect: none}
  - steps:
      - {call: {Write: /etc/x}, expect: ask, change: {file_path: /sandbox/etc/x}}
"""
FAILING = """\
policy: interlock.yaml
scenarios:
  - name: mv is closed
    steps:
      - {call: ls, expect: none}
      - {call: mv x y, expect: deny}
      - {call: never reached, expect: deny}
  - name: rm is closed
    steps: [{call: rm x, expect: deny}]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.policy(
        "{id: no-rm, command: rm, deny: No rm.}",
        '{id: moved, tool: Write, path: {write: /etc/**}, change: {file_path: "/sandbox${match.path}"}, ask: Moved.}',
        "{id: looked, event: PostToolUse, tool: Glob, context: Found., notify: It looked.}",
    )
    return made


def test_scenarios_that_pass_are_listed_and_counted(project: Project):
    project.write(PASSING, "a.test.yaml")
    assert project.said("test") == snapshot(
        (
            0,
            """\
ok     rm is closed
ok     line 7
2 of 2 scenarios pass
""",
        )
    )


def test_a_scenario_that_fails_names_the_step_and_what_came_instead(project: Project):
    project.write(FAILING, "a.test.yaml")
    assert project.said("test") == snapshot(
        (
            1,
            """\
failed mv is closed
       a.test.yaml:6:9: expected deny, got none
ok     rm is closed
1 of 2 scenarios pass
""",
        )
    )


def test_results_as_json(project: Project):
    project.write(FAILING, "a.test.yaml")
    assert project.data("test") == [
        {
            "file": "a.test.yaml",
            "name": "mv is closed",
            "ok": False,
            "at": "a.test.yaml:6:9",
            "message": "expected deny, got none",
        },
        {"file": "a.test.yaml", "name": "rm is closed", "ok": True, "at": "a.test.yaml:8:5", "message": ""},
    ]
    assert project.run("test", "--json").exit_code == 1


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("{call: rm x, expect: ask}", "expected ask, got deny (No rm.)"),
        ("{call: rm x, reason: Never}", "expected the reason to contain `Never`, got deny (No rm.)"),
        ("{call: rm x, fires: [moved]}", "expected `moved` to fire; no-rm did"),
        ("{call: ls, fires: [moved]}", "expected `moved` to fire; nothing did"),
        (
            "{call: {Write: /etc/x}, change: {file_path: /etc/x}}",
            "expected `file_path` to become '/etc/x', got '/sandbox/etc/x'",
        ),
        ("{call: rm x, returns: {}}", "the call was denied, so it returns nothing: No rm."),
        ("{prompt: hi, context: Hello}", "expected the context to contain `Hello`, got None"),
        ("{call: {Write: /etc/x}, notify: Hello}", "expected the notice to contain `Hello`, got None"),
        ("{call: {Read: x}, returns: abc, context: Hello}", "expected the context to contain `Hello`, got None"),
        ("{call: {Glob: x}, returns: abc, context: Hello}", "expected the context to contain `Hello`, got 'Found.'"),
        ("{call: {Glob: x}, returns: abc, notify: Hello}", "expected the notice to contain `Hello`, got 'It looked.'"),
        ("{call: {Glob: x}, returns: abc, fires: [moved]}", "expected `moved` to fire; looked did"),
        (
            "{call: {Read: x}, returns: abc, output: abcd}",
            "expected the output 'abcd', got 'abc'",
        ),
    ],
)
def test_every_expectation_that_does_not_hold_says_what_came(project: Project, step: str, message: str):
    file = project.write(f"policy: interlock.yaml\nscenarios:\n  - name: a\n    steps: [{step}]\n", "a.test.yaml")
    assert project.said("test", file)[1].splitlines()[1] == f"       a.test.yaml:4:13: {message}"


def test_a_step_with_a_result_sees_what_was_told_with_either(project: Project):
    """A rule about the call and one about its result both speak in the same step."""
    project.policy(
        "{id: before, tool: Glob, context: Look with care., notify: It looks.}",
        "{id: after, event: PostToolUse, tool: Glob, context: Found., notify: It looked.}",
    )
    steps = [
        "{call: {Glob: x}, context: Look with care, notify: It looks, fires: [before]}",
        "{call: {Glob: x}, returns: abc, context: Look with care, notify: It looks, fires: [before, after]}",
        "{call: {Glob: x}, returns: abc, context: Found, notify: It looked, output: abc}",
        "{event: {PostToolUse: {tool_name: Glob, tool_input: {}}}, context: Found, notify: It looked}",
    ]
    listed = "".join(f"      - {step}\n" for step in steps)
    project.write(f"policy: interlock.yaml\nscenarios:\n  - name: a\n    steps:\n{listed}", "a.test.yaml")
    assert project.said("test") == (0, "ok     a\n1 of 1 scenarios pass\n")


def test_files_are_found_here_and_below(project: Project):
    project.write(PASSING, "a.test.yaml")
    project.write(PASSING.replace("interlock.yaml", "../../interlock.yaml"), "deep/er/b.test.yaml")
    project.write("nothing to see", "test.yaml")
    assert project.said("test")[1].splitlines()[-1] == "4 of 4 scenarios pass"
    assert project.said("test", "deep")[1].splitlines()[-1] == "2 of 2 scenarios pass"
    assert project.said("test", "a.test.yaml", "deep")[1].splitlines()[-1] == "4 of 4 scenarios pass"


def test_a_policy_that_is_named_is_tested_instead(project: Project):
    project.write(FAILING, "a.test.yaml")
    other = project.policy("{id: a, command: mv, deny: A.}", "{id: b, command: rm, deny: B.}", name="other.yaml")
    assert project.said("test", "--policy", other) == (
        1,
        snapshot("""\
failed mv is closed
       a.test.yaml:7:9: expected deny, got none
ok     rm is closed
1 of 2 scenarios pass
"""),
    )


def test_nothing_is_executed(project: Project):
    marker = project.root / "ran"
    project.policy(
        f'{{id: a, event: Stop, run: "touch {marker}", deny: Not yet.}}',
        top=f'hooks: [./guards.py, {{run: "touch {marker}"}}]\n',
    )
    project.write(f"open({str(marker)!r}, 'w')\n", "guards.py")
    stops = "{event: Stop, given: {run: 1}, expect: deny}, {event: Stop, given: {run: 0}, expect: none}"
    steps = f"[{{call: ls, expect: none}}, {stops}]"
    project.write(f"policy: interlock.yaml\nscenarios:\n  - name: a\n    steps: {steps}\n", "a.test.yaml")
    assert project.said("test")[0] == 0
    assert (marker.exists(), project.state.exists()) == (False, False)


def test_time_passes_as_the_scenario_says(project: Project):
    project.policy(
        "{id: mark, command: ls}",
        '{id: pause-first, command: rm, when: \'since("mark") < duration("1h")\', deny: Too soon.}',
    )
    steps = "[{call: ls}, {call: rm x, expect: deny}, {wait: 61m}, {call: rm x, expect: none}]"
    project.write(f"policy: interlock.yaml\nscenarios:\n  - name: a\n    steps: {steps}\n", "a.test.yaml")
    assert project.said("test") == (0, "ok     a\n1 of 1 scenarios pass\n")


# --- what goes wrong ---------------------------------------------------------------------------------------


def test_without_files_a_person_is_told(project: Project):
    text = "error: no *.test.yaml here\nhelp: name a file, or write one: see `interlock docs scenarios`\n"
    assert project.said("test") == (1, text)


def test_a_step_with_an_unknown_key_fails_with_a_suggestion(project: Project):
    file = "policy: interlock.yaml\nscenarios:\n  - name: a\n    steps: [{call: ls, expct: deny}]\n"
    project.write(file, "a.test.yaml")
    code, text = project.said("test")
    assert code == 1
    assert text == snapshot("""\
error: unknown key `expct` in a step
 --> a.test.yaml:4:24
  |
4 |     steps: [{call: ls, expct: deny}]
  |                        ^
help: did you mean `expect`?
""")


def test_a_scenario_with_a_misspelt_key_does_not_pass(project: Project):
    """Without its steps it would test nothing and say ok."""
    file = "policy: interlock.yaml\nscenarios:\n  - name: a\n    step: [{call: ls, expect: deny}]\n"
    project.write(file, "a.test.yaml")
    code, text = project.said("test")
    assert (code, "`step`" in text) == (1, True)


def test_a_scenario_without_steps_does_not_pass(project: Project):
    project.write("policy: interlock.yaml\nscenarios:\n  - name: a\n", "a.test.yaml")
    assert project.said("test")[0] == 1


def test_a_given_that_is_misspelt_does_not_pass(project: Project):
    scenario = "{name: a, given: {brnch: main}, steps: [{call: ls, expect: none}]}"
    project.write(f"policy: interlock.yaml\nscenarios: [{scenario}]\n", "a.test.yaml")
    code, text = project.said("test")
    assert (code, "brnch" in text) == (1, True)


def test_an_expectation_that_is_no_decision_does_not_pass(project: Project):
    project.write(
        "policy: interlock.yaml\nscenarios:\n  - name: a\n    steps: [{call: ls, expect: pass}]\n", "a.test.yaml"
    )
    assert project.said("test")[0] == 1


def test_a_policy_that_is_missing_is_the_persons_error(project: Project):
    project.write(PASSING.replace("interlock.yaml", "gone.yaml"), "a.test.yaml")
    assert project.said("test") == (1, "error: cannot read `gone.yaml`: No such file or directory\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scenarios: []\n", "error: the test file names no policy\n"),
        ("policy: interlock.yaml\n", "error: the test file has no scenarios\n"),
        ("policy: interlock.yaml\nscenarois: []\n", "error: unknown key `scenarois` in a test file\n"),
    ],
)
def test_a_test_file_that_makes_no_sense_is_the_persons_error(project: Project, text: str, message: str):
    project.write(text, "a.test.yaml")
    code, said = project.said("test")
    assert code == 1
    assert said.startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a\n",
        "policy: interlock.yaml\nscenarios: 3\n",
        "policy: interlock.yaml\nscenarios: text\n",
        "policy: interlock.yaml\nscenarios: {a: b}\n",
        "policy: interlock.yaml\nscenarios: [text]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: 3}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [text]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, given: 3, steps: [{call: ls}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, given: {run: x}, steps: [{call: ls}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{call: ls, given: 3}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{call: ls, change: 3}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{call: ls, fires: 3}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{call: {a: 1, b: 2}}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{event: Strop}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{event: 3}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{wait: 3}]}]\n",
        "policy: interlock.yaml\nscenarios: [{name: a, steps: [{}]}]\n",
    ],
)
def test_a_test_file_of_the_wrong_shape_is_no_bug_of_ours(project: Project, text: str):
    project.write(text, "a.test.yaml")
    code, said = project.said("test")
    assert (code, "a bug in Interlock" in said) == (1, False), said
