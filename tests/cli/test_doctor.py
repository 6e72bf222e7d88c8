"""`interlock doctor`: whether a session started here is really guarded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import main
from interlock.config.places import socket_path
from interlock.daemon.control import stop
from tests.cli.test_trust import at_terminal
from tests.lint.project import Project

SETTINGS = ".claude/settings.local.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("PATH", "/nowhere")
    project = Project(tmp_path, monkeypatch)
    (project.root / ".git").mkdir()
    project.policy()
    yield project
    stop(socket_path())


def test_a_guarded_project_is_said_to_be_so(project: Project):
    project.run("init", "--yes")
    project.trust()
    code, text = project.said("doctor")
    lines = text.splitlines()
    assert code == 0
    assert lines[0] == "shop"
    assert f"  ok   settings: all 30 events have entries, in {SETTINGS}" in lines
    assert f"  ok   canary: the entry in {SETTINGS} denied `interlock pause --for 8h`" in lines
    assert lines[-1] == "This project is guarded."


def test_a_project_that_is_not_is_said_to_be_so(project: Project):
    code, text = project.said("doctor")
    assert code == 1
    assert "  BAD  settings: none of Interlock's entries would run in a session started in shop\n" in text
    assert "  note canary: not sent: there is no entry of Interlock's to send it through\n" in text
    assert text.endswith("1 problem found. First, run `interlock init`.\n")


def test_it_judges_the_folder_one_stands_in(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.run("init", "--yes")
    nested = project.root / "vendor" / "lib"
    (nested / ".git").mkdir(parents=True)
    code, text = project.said("doctor", "--no-canary")
    assert code == 0
    assert "note nested repository: a session started in vendor/lib is not guarded" in text
    monkeypatch.chdir(nested)
    found = project.data("doctor", "--no-canary")
    assert (found["folder"], found["project"], found["good"]) == (str(nested), str(project.root), False)


def test_programs_are_told_the_same(project: Project):
    project.run("init", "--yes")
    found = project.data("doctor", "--no-canary")
    assert (found["folder"], found["project"], found["good"]) == (str(project.root), str(project.root), True)
    assert {finding["about"] for finding in found["findings"]} == {"client", "settings", "policy", "daemon"}


def test_settings_that_come_with_the_project_do_not_switch_it_off(project: Project):
    project.write('{"disableAllHooks": true}', ".claude/settings.json")
    project.run("init", "--yes")
    assert project.said("doctor")[0] == 0
    project.run("uninstall", "--yes")
    assert [file.name for file in (project.root / ".claude").iterdir()] == ["settings.json"]


def test_quiet_shows_only_problems(project: Project):
    assert project.said("doctor", "--no-canary", "-q") == (
        1,
        "shop\n  BAD  settings: none of Interlock's entries would run in a session started in shop\n"
        "       → run `interlock init`\n1 problem found. First, run `interlock init`.\n",
    )


def test_a_report_fits_its_terminal(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.run("init", "--yes")
    file = project.root / SETTINGS
    file.write_text(file.read_text(encoding="utf-8").replace('"timeout"', '"Timeout"'), encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "80")
    lines = project.run("doctor", "--no-canary").output.splitlines()
    assert [line for line in lines[1:] if len(line) > 80] == []


def test_levels_are_coloured_at_a_terminal_only(project: Project):
    _, shown = at_terminal(project, b"", "doctor", "--no-canary")
    assert "  \x1b[31mBAD \x1b[0m settings: " in shown
    assert "\x1b[31m1 problem found.\x1b[0m" in shown
    assert "\x1b" not in project.run("doctor", "--no-canary").output


def test_help_says_what_it_does_and_shows_how():
    text = CliRunner().invoke(main, ["doctor", "--help"]).stdout
    for part in ("--client", "--no-canary", "--json", "interlock doctor --client", "Exits with 1"):
        assert part in text
