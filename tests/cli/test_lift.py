"""`interlock lift`: a person lets a stopped session go on."""

from __future__ import annotations

import getpass
import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from interlock.doctor.sessions import look
from interlock.store.base import Entry, Note
from interlock.store.place import open_store, store_file, witness_file
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


_QUESTION = re.compile(r"[^\n]*\? \[y/N\]: ")


def stop(session: str) -> None:
    with closing(open_store()) as store:
        store.commit(Entry(record={}, raw=b"", at=1.0, notes=Note(session, breach="It ran though denied.")))


def at_a_terminal(*arguments: str, answer: bytes = b"y\n") -> tuple[int, str]:
    """Run a command at a terminal where a person types the answer: its exit code, and what it says but the question."""
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    command = [sys.executable, "-m", "interlock", *arguments]
    ended = subprocess.run(command, stdin=theirs, capture_output=True, check=False, env=dict(os.environ))
    os.close(ours)
    os.close(theirs)
    return ended.returncode, ended.stdout.decode() + _QUESTION.sub("", ended.stderr.decode())


def test_a_person_lifts_a_breach_and_it_is_recorded(project: Project):
    stop("s1")
    assert at_a_terminal("lift", "s1") == (0, "s1 was stopped: It ran though denied.\ns1 may continue.\n")
    with closing(open_store()) as store:
        found = store.session("s1")
        assert found is None or found.breach is None
        assert [record.record.get("breach") for record in store.records(session="s1")][-1] == "It ran though denied."
    assert at_a_terminal("lift", "s1")[0] == 1  # once is enough


@pytest.mark.parametrize(
    ("options", "answer", "said"),
    [
        ((), b"n\n", (1, "s1 was stopped: It ran though denied.\nerror: the session stays stopped\n")),
        (("--dry-run",), b"", (0, "s1 was stopped: It ran though denied.\n")),
    ],
)
def test_without_a_yes_a_session_stays_stopped(
    project: Project, options: tuple[str, ...], answer: bytes, said: tuple[int, str]
):
    stop("s1")
    assert at_a_terminal("lift", "s1", *options, answer=answer) == said
    assert project.said("lift") == (0, "s1  It ran though denied.\n")


def test_yes_spares_the_question_but_not_the_terminal(project: Project):
    stop("s1")
    assert project.said("lift", "s1", "--yes") == (1, "error: only a person at a terminal can lift a breach\n")
    code, text = at_a_terminal("lift", "s1", "--yes", "--json", answer=b"")
    assert (code, json.loads(text)) == (0, {"lifted": "s1"})


def test_without_a_yes_the_record_stays(project: Project):
    stop("s1")
    lose(store_file().parent)
    assert at_a_terminal("lift", "--lost-record", answer=b"n\n") == (1, "error: the record stays as it is\n")
    assert project.said("lift", "--lost-record", "--dry-run")[0] == 0
    assert not store_file().exists()


def test_without_a_session_those_that_are_stopped_are_listed(project: Project):
    assert project.said("lift") == (0, "no session is stopped\n")
    stop("s1")
    assert project.said("lift") == (0, "s1  It ran though denied.\n")
    assert project.data("lift") == [{"session": "s1", "breach": "It ran though denied."}]


def test_a_session_that_is_not_stopped_is_not_lifted(project: Project):
    code, text = at_a_terminal("lift", "nobody")
    assert (code, text.splitlines()[0]) == (1, "error: the session `nobody` is not stopped")


def test_nobody_lifts_a_breach_without_a_terminal(project: Project):
    stop("s1")
    result = project.run("lift", "s1")
    assert result.exit_code == 1
    with closing(open_store()) as store:
        found = store.session("s1")
        assert found is not None
        assert found.breach == "It ran though denied."


# --- a record that was lost ------------------------------------------------------------------------------------


def lose(*files: Path) -> None:
    for file in files:
        shutil.rmtree(file) if file.is_dir() else file.unlink()


def test_a_record_that_was_lost_with_its_anchor_is_missed_until_a_person_begins_a_new_one(project: Project):
    stop("s1")
    lose(store_file().parent)
    why = f"the record is lost: {store_file()} is gone or empty, and {witness_file()} says that it held 1 records"
    ended = project.run("log", "--verify")
    assert (ended.exit_code, ended.stdout, ended.stderr.splitlines()[0]) == (1, "", f"error: {why}")
    assert "interlock lift --lost-record" in ended.stderr
    assert not store_file().exists()
    assert [(one.about, one.text) for one in look()] == [("record", why)]

    code, text = at_a_terminal("lift", "--lost-record")
    assert (code, text.startswith("A new record was begun. What was left of the last one is in ")) == (0, True)
    assert project.said("log", "--verify") == (0, "1 records, all in order\n")
    assert list(look()) == []
    with closing(open_store()) as store:
        (first,) = store.records()
    assert (first.event, first.record["by"]) == ("BeginRecord", getpass.getuser())


def test_a_record_that_was_tampered_with_is_put_aside_and_kept(project: Project):
    stop("s1")
    with closing(sqlite3.connect(store_file())) as connection, connection:
        connection.execute("UPDATE session SET breach = NULL")
    assert project.said("log", "--verify")[0] == 1
    code, text = at_a_terminal("lift", "--lost-record")
    assert code == 0
    away = Path(text.rpartition(" is in ")[2].strip().rstrip("."))
    assert sorted(file.name for file in away.iterdir() if "-" not in file.name) == [
        "interlock.db", "interlock.db.anchor", "record.anchor"
    ]  # fmt: skip
    assert project.said("log", "--verify") == (0, "1 records, all in order\n")


def test_a_witness_that_was_removed_is_written_anew_and_the_record_stays(project: Project):
    stop("s1")
    lose(witness_file())
    assert project.said("log", "--verify")[0] == 1
    assert [one.about for one in look()] == ["record", "session"]
    assert at_a_terminal("lift", "--lost-record") == (
        0, "The record is complete; only its witness was missing, and has been written again.\n"
    )  # fmt: skip
    assert project.said("log", "--verify") == (0, "2 records, all in order\n")
    assert project.said("lift") == (0, "s1  It ran though denied.\n")


def test_a_record_that_is_whole_is_not_thrown_away(project: Project):
    stop("s1")
    code, text = at_a_terminal("lift", "--lost-record")
    assert (code, text.splitlines()[0]) == (1, "error: the record is not lost")
    assert project.said("lift") == (0, "s1  It ran though denied.\n")


def test_a_record_that_only_cannot_be_opened_is_not_put_aside(project: Project):
    stop("s1")
    with closing(sqlite3.connect(store_file())) as connection:
        connection.execute("PRAGMA user_version = 99")
    code, text = at_a_terminal("lift", "--lost-record")
    assert (code, "was written by a newer Interlock" in text) == (1, True)
    assert store_file().is_file()


def test_nobody_begins_a_record_without_a_terminal(project: Project):
    stop("s1")
    lose(store_file().parent)
    ended = project.run("lift", "--lost-record")
    assert ended.exit_code == 1
    assert "only a person at a terminal can begin a new record" in ended.stderr
    assert not store_file().exists()


def test_where_nothing_was_ever_recorded_nothing_is_missed(project: Project):
    assert list(look()) == []
    assert project.said("log", "--verify") == (0, "0 records, all in order\n")


@pytest.mark.parametrize("command", ["rm ~/.local/share/interlock/record.anchor", "rm -rf ~/.local/share/interlock"])
def test_an_agent_may_not_touch_the_witness(project: Project, command: str):
    assert "policy-edit" in project.said("explain", command)[1]
