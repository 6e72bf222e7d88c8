"""Where Interlock runs in the project's own environment, the doctor says so."""

from __future__ import annotations

from pathlib import Path

from interlock.doctor.runtime import look
from tests.doctor.conftest import told


def test_an_environment_of_the_projects_own_is_noted(tmp_path: Path):
    environment = tmp_path / "shop" / ".venv"
    environment.mkdir(parents=True)
    assert told(look(tmp_path / "shop", environment)) == [
        (
            "note",
            f"Interlock runs in this project's own environment, {environment}: installing packages there, or creating "
            "the environment again, can replace or remove it",
        )
    ]


def test_an_environment_apart_is_not(tmp_path: Path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "shop").mkdir()
    assert told(look(tmp_path / "shop", tmp_path / "tools")) == []
