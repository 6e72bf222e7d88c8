"""The entry that runs through a shell: it runs the program, or says that the program is gone and how to go on."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from interlock.hosts.claude_code.entries import PROJECT, Handler, entry, is_entry, shared_entry
from interlock.hosts.claude_code.recovery import TOLD_AT, direct

SHELLS = [["/bin/sh"], ["dash"], ["bash", "--posix"], ["busybox", "sh"], ["zsh", "--emulate", "sh"]]
WAYS = (
    "Until that is settled, prompts are blocked and calls are denied. There are two ways back:\n"
    "1. Install Interlock again, then run: interlock init\n"
    "2. Remove Interlock's entries (those that name interlock or 127.0.0.1) from the hooks in"
)


class Machine:
    """A home and a project, in which a host runs the entry."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "my home"
        self.project = folder / "it's a shop"
        self.python = folder / "env" / "bin" / "python"
        self.client = folder / "env" / "lib" / "interlock" / "client.py"
        for place in (self.home / ".claude", self.project / ".claude", self.python.parent, self.client.parent):
            place.mkdir(parents=True)
        self.python.write_text('#!/bin/sh\nprintf "%s|" "$@"; exit 7\n', encoding="utf-8")
        self.python.chmod(0o755)
        self.client.touch()

    def entry(self) -> Handler:
        return entry(TOLD_AT, self.python, self.client, Path("/run/socket"))

    def settings(self, *folders: Path, handler: Handler | None = None, indent: int | None = None) -> list[Path]:
        files = [folder / ".claude" / "settings.json" for folder in folders]
        for file in files:
            value = {"hooks": {TOLD_AT: [{"hooks": [handler or self.entry()]}]}}
            file.write_text(json.dumps(value, indent=indent), encoding="utf-8")
        return files

    def ask(self, handler: Handler, shell: list[str] | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """Run an entry as a host does."""
        command = [*(shell or ["/bin/sh"]), "-c", handler["command"]]
        env = {"HOME": str(self.home), "PATH": "/nowhere", "CLAUDE_PROJECT_DIR": str(self.project), **more}
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=20, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(params=SHELLS, ids=lambda shell: Path(shell[0]).name)
def shell(request: pytest.FixtureRequest) -> list[str]:
    program, *options = request.param
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"needs {program}")
    return [found, *options]


def test_a_program_that_is_there_is_run_in_the_place_of_the_shell(machine: Machine, shell: list[str]):
    done = machine.ask(machine.entry(), shell)
    words = ["-I", "-S", str(machine.client), TOLD_AT, "/run/socket", str(machine.project)]
    assert (done.returncode, done.stdout, done.stderr) == (7, "".join(f"{word}|" for word in words), "")


@pytest.mark.parametrize("gone", ["python", "client", "both"])
def test_a_program_that_is_gone_blocks_the_prompt_and_names_the_file_and_the_ways_back(
    machine: Machine, shell: list[str], gone: str
):
    [file] = machine.settings(machine.project)
    for name in ("python", "client"):
        if gone in (name, "both"):
            getattr(machine, name).unlink()
    done = machine.ask(machine.entry(), shell)
    missing = machine.client if gone == "client" else machine.python
    message = f"Interlock is set up here, but its program is gone: {missing}\n{WAYS} {file}"
    assert json.loads(done.stdout) == {"decision": "block", "reason": message}
    assert (done.returncode, done.stderr) == (2, f"{message}\n")


def test_a_link_that_leads_nowhere_is_a_program_that_is_gone(machine: Machine):
    machine.python.unlink()
    machine.python.symlink_to("/nowhere/python3.11")
    assert machine.ask(machine.entry()).returncode == 2


@pytest.mark.parametrize("indent", [None, 2])
def test_every_file_with_the_entry_is_named_and_no_other(machine: Machine, indent: int | None):
    files = machine.settings(machine.project, machine.home, indent=indent)
    local = machine.project / ".claude" / "settings.local.json"
    local.write_text('{"permissions": {"allow": ["Bash(interlock check)"]}}', encoding="utf-8")
    machine.python.unlink()
    assert machine.ask(machine.entry()).stderr.endswith(f"{WAYS} {files[0]} {files[1]}\n")


def test_a_configuration_folder_of_its_own_is_looked_into(machine: Machine, tmp_path: Path):
    machine.settings(machine.home)
    (tmp_path / "other" / ".claude").mkdir(parents=True)
    machine.settings(tmp_path / "other")
    machine.python.unlink()
    done = machine.ask(machine.entry(), CLAUDE_CONFIG_DIR=str(tmp_path / "other" / ".claude"))
    assert done.stderr.endswith(f"{WAYS} {tmp_path / 'other' / '.claude' / 'settings.json'}\n")


def test_the_local_file_of_a_folder_above_is_named(machine: Machine):
    """A newer client reads the file of the repository's root, too."""
    [file] = machine.settings(machine.project)
    local = file.rename(file.with_name("settings.local.json"))
    machine.project = machine.project / "src" / "app"
    machine.project.mkdir(parents=True)
    machine.python.unlink()
    assert machine.ask(machine.entry()).stderr.endswith(f"{WAYS} {local}\n")


@pytest.mark.parametrize("relative", [False, True])
def test_the_local_file_of_the_main_working_tree_is_named(
    machine: Machine, shell: list[str], tmp_path: Path, relative: bool
):
    [file] = machine.settings(machine.project)
    local = file.rename(file.with_name("settings.local.json"))
    tree = tmp_path / "elsewhere" / "tree"
    tree.mkdir(parents=True)
    (machine.project / ".git" / "worktrees" / "tree").mkdir(parents=True)
    main = Path("..", "..", machine.project.name) if relative else machine.project
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n", encoding="utf-8")
    machine.project = tree
    machine.python.unlink()
    done = machine.ask(machine.entry(), shell, CDPATH=f"/:{tmp_path}")
    assert (json.loads(done.stdout)["decision"], done.stderr.endswith(f"{WAYS} {local}\n")) == ("block", True)


def test_a_git_file_that_leads_in_a_circle_or_nowhere_ends_the_search(machine: Machine, tmp_path: Path):
    other = tmp_path / "other"
    for one, two in ((machine.project, other), (other, machine.project)):
        one.mkdir(exist_ok=True)
        (one / ".git").write_text(f"gitdir: {two}/a/b/c\n", encoding="utf-8")
        (two / "a" / "b" / "c").mkdir(parents=True, exist_ok=True)
    machine.python.unlink()
    done = machine.ask(machine.entry())
    assert (done.returncode, json.loads(done.stdout)["decision"]) == (2, "block")
    (machine.project / ".git").write_text("gitdir: /nowhere/at/all/x\n", encoding="utf-8")
    assert machine.ask(machine.entry()).returncode == 2


def test_if_no_file_is_found_the_host_is_asked(machine: Machine):
    machine.python.unlink()
    assert machine.ask(machine.entry()).stderr.endswith(f"{WAYS} the file that /hooks names\n")


def test_a_name_that_json_cannot_carry_as_it_is_still_blocks_and_is_still_shown(tmp_path: Path):
    (tmp_path / 'a "quoted" place').mkdir()
    machine = Machine(tmp_path / 'a "quoted" place')
    machine.python.unlink()
    done = machine.ask(machine.entry())
    assert done.returncode == 2
    assert f"its program is gone: {machine.python}\n" in done.stderr


def test_a_teammate_without_interlock_is_told_the_same(machine: Machine, shell: list[str], tmp_path: Path):
    [file] = machine.settings(machine.project, handler=shared_entry(TOLD_AT))
    message = f"Interlock is set up here, but its program is gone: interlock\n{WAYS} {file}\n"
    done = machine.ask(shared_entry(TOLD_AT), shell)
    assert (done.returncode, done.stderr) == (2, message)
    (tmp_path / "bin").mkdir()
    machine.python.rename(tmp_path / "bin" / "interlock")
    done = machine.ask(shared_entry(TOLD_AT), shell, PATH=str(tmp_path / "bin"))
    assert (done.returncode, done.stdout) == (7, f"client|{TOLD_AT}|{machine.project}|")


def test_the_host_finds_nothing_of_its_own_in_the_script(machine: Machine):
    """Hosts replace `${…}` in a command; the shell finds the project's folder in its environment."""
    for handler in (machine.entry(), shared_entry(TOLD_AT)):
        assert "${" not in handler["command"]
        assert "args" not in handler
        assert direct(handler)["args"][-1] == PROJECT


def test_the_entry_is_known_again_whatever_its_script_says(machine: Machine):
    handler = machine.entry()
    words = direct(handler)
    other = {**handler, "command": f'{handler["command"].partition("; p=$1; ")[0]}; p=$1; exec "$@"'}
    earlier = {**handler, "command": "/bin/sh", "args": ["-c", "x", "interlock", words["command"], *words["args"]]}
    assert is_entry(TOLD_AT, handler)
    assert is_entry(TOLD_AT, other)
    assert is_entry(TOLD_AT, earlier)
    assert words["command"] == str(machine.python)


@pytest.mark.parametrize("command", ["set -- a", "set -- 'a; p=$1; b", "ls; p=$1; ls", "set -- a; p=$1; ls"])
def test_another_line_is_somebody_elses(command: str):
    handler = {"type": "command", "command": command}
    assert not is_entry(TOLD_AT, handler)
    assert direct(handler) == handler


@pytest.mark.parametrize(
    "args",
    [["-c", "ls", "interlock"], ["-c", "ls", "sh", "/x/python", "-I"], ["-x", "ls", "interlock", "a"], "-c ls", None],
)
def test_another_shell_line_is_somebody_elses(args: object):
    handler = {"type": "command", "command": "/bin/sh", "args": args}
    assert not is_entry(TOLD_AT, handler)
    assert direct(handler) == handler
