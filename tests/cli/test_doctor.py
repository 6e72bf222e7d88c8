"""`interlock doctor`: whether a session started here is really guarded."""

from __future__ import annotations

import os
import shutil
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


@pytest.fixture
def with_bash(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """With the shell in which Qwen runs its hooks, and no agent, on the PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bash").symlink_to(shutil.which("bash", path=os.defpath) or "/bin/bash")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return project


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
    assert "  note canary: not sent: Interlock has no entry to send it through\n" in text
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


QWEN = "ok   Qwen Code: the entries in ~/.qwen/settings.json deny `interlock pause --for 8h`"


def test_who_set_up_another_agent_alone_is_not_told_to_set_up_claude_code(with_bash: Project):
    project = with_bash
    project.trust()
    project.run("init", "--host", "qwen", "--yes")
    code, text = project.said("doctor")
    about = [line.split()[1].rstrip(":") for line in text.splitlines()[1:-1]]
    assert (code, about) == (0, ["policy", "Qwen", "daemon"])
    assert f"  {QWEN}\n" in text
    assert text.endswith("Qwen Code asks Interlock here.\n")


def test_an_agent_beside_claude_code_gets_one_line(with_bash: Project):
    project = with_bash
    project.run("init", "--yes")
    project.run("init", "--host", "qwen", "--yes")
    project.trust()
    code, text = project.said("doctor")
    assert (code, f"  {QWEN}\n" in text) == (0, True)
    assert text.endswith("This project is guarded: Claude Code and Qwen Code ask Interlock.\n")


def test_an_agent_that_does_not_say_whether_it_runs_its_entries_is_not_called_guarded_without_doubt(with_bash: Project):
    project = with_bash
    project.run("init", "--host", "cursor,qwen", "--yes")
    project.trust()
    code, text = project.said("doctor")
    doubt = "It is not known whether Cursor runs the entries.\n"
    assert code == 0
    assert text.endswith(f"This project is guarded: Cursor and Qwen Code ask Interlock. {doubt}")
    agents = project.data("doctor")["agents"]
    assert [(agent["host"], agent["guarded"], agent["unsure"]) for agent in agents] == [
        ("cursor", True, True),
        ("qwen", True, False),
    ]


def test_only_the_agents_that_are_named_are_looked_at(project: Project):
    project.run("init", "--yes")
    project.run("init", "--host", "qwen,cline", "--yes")
    found = project.data("doctor", "--host", "qwen", "--no-canary")
    assert {finding["about"] for finding in found["findings"]} == {"policy", "Qwen Code", "daemon"}
    assert found["agents"] == [
        {"host": "qwen", "title": "Qwen Code", "scope": "user", "state": "complete", "guarded": True,
         "unsure": False, "files": [str(project.home / ".qwen" / "settings.json")]}
    ]  # fmt: skip
    assert project.said("doctor", "--host", "qwn")[1].startswith("error: unknown agent `qwn`; expected `claude-code`, ")


def test_an_agent_that_is_named_and_has_no_entries_is_a_problem(project: Project):
    code, text = project.said("doctor", "--host", "cline", "--no-canary")
    assert (code, text.splitlines()[-1]) == (1, "1 problem found. First, run `interlock init --host cline`.")
    code, text = project.said("doctor", "--host", "all", "--no-canary")
    assert (code, "Cline" in text, "settings: none of Interlock's entries" in text) == (1, False, True)


def test_what_to_do_first_is_said_in_short(project: Project):
    project.run("init", "--host", "copilot", "--yes")
    code, text = project.said("doctor", "--no-canary")
    assert (code, text.splitlines()[-1]) == (
        1,
        "1 problem found. First, start `copilot` in shop once and trust the folder.",
    )


def test_agents_are_started_only_with_the_canary_before_them(project: Project):
    result = project.run("doctor", "--live", "--no-canary")
    assert (result.exit_code, "cannot be used together" in result.output) == (2, True)


def test_which_agent_is_being_started_is_said_at_a_terminal_only(with_bash: Project):
    with_bash.run("init", "--host", "qwen", "--yes")
    _, shown = at_terminal(with_bash, b"", "doctor", "--live")
    assert "starting Qwen Code …\r\x1b[K" in shown
    assert "Qwen Code: `qwen` is not on the PATH, so only its entries were tried" in shown
    assert "starting" not in with_bash.run("doctor", "--live").output


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
    for part in ("--host", "--live", "--client", "--no-canary", "--json", "interlock doctor --client", "Exits with 1"):
        assert part in text
