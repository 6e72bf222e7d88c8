"""`interlock rule`: a rule in one line, shown before it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from interlock.replay.sources import own_folder
from tests.cli.test_trust import at_terminal
from tests.lint.project import Project
from tests.replay.test_summary import fill

OLD = "version: 1\n# ours\nrules:\n  - {id: no-rm, command: rm, deny: No rm.}  # never\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_the_rule_its_place_and_what_it_would_have_caught_are_shown(project: Project):
    project.write(OLD)
    project.trust()
    fill(own_folder(project.root), "s1", "terraform destroy", "ls", "terraform -chdir=x destroy")
    assert project.said("rule", "deny", "terraform destroy", "--yes") == snapshot(
        (
            0,
            """\
  - id: deny-terraform-destroy
    command: terraform destroy
    deny: "A person has ruled out `${match.command.text}` here. Do it another way, or ask the user."

interlock.yaml:5
It would have caught 2 of your last 3 calls:
  terraform destroy
  terraform -chdir=x destroy
wrote interlock.yaml
undo it with: interlock rule remove deny-terraform-destroy
""",
        )
    )
    assert (project.root / "interlock.yaml").read_text().startswith(OLD + "  - id: deny-terraform-destroy\n")
    assert project.data("check")["layers"][0]["trusted"]


def test_removing_it_leaves_the_file_as_it_was(project: Project):
    project.write(OLD)
    project.trust()
    assert project.run("rule", "allow", "npm install *", "--yes").exit_code == 0
    assert project.run("rule", "remove", "allow-npm-install", "--yes").exit_code == 0
    assert (project.root / "interlock.yaml").read_text() == OLD
    assert project.data("check")["layers"][0]["trusted"]


def test_a_dry_run_writes_nothing(project: Project):
    project.write(OLD)
    assert project.run("rule", "deny", "x", "--dry-run").exit_code == 0
    assert (project.root / "interlock.yaml").read_text() == OLD


def test_nobody_to_ask_means_nothing_is_written(project: Project):
    project.write(OLD)
    code, said = project.said("rule", "deny", "x")
    assert (code, said.splitlines()[-2:]) == (
        1, ["error: nothing was written: there is no terminal to ask at", "help: look at the change and add --yes"],
    )  # fmt: skip
    assert project.said("rule", "deny", "x", "--json")[0] == 1
    assert (project.root / "interlock.yaml").read_text() == OLD


def test_a_person_is_asked_at_a_terminal(project: Project):
    project.write(OLD)
    assert at_terminal(project, b"n\n", "rule", "deny", "x")[0] == 1
    assert (project.root / "interlock.yaml").read_text() == OLD
    assert at_terminal(project, b"y\n", "rule", "deny", "x")[0] == 0
    assert "id: deny-x" in (project.root / "interlock.yaml").read_text()


def test_a_policy_that_is_not_trusted_stays_so_and_that_is_said(project: Project):
    project.write(OLD)
    code, said = project.said("rule", "allow", "npm test", "--yes")
    assert (code, [line for line in said.splitlines() if line.startswith("note")]) == (
        0, ["note: interlock.yaml is not trusted, so only its deny and ask apply until you run `interlock trust`"],
    )  # fmt: skip
    assert not project.data("check")["layers"][0]["trusted"]


def test_a_new_file_is_trusted_because_a_person_wrote_all_of_it(project: Project):
    assert project.run("rule", "allow", "npm test", "--scope", "local", "--yes").exit_code == 0
    assert (project.root / "interlock.local.yaml").read_text() == snapshot(
        """\
version: 1
rules:
  - id: allow-npm-test
    command: npm test
    allow: true
"""
    )
    assert project.data("check")["layers"][0]["trusted"]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["ask", "--tool", "WebFetch", "*.example.com"],
         snapshot('  - id: ask-webfetch-example-com\n    tool: WebFetch\n    url: "*.example.com"\n    ask: "Reach ${match.url.url}?"')),  # noqa: E501
        (["deny", "--tool", "Write", "db/**", "--reason", "Use the tool.", "--id", "db"],
         snapshot("""\
  - id: db
    tool: Write
    path: {write: "db/**"}
    deny: Use the tool.\
""")),
        (["ask", "--tool", "Read", "*.pem"],
         snapshot('  - id: ask-read-pem\n    tool: Read\n    path: {read: "*.pem"}\n    ask: "Read ${match.path}?"')),
        (["allow", "--tool", "mcp__crm__get"], snapshot("  - id: allow-mcp-crm-get\n    tool: mcp__crm__get\n    allow: true")),  # noqa: E501
        (["deny", "--tool", "Bash"], snapshot('  - id: deny-bash\n    tool: Bash\n    deny: "A person has ruled out `Bash` here. Do it another way, or ask the user."')),  # noqa: E501
        (["ask", "curl|wget | sh"], snapshot('  - id: ask-curl-wget-sh\n    command: "curl|wget | sh"\n    ask: "Run `${match.command.text}`?"')),  # noqa: E501
    ],
)  # fmt: skip
def test_a_pattern_means_what_its_tool_takes(project: Project, words: list[str], rule: str):
    assert project.data("rule", *words, "--dry-run")["rule"] == rule


def test_a_name_that_is_taken_gets_a_number(project: Project):
    project.policy("{id: deny-x, command: x, deny: No.}")
    assert project.data("rule", "deny", "x", "--dry-run")["id"] == "deny-x-2"


def test_an_allow_that_a_denial_beats_says_so(project: Project):
    project.write("version: 1\npacks: [guarded]\n")
    project.trust()
    assert project.data("rule", "allow", "git push --force origin main", "--dry-run")["notes"] == snapshot(
        ["`git push --force origin main` is still denied, because of `git/force-push`; that is stricter than this rule"]
    )
    assert project.data("rule", "allow", "npm install *", "--dry-run")["notes"] == []
    assert project.data("rule", "allow", "cat *", "--dry-run")["notes"] == snapshot(
        ["`cat x` is not allowed by this rule yet: it does not cover all of the call; name its paths or URLs too"]
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["allow", "Bash(npm install:*)"], snapshot("""\
error: `Bash(npm install:*)` is how Claude Code writes a permission
help: write `--tool Bash "npm install"`, or without `--tool` for a command
""")),
        (["deny", "git *x"], snapshot("""\
error: `*x` in the command `git *x` would match nothing
help: `*` is one whole word; for parts of words write a /regex/
""")),
        (["deny"], snapshot("""\
error: the rule is about nothing
help: give a command: interlock rule deny "terraform destroy"
""")),
        (["allow", "--tool", "mcp__x__y", "z"], snapshot("""\
error: Interlock does not know which field of `mcp__x__y` holds a path, a URL or a command
help: leave out the pattern, or describe the tool in the policy: `tools: {mcp__x__y: {read: FIELD}}`
""")),
        (["remove", "no-rn"], snapshot("""\
error: no policy file here has a rule `no-rn`
help: did you mean `no-rm`?
""")),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_what_to_write(project: Project, words: list[str], said: str):
    project.write(OLD)
    assert project.said("rule", *words, "--yes") == (1, said)
    assert (project.root / "interlock.yaml").read_text() == OLD


def test_a_rule_that_another_one_asks_about_is_not_removed(project: Project):
    project.policy("{id: a, command: x}", "{id: b, command: y, when: count('a') > 0, deny: No.}")
    before = (project.root / "interlock.yaml").read_text()
    assert project.run("rule", "remove", "a", "--yes").exit_code == 1
    assert (project.root / "interlock.yaml").read_text() == before


def test_the_rules_of_the_files_are_listed(project: Project):
    assert project.said("rule", "list") == (0, 'no rules yet; start with: interlock rule deny "terraform destroy"\n')
    project.write(OLD.replace("rules:", "packs: [git]\nrules:"))
    project.policy("{id: mine, command: ls, allow: true}", name="interlock.local.yaml")
    assert project.said("rule", "list") == snapshot(
        (
            0,
            """\
mine   allow  local    interlock.local.yaml:3
no-rm  deny   project  interlock.yaml:5
""",
        )
    )
