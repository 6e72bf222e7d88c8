"""Where Droid's entries are: in its settings, and in whichever other file takes precedence there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.hosts import HOSTS
from interlock.hosts.base.installing import HostSpot, SetupState, apply_setup, plan_removal, plan_setup
from interlock.hosts.base.setup_notes import read_setup_notes
from tests.lint.project import Project

EVENTS = {"PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStop", "Stop", "SessionEnd"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("PATH", "/nowhere")
    return Project(tmp_path, monkeypatch)


def spot(project: Project) -> HostSpot:
    return HostSpot(host=HOSTS["droid"], scope="user", root=project.root, home=project.home)


def steps(project: Project) -> list[str]:
    here = spot(project)
    return list(here.setup.steps(here.scope, here.root))


def test_every_call_passes_by_the_entries_for_calls(project: Project):
    (file,) = spot(project).files()
    apply_setup(plan_setup([spot(project)]))
    found = json.loads(file.path.read_bytes())["hooks"]
    assert (file.path, found.keys()) == (project.home / ".factory" / "settings.json", EVENTS)
    assert {name: entry[0].get("matcher") for name, entry in found.items() if "matcher" in entry[0]} == {
        "PreToolUse": "*", "PostToolUse": "*",
    }  # fmt: skip
    (handler,) = found["PreToolUse"][0]["hooks"]
    assert (handler["type"], handler["timeout"]) == ("command", 600)


@pytest.mark.parametrize("name", ["hooks.json", "hooks/hooks.json"])
def test_a_file_for_hooks_that_a_person_has_gets_the_entries_too(project: Project, name: str):
    folder = project.home / ".factory"
    own = folder / name
    own.parent.mkdir(parents=True)
    before = b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}'
    own.write_bytes(before)
    assert [file.path for file in spot(project).files()] == [folder / "settings.json", own]
    apply_setup(plan_setup([spot(project)]))
    assert json.loads(own.read_bytes())["hooks"].keys() == EVENTS
    assert SetupState.of(spot(project)).level == "complete"
    apply_setup(plan_removal([spot(project)]))
    assert (own.read_bytes(), (folder / "settings.json").exists(), read_setup_notes()) == (before, False, [])


def test_a_file_that_appears_later_must_get_them_before_the_setup_is_complete(project: Project):
    apply_setup(plan_setup([spot(project)]))
    (project.home / ".factory" / "hooks.json").write_text("{}")
    assert SetupState.of(spot(project)).level == "partly"
    apply_setup(plan_setup([spot(project)]))
    assert SetupState.of(spot(project)).level == "complete"


@pytest.mark.parametrize("where", ["home", "root"])
def test_settings_that_switch_hooks_off_are_named(project: Project, where: str):
    def switches() -> list[str]:
        here = spot(project)
        return [str(one) for one in here.setup.switched_off(here.scope, here.root, here.home)]

    assert switches() == []
    settings = getattr(project, where) / ".factory" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"hooksDisabled": false}')
    assert switches() == []
    settings.write_text('{"hooksDisabled": true}')
    assert switches() == [f"`hooksDisabled` in {settings} switches off all hooks of Droid"]
