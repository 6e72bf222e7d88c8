"""`interlock check FILE…`: what would go wrong at run time, test files, and the forms that other programs read."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from inline_snapshot import snapshot
from msgspec import json

from tests.lint.project import Project

OPAQUE = "{id: unreadable, when: opaque, ask: Run it?}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def problems(project: Project, *arguments: str | Path) -> list[str]:
    """What is found in a file that loads: severity, place, message and help."""
    found = project.data("check", *arguments)["findings"]
    return [project.short(f"{one['severity']} {one['at']} {one['message']}; {one.get('help', '')}") for one in found]


# --- hooks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            None,
            snapshot(
                [
                    "error interlock.yaml:2:9 the hooks file `./guards.py` cannot be read: No such file or "
                    "directory; create it, or correct the path, which starts at the policy's folder"
                ]
            ),
        ),
        (
            "def f(:\n",
            snapshot(
                [
                    "error interlock.yaml:2:9 the hooks file `./guards.py` is not Python: invalid syntax "
                    "[guards.py:1:7]; correct guards.py:1:7"
                ]
            ),
        ),
        (
            "from interlock import hook\n\n@hook('PreToolUse')\ndef f(cal): pass\n",
            snapshot(
                [
                    "error interlock.yaml:2:9 the hooks cannot be loaded: hook `f` wants `cal`; "
                    "it may want call, event, state, host [guards.py:3]; did you mean `call`?"
                ]
            ),
        ),
        (
            "import no_such_module\n",
            snapshot(
                [
                    "error interlock.yaml:2:9 the hooks cannot be loaded: loading failed: ModuleNotFoundError: No "
                    "module named 'no_such_module' [guards.py:1]; correct guards.py:1"
                ]
            ),
        ),
        (
            "x = 1\n",
            snapshot(
                [
                    "error interlock.yaml:2:9 the hooks cannot be loaded: `guards.py` registers no hook; "
                    'decorate a function with @hook("PreToolUse")'
                ]
            ),
        ),
    ],
    ids=["missing", "no Python", "wrong signature", "does not import", "no hook"],
)
def test_a_hook_file_that_would_deny_every_call_is_an_error(project: Project, text: str | None, told: list[str]):
    file = project.policy("{id: a, tool: Bash, ask: X?}", top="hooks: [./guards.py]\n")
    if text is not None:
        project.write(text, "guards.py")
    assert problems(project, file) == told
    assert project.run("check", file).exit_code == 1


def test_a_hook_file_that_loads_is_left_alone(project: Project):
    file = project.policy("{id: a, tool: Bash, ask: X?}", top="hooks: [./guards.py]\n")
    project.write("from interlock import hook\n\n@hook('PreToolUse')\ndef f(call): pass\n", "guards.py")
    assert (problems(project, file), project.run("check", file).exit_code) == ([], 0)


def test_two_hook_files_with_a_hook_of_the_same_name_are_an_error(project: Project):
    file = project.policy("{id: a, tool: Bash, ask: X?}", top="hooks: [./one.py, ./two.py]\n")
    for name in ("one.py", "two.py"):
        project.write("from interlock import hook\n\n@hook('PreToolUse')\ndef f(call): pass\n", name)
    assert problems(project, file) == snapshot(
        [
            "error interlock.yaml:2:9 the hooks cannot be loaded: two hooks are named `f`; "
            "the other is at one.py:3 [two.py:3]; rename one, or give it a name: @hook(..., name='other')"
        ]
    )


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (
            "./gone.sh",
            snapshot(
                [
                    "error interlock.yaml:2:9 `./gone.sh` runs `./gone.sh`, which does not exist; "
                    "create it, or correct the path, which starts at the policy's folder"
                ]
            ),
        ),
        (
            "./plain.sh -x",
            snapshot(
                [
                    "error interlock.yaml:2:9 `./plain.sh -x` runs `./plain.sh`, which is not executable; "
                    "run `chmod +x ./plain.sh`"
                ]
            ),
        ),
        (
            "no-such-program --x",
            snapshot(
                [
                    "warning interlock.yaml:2:9 `no-such-program --x` runs `no-such-program`, which is not on the "
                    "PATH here; install it, or correct its name"
                ]
            ),
        ),
        ("./good.sh", []),
        ("python3 -V", []),
        ("cd src && make", []),
        ("A=b $PROGRAM", []),
    ],
)
def test_a_program_that_cannot_be_run_is_found_and_nothing_is_run(project: Project, run: str, told: list[str]):
    project.write("touch ran", "plain.sh")
    project.write("#!/bin/sh\ntouch ran", "good.sh").chmod(0o755)
    file = project.policy("{id: a, tool: Bash, ask: X?}", top=f"hooks: [{{run: {run}}}]\n")
    assert problems(project, file) == told
    assert not (project.root / "ran").exists()


def test_a_check_of_a_rule_is_looked_for_too(project: Project):
    file = project.policy("{id: a, event: Stop, run: [./gone.sh, x], deny: X.}")
    assert problems(project, file) == snapshot(
        [
            "error interlock.yaml:3:5 `a` runs `./gone.sh`, which does not exist; "
            "create it, or correct the path, which starts at the policy's folder"
        ]
    )


# --- allows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (
            "{id: a, tool: mcp__pay__*, allow: true}",
            snapshot(
                [
                    "error interlock.yaml:3:5 `a` never allows anything: `mcp__pay__*` is a pattern, and an `allow` "
                    "holds only for MCP tools that are named in full; "
                    "name each tool, such as `mcp__pay__read`, or ask about them instead"
                ]
            ),
        ),
        (
            "{id: a, tool: '/^mcp__pay__.*$/', allow: true}",
            snapshot(
                [
                    "error interlock.yaml:3:5 `a` never allows anything: `/^mcp__pay__.*$/` is a pattern, and an "
                    "`allow` holds only for MCP tools that are named in full; "
                    "name each tool, such as `mcp__pay__read`, or ask about them instead"
                ]
            ),
        ),
        ("{id: a, tool: [mcp__pay__*, mcp__pay__read], allow: true}", []),
        ("{id: a, tool: mcp__pay__*, ask: X?}", []),
        ("{id: a, tool: '*', allow: true}", []),
        ("{id: a, tool: Re*, allow: true}", []),
    ],
)
def test_an_allow_that_can_never_apply_is_an_error(project: Project, rule: str, told: list[str]):
    assert problems(project, project.policy(rule)) == told


# --- files -------------------------------------------------------------------------------------------------


def test_a_broken_file_hides_nothing_of_the_others(project: Project):
    project.write("version: 1\nruels: []\n", "one.yaml")
    project.policy("{id: a, command: rm, deny: X., cases: {catch: [ls]}}", OPAQUE, name="two.yaml")
    project.write("policy: two.yaml\nscenarios: [{steps: [{cal: rm}]}]\n", "three.test.yaml")
    code, text = project.said("check", "one.yaml", "two.yaml", "three.test.yaml")
    assert code == 1
    assert text == snapshot("""\
error: unknown key `ruels` in the policy
 --> one.yaml:2:1
  |
2 | ruels: []
  | ^
help: did you mean `rules`?

error: unknown key `cal` in a step
 --> three.test.yaml:2:23
  |
2 | scenarios: [{steps: [{cal: rm}]}]
  |                       ^
help: did you mean `call`?

case: `a` must catch this, but does not: no command of the call matches `rm`
 --> two.yaml:3:52
  |
3 |   - {id: a, command: rm, deny: X., cases: {catch: [ls]}}
  |                                                    ^
help: correct the rule, or move the case under `pass`

3 errors
""")


def test_policies_and_test_files_that_are_right_are_counted(project: Project):
    project.policy("{id: a, command: rm, deny: X., cases: {catch: [rm x]}}", OPAQUE, name="two.yaml")
    project.write("policy: two.yaml\nscenarios: [{steps: [{call: rm x, expect: deny}]}]\n", "two.test.yaml")
    code, text = project.said("check", "two.yaml", "two.test.yaml")
    assert (code, text.splitlines()[-1].partition(", ")[2]) == (0, "1 of 1 scenarios pass")


def test_every_mistake_of_a_test_file_is_shown_at_its_step(project: Project):
    project.policy("{id: a, command: rm, deny: X.}", OPAQUE)
    project.write(
        """\
        policy: interlock.yaml
        scenarios:
          - name: one
            given: {brnch: main}
            steps:
              - cal: rm x
                expect: deny
              - {call: {Bsh: ls}, expct: none}
              - {wait: soon}
              - {event: Strop}
          - name: two
            stps: []
          - name: three
            steps:
              - {call: rm x, expect: block, fires: a}
              - {}
        """,
        "a.test.yaml",
    )
    assert project.said("test") == snapshot(
        (
            1,
            """\
error: `given` has no `brnch`
 --> a.test.yaml:4:13
  |
4 |     given: {brnch: main}
  |             ^
help: did you mean `branch`?

error: unknown key `cal` in a step
 --> a.test.yaml:6:9
  |
6 |       - cal: rm x
  |         ^
help: did you mean `call`?

error: there is no tool called `Bsh`
 --> a.test.yaml:8:16
  |
8 |       - {call: {Bsh: ls}, expct: none}
  |                ^
help: did you mean `Bash`? A tool of your own goes under `tools`: `Bsh: {}`.

error: unknown key `expct` in a step
 --> a.test.yaml:8:27
  |
8 |       - {call: {Bsh: ls}, expct: none}
  |                           ^
help: did you mean `expect`?

error: `soon` is not a duration
 --> a.test.yaml:9:16
  |
9 |       - {wait: soon}
  |                ^
help: write `wait: 61m`

error: unknown event `Strop`
 --> a.test.yaml:10:17
   |
10 |       - {event: Strop}
   |                 ^
help: did you mean `Stop`?

error: unknown key `stps` in a scenario
 --> a.test.yaml:12:5
   |
12 |     stps: []
   |     ^
help: did you mean `steps`?

error: a verdict is never `block`
 --> a.test.yaml:15:30
   |
15 |       - {call: rm x, expect: block, fires: a}
   |                              ^
help: use one of deny, ask, allow, defer, none

error: `fires` of a step has the wrong type
 --> a.test.yaml:15:44
   |
15 |       - {call: rm x, expect: block, fires: a}
   |                                            ^
help: write `fires: [no-rm]`

error: a step has no `call`, `prompt`, `event` or `wait`
 --> a.test.yaml:16:9
   |
16 |       - {}
   |         ^
help: write `{call: ls, expect: none}`

10 errors
""",
        )
    )


# --- forms -------------------------------------------------------------------------------------------------


def test_problems_as_workflow_commands_of_github(project: Project):
    project.policy(
        "{id: a, tool: mcp__pay__*, allow: true}", "{id: b, command: rm, deny: X., cases: {catch: ['100%']}}"
    )
    code, text = project.said("check", "--format", "github", "interlock.yaml")
    assert (code, text.splitlines()) == snapshot(
        (
            1,
            [
                "::error file=interlock.yaml,line=4,col=52,title=interlock check::`b` must catch this, but does not: "
                "no command of the call matches `rm`%0Ahelp: correct the rule, or move the case under `pass`",
                "::error file=interlock.yaml,line=3,col=5,title=interlock check::`a` never allows anything: "
                "`mcp__pay__*` is a pattern, and an `allow` holds only for MCP tools that are named in full%0Ahelp: "
                "name each tool, such as `mcp__pay__read`, or ask about them instead",
                "::warning file=interlock.yaml,line=4,col=5,title=interlock check::`b` denies commands, but no rule "
                "covers commands that cannot be known before they run (`$X`, `… | sh`)%0Ahelp: add a rule: {id: "
                'unreadable, when: opaque, ask: "Part of this command cannot be known before it runs. Run it?"}',
            ],
        )
    )


def test_errors_of_a_file_as_workflow_commands(project: Project):
    project.write("version: 1\nruels: []\n")
    assert project.said("check", "--format", "github") == snapshot(
        (
            1,
            "::error file=interlock.yaml,line=2,col=1,title=interlock check::unknown key `ruels` in the "
            "policy%0Ahelp: did you mean `rules`?\n",
        )
    )


def test_nothing_wrong_is_nothing_to_say_for_github(project: Project):
    project.policy("{id: a, tool: Read, deny: X.}")
    assert project.said("check", "--format", "github") == (0, "\n")


def test_problems_as_sarif(project: Project):
    project.write("version: 1\nruels: []\n")
    code, text = project.said("check", "--format", "sarif")
    data = json.decode(text)
    assert (code, data["version"], len(data["runs"])) == (1, "2.1.0", 1)
    driver = data["runs"][0]["tool"]["driver"]
    (result,) = data["runs"][0]["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "policy"
    assert result == snapshot(
        {
            "ruleId": "policy",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": """\
unknown key `ruels` in the policy
help: did you mean `rules`?\
"""
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "interlock.yaml"},
                        "region": {"startLine": 2, "startColumn": 1},
                    }
                }
            ],
        }
    )


# The part of the SARIF 2.1.0 schema that says what a run with results must look like.
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "run": {
            "type": "object",
            "required": ["tool", "results"],
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "properties": {"driver": {"type": "object", "required": ["name"]}},
                },
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": -1},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
                "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
            },
        },
        "location": {
            "type": "object",
            "required": ["physicalLocation"],
            "properties": {
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation", "region"],
                    "properties": {
                        "artifactLocation": {
                            "type": "object",
                            "properties": {"uri": {"type": "string", "pattern": "^[^ ]+$"}},
                        },
                        "region": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "startLine": {"type": "integer", "minimum": 1},
                                "startColumn": {"type": "integer", "minimum": 1},
                            },
                        },
                    },
                }
            },
        },
    },
}


def test_sarif_has_the_form_that_its_schema_demands(project: Project):
    project.policy("{id: a, tool: mcp__pay__*, allow: true}", "{id: b, command: rm, deny: X., cases: {catch: [ls]}}")
    found = json.decode(project.run("check", "interlock.yaml", "gone.yaml", "--format", "sarif").stdout)
    jsonschema.validate(found, SARIF)
    assert [one["ruleId"] for one in found["runs"][0]["results"]] == ["policy", "case", "lint", "lint"]
