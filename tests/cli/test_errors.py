"""How commands end: 1 for the person's files, 3 for a bug of ours with a log, 130 for ^C, quietly for a closed pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.cli import check, main
from tests.lint.project import Project

COMMANDS = ("init", "uninstall", "doctor", "check", "explain", "test", "score", "trust", "pause", "lift", "log",
            "prompt", "schema", "demo", "mcp", "hook", "client", "serve", "status", "stop")  # fmt: skip
# These take no policy.
FOR_HOSTS = ("uninstall", "doctor", "lift", "demo", "mcp", "hook", "client", "serve", "status",
             "stop")  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


@pytest.mark.parametrize("command", [("check",), ("explain", "ls"), ("prompt",), ("trust", "--yes")], ids=" ".join)
def test_a_file_of_the_persons_that_is_wrong_is_exit_one_and_leaves_no_log(project: Project, command: tuple[str, ...]):
    project.write("version: 1\nrulez: []\n")
    result = project.run(*command)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: unknown key `rulez`")
    assert not (project.state / "errors").exists()


def test_a_bug_of_ours_is_exit_three_with_a_log_and_nothing_else(project: Project, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> object:
        raise ZeroDivisionError("the bug")

    monkeypatch.setattr(check, "policies", broken)
    result = project.run("check")
    (log,) = (project.state / "errors").iterdir()
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == f"error: a bug in Interlock; the details are in {log}\n"
    text = log.read_text(encoding="utf-8")
    assert text.startswith("Traceback (most recent call last):\n")
    assert text.endswith("ZeroDivisionError: the bug\n")


def test_a_bug_of_ours_is_told_even_where_no_log_can_be_written(project: Project, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> object:
        raise ZeroDivisionError("the bug")

    monkeypatch.setattr(check, "policies", broken)
    project.state.mkdir(parents=True)
    (project.state / "errors").write_text("in the way", encoding="utf-8")
    result = project.run("check")
    assert result.exit_code == 3
    assert "a bug in Interlock" in result.stderr


def test_an_interrupt_is_exit_130_and_silent(project: Project, monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "policies", interrupted)
    result = project.run("check")
    assert (result.exit_code, result.output) == (130, "")


@pytest.mark.parametrize("command", [("schema",), ("check", "--json")], ids=" ".join)
def test_a_reader_that_has_gone_is_not_complained_about(project: Project, command: tuple[str, ...]):
    """As in `interlock schema | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ended = subprocess.run(
            [sys.executable, "-m", "interlock", *command], stdout=closed, stderr=subprocess.PIPE, cwd=project.root,
            env=project.environ(), timeout=60, check=False,
        )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_policy_that_is_a_folder_is_the_persons_error(project: Project):
    code, text = project.said("check", "--policy", project.root)
    assert (code in (1, 2), "a bug in Interlock" in text) == (True, False)


@pytest.mark.parametrize("name", ["interlock.yaml", "a.test.yaml"])
def test_a_file_that_is_not_text_is_the_persons_error(project: Project, name: str):
    (project.root / name).write_bytes(b"\xff\xfe\x00version: 1\n")
    code, text = project.said("check" if name == "interlock.yaml" else "test")
    assert (code, "a bug in Interlock" in text) == (1, False)


# --- help --------------------------------------------------------------------------------------------------


def test_help_lists_every_command_in_the_order_of_their_use(project: Project):
    text = project.run("--help").stdout
    listed = [line.split()[0] for line in text.partition("Commands:")[2].splitlines() if line[:4].strip()]
    assert tuple(listed) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(project: Project, command: str):
    result = project.run(command, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout or "Example:" in result.stdout
    assert f"  interlock {command}" in result.stdout


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in FOR_HOSTS])
def test_every_command_takes_a_policy_and_speaks_json(project: Project, command: str):
    text = project.run(command, "--help").stdout
    assert "--policy FILE" in text
    assert "--json" in text


def test_an_unknown_command_is_refused(project: Project):
    result = project.run("chekc")
    assert result.exit_code == 2
    assert "No such command 'chekc'" in result.stderr


def test_every_command_is_there(project: Project):
    import click

    with click.Context(main) as context:
        assert tuple(main.list_commands(context)) == COMMANDS
