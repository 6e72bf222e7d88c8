"""The page about the log: its session is played, its commands are run, and its tables are what the code says."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import json

from interlock.cli import main
from interlock.judging.projects import Projects
from interlock.service import answer_in
from interlock.store.place import open_store
from tests.lint.project import Project

PAGE = (Path(__file__).parent.parent / "docs" / "log.md").read_text(encoding="utf-8")
SHELL = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
SESSION = "3f9c1c1e-6c0e-4b53-9d7e-2f4f3f0f5a11"


class Played:
    """A session of an agent in a project, at fixed times."""

    def __init__(self, project: Project, patch: pytest.MonkeyPatch) -> None:
        self._project = project
        self._now = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
        patch.setattr("interlock.probe.world.Machine.now", lambda machine: self._now)

    def event(self, name: str, seconds: float, **fields: Any) -> None:
        self._now += timedelta(seconds=seconds)
        raw = json.decode(self._project.event(name, **fields))
        with Projects(open_store) as projects:
            answer_in(projects, "claude-code", json.encode({**raw, "session_id": SESSION}), self._project.root)

    def call(self, number: int, tool: str, seconds: float = 20, **given: Any) -> None:
        self.event("PreToolUse", seconds, tool_name=tool, tool_input=given, tool_use_id=f"toolu_{number:02}")

    def result(self, number: int, tool: str, response: Any, seconds: float = 3, **given: Any) -> None:
        named = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{number:02}"}
        self.event("PostToolUse", seconds, **named, tool_response=response, duration_ms=1000 * seconds)


def played(project: Project, patch: pytest.MonkeyPatch) -> None:
    session = Played(project, patch)
    session.event("SessionStart", 0, source="startup")
    session.event("UserPromptSubmit", 2, prompt="Publish the release.")
    session.call(1, "Bash", command="git status --short")
    session.result(1, "Bash", SHELL, command="git status --short")
    session.call(2, "Bash", command="git push -f origin main")
    session.call(3, "Bash", command="npm publish")
    session.event("PermissionRequest", 1, tool_name="Bash", tool_input={"command": "npm publish --dry-run"})
    session.result(3, "Bash", SHELL, seconds=9, command="npm publish --dry-run")
    session.call(4, "Bash", command="npm publish --tag next")
    said = "The user doesn't want to proceed with this tool use."
    calls = [{"tool_name": "Bash", "tool_input": {}, "tool_use_id": "toolu_04", "tool_response": said}]
    session.event("PostToolBatch", 5, tool_calls=calls)
    session.call(5, "Read", file_path=str(project.root / "config.env"))
    text = {"type": "text", "file": {"filePath": "config.env", "content": "TOKEN=abc\n", "numLines": 1, "startLine": 1,
                                     "totalLines": 1}}  # fmt: skip
    session.result(5, "Read", text, seconds=1, file_path=str(project.root / "config.env"))
    session.event("Stop", 4, stop_hook_active=False)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    made = Project(tmp_path, monkeypatch)
    policy = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert policy is not None
    made.write(policy[1])
    made.trust()
    played(made, monkeypatch)
    yield made
    monkeypatch.undo()
    time.tzset()


def test_every_command_on_the_page_prints_what_the_page_shows(project: Project, monkeypatch: pytest.MonkeyPatch):
    blocks = re.findall(r"```console\n\$ interlock ([^\n]*)\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 4
    for line, shown in blocks:
        words = line.split()
        monkeypatch.setenv("COLUMNS", "100" if words[1:2] and words[1].isdecimal() else "80")
        printed = CliRunner().invoke(main, words).output.replace(str(project.root), "/home/dev/shop")
        printed = re.sub(r"\b([0-9a-f]{12})[0-9a-f]{52}\b", r"\1…", printed)
        printed = re.sub(r"\b[0-9a-f]{12}…", "0123456789ab…", printed)
        assert printed == shown, f"interlock {line}\n{printed}"


def rows(name: str) -> dict[str, str]:
    """The rows of a table, by their first cell."""
    found = re.search(rf"<!-- \[\[\[{name}\]\]\] -->\n(.*?)<!-- \[\[\[end\]\]\] -->", PAGE, re.DOTALL)
    assert found is not None, name
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()[2:]]
    return {word.strip("`"): text for first, text in cells for word in first.split(", ")}


def test_the_table_of_fields_has_exactly_the_fields_of_an_entry(project: Project):
    for line in CliRunner().invoke(main, ["log", "--json", "--events"]).output.splitlines():
        assert list(rows("fields")) == list(json.decode(line))


def test_the_table_of_outcomes_has_every_outcome(project: Project):
    source = (Path(__file__).parent.parent / "src/interlock/receipts/logbook.py").read_text(encoding="utf-8")
    described = re.search(r"def outcome.*?return \"no result\" if self.is_over else \"open\"", source, re.DOTALL)
    assert described is not None
    returned = re.findall(r'return "(\w+(?: \w+)?)"|else "(\w+)"|return "(\w+)" if', described[0])
    words = {word for found in returned for word in found if word}
    assert set(rows("outcomes")) == words | {"ran", "no result"}
