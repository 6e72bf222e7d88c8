"""`interlock lift`: a person lets a stopped session go on."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from interlock.projects import open_store
from interlock.store.base import Entry, Note
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def stop(session: str) -> None:
    with closing(open_store()) as store:
        store.commit(Entry(record={}, raw=b"", at=1.0, notes=Note(session, breach="It ran though denied.")))


def at_a_terminal(*arguments: str) -> tuple[int, str]:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "interlock", *arguments]
    ended = subprocess.run(command, stdin=theirs, capture_output=True, check=False, env=dict(os.environ))
    os.close(ours)
    os.close(theirs)
    return ended.returncode, (ended.stdout + ended.stderr).decode()


def test_a_person_lifts_a_breach_and_it_is_recorded(project: Project):
    stop("s1")
    assert at_a_terminal("lift", "s1") == (0, "s1 may go on.\n")
    with closing(open_store()) as store:
        found = store.session("s1")
        assert found is None or found.breach is None
        assert [record.record.get("breach") for record in store.records(session="s1")][-1] == "It ran though denied."
    assert at_a_terminal("lift", "s1")[0] == 1  # once is enough


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
