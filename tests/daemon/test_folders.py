"""The same event gets the same verdict over HTTP and over the socket, from whatever folder its host sends it."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.daemon import web
from interlock.daemon.web import Address
from tests.daemon.spawned import CLIENT, Home, event
from tests.daemon.test_web import DENIED, NO_RM, post

# A host that was started in some folder: it may begin the session, then sends one event over either transport.
HOST = """
import json, os, socket, subprocess, sys
plan = json.load(sys.stdin)
def spawn(event, raw):
    command = [sys.executable, "-I", "-S", plan["client"], event, plan["socket"], plan["project"]]
    return subprocess.run(command, input=raw.encode(), capture_output=True, timeout=60).stdout
if plan["begins"]:
    spawn("SessionStart", plan["begins"])
if plan["goes"]:
    os.rmdir(os.getcwd())
if plan["port"]:
    with socket.create_connection(("127.0.0.1", plan["port"]), timeout=60) as link:
        link.sendall(plan["message"].encode())
        link.shutdown(socket.SHUT_WR)
        got = b""
        while chunk := link.recv(65536):
            got += chunk
    sys.stdout.buffer.write(got.partition(b"\\r\\n\\r\\n")[2])
else:
    sys.stdout.buffer.write(spawn("PreToolUse", plan["message"]))
"""
FOLDERS = {
    "the project": "shop",
    "a folder of it": "shop/src/deep",
    "a repository in it": "shop/vendor",
    "a project in it": "shop/nested",
    "the folder above": ".",
    "another project": "other",
    "a folder without any": "elsewhere",
    "the root": "/",
    "a folder that goes": "gone",
}
FROM = {name: FOLDERS[name] for name in ("the project", "a folder of it", "a repository in it", "another project")}
CALLS = {"rm x": DENIED, "ls": {}}


@pytest.fixture
def world(home: Home) -> Home:
    """A project whose policy denies `rm`, with other folders around and in it, and a daemon that serves HTTP."""
    home.policy(NO_RM)
    top = home.project.parent
    for name in FOLDERS.values():
        (top / name).mkdir(parents=True, exist_ok=True)
    (home.project / ".git").mkdir()
    (home.project / "vendor" / ".git").mkdir()
    for name in ("shop/nested", "other"):
        (top / name / ".git").mkdir()
        (top / name / "interlock.yaml").write_text("version: 1\nrules: []\n", "utf-8")
    web.new_address(home.run_folder)
    home.ask(event("SessionStart", source="startup", session="first"), "SessionStart")
    return home


def sent(
    home: Home, *, started_in: str, cwd: str, command: str, session: str, over_http: bool, begins: bool
) -> dict[str, Any]:
    """What a host that was started in one folder is answered for a call that it makes in another."""
    top = home.project.parent
    raw = event(session=session, cwd=str(top / cwd), tool_input={"command": command}, tool_use_id=session)
    start = event("SessionStart", session=session, cwd=str(top / cwd), source="startup")
    address = web.read_address(home.run_folder)
    assert isinstance(address, Address)
    plan = {
        "client": str(CLIENT), "socket": str(home.socket), "project": str(home.project),
        "begins": start.decode() if begins else "", "goes": started_in == "gone",
        "port": address.port if over_http else 0,
        "message": (post(address, raw) if over_http else raw).decode(),
    }  # fmt: skip
    place = top / started_in
    place.mkdir(exist_ok=True)
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", HOST], input=json.encode(plan), cwd=place, capture_output=True, timeout=120
    )
    assert ended.stderr == b""
    found: dict[str, Any] = json.decode(ended.stdout)
    return found


@pytest.mark.parametrize("started_in", FOLDERS.values(), ids=FOLDERS)
def test_in_a_session_that_has_begun_the_folder_and_the_transport_change_nothing(world: Home, started_in: str):
    for number, (cwd, (command, verdict), http) in enumerate(product(FROM.values(), CALLS.items(), (True, False))):
        answer = sent(
            world, started_in=started_in, cwd=cwd, command=command, session=f"s{number}", over_http=http, begins=True
        )
        assert (cwd, command, http, answer) == (cwd, command, http, verdict)


@pytest.mark.parametrize("started_in", FOLDERS.values(), ids=FOLDERS)
def test_a_session_that_begins_over_http_is_judged_alike_or_refused(world: Home, started_in: str):
    for number, (command, verdict) in enumerate(CALLS.items()):
        answer = sent(
            world, started_in=started_in, cwd="shop", command=command, session=f"s{number}", over_http=True,
            begins=False,
        )  # fmt: skip
        said = answer.get("hookSpecificOutput", {})
        if answer != verdict:
            assert said["permissionDecision"] == "deny"
            assert said["permissionDecisionReason"].startswith(
                "it is not known which project this session belongs to: its host runs in `"
            )
        assert (answer == verdict) == (started_in in ("shop", "shop/src/deep", "shop/vendor"))


def test_a_session_that_was_refused_goes_on_once_its_project_is_known(world: Home):
    refused = sent(world, started_in="elsewhere", cwd="shop", command="ls", session="s1", over_http=True, begins=False)
    assert refused["hookSpecificOutput"]["permissionDecision"] == "deny"
    again = sent(world, started_in="elsewhere", cwd="shop", command="rm x", session="s1", over_http=True, begins=True)
    assert again == DENIED
    assert "which project this session belongs to" in recorded(world)


def recorded(home: Home) -> str:
    from interlock.store.sqlite import SqliteStore

    store = SqliteStore(Path(home.home) / ".local/state/interlock/store/interlock.db")
    try:
        return " ".join(str(record.record.get("reason")) for record in store.records())
    finally:
        store.close()
