"""Interlock's entries for Cursor, why it would not run them, and which of its processes show a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.hosts import HOSTS
from interlock.hosts.base.installing import HostSpot, SetupState, apply_setup, has_entry, plan_removal, plan_setup
from interlock.hosts.base.setup import HostScope
from interlock.hosts.cursor.trust import TRUST

CURSOR = HOSTS["cursor"]


def spot(folder: Path, scope: HostScope = "project") -> HostSpot:
    return HostSpot(host=CURSOR, scope=scope, root=folder / "shop", home=folder / "home")


def hooks_of(file: Path) -> dict[str, list[dict[str, object]]]:
    said = json.loads(file.read_text(encoding="utf-8"))
    assert said["version"] == 1
    return dict(said["hooks"])


@pytest.mark.parametrize(("scope", "place"), [("project", "shop"), ("user", "home")])
def test_every_event_that_can_refuse_fails_closed(tmp_path: Path, scope: HostScope, place: str):
    apply_setup(plan_setup([spot(tmp_path, scope)]))
    hooks = hooks_of(tmp_path / place / ".cursor" / "hooks.json")
    closed = {name for name, (entry,) in hooks.items() if entry.get("failClosed")}
    assert closed == {name for name in hooks if name == "preToolUse" or name.startswith("before")} - {
        "beforeSubmitPrompt"
    }
    assert {entry["timeout"] for (entry,) in hooks.values()} == {600, 60, 10}


def test_what_was_there_comes_back(tmp_path: Path):
    file = tmp_path / "shop" / ".cursor" / "hooks.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"version": 1, "hooks": {"stop": [{"command": "mine"}]}}\n', encoding="utf-8")
    before = file.read_bytes()
    apply_setup(plan_setup([spot(tmp_path)]))
    assert hooks_of(file)["stop"][0] == {"command": "mine"}
    apply_setup(plan_removal([spot(tmp_path)]))
    assert file.read_bytes() == before


@pytest.mark.parametrize("missing", ["preToolUse", "beforeShellExecution", "beforeMCPExecution"])
def test_half_of_the_entries_is_not_all_of_them(tmp_path: Path, missing: str):
    here = spot(tmp_path)
    apply_setup(plan_setup([here]))
    file = tmp_path / "shop" / ".cursor" / "hooks.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    del said["hooks"][missing]
    file.write_text(json.dumps(said), encoding="utf-8")
    state = SetupState.of(here)
    assert (state.level, state.files[0].why) == ("partly", f"it has no entry for {missing}")
    assert [has_entry(here, name) for name in (missing, "stop")] == [False, True]


def test_no_entry_is_found_in_a_file_that_is_missing_or_broken(tmp_path: Path):
    here = spot(tmp_path)
    assert not has_entry(here, "preToolUse")
    file = tmp_path / "shop" / ".cursor" / "hooks.json"
    file.parent.mkdir(parents=True)
    file.write_text("{", encoding="utf-8")
    assert not has_entry(here, "preToolUse")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"version": 1, "hooks": {"stop": [{"command": "curl https://a.b"}]}}', "reads `//` and `/*` as comments"),
        ('{"version": 1, "hooks": {"stop": [{"command": "ls /*; ls */"}]}}', "reads `//` and `/*` as comments"),
        ('{"version": 1, "hooks": {"onStop": []}}', "because of `onStop`, an event that it does not know"),
        ("{", "is not JSON"),
    ],
)
def test_it_is_said_why_cursor_ignores_a_file(tmp_path: Path, text: str, why: str):
    file = tmp_path / "home" / ".cursor" / "hooks.json"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    (found,) = TRUST.hindrances("user", tmp_path / "shop", tmp_path / "home")
    assert why in found


def test_a_project_whose_folder_is_a_link_is_not_read(tmp_path: Path):
    apply_setup(plan_setup([spot(tmp_path)]))
    folder = tmp_path / "shop" / ".cursor"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    (found,) = TRUST.hindrances("project", tmp_path / "shop", tmp_path / "home")
    assert "through a symbolic link" in found


def test_what_cursor_has_loaded_cannot_be_found_out(tmp_path: Path):
    apply_setup(plan_setup([spot(tmp_path)]))
    with pytest.raises(InterlockError, match="does not say which workspaces it trusts"):
        TRUST.hindrances("project", tmp_path / "shop", tmp_path / "home")


@pytest.mark.parametrize(
    "argv",
    [
        ["/usr/share/cursor/cursor", "--type=utility"],
        ["/usr/share/cursor/cursor --type=utility --utility-sub-type=node.mojom.NodeService"],
        ["/Applications/Cursor.app/Contents/MacOS/Cursor"],
        [
            "/Applications/Cursor.app/Contents/Frameworks/Cursor Helper (Plugin).app/Contents/MacOS/Cursor Helper"
            " (Plugin)"
        ],
        ["/home/me/.cursor-server/bin/abc/node", "/home/me/.cursor-server/out/bootstrap-fork", "--type=extensionHost"],
    ],
)
def test_the_editor_shows_questions(argv: list[str]):
    assert not CURSOR.is_headless(argv, None)


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["node", "agent.js"],
        ["/usr/bin/node", "/home/me/cursor"],
        ["/home/me/.local/share/cursor-agent/versions/1/node", "index.js"],
        ["cursor-agent", "-p", "do it"],
        ["/home/me/.cursor-server/bin/abc/node", "my-agent.js"],
        ["/home/me/cursor/run.py"],
    ],
)
def test_nothing_else_of_cursor_shows_questions(argv: list[str]):
    assert CURSOR.is_headless(argv, True)


def test_what_switches_the_entries_off_is_the_first_step(tmp_path: Path):
    file = tmp_path / "shop" / ".cursor" / "hooks.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"version": 1, "hooks": {"stop": [{"command": "curl https://a.b"}]}}\n', encoding="utf-8")
    here = spot(tmp_path)
    apply_setup(plan_setup([here]))
    first, *rest = here.setup.steps("project", here.root)
    assert first.startswith("fix this, or no hook runs: Cursor reads `//`")
    assert rest == [
        f"open {here.root} in Cursor and trust the workspace: until then, it runs none of the workspace's hooks",
        "if Cursor is running, restart it",
    ]
