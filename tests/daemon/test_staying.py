"""Settings that would switch us off are not taken up by a live session; others are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon.peers import Process
from interlock.daemon.staying import Staying
from interlock.event import ConfigChange
from interlock.hooks.run import Asked
from interlock.install.entries import entries_for
from interlock.verdict import Round

HOST = Process(os.getpid(), 0)
EVENT = ConfigChange(session_id="s", transcript_path="/t", cwd="/", source="local_settings")


def settings(**more: object) -> bytes:
    hooks = {event: [{"hooks": [handler]}] for event, handler in entries_for("local").items()}
    return json.encode({"hooks": hooks, **more})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "shop" / ".claude" / "settings.local.json"
    place.parent.mkdir(parents=True)
    place.write_bytes(settings())
    return place


def refusal(staying: Staying, file: Path) -> str | None:
    panels = staying.beside("ConfigChange", file.parent.parent, HOST)
    answers = [panel.ask(Asked("claude-code", EVENT), Round({}, True)) for panel in panels]
    opinions = [opinion for answer in answers for said in answer.values() for opinion in said]
    assert {one.decision for one in opinions} <= {"deny"}
    return opinions[0].reason if opinions else None


def one_invalid_entry(file: Path) -> None:
    broken = json.decode(settings())
    broken["hooks"]["PreToolUse"].append({"hooks": [{"type": "command"}]})
    file.write_bytes(json.encode(broken))


def without_one_event(file: Path) -> None:
    less = json.decode(settings())
    del less["hooks"]["PostToolUse"]
    file.write_bytes(json.encode(less))


OFF = {
    "disabled": lambda file: file.write_bytes(settings(disableAllHooks=True)),
    "emptied": lambda file: file.write_bytes(b"{}"),
    "no JSON": lambda file: file.write_bytes(b"{"),
    "deleted": lambda file: file.unlink(),
    "renamed": lambda file: file.parent.rename(file.parent.with_name("other")),
    "one invalid entry": one_invalid_entry,
    "one event less": without_one_event,
    "loads other code": lambda file: file.write_bytes(settings(env={"LD_PRELOAD": "/tmp/x.so"})),
    "without hooks": lambda file: file.write_bytes(settings(env={"CLAUDE_CODE_SIMPLE": "1"})),
    "disabled next door": lambda file: file.with_name("settings.json").write_bytes(b'{"disableAllHooks": true}'),
}


@pytest.mark.parametrize("switch", OFF, ids=str)
@pytest.mark.parametrize("seen", [True, False], ids=["after a start", "by a new daemon"])
def test_a_change_that_would_switch_us_off_is_blocked(file: Path, switch: str, seen: bool):
    staying = Staying()
    if seen:
        assert staying.beside("SessionStart", file.parent.parent, HOST) == ()
        assert refusal(staying, file) is None
    OFF[switch](file)
    reason = refusal(staying, file)
    assert reason is not None
    assert "would switch Interlock off" in reason
    assert refusal(staying, file) == reason  # and again, as long as it stands there


@pytest.mark.parametrize("more", [{}, {"permissions": {"allow": ["Bash(ls)"]}}, {"env": {"A": "b"}}], ids=str)
def test_a_change_that_leaves_us_on_is_none_of_our_business(file: Path, more: dict[str, object]):
    staying = Staying()
    staying.beside("SessionStart", file.parent.parent, HOST)
    file.write_bytes(settings(**more))
    assert refusal(staying, file) is None


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "Stop"])
def test_other_events_cost_nothing(file: Path, event: str):
    file.write_bytes(b"{")
    assert Staying().beside(event, file.parent.parent, HOST) == ()
