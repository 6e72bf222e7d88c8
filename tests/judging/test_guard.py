"""A guard: rules, Python hooks and external programs of one policy, in one order, each seeing what came before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.config.bundles import load_file
from interlock.judging.guard import Guard
from interlock.probe.world import Machine
from interlock.service import Reply, answer, judge_again
from interlock.store.memory import MemoryStore
from tests.lint.project import Project

GUARDS = """
from interlock import hook, change, deny

@hook("PreToolUse", tool="Bash")
def append_python(call):
    if "stop-python" in call.input["command"]:
        return deny("Python says no.")
    return change(command=call.input["command"] + " python")
"""
PROGRAM = """
import json, sys
event = json.load(sys.stdin)
given = event["tool_input"]
if "stop-program" in given["command"]:
    print("Program says no.", file=sys.stderr)
    sys.exit(2)
given["command"] += " program"
print(json.dumps({"hookSpecificOutput": {
    "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": given}}))
"""
APPEND = """{id: append-rule, tool: Bash, change: {command: "${input.command} rule"}}"""
SAYS_NO = """{id: rule-no, tool: Bash, when: input.command.contains("stop-rule"), deny: Rule says no.}"""


class Asking:
    """Guards that are closed when the test ends."""

    def __init__(self, project: Project, stack: ExitStack) -> None:
        self.project = project
        self.store = MemoryStore()
        self._stack = stack

    def guard(self, *names: str, **options: Any) -> Guard:
        root = self.project.root
        policies = [load_file(root / name) for name in names or ("interlock.yaml",)]
        made = Guard(policies, Machine(str(root)), self.store, project=str(root), **{"alone": True, **options})
        return self._stack.enter_context(made)

    def answer(self, command: str, guard: Guard | None = None, call: str = "c1") -> Reply:
        return answer(guard or self.guard(), "claude-code", self.project.call("Bash", command, call))


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    project = Project(tmp_path, monkeypatch)
    project.write(GUARDS, "guards.py")
    project.write(PROGRAM, "program.py")
    with ExitStack() as stack:
        yield Asking(project, stack)


def all_three(project: Project) -> None:
    program = json.encode([sys.executable, str(project.root / "program.py")]).decode()
    project.policy(APPEND, SAYS_NO, top=f"hooks: [./guards.py, {{run: {program}, tool: Bash, name: program}}]\n")


def test_hooks_programs_and_rules_change_in_order_each_seeing_what_the_one_before_left(asking: Asking):
    all_three(asking.project)
    verdict = asking.answer("echo").verdict
    assert verdict.input == {"command": "echo python program rule"}
    assert [(change.field, change.by) for change in verdict.changes] == [
        ("command", "append_python"),
        ("command", "program"),
        ("command", "append-rule"),
    ]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("stop-python", "Python says no."),
        ("stop-rule", "Rule says no."),
        ("stop-program stop-rule", "Denied: (1) Program says no. (2) Rule says no. Both must be resolved."),
        (
            "stop-python stop-program stop-rule",
            "Denied: (1) Python says no. (2) Program says no. (3) Rule says no. All must be resolved.",
        ),
    ],
)
def test_every_reason_of_hooks_programs_and_rules_is_kept_in_order(asking: Asking, command: str, reason: str):
    all_three(asking.project)
    assert asking.answer(command).verdict.reason == reason


def test_a_rule_that_denies_what_a_hook_made_of_the_call_denies_it(asking: Asking):
    """Deciding rules judge the input that would run."""
    rule = '{id: no-python, tool: Bash, when: input.command.endsWith(" python"), deny: No Python.}'
    asking.project.policy(rule, top="hooks: [./guards.py]\n")
    assert asking.answer("echo").verdict.reason == "No Python."


def test_rules_of_one_policy_change_in_the_order_they_are_written(asking: Asking):
    asking.project.policy(
        '{id: b, tool: Bash, change: {command: "${input.command} b"}}',
        '{id: a, tool: Bash, change: {command: "${input.command} a"}}',
    )
    assert asking.answer("echo").verdict.input == {"command": "echo b a"}


def test_the_lower_layer_changes_first(asking: Asking):
    asking.project.policy('{id: low, tool: Bash, change: {command: "${input.command} low"}}', name="low.yaml")
    asking.project.policy('{id: high, tool: Bash, change: {command: "${input.command} high"}}', name="high.yaml")
    guard = asking.guard("low.yaml", "high.yaml")
    assert asking.answer("echo", guard).verdict.input == {"command": "echo low high"}


def test_hook_files_given_beside_a_policy_are_asked_after_its_own(asking: Asking):
    asking.project.write(GUARDS.replace("python", "more"), "more.py")
    asking.project.policy(top="hooks: [./guards.py]\n")
    guard = asking.guard(hooks=[asking.project.root / "more.py"])
    assert asking.answer("echo", guard).verdict.input == {"command": "echo python more"}


def test_without_hooks_nothing_of_them_is_started(asking: Asking):
    all_three(asking.project)
    guard = asking.guard(run_hooks=False)
    assert asking.answer("echo", guard).verdict.input == {"command": "echo rule"}


def test_what_hooks_print_is_kept_apart(asking: Asking):
    asking.project.write('from interlock import hook\n@hook("PreToolUse")\ndef h(): print("noise")\n', "guards.py")
    asking.project.policy(top="hooks: [./guards.py]\n")
    guard = asking.guard()
    assert json.decode(asking.answer("ls", guard).stdout) == {}
    assert guard.printed() == "noise\n"


def test_an_external_program_that_fails_denies_and_is_named(asking: Asking):
    asking.project.policy(top="hooks: [{run: ./gone.sh, name: gone}]\n")
    verdict = asking.answer("ls").verdict
    assert verdict.decision == "deny"
    assert "gone" in (verdict.reason or "")


# --- state -------------------------------------------------------------------------------------------------

COUNTING = "state: {n: 0}\n"
COUNT = '{id: count, tool: Bash, set: {n: "${state.n + 1}"}}'
LIMIT = "{id: limit, tool: Bash, when: state.n >= 2, deny: Enough.}"


def test_state_is_as_it_was_when_the_event_came(asking: Asking):
    asking.project.policy(COUNT, LIMIT, top=COUNTING)
    guard = asking.guard()
    found = [asking.answer("ls", guard, call=f"c{number}").verdict.decision for number in range(4)]
    assert found == [None, None, "deny", "deny"]


def test_a_denied_call_does_not_count_what_another_rule_would_have_set(asking: Asking):
    no_rm = "{id: no-rm, command: rm, deny: No rm.}"
    asking.project.policy(COUNT, LIMIT, no_rm, top=COUNTING)
    guard = asking.guard()
    commands = ["rm x", "rm x", "rm x", "ls", "ls", "ls"]
    found = [asking.answer(command, guard, call=f"c{n}").verdict.decision for n, command in enumerate(commands)]
    assert found == ["deny", "deny", "deny", None, None, "deny"]


def test_the_same_event_twice_is_judged_once(asking: Asking):
    asking.project.policy(COUNT, LIMIT, top=COUNTING)
    guard = asking.guard()
    assert [asking.answer("ls", guard).verdict.decision for _ in range(4)] == [None] * 4
    assert len(list(asking.store.records())) == 1


def test_judging_again_remembers_nothing(asking: Asking):
    asking.project.policy(COUNT, LIMIT, top=COUNTING)
    guard = asking.guard()
    for number in range(4):
        reply = judge_again(guard, "claude-code", asking.project.call("Bash", "ls", f"c{number}"))
        assert reply.verdict.decision is None
    assert list(asking.store.records()) == []


def test_one_session_does_not_count_for_another(asking: Asking):
    asking.project.policy(COUNT, LIMIT, top=COUNTING)
    guard = asking.guard()
    raw = asking.project.call
    for number in range(2):
        answer(guard, "claude-code", raw("Bash", "ls", f"c{number}"))
    other = answer(guard, "claude-code", raw("Bash", "ls", "c9", session_id="s2"))
    assert other.verdict.decision is None


# --- notices and the brief -----------------------------------------------------------------------------------


def test_notices_are_told_when_a_session_starts_and_when_the_person_prompts(asking: Asking):
    asking.project.policy()
    guard = asking.guard(notices=["One.", "Two."])
    event = asking.project.event
    start = answer(guard, "claude-code", event("SessionStart", source="startup"))
    prompt = answer(guard, "claude-code", event("UserPromptSubmit", prompt="hi"))
    told = [json.decode(reply.stdout)["systemMessage"].split("\n") for reply in (start, prompt)]
    assert told == [["Interlock: 0 rules active.", "One.", "Two."], ["One.", "Two."]]
    assert json.decode(asking.answer("ls", guard).stdout) == {}


@pytest.mark.parametrize(
    ("event", "fields"),
    [("SessionStart", {"source": "startup"}), ("SubagentStart", {"agent_id": "a1", "agent_type": "reviewer"})],
)
def test_a_brief_policy_tells_the_model_what_its_rules_are_about(asking: Asking, event: str, fields: dict[str, str]):
    """S1-14"""
    asking.project.policy(
        "{id: no-rm, about: Files are kept., command: rm, deny: No rm.}",
        "{id: no-mv, command: mv, deny: No mv.}",
        top="brief: true\n",
    )
    reply = answer(asking.guard(), "claude-code", asking.project.event(event, **fields))
    assert json.decode(reply.stdout)["hookSpecificOutput"] == {
        "hookEventName": event,
        "additionalContext": "These rules hold for your tool calls here:\n- Files are kept.",
    }


def test_a_policy_that_is_not_brief_tells_the_model_nothing(asking: Asking):
    asking.project.policy("{id: no-rm, about: Files are kept., command: rm, deny: No rm.}")
    reply = answer(asking.guard(), "claude-code", asking.project.event("SessionStart", source="startup"))
    assert json.decode(reply.stdout) == {"systemMessage": "Interlock: 1 rule active."}
