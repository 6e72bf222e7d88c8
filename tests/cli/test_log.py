"""`interlock log`: what happened, filtered and followed, and whether the record is whole."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
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
        entry(0, "a", "deny", "no-rm", reason="No rm.", command="rm -rf build"),
        entry(60, "a", None, command="ls -la"),
        entry(120, "b", "ask", "ask-mv", "no-rm", reason="Move?", command="mv a b"),
        entry(180, "b", "allow", "yes-ls", command="ls"),
    )
    yield made
    monkeypatch.undo()
    time.tzset()


def entry(
    seconds: float,
    session: str,
    decision: str | None,
    *rules: str,
    event: str = "PreToolUse",
    reason: str | None = None,
    command: str = "true",
    project: str | None = None,
    **fields: Any,
) -> Entry:
    """One event about a call, as it is recorded. What is set with `more` is part of the record itself."""
    more = fields.pop("more", {})
    opinions = [{"by": rule, "decision": decision} for rule in rules]
    where = str(Path.cwd()) if project is None else project
    record = {"session": session, "event": event, "tool": "Bash", "decision": decision, "rules": list(rules)}
    payload: dict[str, Any] = {"session_id": session, "cwd": where, "hook_event_name": event}
    payload |= {"permission_mode": "default"}
    payload |= {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"toolu_{session}{seconds:g}"}
    return Entry(
        record={**record, "reason": reason, "opinions": opinions, "project": where, **more},
        raw=json.encode({**payload, **fields}),
        at=START + seconds,
    )


def result(seconds: float, session: str, of: float, **fields: Any) -> Entry:
    """The result of the call that was made `of` seconds after the start."""
    given = {"event": "PostToolUse", "tool_use_id": f"toolu_{session}{of:g}", "tool_response": {}, **fields}
    return entry(seconds, session, None, **given)


def prompt(seconds: float, session: str, text: str) -> Entry:
    record: dict[str, Any] = {
        "session": session,
        "event": "UserPromptSubmit",
        "tool": None,
        "decision": None,
        "rules": [],
    }
    payload = {"session_id": session, "cwd": str(Path.cwd()), "prompt": text, "hook_event_name": "UserPromptSubmit"}
    return Entry(record={**record, "project": str(Path.cwd())}, raw=json.encode(payload), at=START + seconds)


def keep(*entries: Entry) -> None:
    with closing(open_store()) as store:
        for one in entries:
            store.commit(one)


def ids(project: Project, *arguments: str) -> list[int]:
    """Which entries are shown."""
    lines = project.run("log", "--json", *arguments).stdout.splitlines()
    return [json.decode(line)["id"] for line in lines]


# --- what is shown -----------------------------------------------------------------------------------------


def test_one_entry_a_call_the_newest_last(project: Project, monkeypatch: pytest.MonkeyPatch):
    keep(
        result(61, "a", 60, duration_ms=1500),
        result(130, "b", 120, command="mv a b"),
        prompt(190, "b", "and now?"),
        entry(86400, "c", None, "mask", command="env | sort", more={"opinions": []}),
        result(86401, "c", 86400, more={"withheld": "it contains a token", "rules": ["mask"]}),
    )
    monkeypatch.setenv("COLUMNS", "80")
    assert project.said("log") == snapshot(
        (
            0,
            """\
Sat 15 Nov 2025  shop
   1  10:00:00  a         denied     Bash  rm -rf build
                          deny by no-rm: No rm.
   2  10:01:00  a         ran        Bash  ls -la
   3  10:02:00  b         yes, ran   Bash  mv a b
                          ask by ask-mv, no-rm: Move?
   4  10:03:00  b         no result  Bash  ls
                          allow by yes-ls

Sun 16 Nov 2025  shop
   8  10:00:00  c         withheld   Bash  env | sort
                          noted by mask: it contains a token

5 calls: 1 denied, 1 withheld, 1 asked about.
""",
        )
    )


def test_a_long_call_is_cut_at_a_terminal_and_whole_in_a_pipe(project: Project, monkeypatch: pytest.MonkeyPatch):
    keep(entry(240, "c", "deny", "long", command="echo " + "x" * 300, reason="Too long. " * 30))
    assert "x" * 300 in project.said("log", "--session", "c")[1]
    for width in (60, 80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        for options in ((), ("-q",), ("-v",)):
            lines = project.said("log", "--session", "c", *options)[1].splitlines()
            assert [line for line in lines if len(line) > width] == []


def test_quiet_is_one_line_an_entry_and_verbose_is_everything(project: Project, monkeypatch: pytest.MonkeyPatch):
    change = {"field": "command", "before": "mv a b", "after": "mv -n a b", "by": "careful"}
    keep(entry(240, "c", "ask", "careful", command="mv a b", reason="Move it? " * 12, more={"changes": [change]}))
    monkeypatch.setenv("COLUMNS", "80")
    assert project.said("log", "--session", "c", "-q") == snapshot(
        (
            0,
            """\
Sat 15 Nov 2025  shop
   5  10:04:00  c         asked    Bash  mv a b
""",
        )
    )
    assert project.said("log", "--session", "c", "-v") == snapshot(
        (
            0,
            """\
Sat 15 Nov 2025  shop
   5  10:04:00  c         asked    Bash  mv a b
                          ask by careful: Move it? Move it? Move it? Move it?
                          Move it? Move it? Move it? Move it? Move it? Move it?
                          Move it? Move it?
                          command: "mv a b" → "mv -n a b"  (`careful`)

1 call: 1 asked about.
""",
        )
    )


def test_events_that_are_not_calls_are_shown_if_asked_for_or_if_somebody_spoke(project: Project):
    keep(prompt(200, "a", "hello"))
    stop = {"session": "a", "event": "Stop", "decision": "deny", "reason": "Tests fail.", "rules": ["tests"]}
    keep(Entry(record={**stop, "project": str(project.root)}, raw=b"{}", at=START + 210))
    assert (ids(project), ids(project, "--events")) == ([1, 2, 3, 4, 6], [1, 2, 3, 4, 5, 6])
    assert project.said("log", "--events", "--session", "a")[1].splitlines()[-5:] == snapshot(
        [
            "   5  10:03:20  a         -          UserPromptSubmit hello",
            "   6  10:03:30  a         deny       Stop",
            "                          deny by tests: Tests fail.",
            "",
            "2 calls: 1 denied.",
        ]
    )


def test_one_entry_is_shown_whole(project: Project, monkeypatch: pytest.MonkeyPatch):
    change = {"field": "command", "before": "mv a b", "after": "mv -n a b", "by": "careful"}
    opinion = {"by": "careful", "decision": "ask", "change": {"command": "mv -n a b"}, "context": "Mind the files."}
    keep(
        entry(240, "c", "ask", "careful", command="mv a b", reason="Move it?",
              more={"changes": [change], "opinions": [opinion], "notices": ["Look."]}),
        entry(241, "c", None, event="PermissionRequest", command="mv -n a b", tool_use_id=None),
        result(250, "c", 240, duration_ms=2100),
    )  # fmt: skip
    monkeypatch.setenv("COLUMNS", "100")
    code, text = project.said("log", "5")
    assert (code, re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)) == snapshot(
        (
            0,
            """\
5         Bash: yes, ran
when      Sat 15 Nov 2025 10:04:00 +0000
who       session c, agent main, mode default
project   shop
verdict   ask: Move it?
rules     `careful` → ask, change, tell the model
asked     by a rule; the answer: yes
outcome   ran in 2.1 s
input     command: mv a b
changed   command: "mv a b" → "mv -n a b"  (`careful`)
model     Mind the files.
person    Look.
events    5  10:04:00  PreToolUse: ask [careful]
            HASH
          6  10:04:01  PermissionRequest: no decision
            HASH
          7  10:04:10  PostToolUse: no decision
            HASH
""",
        )
    )
    assert project.said("log", "toolu_c240") == (code, text)
    assert project.said("log", "7") == (code, text)  # any of its events names it
    found = project.data("log", "5")
    assert [one["payload"]["hook_event_name"] for one in found["events"]] == [
        "PreToolUse", "PermissionRequest", "PostToolUse"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["99", "toolu_nothing", "0", "9" * 30, "-x"])
def test_an_entry_that_does_not_exist_is_the_persons_error(project: Project, name: str):
    code, text = project.said("log", "--", name)
    help = "help: `interlock log --all` shows the numbers in front of the entries\n"
    assert (code, text) == (1, f"error: there is no entry `{name}`\n{help}")


def test_one_json_object_a_line(project: Project):
    keep(result(61, "a", 60, duration_ms=1500))
    second = json.decode(project.run("log", "--json").stdout.splitlines()[1])
    assert [len(one.pop("hash")) for one in second["events"]] == [64, 64]
    second["project"] = second["cwd"] = "shop"
    for one in second["events"]:
        one["project"] = "shop"
    assert second == snapshot(
        {
            "id": 2,
            "at": 1763200860.0,
            "time": "2025-11-15T10:01:00.000+00:00",
            "event": "PreToolUse",
            "session": "a",
            "project": "shop",
            "cwd": "shop",
            "host": None,
            "agent": "main",
            "mode": "default",
            "tool": "Bash",
            "call": "toolu_a60",
            "text": "ls -la",
            "input": {"command": "ls -la"},
            "decision": None,
            "reason": None,
            "rules": [],
            "changes": [],
            "asked_by": None,
            "answer": None,
            "outcome": "ran",
            "refused_by": None,
            "refusal": None,
            "seconds": 1.5,
            "breach": None,
            "ended": None,
            "errors": [],
            "events": [
                {
                    "sequence": 2,
                    "at": 1763200860.0,
                    "decision": None,
                    "event": "PreToolUse",
                    "opinions": [],
                    "project": "shop",
                    "reason": None,
                    "rules": [],
                    "session": "a",
                    "tool": "Bash",
                },
                {
                    "sequence": 5,
                    "at": 1763200861.0,
                    "decision": None,
                    "event": "PostToolUse",
                    "opinions": [],
                    "project": "shop",
                    "reason": None,
                    "rules": [],
                    "session": "a",
                    "tool": "Bash",
                },
            ],
        }
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--session", "a"), [1, 2]),
        (("--session", "nobody"), []),
        (("--rule", "no-rm"), [1, 3]),
        (("--rule", "no-*"), [1, 3]),
        (("--rule", "no"), []),
        (("--decision", "deny"), [1]),
        (("--decision", "ask"), [3]),
        (("--decision", "none"), [2]),
        (("--tool", "Bash"), [1, 2, 3, 4]),
        (("--tool", "B*"), [1, 2, 3, 4]),
        (("--tool", "Read"), []),
        (("--asked",), [3]),
        (("--stopped",), [1]),
        (("--grep", "LS"), [2, 4]),
        (("--grep", "move?"), [3]),
        (("--rule", "no-rm", "--session", "b"), [3]),
        (("--last", "2"), [3, 4]),
        (("-n", "1", "--session", "a"), [2]),
        (("--since", "2025-11-15T10:01:30"), [3, 4]),
        (("--since", "2025-11-15T10:02:00Z"), [3, 4]),
        (("--since", "2025-11-15T12:02:00+02:00"), [3, 4]),
        (("--since", "1s"), []),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_entries_are_filtered(project: Project, arguments: tuple[str, ...], expected: list[int]):
    assert ids(project, *arguments) == expected


def test_a_session_is_found_by_the_beginning_of_its_id(project: Project):
    keep(entry(240, "3f9c1c1e-6c0e", None), entry(250, "3f9c1c1f-0000", None))
    assert (ids(project, "--session", "3f9c1c1e"), ids(project, "--session", "3f9c")) == ([5], [5, 6])


def test_only_this_project_is_shown_unless_one_says_otherwise(project: Project):
    keep(entry(240, "c", None, project="/elsewhere"), entry(250, "d", None, project=f"{project.root}-too"))
    assert ids(project) == [1, 2, 3, 4]
    assert ids(project, "--all") == [1, 2, 3, 4, 5, 6]
    assert ids(project, "--session", "c") == [5]
    assert ids(project, "--project", "/elsewhere") == [5]


def test_records_of_earlier_versions_are_found_by_their_folder(project: Project):
    old = {"session": "o", "event": "PreToolUse", "tool": "Bash", "decision": "deny", "rules": ["x"], "reason": "Old."}
    for folder in (str(project.root / "deep"), "/elsewhere"):
        payload = {"cwd": folder, "tool_name": "Bash", "tool_input": {"command": "old"}, "tool_use_id": f"t{folder}"}
        keep(Entry(record=old, raw=json.encode(payload), at=START + 300))
    assert ids(project) == [1, 2, 3, 4, 5]
    assert "deny by x: Old." in project.said("log", "--session", "o")[1]


def test_since_a_duration_counts_back_from_now(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("time.time", lambda: START + 200)
    assert ids(project, "--since", "90s") == [3, 4]
    assert ids(project, "--since", "1h30m") == [1, 2, 3, 4]


def test_a_time_that_is_none_is_the_persons_error(project: Project):
    text = "error: `yesterday` is neither a time nor a duration\nhelp: write 2h, 30d or 2026-11-16T10:00\n"
    assert project.said("log", "--since", "yesterday") == (1, text)


def test_a_decision_that_is_none_is_refused(project: Project):
    assert project.run("log", "--decision", "denied").exit_code == 2


def test_where_nothing_happened_it_says_where_to_look(project: Project, monkeypatch: pytest.MonkeyPatch):
    assert project.said("log", "--grep", "nothing") == (
        0, "Nothing in shop matches.\n`interlock log --all` shows every project.\n"
    )  # fmt: skip
    monkeypatch.chdir(project.home)
    assert project.said("log")[1] == "Nothing was recorded in home.\n`interlock log --all` shows every project.\n"
    assert project.said("log", "-q") == (0, "")


def test_before_anything_happened_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "new").mkdir()
    made = Project(tmp_path / "new", monkeypatch)
    assert made.said("log") == (0, "Nothing was recorded in shop.\n")
    assert made.run("log", "--json").output == ""


def test_an_entry_keeps_its_lines_whatever_it_holds(project: Project):
    """Else a model could write lines of its own into the log."""
    forged = "one\n     6  10:05:00  a  ran  Bash  ls"
    keep(entry(240, "c\nd", "deny", "x\ny", reason=forged, command=forged))
    assert len(project.run("log", "--session", "c").output.splitlines()) == 5  # heading, call, rules, and the count


def test_what_a_model_wrote_cannot_draw_on_the_terminal(project: Project):
    keep(entry(240, "c", "deny", "x\x1b[2J", reason="one \x1b[2J two", command="ls \x1b[2J"))
    for arguments in (("--session", "c"), ("--session", "c", "-v"), ("5",)):
        code, shown = at_terminal(project, b"", "log", *arguments)
        assert (code, "one" in shown, "\x1b[2J" in shown) == (0, True, False)


def test_a_secret_in_a_call_is_not_shown(project: Project):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    project.policy('{id: shown, command: curl, deny: "Not `${match.command.text}`."}')
    project.hook(project.call("Bash", f"curl -H 'Authorization: Bearer {token}' https://example.org"))
    for arguments in (("log",), ("log", "-v"), ("log", "5"), ("log", "5", "--json"), ("log", "--json")):
        text = project.run(*arguments).output
        assert (token in text, "https://example.org" in text) == (False, True), arguments


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


@contextmanager
def following(project: Project, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """`interlock log --follow`, until the test is done with it."""
    command = [sys.executable, "-m", "interlock", "log", "--follow", *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=project.root,
        env=project.environ(TZ="UTC"),
        # Whoever runs the tests in the background has ^C ignored, and their children too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    watch = threading.Timer(120, process.kill)
    watch.start()
    try:
        yield process
    finally:
        watch.cancel()
        process.kill()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()
        process.wait(30)


def next_line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().rstrip("\n")


def test_following_prints_what_comes_until_it_is_interrupted(project: Project):
    with following(project, "--json", "--decision", "deny") as process:
        first: Any = json.decode(next_line(process))
        keep(entry(300, "c", "allow"), entry(360, "c", "deny", "no-rm"))
        second: Any = json.decode(next_line(process))
        process.send_signal(signal.SIGINT)
        code = process.wait(120)
        assert process.stdout is not None
        assert process.stderr is not None
        rest = (process.stdout.read(), process.stderr.read())
    assert (first["id"], second["id"], second["session"]) == (1, 6, "c")
    assert (code, rest) == (130, (b"", b""))


def test_following_shows_an_answer_but_not_that_a_call_simply_ran(project: Project):
    with following(project, "--session", "b") as process:
        before = [next_line(process) for _ in range(5)]
        keep(entry(300, "b", "ask", "careful", command="mv a b", reason="Move?"))
        shown = [next_line(process) for _ in range(2)]
        keep(entry(310, "b", None, command="ls"), result(311, "b", 310), result(320, "b", 300))
        shown += [next_line(process) for _ in range(3)]
    assert before[0] == "Sat 15 Nov 2025  shop"
    assert shown == snapshot(
        [
            "   5  10:05:00  b         asked    Bash  mv a b",
            "                          ask by careful: Move?",
            "   6  10:05:10  b         open     Bash  ls",
            "   5  10:05:00  b         yes, ran  Bash  mv a b",
            "                          ask by careful: Move?",
        ]
    )


def test_a_program_that_follows_hears_of_every_change(project: Project):
    with following(project, "--session", "b", "--json") as process:
        before = [json.decode(next_line(process)) for _ in range(2)]
        keep(entry(310, "b", None, command="ls"), result(311, "b", 310))
        found = [json.decode(next_line(process)) for _ in range(2)]
    assert [one["id"] for one in before] == [3, 4]
    assert [(one["id"], one["outcome"]) for one in found] == [(5, "open"), (5, "ran")]
