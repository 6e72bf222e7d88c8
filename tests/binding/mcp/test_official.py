"""The official client and server do not notice the proxy, except where a verdict says so."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.binding.mcp import peers
from tests.binding.mcp.spawned import LIMIT, PROXY, within

HERE = Path(__file__).parent
TEE = [sys.executable, str(HERE / "tee.py")]
POLICY = """
version: 1
approve: host
rules:
  - {id: never, tool: echo, when: 'input.?text.orValue("") == "never"', deny: Never.}
  - {id: maybe, tool: echo, when: 'input.?text.orValue("") == "maybe"', ask: Sure?}
  - {id: card, event: PostToolUse, output: "${sub(output, '4111[0-9]{12}', '(card)')}"}
"""


def session(mode: str, *command: str, asks: bool = False) -> list[Any]:
    script = str(HERE / "session.py")
    words = [peers.official(), script, mode, "asks" if asks else "-", *command]
    # A client gives its servers a home, and nothing else of the environment.
    ran = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, env=dict(os.environ))
    assert ran.returncode == 0, ran.stderr
    found: list[Any] = json.loads(ran.stdout)
    return found


def behind(*options: str, server: list[str]) -> list[str]:
    return [*PROXY, "--name", "all", *options, "--", *server]


def lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def everything() -> list[str]:
    return [peers.official(), str(HERE / "everything.py")]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_session_with_the_proxy_is_the_session_without_it(tmp_path, mode):
    direct, before, behind_ = (tmp_path / name for name in ("direct", "before", "behind"))
    without = session(mode, *TEE, str(direct), *everything())
    proxied = behind(server=[*TEE, str(behind_), *everything()])
    with_ = session(mode, *TEE, str(before), *proxied)
    assert with_ == without
    for way in (".up", ".down"):
        assert lines(before.with_suffix(way)) == lines(behind_.with_suffix(way)), "byte for byte, in order"
        assert lines(before.with_suffix(way)) == lines(direct.with_suffix(way)), "message by message"
    assert len(lines(direct.with_suffix(".down"))) > 15


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_only_what_a_verdict_is_about_differs(tmp_path, mode):
    (tmp_path / "policy.yaml").write_text(POLICY)
    without = dict(found[:2] for found in session(mode, *everything()) if found[0] != "progress")
    proxied = behind("--policy", str(tmp_path / "policy.yaml"), server=everything())
    with_ = session(mode, *proxied, asks=True)
    asked = [found[1] for found in with_ if found[0] == "asked"]
    came = dict(found[:2] for found in with_ if found[0] not in ("progress", "asked"))
    assert {name for name in came if came[name] != without[name]} == {"echo never", "customer", "fail"}
    assert came["echo never"]["content"] == [{"type": "text", "text": "Never."}]
    assert came["echo never"]["isError"] is True
    assert came["customer"]["structuredContent"] == {"who": "ada", "card": "(card)"}
    assert "4111" not in json.dumps(came)
    assert [text.splitlines()[:3] for text in asked] == [
        ["Interlock asks about mcp__all__echo", "  why   Sure?", '  runs  text = "maybe"']
    ]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_that_shows_no_questions_is_told_why_a_call_is_denied(tmp_path, mode):
    (tmp_path / "policy.yaml").write_text(POLICY)
    proxied = behind("--policy", str(tmp_path / "policy.yaml"), server=everything())
    came = dict(found[:2] for found in session(mode, *proxied) if found[0] != "progress")
    assert "no one can be asked here" in came["echo maybe"]["content"][0]["text"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_server_over_http_is_the_same_server(tmp_path, mode):
    (tmp_path / "policy.yaml").write_text(POLICY)
    without = session(mode, *behind("--policy", str(tmp_path / "policy.yaml"), server=everything()))
    with open_http(tmp_path) as url:
        proxied = [*PROXY, "--name", "all", "--policy", str(tmp_path / "policy.yaml"), "--url", url]
        assert session(mode, *proxied) == without


@contextmanager
def open_http(folder: Path) -> Iterator[str]:
    """The same server over HTTP, on a free port of the loopback."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    def is_up() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    with (folder / "http.log").open("w") as log:
        process = subprocess.Popen([*everything(), "http", str(port)], stdout=log, stderr=log)
        try:
            assert within(LIMIT, is_up), (folder / "http.log").read_text()
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()
            process.wait(LIMIT)


def test_the_peers_are_of_the_revisions_that_current_clients_speak(tmp_path):
    kept = tmp_path / "kept"
    for mode, revision in (("legacy", b"2025-11-25"), ("auto", b"2026-07-28")):
        session(mode, *TEE, str(kept), *everything())
        assert re.search(rb'rotocolVersion":"' + revision, kept.with_suffix(".up").read_bytes())
