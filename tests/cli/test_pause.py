"""`interlock pause`: a person's way out, only at a terminal, recorded, over by itself."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from msgspec import json

from interlock.judging.pause import Pause
from tests.cli.test_trust import at_terminal
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_without_a_pause_interlock_is_on(project: Project):
    assert project.said("pause") == (0, "Interlock is on.\n")
    assert project.data("pause") == {"paused": False, "until": None}


def test_without_a_terminal_nobody_can_pause(project: Project):
    expected = (1, "error: only a person at a terminal can start a pause\n")
    assert project.said("pause", "--for", "15m") == expected
    assert Pause.now() is None


def test_at_a_terminal_a_person_pauses_and_what_happens_meanwhile_is_recorded(project: Project):
    project.policy("{id: no-rm, command: rm, deny: No rm.}")
    code, shown = at_terminal(project, b"y\n", "pause", "--for", "15m")
    assert code == 0
    assert "Interlock is paused until " in shown
    assert "; it ends automatically." in shown
    ended = project.hook(project.call("Bash", "rm x"))
    assert ended.returncode == 0
    assert "Interlock is paused by " in json.decode(ended.stdout)["systemMessage"]
    last = project.records()[-1]
    assert (last.event, last.tool, last.decision, last.rules) == ("PreToolUse", "Bash", None, ("pause",))
    assert project.data("pause")["paused"] is True
    assert project.said("pause", "--end") == (0, "Interlock is on.\n")
    assert project.hook(project.call("Bash", "rm x", "c2")).returncode == 2


def test_a_pause_during_which_nothing_happens_is_in_the_record_too(project: Project):
    assert at_terminal(project, b"y\n", "pause", "--for", "15m")[0] == 0
    assert len(project.records()) == 1


@pytest.mark.parametrize("length", ["9h", "0s", "soon", "15", "-5m", "8h1s"])
def test_a_length_that_is_none_or_too_long_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch, length: str):
    from interlock.cli import pause

    monkeypatch.setattr(pause, "at_terminal", lambda: True)
    expected = f"error: `{length}` is not a duration up to 8h\nhelp: write 15m or 2h\n"
    assert project.said("pause", f"--for={length}") == (1, expected)
    assert Pause.now() is None


@pytest.mark.parametrize(("answer", "on"), [(b"n\n", True), (b"\n", True), (b"y\n", False)])
def test_a_person_is_asked_first(project: Project, answer: bytes, on: bool):
    code, shown = at_terminal(project, answer, "pause", "--for", "15m")
    assert re.search(r"Every call passes without being judged until \d\d:\d\d:\d\d\. Pause\? \[y/N\]: ", shown)
    assert (code, Pause.now() is None, "Interlock stays on" in shown) == (int(on), on, on)


def test_yes_spares_the_question_but_not_the_terminal(project: Project):
    assert project.said("pause", "--for", "15m", "--yes") == (
        1,
        "error: only a person at a terminal can start a pause\n",
    )
    code, shown = at_terminal(project, b"", "pause", "--for", "15m", "--yes")
    assert (code, "Pause?" in shown, Pause.now() is None) == (0, False, False)


def test_a_dry_run_pauses_nothing_and_ends_nothing(project: Project):
    code, text = project.said("pause", "--for", "15m", "--dry-run")
    assert (code, Pause.now()) == (0, None)
    assert re.fullmatch(r"With this, every call passes without being judged until \d\d:\d\d:\d\d\.\n", text)
    assert project.said("pause", "--end", "--dry-run") == (0, "Interlock is on.\n")
    Pause(time.time() + 60, "kim").start()
    assert project.said("pause", "--end", "--dry-run") == (0, "A pause would end now.\n")
    assert Pause.now() is not None


def test_a_pause_ends_by_itself(project: Project, monkeypatch: pytest.MonkeyPatch):
    Pause(2000.0, "kim").start()
    monkeypatch.setattr("interlock.judging.pause.time.time", lambda: 1000.0)
    assert project.data("pause") == {"paused": True, "until": 2000.0}
    monkeypatch.setattr("interlock.judging.pause.time.time", lambda: 2000.0)
    assert project.data("pause") == {"paused": False, "until": None}


def test_ending_needs_no_terminal_and_no_pause(project: Project):
    assert project.said("pause", "--end") == (0, "Interlock is on.\n")
    assert project.data("pause", "--end") == {"paused": False}
