"""`interlock hook` under a policy, as a host spawns it: one process an event, with state and record between them."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.store.place import store_file
from tests.lint.project import Ended, Project, decision, reason

REFUNDS = """\
version: 1
let:
  limits: {new: 100, regular: 300, vip: 1000}
state: {tenure: {}}
rules:
  - id: customer-known
    event: PostToolUse
    tool: mcp__crm__get_customer
    set:
      tenure: {"${input.customer_id}": "${output.tenure}"}
  - id: refund-over-limit
    tool: process_refund
    when: input.amount > limits[?state.tenure[?input.customer_id].orValue("new")].orValue(100)
    deny: A refund of $${input.amount} is over the limit.
"""
FOUR = (
    '{id: no-rm, command: rm, deny: "`${match.command.text}` is closed. Use trash."}',
    "{id: ask-mv, command: mv, ask: Move it?}",
    "{id: yes-ls, command: ls, allow: true}",
    "{id: shorter, command: sleep, change: {timeout: 5}, allow: true}",
)
BROKEN = "version: 1\nrules:\n  - id: no-rm\n    comand: rm\n    deny: No.\n"
FILES = {"interlock.db", "interlock.db-wal", "interlock.db-shm", "interlock.db.anchor"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def together(project: Project, raws: list[bytes]) -> list[Ended]:
    """Several events at the same moment, each in a process of its own."""
    command = [sys.executable, "-m", "interlock", "hook", "claude-code"]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=project.root, env=project.environ())
        for _ in raws
    ]
    for process, raw in zip(running, raws, strict=True):
        assert process.stdin is not None
        process.stdin.write(raw)
        process.stdin.close()
        process.stdin = None
    found = []
    for process in running:
        stdout, stderr = process.communicate(timeout=60)
        found.append(Ended(command, process.returncode, stdout, stderr))
    return found


# --- what is answered and what is recorded -------------------------------------------------------------------


def test_every_sort_of_answer_and_a_record_of_each(project: Project):
    project.policy(*FOUR)
    project.trust()
    commands = ("rm x", "mv x y", "ls", "sleep 1", "cat x")
    answers = [project.hook(project.call("Bash", command, f"c{n}")) for n, command in enumerate(commands)]
    assert [(decision(one), one.returncode) for one in answers] == [
        ("deny", 2), ("ask", 0), ("allow", 0), ("allow", 0), (None, 0),
    ]  # fmt: skip
    denied = "`rm x` is closed. Use trash."
    assert json.decode(answers[0].stdout) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": denied,
        }
    }  # fmt: skip
    assert answers[0].stderr.decode() == f"{denied}\n"
    assert (reason(answers[1]), answers[1].stderr) == ("Move it?", b"")
    output = json.decode(answers[3].stdout)["hookSpecificOutput"]
    assert output["updatedInput"] == {"command": "sleep 1", "timeout": 5}
    assert json.decode(answers[4].stdout) == {}
    records = project.records()
    assert [(one.session, one.event, one.tool, one.decision, one.rules) for one in records] == [
        ("s1", "PreToolUse", "Bash", "deny", ("no-rm",)),
        ("s1", "PreToolUse", "Bash", "ask", ("ask-mv",)),
        ("s1", "PreToolUse", "Bash", "allow", ("yes-ls",)),
        ("s1", "PreToolUse", "Bash", "allow", ("shorter",)),
        ("s1", "PreToolUse", "Bash", None, ()),
    ]
    assert json.decode(records[0].raw)["tool_input"] == {"command": "rm x"}
    assert "deny by no-rm: `rm x` is closed. Use trash." in project.said("log")[1]
    assert project.said("log", "--verify") == (0, "5 records, all in order\n")


def test_a_flat_host_is_answered_by_the_same_policy(project: Project):
    project.policy(*FOUR)
    ended = project.spawn("hook", "flat", stdin=project.call("Bash", "rm x"))
    denied = "`rm x` is closed. Use trash."
    keys = {"decision": "deny", "message": denied, "blocked": True, "system_prompt": None, "updated_input": None}
    assert (json.decode(ended.stdout), ended.returncode) == (keys, 2)
    assert [one.decision for one in project.records()] == ["deny"]


def without_id(project: Project, event: str, tool: str, given: dict[str, Any], **more: Any) -> bytes:
    """A payload as the founding documents have it: it does not name the call."""
    payload = json.decode(project.event(event, tool_name=tool, tool_input=given, **more))
    payload.pop("tool_use_id", None)
    return json.encode(payload)


def test_a_flat_host_need_not_name_its_calls(project: Project):
    """S0-05 S0-06 S0-09 The payloads of the founding documents have no `tool_use_id`."""
    project.policy(*FOUR)
    project.trust()
    said = []
    for command in ("rm x", "ls", "rm x", "echo"):
        ended = project.spawn("hook", "flat", stdin=without_id(project, "PreToolUse", "Bash", {"command": command}))
        said.append((json.decode(ended.stdout)["decision"], ended.returncode))
    assert said == [("deny", 2), ("allow", 0), ("deny", 2), (None, 0)]
    # The second `rm x` is an event of its own: nothing shows that it is the first one again.
    assert [one.decision for one in project.records()] == ["deny", "allow", "deny", None]
    assert project.said("log", "--verify") == (0, "4 records, all in order\n")


def test_claude_code_names_its_calls_or_is_refused(project: Project):
    project.policy(*FOUR)
    ended = project.spawn("hook", "claude-code", stdin=without_id(project, "PreToolUse", "Bash", {"command": "ls"}))
    assert decision(ended) == "deny"
    assert reason(ended) == "PreToolUse: the field `tool_use_id` is missing"


def test_a_result_that_names_no_call_sets_nothing_and_says_so(project: Project):
    project.write(REFUNDS)
    project.trust()
    customer = {"customer_id": "c1"}
    project.spawn("hook", "flat", stdin=without_id(project, "PreToolUse", "mcp__crm__get_customer", customer))
    result = without_id(project, "PostToolUse", "mcp__crm__get_customer", customer, tool_response={"tenure": "vip"})
    ended = project.spawn("hook", "flat", stdin=result)
    assert ended.returncode == 0
    assert (
        b"mcp__crm__get_customer (without a `tool_use_id`) sets no state: there is no open receipt for the call"
        in ended.stderr
    )
    refund = {"customer_id": "c1", "amount": 900}
    ended = project.spawn("hook", "flat", stdin=without_id(project, "PreToolUse", "process_refund", refund))
    assert ended.returncode == 2


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("Notification", {"message": "m", "notification_type": "idle"}),
        ("UserPromptSubmit", {"prompt": "hello"}),
        ("Stop", {"stop_hook_active": False}),
        ("SessionEnd", {"reason": "other"}),
    ],
)
def test_events_that_are_no_calls_are_recorded_too(project: Project, event: str, fields: dict[str, object]):
    ended = project.hook(project.event(event, **fields))
    assert (json.decode(ended.stdout), ended.stderr, ended.returncode) == ({}, b"", 0)
    assert [(one.event, one.tool, one.decision) for one in project.records()] == [(event, None, None)]


def test_no_secret_of_an_event_is_found_on_the_disk(project: Project):
    aws, github = "AKIAABCDEFGHIJKLMNOP", "ghp_" + "a1B2" * 9
    project.policy('{id: no-rm, command: rm, deny: "`${match.command.text}` is closed."}')
    project.trust()
    denied = project.hook(project.call("Bash", f"rm {aws}"))
    assert aws in reason(denied)
    given = {"file_path": "a.txt", "content": f"token {github}"}
    project.hook(project.call("Write", given, "c2"))
    project.hook(project.result("Write", given, {"filePath": "a.txt", "note": aws}, "c2"))
    assert len(project.records()) == 3
    for file in project.home.rglob("*"):
        if file.is_file():
            found = file.read_bytes()
            assert aws.encode() not in found, file
            assert github.encode() not in found, file


@pytest.mark.parametrize(
    "rule",
    ['{id: a, path: /a/**, deny: "${match.path} is closed."}', "{id: a, path: /a/**, change: {file_path: /b}}"],
    ids=["reason", "changed input"],
)
def test_no_secret_of_an_event_is_found_in_the_answer_kept_for_its_second_delivery(project: Project, rule: str):
    """It is kept encoded, which hides it from a search and from nobody else."""
    aws = "AKIAABCDEFGHIJKLMNOP"
    project.policy(rule)
    project.trust()
    project.hook(project.call("Write", {"file_path": f"/a/{aws}", "content": aws}))
    encoded = re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", store_file().read_bytes())
    decoded = b"".join(base64.b64decode(one[: len(one) // 4 * 4]) for one in encoded)
    assert aws.encode() not in decoded


def test_the_same_event_twice_is_answered_the_same_and_recorded_once(project: Project):
    project.policy("{id: count, tool: Bash, set: {n: '${state.n + 1}'}}",
                   "{id: limit, tool: Bash, when: state.n > 0, deny: Enough.}", top="state: {n: 0}\n")  # fmt: skip
    project.trust()
    raw = project.call("Bash", "ls")
    first, second = project.hook(raw), project.hook(raw)
    assert (first.stdout, first.stderr, first.returncode) == (second.stdout, second.stderr, second.returncode)
    assert (decision(first), len(project.records())) == (None, 1)
    third = project.hook(project.call("Bash", "ls", "c2"))
    assert decision(third) == "deny"
    fourth = project.hook(project.call("Bash", "ls", "c2"))
    assert (third.stdout, third.stderr, third.returncode) == (fourth.stdout, fourth.stderr, fourth.returncode)
    assert len(project.records()) == 2


# --- state -------------------------------------------------------------------------------------------------


def test_what_a_result_tells_one_process_another_decides_by(project: Project):
    """S1-15 Refunds by tenure, each event in a process of its own."""
    project.write(REFUNDS)
    project.trust()
    refund = {"customer_id": "c1", "amount": 500}
    customer = {"customer_id": "c1"}
    assert reason(project.hook(project.call("process_refund", refund, "r1"))) == "A refund of $500 is over the limit."
    project.hook(project.call("mcp__crm__get_customer", customer, "g1"))
    project.hook(project.result("mcp__crm__get_customer", customer, json.encode({"tenure": "vip"}).decode(), "g1"))
    assert decision(project.hook(project.call("process_refund", refund, "r2"))) is None
    other = {"customer_id": "c2", "amount": 500}
    assert decision(project.hook(project.call("process_refund", other, "r3"))) == "deny"


@pytest.mark.parametrize(
    ("top", "rules"),
    [
        (
            "state: {n: 0}\n",
            (
                "{id: a, tool: Bash, set: {n: '${state.n + 1}'}}",
                "{id: b, tool: Bash, when: state.n >= 5, deny: Enough.}",
            ),
        ),
        (
            "",
            (
                "{id: a, tool: Bash, when: 'count(\"a\") < 5'}",
                "{id: b, tool: Bash, when: 'count(\"a\") >= 5', deny: Enough.}",
            ),
        ),
    ],
    ids=["state", "count"],
)
def test_ten_calls_at_once_against_a_limit_of_five_let_exactly_five_through(
    project: Project, top: str, rules: tuple[str, ...]
):
    project.policy(*rules, top=top)
    project.trust()
    answers = together(project, [project.call("Bash", "ls", f"c{number}") for number in range(10)])
    decisions = [decision(one) for one in answers]
    assert (decisions.count(None), decisions.count("deny")) == (5, 5), [one.stderr for one in answers]
    assert len(project.records()) == 10
    assert project.said("log", "--verify")[0] == 0


# --- broken, missing, changed --------------------------------------------------------------------------------


def test_a_broken_policy_without_a_good_version_lets_only_reading_pass(project: Project):
    project.write(BROKEN)
    denied = project.hook(project.call("Bash", "ls"))
    assert (decision(denied), denied.returncode) == ("deny", 2)
    said = project.short(reason(denied))
    assert "[interlock.yaml:4:5]" in said
    assert "`interlock check`" in said
    read = project.hook(project.call("Read", {"file_path": "x"}, "c2"))
    assert (json.decode(read.stdout), read.returncode) == ({}, 0)
    prompt = project.hook(project.event("UserPromptSubmit", prompt="mend the policy"))
    assert prompt.returncode == 0
    assert "`interlock check`" in json.decode(prompt.stdout)["systemMessage"]
    assert [one.decision for one in project.records()] == ["deny", None, None]


def test_broken_or_deleted_after_a_good_version_the_last_good_holds_and_the_person_is_told(project: Project):
    file = project.policy(*FOUR)
    project.trust()
    assert decision(project.hook(project.call("Bash", "ls", "c0"))) == "allow"
    project.write(BROKEN)
    assert decision(project.hook(project.call("Bash", "rm x", "c1"))) == "deny"
    assert decision(project.hook(project.call("Bash", "ls", "c2"))) == "allow"
    told = json.decode(project.hook(project.event("UserPromptSubmit", prompt="go")).stdout)["systemMessage"]
    assert "interlock.yaml is broken (" in told
    assert "its last good version is in force" in told
    file.unlink()
    assert decision(project.hook(project.call("Bash", "rm x", "c3"))) == "deny"
    told = json.decode(project.hook(project.event("UserPromptSubmit", prompt="go on")).stdout)["systemMessage"]
    assert "is gone; its last good version is in force" in told


def test_an_untrusted_change_tightens_at_once_and_loosens_only_after_trust(project: Project):
    project.policy(*FOUR)
    project.trust()
    assert decision(project.hook(project.call("Bash", "rm x", "c0"))) == "deny"
    project.policy("{id: no-cp, command: cp, deny: No cp.}", "{id: yes-rm, command: rm, path: '**', allow: true}")
    calls = ("rm x", "cp x y", "ls")
    found = [decision(project.hook(project.call("Bash", one, f"c1{n}"))) for n, one in enumerate(calls)]
    assert found == ["deny", "deny", "allow"]
    project.trust()
    found = [decision(project.hook(project.call("Bash", one, f"c2{n}"))) for n, one in enumerate(calls)]
    assert found == ["allow", "deny", None]


def test_untrusted_a_policy_denies_and_asks_and_does_nothing_else(project: Project):
    marker = project.root / "ran"
    project.write(f"open({str(marker)!r}, 'w')\n", "guards.py")
    project.policy(
        *FOUR,
        f'{{id: checked, tool: Bash, run: "touch {marker}; exit 1", deny: Checked.}}',
        "{id: count, tool: Bash, set: {n: '${state.n + 1}'}}",
        "{id: limit, tool: Bash, when: state.n > 0, deny: Enough.}",
        top=f'state: {{n: 0}}\nhooks: [./guards.py, {{run: "touch {marker}"}}]\n',
    )
    commands = ("rm x", "mv x y", "ls", "sleep 1")
    answers = [project.hook(project.call("Bash", command, f"c{n}")) for n, command in enumerate(commands)]
    assert [decision(one) for one in answers] == ["deny", "ask", None, None]
    assert json.decode(answers[3].stdout) == {}
    assert not marker.exists()


# --- whose policy ------------------------------------------------------------------------------------------


def test_a_nested_repository_with_a_policy_of_its_own_changes_nothing(project: Project):
    project.policy(*FOUR)
    project.trust()
    nested = project.root / "vendored"
    (nested / ".git").mkdir(parents=True)
    project.policy("{id: yes-all, tool: '*', allow: true}", name="vendored/interlock.yaml")
    project.trust("vendored/interlock.yaml")
    assert decision(project.hook(project.call("Bash", "rm x", "c0"))) == "deny"
    moved = project.call("Bash", "rm x", "c1", cwd=str(nested))
    assert decision(project.hook(moved, cwd=nested)) == "deny"
    fresh = project.call("Bash", "rm x", "c2", cwd=str(nested), session_id="s2")
    assert decision(project.hook(fresh, cwd=nested)) == "allow"


def test_the_hosts_own_project_folder_decides_and_not_where_the_agent_stands(project: Project):
    project.policy(*FOUR)
    project.trust()
    nested = project.root / "vendored"
    nested.mkdir()
    project.policy("{id: yes-all, tool: '*', allow: true}", name="vendored/interlock.yaml")
    project.trust("vendored/interlock.yaml")
    raw = project.call("Bash", "rm x", cwd=str(nested))
    assert decision(project.hook(raw, cwd=nested, CLAUDE_PROJECT_DIR=str(project.root))) == "deny"


def test_a_policy_that_is_named_holds_alone_beside_the_built_in_rules(project: Project):
    project.policy(*FOUR)
    other = project.policy("{id: no-cat, command: cat, deny: No cat.}", name="team.yaml")
    assert decision(project.hook(project.call("Bash", "cat x", "c0"), "--policy", other)) == "deny"
    assert decision(project.hook(project.call("Bash", "rm x", "c1"), "--policy", other)) is None
    guarded = project.call("Bash", "interlock pause --for 1h", "c2")
    assert decision(project.hook(guarded, "--policy", other)) == "deny"


def test_a_relative_policy_is_refused_under_an_agent_that_moves_about(project: Project):
    project.policy(*FOUR)
    ended = project.hook(project.call("Bash", "cat x"), "--policy", "interlock.yaml", CLAUDECODE="1")
    assert ended.returncode == 2
    assert b"`interlock.yaml` depends on the folder the agent is in; give an absolute path" in ended.stderr
    ended = project.hook(project.call("Bash", "cat x"), "--policy", project.root / "interlock.yaml", CLAUDECODE="1")
    assert ended.returncode == 0


def test_hook_files_beside_a_policy_are_asked_too(project: Project):
    project.policy(*FOUR)
    text = 'from interlock import hook, deny\n@hook("PreToolUse")\ndef no_cat(call):\n'
    guards = project.write(text + '    return deny("No cat.") if "cat" in call.input["command"] else None\n', "g.py")
    file = project.root / "interlock.yaml"
    options = ("--policy", file, "--hooks", guards)
    assert reason(project.hook(project.call("Bash", "cat x"), *options)) == "No cat."
    assert decision(project.hook(project.call("Bash", "rm x", "c2"), *options)) == "deny"


# --- the store fails -----------------------------------------------------------------------------------------


@pytest.fixture
def no_store(project: Project) -> Project:
    """Where the store should be stands a file: nothing can be kept, also not by root."""
    project.state.mkdir(parents=True)
    (project.state / "store").write_text("in the way", encoding="utf-8")
    project.policy("{id: yes-ls, command: ls, allow: true}")
    project.trust()
    return project


def test_without_a_store_a_call_is_denied_with_the_reason(no_store: Project):
    ended = no_store.hook(no_store.call("Bash", "ls"))
    assert ended.returncode == 2
    assert b"interlock.db failed: " in ended.stderr


def test_without_a_store_a_permission_request_is_denied_in_its_own_words(no_store: Project):
    """Exit 2 means nothing to Claude Code there."""
    ended = no_store.hook(no_store.event("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"}))
    assert ended.returncode == 0
    assert json.decode(ended.stdout)["hookSpecificOutput"]["decision"]["behavior"] == "deny"


@pytest.mark.parametrize(
    ("event", "fields"),
    [("Stop", {"stop_hook_active": False}), ("UserPromptSubmit", {"prompt": "mend the disk"})],
)
def test_without_a_store_the_agent_is_not_trapped_and_the_person_not_locked_out(
    no_store: Project, event: str, fields: dict[str, object]
):
    ended = no_store.hook(no_store.event(event, **fields))
    assert ended.returncode == 0
    assert "interlock.db failed: " in json.decode(ended.stdout)["systemMessage"]


def test_the_store_is_for_nobody_else_to_read(project: Project):
    project.hook(project.call("Bash", "ls"))
    for file in (project.state / "store").iterdir():
        assert file.stat().st_mode & 0o077 == 0, file
        assert file.name in FILES
