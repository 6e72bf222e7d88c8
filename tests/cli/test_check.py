"""`interlock check`: whether a policy is right before it matters."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from msgspec import json

from interlock.cli.common import rules_in
from interlock.config import places as config
from interlock.config.bundles import core_policy
from interlock.config.layers import PolicyLayer
from interlock.hosts.claude_code.entries import shared_entry
from tests.lint.project import Project

CORE = config.PACKAGE / "packs" / "core.yaml"
OPAQUE = "{id: unreadable, when: opaque, ask: Run it?}"  # a policy that denies commands is warned if it has none
LAYER = PolicyLayer("core", core_policy(), trusted=True)
RULES = rules_in(LAYER, [LAYER])
CASES = sum(len(rule.cases) for rule, _ in core_policy().rules)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def said(project: Project, *arguments: str | Path) -> tuple[int, str]:
    code, text = project.said("check", *arguments)
    return code, text.replace(str(CORE), "core.yaml")


def test_a_good_policy_is_shown_with_its_layer_and_its_cases(project: Project):
    project.policy("{id: no-rm, command: rm, deny: No rm., cases: {catch: [rm x], pass: [ls]}}", OPAQUE)
    project.trust()
    held = f"{CASES + 2} of {CASES + 2} cases pass"
    assert said(project) == (0, f"project  interlock.yaml  2 rules\ncore     core.yaml  {RULES} rules\n{held}\n")


def test_a_good_policy_as_json(project: Project):
    project.policy("{id: no-rm, command: rm, deny: No rm., cases: {catch: [rm x], pass: [ls]}}", OPAQUE)
    project.trust()
    assert project.data("check") == {
        "ok": True,
        "layers": [
            {"layer": "project", "file": str(project.root / "interlock.yaml"), "trusted": True, "rules": 2},
            {"layer": "core", "file": str(CORE), "trusted": True, "rules": RULES},
        ],
        "cases": CASES + 2,
        "failed": [],
        "findings": [],
    }


def test_an_untrusted_policy_is_said_to_be(project: Project):
    project.policy("{id: no-rm, command: rm, deny: No rm.}")
    code, text = said(project)
    assert code == 0
    first = "project  interlock.yaml  1 rules  not trusted: only its deny and ask apply (interlock trust)"
    assert text.splitlines()[0] == first
    assert project.data("check")["layers"][0]["trusted"] is False


def test_without_a_policy_the_built_in_rules_are_checked(project: Project):
    assert said(project) == (0, f"core     core.yaml  {RULES} rules\n{CASES} of {CASES} cases pass\n")


def test_every_error_of_a_broken_policy_is_shown_with_its_line_and_its_cure(project: Project):
    project.write(
        """
        version: 1
        rules:
          - id: no-rm
            comand: rm
            deny: No rm.
          - id: no-mv
            tool: Bash
            when: input.comand == "mv"
            deny: No mv.
          - id: no-cp
            event: PreTooluse
            deny: No cp.
        """
    )
    assert said(project) == snapshot(
        (
            1,
            """\
error: unknown key `comand` in rule `no-rm`
 --> interlock.yaml:5:5
  |
5 |     comand: rm
  |     ^
help: did you mean `command`?

error: Bash has no `comand`, so the condition would fail on it
 --> interlock.yaml:9:11
  |
9 |     when: input.comand == "mv"
  |           ^
help: did you mean `command`?

error: unknown event `PreTooluse`
 --> interlock.yaml:12:12
   |
12 |     event: PreTooluse
   |            ^
help: did you mean `PreToolUse`?

3 errors
""",
        )
    )


def test_errors_go_to_stderr_and_nothing_to_stdout(project: Project):
    project.write("version: 2\n")
    result = project.run("check")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: there is no version 2 of the policy language")


def test_every_error_of_a_broken_policy_as_json(project: Project):
    file = project.write("version: 1\nruels: []\nbrief: maybe\n")
    result = project.run("check", "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    found = project.data("check")
    assert found["ok"] is False
    assert found["errors"][0] == {
        "message": "unknown key `ruels` in the policy",
        "file": str(file),
        "line": 2,
        "column": 1,
        "help": "did you mean `rules`?",
    }
    assert [error["line"] for error in found["errors"]] == [2, 3]


def test_a_case_that_does_not_hold_is_named_with_its_place(project: Project):
    project.write(
        """\
        version: 1
        rules:
          - id: no-rm
            command: rm
            deny: No rm.
            cases:
              catch: [ls]
              pass:
                - rm x
          - {id: unreadable, when: opaque, ask: Run it?}
        """
    )
    code, text = said(project)
    assert code == 1
    assert text.splitlines()[2:-1] == snapshot(
        [
            "",
            "case: `no-rm` must catch this, but does not: no command of the call matches `rm`",
            " --> interlock.yaml:7:15",
            "  |",
            "7 |       catch: [ls]",
            "  |               ^",
            "help: correct the rule, or move the case under `pass`",
            "",
            "case: `no-rm` must pass this, but does not: it said deny about `rm x` (No rm.)",
            " --> interlock.yaml:9:11",
            "  |",
            "9 |         - rm x",
            "  |           ^",
            "help: correct the rule or its `unless`, or move the case under `catch`",
            "",
        ]
    )
    assert text.splitlines()[-1] == f"{CASES} of {CASES + 2} cases pass"
    failed = project.data("check")["failed"]
    assert [(one["rule"], one["message"]) for one in failed] == snapshot(
        [
            ("no-rm", "`no-rm` must catch this, but does not: no command of the call matches `rm`"),
            ("no-rm", "`no-rm` must pass this, but does not: it said deny about `rm x` (No rm.)"),
        ]
    )
    assert failed[0]["at"] == f"{project.root}/interlock.yaml:7:15"


def test_a_case_of_a_rule_that_fails_says_why(project: Project):
    project.policy("{id: a, tool: pay, when: input.amount > 5, deny: X., cases: {catch: [{pay: {amount: many}}]}}")
    code, text = said(project)
    assert code == 1
    assert "case: rule `a`" in text
    assert " --> interlock.yaml:3:" in text


@pytest.mark.parametrize(
    "case",
    [
        "{Bash: ls, given: 3}",
        "{Bash: ls, given: {run: many}}",
        "{Bash: ls, given: {files: 3}}",
        "{Bash: ls, given: {state: 3}}",
        "{Bash: ls, given: {past: [a]}}",
        "{Bash: ls, given: {now: soon}}",
        "{Bash: ls, given: {wind: 3}}",
        "[ls]",
        "3",
        "null",
        "{a: 1, b: 2}",
    ],
)
def test_a_case_that_makes_no_sense_is_the_persons_error(project: Project, case: str):
    project.policy(f"{{id: a, tool: Bash, deny: X., cases: {{catch: [{case}]}}}}")
    code, text = said(project)
    assert (code, "a bug in Interlock" in text) == (1, False), text
    assert "interlock.yaml:3:" in text


def test_a_policy_that_is_named_is_checked_instead(project: Project):
    project.write("version: 1\nrulez: []\n")
    other = project.policy("{id: no-rm, command: rm, deny: No rm.}", name="team.yaml")
    code, text = said(project, "--policy", other)
    assert (code, text.splitlines()[0]) == (0, "given    team.yaml  1 rules")


def test_a_policy_that_is_not_there_is_the_persons_error(project: Project):
    assert said(project, "--policy", "gone.yaml") == (1, "error: cannot read `gone.yaml`: No such file or directory\n")


def test_a_policy_that_is_not_there_is_told_in_json_too(project: Project):
    found = project.data("check", "--policy", "gone.yaml")
    assert found["ok"] is False
    assert found["errors"][0]["message"] == "cannot read `gone.yaml`: No such file or directory"


# --- warnings ----------------------------------------------------------------------------------------------

ODD = (
    "{id: hidden, tool: Bash, command: ls, allow: true}",
    "{id: all, tool: Bash, deny: X.}",
    "{id: request, event: PermissionRequest, tool: Write, deny: X.}",
    "{id: advice, tool: WebFetch, deny: Use `curl x` instead.}",
    OPAQUE,
)


def test_rules_that_do_nothing_are_warned_of_with_their_place(project: Project):
    project.policy(*ODD)
    code, text = said(project)
    assert code == 0
    assert text.splitlines()[2:-1] == snapshot(
        [
            "",
            "warning: `hidden` never decides: `all` catches the same calls and says deny",
            " --> interlock.yaml:3:5",
            "  |",
            "3 |   - {id: hidden, tool: Bash, command: ls, allow: true}",
            "  |     ^",
            "",
            "warning: `request` denies a permission request, which has no effect if the person or another hook "
            "answers first; deny on PreToolUse",
            " --> interlock.yaml:5:5",
            "  |",
            "5 |   - {id: request, event: PermissionRequest, tool: Write, deny: X.}",
            "  |     ^",
            "",
            "warning: `advice` advises `curl x`, which `all` denies",
            " --> interlock.yaml:6:5",
            "  |",
            "6 |   - {id: advice, tool: WebFetch, deny: Use `curl x` instead.}",
            "  |     ^",
            "",
        ]
    )


def test_a_rule_that_can_never_fire_is_an_error(project: Project):
    project.policy("{id: dead, tool: Read, command: rm, deny: X.}", OPAQUE)
    assert said(project)[0] == 1
    assert project.data("check")["ok"] is False


def test_warnings_as_json(project: Project):
    project.policy(*ODD)
    found = project.data("check")
    assert found["ok"] is True
    assert [one["rule"] for one in found["findings"]] == ["hidden", "request", "advice"]
    assert found["findings"][0] == {
        "rule": "hidden",
        "at": f"{project.root}/interlock.yaml:3:5",
        "message": "`hidden` never decides: `all` catches the same calls and says deny",
        "severity": "warning",
    }


def test_strict_takes_warnings_for_errors(project: Project):
    project.policy(*ODD)
    assert (said(project)[0], said(project, "--strict")[0]) == (0, 1)
    assert project.data("check", "--strict")["ok"] is False
    project.policy("{id: no-rm, command: rm, deny: No rm.}")
    assert said(project, "--strict")[0] == 1
    project.policy("{id: no-rm, command: rm, deny: No rm.}", OPAQUE)
    assert said(project, "--strict")[0] == 0


def test_a_warning_may_come_with_the_rule_to_add(project: Project):
    project.policy("{id: no-rm, command: rm, deny: No rm.}")
    message = (
        "`no-rm` denies commands, but no rule covers commands that cannot be known before they run (`$X`, `… | sh`)"
    )
    ask = "Part of this command cannot be known before it runs. Run it?"
    help = f'add a rule: {{id: unreadable, when: opaque, ask: "{ask}"}}'
    assert said(project)[1].splitlines()[2:] == [
        "",
        f"warning: {message}",
        " --> interlock.yaml:3:5",
        "  |",
        "3 |   - {id: no-rm, command: rm, deny: No rm.}",
        "  |     ^",
        f"help: {help}",
        "",
        f"{CASES} of {CASES} cases pass, 1 warning",
    ]
    at = f"{project.root}/interlock.yaml:3:5"
    assert project.data("check")["findings"] == [
        {"rule": "no-rm", "at": at, "message": message, "severity": "warning", "help": help}
    ]


# --- what it leaves alone ------------------------------------------------------------------------------------


def test_no_check_or_program_is_executed_and_nothing_kept(project: Project):
    marker = project.root / "ran"
    project.policy(
        f'{{id: a, event: Stop, run: "touch {marker}", deny: X., cases: {{catch: [{{given: {{run: 1}}}}]}}}}',
        top=f'hooks: [{{run: "touch {marker}"}}]\n',
    )
    project.trust()
    before = sorted(project.home.rglob("*"))
    assert said(project)[0] == 0
    assert (marker.exists(), sorted(project.home.rglob("*"))) == (False, before)


def test_hook_files_of_a_policy_that_nobody_trusts_are_not_executed(project: Project):
    marker = project.root / "ran"
    project.policy("{id: a, tool: Bash, ask: X?}", top="hooks: [./guards.py]\n")
    project.write(f"open({str(marker)!r}, 'w')\n", "guards.py")
    assert (said(project)[0], marker.exists()) == (0, False)
    project.write("def (:\n", "guards.py")
    assert said(project)[0] == 1


def test_no_colours_where_nobody_looks(project: Project):
    project.policy(*ODD)
    assert "\x1b" not in project.run("check").output


def test_a_check_that_takes_longer_than_an_older_entry_waits_is_reported(project: Project):
    project.policy("{id: suite, event: [Stop, SubagentStop], run: make test, timeout: 20m, deny: Fix the tests.}")
    project.trust()
    assert "warning" not in said(project)[1]  # nothing is installed
    project.write(
        json.encode({"hooks": {"Stop": [{"hooks": [shared_entry("Stop")]}]}}).decode(), ".claude/settings.json"
    )
    assert "warning" not in said(project)[1]  # it waits longer
    older = {**shared_entry("Stop"), "timeout": 600}
    project.write(json.encode({"hooks": {"Stop": [{"hooks": [older]}]}}).decode(), ".claude/settings.json")
    assert said(project)[1].splitlines()[3:-1] == snapshot(
        [
            "warning: `suite` may take 1200s on Stop, but the entry in .claude/settings.json tells the host to wait "
            "600s and then to go on without it",
            " --> interlock.yaml:3:5",
            "  |",
            "3 |   - {id: suite, event: [Stop, SubagentStop], run: make test, timeout: 20m, deny: Fix the tests.}",
            "  |     ^",
            "help: run `interlock init` again to update the entries",
            "",
        ]
    )
