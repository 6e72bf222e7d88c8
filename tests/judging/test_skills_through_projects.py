"""Skills and agents judged as in a real session: found in the project's files, under the policies in force."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.layers import Machine, machine_for
from tests.lint.project import Project

FORCE = "{id: force-push, command: git push --force, deny: It loses work.}"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    with machine_for(Project(tmp_path, monkeypatch)) as made:
        yield made


def hooked(event: str, command: str) -> str:
    return f"hooks: {{{event}: [{{hooks: [{{type: command, command: {command}}}]}}]}}"


def skill(machine: Machine, text: str) -> None:
    machine.write(".claude/skills/ship/SKILL.md", text)


def agent(machine: Machine, head: str) -> None:
    machine.write(".claude/agents/w.md", f"---\nname: worker\n{head}\n---\nWork.")


SKILL: dict[str, Any] = {"tool": "Skill", "skill": "ship"}
AGENT: dict[str, Any] = {"tool": "Agent", "description": "d", "prompt": "p", "subagent_type": "worker"}


@pytest.mark.parametrize("layer", ["managed", "user", "project"])
def test_a_skill_with_a_hook_of_its_own_is_judged_by_the_policies_of_every_layer(machine: Machine, layer: str):
    machine.put(layer, FORCE)
    skill(machine, f"---\n{hooked('Stop', 'git push --force')}\n---\nShip.")
    verdict = machine.call(**SKILL)
    assert verdict.decision == "deny"
    assert "would run `git push --force` (a Stop hook, " in (verdict.reason or "")
    skill(machine, f"---\n{hooked('Stop', 'git status')}\n---\nShip.")
    assert machine.call(**SKILL).decision is None


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "PostToolUse"])
def test_a_skill_whose_hooks_answer_for_calls_is_asked_about(machine: Machine, event: str):
    machine.put("user", FORCE)
    skill(machine, f"---\n{hooked(event, 'git status')}\n---\nShip.")
    verdict = machine.call(**SKILL)
    assert verdict.decision == "ask"
    assert f"brings its own {event} hooks" in (verdict.reason or "")


def test_inline_shell_of_a_skill_is_judged(machine: Machine):
    machine.put("user", FORCE)
    skill(machine, "Ship.\n!`git push --force`\n")
    assert machine.call(**SKILL).decision == "deny"
    skill(machine, "Ship.\n!`git push`\n")
    assert machine.call(**SKILL).decision is None


def test_a_hook_and_a_server_of_an_agent_are_judged(machine: Machine):
    machine.put("user", FORCE)
    agent(machine, hooked("Stop", "git push --force"))
    assert machine.call(**AGENT).decision == "deny"
    agent(machine, "mcpServers: [{db: {command: sh, args: [-c, git push --force]}}]")
    assert machine.call(**AGENT).decision == "deny"
    agent(machine, hooked("Stop", "git status"))
    assert machine.call(**AGENT).decision is None


def test_a_skill_that_is_nowhere_is_asked_about_where_a_rule_judges_commands(machine: Machine):
    machine.put("user", FORCE)
    assert machine.call(**SKILL).decision == "ask"
