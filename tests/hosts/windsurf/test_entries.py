"""Interlock's entries in Windsurf's `hooks.json`, and what becomes of their exit codes in a real shell."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from interlock.hosts import HOSTS
from interlock.hosts.base import commands
from interlock.hosts.base.commands import COULD_NOT_RUN, runs_client
from interlock.hosts.base.installing import HostSpot, apply_setup, plan_removal, plan_setup
from interlock.hosts.base.setup import HostScope

THEIRS = {"command": "python3 /home/ann/log.py", "show_output": False}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "interlock" / "client.py"
    file.parent.mkdir()
    file.write_text("import sys; print(sys.argv[3:])", encoding="utf-8")
    monkeypatch.setattr(commands, "client_file", lambda: file)
    return file


def spot(folder: Path, scope: HostScope = "project") -> HostSpot:
    return HostSpot(host=HOSTS["windsurf"], scope=scope, root=folder / "shop", home=folder / "home")


def written(here: HostSpot) -> dict[str, Any]:
    (file,) = here.files()
    file.path.parent.mkdir(parents=True, exist_ok=True)
    apply_setup(plan_setup([here]))
    found: dict[str, Any] = json.loads(file.path.read_bytes())
    return found


def run(command: str, folder: Path) -> tuple[int, str, str]:
    ran = subprocess.run(
        ["/bin/bash", "-c", command], capture_output=True, text=True, check=False, input="{}", cwd=folder
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_each_of_its_events_has_an_entry_beside_those_of_others(tmp_path: Path):
    here = spot(tmp_path)
    (file,) = here.files()
    file.path.parent.mkdir(parents=True)
    before = json.dumps({"hooks": {"pre_run_command": [THEIRS]}})
    file.path.write_text(before)
    hooks = written(here)["hooks"]
    assert {name: len(entries) for name, entries in hooks.items()} == {
        "pre_read_code": 1,
        "pre_write_code": 1,
        "pre_run_command": 2,
        "pre_mcp_tool_use": 1,
        "post_read_code": 1,
        "post_write_code": 1,
        "post_run_command": 1,
        "post_mcp_tool_use": 1,
        "pre_user_prompt": 1,
        "post_cascade_response": 1,
    }
    assert hooks["pre_run_command"][0] == THEIRS
    assert hooks["pre_read_code"][0].keys() == {"command", "show_output"}
    apply_setup(plan_removal([here]))
    assert file.path.read_text() == before


@pytest.mark.parametrize(("scope", "place"), [("project", "shop/.windsurf"), ("user", "home/.codeium/windsurf")])
def test_the_file_is_where_windsurf_looks(tmp_path: Path, scope: HostScope, place: str):
    assert [file.path for file in spot(tmp_path, scope).files()] == [tmp_path / place / "hooks.json"]


def test_an_entry_says_where_it_runs(tmp_path: Path, client: Path):
    folder = tmp_path / "a b"
    folder.mkdir()
    command = written(spot(tmp_path))["hooks"]["pre_read_code"][0]["command"]
    assert run(command, folder)[1] == f"{[str(folder), str(folder)]}\n"
    assert runs_client(["/bin/bash", "-c", command], "windsurf")


@pytest.mark.parametrize(
    ("ends", "before", "after"),
    [
        ("raise SystemExit(0)", (0, ""), (0, "")),
        ("import sys; sys.stderr.write('No.'); sys.exit(2)", (2, "No."), (2, "No.")),
        ("raise SystemExit(1)", (2, f"{COULD_NOT_RUN}\n"), (1, "")),
        ("import os; os._exit(139)", (2, f"{COULD_NOT_RUN}\n"), (139, "")),
    ],
)
def test_a_call_is_refused_whatever_happens_and_a_result_is_never_said_to_be(
    tmp_path: Path, client: Path, ends: str, before: tuple[int, str], after: tuple[int, str]
):
    client.write_text(ends, encoding="utf-8")
    hooks = written(spot(tmp_path))["hooks"]
    for action in ("read_code", "write_code", "run_command", "mcp_tool_use"):
        code, _, stderr = run(hooks[f"pre_{action}"][0]["command"], tmp_path)
        assert (code, stderr) == before
        code, _, stderr = run(hooks[f"post_{action}"][0]["command"], tmp_path)
        assert (code, stderr) == after
    assert run(hooks["pre_user_prompt"][0]["command"], tmp_path)[0] == after[0]
