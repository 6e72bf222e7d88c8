"""docs/architecture.md: a short walk, and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_layers import ENTRY, MODULES, ROOMS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MOST_STEPS = 12
MOST_TOP_LEVEL = 12


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[str]:
    return [line for line in section(title).splitlines() if line.startswith("| ") and not line.startswith("| step |")]


def files_in(text: str) -> list[str]:
    return [name for name in re.findall(r"`([\w./-]+)`", text) if name.endswith((".py", ".md", ".yaml", "/"))]


def exists(name: str) -> bool:
    return any((folder / name).exists() for folder in (ROOT / "src" / "interlock", ROOT))


def test_the_walk_has_at_most_12_steps_each_with_its_file():
    steps = rows("The walk of one event")
    assert 0 < len(steps) <= MOST_STEPS
    assert [step.split()[1] for step in steps] == [f"{number}." for number in range(1, len(steps) + 1)]
    assert all(files_in(step) for step in steps)


@pytest.mark.parametrize("row", rows("The walk of one event") + rows("Find a change"))
def test_every_file_that_a_row_names_is_there(row: str):
    named = files_in(row)
    assert named or row.startswith("| you want to")
    assert [name for name in named if not exists(name)] == []


def test_a_file_that_is_gone_would_be_found():
    assert not exists("store/keeping.py")
    assert exists("receipts/ledger.py")


def test_the_layers_on_the_page_are_those_that_are_enforced():
    shown = {}
    for row in rows("Layers"):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if cells[0].isdigit():
            shown.update({name.removesuffix(".py").removesuffix("/"): int(cells[0]) for name in files_in(cells[1])})
    assert shown == {room: layer for room, (layer, _) in ROOMS.items()}


def test_there_are_at_most_a_dozen_modules_at_the_top_level():
    top = {module for module in MODULES if "." not in module} - ENTRY
    assert len(top) <= MOST_TOP_LEVEL
