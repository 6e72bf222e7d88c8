"""`interlock export`: the record, requests and grants as files that other programs read."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from interlock.approvals.answers import approve
from interlock.approvals.granting import Terms
from interlock.store.place import open_store
from tests.cli.full_screen import full_screen
from tests.cli.test_inbox import ask, found
from tests.cli.test_log import START, entry, keep, result
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    made = Project(tmp_path, monkeypatch)
    keep(
        entry(0, "a", "deny", "no-force", reason="Never.", command="git push -f"),
        entry(60, "a", None, command="ls -la"),
        result(61, "a", 60, duration_ms=1500),
        entry(120, "b", "ask", "ask-mv", reason="Move?", command='=HYPERLINK("https://evil.example")'),
    )
    yield made
    monkeypatch.undo()
    time.tzset()


def lines(project: Project, *arguments: str) -> list[dict[str, Any]]:
    ran = project.run("export", *arguments)
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_calls_are_written_as_the_log_has_them_without_their_records(project: Project):
    logged = [json.loads(line) for line in project.run("log", "--json").stdout.splitlines()]
    for one in logged:
        del one["events"]
    assert lines(project) == logged
    assert [one["text"] for one in logged][:2] == ["git push -f", "ls -la"]


def test_a_session_and_a_time_narrow_it(project: Project):
    assert [one["id"] for one in lines(project, "--session", "a")] == [1, 2]
    assert [one["id"] for one in lines(project, "--since", "2025-11-15T10:00:50")] == [2, 4]
    assert [one["sequence"] for one in lines(project, "--records", "--session", "a")] == [1, 2, 3]


def test_records_are_written_whole(project: Project):
    first = lines(project, "--records")[0]
    assert (first["sequence"], first["at"], first["decision"]) == (1, START, "deny")
    assert first["payload"]["tool_input"] == {"command": "git push -f"}
    assert len(first["hash"]) == 64


def test_a_spreadsheet_runs_nothing_that_an_agent_wrote(project: Project):
    rows = list(csv.DictReader(io.StringIO(project.run("export", "--format", "csv").stdout)))
    assert [row["text"] for row in rows] == ["git push -f", "ls -la", '\'=HYPERLINK("https://evil.example")']
    assert (rows[0]["rules"], rows[1]["rules"], rows[1]["seconds"], rows[1]["reason"]) == (
        '["no-force"]',
        "[]",
        "1.5",
        "",
    )
    assert rows[0]["at"] == str(START)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n=", "|", "%"])
def test_every_beginning_that_a_spreadsheet_acts_on_is_quoted(project: Project, start: str):
    keep(entry(200, "c", None, command=f"{start}1"))
    written = project.run("export", "--format", "csv").stdout_bytes.decode()
    *_, last = csv.DictReader(io.StringIO(written, newline=""))
    assert last["text"] == f"'{start}1"


def test_requests_and_grants_are_written(project: Project):
    ask()
    with closing(open_store()) as store:
        approve(store, found(), by="ann", at=time.time(), terms=Terms(scope="project", calls=2))
    (request,) = lines(project, "--requests")
    assert (request["id"], request["status"], request["by"]) == ("3f9c1c1e00", "yes", "ann")
    (grant,) = lines(project, "--grants", "--since", "1h")
    assert (grant["request"], grant["left"]) == ("3f9c1c1e00", 2)
    assert lines(project, "--requests", "--session", "zz") == lines(project, "--grants", "--session", "zz") == []
    (row,) = csv.DictReader(io.StringIO(project.run("export", "--requests", "--format", "csv").stdout))
    assert (list(row)[:3], row["id"], row["status"]) == (["id", "status", "tool"], "3f9c1c1e00", "yes")


def test_a_file_is_written_whole_for_its_owner_and_never_replaced_by_chance(project: Project):
    file = project.root / "calls.jsonl"
    assert project.said("export", "-o", file) == (0, "")
    before = file.read_text()
    assert (len(before.splitlines()), file.stat().st_mode & 0o777) == (3, 0o600)
    assert project.said("export", "-o", file) == (
        1, "error: calls.jsonl exists\nhelp: choose another name, or replace it with --force\n",
    )  # fmt: skip
    assert project.run("export", "-o", file, "--session", "b", "--force").exit_code == 0
    assert len(file.read_text().splitlines()) == 1
    assert [one.name for one in project.root.iterdir()] == ["calls.jsonl"]


def test_progress_is_shown_to_a_person(project: Project):
    with full_screen("export", "-o", str(project.root / "calls.csv"), "--format", "csv") as screen:
        assert screen.ended() == 0
        assert screen.lines[0] == "3 calls written"


MISTAKES = {
    ("--follow",): "--follow only works with --to",
    ("--to", "otlp", "--session", "a"): "--session and --to cannot be used together",
    ("--to", "otlp", "--force"): "--force and --to cannot be used together",
    ("--since", "soon"): "`soon` is neither a time nor a duration",
    ("-o", "no/such/folder/x"): "nothing can be written beside no/such/folder/x",
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=" ".join)
def test_a_mistake_is_said(project: Project, arguments: tuple[str, ...]):
    ran = project.run("export", *arguments)
    assert (ran.exit_code, MISTAKES[arguments] in ran.output) == (1, True)
