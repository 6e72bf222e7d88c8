"""One line about the last calls, within a moment, and whatever the transcripts contain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interlock.replay.sources import own_folder, transcripts_folder
from interlock.replay.summary import caught_by, line_for
from tests.replay.transcripts import Transcript, pack, policy_of

SHOP = Path("/home/dev/shop")


def fill(folder: Path, name: str, *lines: str, age: int = 0) -> None:
    session = Transcript(folder / f"{name}.jsonl")
    for line in lines:
        session.bash(line)
    os.utime(session.file, (1_000_000 - age, 1_000_000 - age))


def test_the_line_says_what_the_ready_policy_would_have_done_in_this_project():
    fill(own_folder(SHOP), "s1", "ls", "git push -f origin main", "git reset --hard", "git clean -fd")
    fill(transcripts_folder() / "-elsewhere", "s2", "ls")
    assert line_for(SHOP, pack("guarded")) == (
        "Of your last 4 calls in this project, `guarded` would have asked about 2 and denied 1: interlock replay"
    )


def test_without_transcripts_of_the_project_the_line_is_about_all_projects():
    fill(transcripts_folder() / "-elsewhere", "s2", "ls")
    policy = policy_of("{id: never, command: ls, deny: never}")
    assert line_for(SHOP, [policy]) == (
        "Of your last call, this policy would have asked about 0 and denied 1: interlock replay"
    )


def test_there_is_no_line_if_there_are_no_calls():
    assert line_for(SHOP, pack("guarded")) is None
    fill(own_folder(SHOP), "s1")
    assert line_for(SHOP, pack("guarded")) is None


def test_only_so_many_calls_are_judged_those_of_the_newest_session_first():
    fill(own_folder(SHOP), "old", *["git push -f origin main"] * 5, age=500)
    fill(own_folder(SHOP), "new", *["git reset --hard"] * 5)
    assert line_for(SHOP, pack("guarded"), most=7) == (
        "Of your last 7 calls in this project, `guarded` would have asked about 5 and denied 2: interlock replay"
    )


def test_the_line_ends_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch):
    fill(own_folder(SHOP), "s1", *["ls"] * 50)
    ticks = iter(range(1000))
    monkeypatch.setattr("interlock.replay.summary.monotonic", lambda: next(ticks))
    assert line_for(SHOP, [policy_of()], seconds=9) == (
        "Of your last 10 calls in this project, this policy would have stopped none: interlock replay"
    )


def test_the_line_never_raises(monkeypatch: pytest.MonkeyPatch):
    fill(own_folder(SHOP), "s1", "ls")

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("interlock.replay.summary.play", fail)
    assert line_for(SHOP, [policy_of()]) is None


def test_a_rule_is_told_what_it_would_have_caught():
    fill(own_folder(SHOP), "s1", "npm install x", "ls", "npm install y", "npm install -g z", "npm ci")
    found = caught_by(policy_of("{id: npm, command: npm install, ask: sure?}"), SHOP)
    assert (found.calls, found.caught) == (5, 3)
    assert [example.line for example in found.examples] == ["npm install x", "npm install -g z"]
    nothing = caught_by(policy_of("{id: npm, command: pnpm install, ask: sure?}"), SHOP)
    assert (nothing.calls, nothing.caught, nothing.examples) == (5, 0, ())
