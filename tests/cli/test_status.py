"""`interlock status --session`: whether the last turn of a session went well, for callers of headless runs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from interlock.store.base import Entry, Note
from interlock.store.place import open_store, store_file
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def happened(*events: str | Entry) -> None:
    """Events of the session `s1`; one that ended the turn says why behind a colon."""
    with closing(open_store()) as store:
        for event in events:
            store.commit(event if isinstance(event, Entry) else told(*event.split(": ")))


def told(event: str, ended: str | None = None) -> Entry:
    record: dict[str, Any] = {"session": "s1", "event": event} | ({"ended": ended} if ended else {})
    return Entry(record=record, raw=b"", at=1.0)


TURN = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
STORIES: dict[str, tuple[tuple[str | Entry, ...], int, str]] = {
    "it went well": ((*TURN, "Stop", "SessionEnd"), 0, "its last turn is finished"),
    "a batch ended it": (
        (*TURN, "PostToolBatch: It failed.", "SessionEnd"), 1, "its last turn was ended by Interlock: It failed."
    ),
    "its prompt was refused": (
        ("SessionStart", "UserPromptSubmit: Not today.", "SessionEnd"), 1,
        "its last turn was ended by Interlock: Not today.",
    ),
    "it was broken off": ((*TURN, "SessionEnd"), 1, "its last turn was not finished"),
    "it has not begun": (("SessionStart",), 1, "its last turn was not finished"),
    "a subagent's turn was ended": (
        (*TURN, "PostToolBatch: It failed.", "SubagentStop", "Stop"), 0, "its last turn is finished"
    ),
    "the turn before was ended": (
        (*TURN, "PostToolBatch: It failed.", "SessionEnd", *TURN, "Stop"), 0, "its last turn is finished"
    ),
    "the next turn is on": (
        (*TURN, "PostToolBatch: It failed.", "UserPromptSubmit"), 1, "its last turn was not finished"
    ),
    "it was stopped": (
        (*TURN, Entry(record={"session": "s1"}, raw=b"", at=2.0, notes=Note("s1", breach="It ran.")), "Stop"), 1,
        "stopped: It ran.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_the_exit_code_says_whether_the_last_turn_went_well(project: Project, story: str):
    events, code, said = STORIES[story]
    happened(*events)
    assert project.said("status", "--session", "s1") == (code, f"{said}\n")


def test_for_programs_all_of_it_is_json(project: Project):
    happened(*TURN, "PostToolBatch: It failed.")
    assert project.data("status", "--session", "s1") == {
        "session": "s1", "recorded": True, "stopped": None, "ended": "It failed.", "finished": False
    }  # fmt: skip


def test_a_session_of_which_nothing_is_recorded_went_not_well(project: Project):
    happened(*TURN, "Stop")
    assert project.said("status", "--session", "s2") == (
        1, "there is no record of the session s2: Interlock did not guard it\n"
    )  # fmt: skip


def test_where_the_record_is_lost_nobody_can_tell(project: Project):
    happened(*TURN, "Stop")
    store_file().unlink()
    code, said = project.said("status", "--session", "s1")
    assert (code, said.startswith("error: the record is lost: ")) == (1, True)
