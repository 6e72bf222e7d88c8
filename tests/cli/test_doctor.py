"""`interlock doctor`: whether a session started here is really guarded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import main
from interlock.config.places import socket_path
from interlock.daemon.control import stop
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
    assert "  BAD  canary: there is no entry of Interlock's to try\n       → run `interlock init`\n" in text
    assert text.endswith("2 problems found.\n")


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


def test_help_says_what_it_does_and_shows_how():
    text = CliRunner().invoke(main, ["doctor", "--help"]).stdout
    for part in ("--client", "--no-canary", "--json", "interlock doctor --client", "Exits with 1"):
        assert part in text
