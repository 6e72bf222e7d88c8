"""A `.conclaude.yaml` as a policy: the same commands run, the same files stay as they are."""

from __future__ import annotations

from typing import Any

import pytest
from inline_snapshot import snapshot

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.imports.conclaude import read_conclaude
from interlock.imports.draft import Import, settle, yaml_of
from interlock.imports.write import new_policy
from interlock.policy.load import load_policy
from interlock.testing.cases import run_cases
from tests.policy.builders import Session


def imported(text: str) -> Import:
    return settle(read_conclaude(text, "c.yaml"))


def session(text: str, **options: Any) -> Session:
    policy = load_policy(new_policy(imported(text)), "interlock.yaml", find_pack)
    assert [result.message for result in run_cases(policy) if not result.ok] == []
    return Session(policy, **options)


def rules(text: str, *ids: str) -> str:
    return "".join(yaml_of(rule) for rule in imported(text).rules if rule.id in ids)


def test_a_command_at_the_end_becomes_a_check():
    text = """
stop:
  commands:
    - run: npm test
      message: "Fix ${it}."
      showStdout: true
      showStderr: true
      maxOutputLines: 20
      timeout: 1800
    - run: "cd docs && make"
"""
    assert rules(text, "stop-npm-test", "stop-cd-docs-make") == snapshot("""\
  - id: stop-npm-test
    event: Stop
    run: npm test
    timeout: 1800s
    max_lines: 20
    deny: "Fix ${\\"$\\"}{it}.\\n${run.stdout}\\n${run.stderr}"
    cases:
      catch: [{event: {stop_hook_active: false}, given: {run: 1}}]
      pass: [{event: {stop_hook_active: false}, given: {run: 0}}]
  - id: stop-cd-docs-make
    event: Stop
    run: [bash, "-c", "cd docs && make"]
    timeout: 600s
    deny: "`cd docs && make` failed with exit code ${run.code}. Fix that first."
    cases:
      catch: [{event: {stop_hook_active: false}, given: {run: 1}}]
      pass: [{event: {stop_hook_active: false}, given: {run: 0}}]
""")
    failing = session(text, given={"run": {"code": 2, "stdout": "1 failed", "stderr": "oops"}})
    assert failing.event("Stop", stop_hook_active=False).reason == (
        "Denied: (1) Fix ${it}.\n1 failed\noops. (2) `cd docs && make` failed with exit code 2. Fix that first. "
        "Both must be resolved."
    )


def test_the_old_form_of_a_command_is_read_too():
    found = imported("stop:\n  run: |\n    make all\n    make check\n").rules
    assert (found[0].id, found[0].keys["run"]) == ("stop-make-all", ["bash", "-ec", "make all\nmake check"])


def test_an_agent_that_never_stops_is_told_to_go_on():
    played = session("stop: {infinite: true, infiniteMessage: Go on.}")
    assert played.event("Stop", stop_hook_active=True).reason == "Go on."


def test_commands_for_subagents_are_for_those_that_match():
    text = "subagentStop: {commands: {'cod*': [{run: make lint}]}}"
    failing = session(text, given={"run": 1})

    def stops(name: str) -> str | None:
        return failing.event("SubagentStop", agent_id="a", agent_type=name, stop_hook_active=False).decision

    assert [stops("coder"), stops("tester")] == ["deny", None]


def test_files_that_must_not_change():
    text = """
preToolUse:
  preventRootAdditions: false
  uneditableFiles:
    - "*.lock"
    - ./package.json
    - src/**/*.ts
    - {pattern: "{a,b}.json", message: Ask for a review.}
  preventAdditions: [dist]
"""
    played = session(text)

    def write(path: str) -> str | None:
        return played.call({"Write": path}).decision

    stopped = ["x.lock", "sub/y.lock", "package.json", "src/a/b.ts", "b.json", "dist/new.js"]
    passes = ["x.lockx", "sub/package.json", "lib/b.ts", "c.json", "build/new.js"]
    assert [write(path) for path in stopped] == ["deny"] * len(stopped)
    assert [write(path) for path in passes] == [None] * len(passes)
    assert played.call({"Edit": "a.json"}).reason == "Ask for a review."
    assert played.call("echo x > y.lock").decision == "deny"  # conclaude does not see this


def test_new_files_in_the_root_are_refused_unless_that_is_switched_off():
    for text in ("stop: {}", "rules: {preventRootAdditions: true}", "preToolUse: {}"):
        assert session(text).call({"Write": "new.txt"}).decision == "deny"
        assert session(text).call({"Write": "src/new.txt"}).decision is None
    assert (
        session("preToolUse: {preventRootAdditions: false}\nstop: {infinite: true}").call({"Write": "a"}).decision
        is None
    )


def test_rules_for_tools():
    text = """
preToolUse:
  preventRootAdditions: false
  toolUsageValidation:
    - {tool: Bash, pattern: "", commandPattern: "git push --force*", action: block, message: No force.}
    - {tool: Bash, pattern: "", commandPattern: "rm *", matchMode: prefix, action: block}
    - {tool: "*", pattern: ".env*", action: block}
    - {tool: Write, pattern: "src/**", action: allow}
"""
    played = session(text)
    assert played.call("git push --force-with-lease").reason == "No force."
    stopped: list[Any] = ["rm -rf x", {"Read": ".env.local"}, {"Write": "docs/a.md"}]
    passes: list[Any] = ["git push", "ls", {"Read": "a"}, {"Write": "src/a.md"}, {"Edit": "docs/a.md"}]
    assert [played.call(call).decision for call in stopped] == ["deny"] * 3
    assert [played.call(call).decision for call in passes] == [None] * 5


def test_ignored_and_generated_files_are_found_by_a_program():
    text = "preToolUse: {preventUpdateGitIgnored: true, preventGeneratedFileEdits: true, preventRootAdditions: false}"
    assert session(text, given={"run": 0}).call({"Write": "dist/a"}).decision == "deny"
    assert session(text, given={"run": 1}).call({"Write": "dist/a"}).decision is None


def test_notices_come_to_the_desktop():
    text = """
stop: {commands: [{run: make}]}
notifications: {enabled: true, hooks: [Stop], showErrors: true, showSuccess: true}
"""
    for code, notice in ((1, "Stop: a check failed."), (0, "Stop: all checks passed.")):
        verdict = session(text, given={"run": code}).event("Stop", stop_hook_active=False)
        assert [one.notice for one in verdict.opinions if one.desktop] == [notice]


def test_what_conclaude_says_to_a_prompt_is_said():
    played = session(
        "userPromptSubmit: {contextRules: [{pattern: auth|login, prompt: Read the notes., caseInsensitive: true}]}"
    )
    assert played.event("UserPromptSubmit", prompt="The Login page").context == ("Read the notes.",)
    assert played.event("UserPromptSubmit", prompt="The home page").context == ()


def test_permissions():
    played = session("permissionRequest: {default: deny, allow: [Read], deny: [KillShell]}")

    def asked(tool: str) -> str | None:
        return played.event("PermissionRequest", tool_name=tool, tool_input={"file_path": "a"}).decision

    assert [asked("Read"), asked("KillShell"), asked("Other")] == ["allow", "deny", "deny"]


def test_what_cannot_be_carried_is_listed_with_its_line():
    text = """\
stop:
  commands:
    - {run: "echo $CONCLAUDE_CWD"}
  rounds: 3
preToolUse:
  uneditableFiles: ["a$b"]
userPromptSubmit:
  contextRules: [{pattern: "(?!x)", prompt: p}, {pattern: z, prompt: p, enabled: false}]
taskCompleted: {commands: {"*": [{run: make}]}}
"""
    assert [str(one) for one in imported(text).left] == [
        "c.yaml:3: stop: echo $CONCLAUDE_CWD: it uses a variable that only conclaude sets; a rule's program gets the "
        "event on stdin",
        "c.yaml:4: stop.rounds: no rule can say it",
        "c.yaml:6: uneditableFiles: a$b: the pattern has a character that globs of a policy have not",
        "c.yaml:8: contextRules: (?!x): `/(?!x)/` is not a regex: a regex here cannot look ahead or behind",
        "c.yaml:8: contextRules: z: it is switched off",
        "c.yaml:9: taskCompleted: write a rule with this event and `run`",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("stop: [", None),
        ("- a", "`the configuration` is not a map [c.yaml:1:1]; write its keys below it"),
        ("stop: 1", "`stop` is not a map [c.yaml:1:7]; write its keys below it"),
        ("stop: {commands: {}}", "`stop.commands` is not a list [c.yaml:1:18]; write each of its items after a `-`"),
        ("stop: {commands: [{message: x}]}", "a command has no `run` [c.yaml:1:19]; write run: npm test"),
        ("stop: {commands: [{run: x, timeout: 0}]}", "`timeout` is not a number from 1 to 3600 [c.yaml:1:37]"),
        ("stop: {infinite: maybe}", "`infinite` is not true or false [c.yaml:1:18]; write true or false"),
        ("preToolUse: {uneditableFiles: [1]}", "`pattern` is not a text [c.yaml:1:32]; put it in quotes"),
        (
            "preToolUse: {toolUsageValidation: [{tool: Bash, action: deny, pattern: x}]}",
            "`action` is `deny` [c.yaml:1:36]; conclaude knows block and allow",
        ),
    ],
)
def test_a_file_that_is_wrong_is_an_error_at_its_place(text: str, complaint: str | None):
    with pytest.raises(InterlockError) as caught:
        read_conclaude(text, "c.yaml")
    assert complaint is None or caught.value.in_one_line() == complaint
    assert "c.yaml:1" in caught.value.render()
