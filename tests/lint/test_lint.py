"""What `check` warns of: rules that do nothing, or say what they should not. Each with its near misses."""

from __future__ import annotations

import pytest

from interlock.config.bundles import find_pack, load_file
from interlock.lint import PolicyFinding, lint
from interlock.policy.load import load_policy
from tests.lint.project import Project

OPAQUE = "{id: unreadable, when: opaque, deny: X.}"  # so that nothing is to be said about that


def findings(*rules: str, top: str = "") -> list[PolicyFinding]:
    text = f"version: 1\n{top}rules:\n" + "".join(f"  - {rule}\n" for rule in (*rules, OPAQUE))
    return list(lint(load_policy(text, "p.yaml", find_pack)))


def messages(*rules: str, top: str = "") -> list[str]:
    return [f"{finding.source}: {finding.message}" for finding in findings(*rules, top=top)]


# --- dead --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ('{id: a, tool: Bash, when: "false", deny: X.}', "its condition is false"),
        ("{id: a, tool: Read, command: rm, deny: X.}", "there is no command in Read"),
        ("{id: a, tool: [Read, Write], command: rm, deny: X.}", "there is no command in Read, Write"),
        ("{id: a, tool: Write, url: example.com, deny: X.}", "there is no address in Write"),
        ("{id: a, tool: WebFetch, path: /etc/, deny: X.}", "there is no path in WebFetch"),
        ("{id: a, tool: Read, kind: shell, deny: X.}", "none of its tools is of that kind"),
    ],
    ids=["false", "no command", "none has a command", "no address", "no path", "other kind"],
)
def test_a_rule_that_can_never_fire_is_found(rule: str, why: str):
    assert messages(rule) == [f"p.yaml:3:5: `a` can never fire: {why}"]


@pytest.mark.parametrize(
    "rule",
    [
        '{id: a, tool: Bash, when: "true", deny: X.}',
        "{id: a, tool: Bash, command: rm, deny: X.}",
        "{id: a, tool: [Read, Bash], command: rm, deny: X.}",
        "{id: a, tool: Bash, url: example.com, deny: X.}",
        "{id: a, tool: Bash, path: /etc/, deny: X.}",
        "{id: a, tool: mcp__files__save, path: /etc/, deny: X.}",
        "{id: a, tool: '*', command: rm, deny: X.}",
        "{id: a, command: rm, deny: X.}",
        "{id: a, tool: Read, kind: [shell, read], deny: X.}",
    ],
)
def test_a_rule_that_can_fire_is_left_alone(rule: str):
    assert messages(rule) == []


def test_what_a_policy_says_of_its_tools_counts():
    rule = "{id: a, tool: save, path: {write: /etc/}, deny: X.}"
    assert messages(rule, top="tools: {save: {write: target}}\n") == []


# --- shadowed ----------------------------------------------------------------------------------------------

BROAD = "{id: broad, tool: Bash, deny: X.}"


@pytest.mark.parametrize(
    ("mild", "strict", "says"),
    [
        ("{id: mild, tool: Bash, allow: true}", BROAD, "deny"),
        ("{id: mild, tool: Bash, ask: Sure?}", BROAD, "deny"),
        ("{id: mild, tool: Bash, command: ls, allow: true}", BROAD, "deny"),
        ("{id: mild, tool: Bash, allow: true}", "{id: broad, tool: Bash, ask: Sure?}", "ask"),
        ("{id: mild, tool: Bash, agent: reviewer, allow: true, unless: {branch: main}}", BROAD, "deny"),
    ],
)
@pytest.mark.parametrize("first", ["mild", "strict"])
def test_a_rule_that_a_stricter_one_hides_is_found_whichever_stands_first(
    mild: str, strict: str, says: str, first: str
):
    rules = (mild, strict) if first == "mild" else (strict, mild)
    line = 3 if first == "mild" else 4
    expected = f"p.yaml:{line}:5: `mild` never decides: `broad` catches the same calls and says {says}"
    assert messages(*rules) == [expected]


@pytest.mark.parametrize(
    ("mild", "strict"),
    [
        ("{id: mild, tool: Read, allow: true}", BROAD),
        ("{id: mild, tool: Bash, allow: true}", "{id: broad, tool: Bash, command: rm, deny: X.}"),
        ("{id: mild, tool: Bash, allow: true}", "{id: broad, tool: Bash, deny: X., unless: {branch: main}}"),
        ("{id: mild, tool: Bash, allow: true}", "{id: broad, tool: Bash, deny: X., observe: true}"),
        ("{id: mild, tool: Bash, allow: true}", '{id: broad, tool: Bash, deny: X., run: "false"}'),
        ("{id: mild, tool: Bash, deny: Y.}", BROAD),
        ("{id: mild, event: Stop, deny: Y.}", "{id: broad, event: PreToolUse, deny: X.}"),
        ("{id: mild, tool: Bash, change: {timeout: 5}, ask: Changed.}", BROAD),
        ("{id: mild, tool: Bash, notify: Seen.}", BROAD),
        ("{id: mild, command: git push, ask: Sure?}", "{id: broad, command: git push, push: main, deny: X.}"),
    ],
    ids=[
        *("other tool", "narrower", "excused", "observed", "checked", "as strict", "other event", "changes", "marks"),
        "some pushes",
    ],
)
def test_a_rule_that_is_not_hidden_is_left_alone(mild: str, strict: str):
    assert messages(mild, strict) == []


# --- what a host does not surely do --------------------------------------------------------------------------


def test_a_deny_of_a_permission_request_is_found():
    rule = "{id: a, event: PermissionRequest, tool: Bash, deny: X.}"
    assert messages(rule) == [
        "p.yaml:3:5: `a` denies a permission request, which has no effect if the person or another hook answers first; "
        "deny on PreToolUse"
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "{id: a, event: PermissionRequest, tool: Bash, allow: true}",
        "{id: a, event: PreToolUse, tool: Bash, deny: X.}",
        "{id: a, event: Stop, deny: X.}",
    ],
)
def test_what_a_host_honours_is_left_alone(rule: str):
    assert messages(rule) == []


# --- advice ------------------------------------------------------------------------------------------------


def test_advice_that_the_policy_itself_denies_is_found():
    assert messages(
        "{id: no-push, command: git push, deny: X.}",
        '{id: no-merge, command: git merge, deny: "Use `git push origin x` instead."}',
    ) == ["p.yaml:4:5: `no-merge` advises `git push origin x`, which `no-push` denies"]


def test_every_rule_that_gives_the_same_bad_advice_is_found():
    found = findings(
        "{id: no-push, command: git push, deny: X.}",
        '{id: a, command: git merge, deny: "Use `git push origin x` instead."}',
        '{id: b, command: git rebase, deny: "Use `git push origin x` instead."}',
    )
    assert [finding.rule for finding in found] == ["a", "b"]


def test_an_advised_tool_that_the_policy_denies_is_found():
    assert messages(
        "{id: no-people, tool: escalate_to_human, deny: X.}",
        "{id: no-refund, tool: process_refund, deny: Use escalate_to_human instead.}",
    ) == ["p.yaml:4:5: `no-refund` advises `escalate_to_human`, which `no-people` denies"]


@pytest.mark.parametrize(
    "rule",
    [
        '{id: a, command: rm, deny: "Use `trash x` instead."}',
        '{id: a, command: rm, deny: "`${match.command.text}` is closed."}',
        '{id: a, command: rm, deny: "Use escalate_to_human instead."}',
        '{id: a, command: rm, ask: "Really?"}',
    ],
    ids=["other command", "what was called", "other tool", "no advice"],
)
def test_advice_that_can_be_followed_is_left_alone(rule: str):
    assert messages(rule) == []


def test_naming_what_is_closed_is_no_advice_to_do_it():
    """The first half of a good reason: what, then what to do instead."""
    assert messages('{id: no-rm, command: rm, deny: "`rm` is closed. Use `trash` instead."}') == []


# --- all together ------------------------------------------------------------------------------------------


def test_findings_come_in_the_order_of_the_rules():
    found = findings(
        '{id: advised, command: git merge, deny: "Use `git push x` instead."}',
        "{id: hidden, command: git push, allow: true}",
        "{id: no-push, command: git push, deny: X.}",
        "{id: dead, tool: Read, command: ls, deny: X.}",
    )
    assert [(finding.rule, finding.source.line) for finding in found] == [("advised", 3), ("hidden", 4), ("dead", 6)]


@pytest.mark.parametrize("pack", ["core", "git", "secrets"])
def test_nothing_is_found_in_the_shipped_packs(pack: str):
    assert list(lint(load_policy(f"version: 1\npacks: [{pack}]\n", "p.yaml", find_pack))) == []


def test_nothing_is_executed_while_looking(tmp_path, monkeypatch):
    project = Project(tmp_path, monkeypatch)
    marker = project.root / "ran"
    file = project.policy(
        f'{{id: a, tool: Bash, run: "touch {marker}", deny: "Use `git push` instead."}}',
        top=f'hooks: [{{run: "touch {marker}"}}]\n',
    )
    list(lint(load_file(file)))
    assert not marker.exists()


# --- unreadable --------------------------------------------------------------------------------------------


def about_opaque(*rules: str, top: str = "") -> list[PolicyFinding]:
    text = f"version: 1\n{top}rules:\n" + "".join(f"  - {rule}\n" for rule in rules)
    return list(lint(load_policy(text, "p.yaml", find_pack)))


@pytest.mark.parametrize("rule", ["{id: a, command: touch ran, deny: X.}", "{id: a, does: git/*, deny: X.}"])
def test_a_policy_that_denies_commands_and_says_nothing_of_opaque_ones_is_told_the_rule_to_add(rule: str):
    [found] = about_opaque("{id: b, command: ls, ask: X.}", rule, "{id: c, command: rm, deny: X.}")
    assert (found.rule, str(found.source), found.message, found.help) == (
        "a",
        "p.yaml:4:5",
        "`a` denies commands, but no rule covers commands that cannot be known before they run (`$X`, `… | sh`)",
        'add a rule: {id: unreadable, when: opaque, ask: "Part of this command cannot be known before it runs. '
        'Run it?"}',
    )
    assert about_opaque(rule, found.help.removeprefix("add a rule: ")) == []


@pytest.mark.parametrize(
    "rules",
    [
        ("{id: a, command: rm, ask: X.}",),
        ("{id: a, path: {write: /etc/}, deny: X.}",),
        ("{id: a, tool: refund, when: input.amount > 5, deny: X.}",),
        ("{id: a, command: rm, deny: X., observe: true}",),
        ("{id: a, command: rm, deny: X.}", "{id: b, when: opaque && count('a') > 0, ask: X.}"),
        ("{id: a, command: rm, deny: X.}", "{id: b, when: unclear.size() > 0, deny: X.}"),
    ],
)
def test_a_policy_that_denies_no_command_or_speaks_of_opaque_ones_is_left_alone(rules: tuple[str, ...]):
    assert about_opaque(*rules) == []


def test_a_pack_that_speaks_of_opaque_commands_is_enough():
    rule = "{id: a, command: touch ran, deny: X.}"
    assert about_opaque(rule, top="packs: [guarded]\n") == []
    assert [found.rule for found in about_opaque(rule, top="packs: [git]\n")] == ["a"]


# --- the inbox ----------------------------------------------------------------------------------------------


def test_a_wait_that_no_hook_of_claude_code_has_time_for_is_found():
    assert messages(top="inbox: {wait: 1h}\n") == [
        "p.yaml:2:15: `inbox.wait` is 3600s, but Claude Code gives up a hook after 600s: "
        "its calls wait 480s for an answer"
    ]
    assert messages(top="inbox: {wait: 8m}\n") == []
