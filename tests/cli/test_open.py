"""`interlock open`: the page's process, and the link that is shown on a terminal only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon import page_client
from interlock.daemon.peers import Hosts, Process, parent_of
from interlock.errors import InterlockError
from interlock.page.door import passphrase
from tests.cli.test_trust import at_terminal
from tests.daemon.test_peers import child
from tests.lint.project import Project
from tests.page.visit import Visit

LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/enter#([\w-]{43})")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    made = Project(tmp_path, monkeypatch)
    yield made
    page_client.stop_page()


def test_the_link_signs_in_once_and_the_page_goes_on_until_it_is_stopped(project: Project):
    code, shown = at_terminal(project, b"", "open")
    found = LINK.search(shown)
    assert code == 0, shown
    assert found is not None
    address, secret = f"http://127.0.0.1:{found[1]}", found[2]
    assert shown.replace("\r", "") == (
        "Open this link in your browser. It works once, for ten minutes:\n\n"
        f"  {address}/enter#{secret}\n\n"
        f"Signed in already: {address}\n"
        "End the page: interlock open --stop\n"
    )
    stranger = Visit(address)
    assert stranger.get("/inbox").status == 401
    answer = stranger.post("/enter", {"secret": secret})
    assert answer.status == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"interlock-{found[1]}=")
    assert cookie.endswith("; HttpOnly; Max-Age=43200; Path=/; SameSite=strict")
    assert Visit(address, {"Cookie": cookie.partition(";")[0]}).get("/inbox").status == 200

    state = page_client.state_of_page()
    again = LINK.search(at_terminal(project, b"", "open", "--json")[1])
    assert again is not None
    assert again[2] != secret
    assert page_client.state_of_page() == state, "the page that runs is used again"

    place = page_client.control_place()
    assert (place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert secret not in place.with_name("page.log").read_text(encoding="utf-8")

    assert at_terminal(project, b"", "open", "--stop") == (0, "The page has stopped.\r\n")
    assert page_client.state_of_page() is None
    assert at_terminal(project, b"", "open", "--stop") == (0, "No page was running.\r\n")


def test_without_a_terminal_there_is_no_page_and_no_link(project: Project):
    for words in ("open", "open --json", "open --stop", "open --set-passphrase", "open --clear-passphrase"):
        result = project.run(*words.split())
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "error: only a person at a terminal can open the page\n"
    assert page_client.state_of_page() is None


def test_the_link_is_not_written_where_a_program_could_read_it(project: Project):
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "interlock", "open", "--json"]
    done = subprocess.run(
        command, stdin=theirs, stdout=subprocess.PIPE, cwd=project.root, env=project.environ(), check=True
    )
    os.close(theirs)
    os.close(ours)
    assert set(json.decode(done.stdout)) == {"address", "pid", "version"}


def test_what_an_agents_session_has_started_gets_no_link_though_it_has_a_terminal(project: Project):
    at_terminal(project, b"", "open")
    me = _this_process()
    Hosts(project.state / "sessions").check("s-1", me)
    code, shown = at_terminal(project, b"", "open")
    assert code == 1
    assert LINK.search(shown) is None
    assert f"an agent's session (process {os.getpid()}) has started this command, and agents get no link" in shown
    assert page_client.link_for("3f9c") is not None, "the daemon is no session's child, and this process is not either"


def test_a_host_that_has_ended_keeps_nobody_away(project: Project):
    at_terminal(project, b"", "open")
    me = _this_process()
    Hosts(project.state / "sessions").check("s-1", Process(me.pid, me.started - 1))
    assert LINK.search(at_terminal(project, b"", "open")[1]) is not None


def test_a_passphrase_is_chosen_changed_and_cleared(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(import_module("interlock.cli.open"), "at_terminal", lambda: True)
    assert not passphrase.has_passphrase()
    result = project.run("open", "--set-passphrase", stdin="correct horse\ncorrect horse\n")
    assert (result.exit_code, result.stdout) == (0, "The passphrase is set.\n")
    assert passphrase.proves_passphrase("correct horse")
    assert not passphrase.proves_passphrase("correct")
    file = project.state / "page" / "passphrase"
    assert file.stat().st_mode & 0o777 == 0o600
    assert b"correct" not in file.read_bytes()

    result = project.run("open", "--clear-passphrase", stdin="wrong\n")
    assert (result.exit_code, "this is not the passphrase" in result.stderr) == (1, True)
    assert project.run("open", "--clear-passphrase", stdin="correct horse\n").exit_code == 0
    assert not passphrase.has_passphrase()


def test_a_short_passphrase_is_refused(project: Project):
    with pytest.raises(InterlockError, match="at least 8 characters"):
        passphrase.keep_passphrase("short")


def test_a_page_with_a_passphrase_asks_for_it(project: Project):
    passphrase.keep_passphrase("correct horse")
    found = LINK.search(at_terminal(project, b"", "open")[1])
    assert found is not None
    stranger = Visit(f"http://127.0.0.1:{found[1]}")
    assert 'id="passphrase"' in stranger.get("/enter").text
    assert stranger.post("/enter", {"secret": found[2]}).status == 403
    assert stranger.post("/enter", {"secret": found[2], "passphrase": "correct horse"}).status == 200


def test_an_address_behind_a_proxy_is_answered_and_named_in_links(project: Project):
    shown = at_terminal(project, b"", "open", "--address", "https://page.example.org")[1]
    assert "https://page.example.org/enter#" in shown
    state = page_client.state_of_page()
    assert state is not None
    assert Visit(state.address).get("/enter", Host="page.example.org").status == 200
    assert Visit(state.address).get("/enter", Host="other.example.org").status == 421
    code, shown = at_terminal(project, b"", "open", "--address", "https://other.example.org")
    assert (code, "the page runs already, at https://page.example.org" in shown) == (1, True)
    assert at_terminal(project, b"", "open", "--address", "page.example.org/x")[0] == 1


def _this_process() -> Process:
    with child() as pid:
        found = parent_of(pid)
    assert found is not None
    return found
