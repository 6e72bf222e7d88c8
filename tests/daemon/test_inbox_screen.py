"""A person at the full-screen inbox answers a call that waits in the daemon."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.full_screen import full_screen
from tests.daemon.spawned import Home
from tests.daemon.test_inbox import RULES, push, said, waiting


@pytest.fixture
def asking(home: Home) -> Home:
    home.policy(*RULES)
    return home


def editor(folder: Path, script: str) -> str:
    file = folder / "editor"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def test_a_yes_on_the_screen_lets_the_waiting_call_run(asking: Home):
    with full_screen("inbox", HOME=str(asking.home)) as screen:
        screen.until("Nothing waits for an answer.")
        process = push(asking)
        screen.until("y yes")
        screen.type("y")
        screen.until("Yes: git push")
    assert said(process)["permissionDecision"] == "allow"


@pytest.mark.parametrize(
    ("edited", "shown", "decision", "reason"),
    [
        (
            "git push origin me/fix",
            "rules     asked about, which your yes answers: Push? (push)",
            "allow",
            "approved this call",
        ),
        ("git push -f", "rules     denied: Never force. (no-force)", "deny", "Never force."),
    ],
    ids=["into something harmless", "into something denied"],
)
def test_an_edit_on_the_screen_is_judged_before_and_when_it_runs(
    asking: Home, tmp_path: Path, edited: str, shown: str, decision: str, reason: str
):
    process = push(asking)
    waiting(asking)
    with full_screen(
        "inbox", HOME=str(asking.home), VISUAL="", EDITOR=editor(tmp_path, f"echo {edited} > $1")
    ) as screen:
        screen.until("y yes")
        screen.type("e")
        assert screen.until("y run it as edited")[2:5] == [f"edited    {edited}", "was       git push", shown]
        screen.type("y")
        screen.until("Yes, as edited: git push")
    found = said(process)
    assert found["permissionDecision"] == decision
    assert reason in found["permissionDecisionReason"]
