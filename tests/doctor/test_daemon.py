"""What the doctor says about the daemon, the record, and the client."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from interlock.config.places import socket_path
from interlock.doctor import canary, client, daemon, sessions
from interlock.store.base import Entry, Note
from interlock.store.place import open_store, store_file
from tests.doctor.conftest import Shop, told


def test_no_daemon_is_no_fault_and_one_that_runs_is_named(shop: Shop):
    assert told(daemon.look()) == [("ok", "no daemon is running; the next event starts one")]
    shop.install()
    list(canary.look(shop.root))
    ((level, text),) = told(daemon.look())
    assert level == "ok"
    assert text.endswith(", 1 event answered")


def test_a_folder_that_others_may_enter_is_named(shop: Shop):
    folder = socket_path().parent
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    assert told(daemon.look())[0] == ("problem", f"other users may enter {folder}, so the client does not use it")


def test_stopped_sessions_are_named_with_why(shop: Shop):
    assert told(sessions.look()) == []
    assert not store_file().exists(), "who only looks leaves nothing behind"
    with closing(open_store()) as store:
        store.commit(Entry(record={}, raw=b"", at=1.0, notes=Note("s1", breach="It ran though denied.")))
        store.commit(Entry(record={}, raw=b"", at=2.0, notes=Note("s2")))
    (found,) = sessions.look()
    assert (found.level, found.text) == ("problem", "s1 is stopped: It ran though denied.")
    assert found.help == "look into it, then run `interlock lift s1`"


def test_a_store_that_cannot_be_read_is_named(shop: Shop):
    store_file().parent.mkdir(parents=True)
    store_file().write_bytes(b"no database at all, " * 100)
    ((level, _),) = told(sessions.look())
    assert level == "problem"


def program(folder: Path, says: str) -> Path:
    file = folder / "claude"
    file.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def test_a_client_that_honours_all_is_well_and_an_older_one_is_named_with_what_it_does(shop: Shop, tmp_path: Path):
    file = program(tmp_path, "2.1.325 (Claude Code)")
    assert told(client.look(file)) == [("ok", f"Claude Code 2.1.325 honours all of Interlock's answers ({file})")]
    found = told(client.look(program(tmp_path, "2.1.213 (Claude Code)")))
    assert found == [
        (
            "problem",
            "Claude Code 2.1.213 does not honour a refusal by exit code beside unreadable output: such a call runs",
        ),
        (
            "problem",
            "Claude Code 2.1.213 does not honour refusing when an entry fails: "
            "a call whose entry is killed or late runs",
        ),
    ]


@pytest.mark.parametrize("says", ["", "hello"])
def test_a_program_that_says_no_version_is_named(shop: Shop, tmp_path: Path, says: str):
    file = program(tmp_path, says)
    assert told(client.look(file)) == [("problem", f"`{file} --version` printed no version")]


def test_where_there_is_no_client_it_is_said(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert told(client.look()) == [("note", "no Claude Code was found")]
    assert told(client.look(tmp_path / "x")) == [("note", f"`{tmp_path}/x` is not a program")]
