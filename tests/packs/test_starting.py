"""`interlock init` offers the ready policies."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.cli.init import READY as OFFERED
from interlock.cli.init import STARTER, starter
from interlock.config.bundles import find_pack
from interlock.policy.load import load_policy
from interlock.testing.cases import run_cases
from tests.lint.project import Project
from tests.packs.shipped import READY


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_every_ready_policy_is_offered_and_guarded_is_the_usual_one():
    assert tuple(OFFERED) == READY
    assert starter("guarded") == STARTER


@pytest.mark.parametrize("name", READY)
def test_a_policy_to_start_from_loads_with_its_pack_and_its_cases_hold(name: str):
    policy = load_policy(starter(name), "interlock.yaml", find_pack)
    assert len(policy.rules) > 20
    assert [result.message for result in run_cases(policy) if not result.ok] == []


@pytest.mark.parametrize("name", READY)
def test_the_chosen_one_is_written(project: Project, name: str):
    assert project.run("init", "--start", name, "--yes").exit_code == 0
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == starter(name)


def test_one_that_is_not_there_is_refused(project: Project):
    result = project.run("init", "--start", "lax", "--yes")
    assert (result.exit_code, (project.root / "interlock.yaml").exists()) == (2, False)
