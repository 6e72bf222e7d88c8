"""Agents that bring hooks and MCP servers of their own, which the client runs without an event."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.model import Call, bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
SCOUT = "Scout the land."


def agent_file(command: str, event: str = "Stop", name: str = "scout") -> str:
    handler = f"{{type: command, command: {command}}}"
    return f"---\nname: {name}\ndescription: A scout.\nhooks:\n  {event}:\n    - hooks: [{handler}]\n---\nYou scout.\n"


def start(name: str = "scout", prompt: str = SCOUT) -> Call:
    return Call("Agent", {"description": "a scout", "prompt": prompt, "subagent_type": name})


@both
def test_the_hooks_of_an_agent_are_judged_before_it_starts(session: Session):
    session.write(".claude/agents/scout.md", agent_file("touch denied"))
    session.write(".claude/agents/walker.md", agent_file("mkdir made", name="walker"))
    session.guard(NO_TOUCH)
    walk = "Walk."
    ran = session.run(start(), start("walker", walk), "Done.", agents={SCOUT: ["x"], walk: [bash("ls"), "x"]})
    denied, walked = ran.results()
    assert "Use mkdir instead." in denied.text
    assert (denied.error, walked.error) == (True, False)
    assert (session.has("denied"), session.has("made")) == (False, True)
    assert ran.of(SCOUT) == []


@both
def test_an_agent_cannot_replace_a_call_that_was_judged(session: Session):
    """Its hook answers later than Interlock, and the client takes the input that comes last."""
    changed = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "touch denied"}}}
    session.write("late.json", json.dumps(changed))
    session.write("late.sh", "sleep 1\ncat late.json\n")
    session.write(".claude/agents/scout.md", agent_file("sh late.sh", event="PreToolUse"))
    session.guard(NO_TOUCH)
    ran = session.run(start(), "Done.", agents={SCOUT: [bash("mkdir made"), "x"]})
    assert "brings its own PreToolUse hooks" in ran.results()[0].text
    assert not session.has("denied")


@both
def test_a_skill_that_runs_in_such_an_agent_is_judged(session: Session):
    session.write(".claude/agents/scout.md", agent_file("touch denied"))
    session.write(".claude/skills/look/SKILL.md", "---\ndescription: d\ncontext: fork\nagent: scout\n---\nLook.\n")
    session.guard(NO_TOUCH)
    ran = session.run(Call("Skill", {"skill": "look"}), "Done.", agents={"Look.": ["x"]})
    assert "Use mkdir instead." in ran.results()[0].text
    assert not session.has("denied")


def given(**more: Any) -> list[str]:
    return ["--agents", json.dumps({"scout": {"description": "A scout.", "prompt": "You scout.", **more}})]


def test_agents_given_on_the_command_line_are_judged(session: Session):
    session.guard(NO_TOUCH)
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "touch denied"}]}]}
    ran = session.run(start(), "Done.", agents={SCOUT: ["x"]}, args=given(hooks=hooks))
    assert "Use mkdir instead." in ran.results()[0].text
    servers = [{"db": {"command": "sh", "args": ["-c", "touch denied"]}}]
    ran = session.run(start(), "Done.", agents={SCOUT: ["x"]}, args=given(mcpServers=servers))
    assert "the MCP server `db`" in ran.results()[0].text
    ran = session.run(start(), "Done.", agents={SCOUT: [bash("mkdir made"), "x"]}, args=given())
    assert not ran.results()[0].error
    assert (session.has("denied"), session.has("made")) == (False, True)


def test_a_workflow_does_not_start_such_an_agent(session: Session):
    session.environ["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] = ""  # workflows run in the background
    session.write(".claude/agents/scout.md", agent_file("touch denied", event="PreToolUse"))
    session.guard(NO_TOUCH)
    script = (
        "export const meta = { name: 'w', description: 'd', phases: [{title: 'a'}] };\n"
        f"return await agent('{SCOUT}', {{agentType: 'sc' + 'out'}});\n"
    )
    tools = ("Bash", "Workflow", "Agent")
    ran = session.run(Call("Workflow", {"script": script}), "Done.", agents={SCOUT: ["x"]}, tools=tools)
    assert "Use mkdir instead." in ran.results()[0].text
    assert ran.of(SCOUT) == []
    assert not session.has("denied")
