"""The plugin for OpenCode, run by Node with a client that says what the test wants."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.opencode import setup

NODE = shutil.which("node")
DRIVER = Path(__file__).with_name("driver.mjs")
WITHHELD = f"[withheld by Interlock: {COULD_NOT_RUN}]"
# It keeps what it is told, and says and does what the input or the result of the call tells it to.
CLIENT = """
import json, sys, time
said = json.loads(sys.stdin.read())
with open(__file__ + ".log", "a") as log:
    log.write(json.dumps([sys.argv[1:], said]) + "\\n")
told = said.get("args", {}).get("tell") or json.loads(said.get("prompt", "{}"))
time.sleep(told.get("seconds", 0))
print(told.get("text", json.dumps(told.get("answer", {}))))
sys.exit(told.get("code", 0))
"""

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


class Plugin:
    """The plugin as it is installed, but with another client."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.client = folder / "client.py"
        self.client.write_text(CLIENT, encoding="utf-8")
        monkeypatch.setattr(setup, "client_file", lambda: self.client)
        self.file = folder / "interlock.mjs"
        self.file.write_text(setup.plugin_text(), encoding="utf-8")

    def run(self, *steps: tuple[str, dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
        command = [NODE or "", str(DRIVER), str(self.file), json.dumps(steps)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def heard(self) -> list[tuple[list[str], dict[str, Any]]]:
        lines = Path(f"{self.client}.log").read_text(encoding="utf-8").splitlines()
        return [tuple(json.loads(line)) for line in lines]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugin:
    return Plugin(tmp_path, monkeypatch)


def before(tell: dict[str, Any], tool: str = "bash", session: str = "ses_root", **more: Any) -> Any:
    about = {"tool": tool, "sessionID": session, "callID": "call_0"}
    return "tool.execute.before", about, {"args": {"command": "ls", "tell": tell}, **more}


def after(tell: dict[str, Any], output: dict[str, Any], tool: str = "bash", session: str = "ses_root") -> Any:
    about = {"tool": tool, "sessionID": session, "callID": "call_0", "args": {"command": "ls", "tell": tell}}
    return "tool.execute.after", about, output


def test_a_call_runs_as_it_is_or_as_it_was_changed_or_not_at_all(plugin: Plugin):
    said = plugin.run(
        before({}),
        before({"answer": {"deny": "Use mkdir instead."}}),
        before({"answer": {"args": {"command": "pwd"}, "notice": "Look here."}}),
        before({"answer": {"args": {"command": "pwd"}}}, frozen=True),
    )
    as_it_is, denied, changed, frozen = said["ran"]
    assert (as_it_is["error"], as_it_is["output"]["args"]["command"]) == (None, "ls")
    assert denied["error"] == "Use mkdir instead."
    assert (changed["error"], changed["output"]["args"], changed["same"]) == (None, {"command": "pwd"}, True)
    assert frozen["error"] is not None
    assert said["toasts"] == ["Look here."]


def test_without_a_proper_answer_no_call_runs_and_no_result_is_read(plugin: Plugin):
    bad = ({"text": "{"}, {"text": ""}, {"text": "[]"}, {"text": "null"}, {"code": 1}, {"code": 2, "text": ""})
    result = {"output": "secret", "metadata": {"output": "secret", "exit": 0}}
    said = plugin.run(*(before(tell) for tell in bad), *(after(tell, result) for tell in bad))
    assert [one["error"] for one in said["ran"][: len(bad)]] == [COULD_NOT_RUN] * len(bad)
    assert [one["output"]["output"] for one in said["ran"][len(bad) :]] == [WITHHELD] * len(bad)
    assert "secret" not in json.dumps(said["ran"])


def test_without_an_interpreter_or_an_answer_in_time_no_call_runs(plugin: Plugin):
    text = plugin.file.read_text(encoding="utf-8")
    plugin.file.write_text(text.replace('"PreToolUse": 600', '"PreToolUse": 0.1'), encoding="utf-8")
    (late,) = plugin.run(before({"seconds": 60}))["ran"]
    assert late["error"] == COULD_NOT_RUN
    for place in (plugin.file.with_name("nowhere"), plugin.file):  # no such folder, and a file in its place
        other = text.replace(json.dumps(sys.executable), json.dumps(f"{place}/python"))
        plugin.file.write_text(other, encoding="utf-8")
        gone, unread = plugin.run(before({}), after({}, {"output": "secret"}))["ran"]
        assert gone["error"] == COULD_NOT_RUN
        assert (unread["error"], unread["output"]["output"]) == (None, WITHHELD)


def test_a_result_is_replaced_everywhere_and_the_model_is_told_what_it_should_know(plugin: Plugin):
    hide = {"answer": {"output": "[hidden]", "context": "Ask for it."}}
    blocks = [{"type": "text", "text": "secret"}]
    said = plugin.run(
        before({"answer": {"context": "This was changed."}}),
        after(hide, {"output": "secret", "metadata": {"output": "secret", "exit": 0}, "attachments": ["secret"]}),
        after({"answer": {"output": ""}}, {"output": "secret"}, session="ses_child"),
        after(hide, {"content": blocks, "structuredContent": {"a": "secret"}}, "github_read", "ses_child"),
        after({}, {"content": blocks}, "github_read", "ses_child"),
    )
    _, text, empty, blocks_of, kept = (one["output"] for one in said["ran"])
    assert text["output"] == "[hidden]\n\nThis was changed.\n\nAsk for it."
    assert (text["metadata"], text["attachments"]) == ({"output": "[replaced by Interlock]", "exit": 0}, [])
    assert empty["output"] == ""
    assert blocks_of == {"content": [{"type": "text", "text": "[hidden]"}, {"type": "text", "text": "Ask for it."}]}
    assert kept == {"content": blocks}


def test_the_client_is_told_whose_call_it_is_and_which_servers_its_tool_may_belong_to(plugin: Plugin):
    plugin.run(before({}), before({}, "github_read", "ses_child"), before({}), after({}, {"output": "a"}))
    heard = plugin.heard()
    words, said = heard[1]
    assert (words[0], words[2]) == ("opencode:PreToolUse", "/w/project")
    ids = [one.pop("call_id") for _, one in heard]
    assert said == {
        "hook_event_name": "tool.execute.before", "session_id": "ses_root", "agent_id": "ses_child",
        "cwd": "/w/project", "tool": "github_read", "servers": ["pay.ments", "github"],
        "args": {"command": "ls", "tell": {}},
    }  # fmt: skip
    assert (len(set(ids)), ids[3]) == (3, ids[2])  # the model used one name for three calls
    assert heard[3][1]["result"] == "a"


def test_the_client_is_told_which_agent_acts_since_it_was_last_prompted(plugin: Plugin):
    def prompt(session: str, agent: str) -> Any:
        message = {"id": "msg_1", "agent": agent}
        return "chat.message", {"sessionID": session}, {"message": message, "parts": [{"type": "text", "text": "{}"}]}

    plugin.run(
        before({}), prompt("ses_root", "build"), before({}), prompt("ses_child", "reviewer"),
        before({}, session="ses_child"), before({}), prompt("ses_root", "plan"), before({}),
    )  # fmt: skip
    heard = [(said.get("agent_id"), said.get("agent")) for _, said in plugin.heard()]
    main = [agent for child, agent in heard if child is None]
    assert main == [None, "build", "build", "build", "plan", "plan"]
    assert [agent for child, agent in heard if child is not None] == ["reviewer"]


def test_all_that_a_server_says_is_judged(plugin: Plugin):
    said = {"content": [{"type": "text", "text": "paid"}], "structuredContent": {"amount": 5}}
    plugin.run(after({}, dict(said), "github_read"))
    assert plugin.heard()[0][1]["result"] == said


def test_a_prompt_can_be_refused_and_passes_if_nobody_judges_it(plugin: Plugin):
    def prompt(tell: dict[str, Any], session: str = "ses_root") -> Any:
        parts = [{"type": "text", "text": json.dumps(tell)}, {"type": "text", "text": "{", "synthetic": True}]
        return "chat.message", {"sessionID": session}, {"message": {"id": "msg_1"}, "parts": parts}

    said = plugin.run(
        prompt({"answer": {"deny": "Not like this."}}),
        prompt({"answer": {"context": "The word is plugh."}}),
        prompt({"code": 1}),
        prompt({"answer": {"deny": "Not like this."}}, "ses_child"),
    )
    refused, told, unjudged, inside = said["ran"]
    assert refused["error"] == "Not like this."
    assert told["output"]["parts"][2]["text"] == "The word is plugh."
    assert (unjudged["error"], inside["error"]) == (None, None)
    assert said["toasts"] == ["Not like this.", COULD_NOT_RUN]
