"""`interlock doctor --live` with the real agents: it says that the guard holds where it does, and only there."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from interlock.hosts import HOSTS as ROOMS
from tests.live.drive import HOSTS, node, place, required
from tests.live.world import World

AMP = place("amp") / "@ampcode" / "cli-linux-x64" / "amp"
BAD = "`interlock pause --for 8h`"


class Doctor:
    """A person's home in which one agent is installed, and what they are told there."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name, self.title = world, name, ROOMS[name].title
        programs = world.folder / "bin"
        programs.mkdir()
        (programs / name).symlink_to(AMP if name == "amp" else HOSTS[name].binary)
        (programs / "node").symlink_to(node())
        world.path = f"{programs}:/usr/bin:/bin"

    def run(self, *words: str) -> tuple[int, str]:
        code, stdout, stderr = self.world.bounded([sys.executable, "-m", "interlock", *words], self.world.env())
        return code, stdout + stderr

    def set_up(self) -> None:
        code, said = self.run("init", "--host", self.name, "--scope", "user", "--yes")
        assert code == 0, said

    def line(self) -> str:
        """What is said of the agent."""
        _, said = self.run("doctor", "--host", self.name, "--live", "--json")
        found = [one for one in json.loads(said)["findings"] if one["about"] == self.title]
        return "\n".join(f"{one['level']} {one['text']}" for one in found)


@pytest.fixture(params=[name for name, room in ROOMS.items() if room.drive is not None])
def doctor(request: pytest.FixtureRequest, world: World) -> Doctor:
    name = request.param
    if name != "amp":
        required(HOSTS[name])
    elif not AMP.is_file():
        pytest.skip("amp is not installed: run `make hosts`")
    return Doctor(world, name)


def files_of(home: Path) -> dict[str, bytes]:
    kept = [file for file in home.rglob("*") if file.is_file() and "interlock" not in str(file.relative_to(home))]
    return {str(file): file.read_bytes() for file in kept}


def test_an_agent_that_is_set_up_refuses_the_call_itself(doctor: Doctor):
    doctor.set_up()
    before = files_of(doctor.world.home)
    said = doctor.line()
    assert said.startswith("ok the entries in ")
    assert said.endswith(f" deny {BAD}, and so does {doctor.title} itself")
    if doctor.name != "codex":  # which is asked at home whether it trusts its entries, and keeps a record of it
        assert files_of(doctor.world.home) == before


@pytest.mark.parametrize(
    ("name", "file", "where"),
    [
        ("gemini", ".gemini/settings.json", ("hooks", "BeforeTool")),
        ("qwen", ".qwen/settings.json", ("hooks", "PreToolUse")),
        ("codex", ".codex/hooks.json", ("hooks", "PreToolUse")),
    ],
)
def test_an_agent_that_never_runs_its_entry_is_found(name: str, file: str, where: tuple[str, str], world: World):
    required(HOSTS[name])
    doctor = Doctor(world, name)
    doctor.set_up()
    settings = world.home / file
    found = json.loads(settings.read_bytes())
    found[where[0]][where[1]][0]["matcher"] = "a_tool_of_another_name"
    settings.write_text(json.dumps(found), encoding="utf-8")
    assert f"problem THE GUARD DOES NOT HOLD: started with these entries, it ran {BAD}" in doctor.line()


def test_an_allow_that_amp_finds_first_is_found(world: World):
    if not AMP.is_file():
        pytest.skip("amp is not installed: run `make hosts`")
    doctor = Doctor(world, "amp")
    doctor.set_up()
    settings = world.home / ".config" / "amp" / "settings.json"
    found = json.loads(settings.read_bytes())
    found["amp.permissions"].insert(0, {"tool": "Bash", "action": "allow"})
    settings.write_text(json.dumps(found), encoding="utf-8")
    assert f"THE GUARD DOES NOT HOLD: asked about it, it says that it would run {BAD}" in doctor.line()


def test_the_tests_and_the_doctor_start_agents_in_the_same_way():
    assert {name for name in ROOMS if ROOMS[name].drive is not None} == {*HOSTS, "amp"}
