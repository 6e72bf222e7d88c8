"""The port and the token, our entry in a host's settings, and where HTTP hooks may not be used."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.hosts.claude_code import address as addresses
from interlock.hosts.claude_code.address import (
    Address,
    client_problem,
    new_address,
    proxy_problem,
    read_address,
    web_entry,
)
from interlock.hosts.claude_code.events import WEB_EVENTS

ADDRESS = Address(20_000, "t" * 43)


def test_what_was_kept_is_read_again(tmp_path: Path):
    made = new_address(tmp_path / "run")
    assert read_address(tmp_path / "run") == made
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "run" / "http.json").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["http.json"]


def test_each_address_has_a_token_of_its_own(tmp_path: Path):
    tokens = {new_address(tmp_path).token for _ in range(20)}
    assert len(tokens) == 20
    assert {len(token) for token in tokens} == {43}


def test_the_port_is_free_and_none_that_outgoing_connections_get(tmp_path: Path):
    port = new_address(tmp_path).port
    assert 15_000 <= port < 30_000
    socket.create_server(("127.0.0.1", port)).close()


def test_where_no_port_is_free_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(addresses, "_FIRST_PORT", taken.getsockname()[1])
        monkeypatch.setattr(addresses, "_PORTS", 1)
        with pytest.raises(InterlockError, match="no free port from"):
            new_address(tmp_path)


def test_no_address_is_none(tmp_path: Path):
    assert read_address(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"port": 80, "token": "%s"}', '{"port": 20000, "token": "short"}'])
def test_what_is_no_address_is_said_to_be_none(text: str, tmp_path: Path):
    (tmp_path / "http.json").write_text(text.replace("%s", "t" * 43), "utf-8")
    (tmp_path / "http.json").chmod(0o600)
    with pytest.raises(InterlockError, match="holds no address"):
        read_address(tmp_path)


def test_one_that_others_can_read_is_not_used(tmp_path: Path):
    new_address(tmp_path)
    (tmp_path / "http.json").chmod(0o640)
    with pytest.raises(InterlockError, match="is not private to this user"):
        read_address(tmp_path)


def test_a_link_is_not_followed(tmp_path: Path):
    new_address(tmp_path / "other")
    (tmp_path / "http.json").symlink_to(tmp_path / "other" / "http.json")
    with pytest.raises(InterlockError, match="cannot read"):
        read_address(tmp_path)


def test_where_it_cannot_be_written_it_says_so(tmp_path: Path):
    (tmp_path / "run").write_text("a file", "utf-8")
    with pytest.raises(InterlockError, match="cannot write"):
        new_address(tmp_path / "run")


def test_an_entry_fails_closed_and_carries_the_token_itself():
    assert web_entry("PreToolUse", ADDRESS) == {
        "type": "http",
        "url": "http://127.0.0.1:20000/hook/PreToolUse",
        "headers": {"Authorization": "Bearer " + "t" * 43},
        "timeout": 600,
        "onFailure": "block",
    }
    assert web_entry("PostToolUse", ADDRESS, 30)["timeout"] == 30


@pytest.mark.parametrize(
    "event", ["SessionStart", "Setup", "TeammateIdle", "TaskCompleted", "WorktreeCreate", "ConfigChange", "Nonsense"]
)
def test_other_events_stay_with_the_spawned_client(event: str):
    assert event not in WEB_EVENTS
    with pytest.raises(InterlockError, match=f"{event} is not sent over HTTP"):
        web_entry(event, ADDRESS)


PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("environ", "settings"),
    [
        ({}, {}),
        ({"NO_PROXY": "example.com"}, {}),
        ({"HTTP_PROXY": ""}, {}),
        ({"HTTP_PROXY": PROXY, "NO_PROXY": "127.0.0.1"}, {}),
        ({"http_proxy": PROXY, "no_proxy": "localhost, 127.0.0.1,::1"}, {}),
        ({"ALL_PROXY": PROXY, "NO_PROXY": "*"}, {}),
        ({"HTTP_PROXY": PROXY}, {"NO_PROXY": "127.0.0.1"}),
        ({"HTTP_PROXY": PROXY}, {"HTTP_PROXY": ""}),
        ({"HTTP_PROXY": PROXY, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1 example.com"}, {}),
        ({"FTP_PROXY": PROXY}, {}),
    ],
)
def test_no_proxy_comes_between(environ: dict[str, str], settings: dict[str, str]):
    assert proxy_problem(environ, settings) is None


@pytest.mark.parametrize(
    ("environ", "settings", "named"),
    [
        ({"HTTP_PROXY": PROXY}, {}, "HTTP_PROXY in the environment"),
        ({"http_proxy": PROXY}, {}, "http_proxy in the environment"),
        ({"HTTPS_PROXY": PROXY}, {}, "HTTPS_PROXY in the environment"),
        ({"all_proxy": PROXY}, {}, "all_proxy in the environment"),
        ({}, {"HTTP_PROXY": PROXY}, "HTTP_PROXY in the settings"),
        ({"NO_PROXY": "127.0.0.1"}, {"HTTP_PROXY": PROXY, "NO_PROXY": ""}, "HTTP_PROXY in the settings"),
        ({"HTTP_PROXY": PROXY, "NO_PROXY": "localhost"}, {}, "HTTP_PROXY in the environment"),
        ({"HTTP_PROXY": PROXY, "NO_PROXY": "127.0.0.10,x127.0.0.1"}, {}, "HTTP_PROXY in the environment"),
        ({"HTTP_PROXY": PROXY, "NO_PROXY": "127.0.0.1", "no_proxy": "x"}, {}, "HTTP_PROXY in the environment"),
    ],
)
def test_a_proxy_that_would_get_our_events_is_named(environ: dict[str, str], settings: dict[str, str], named: str):
    problem = proxy_problem(environ, settings)
    assert problem is not None
    assert problem.startswith(f"{named} sends HTTP hooks to a proxy; put 127.0.0.1 into NO_PROXY")


@pytest.mark.parametrize("version", ["2.1.295", "2.1.325 (Claude Code)", "2.2.0", "3.0.0\n", "10.0.0"])
def test_clients_that_close_on_failures_may_use_http(version: str):
    assert client_problem(version) is None


@pytest.mark.parametrize("version", ["2.1.294", "2.1.197 (Claude Code)", "2.0.999", "1.9.999"])
def test_older_clients_may_not(version: str):
    problem = client_problem(version)
    assert problem is not None
    assert "2.1.295 or newer" in problem


@pytest.mark.parametrize("version", ["", "unknown", "2.1", "v2.1.300", "2.1.300-beta", "2.1.300.4"])
def test_what_is_no_version_may_not_either(version: str):
    problem = client_problem(version)
    assert problem is not None
    assert "is not a version of Claude Code" in problem


@given(st.tuples(*[st.integers(0, 10_000)] * 3))
def test_versions_are_compared_as_numbers(version: tuple[int, int, int]):
    assert (client_problem(".".join(map(str, version))) is None) == (version >= (2, 1, 295))
