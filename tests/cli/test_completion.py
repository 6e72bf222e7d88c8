"""`interlock completion`: the script completes commands and options, in a real shell where there is one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    folder = made.home / "bin"
    folder.mkdir()
    program = folder / "interlock"
    code = "import sys; sys.argv[0] = 'interlock'; from interlock.cli import main; main()"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return made


def completed(project: Project, *words: str) -> list[str]:
    """What bash offers behind these words; the last one may be unfinished."""
    script = project.home / "completion.bash"
    script.write_text(project.run("completion", "bash").stdout, encoding="utf-8")
    line = " ".join(f"'{word}'" for word in words)
    asks = (
        f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        '_interlock_completion interlock; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    ended = subprocess.run(
        ["bash", "--norc", "-c", asks], capture_output=True, text=True, timeout=60, check=False,
        env=project.environ(PATH=f"{project.home}/bin:/usr/bin:/bin"),
    )  # fmt: skip
    assert ended.stderr == ""
    return ended.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("interlock", "ex"), ["explain", "export"]),
        (("interlock", "st"), ["status", "stop"]),
        (("interlock", "nothing"), []),
        (("interlock", "log", "--dec"), ["--decision"]),
        (("interlock", "log", "--decision", "a"), ["allow", "ask"]),
        (("interlock", "completion", ""), ["bash", "zsh", "fish"]),
        (("interlock", "programs", ""), ["draft", "list", "show"]),
        (("interlock", "programs", "list", "kuber"), ["kubernetes"]),
        (("interlock", "programs", "show", "kubecol"), ["kubecolor"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bash_completes_commands_options_and_choices(project: Project, words: tuple[str, ...], offered: list[str]):
    assert completed(project, *words) == offered


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_offers_every_command(project: Project):
    listed = project.run("--help").stdout.partition("\nStart:\n")[2].splitlines()
    names = [line.split()[0] for line in listed if line[:2] == "  " and line[2:3].strip()]
    assert completed(project, "interlock", "") == names
    assert "init" in names


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed_for_each_shell(project: Project, shell: str):
    result = project.run("completion", shell)
    assert result.exit_code == 0
    assert f"_INTERLOCK_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_script_is_valid_for_its_shell(project: Project, shell: str):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    script = project.run("completion", shell).stdout
    ended = subprocess.run([program, "-n"], input=script, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_another_shell_is_refused(project: Project):
    result = project.run("completion", "csh")
    assert (result.exit_code, "'csh' is not one of 'bash', 'zsh', 'fish'" in result.stderr) == (2, True)
