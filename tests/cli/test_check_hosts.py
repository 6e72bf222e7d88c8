"""`interlock check --host`: which rules are weaker in another agent, by name and place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from interlock.cli import check as module
from interlock.config.bundles import core_policy
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


def core_cases(tool: str) -> int:
    """How many cases of the pack that is always in force are calls of this tool."""
    cases = [case.given for rule, _ in core_policy().rules for case in rule.cases]
    return sum(isinstance(given, dict) and tool in given for given in cases)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path, monkeypatch)
    found.policy(*RULES)
    return found


def test_what_is_weaker_is_said_by_rule_and_place(project: Project):
    text = project.run("check", "interlock.yaml", "--host", "codex").output
    held = re.search(r"  (\d+) of (\d+) cases get the same verdict in Codex; it never sends the other \d+: .*\n", text)
    assert held is not None
    assert int(held[2]) - 10 < int(held[1]) < int(held[2])
    assert text[text.index("\nin Codex") :].replace(held[0], "") == (
        "\nin Codex\n"
        "  1 rule is about events that Codex does not have, and never runs:\n"
        "    batches (interlock.yaml:8)\n"
        "  3 rules ask in the inbox, and deny if nobody answers:\n"
        "    pushes (interlock.yaml:3), 2 of the pack `core`\n"
        "  1 rule that allows does not skip Codex's own question:\n"
        "    reads (interlock.yaml:5)\n"
        "  never judged: input that is typed into a running program; web searches that OpenAI runs; the "
        "results of calls that failed\n"
    )


def test_every_case_is_tried_as_the_agent_sends_it_and_what_it_never_sends_is_counted(project: Project):
    project.policy(
        "{id: no-rm, command: rm, deny: Never, cases: {catch: [rm, {Bash: rm y, given: {agent: coder}}], pass: [ls]}}",
        "{id: no-page, url: a.example, deny: Never, cases: {catch: ['curl a.example', {WebFetch: 'https://a.example'}]}}",
        "{id: plans, mode: plan, command: ls, deny: Never, cases: {catch: [{Bash: ls, given: {mode: plan}}]}}",
    )
    project.write(
        """\
        policy: interlock.yaml
        scenarios:
          - {name: plain, steps: [{call: rm x, expect: deny}]}
          - {name: at the end, steps: [{event: SubagentStop, expect: none}]}
        """,
        "a.test.yaml",
    )
    found = project.data("check", "interlock.yaml", "a.test.yaml", "--host", "codex,gemini")
    tried = {name: one["tried"] for name, one in found["hosts"].items()}
    assert found["ok"] is True
    assert (tried["codex"]["scenarios"], tried["codex"]["differ"]) == (2, [])
    own = ("has no tool `WebFetch`", "does not know the mode `plan`", "does not say which subagent makes a call")
    counts = [tuple(tried[host]["never_sent"].get(why, 0) for why in own) for host in ("codex", "gemini")]
    core = core_cases("WebFetch")
    assert counts == [(core + 1, 1, 0), (0, 1, 2)]


def test_a_case_that_is_judged_otherwise_there_is_an_error_at_its_line(project: Project, monkeypatch):
    real = HOSTS["codex"].sample
    assert real is not None
    deaf = replace(HOSTS["codex"], sample=lambda tool, given, cwd: real("Bash", {"command": "true"}, cwd))
    monkeypatch.setattr(module, "HOSTS", {"codex": deaf})
    project.policy("{id: no-rm, command: rm, deny: Not here., cases: {catch: [rm x], pass: [ls]}}")
    code, text = project.said("check", "interlock.yaml", "--host", "codex")
    assert code == 1
    assert (
        "case: `no-rm` gives another verdict if Codex sends this: the decision is nothing, not deny; "
        "the rules are nothing, not no-rm; the reasons are nothing, not Not here.\n"
        " --> interlock.yaml:3:"
    ) in text
    assert '"differ": [' in project.run("check", "interlock.yaml", "--host", "codex", "--json").stdout
    assert "::error file=interlock.yaml,line=3,col=" in project.run(
        "check", "interlock.yaml", "--host", "codex", "--format", "github"
    ).stdout  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "host", "kind"),
    [
        ("agent: coder", "gemini", "agent"),
        ("when: agent == 'coder'", "gemini", "agent"),
        ("agent: coder", "codex", None),
        ("mode: plan", "codex", "mode"),
        ("mode: bypassPermissions", "codex", None),
        ("mode: '*'", "gemini", None),
        ("mode: [plan, default]", "gemini", None),
        ("when: mode != 'plan'", "gemini", "mode"),
        ("mode: plan", "qwen", None),
        ("server: user", "qwen", "source"),
        ("when: server.source == 'user'", "opencode", "source"),
        ("server: user", "claude-code", None),
        ("mode: plan", "claude-code", None),
    ],
)
def test_a_rule_about_what_the_agent_does_not_say_is_weaker(project: Project, rule: str, host: str, kind: str | None):
    project.policy(f"{{id: asks-much, tool: mcp__a__b, {rule}, deny: Never}}")
    found = project.data("check", "interlock.yaml", "--host", host)["hosts"][host]["weaker"]
    assert [one["what"] for one in found if one["rule"] == "asks-much"] == ([kind] if kind else [])


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
