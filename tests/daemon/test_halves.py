"""Calls about which Cursor raises two events: what is left to the second one, and what happens if that is missing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from interlock.daemon.frames import HookRequest
from interlock.daemon.halves import Half, Halves
from interlock.daemon.peers import Process
from interlock.event import ToolEvent
from interlock.hosts import HOSTS
from interlock.hosts.base import commands
from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.installing import HostSpot, apply_setup, plan_setup
from interlock.hosts.base.reply import Reply
from interlock.verdict import Opinion, combine
from tests.daemon.spawned import Home

CURSOR = HOSTS["cursor"]
EDITOR = Process(pid=7, started=1)


class Editor:
    """One process of Cursor, in a project with Interlock's entries, and the events that it raises."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.root.mkdir()
        self.file = self.root / ".cursor" / "hooks.json"
        apply_setup(plan_setup([HostSpot(host=CURSOR, scope="project", root=self.root, home=folder / "home")]))
        self.halves = Halves()

    def without(self, native: str) -> None:
        said = json.loads(self.file.read_text(encoding="utf-8"))
        del said["hooks"][native]
        self.file.write_text(json.dumps(said), encoding="utf-8")

    def request(self, native: str, entry: str = "cursor", **fields: Any) -> tuple[HookRequest, ToolEvent]:
        about = {"conversation_id": "c", "cursor_version": "1.0.0", "workspace_roots": [str(self.root)]}
        raw = json.dumps({**about, "hook_event_name": native, **fields}).encode()
        event = CURSOR.dialect.decode(raw)
        assert isinstance(event, ToolEvent)
        return HookRequest(event.hook_event_name, None, raw, "cursor", entry=entry), event

    def take(self, native: str, entry: str = "cursor", **fields: Any) -> Half:
        request, event = self.request(native, entry, **fields)
        return self.halves.take(request, event, EDITOR)

    def tool(self, call: str, entry: str = "cursor", **given: Any) -> Half:
        return self.take("preToolUse", entry, tool_name="MCP:refund", tool_input=given, tool_use_id=call)

    def servers(self, **given: Any) -> str:
        fields: dict[str, Any] = {"tool_name": "refund", "tool_input": json.dumps(given), "mcp_server_name": "pay"}
        return self.take("beforeMCPExecution", **fields).request.call

    def result(self, call: str, tool: str = "MCP:refund", **given: Any) -> tuple[str, str]:
        """Why it cannot be judged, and the name of its tool."""
        fields: dict[str, Any] = {"tool_name": tool, "tool_input": given, "tool_use_id": call, "tool_output": "{}"}
        half, (_, event) = self.take("postToolUse", **fields), self.request("postToolUse", **fields)
        named = self.halves.name(event)
        assert isinstance(named, ToolEvent)
        return half.request.problem, named.tool_name

    def command(self, call: str, *said: Opinion, entry: str = "cursor") -> None:
        """The first event about a command, and its answer."""
        fields: dict[str, Any] = {"tool_name": "Shell", "tool_input": {"command": "touch a"}, "tool_use_id": call}
        half, (_, event) = self.take("preToolUse", entry, **fields), self.request("preToolUse", **fields)
        half.answered(Reply(stdout=b"", verdict=combine(said, event.tool_input)))

    def asks(self, entry: str = "cursor") -> bool:
        fields: dict[str, Any] = {"tool_name": "Shell", "tool_input": {"command": "touch b"}, "tool_use_id": "other"}
        self.take("preToolUse", entry, **fields)
        return self.halves.asks(self.request("preToolUse", entry, **fields)[0], EDITOR)


ASK = Opinion(by="asks", decision="ask", reason="Sure?")
DENY = Opinion(by="denies", decision="deny", reason="No.")


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Editor(tmp_path)


def test_a_servers_tool_is_left_to_the_event_that_names_the_server(editor: Editor):
    first = editor.tool("t", amount=5)
    assert first.reply is not None
    assert (first.reply.stdout, first.request.problem) == (b"{}", "")
    assert editor.servers(amount=5) == "t"
    assert editor.result("t", amount=5) == ("", "mcp__pay__refund")


def test_of_several_calls_that_are_alike_each_gets_an_id(editor: Editor):
    for call in ("t1", "t2"):
        editor.tool(call, amount=5)
    editor.tool("t3", amount=6)
    assert [editor.servers(amount=6), editor.servers(amount=5), editor.servers(amount=5)] == ["t3", "t1", "t2"]
    assert editor.servers(amount=5) == ""


def test_a_call_that_another_hook_changed_in_between_is_still_the_call(editor: Editor):
    editor.tool("t", amount=5)
    assert editor.servers(amount=4) == "t"


def test_a_call_that_comes_by_two_entries_is_one(editor: Editor):
    for entry in ("cursor", "any:"):
        assert editor.tool("t", entry, amount=5).reply is not None
    assert [editor.servers(amount=5), editor.servers(amount=5)] == ["t", ""]


@pytest.mark.parametrize("entry", ["any:", "claude-code"])
def test_nothing_is_left_to_an_entry_that_nobody_has_seen_running(editor: Editor, entry: str):
    first = editor.tool("t", entry, amount=5)
    assert first.reply is None
    assert "interlock init --host cursor" in first.request.problem
    assert not editor.asks(entry)


def test_nothing_is_left_to_an_entry_that_is_missing(editor: Editor):
    editor.without("beforeMCPExecution")
    assert editor.asks()
    assert editor.tool("t", amount=5).request.problem != ""
    editor.without("beforeShellExecution")
    assert not editor.asks()


def test_an_event_that_has_come_before_will_come(editor: Editor):
    editor.tool("t", amount=5)
    editor.servers(amount=5)
    editor.file.unlink()  # the editor read it when it started
    assert editor.tool("t2", amount=5).reply is not None
    assert not editor.asks()


def test_a_result_without_the_second_event_is_not_judged_and_nothing_more_is_left(editor: Editor):
    editor.tool("t", amount=5)
    assert "and not a second time" in editor.result("t", amount=5)[0]
    assert editor.tool("t2", amount=5).request.problem != ""
    assert editor.asks()  # that is another event


def test_a_command_that_ran_without_the_event_that_asks_is_noticed(editor: Editor):
    editor.command("t", ASK)
    assert "and not a second time" in editor.result("t", "Shell", command="touch a")[0]
    assert not editor.asks()


def test_a_command_that_nobody_asked_about_is_judged_though_the_second_event_is_missing(editor: Editor):
    editor.command("t")
    assert editor.result("t", "Shell", command="touch a") == ("", "Bash")
    assert not editor.asks()


def test_a_command_whose_second_event_came_is_as_it_should_be(editor: Editor):
    editor.command("t", ASK)
    assert editor.take("beforeShellExecution", command="touch a").request.call == "t"
    assert editor.result("t", "Shell", command="touch a") == ("", "Bash")
    assert editor.asks()


def test_no_second_event_is_expected_of_a_call_that_was_denied(editor: Editor):
    editor.command("t", DENY)
    assert editor.take("beforeShellExecution", command="touch a").request.call == ""
    assert editor.asks()


def test_a_result_of_a_server_that_nobody_named_is_not_judged(editor: Editor):
    assert "which server's tool" in editor.result("t", amount=5)[0]
    assert editor.result("t", "Shell", command="ls") == ("", "Bash")


# --- with a daemon ---------------------------------------------------------------------------------------------


def test_rules_for_a_server_hold_for_its_calls_and_their_results(home: Home, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands, "socket_path", lambda: home.socket)
    apply_setup(plan_setup([HostSpot(host=CURSOR, scope="project", root=home.project, home=home.home)]))
    home.policy(
        "{id: few, tool: mcp__pay__refund, when: input.amount > 100, deny: Too much.}",
        "{id: hides, event: PostToolUse, tool: 'mcp__pay__*', content: '/hunter[0-9]+/', output: '[hidden]'}",
    )
    home.trust()

    def say(native: str, event: str, **fields: Any) -> Any:
        about = {"conversation_id": "c", "cursor_version": "1.0.0", "workspace_roots": [str(home.project)]}
        raw = json.dumps({**about, "hook_event_name": native, **fields}).encode()
        command = hook_command("cursor", event, refuses=True)
        ran = subprocess.run(["/bin/sh", "-c", command], input=raw, capture_output=True, check=False, timeout=60)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    def call(id: str, server: str, amount: int) -> list[Any]:
        given = {"amount": amount}
        first = say("preToolUse", "PreToolUse", tool_name="MCP:refund", tool_input=given, tool_use_id=id)
        fields: dict[str, Any] = {"tool_name": "refund", "tool_input": json.dumps(given), "mcp_server_name": server}
        second = say("beforeMCPExecution", "PreToolUse", **fields)
        if second:
            return [first, second["permission"], second["user_message"]]
        shown = json.dumps({"content": [{"type": "text", "text": "key hunter2"}], "isError": False})
        fields = {"tool_name": "MCP:refund", "tool_input": given, "tool_use_id": id, "tool_output": shown}
        return [first, second, say("postToolUse", "PostToolUse", **fields)]

    assert call("t1", "pay", 500) == [{}, "deny", "Too much."]
    assert call("t2", "pay", 5) == [{}, {}, {"updated_mcp_tool_output": "[hidden]"}]
    assert call("t3", "other", 500) == [{}, {}, {}]
