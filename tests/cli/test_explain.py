"""`interlock explain`: what every rule says about one call, with nothing done and nothing kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.lint.project import Project, decision

RULES = """\
version: 1
rules:
  - id: no-push
    command: git push
    unless: {branch: me/*}
    deny: "`${match.command.text}` is closed."
  - id: big-timeout
    tool: Bash
    when: input.?timeout.orValue(0) > 1000
    ask: So long?
  - id: sandboxed
    tool: Write
    path: {write: /etc/**}
    change: {file_path: "/sandbox${match.path}"}
    ask: Moved.
  - id: no-env
    path: {read: .env}
    deny: Secrets stay there.
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.write(RULES)
    made.trust()
    return made


def explained(project: Project, *arguments: str | Path) -> tuple[int, str]:
    code, text = project.said("explain", *arguments)
    return code, re.sub(r"in \d+ µs", "in … µs", text)


# --- what is shown -----------------------------------------------------------------------------------------


def test_a_denied_command_is_shown_with_its_rule_its_reason_and_its_place(project: Project):
    assert explained(project, "git push -f origin main") == snapshot(
        (
            0,
            """\
2 of 18 rules checked
  fired     no-push  (git push -f origin main)  → deny
  no match  big-timeout  (not: input.?timeout.orValue(0) > 1000)
deny  `git push -f origin main` is closed.
         [interlock.yaml:3:5]
in … µs
""",
        )
    )


def test_a_call_that_was_not_read_to_its_end_is_shown_with_the_limit(project: Project):
    code, text = explained(project, ":;" * 3_000 + "git push -f")
    assert code == 0
    assert "  fired     unread-rest  → deny\n" in text
    assert "deny  This call has more than 2,000 commands, so Interlock did not read it to the end." in text


def test_a_rule_that_was_excused_says_so(project: Project):
    code, text = explained(project, "git push", "--branch", "me/x")
    assert code == 0
    assert "  no match  no-push  (excused by `unless`)\n" in text
    assert text.splitlines()[-2] == "none"


def test_a_changed_call_is_shown_with_what_changed(project: Project):
    assert explained(project, "--tool", "Write", '{"file_path": "/etc/hosts", "content": "x"}') == snapshot(
        (
            0,
            """\
1 of 18 rules checked
  fired     sandboxed  (/etc/hosts)  → ask change
changed  `file_path` by sandboxed
ask  Moved.
         [interlock.yaml:11:5]
in … µs
""",
        )
    )


def test_a_single_value_is_the_main_field_of_the_tool(project: Project):
    code, text = explained(project, "--tool", "Read", ".env")
    assert code == 0
    assert "deny  Secrets stay there.\n         [interlock.yaml:16:5]\n" in text


def test_a_call_nobody_speaks_of_is_none(project: Project):
    assert explained(project, "--tool", "WebSearch", "weather")[1].splitlines()[-2] == "none"


def test_every_reason_has_its_place(project: Project):
    project.policy("{id: a, command: rm, deny: A.}", "{id: b, command: rm, deny: B.}")
    _, text = explained(project, "rm x")
    assert "deny  Denied: (1) A. (2) B. Both must be resolved.\n" in text
    assert "         [interlock.yaml:3:5]\n         [interlock.yaml:4:5]\n" in text


def test_a_rule_is_listed_once_however_often_it_was_asked(project: Project):
    """The original and the changed call are both judged; that is no news about the rules."""
    project.policy(
        "{id: no-sudo, tool: Bash, when: input.command.startsWith('sudo'), deny: No sudo.}",
        "{id: less, tool: Bash, when: input.command.startsWith('sudo'), change: {command: ls}}",
    )
    project.trust()
    rules = [one["rule"] for one in project.data("explain", "sudo ls")["rules"]]
    assert sorted(rules) == sorted(set(rules))


def test_an_observed_rule_is_shown_with_what_it_would_say(project: Project):
    project.policy("{id: a, command: rm, deny: A., observe: true}")
    project.trust()
    _, text = explained(project, "rm x")
    assert "  fired     a  (rm x)  → would deny A.\n" in text
    assert text.splitlines()[-2] == "none"


def test_a_rule_that_fails_is_shown_as_failed(project: Project):
    project.policy("{id: a, tool: pay, when: input.amount > 5, deny: A.}")
    code, text = explained(project, "--tool", "pay", '{"amount": "many"}')
    assert (code, "  failed    a  (" in text, "\ndeny  " in text) == (0, True, True)


def test_json_holds_the_whole_of_it(project: Project):
    found = project.data("explain", "git push")
    assert isinstance(found.pop("microseconds"), int)
    answer: Any = found.pop("answer")
    assert '"permissionDecision":"deny"' in answer
    assert found == snapshot(
        {
            "decision": "deny",
            "reason": "`git push` is closed.",
            "rules": [
                {"rule": "no-push", "outcome": "fired", "why": "git push", "said": "deny"},
                {
                    "rule": "big-timeout",
                    "outcome": "no match",
                    "why": "not: input.?timeout.orValue(0) > 1000",
                    "said": "",
                },
            ],
            "changes": [],
            "input": {"command": "git push"},
            "errors": [],
            "exit_code": 2,
        }
    )


def test_an_event_of_a_file_is_judged(project: Project):
    file = project.root / "event.json"
    file.write_bytes(project.call("Bash", "git push"))
    assert project.data("explain", "--event", file)["decision"] == "deny"
    file.write_bytes(project.event("UserPromptSubmit", prompt="hello"))
    assert project.data("explain", "--event", file)["decision"] is None


def test_a_policy_that_is_named_is_used_instead(project: Project):
    other = project.policy("{id: b, command: ls, deny: B.}", name="team.yaml")
    found = project.data("explain", "ls", "--policy", other)
    assert found["reason"] == "B."
    assert project.data("explain", "git push", "--policy", other)["decision"] is None


# --- as the hook would answer --------------------------------------------------------------------------------


def test_an_untrusted_policy_is_explained_as_it_acts(project: Project):
    project.policy("{id: yes-ls, command: ls, allow: true}", "{id: no-rm, command: rm, deny: No.}")
    assert (project.data("explain", "ls")["decision"], project.data("explain", "rm x")["decision"]) == (None, "deny")


def test_a_changed_policy_is_explained_as_the_hook_answers(project: Project):
    """The last trusted version is still in force, and explain is how a person finds out."""
    assert decision(project.hook(project.call("Bash", "git push"))) == "deny"
    project.policy("{id: no-rm, command: rm, deny: No.}")
    assert decision(project.hook(project.call("Bash", "git push", "c2"))) == "deny"
    assert project.data("explain", "git push")["decision"] == "deny"


# --- what goes wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), 'error: nothing to explain\nhelp: give a command: interlock explain "git push -f"\n'),
        (("--tool", "Write", '{"file_path": '), "error: the input is not JSON: Input data was truncated\n"),
        (("--tool", "save", "x"), "error: the main field of save is not known\nhelp: give its input as a map\n"),
    ],
    ids=["nothing", "bad JSON", "no main field"],
)
def test_a_call_that_cannot_be_made_out_is_the_persons_error(
    project: Project, arguments: tuple[str, ...], message: str
):
    assert explained(project, *arguments) == (1, message)


def test_a_command_that_is_not_text_is_no_bug_of_ours(project: Project):
    code, text = explained(project, "rm \udcff")
    assert (code in (0, 1), "a bug in Interlock" in text) == (True, False)


def test_a_broken_policy_is_the_persons_error(project: Project):
    project.write("version: 1\nrulez: []\n")
    code, text = explained(project, "ls")
    assert code == 1
    assert text.startswith("error: unknown key `rulez` in the policy\n --> interlock.yaml:2:1\n")


@pytest.mark.parametrize("text", [b"", b"no json", b"{}", b"\xff"])
def test_an_event_file_that_cannot_be_read_is_shown_as_the_hook_would_answer(project: Project, text: bytes):
    file = project.root / "event.json"
    file.write_bytes(text)
    found = project.data("explain", "--event", file)
    assert found["exit_code"] == 2
    assert found["errors"] != []


def test_a_folder_is_no_event_file(project: Project):
    code, text = explained(project, "--event", project.root)
    assert (code in (1, 2), "a bug in Interlock" in text) == (True, False), text


# --- nothing is done ---------------------------------------------------------------------------------------


def test_run_checks_are_not_executed_unless_one_says_so(project: Project):
    marker = project.root / "ran"
    project.policy(f'{{id: a, tool: Bash, run: "touch {marker}; exit 1", deny: Checked.}}')
    project.trust()
    assert project.data("explain", "ls")["decision"] is None
    assert not marker.exists()
    assert project.data("explain", "ls", "--run")["decision"] == "deny"
    assert marker.exists()


def test_external_programs_are_not_executed(project: Project):
    marker = project.root / "ran"
    project.policy(top=f'hooks: [{{run: "touch {marker}", tool: Bash}}]\n')
    project.trust()
    assert explained(project, "ls")[0] == 0
    assert not marker.exists()


def test_nothing_is_recorded(project: Project):
    project.policy('{id: a, tool: Bash, set: {n: "${state.n + 1}"}}', top="state: {n: 0}\n")
    project.trust()
    before = sorted(project.home.rglob("*"))
    assert explained(project, "ls")[0] == 0
    assert sorted(project.home.rglob("*")) == before


def test_a_pack_by_name_takes_the_place_of_the_projects_policy(project):
    code, text = explained(project, "kill -9 4", "--pack", "guarded")
    assert (code, "system/process-killed" in text) == (0, True)
    assert explained(project, "ls", "--pack", "guarded", "--policy", "x.yaml")[0] == 1
