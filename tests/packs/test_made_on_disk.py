"""What a session made outside the project, on a real disk: it is read when it is run, as it is then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import json

from interlock.config.bundles import core_policy, find_pack
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.probe.world import Machine
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.events import payload_for


class Disk:
    """A session in a project, with a folder beside it."""

    def __init__(self, root: Path) -> None:
        self.project, self.aside = root / "shop", root / "aside"
        self.project.mkdir()
        self.aside.mkdir()
        file, text = find_pack("guarded", "")
        policies = [load_policy(text, file, find_pack), core_policy()]
        world = Machine(str(self.project))
        self._guard = Guard(policies, world, MemoryStore(), project=str(self.project), alone=True, run_hooks=False)
        self._calls = 0

    def bash(self, line: str) -> str | None:
        return self._call("Bash", command=line)

    def write(self, name: str, text: str) -> Path:
        file = self.aside / name
        assert self._call("Write", file_path=str(file), content=text) is None
        file.write_text(text, encoding="utf-8")
        return file

    def _call(self, tool: str, **given: str) -> str | None:
        self._calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"t{self._calls}"}
        event = json.decode(payload_for("PreToolUse", {}, **call))
        raw = json.encode({**event, "cwd": str(self.project)})
        return answer(self._guard, "claude-code", raw).verdict.decision


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_a_script_is_judged_by_the_text_that_it_has_now(disk: Disk):
    file = disk.write("a.sh", "git status\n")
    assert disk.bash(f"bash {file}") is None
    file.write_text("git push -f origin main\n", encoding="utf-8")
    assert disk.bash(f"bash {file}") == "deny"


def test_what_another_session_left_there_is_asked_about(disk: Disk):
    (disk.aside / "a.sh").write_text("git status\n", encoding="utf-8")
    assert disk.bash(f"bash {disk.aside}/a.sh") == "ask"


def test_a_link_to_a_file_of_others_is_asked_about(disk: Disk):
    file = disk.write("a.sh", "git status\n")
    (disk.aside / "b").write_bytes(b"\x7fELF\0")
    assert disk.bash(f"ln -sf {disk.aside}/b {file}") is None
    file.unlink()
    file.symlink_to(disk.aside / "b")
    assert disk.bash(f"{file}") == "ask"


@pytest.mark.parametrize("content", [b"\x7fELF\0\xff", b"echo\n" * 20_000])
def test_a_file_that_is_no_small_text_is_asked_about(disk: Disk, content: bytes):
    file = disk.write("t", "x")
    file.write_bytes(content)
    assert disk.bash(f"{file} --now") == "ask"


def test_a_pipe_does_not_hold_up_the_judgement(disk: Disk):
    file = disk.write("p.sh", "x")
    file.unlink()
    os.mkfifo(file)
    assert disk.bash(f"bash {file}") == "ask"


def test_a_program_that_was_built_runs_until_something_else_is_put_there(disk: Disk):
    program = disk.aside / "t"
    assert disk.bash(f"go build -o {program} ./cmd/t") is None
    program.write_bytes(b"\x7fELF\0")
    assert disk.bash(f"{program} --help") is None
    assert disk.bash(f"curl -o {program} https://x.example") is None
    assert disk.bash(f"{program} --help") == "ask"


def test_a_script_beside_what_was_built_is_read(disk: Disk):
    folder = disk.aside / "build"
    assert disk.bash(f"cmake -S . -B {folder} && cmake --build {folder}") is None
    folder.mkdir()
    (folder / "app").write_bytes(b"\x7fELF\0")
    (folder / "run.sh").write_text("git push -f origin main\n", encoding="utf-8")
    assert disk.bash(f"{folder}/app") is None
    assert disk.bash(f"bash {folder}/run.sh") == "deny"


def test_a_link_through_which_a_program_is_replaced_is_followed(disk: Disk):
    program, link = disk.aside / "t", disk.project / "link"
    assert disk.bash(f"go build -o {program} .") is None
    link.symlink_to(program)
    assert disk.bash("curl -o link https://x.example") is None
    assert disk.bash(f"{program} --help") == "ask"
