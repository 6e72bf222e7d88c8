"""`interlock check --host`: which rules are weaker in another agent, by name and place."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from interlock.cli import check as module
from interlock.hosts import HOSTS
from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, effects
from interlock.lint.weaker import KINDS
from tests.lint.project import Project

RULES = (
    "{id: pushes, command: git push, ask: Sure?}",
    "{id: asked-elsewhere, command: git tag, ask: Sure?, approve: inbox}",
    "{id: reads, tool: Read, allow: true}",
    "{id: gentle, tool: Bash, command: ls, change: {command: ls -l}}",
    "{id: hidden, event: PostToolUse, tool: Bash, output: '${redact(output)}'}",
    "{id: batches, event: PostToolBatch, when: 'true', context: hello}",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path, monkeypatch)
    found.policy(*RULES)
    return found


def test_what_is_weaker_is_said_by_rule_and_place(project: Project):
    text = project.run("check", "interlock.yaml", "--host", "codex").output
    assert text[text.index("\nin Codex") :] == (
        "\nin Codex\n"
        "  1 rule is about events that Codex does not have, and never runs:\n"
        "    batches (interlock.yaml:8)\n"
        "  3 rules that ask wait in the inbox, and deny if nobody answers:\n"
        "    pushes (interlock.yaml:3), 2 of the pack `core`\n"
        "  1 rule that allows spares nobody a question: Codex's own permissions decide:\n"
        "    reads (interlock.yaml:5)\n"
        "  never judged there: what is typed into a program that runs already; web searches that OpenAI runs; the "
        "results of tools that failed\n"
    )


def test_nothing_is_weaker_in_claude_code(project: Project):
    text = project.run("check", "interlock.yaml", "--host", "claude-code").output
    assert text.endswith("\nin Claude Code: every rule does what it says\n")


def test_an_agent_that_honours_nothing_but_denials_weakens_everything_else(project: Project, monkeypatch):
    def write(verdict, event):
        return NativeAnswer()

    rows = {
        "PreToolUse": HookRow("PreToolUse", effects("deny"), write),
        "PostToolUse": HookRow("PostToolUse", effects(""), write, holds_back=False),
    }
    dialect = TableDialect("Plain", rows, lambda payload: payload)
    events = events_with(dialect, dict.fromkeys(rows, HostEvent(seconds=60)))
    plain = replace(HOSTS["codex"], name="plain", title="Plain", dialect=dialect, events=events, unseen=())
    monkeypatch.setattr(module, "HOSTS", {"plain": plain})
    monkeypatch.setattr(module, "chosen_hosts", lambda named: ["plain"])
    found = project.data("check", "interlock.yaml", "--host", "plain")["hosts"]["plain"]
    assert found["unseen"] == []
    own = [one for one in found["weaker"] if "/" not in one["rule"]]
    assert {(one["rule"], one["what"]) for one in own if one["at"].startswith("interlock.yaml")} == {
        ("pushes", "ask"),
        ("reads", "allow"),
        ("gentle", "change"),
        ("hidden", "shown"),
        ("batches", "never runs"),
    }
    assert {one["what"] for one in found["weaker"]} <= KINDS.keys()


def test_another_agents_name_of_the_shell_is_pointed_out(project: Project):
    tools = [one for host in HOSTS.values() for one in host.tools.items()]
    shells = [name for name, tool in tools if tool.name == "Bash" and "_" in name]
    if not shells:
        pytest.skip("no host has a name of its own for the shell")
    project.policy(f"{{id: shell, tool: {shells[0]}, deny: Use Bash.}}")
    found = project.data("check", "interlock.yaml")["findings"]
    assert [(one["rule"], one["help"]) for one in found] == [("shell", "write `Bash`, which means them all")]
