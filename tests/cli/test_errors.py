"""How commands end: 1 for the person's files, 3 for a bug of ours with a log, 130 for ^C, quietly for a closed pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from interlock.cli import __file__ as main_file
from interlock.cli import check, main
from tests.cli.test_trust import at_terminal
from tests.lint.project import Project

COMMANDS = tuple(main.list_commands(click.Context(main)))
# These take no policy.
FOR_HOSTS = ("uninstall", "import", "doctor", "rule", "programs", "open", "inbox", "approve", "reject", "grants",
             "export", "prune", "lift", "docs", "completion", "demo", "mcp", "hook", "client", "serve",
             "lint", "status", "stop")  # fmt: skip


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

    monkeypatch.setattr(check, "core_policy", broken)
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

    monkeypatch.setattr(check, "core_policy", broken)
    project.state.mkdir(parents=True)
    (project.state / "errors").write_text("in the way", encoding="utf-8")
    result = project.run("check")
    assert result.exit_code == 3
    assert "a bug in Interlock" in result.stderr


def test_an_interrupt_is_exit_130_and_silent(project: Project, monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "core_policy", interrupted)
    result = project.run("check")
    assert (result.exit_code, result.output) == (130, "")


@pytest.mark.parametrize("command", [("schema",), ("check", "--json"), ("check",), ("lint",)], ids=" ".join)
def test_a_reader_that_has_gone_is_not_complained_about(project: Project, command: tuple[str, ...]):
    """As in `interlock schema | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ended = subprocess.run(
            [sys.executable, "-m", "interlock", *command], stdout=closed, stderr=subprocess.PIPE, cwd=project.root,
            env=project.environ(PYTHONUNBUFFERED=""), timeout=60, check=False,
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
    sections = text.partition("\nStart:\n")[2]
    listed = [line.split()[0] for line in sections.splitlines() if line[:2] == "  " and line[2:3].strip()]
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


# --- words that do not exist -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chek",), "error: there is no command `chek`; did you mean `check`?\n"
                    "help: `main --help` lists all of them\n"),
        (("frobnicate",), "error: there is no command `frobnicate`\nhelp: `main --help` lists all of them\n"),
        (
            ("log", "--rul", "x"),
            "error: there is no option `--rul`; did you mean `--rule`?\nhelp: `main log --help` lists all of them\n",
        ),
        (("--versoin",), "error: there is no option `--versoin`; did you mean `--version`?\n"
                         "help: `main --help` lists all of them\n"),
        (("check", "-Z"), "error: there is no option `-Z`\nhelp: `main check --help` lists all of them\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_wrong_word_gets_the_one_that_was_meant(project: Project, arguments: tuple[str, ...], message: str):
    result = project.run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def misspelt(word: str) -> list[str]:
    """The word with two letters swapped, one left out, and one doubled."""
    middle = len(word) // 2
    return [
        word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :] if middle + 1 < len(word) else word,
        word[:middle] + word[middle + 1 :],
        word[:middle] + word[middle] + word[middle:],
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_any_slip_in_a_command_or_an_option_is_recognised(project: Project, command: str):
    for wrong in misspelt(command):
        if wrong not in COMMANDS:
            assert f"there is no command `{wrong}`; did you mean `" in project.run(wrong).stderr
    found = main.get_command(click.Context(main), command)
    assert found is not None
    known = [name for one in found.params for name in one.opts if name.startswith("--")]
    for option in known:
        for wrong in misspelt(option):
            if wrong not in known and not any(name.startswith(wrong) for name in known):
                result = project.run(command, wrong)
                assert (result.exit_code, f"there is no option `{wrong}`; did you mean `" in result.stderr) == (2, True)


# --- colours -----------------------------------------------------------------------------------------------


def test_an_error_is_coloured_at_a_terminal_and_nowhere_else(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.write("version: 1\nrulez: []\n")
    assert "\x1b[31m\x1b[1merror:\x1b[0m unknown key `rulez`" in at_terminal(project, b"", "explain", "ls")[1]
    assert "\x1b[31m\x1b[1merror:\x1b[0m there is no command" in at_terminal(project, b"", "chek")[1]
    assert b"\x1b" not in project.spawn("explain", "ls").stderr
    monkeypatch.setenv("NO_COLOR", "1")
    for arguments in (("explain", "ls"), ("chek",), ("doctor", "--no-canary")):
        assert "\x1b" not in at_terminal(project, b"", *arguments)[1]


def test_every_module_with_a_command_of_its_name_is_listed():
    names = [file.stem for file in Path(main_file).parent.glob("*.py") if not file.stem.startswith("_")]
    commands = {
        name for name in names if isinstance(getattr(import_module(f"interlock.cli.{name}"), name, None), click.Command)
    }
    assert {name.rstrip("_") for name in commands} == set(COMMANDS)  # `import_`, which Python keeps for itself
