"""`interlock log`: what happened, filtered and followed, and whether the record is whole."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from msgspec import json

from interlock.store.base import Entry
from interlock.store.place import open_store, store_file
from tests.cli.test_trust import at_terminal
from tests.lint.project import Project

START = 1_763_200_800.0  # 2025-11-15T10:00:00Z


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    made = Project(tmp_path, monkeypatch)
    keep(
        entry(0, "a", "deny", "no-rm", reason="No rm."),
        entry(60, "a", None),
        entry(120, "b", "ask", "ask-mv", "no-rm", reason="Move?"),
        entry(180, "b", "allow", "yes-ls"),
    )
    yield made
    monkeypatch.undo()
    time.tzset()


def entry(seconds: float, session: str, decision: str | None, *rules: str, reason: str | None = None) -> Entry:
    record = {"session": session, "event": "PreToolUse", "tool": "Bash", "decision": decision, "rules": list(rules)}
    return Entry(record={**record, "reason": reason}, raw=b"{}", at=START + seconds)


def keep(*entries: Entry) -> None:
    with closing(open_store()) as store:
        for one in entries:
            store.commit(one)


def sequences(project: Project, *arguments: str) -> list[int]:
    """Which records are shown."""
    lines = project.run("log", "--json", *arguments).stdout.splitlines()
    return [json.decode(line)["sequence"] for line in lines]


# --- what is shown -----------------------------------------------------------------------------------------


def test_one_line_an_event_the_newest_last(project: Project):
    assert project.said("log") == snapshot(
        (
            0,
            """\
     1  2025-11-15 10:00:00  deny   PreToolUse Bash  [no-rm]  No rm.
     2  2025-11-15 10:01:00  -      PreToolUse Bash
     3  2025-11-15 10:02:00  ask    PreToolUse Bash  [ask-mv, no-rm]  Move?
     4  2025-11-15 10:03:00  allow  PreToolUse Bash  [yes-ls]
""",
        )
    )


def test_one_json_object_a_line(project: Project):
    first = json.decode(project.run("log", "--json").stdout.splitlines()[0])
    assert len(first.pop("hash")) == 64
    assert first == {
        "sequence": 1,
        "at": START,
        "session": "a",
        "event": "PreToolUse",
        "tool": "Bash",
        "decision": "deny",
        "rules": ["no-rm"],
        "reason": "No rm.",
    }


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--session", "a"), [1, 2]),
        (("--session", "nobody"), []),
        (("--rule", "no-rm"), [1, 3]),
        (("--decision", "deny"), [1]),
        (("--decision", "ask"), [3]),
        (("--rule", "no-rm", "--session", "b"), [3]),
        (("--last", "2"), [3, 4]),
        (("--last", "1", "--session", "a"), [2]),
        (("--since", "2025-11-15T10:01:30"), [3, 4]),
        (("--since", "2025-11-15T10:02:00Z"), [3, 4]),
        (("--since", "2025-11-15T12:02:00+02:00"), [3, 4]),
        (("--since", "1s"), []),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_records_are_filtered(project: Project, arguments: tuple[str, ...], expected: list[int]):
    assert sequences(project, *arguments) == expected


def test_since_a_duration_counts_back_from_now(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("time.time", lambda: START + 200)
    assert sequences(project, "--since", "90s") == [3, 4]
    assert sequences(project, "--since", "1h30m") == [1, 2, 3, 4]


def test_a_time_that_is_none_is_the_persons_error(project: Project):
    text = "error: `yesterday` is neither a time nor a duration\nhelp: write 2h or 2026-11-16T10:00\n"
    assert project.said("log", "--since", "yesterday") == (1, text)


def test_a_decision_that_is_none_is_refused(project: Project):
    assert project.run("log", "--decision", "denied").exit_code == 2


def test_before_anything_happened_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "new").mkdir()
    assert Project(tmp_path / "new", monkeypatch).said("log") == (0, "")


def test_an_event_is_one_line_whatever_its_reason_holds(project: Project):
    """Else a model could write lines of its own into the log."""
    keep(entry(240, "c", "deny", "x", reason="one\n     6  2025-11-15 10:05:00  allow  PreToolUse Bash"))
    assert len(project.run("log", "--session", "c").output.splitlines()) == 1


def test_what_a_model_wrote_cannot_draw_on_the_terminal(project: Project):
    keep(entry(240, "c", "deny", "x", reason="one \x1b[2J two"))
    code, shown = at_terminal(project, b"", "log", "--session", "c")
    assert (code, "one" in shown, "\x1b[2J" in shown) == (0, True, False)


# --- whole or not ------------------------------------------------------------------------------------------


def edit(statement: str) -> None:
    with closing(sqlite3.connect(store_file())) as connection, connection:
        connection.execute(statement)


def test_a_whole_record_verifies(project: Project):
    assert project.said("log", "--verify") == (0, "4 records, all in order\n")
    assert project.data("log", "--verify") == {"ok": True, "records": 4, "problems": []}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET decision = 'allow' WHERE sequence = 1",
        "DELETE FROM record WHERE sequence = 2",
        "DELETE FROM record WHERE sequence = 4",
        "DELETE FROM record",
        "UPDATE record SET sequence = 9 WHERE sequence = 4",
    ],
    ids=["edited", "cut out", "cut off", "emptied", "moved"],
)
def test_a_record_that_was_tampered_with_does_not_verify(project: Project, statement: str):
    edit(statement)
    code, text = project.said("log", "--verify")
    assert code == 1
    assert text.startswith("broken  ")
    assert text.endswith("records, not in order\n")
    found = project.data("log", "--verify")
    assert (found["ok"], found["problems"] != []) == (False, True)


def test_a_store_that_is_no_store_is_the_persons_error(project: Project):
    store_file().write_bytes(b"not a database" * 100)
    code, text = project.said("log")
    assert code == 1
    assert text.startswith("error: the store ~/.local/state/interlock/store/interlock.db failed: ")


# --- as it happens -----------------------------------------------------------------------------------------


def test_following_prints_what_comes_until_it_is_interrupted(project: Project):
    command = [sys.executable, "-m", "interlock", "log", "--follow", "--json", "--decision", "deny"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=project.root,
        env=project.environ(),
        # Whoever runs the tests in the background has ^C ignored, and their children too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    watch = threading.Timer(120, process.kill)
    watch.start()
    try:
        first: Any = json.decode(process.stdout.readline())
        keep(entry(300, "c", "allow"), entry(360, "c", "deny", "no-rm"))
        second: Any = json.decode(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        code = process.wait(120)
        rest = (process.stdout.read(), process.stderr.read())
    finally:
        watch.cancel()
        process.kill()
        process.stdout.close()
        process.stderr.close()
        process.wait(30)
    assert (first["sequence"], second["sequence"], second["session"]) == (1, 6, "c")
    assert (code, rest) == (130, (b"", b""))
