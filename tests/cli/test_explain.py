"""`interlock explain`: what every rule says about one call, with nothing done and nothing kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from interlock.config.bundles import PACKS
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
    return code, re.sub(r"\d+ µs", "… µs", text)


# --- what is shown -----------------------------------------------------------------------------------------


def test_a_denied_command_is_shown_with_its_reason_its_rule_and_its_place(project: Project):
    assert explained(project, "git push -f origin main") == snapshot(
        (
            0,
            """\
deny      `git push -f origin main` is closed.
          by `no-push` (interlock.yaml:3)
fired     `no-push` (interlock.yaml:3) on git push -f origin main → deny
          4 of 28 rules checked, 1 fired; --all lists the others.
""",
        )
    )


def test_a_changed_call_is_shown_before_and_after(project: Project):
    given = '{"file_path": "/etc/hosts", "content": "x"}'
    assert explained(project, "--tool", "Write", given) == snapshot(
        (
            0,
            """\
ask       Moved.
          by `sandboxed` (interlock.yaml:11)
changed   file_path: "/etc/hosts" → "/sandbox/etc/hosts"  (`sandboxed`)
model     Interlock changed `file_path` of this call from "/etc/hosts" to
          "/sandbox/etc/hosts" (sandboxed).
fired     `sandboxed` (interlock.yaml:11) on /etc/hosts → ask, change
          2 of 28 rules checked, 1 fired; --all lists the others.
""",
        )
    )


def test_a_long_reason_and_a_long_change_are_wrapped(project: Project, monkeypatch: pytest.MonkeyPatch):
    words = "It would overwrite the work of other people who have already pulled this branch and built on it."
    project.policy(
        f'{{id: quiet, command: npm, change: {{command: "${{input.command}} {"--flag " * 14}"}}, ask: "{words}"}}'
    )
    project.trust()
    assert explained(project, "npm install left-pad") == snapshot(
        (
            0,
            """\
ask       It would overwrite the work of other people who have already pulled
          this branch and built on it.
          by `quiet` (interlock.yaml:3)
changed   command:  (`quiet`)
            - npm install left-pad
            + npm install left-pad --flag --flag --flag --flag --flag --flag
              --flag --flag --flag --flag --flag --flag --flag --flag
model     Interlock changed `command` of this call from "npm install left-pad"
          to "npm install left-pad --flag --flag --flag --flag --flag --flag
          --flag --flag --flag --flag --flag --flag --flag --flag " (quiet).
fired     `quiet` (interlock.yaml:3) on npm install left-pad → ask, change
          3 of 25 rules checked, 1 fired; --all lists the others.
""",
        )
    )
    for width in (60, 80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = explained(project, "npm install left-pad")[1].splitlines()
        assert [line for line in lines if len(line) > width] == []


def test_a_value_of_several_lines_is_shown_as_a_difference(project: Project):
    project.policy(
        "{id: header, tool: Write, when: '!input.content.startsWith(\"#\")', "
        'change: {content: "# made by a model\\n${input.content}"}, notify: A header was added.}'
    )
    project.trust()
    given = '{"file_path": "a.py", "content": "one\\ntwo\\nthree\\nfour\\n"}'
    assert explained(project, "--tool", "Write", given) == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
changed   content:  (`header`)
            + # made by a model
              one
              two
model     Interlock changed `content` of this call from
          "one\\ntwo\\nthree\\nfour\\n" to "# made by a
          model\\none\\ntwo\\nthree\\nfour\\n" (header).
person    A header was added.
fired     `header` (interlock.yaml:3) → change, tell the person
          3 of 25 rules checked, 1 fired; --all lists the others.
""",
        )
    )


def test_a_rule_that_changed_the_call_is_not_called_no_match(project: Project):
    """It is asked again about the call it left, and has nothing more to say then."""
    project.policy("{id: less, command: sudo *, change: {command: ls}}")
    project.trust()
    for arguments in ((), ("--all",), ("--verbose",)):
        text = explained(project, "sudo ls", *arguments)[1]
        assert "fired     `less` (interlock.yaml:3) on sudo ls → change" in text
        assert text.count("`less` (") == 1
    rules = project.data("explain", "sudo ls")["rules"]
    assert [one["outcome"] for one in rules if one["rule"] == "less"] == ["fired"]


def test_the_others_are_listed_only_if_asked_for_and_their_conditions_only_for_the_curious(project: Project):
    assert explained(project, "ls", "--all") == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
no match  `big-timeout` (interlock.yaml:7)
          `typed-into` (packs/core.yaml:195)
          `page` (packs/core.yaml:244)
          3 of 28 rules checked, 0 fired.
""",
        )
    )
    text = explained(project, "ls", "--verbose")[1]
    assert "`big-timeout` (interlock.yaml:7): not: input.?timeout.orValue(0) >\n          1000\n" in text
    assert text.splitlines()[-1] == "time      … µs"


def test_a_call_that_was_not_read_to_its_end_is_shown_with_the_limit(project: Project):
    code, text = explained(project, ":;" * 3_000 + "git push -f")
    assert code == 0
    assert text.startswith("deny      This call has more than 2,000 commands, so Interlock did not read it\n")
    assert "fired     `unread-rest` (" in text


def test_a_rule_that_was_excused_says_so(project: Project):
    code, text = explained(project, "git push", "--branch", "me/x", "-v")
    assert code == 0
    assert "`no-push` (interlock.yaml:3): excused by `unless`\n" in text
    assert text.startswith("none      No rule decides about this call")


def test_a_single_value_is_the_main_field_of_the_tool(project: Project):
    code, text = explained(project, "--tool", "Read", ".env")
    assert code == 0
    assert text.startswith("deny      Secrets stay there.\n          by `no-env` (interlock.yaml:16)\n")


def test_a_call_nobody_speaks_of_is_none(project: Project):
    assert explained(project, "--tool", "WebSearch", "weather")[1].startswith("none ")


def test_every_reason_has_its_place(project: Project):
    project.policy("{id: a, command: rm, deny: A.}", "{id: b, command: rm, deny: B.}")
    project.trust()
    assert explained(project, "rm x") == snapshot(
        (
            0,
            """\
deny      1. A.
             by `a` (interlock.yaml:3)
          2. B.
             by `b` (interlock.yaml:4)
fired     `a` (interlock.yaml:3) on rm x → deny
          `b` (interlock.yaml:4) on rm x → deny
          5 of 26 rules checked, 2 fired; --all lists the others.
""",
        )
    )


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
    assert "fired     `a` (interlock.yaml:3) on rm x → would deny A. (it only observes)\n" in text
    assert text.startswith("none ")


def test_a_rule_that_fails_is_shown_as_failed(project: Project):
    project.policy("{id: a, tool: pay, when: input.amount > 5, deny: A.}")
    project.trust()
    code, text = explained(project, "--tool", "pay", '{"amount": "many"}')
    assert (code, text.startswith("deny      rule `a` [")) == (0, True)
    assert text.endswith(
        "failed    `a` (interlock.yaml:3) → deny\n          2 of 25 rules checked, 0 fired; --all lists the others.\n"
    )


# --- results -------------------------------------------------------------------------------------------------

ON_RESULTS = (
    "{id: mask, event: PostToolUse, content: '/TOKEN=[a-z]+/', "
    "output: {stdout: \"${sub(response.stdout, 'TOKEN=[a-z]+', 'TOKEN=…')}\"}, "
    "context: A token was removed., notify: The model tried to read a token.}",
    "{id: sick, event: PostToolUse, tool: Bash, when: response.nonsense > 5, notify: Never.}",
)


def test_a_result_can_be_tried(project: Project):
    project.policy(ON_RESULTS[0])
    project.trust()
    assert explained(project, "env", "--result", "one\nTOKEN=abc\ntwo") == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
          2 of 25 rules checked, 0 fired; --all lists the others.
replaced  The model reads another result, changed by mask.
result    stdout:
              one
            - TOKEN=abc
            + TOKEN=…
              two
model     A token was removed.
person    The model tried to read a token.
fired     `mask` (interlock.yaml:3) on one TOKEN=abc two → replace the result,
          tell the model, tell the person
          1 of 25 rules checked, 1 fired.
""",
        )
    )
    assert "passed    The model reads this result as it is.\n" in explained(project, "env", "--result", "one")[1]


def test_a_result_that_is_withheld_says_so(project: Project):
    project.policy(ON_RESULTS[1])
    project.trust()
    assert "withheld  The model does not read this result: " in explained(project, "env", "--result", "x")[1]


def test_a_result_may_be_json_or_come_from_stdin(project: Project):
    project.policy(ON_RESULTS[0])
    project.trust()
    given = '{"stdout": "TOKEN=abc", "stderr": "", "interrupted": false}'
    found = project.data("explain", "env", "--result", given)["result"]
    assert (found["event"], found["output"]["stdout"]) == ("PostToolUse", "TOKEN=…")
    read = project.run("explain", "env", "--result", "-", stdin="TOKEN=abc")
    assert 'result    stdout: "TOKEN=abc" → "TOKEN=…"\n' in read.output
    assert project.data("explain", "env", "--result", "{not json")["result"]["decision"] is None


def test_the_result_of_a_denied_call_says_that_it_would_not_run(project: Project):
    text = explained(project, "git push", "--result", "done")[1]
    assert "          The call is denied, so it returns nothing. If it ran:\n" in text


def test_a_result_sets_state_as_if_its_call_had_been_judged(project: Project):
    project.policy("{id: seen, event: PostToolUse, tool: Bash, set: {n: 1}}", top="state: {n: 0}\n")
    project.trust()
    assert "sets no state" not in explained(project, "ls", "--result", "x")[1]


@pytest.mark.parametrize(
    "tool", ["Bash", "PowerShell", "Read", "WebFetch", "Grep", "Glob", "Agent", "mcp__a__b", "Odd"]
)
def test_a_text_gets_the_shape_of_the_tools_result(project: Project, tool: str):
    """If a shape were wrong, a replaced text could not be put back into it."""
    project.policy('{id: a, event: PostToolUse, content: /secret/, output: "gone"}')
    project.trust()
    found = project.data("explain", "--tool", tool, "{}", "--result", "a secret")["result"]
    assert (found["withheld"], "secret" in found["answer"]) == (None, False), found


# --- what it was judged by ---------------------------------------------------------------------------------------


def test_hooks_and_checks_that_were_not_asked_are_named(project: Project):
    project.write("from interlock import hook\n@hook('PreToolUse')\ndef f(call): return None\n", "guards.py")
    project.policy(
        '{id: tests, tool: Bash, run: "exit 1", deny: Tests fail.}',
        top='hooks: [./guards.py, {run: "true --strict", tool: Bash}, {run: other, tool: Read}]\n',
    )
    project.trust()
    assert explained(project, "ls") == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
          3 of 25 rules checked, 0 fired; --all lists the others.
hooks     Not asked: ./guards.py, true --strict. A hook may decide otherwise;
          --run asks them, which runs their code.
checks    Not run: the `run` check of `tests`, which counts as passed. --run
          really runs it.
""",
        )
    )
    assert project.data("explain", "ls")["not_asked"] == {
        "hooks": ["./guards.py", "true --strict"], "checks": ["tests"]
    }  # fmt: skip
    assert project.data("explain", "ls", "--run")["not_asked"] == {"hooks": [], "checks": []}


def test_hooks_are_asked_once_with_run(project: Project):
    log = project.root / "log"
    project.policy(top=f'hooks: [{{run: "echo x >> {log}", tool: Bash}}]\n')
    project.trust()
    assert explained(project, "ls", "--run")[0] == 0
    assert log.read_text() == "x\n"


def test_a_folder_without_a_policy_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "new").mkdir()
    assert explained(Project(tmp_path / "new", monkeypatch), "ls") == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
          2 of 24 rules checked, 0 fired; --all lists the others.
policy    No policy applies in this folder, so only Interlock's 24 built-in
          rules were asked. Run `interlock init` to write one, or name one with
          --policy or --pack.
""",
        )
    )


def test_an_untrusted_policy_says_what_does_not_count(project: Project):
    project.policy(
        "{id: yes-ls, command: ls, allow: true}",
        "{id: no-rm, command: rm, deny: No.}",
        "{id: moved, command: mv, change: {command: cp}, ask: Moved.}",
        "{id: told, tool: Read, context: Read with care.}",
    )
    assert explained(project, "ls") == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
          3 of 31 rules checked, 0 fired; --all lists the others.
trust     interlock.yaml changed; until `interlock trust`, only its new deny and
          ask rules take effect. Without effect until then: yes-ls, moved
          (`change`), told. Read the file, then run `interlock trust`.
""",
        )
    )
    assert project.data("explain", "ls")["policy"]["untrusted"] == [
        {"file": str(project.root / "interlock.yaml"), "without": ["yes-ls", "moved (`change`)", "told"]}
    ]


def test_json_holds_the_whole_of_it(project: Project):
    found = project.data("explain", "git push")
    here = f"{project.root}/interlock.yaml"
    found["reasons"][0]["at"] = found["reasons"][0]["at"].replace(here, "interlock.yaml")
    for rule in found["rules"]:
        rule["at"] = rule["at"].replace(here, "interlock.yaml").replace(str(PACKS), "packs")
    assert isinstance(found.pop("microseconds"), int)
    answer: Any = found.pop("answer")
    assert '"permissionDecision":"deny"' in answer
    assert found == snapshot(
        {
            "event": "PreToolUse",
            "decision": "deny",
            "reason": "`git push` is closed.",
            "reasons": [{"text": "`git push` is closed.", "rule": "no-push", "at": "interlock.yaml:3"}],
            "interrupt": False,
            "rules": [
                {"rule": "no-push", "at": "interlock.yaml:3", "outcome": "fired", "why": "git push", "said": "deny"},
                {
                    "rule": "big-timeout",
                    "at": "interlock.yaml:7",
                    "outcome": "no match",
                    "why": "not: input.?timeout.orValue(0) > 1000",
                    "said": "",
                },
                {
                    "rule": "typed-into",
                    "at": "packs/core.yaml:195",
                    "outcome": "no match",
                    "why": "another host",
                    "said": "",
                },
                {
                    "rule": "page",
                    "at": "packs/core.yaml:244",
                    "outcome": "no match",
                    "why": "no url like that",
                    "said": "",
                },
            ],
            "changes": [],
            "output": None,
            "withheld": None,
            "context": None,
            "notices": [],
            "lowered": [],
            "input": {"command": "git push"},
            "errors": [],
            "programs": [],
            "hooks": [],
            "exit_code": 2,
            "result": None,
            "policy": {"active": 28, "observing": 0, "bare": False, "notices": [], "untrusted": []},
            "not_asked": {"hooks": [], "checks": []},
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
