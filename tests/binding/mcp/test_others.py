"""Servers that nobody here wrote, behind the proxy, with the protocol spoken by hand."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.binding.mcp import peers
from tests.binding.mcp.spawned import Spawned
from tests.binding.mcp.world import call, denied, notification, request

POLICY = """\
version: 1
approve: host
rules:
  - {id: tokyo, tool: convert_time, when: input.target_timezone == "Asia/Tokyo", deny: Tokyo is closed.}
  - {id: outside, tool: read_text_file, when: 'input.path.endsWith(".env")', deny: "${input.path} holds secrets."}
  - {id: moved, tool: write_file, change: {path: "${input.path}.new"}}
  - {id: keys, event: PostToolUse, output: "${sub(output, 'sk-[a-z0-9]+', '(key)')}"}
  - {id: commit, tool: git_commit, ask: Commit?}
"""


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., Spawned]]:
    (tmp_path / "policy.yaml").write_text(POLICY)
    made: list[Spawned] = []

    def build(name: str, *arguments: str) -> Spawned:
        command = [peers.server(name), *arguments]
        one = Spawned(tmp_path, "--policy", str(tmp_path / "policy.yaml"), server=command)
        made.append(one)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        assert one.ask(request(0, "initialize", **hello))["result"]["serverInfo"]
        one.say(notification("notifications/initialized"))
        return one

    yield build
    for one in made:
        one.process.stdin.close()  # type: ignore[union-attr]
        assert one.code(10) == 0
        one.close()


def said(answer: Any) -> str:
    return str(answer["result"]["content"][0]["text"])


def asked(proxy: Spawned, message: dict[str, Any]) -> Any:
    """The answer to a message, past what the server says in between."""
    answer = proxy.ask(message)
    while "method" in answer:
        answer = proxy.hear()
    return answer


def test_the_time_server(spawn):
    proxy = spawn("mcp-server-time", "--local-timezone", "UTC")
    given = {"source_timezone": "UTC", "time": "10:00"}
    berlin = asked(proxy, call(1, "convert_time", **given, target_timezone="Europe/Berlin"))
    assert json.loads(said(berlin))["target"]["timezone"] == "Europe/Berlin"
    assert asked(proxy, call(2, "convert_time", **given, target_timezone="Asia/Tokyo")) == denied(2, "Tokyo is closed.")


def test_the_git_server(spawn, tmp_path):
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / "a.txt").write_text("x")
    proxy = spawn("mcp-server-git")
    assert "a.txt" in said(asked(proxy, call(1, "git_status", repo_path=str(repository))))
    refused = said(asked(proxy, call(2, "git_commit", repo_path=str(repository), message="m")))
    assert "no one can be asked here" in refused


def test_the_filesystem_server(spawn, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("my key is sk-abc123, keep it")
    (folder / ".env").write_text("KEY=sk-abc123")
    proxy = spawn("mcp-server-filesystem", str(folder))
    read = asked(proxy, call(1, "read_text_file", path=str(folder / "a.txt")))
    assert said(read) == "my key is (key), keep it"
    assert read["result"]["structuredContent"] == {"content": "my key is (key), keep it"}
    assert said(asked(proxy, call(2, "read_text_file", path=str(folder / ".env")))).endswith(".env holds secrets.")
    written = asked(proxy, call(3, "write_file", path=str(folder / "b.txt"), content="b"))
    assert "Interlock changed `path`" in written["result"]["content"][-1]["text"]
    assert sorted(file.name for file in folder.iterdir()) == [".env", "a.txt", "b.txt.new"]
    failed = asked(proxy, call(4, "read_text_file", path="/etc/sk-abc999"))
    assert failed["result"]["isError"] is True
    assert "sk-abc999" not in json.dumps(failed)


def test_the_everything_server(spawn):
    proxy = spawn("mcp-server-everything")
    assert said(asked(proxy, call(1, "echo", message="token sk-abc1"))) == "Echo: token (key)"
    assert len(asked(proxy, request(2, "resources/list"))["result"]["resources"]) > 0
    assert asked(proxy, request(3, "tools/list"))["result"]["tools"]
