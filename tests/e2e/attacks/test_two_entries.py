"""Two entries of Interlock for one event: each judges by its own policy, and every denial counts."""

from __future__ import annotations

import json
import sys

import pytest

from tests.e2e.model import bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)


def add_entry(session: Session, policy: str) -> None:
    """One more entry beside those that `init` wrote, with a policy of its own."""
    file = session.write("other.yaml", policy)
    settings = json.loads(session.settings.read_text(encoding="utf-8"))
    words = ["-I", "-m", "interlock", "hook", "claude-code", "--policy", str(file)]
    entry = {"type": "command", "command": sys.executable, "args": words, "timeout": 30, "onFailure": "block"}
    for event in ("PreToolUse", "PostToolUse"):
        settings["hooks"][event].append({"hooks": [entry]})
    session.settings.write_text(json.dumps(settings), encoding="utf-8")


@both
def test_what_only_the_second_entry_denies_does_not_run(session: Session):
    session.guard("{id: nothing, command: never, deny: Never.}")
    add_entry(session, "version: 1\nrules:\n  - {id: no-touch, command: touch, deny: Do not touch.}\n")
    ran = session.run(*[bash(f"touch ran-{number}") for number in range(5)], bash("mkdir made"), "Done.")
    assert [result.error for result in ran.results()] == [True] * 5 + [False]
    assert [session.has(f"ran-{number}") for number in range(5)] == [False] * 5
    assert session.has("made")
