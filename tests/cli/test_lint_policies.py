"""`interlock lint` on policies: what `check` finds, in the form of the findings about hooks."""

# ruff: noqa: E501 - lines are asserted as they are printed

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.cli.lint_project import QUOTED, hook, made, said
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return made(tmp_path, monkeypatch)


def test_policies_are_checked_in_the_same_form_and_nothing_of_theirs_is_run(project: Project):
    hook(project, QUOTED)
    project.write("from pathlib import Path\nPath('ran').touch()\n", "guards.py")
    project.policy(
        "{id: a, command: rm, deny: X., cases: {catch: [ls]}}",
        "{id: b, tool: mcp__pay__*, allow: true}",
        top="hooks: [./guards.py]\n",
    )
    assert said(project, "--select", "IL201,case,lint") == snapshot(
        (
            1,
            """\
.claude/hooks/guard.sh:4:43 IL201 exit code 1 does not stop anything: the call runs
  |   *"rm -rf"*) echo "Blocked: rm -rf" >&2; exit 1 ;;
  |                                           ^^^^^^
  = exit with 2, and say why on stderr  [--fix]

interlock.yaml:4:5 lint `a` denies commands, but no rule covers commands that cannot be known before they run (`$X`, `… | sh`)
  |   - {id: a, command: rm, deny: X., cases: {catch: [ls]}}
  |     ^
  = add a rule: {id: unreadable, when: opaque, ask: "Part of this command cannot be known before it runs. Run it?"}

interlock.yaml:4:52 case `a` must catch this, but does not: no command of the call matches `rm`
  |   - {id: a, command: rm, deny: X., cases: {catch: [ls]}}
  |                                                    ^
  = correct the rule, or move the case under `pass`

interlock.yaml:5:5 lint `b` never allows anything: `mcp__pay__*` is a pattern, and an `allow` holds only for MCP tools that are named in full
  |   - {id: b, tool: mcp__pay__*, allow: true}
  |     ^
  = name each tool, such as `mcp__pay__read`, or ask about them instead

4 problems in 1 hook, 1 settings file and 1 policy file; `interlock lint --fix` corrects 1
""",
        )
    )
    assert not (project.root / "ran").exists()


def test_a_policy_that_does_not_load_is_a_finding_and_hides_no_hook(project: Project):
    hook(project, QUOTED)
    project.policy("{id: a, tool: WebFetch, deyn: x}")
    assert said(project, "--select", "IL201,policy") == snapshot(
        (
            1,
            """\
.claude/hooks/guard.sh:4:43 IL201 exit code 1 does not stop anything: the call runs
  |   *"rm -rf"*) echo "Blocked: rm -rf" >&2; exit 1 ;;
  |                                           ^^^^^^
  = exit with 2, and say why on stderr  [--fix]

interlock.yaml:3:29 policy unknown key `deyn` in rule `a`
  |   - {id: a, tool: WebFetch, deyn: x}
  |                             ^
  = did you mean `deny`?

2 problems in 1 hook, 1 settings file and 1 policy file; `interlock lint --fix` corrects 1
""",
        )
    )


def test_tests_of_a_policy_are_played_if_they_are_named(project: Project):
    project.policy("{id: a, tool: WebFetch, deny: x}")
    steps = "  - steps: [{call: {WebFetch: 'https://example.com'}, expect: allow}]\n"
    file = project.write(f"policy: interlock.yaml\nscenarios:\n{steps}", "interlock.test.yaml")
    assert said(project, file) == snapshot(
        (
            1,
            """\
interlock.test.yaml:3:13 scenario line 3: expected allow, got deny (x)
  |   - steps: [{call: {WebFetch: 'https://example.com'}, expect: allow}]
  |             ^

1 problem in 1 policy file
""",
        )
    )
    assert said(project) == (0, "no problems found in 1 policy file\n")


def test_a_comment_in_a_policy_says_that_something_is_meant(project: Project):
    rules = "version: 1\nrules:\n- {id: a, tool: WebFetch, deny: x}\n"
    second = "- {id: b, tool: WebFetch, ask: x}\n"
    project.write(rules + second)
    assert said(project)[0] == 1
    project.write(f"{rules}# interlock: ignore[lint] an example\n{second}")
    assert said(project) == (0, "no problems found in 1 policy file\n")
