"""The real SDK with the client it brings, against a model that plays a script on loopback."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from interlock.approvals import Approval
from interlock.config.trust import Trust
from interlock.store.memory import MemoryStore
from interlock.store.place import open_store
from tests.binding.sdk import guard, play, policy_of, sdk
from tests.e2e.model import Call, Turn, bash

RULES = (
    "{id: never, tool: Bash, command: touch never, deny: Never touch that.}",
    "{id: asked, tool: Bash, command: touch asked, ask: Touch it?}",
    "{id: moved, tool: Bash, when: 'input.command == \"touch here\"', change: {command: touch there}, allow: true}",
    "{id: fine, tool: Bash, when: 'input.command == \"touch fine\"', allow: true}",
)


def guarded(folder: Path, *rules: str, **more: Any) -> Any:
    policy = policy_of(folder, *(rules or RULES))
    more.setdefault("store", MemoryStore())
    return lambda options: guard(options, policy=policy, **more)


def touched(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.is_file())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_calls_are_denied_changed_and_allowed(project, tmp_path):
    """S1-01, S1-02"""
    turns: list[Turn] = [bash("touch never"), bash("touch here"), bash("touch fine"), "Done."]
    ran = play(project, turns, guarded(tmp_path, alone=True))
    assert touched(project) == ["fine", "there"]
    assert ran.results[0] == ("PreToolUse:Bash hook error: Never touch that.", True)
    assert [error for _, error in ran.results[1:]] == [False, False]


def test_an_ask_goes_to_can_use_tool_and_an_edit_is_judged_again(project, tmp_path):
    """S0-01, S0-07"""
    asked: list[Any] = []
    edits = iter([{}, {"command": "touch fine"}, {"command": "touch never"}, None])

    async def can_use_tool(tool: str, given: dict[str, Any], context: Any) -> Any:
        asked.append((given["command"], context.decision_reason))
        edit = next(edits)
        if edit is None:
            return sdk.PermissionResultDeny(message="The person said no.")
        return sdk.PermissionResultAllow(updated_input={**given, **edit})

    turns: list[Turn] = [*[bash("touch asked")] * 2, bash("touch asked; true"), bash("touch asked  "), "Done."]
    ran = play(project, turns, guarded(tmp_path), can_use_tool=can_use_tool)
    assert touched(project) == ["asked", "fine"]
    assert [reason for _, reason in asked] == ["Touch it?"] * 4
    assert [error for _, error in ran.results] == [False, False, True, True]
    assert "Never touch that." in ran.results[2][0]
    assert "The person said no." in ran.results[3][0]


def test_an_approver_answers_where_nobody_else_could(project, tmp_path):
    """S0-02"""

    class Person:
        requests: list[Any] = []  # noqa: RUF012

        async def approve(self, request: Any) -> Approval:
            self.requests.append(request)
            return Approval(len(self.requests) == 1, reason="once is enough")

    person = Person()
    rule = "{id: a, tool: Bash, command: touch x, change: {command: touch y}, ask: Like this?}"
    ran = play(
        project, [bash("touch x"), bash("touch x"), "Done."], guarded(tmp_path, rule, approver=person, alone=True)
    )
    assert touched(project) == ["y"]
    assert [(request.input["command"], request.original["command"], request.reason) for request in person.requests] == [
        ("touch y", "touch x", "Like this?")
    ] * 2
    assert "once is enough" in ran.results[1][0]


def test_without_anybody_to_ask_an_ask_is_a_deny(project, tmp_path):
    ran = play(project, [bash("touch asked"), "Done."], guarded(tmp_path), permission_mode="acceptEdits")
    assert touched(project) == []
    assert ran.results[0][1]


@pytest.mark.parametrize("bad", ["raises", "none", "shape", "late"])
def test_a_hook_of_the_persons_own_that_fails_lets_no_call_through(project, tmp_path, bad):
    async def hook(given: Any, tool_use_id: str | None, context: Any) -> Any:
        if bad == "raises":
            raise RuntimeError("boom")
        if bad == "late":
            import anyio

            await anyio.sleep_forever()
        return {"permissionDecision": "deny"} if bad == "shape" else None

    own = {"PreToolUse": [sdk.HookMatcher("Bash", [hook], timeout=0.2)]}
    ran = play(project, [bash("touch fine"), "Done."], guarded(tmp_path), hooks=own)
    assert touched(project) == []
    assert re.search("hook `hook` .* (raised|failed)|hook failed", ran.results[0][0])


def test_a_permission_request_that_the_policy_denies_beats_a_yes(project, tmp_path):
    """S3-03"""

    async def yes(tool: str, given: dict[str, Any], context: Any) -> Any:
        return sdk.PermissionResultAllow()

    rule = "{id: a, event: PermissionRequest, tool: Bash, deny: Nobody is asked about that.}"
    ran = play(project, [bash("touch x"), "Done."], guarded(tmp_path, rule), can_use_tool=yes)
    assert touched(project) == []
    assert "Nobody is asked about that." in ran.results[0][0]


def test_the_sdks_own_mcp_tools_are_judged_and_their_results_are_changed(project, tmp_path):
    """S1-11, S3-09"""
    paid: list[Any] = []

    @sdk.tool("process_refund", "Refund.", {"amount": float})
    async def process_refund(given: dict[str, Any]) -> dict[str, Any]:
        paid.append(given["amount"])
        return {
            "content": [{"type": "text", "text": json.dumps({"card": "4111111111111111", "amount": given["amount"]})}]
        }

    server = sdk.create_sdk_mcp_server("payments", tools=[process_refund])
    rules = (
        "{id: limit, tool: process_refund, when: input.amount > 100, deny: Over the limit.}",
        "{id: mask, event: PostToolUse, tool: process_refund, output: {card: '****'}}",
    )
    turns = [Call("mcp__payments__process_refund", {"amount": amount}) for amount in (500, 50)]
    ran = play(
        project, [*turns, "Done."], guarded(tmp_path, *rules),
        mcp_servers={"payments": server}, allowed_tools=["mcp__payments"],
    )  # fmt: skip
    assert paid == [50]
    assert "Over the limit." in ran.results[0][0]
    assert json.loads(ran.results[1][0]) == {"card": "****", "amount": 50}
    assert not ran.reached_the_model("4111111111111111")


def test_beside_a_settings_hook_of_ours_the_same_event_is_judged_once(project, monkeypatch):
    # Here and in the spawned hook: both are judged by the same policies only if they look in the same places.
    monkeypatch.setattr("interlock.config.places.MANAGED", Path("/etc/interlock/policy.yaml"))
    (project / ".git").mkdir()
    (project / ".claude").mkdir()
    policy = project / "interlock.yaml"
    policy.write_text(
        "version: 1\nrules:\n"
        "  - {id: used, tool: Bash, when: 'count(\"used\") < 2', allow: true}\n"
        "  - {id: enough, tool: Bash, when: 'count(\"used\") >= 2', deny: Twice is enough.}\n",
        encoding="utf-8",
    )
    Trust().add(policy)
    command = {"type": "command", "command": sys.executable, "args": ["-I", "-m", "interlock", "hook", "claude-code"]}
    entry = [{"hooks": [{**command, "timeout": 60, "onFailure": "block"}]}]
    settings = {"hooks": dict.fromkeys(("PreToolUse", "PostToolUse"), entry)}
    (project / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    ran = play(
        project, [bash("touch a"), bash("touch b"), bash("touch c"), "Done."], guard, setting_sources=["project"]
    )
    assert [error for _, error in ran.results] == [False, False, True]
    assert (project / "b").exists()
    assert not (project / "c").exists()
    store = open_store()
    events = [record.event for record in store.records() if record.event in ("PreToolUse", "PostToolUse")]
    store.close()
    assert events == ["PreToolUse", "PostToolUse", "PreToolUse", "PostToolUse", "PreToolUse"]


def test_beside_it_a_hook_of_the_persons_own_still_denies(project):
    """An answer that others gave to the same event does not stand in for one in which that hook has a say."""
    (project / ".git").mkdir()
    (project / ".claude").mkdir()
    command = {"type": "command", "command": sys.executable, "args": ["-I", "-m", "interlock", "hook", "claude-code"]}
    settings = {"hooks": {"PreToolUse": [{"hooks": [{**command, "timeout": 60, "onFailure": "block"}]}]}}
    (project / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")

    async def no(given: Any, tool_use_id: str | None, context: Any) -> Any:
        import anyio

        store = open_store()
        # The spawned hook has answered first.
        while not any(record.event == "PreToolUse" for record in store.records()):
            await anyio.sleep(0.01)
        store.close()
        return {"decision": "block", "reason": "Not with me."}

    own = {"PreToolUse": [sdk.HookMatcher(None, [no])]}
    ran = play(
        project, [bash("touch a"), "Done."], guard,
        hooks=own, setting_sources=["project"], permission_mode="acceptEdits",
    )  # fmt: skip
    assert not (project / "a").exists()
    assert "Not with me." in ran.results[0][0]


def test_a_settings_file_that_switches_hooks_off_does_not_switch_the_guard_off(project, tmp_path):
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    turns: list[Turn] = [bash("touch never"), bash("touch fine"), "Done."]
    ran = play(project, turns, guarded(tmp_path), setting_sources=["project"])
    assert touched(project) == ["fine"]
    assert "Never touch that." in ran.results[0][0]


# --- what a person's own callbacks tell the client -----------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "requests"),
    [
        ([{"continue_": False, "stopReason": "Enough."}], 1),
        ([{"continue": False}, {"decision": "block", "reason": "Go on."}], 1),
        ([{"decision": "block", "reason": "Go on."}], 9),
    ],
    ids=["stop", "stop and block", "block"],
)
def test_a_callback_ends_the_turn_as_it_does_without_interlock(project, tmp_path, answers, requests):
    def callback(answer: dict[str, Any]) -> Any:
        async def hook(given: Any, tool_use_id: str | None, context: Any) -> Any:
            return answer

        return hook

    own = {"Stop": [sdk.HookMatcher(hooks=[callback(answer) for answer in answers])]}
    bare = play(project, ["Done."], lambda options: options, hooks=own)
    ran = play(project, ["Done."], guarded(tmp_path), hooks=own)
    assert (bare.requests, ran.requests) == (requests, requests)


def test_a_task_that_a_rule_refuses_stays_open(project, tmp_path):
    """A callback has no exit code, so it is denied in words; `continue: false` would let the task be done."""
    turns: list[Turn] = [
        Call("TaskCreate", {"subject": "Ship", "description": "it", "activeForm": "Shipping"}),
        Call("TaskUpdate", {"taskId": "1", "status": "completed"}),
        Call("TaskList", {}),
        "Done.",
    ]
    ran = play(project, turns, guarded(tmp_path, "{id: a, event: TaskCompleted, deny: Test it first.}"))
    assert "Test it first." in ran.results[1][0]
    assert ran.results[2] == ("#1 [pending] Ship", False)
