"""A policy means the same on every host: all that is tried anywhere, as each host sends it, with the same verdict."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interlock.config.bundles import PACKS, find_pack, load_file
from interlock.hosts import HOSTS
from interlock.policy.load import Policy, load_policy
from interlock.policy.positions import read_yaml
from interlock.testing.portability import CaseElsewhere, play_cases
from interlock.testing.scenarios import ScenarioResult, policy_named_in, run_scenarios

EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = [name for name, host in HOSTS.items() if host.sample is not None]
# Their results, prompts and ends of turns have forms that nothing here makes; their calls are compared like all others.
CALLS_ONLY = ("cursor", "vscode", "windsurf")
WHOLE = [name for name in OTHERS if name not in CALLS_ONLY]
# What a host never sends, so that no rule about it can hold there. Nothing else is left out.
RARE = "Notification / PreCompact"
NEVER = {
    "amp": {
        "does not raise": f"PermissionRequest / PostToolUse / SessionStart / Stop / UserPromptSubmit / {RARE}",
        "does not know the mode": "plan",
        "does not say": "which subagent makes a call",
        "has no tool": "MultiEdit / NotebookEdit",
    },
    "cline": {
        "does not raise": f"PermissionRequest / PostToolUseFailure / SessionStart / Stop / UserPromptSubmit / {RARE}",
        "does not know the mode": "plan",
        "does not say": "which subagent makes a call",
        "has no tool": "MultiEdit / NotebookEdit",
    },
    "codex": {
        "does not raise": f"PostToolUseFailure / SubagentStart / SubagentStop / {RARE}",
        "does not know the mode": "plan",
        "has no tool": "Grep / LS / MultiEdit / NotebookEdit / WebFetch / WebSearch",
    },
    "copilot": {
        "does not raise": f"SubagentStart / SubagentStop / {RARE}",
        "does not know the mode": "plan",
        "has no tool": "LS / MultiEdit / NotebookEdit / WebSearch",
    },
    "gemini": {
        "does not raise": f"PermissionRequest / PostToolUseFailure / {RARE}",
        "does not know the mode": "plan",
        "does not say": "which subagent makes a call",
        "has no tool": "MultiEdit / NotebookEdit",
    },
    "opencode": {
        "does not raise": f"PermissionRequest / PostToolUseFailure / SessionStart / Stop / SubagentStart / {RARE}",
        "does not know the mode": "acceptEdits",
        "has no tool": "MultiEdit / NotebookEdit",
    },
    "qwen": {
        "does not raise": f"SubagentStart / SubagentStop / {RARE}",
        "has no tool": "MultiEdit",
    },
    "droid": {
        "does not raise": f"PermissionRequest / PostToolUseFailure / {RARE}",
        "does not say": "which subagent makes a call",
        "has no tool": "NotebookEdit",
    },
    "kiro": {
        "does not raise": f"PermissionRequest / PostToolUseFailure / Stop / {RARE}",
        "does not know the mode": "plan",
        "does not say": "which subagent makes a call",
        "has no tool": "MultiEdit / NotebookEdit",
    },
    "vscode": {
        "does not raise": f"PermissionRequest / PostToolUseFailure / {RARE}",
        "does not know the mode": "plan",
        "does not say": "which subagent makes a call",
        "has no tool": "MultiEdit / WebSearch",
    },
}
EVERYWHERE = {
    "does not say where an MCP server comes from",
    "is not the agent that is named",
}
AMBIGUOUS = "the name of a tool: judged as every tool that it may be"
TILDE = "a path that begins with `~`: judged as a folder of that name as well"
# What becomes of a verdict that the host would ignore, if no person is asked elsewhere.
LOSSES = {
    "kiro": "allow: no decision / ask: deny / change: deny / output: withheld / withheld: shown all the same / "
    "context: shown to the person / deny: a notice",
    "droid": "allow: no decision / ask: deny / change: deny / output: withheld / withheld: shown all the same / "
    + TILDE,
    "vscode": f"change: deny / output: withheld / withheld: shown all the same / {AMBIGUOUS}",
    "amp": "change: deny",
    "cline": "allow: no decision / ask: deny / change: deny / output: withheld / withheld: shown all the same",
    "codex": "allow: no decision / ask: deny",
    "copilot": "",
    "gemini": "allow: no decision / context: shown to the person",
    "opencode": f"allow: no decision / ask: deny / {TILDE}",
    "qwen": f"allow: no decision / change: deny / {TILDE}",
}


def words(text: str) -> set[str]:
    return {one.strip() for one in text.split("/") if one.strip()}


@cache
def policies() -> tuple[Policy, ...]:
    """The shipped packs, the policies of the cookbook, and all other examples."""
    packs = [load_policy(file.read_bytes(), str(file), find_pack) for file in sorted(PACKS.glob("*.yaml"))]
    files = [file for file in sorted(EXAMPLES.rglob("*.yaml")) if not file.name.endswith(".test.yaml")]
    return (*packs, *(load_file(file) for file in files))


@cache
def played() -> tuple[CaseElsewhere, ...]:
    hosts = [HOSTS[name] for name in OTHERS]
    return tuple(one for policy in policies() for one in play_cases(policy, hosts))


@cache
def scenarios(host: str) -> tuple[ScenarioResult, ...]:
    found: list[ScenarioResult] = []
    for file in sorted(EXAMPLES.rglob("*.test.yaml")):
        document = read_yaml(file.read_bytes(), str(file))
        found += run_scenarios(document, load_file(file.parent / policy_named_in(document)), HOSTS[host])
    return tuple(found)


@cache
def about_calls() -> frozenset[tuple[str, str]]:
    """The rules about calls that have not run, by their file and name."""
    return frozenset(
        (policy.file, rule.id) for policy in policies() for rule, _ in policy.rules if rule.events[0] == "PreToolUse"
    )


@pytest.mark.parametrize("host", CALLS_ONLY)
def test_every_call_has_the_verdict_that_it_has_in_claude_code(host: str):
    found = [one for one in played() if one.host == host and (one.source.file, one.rule) in about_calls()]
    assert [(f"{one.source}", one.rule, one.differs) for one in found if one.differs] == []
    assert sum(not one.unsendable for one in found) > 1500


@pytest.mark.parametrize("host", WHOLE)
def test_every_case_has_the_verdict_that_it_has_in_claude_code(host: str):
    found = [one for one in played() if one.host == host]
    assert [(f"{one.source}", one.rule, one.differs) for one in found if one.differs] == []
    assert sum(not one.unsendable for one in found) > 2000


@pytest.mark.parametrize("host", WHOLE)
def test_every_scenario_goes_as_it_does_in_claude_code(host: str):
    results = scenarios(host)
    assert [(f"{one.source}", one.name, one.message) for one in results if not one.ok] == []
    assert sum(not one.unsendable for one in results) >= 20


@pytest.mark.parametrize("host", WHOLE)
def test_what_a_host_never_sends_is_listed_by_name(host: str):
    unsendable = {one.unsendable for one in played() if one.host == host}
    unsendable |= {one.unsendable for one in scenarios(host)}
    listed = {f"{what} {name}" for what, names in NEVER[host].items() for name in words(names)}
    assert {one.replace("`", "") for one in unsendable} - EVERYWHERE - {""} == listed


@pytest.mark.parametrize("host", WHOLE)
def test_what_a_host_would_ignore_of_a_verdict_is_listed_by_name(host: str):
    losses = {f"{loss.effect}: {loss.instead}" for one in played() if one.host == host for loss in one.losses}
    assert losses == words(LOSSES[host])
