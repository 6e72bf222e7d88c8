"""`interlock init`: a commented policy to start from, that holds from the first minute."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.cli.init import STARTER
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_a_policy_is_written_and_the_next_step_named(project: Project):
    assert project.said("init") == (0, "wrote interlock.yaml\nnext: interlock check, then interlock trust\n")
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == STARTER


def test_the_policy_is_written_where_one_says(project: Project):
    (project.root / "team").mkdir()
    found = project.data("init", "--policy", "team/policy.yaml")
    assert found == {"file": "team/policy.yaml"}
    assert (project.root / "team" / "policy.yaml").read_text(encoding="utf-8") == STARTER


def test_a_policy_that_is_there_is_not_overwritten(project: Project):
    file = project.write("version: 1\n# mine\n")
    text = "error: `interlock.yaml` is there already\nhelp: look at it with `interlock check`, or add --force\n"
    assert project.said("init") == (1, text)
    assert file.read_text(encoding="utf-8") == "version: 1\n# mine\n"


def test_force_keeps_what_was_there(project: Project):
    file = project.write("version: 1\n# mine\n")
    assert project.run("init", "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == STARTER
    assert (project.root / "interlock.yaml.before").read_text(encoding="utf-8") == "version: 1\n# mine\n"


def test_force_twice_does_not_lose_what_a_person_wrote(project: Project):
    project.write("version: 1\n# mine\n")
    for _ in range(2):
        project.run("init", "--force")
    kept = [file.read_text(encoding="utf-8") for file in project.root.glob("interlock.yaml*")]
    assert "version: 1\n# mine\n" in kept


def test_a_folder_that_is_not_there_is_the_persons_error(project: Project):
    code, text = project.said("init", "--policy", "gone/interlock.yaml")
    assert (code, text) == (1, "error: cannot write `gone/interlock.yaml`: No such file or directory\n")


def test_what_is_written_passes_check_with_every_case_and_no_warning(project: Project):
    project.run("init")
    found = project.data("check", "--strict")
    assert (found["ok"], found["failed"], found["findings"]) == (True, [], [])
    assert found["layers"][0]["rules"] == 7
    assert found["cases"] == 23


@pytest.mark.parametrize(
    ("arguments", "decision"),
    [
        (("--tool", "Write", "dist/app.js"), "deny"),
        (("npm publish",), "ask"),
        (("git push -f",), "deny"),
        (("npm test",), None),
    ],
)
def test_what_is_written_decides_as_its_comments_say(
    project: Project, arguments: tuple[str, ...], decision: str | None
):
    project.run("init")
    assert project.data("explain", *arguments)["decision"] == decision


def test_init_trusts_nothing_by_itself(project: Project):
    project.run("init")
    assert project.data("check")["layers"][0]["trusted"] is False
