"""What an agent that is started has of a person's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.driving.drive import copy_entries, point_at
from interlock.driving.scratch import Scratch
from interlock.hosts import HOSTS
from interlock.hosts.base.driving import HostDrive
from interlock.hosts.base.installing import HostSpot, apply_setup, plan_setup
from interlock.hosts.base.setup import EntryFile, HostScope, OwnFile

DRIVEN = [name for name, host in HOSTS.items() if host.drive is not None]
# A process in a session of its own, once it is there.
LEAVES = "mkfifo f; setsid sh -c 'exec >/dev/null 2>&1; echo here >f; exec sleep 600' & read there <f"
THEIRS = {"type": "command", "command": "/usr/bin/true"}


def spot_for(name: str, scope: HostScope, folder: Path) -> HostSpot:
    return HostSpot(host=HOSTS[name], scope=scope, root=folder / "shop", home=folder / "me")


@pytest.mark.parametrize("name", DRIVEN)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_entries_are_where_the_agent_looks_for_them_beside_what_points_it_at_the_model(
    name: str, scope: HostScope, tmp_path: Path
):
    spot = spot_for(name, scope, tmp_path)
    if scope not in spot.setup.scopes:
        pytest.skip("it is not set up there")
    apply_setup(plan_setup([spot]))
    scratch = Scratch(tmp_path / "scratch")
    copy_entries(spot, scratch)
    how = spot.host.drive
    if isinstance(how, HostDrive):
        point_at(how, "http://127.0.0.1:1", scratch)
    there = HostSpot(host=spot.host, scope=scope, root=scratch.project, home=scratch.home)
    for file, copy in zip(spot.files(), there.files(), strict=True):
        if isinstance(file, OwnFile):
            assert copy.path.read_bytes() == file.path.read_bytes()
            assert copy.path.stat().st_mode == file.path.stat().st_mode
            continue
        found = json.loads(copy.path.read_bytes())
        for keys, item in file.entries:
            listed = found
            for key in keys:
                listed = listed[key]
            assert listed == [item]


def test_hooks_of_others_are_left_behind_even_in_the_same_group(tmp_path: Path):
    spot = spot_for("gemini", "user", tmp_path)
    apply_setup(plan_setup([spot]))
    (file,) = (one.path for one in spot.files())
    found = json.loads(file.read_bytes())
    before = json.loads(file.read_bytes())["hooks"]
    found["hooks"]["BeforeTool"][0]["hooks"].append(THEIRS)
    found["hooks"]["AfterTool"].insert(0, {"matcher": "*", "hooks": [THEIRS]})
    found |= {"mcpServers": {"mine": {"command": "/usr/bin/true"}}}
    file.write_text("// mine\n" + json.dumps(found), encoding="utf-8")
    scratch = Scratch(tmp_path / "scratch")
    copy_entries(spot, scratch)
    assert json.loads((scratch.home / ".gemini" / "settings.json").read_bytes()) == {"hooks": before}


def test_permissions_that_are_asked_first_come_along(tmp_path: Path):
    spot = spot_for("amp", "user", tmp_path)
    apply_setup(plan_setup([spot]))
    (settings,) = (file for file in spot.files() if isinstance(file, EntryFile))
    allows = {"tool": "Bash", "action": "allow"}
    found = json.loads(settings.path.read_bytes())["amp.permissions"]
    settings.path.write_text(json.dumps({"amp.permissions": [allows, *found], "amp.url": "mine"}), encoding="utf-8")
    scratch = Scratch(tmp_path / "scratch")
    copy_entries(spot, scratch)
    copied = json.loads((scratch.home / ".config" / "amp" / "settings.json").read_bytes())
    assert copied == {"amp.permissions": [allows, *found]}


def test_a_folder_that_is_closed_is_gone_with_all_that_runs_in_it(tmp_path: Path):
    scratch = Scratch(tmp_path / "scratch")
    ran = scratch.run(["/bin/sh", "-c", LEAVES], scratch.env(), limit=10)
    assert (ran.code, len(scratch.processes())) == (0, 1)
    scratch.close()
    assert scratch.processes() == []
    assert not scratch.folder.exists()
