"""Interlock's hooks for Kiro: a file of its own, and a list in every agent of CLI 2.x."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from interlock.errors import InterlockError
from interlock.hosts import HOSTS
from interlock.hosts.base import commands
from interlock.hosts.base.commands import COULD_NOT_RUN, runs_client
from interlock.hosts.base.installing import HostSpot, SetupState, apply_setup, plan_removal, plan_setup
from interlock.hosts.base.setup import HostScope
from interlock.hosts.base.setup_notes import read_setup_notes

AGENT = (
    '{\n  "name": "web",\n  "tools": ["*"],\n  "hooks": {"preToolUse": [{"matcher": "fs_write", "command": "x"}]}\n}\n'
)


@pytest.fixture
def here(tmp_path: Path) -> HostSpot:
    (tmp_path / "shop").mkdir()
    return HostSpot(host=HOSTS["kiro"], scope="project", root=tmp_path / "shop", home=tmp_path / "home")


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "interlock" / "client.py"
    file.parent.mkdir()
    monkeypatch.setattr(commands, "client_file", lambda: file)
    return file


def add_agent(here: HostSpot, name: str, text: str = AGENT) -> Path:
    file = here.root / ".kiro" / "agents" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def install(here: HostSpot) -> None:
    apply_setup(plan_setup([here]))


def hooks_of(here: HostSpot) -> list[dict[str, Any]]:
    found = json.loads((here.root / ".kiro" / "hooks" / "interlock.json").read_bytes())
    assert found.keys() == {"version", "hooks"}
    assert found["version"] == "v1"
    hooks: list[dict[str, Any]] = found["hooks"]
    return hooks


def test_the_editor_and_cli_3_get_a_file_of_hooks(here: HostSpot):
    install(here)
    hooks = hooks_of(here)
    assert [(hook["name"], hook["trigger"], hook["timeout"]) for hook in hooks] == [
        ("interlock-PreToolUse", "PreToolUse", 600),
        ("interlock-PostToolUse", "PostToolUse", 600),
        ("interlock-UserPromptSubmit", "UserPromptSubmit", 600),
        ("interlock-SessionStart", "SessionStart", 60),
    ]
    assert {tuple(hook) for hook in hooks} == {("name", "trigger", "action", "timeout", "enabled")}
    assert {hook["action"]["type"] for hook in hooks} == {"command"}


def test_every_agent_of_cli_2_gets_entries_that_cache_nothing_and_are_for_all_tools(here: HostSpot):
    file = add_agent(here, "web.json")
    install(here)
    agent = json.loads(file.read_bytes())
    assert (agent["name"], agent["tools"]) == ("web", ["*"])
    assert {name: len(listed) for name, listed in agent["hooks"].items()} == {
        "preToolUse": 2, "postToolUse": 1, "userPromptSubmit": 1, "agentSpawn": 1,
    }  # fmt: skip
    theirs, ours = agent["hooks"]["preToolUse"]
    assert theirs == {"matcher": "fs_write", "command": "x"}
    assert ours.keys() == {"command", "timeout_ms"}  # no matcher, and no `cache_ttl_seconds`
    assert ours["timeout_ms"] == 600_000


def test_a_new_agent_shows_as_unguarded_until_the_setup_is_run_again(here: HostSpot):
    add_agent(here, "web.json")
    install(here)
    assert SetupState.of(here).level == "complete"
    new = add_agent(here, "docs.json", '{"name": "docs", "tools": ["*"]}')
    state = SetupState.of(here)
    assert (state.level, [file.path for file in state.files if file.level == "none"]) == ("partly", [new])
    install(here)
    assert SetupState.of(here).level == "complete"


def test_a_copy_of_an_agent_is_guarded_by_what_was_copied_and_freed_with_the_others(here: HostSpot):
    file = add_agent(here, "web.json")
    install(here)
    copy = add_agent(here, "copy.json", file.read_text(encoding="utf-8"))
    assert SetupState.of(here).level == "complete"
    apply_setup(plan_removal([here]))
    assert (file.read_text(encoding="utf-8"), json.loads(copy.read_bytes())) == (AGENT, json.loads(AGENT))
    assert not (here.root / ".kiro" / "hooks").exists()


def test_an_agent_that_is_gone_leaves_no_note_behind(here: HostSpot):
    file = add_agent(here, "web.json")
    install(here)
    file.unlink()
    apply_setup(plan_removal([here]))
    assert read_setup_notes() == []


@pytest.mark.parametrize("name", ["planner.md", "nested/planner.json"])
def test_agents_in_another_form_are_left_alone(here: HostSpot, name: str):
    file = add_agent(here, name)
    file_of_cli_3 = add_agent(here, "three.json", '{"name": "three", "hooks": [{"trigger": "PreToolUse"}]}')
    install(here)
    assert (file.read_text(encoding="utf-8"), len(here.files())) == (AGENT, 1)
    assert "interlock" not in file_of_cli_3.read_text(encoding="utf-8")


def test_an_agent_that_cannot_be_read_is_named_and_nothing_is_written(here: HostSpot):
    add_agent(here, "web.json", "{ // mine\n}")
    with pytest.raises(InterlockError, match=r"web\.json"):
        plan_setup([here])
    assert not (here.root / ".kiro" / "hooks").exists()


@pytest.mark.parametrize(("scope", "place"), [("project", "shop"), ("user", "home")])
def test_the_files_are_where_kiro_looks(here: HostSpot, tmp_path: Path, scope: HostScope, place: str):
    spot = HostSpot(host=here.host, scope=scope, root=here.root, home=here.home)
    agents = tmp_path / place / ".kiro" / "agents"
    agents.mkdir(parents=True)
    (agents / "web.json").write_text("{}")
    assert [file.path for file in spot.files()] == [
        tmp_path / place / ".kiro" / "hooks" / "interlock.json", agents / "web.json",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "before", "after"),
    [
        ("raise SystemExit(0)", (0, ""), (0, "")),
        ("import sys; sys.stderr.write('No.'); sys.exit(2)", (2, "No."), (2, "No.")),
        ("import sys; sys.stderr.write('Look.'); sys.exit(1)", (2, f"Look.{COULD_NOT_RUN}\n"), (1, "Look.")),
        ("import os; os._exit(139)", (2, f"{COULD_NOT_RUN}\n"), (139, "")),
    ],
)
def test_only_an_entry_for_calls_turns_a_failure_into_a_refusal(
    here: HostSpot, client: Path, ends: str, before: tuple[int, str], after: tuple[int, str]
):
    client.write_text(ends, encoding="utf-8")
    install(here)
    for hook in hooks_of(here):
        ran = subprocess.run(
            ["/bin/sh", "-c", hook["action"]["command"]], capture_output=True, text=True, check=False, input="{}"
        )
        assert (ran.returncode, ran.stderr) == (before if hook["trigger"] == "PreToolUse" else after)


def test_an_entry_says_where_it_runs_and_by_which_process(here: HostSpot, client: Path):
    client.write_text("import os, sys; print(sys.argv[3:], os.getppid())", encoding="utf-8")
    install(here)
    command = hooks_of(here)[0]["action"]["command"]
    ran = subprocess.run(["/bin/bash", "-c", command], capture_output=True, text=True, check=False, cwd=here.root)
    folder, session = ran.stdout.split("]")[0].strip("[").replace("'", "").split(", ")
    assert (folder, session.partition("-")[0], session.partition("-")[2].isdigit()) == (
        str(here.root), "process", True,
    )  # fmt: skip
    assert runs_client(["/bin/bash", "-c", command], "kiro")
