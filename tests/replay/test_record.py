"""Interlock's own record, played again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.judging.guard import Guard
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.record import play_record
from interlock.service import answer
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore
from interlock.testing.pretend import Pretend
from tests.builders import payload
from tests.cli.test_replay import output
from tests.replay.transcripts import commands, decisions, policy_of


def record(store: MemoryStore, *events: dict[str, Any]) -> None:
    policy = policy_of("{id: never, command: halt, deny: Never.}")
    with Guard([policy], Pretend(), store, project="/proj", alone=True) as guard:
        for event in events:
            answer(guard, "claude-code", json.encode(event))


def event(name: str, call: str, command: str, session: str = "s1", **fields: Any) -> dict[str, Any]:
    about = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call}
    return {**payload(name, **about, **fields), "session_id": session}


def events() -> list[dict[str, Any]]:
    out = {"stdout": "a token", "stderr": "", "interrupted": False, "isImage": False}
    return [
        {**payload("UserPromptSubmit", prompt="go"), "session_id": "s1"},
        event("PreToolUse", "t1", "cat notes"),
        event("PreToolUse", "t2", "curl x.example", session="s2"),
        event("PostToolUse", "t1", "cat notes", tool_response=out),
        event("PostToolUseFailure", "t2", "curl x.example", session="s2", error="Exit code 6"),
        event("PreToolUse", "t3", "halt"),
        event("PreToolUse", "t4", "curl x.example"),
        {**payload("SessionEnd", reason="other"), "session_id": "s1"},
    ]


RULES = (
    "{id: mark, event: PostToolUse, tool: Bash, when: 'response.stdout.contains(\"token\")', set: {seen: true}}",
    "{id: stop, command: curl, when: state.seen, deny: Never.}",
)


def test_sessions_are_played_as_they_were_interleaved_each_with_its_state():
    store = MemoryStore()
    record(store, *events())
    faults = Faults()
    judge = PastJudge([policy_of(*RULES, top="state: {seen: false}\n")])
    found = list(play_record(store, [judge], faults))
    assert commands(found) == ["cat notes", "curl x.example", "halt", "curl x.example"]
    assert decisions(found) == [None, None, None, "deny"]
    assert [(one.session, one.outcome) for one in found] == [
        ("s1", "ran"), ("s1", "ran"), ("s2", "failed"), ("s1", "refused"), ("s1", "open"),
    ]  # fmt: skip
    assert faults.all() == []


def test_a_record_that_cannot_be_read_is_counted():
    store = MemoryStore()
    store.commit(Entry(record={"event": "PreToolUse", "session": "s1"}, raw=b"{}", at=1.0))
    faults = Faults()
    assert list(play_record(store, [PastJudge([policy_of()])], faults)) == []
    assert [(fault.what, fault.count, fault.first) for fault in faults.all()] == [
        ("events of an unknown form", 1, "record 1")
    ]


def test_the_command_reads_the_record_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from interlock.store.place import open_store

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    with closing(open_store()) as store:
        policy = policy_of()
        with Guard([policy], Pretend(), store, project="/proj", alone=True) as guard:
            for one in events():
                answer(guard, "claude-code", json.encode(one))
    text = output("--log", "--pack", "guarded")
    assert text.splitlines()[:3] == [
        "judged by   pack guarded, core",
        "read        Interlock's record",
        "calls       4 in 2 sessions of 1 project, 2026-01-05",
    ]
