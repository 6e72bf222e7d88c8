"""The real Codex asks Interlock once it is set up, and its files are as they were once it is taken out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interlock.driving.model import Model
from tests.live.drive import Codex, required
from tests.live.world import World

POLICY = "version: 1\nrules:\n  - {id: no-touch, tool: Bash, command: touch, deny: nothing is touched here}\n"


@pytest.fixture
def world(tmp_path: Path):
    found = World(tmp_path / "world")
    yield found
    found.close()


def interlock(world: World, *words: str, program: Path) -> str:
    path = f"{program.parent}:/usr/bin:/bin"
    env = {**world.env(), "PATH": path}
    code, stdout, stderr = world.bounded([sys.executable, "-m", "interlock", *words], env)
    assert code == 0, stdout + stderr
    return stdout


def test_codex_is_guarded_after_init_and_as_it_was_after_uninstall(world: World):
    codex = required(Codex(flags=[]))  # nothing is bypassed: Codex runs only what it trusts
    codex.prepare(world, "http://127.0.0.1:9")
    config = world.home / ".codex" / "config.toml"
    before = config.read_bytes()
    world.write("interlock.yaml", POLICY)
    said = interlock(world, "init", "--host", "codex", "--yes", program=codex.binary)
    assert "Codex trusts the entries\n" in said

    def ask_for(name: str) -> str:
        # The address of the model is new in each run, and the file that contains it has the trust of Codex, too.
        with Model([codex.shell(f"touch {name}"), "done"]) as model:
            text = config.read_text("utf-8").replace("http://127.0.0.1:9/", f"{model.url}/")
            config.write_text(text, "utf-8")
            env = {**world.env(), **codex.environ(world, model.url)}
            ran = world.play(codex.command(world, model.url), env, model)
            config.write_text(text.replace(f"{model.url}/", "http://127.0.0.1:9/"), "utf-8")
        return ran.results[-1]

    assert "nothing is touched here" in ask_for("one")
    assert not world.has("one")
    interlock(world, "uninstall", "--host", "codex", "--yes", program=codex.binary)
    assert config.read_bytes() == before
    assert not (world.home / ".codex" / "hooks.json").exists()
    ask_for("two")
    assert world.has("two")
