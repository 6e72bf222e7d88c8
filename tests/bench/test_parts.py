"""Every part that is listed exists, says what it measures, and keeps the promised targets."""

from __future__ import annotations

import importlib

import pytest

from bench.child import PARTS
from bench.hosts import MEASURED
from bench.rows import Part

# The targets are promises: a row that gets slower is made faster, and its target stays.
PROMISED = {
    "protocol": {"handle": 8, "spaced": 8, "import": 1.15},
    "policy": {"bash": 40, "write": 15, "10,000": 1.3, "load": 300, "again": 25},
    "store": {
        "plain 16": 1 / 0.85, "full 16": 1 / 0.85, "full 64": 1 / 0.6, "read 64": 1 / 0.6, "end to end 64": 1 / 0.6,
    },
    "gate": {"named": 20, "asked": 20},
    "facts": {"shell": 5, "p99.9": 20, "long": 50, "python": 3, "javascript": 4, "score": 500},
    "programs": {"import": 10, "first": 20, "many": 20},
    "mcp": {"off": 1.0, "off 16": 1 / 0.6, "on": 1.2},
    "session": {
        "spawned off": 1.15, "spawned on": 1.25, "http off": 0.8, "http on": 1, "burst": 1.15, "p99": 1,
    },
    "cold": {"cold": 15},
    "memory": {"memory": 70, "growth": 1.05},
    "replay": {"slower": 60, "reading": 1, "memory": 150, "growth": 1.5},
    "client": {"http": 1.3, "life spawned": 2.0, "life http": 1.2},
    "asking": {"decision": 1.5, "answer": 100},
    "page": {"log": 100, "start": 1000},
    "hosts": dict.fromkeys(MEASURED, 15),
    "lint": {"hooks": 10, "python": 15, "other": 1},
    "trace": {"modules outside": 12, "calls outside": 60, "engine calls": 250},
}  # fmt: skip


def _part(name: str) -> Part:
    part = importlib.import_module(f"bench.{name}").PART
    assert isinstance(part, Part)
    return part


def test_every_part_has_promises():
    assert set(PROMISED) == set(PARTS)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_keeps_its_targets(name):
    part = _part(name)
    assert part.name == name
    assert {key: row.target for key, row in part.rows.items() if row.target is not None} == PROMISED[name]


def test_no_two_rows_of_a_part_have_the_same_name():
    for name in PARTS:
        names = [row.name for row in _part(name).rows.values()]
        assert len(set(names)) == len(names)


def test_a_run_of_a_part_gives_a_value_for_each_of_its_rows():
    part = _part("gate")
    with part.opens() as run:
        values = run()
    assert set(values) == set(part.rows)
    assert min(values.values()) > 0
