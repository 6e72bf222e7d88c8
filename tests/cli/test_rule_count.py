"""How many rules are active: every command and every session says the same number about the same policies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import json

from interlock.config.places import socket_path
from interlock.daemon.control import Status, stop
from tests.lint.project import Project

POLICIES = {
    "none": None,
    "empty": ("rules: []\n", False),
    "three": ("rules:\n" + "".join(f"  - {{id: r{n}, command: c{n}, deny: No.}}\n" for n in range(3)), False),
    "a pack": ("packs: [guarded]\n", False),
    "observing rules": (
        "rules:\n  - {id: a, command: xx, deny: A., observe: true}\n  - {id: b, command: yy, ask: B.}\n",
        True,
    ),
    "an observing policy": ("observe: true\nrules:\n  - {id: a, command: x, deny: A.}\n", True),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("PATH", "/nowhere")
    made = Project(tmp_path, monkeypatch)
    (made.root / ".git").mkdir()
    yield made
    stop(socket_path())


def numbers(text: str, pattern: str = r"(\d+) rules? active(?:, (\d+) more only observe)?") -> tuple[int, int]:
    found = re.search(pattern, text)
    assert found is not None, text
    return int(found[1]), int(found[2] or 0)


@pytest.mark.parametrize("name", POLICIES)
def test_the_same_policies_have_the_same_number_everywhere(
    project: Project, name: str, monkeypatch: pytest.MonkeyPatch
):
    written = POLICIES[name]
    if written is not None:
        project.write("version: 1\n" + written[0])
        project.trust()
    said = json.decode(project.hook(project.event("SessionStart", source="startup")).stdout)["systemMessage"]
    active, observing = numbers(said)
    assert numbers(project.said("doctor", "--no-canary")[1]) == (active, observing)
    explained = project.data("explain", "ls")["policy"]
    assert (explained["active"], explained["observing"]) == (active, observing)
    assert f" of {active + observing} rules checked" in project.said("explain", "ls")[1]
    assert sum(layer["rules"] for layer in project.data("check")["layers"]) == active + observing
    running = Status(version="1", pid=1, socket="/s", seconds=1.0, answered=1, projects=[str(project.root)], store=None)
    monkeypatch.setattr("interlock.cli.status.status_of", lambda path: running)
    assert numbers(project.said("status")[1]) == (active, observing)
    assert (observing > 0) == (written is not None and written[1])
