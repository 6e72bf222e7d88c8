"""The command of an entry refuses whatever happens to the client, with a reason, in a real shell."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from interlock.hosts.base import commands
from interlock.hosts.base.commands import (
    COULD_NOT_RUN,
    FOLDER,
    PROCESS,
    hook_command,
    is_hook_command,
    runs_client,
    runs_launcher,
)
from interlock.hosts.base.places import launcher_file

SHELLS = ["/bin/sh", "/bin/bash"]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client whose end a test writes, at a place with a blank in its name."""
    file = tmp_path / "a b" / "interlock" / "client.py"
    file.parent.mkdir(parents=True)
    file.write_text("raise SystemExit(0)", encoding="utf-8")
    monkeypatch.setattr(commands, "client_file", lambda: file)
    return file


def run(shell: str, *, refuses: bool = True) -> tuple[int, str, str]:
    words = [shell, "-c", hook_command("codex", "PreToolUse", refuses=refuses)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, input="{}")
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ("print('{}')", (0, "{}\n", "")),
        ("import sys; print('{}'); sys.stderr.write('No.'); sys.exit(2)", (2, "{}\n", "No.")),
        ("import sys; sys.exit(1)", (2, "", f"{COULD_NOT_RUN}\n")),
        ("import os; os.kill(os.getpid(), 9)", (2, "", f"{COULD_NOT_RUN}\n")),
    ],
)
def test_only_an_answer_gets_through(client: Path, shell: str, ends: str, expected: tuple[int, str, str]):
    client.write_text(ends, encoding="utf-8")
    code, stdout, stderr = run(shell)
    assert (code, stdout, stderr[-len(expected[2]) or None :]) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_an_interpreter_that_is_gone_refuses(client: Path, shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands, "python", lambda: tmp_path / "gone" / "python")
    code, stdout, stderr = run(shell)
    assert (code, stdout, stderr.splitlines()[-1]) == (2, "", COULD_NOT_RUN)


@pytest.mark.parametrize("ends", ["raise SystemExit(1)", "raise SystemExit(2)", "import os; os.kill(os.getpid(), 9)"])
def test_an_event_that_cannot_be_refused_never_ends_in_a_refusal(client: Path, ends: str):
    client.write_text(ends, encoding="utf-8")
    assert run("/bin/sh", refuses=False)[0] == 1


@pytest.mark.parametrize("code", [0, 1, 2, 139])
def test_where_every_exit_code_means_something_each_gets_through(client: Path, code: int):
    client.write_text(f"import os; os.write(2, b'Look.'); os._exit({code})", encoding="utf-8")
    ran = subprocess.run(
        ["/bin/sh", "-c", hook_command("codex", "Stop", refuses=None)], capture_output=True, check=False, input=b"{}"
    )
    assert (ran.returncode, ran.stderr) == (code, b"Look.")


@pytest.mark.parametrize("says", [(), (FOLDER,), (FOLDER, FOLDER), (FOLDER, PROCESS)])
@pytest.mark.parametrize(("refuses", "instead"), [(True, ""), (False, ""), (None, ""), (True, '{"continue":false}')])
def test_a_command_is_recognised_as_that_of_its_host(
    client: Path, refuses: bool | None, instead: str, says: tuple[str, ...]
):
    command = hook_command("codex", "PreToolUse", refuses=refuses, instead=instead, says=says)
    assert is_hook_command("codex", command)
    assert not is_hook_command("gemini", command)
    assert runs_client(["/bin/bash", "-c", command], "codex")
    assert runs_client(shlex.split(command), "codex")


@pytest.mark.parametrize("instead", ["", '{"decision":"block","reason":"Not checked."}'])
def test_the_shell_that_runs_an_entry_is_told_from_the_host(client: Path, instead: str):
    command = hook_command("codex", "PreToolUse", refuses=True, instead=instead)
    assert runs_client(shlex.split(command), "codex")
    assert runs_client(["/bin/bash", "-c", command, ""], "codex")
    printing = hook_command("codex", "PostToolUse", refuses=True, instead='{"cancel": true}')
    assert runs_client(shlex.split(printing), "codex")
    assert not runs_client(["/bin/sh", "-c", f"{shlex.split(printing)[2]}; ls"], "codex")
    assert not runs_client(["codex", "exec", command], "codex")
    assert not runs_client(["/bin/bash", "-c", "ls"], "codex")
    other = hook_command("codex", "PreToolUse", refuses=None, says=('"$(id)"',))
    assert not runs_client(shlex.split(other), "codex")
    for around in ("{}; exit $?", "cd /; {}", "{} < forged.json", "/bin/sh -c 'x' {}", "echo $({})"):
        assert not runs_client(["/bin/bash", "-c", around.format(command)], "codex")
    assert not runs_client([], "codex")


def test_an_event_behind_the_command_is_no_part_of_it(client: Path):
    """One host writes it there, as a here-document of one line, and only of that host is it taken for one."""
    command = hook_command("codex", "PreToolUse", refuses=True)
    given = f"{command} <<'END'\n" + '{"a": 1}\nEND'
    assert runs_client(["/bin/bash", "-lc", given], "codex", "END")
    assert not runs_client(["/bin/bash", "-lc", given], "codex")
    assert not runs_client(["/bin/bash", "-lc", given], "codex", "OTHER")
    for wrong in (f"{given}\nls", given.replace('{"a"', 'ls\n{"a"'), given.replace("'END'", "END"), f"ls; {given}"):
        assert not runs_client(["/bin/bash", "-lc", wrong], "codex", "END")


def test_the_launcher_is_told_from_the_host_with_an_event_behind_it():
    place = str(launcher_file())
    given = f"{place} <<'END'\n" + "{}\nEND"
    assert runs_launcher(["/bin/bash", "-lc", place])
    assert runs_launcher(["/bin/bash", "-lc", given], "END")
    assert not runs_launcher(["/bin/bash", "-lc", given])
