"""How `interlock init` ends: what a person does next, and an error where nothing would be asked all the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from interlock.hosts.claude_code import places
from tests.lint.project import Project

CHECK = "Every call is judged from the next session on. To see it work: interlock doctor"
TRUST = "Your policy can only deny and ask until you trust it. Next: interlock trust"
SETTINGS = ".claude/settings.local.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "managed-settings.json")
    return Project(tmp_path, monkeypatch)


def last(text: str) -> str:
    return text.splitlines()[-1]


def test_trust_is_a_next_step_only_where_a_policy_waits_for_it(project: Project):
    assert last(project.said("init", "--scope", "user", "--yes")[1]) == CHECK
    assert last(project.said("init", "--yes")[1]) == CHECK
    project.write("version: 1\n")
    project.run("uninstall", "--yes")
    assert last(project.said("init", "--yes")[1]) == TRUST
    project.trust()
    project.run("uninstall", "--yes")
    assert last(project.said("init", "--yes")[1]) == CHECK


def test_a_person_is_told_that_a_project_can_switch_off_what_stands_in_their_own_settings(project: Project):
    text = project.said("init", "--scope", "user", "--dry-run")[1]
    assert (
        "  note     settings that come with a project can switch off the entries in ~/.claude/settings.json; "
        "`interlock init` in that project, or `--scope managed`, prevents that\n"
    ) in text


@pytest.mark.parametrize(
    ("scope", "said", "why"),
    [
        ("local", {"disableAllHooks": True}, f"{SETTINGS} switches all hooks off (`disableAllHooks`)"),
        ("project", {"env": {"LD_AUDIT": "x"}}, None),
        ("user", {"env": {"CLAUDE_CODE_SIMPLE": "1"}}, None),
    ],
)
def test_entries_that_would_not_run_are_an_error_and_no_note(
    project: Project, scope: places.Scope, said: dict[str, object], why: str | None
):
    file = places.settings_file(scope, project.root)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(said), encoding="utf-8")
    result = project.run("init", "--yes")
    assert result.exit_code == 1
    begins = f"error: Interlock's entries would not all run: {why or project.short(str(file))}"
    assert project.short(result.stderr).startswith(begins)
    assert result.stderr.endswith("\nhelp: correct that, then run `interlock doctor`\n")
    again = project.run("init", "--yes")
    assert (again.exit_code, again.stderr) == (1, result.stderr), "also where everything is in place"
    told = project.run("init", "--yes", "--json")
    assert (told.exit_code, len(json.loads(told.stdout)["problems"])) == (1, 1)
    assert project.run("init", "--dry-run").exit_code == 0
    file.write_text("{}", encoding="utf-8")
    assert project.run("init", "--yes").exit_code == 0


def test_a_folder_whose_name_is_no_text_is_refused_and_shown(project: Project, monkeypatch: pytest.MonkeyPatch):
    odd = project.root / os.fsdecode(b"odd\xff")
    odd.mkdir()
    monkeypatch.chdir(odd)
    for command in ("init", "uninstall"):
        result = project.run(command, "--yes")
        assert (result.exit_code, project.short(result.stderr)) == (
            1,
            "error: the folder `odd\\xff` has a name that is not valid UTF-8\nhelp: rename the folder\n",
        )
