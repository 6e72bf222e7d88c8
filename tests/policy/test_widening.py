"""A name widens only what restricts: deny, ask and change reach the MCP twin, allow and set do not."""

import pytest

from tests.policy.builders import Session, decide, fired

TWIN = {"mcp__payments__process_refund": {"amount": 9}}


@pytest.mark.parametrize("decision", ["deny", "ask"])
def test_a_bare_name_that_restricts_also_means_the_mcp_tool(decision):
    policy = f"rules: [{{id: r, tool: process_refund, {decision}: x}}]"
    assert decide(policy, {"process_refund": {}}) == decision
    assert decide(policy, TWIN) == decision
    assert decide(policy, {"mcp__payments__process_refunds": {}}) is None
    assert decide(policy, {"mcp__process_refund__list": {}}) is None


def test_a_bare_name_that_changes_also_means_the_mcp_tool():
    policy = "rules: [{id: r, tool: process_refund, change: {amount: 1}}]"
    assert Session(policy).call(TWIN).input == {"amount": 1}


@pytest.mark.parametrize("name", ["process_refund", "'*refund'", "/refund/", "'mcp__*'", "mcp__payments__*"])
def test_an_allow_does_not_widen_to_an_mcp_tool_by_short_name_glob_or_regex(name):
    assert decide(f"rules: [{{id: r, tool: {name}, allow: true}}]", TWIN) is None


def test_an_allow_needs_the_built_in_tool_the_full_name_or_the_source_of_its_server():
    assert decide("rules: [{id: r, tool: Read, allow: true}]", {"Read": "a"}) == "allow"
    assert decide("rules: [{id: r, tool: mcp__payments__process_refund, allow: true}]", TWIN) == "allow"
    by_source = "rules: [{id: r, tool: 'mcp__payments__*', server: user, allow: true}]"
    assert decide(by_source, TWIN, {"server": "user"}) == "allow"
    assert decide(by_source, TWIN, {"server": "project"}) is None


def test_an_mcp_tool_named_like_a_built_in_is_not_allowed_as_one():
    for name in ("Read", "Bash", "'*'"):
        assert (
            decide(f"rules: [{{id: r, tool: {name}, allow: true}}]", {f"mcp__evil__{name.strip(chr(39))}": {}}) is None
        )


def test_set_does_not_widen():
    policy = """
        state: {verified: false}
        rules:
          - {id: s, tool: verify, set: {verified: true}}
          - {id: a, tool: Bash, when: state.verified, ask: verified}
    """
    own = Session(policy)
    own.call({"verify": {}})
    assert own.call("ls").decision == "ask"
    twin = Session(policy)
    twin.call({"mcp__evil__verify": {}})
    assert twin.call("ls").decision is None


def test_set_by_the_source_of_the_server_is_done():
    policy = """
        state: {verified: false}
        rules:
          - {id: s, tool: verify, server: user, set: {verified: true}}
          - {id: a, tool: Bash, when: state.verified, ask: verified}
    """
    for source, decision in (("user", "ask"), ("project", None)):
        session = Session(policy, given={"server": source})
        session.call({"mcp__crm__verify": {}})
        assert session.call("ls").decision == decision


def test_a_rule_by_kind_or_for_every_tool_allows_no_unknown_tool_by_its_name():
    assert decide("rules: [{id: r, kind: read, allow: true}]", {"mcp__x__Read": {"file_path": "a"}}) is None


# Shells

WITH_COMMAND = {"command": "rm -rf x", "description": "d", "timeout_ms": 1}


@pytest.mark.parametrize("tool", ["Bash", "PowerShell", "Monitor"])
def test_bash_means_every_tool_that_carries_a_command(tool):
    assert decide("rules: [{id: r, tool: Bash, deny: x}]", {tool: WITH_COMMAND}) == "deny"
    assert decide("rules: [{id: r, tool: Bash, command: rm -rf, deny: x}]", {tool: WITH_COMMAND}) == "deny"


def test_bash_does_not_mean_a_monitor_without_a_command():
    watching = {"Monitor": {"ws": {"url": "wss://x"}, "description": "d", "timeout_ms": 1}}
    assert decide("rules: [{id: r, tool: Bash, deny: x}]", watching) is None
    assert decide("rules: [{id: r, tool: Monitor, deny: x}]", watching) == "deny"


def test_an_allow_of_bash_allows_no_other_shell():
    policy = "rules: [{id: r, tool: Bash, allow: true}]"
    assert decide(policy, "ls") == "allow"
    assert decide(policy, {"PowerShell": "ls"}) is None
    assert decide(policy, {"Monitor": {"command": "ls"}}) is None


def test_powershell_does_not_mean_bash():
    assert decide("rules: [{id: r, tool: PowerShell, deny: x}]", "ls") is None


# Renamed tools


@pytest.mark.parametrize(("written", "called"), [("Task", "Agent"), ("Agent", "Task"), ("KillBash", "TaskStop")])
def test_renamed_tools_keep_matching_either_way(written, called):
    assert decide(f"rules: [{{id: r, tool: {written}, deny: x}}]", {called: {}}) == "deny"
    assert decide(f"rules: [{{id: r, tool: {written}, allow: true}}]", {called: {}}) == "allow"
    assert decide(f"rules: [{{id: r, tool: {written}, deny: x}}]", {"TaskCreate": {}}) is None


def test_unless_by_a_bare_name_does_not_excuse_the_mcp_twin():
    policy = "rules: [{id: r, unless: {tool: lookup}, deny: only lookup}]"
    assert decide(policy, {"lookup": {}}) is None
    assert decide(policy, {"mcp__evil__lookup": {}}) == "deny"
    assert decide("rules: [{id: r, unless: {tool: mcp__crm__lookup}, deny: x}]", {"mcp__crm__lookup": {}}) is None


def test_unless_by_a_bare_name_takes_the_mcp_twin_out_of_an_allow():
    policy = "rules: [{id: r, server: user, unless: {tool: delete}, allow: true}]"
    assert decide(policy, {"mcp__crm__read": {}}, {"server": "user"}) == "allow"
    assert decide(policy, {"mcp__crm__delete": {}}, {"server": "user"}) is None


def test_unless_bash_does_not_excuse_powershell():
    policy = "rules: [{id: r, kind: shell, unless: {tool: Bash}, deny: only bash}]"
    assert decide(policy, "ls") is None
    assert decide(policy, {"PowerShell": "ls"}) == "deny"


def test_a_widened_allow_that_also_tells_still_tells():
    verdict = Session("rules: [{id: r, tool: process_refund, allow: true, context: told}]").call(TWIN)
    assert (verdict.decision, verdict.told, fired(verdict)) == (None, "told", ["r"])
