"""`interlock import`: it shows, asks before it writes, adds only what is new, and says what is missing."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from inline_snapshot import snapshot
from msgspec import json

from tests.lint.project import Project

SETTINGS = '{"permissions": {"deny": ["Bash(rm:*)"], "allow": ["Foo(x)"]}}'
RM = """\
  - id: permissions-deny-commands
    command: rm
    deny: "The permissions of this project deny this. Do it another way, or ask the user to do it."
    cases:
      catch: [rm]
      pass: [interlock --version, "true"]
"""
POLICY = f"""\
# Imported from .claude/settings.json.
# Not carried:
# - .claude/settings.json:1: Foo(x): no rule knows what `Foo(…)` means; write one with `tool: Foo` and `when`
version: 1
rules:
{RM}"""
REPORT = """\
1 rule, 1 not carried
  not carried .claude/settings.json:1: Foo(x): no rule knows what `Foo(…)` means; write one with `tool: Foo` and `when`
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.write(SETTINGS, ".claude/settings.json")
    return made


def policy(project: Project) -> str:
    return (project.root / "interlock.yaml").read_text("utf-8")


def test_the_policy_goes_to_stdout_and_the_report_to_stderr(project: Project):
    result = project.run("import")
    assert (result.exit_code, result.stdout, result.stderr) == (0, POLICY, REPORT)
    assert not (project.root / "interlock.yaml").exists()


def test_it_asks_before_it_writes(project: Project):
    result = project.run("import", "--out", "interlock.yaml", stdin="n\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Write interlock.yaml with 1 rules? [y/N]: n" in result.stderr
    assert "error: nothing was written\nhelp: give --yes to write without a question" in result.stderr
    assert not (project.root / "interlock.yaml").exists()
    assert project.run("import", "--out", "interlock.yaml", stdin="y\n").exit_code == 0
    assert policy(project) == POLICY


def test_a_dry_run_shows_and_writes_nothing(project: Project):
    result = project.run("import", "--out", "interlock.yaml", "--dry-run", "--yes")
    assert (result.exit_code, result.stdout, result.stderr) == (0, POLICY, REPORT)
    assert not (project.root / "interlock.yaml").exists()


def test_what_it_writes_passes_check_and_importing_again_changes_nothing(project: Project):
    assert project.run("import", "--out", "interlock.yaml", "--yes").exit_code == 0
    assert project.run("check").exit_code == 0
    again = project.run("import", "--out", "interlock.yaml", "--yes")
    assert (again.exit_code, again.stdout) == (0, "")
    assert again.stderr == (
        "1 rule, 1 not carried\n"
        "  kept as it is: `permissions-deny-commands`, which the policy has already\n"
        + REPORT.splitlines(keepends=True)[1]
        + "interlock.yaml has all of them already; nothing was written\n"
    )
    assert policy(project) == POLICY


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("version: 1\nrules:\n  - {id: a, command: b, deny: c}\n", RM),
        ("version: 1\nrules:\n- id: a\n  command: b\n  deny: c  # why\n", RM.replace("\n  ", "\n")[2:]),
        ("version: 1\nrules:\n    - id: a\n      command: b\n      deny: c", "  " + RM.replace("\n ", "\n   ")),
        ("version: 1\npacks: [git]\n", "rules:\n\n" + RM),
    ],
)
def test_new_rules_are_added_behind_those_of_a_policy(project: Project, before: str, after: str):
    project.write(before)
    assert project.run("import", "--out", "interlock.yaml", "--yes").exit_code == 0
    start = before if before.endswith("\n") else before + "\n"
    separator = "" if after.startswith("rules:") else "\n"
    assert policy(project) == start + separator + after
    assert project.run("check").exit_code == 0


@pytest.mark.parametrize(
    "before",
    ["version: 1\nrules: [{id: a, command: b, deny: c}]\n", "rules:\n  - {id: a, command: b, deny: c}\nversion: 1\n",
     "version: 1\nrules: []\n"],
)  # fmt: skip
def test_a_policy_that_nothing_can_be_added_to_is_left_as_it_is(project: Project, before: str):
    project.write(before)
    result = project.run("import", "--out", "interlock.yaml", "--yes")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nothing can be added behind the rules of `interlock.yaml`" in result.stderr
    assert "make `rules` its last key, with each rule on lines of its own" in result.stderr
    assert policy(project) == before


def test_a_policy_that_is_broken_is_left_as_it_is(project: Project):
    project.write("version: 1\nruels: []\n")
    result = project.run("import", "--out", "interlock.yaml", "--yes")
    assert result.exit_code == 1
    assert "unknown key `ruels`" in result.stderr
    assert policy(project) == "version: 1\nruels: []\n"


def test_everything_as_json(project: Project):
    assert json.decode(project.run("import", "--json").stdout) == snapshot(
        {
            "policy": """\
# Imported from .claude/settings.json.
# Not carried:
# - .claude/settings.json:1: Foo(x): no rule knows what `Foo(…)` means; write one with `tool: Foo` and `when`
version: 1
rules:
  - id: permissions-deny-commands
    command: rm
    deny: "The permissions of this project deny this. Do it another way, or ask the user to do it."
    cases:
      catch: [rm]
      pass: [interlock --version, "true"]
""",
            "rules": [{"id": "permissions-deny-commands", "from": ".claude/settings.json:1:27", "what": "Bash(rm:*)"}],
            "kept": [],
            "not_carried": [
                {
                    "file": ".claude/settings.json",
                    "line": 1,
                    "what": "Foo(x)",
                    "why": "no rule knows what `Foo(…)` means; write one with `tool: Foo` and `when`",
                }
            ],
            "remarks": [],
        }
    )


def test_all_files_of_a_folder_are_found(project: Project):
    project.write("stop: {commands: [{run: make}]}\n", ".conclaude.yaml")
    text = "---\nname: h\nenabled: true\nevent: bash\npattern: x\naction: block\n---\nNo.\n"
    project.write(text, ".claude/hookify.h.local.md")
    found = json.decode(project.run("import", "--json").stdout)
    assert [rule["id"] for rule in found["rules"]] == ["stop-make", "root-additions", "permissions-deny-commands", "h"]
    one = json.decode(project.run("import", ".claude", "--from", "hookify", "--json").stdout)
    assert [rule["id"] for rule in one["rules"]] == ["h"]


def test_a_persons_own_settings_are_known_by_their_place(project: Project):
    own = project.home / ".claude" / "settings.json"
    own.parent.mkdir()
    own.write_text('{"permissions": {"deny": ["Read(/a)", "Read(//b)"]}}', "utf-8")
    found = json.decode(project.run("import", own, "--json").stdout)
    assert [one["what"] for one in found["not_carried"]] == ["Read(/a)"]


def test_settings_without_permissions_are_passed_over_in_a_folder(project: Project):
    project.write("{}", ".claude/settings.json")
    project.write("stop: {commands: [{run: make}]}\n", ".conclaude.yaml")
    assert project.run("import").exit_code == 0


@pytest.mark.parametrize(
    ("files", "arguments", "complaint"),
    [
        ({}, ["nothing.yaml"], "error: cannot read `nothing.yaml`: No such file or directory\nhelp: correct the path"),
        (
            {"a.txt": ""},
            ["a.txt"],
            "error: it is not clear what `a.txt` is\nhelp: say which with --from conclaude|claude-permissions|hookify",
        ),
        (
            {"sub/a": ""},
            ["sub"],
            "error: there is nothing to import in `sub`\n"
            "help: it looks for .conclaude.yaml, .claude/settings.json with `permissions`, .claude/hookify.*.local.md",
        ),
        (
            {"big.json": "x" * 1_048_577},
            ["big.json"],
            "error: `big.json` has more than 1 MiB\nhelp: is it the right file?",
        ),
        (
            {"s.json": '{"permissions": {"deny": "Bash"}}'},
            ["s.json"],
            'error: `permissions.deny` is not a list\n --> s.json:1:26\nhelp: write ["Bash(npm test)"]',
        ),
    ],
)
def test_what_is_wrong_with_the_input_is_said(
    project: Project, files: dict[str, str], arguments: list[str], complaint: str
):
    for name, text in files.items():
        project.write(text, name)
    result = project.run("import", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (1, "", dedent(complaint))
