"""VS Code and Copilot CLI run the same file: one set of entries, which goes with the last of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.hosts import HOSTS
from interlock.hosts.base.installing import HostSpot, SetupState, apply_setup, plan_removal, plan_setup
from interlock.hosts.base.setup import HostScope
from interlock.hosts.base.setup_notes import read_setup_notes
from tests.lint.project import Project

BEFORE = b'{\r\n  "version": 1,\r\n  "hooks": {"preToolUse": [{"type": "command", "bash": "true"}]}\r\n}'
PLACE = Path(".github") / "hooks" / "interlock.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("COPILOT_HOME", raising=False)
    return Project(tmp_path, monkeypatch)


def spot(name: str, project: Project, scope: HostScope = "project") -> HostSpot:
    return HostSpot(host=HOSTS[name], scope=scope, root=project.root, home=project.home)


def level(name: str, project: Project, scope: HostScope = "project") -> str:
    return SetupState.of(spot(name, project, scope)).level


@pytest.mark.parametrize("scope", ["project", "user"])
def test_they_have_the_same_file_and_the_same_entries(project: Project, scope: HostScope):
    copilot, vscode = spot("copilot", project, scope).files(), spot("vscode", project, scope).files()
    assert vscode == copilot
    apply_setup(plan_setup([spot("copilot", project, scope)]))
    assert level("vscode", project, scope) == "complete"
    assert plan_setup([spot("vscode", project, scope)]).is_empty


def test_vs_code_does_not_read_the_folder_that_a_variable_names_for_copilot(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COPILOT_HOME", str(project.home / "elsewhere"))
    assert spot("copilot", project, "user").files()[0].path == project.home / "elsewhere/hooks/interlock.json"
    assert spot("vscode", project, "user").files()[0].path == project.home / ".copilot/hooks/interlock.json"


@pytest.mark.parametrize("order", [("copilot", "vscode"), ("vscode", "copilot")])
@pytest.mark.parametrize("before", [BEFORE, None], ids=["there", "new"])
def test_the_entries_stay_until_the_last_of_them_goes(project: Project, order: tuple[str, str], before: bytes | None):
    file = project.root / PLACE
    if before is not None:
        file.parent.mkdir(parents=True)
        file.write_bytes(before)
    first, last = (spot(name, project) for name in order)
    apply_setup(plan_setup([first]))
    written = file.read_bytes()
    apply_setup(plan_setup([last]))
    assert file.read_bytes() == written
    apply_setup(plan_removal([first]))
    assert (file.read_bytes(), level("copilot", project), level("vscode", project)) == (written, "complete", "complete")
    apply_setup(plan_removal([last]))
    assert (file.read_bytes() if file.exists() else None) == before
    assert read_setup_notes() == []
    assert (project.root / ".github").exists() is (before is not None)


@pytest.mark.parametrize("order", [("copilot", "vscode"), ("vscode", "copilot")])
def test_both_go_at_once(project: Project, order: tuple[str, str]):
    apply_setup(plan_setup([spot("vscode", project)]))
    plan = plan_removal([spot(name, project) for name in order])
    assert (plan.shared, [change.after for change in plan.changes]) == ((), [None])
    apply_setup(plan)
    assert (list(project.root.iterdir()), read_setup_notes()) == ([], [])


def test_what_a_person_adds_meanwhile_stays(project: Project):
    apply_setup(plan_setup([spot("copilot", project), spot("vscode", project)]))
    file = project.root / PLACE
    found = json.loads(file.read_bytes())
    found["hooks"]["PreToolUse"].append({"type": "command", "command": "/usr/bin/true"})
    file.write_text(json.dumps(found))
    apply_setup(plan_removal([spot("copilot", project)]))
    assert json.loads(file.read_bytes()) == found
    apply_setup(plan_removal([spot("vscode", project)]))
    theirs = {"version": 1, "hooks": {"PreToolUse": [{"type": "command", "command": "/usr/bin/true"}]}}
    assert json.loads(file.read_bytes()) == theirs


def test_a_person_sees_one_set_of_entries_and_that_it_stays_for_the_other(project: Project):
    code, text = project.said("init", "--host", "copilot,vscode", "--yes")
    assert (code, f"  new      {PLACE}: 8 entries for Copilot CLI and VS Code\n" in text) == (0, True)
    assert "VS Code and trust it: in a workspace that you do not trust, it runs no hooks\n" in text
    kept = f"{PLACE}: VS Code runs it too, so it stays, and Copilot CLI still asks Interlock"
    for _ in range(2):  # saying it again changes nothing
        assert project.said("uninstall", "--host", "copilot") == (0, f"Nothing is taken out:\n  kept     {kept}\n")
    assert project.data("uninstall", "--host", "copilot")["others"]["notices"] == [f"{project.root}/{kept}"]
    assert (project.root / PLACE).is_file()
    code, text = project.said("uninstall", "--host", "vscode", "--yes")
    assert (code, f"  removed  {PLACE}: it contains nothing else\n" in text) == (0, True)
    assert project.said("uninstall", "--host", "vscode,copilot") == (0, "Interlock has no entries here\n")


def test_one_that_is_set_up_later_finds_everything_in_place(project: Project):
    project.said("init", "--host", "copilot", "--yes")
    code, text = project.said("init", "--host", "vscode", "--yes")
    assert (code, text.startswith("everything is in place\n")) == (0, True)
    assert project.said("uninstall", "--host", "copilot")[1].startswith("Nothing is taken out:\n")
