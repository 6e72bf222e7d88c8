"""Settings that would switch us off are not taken up by a live session; others are."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon.peers import Process
from interlock.daemon.sessions import Sessions
from interlock.daemon.settings_watch import SettingsWatch
from interlock.event import ConfigChange
from interlock.fold import Draft, Round
from interlock.hosts.claude_code.entries import entries_for
from interlock.judging.projects import Projects
from interlock.policy.situation import Situation
from interlock.store.memory import MemoryStore
from tests.daemon.spawned import Home, event

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


def refusal(staying: SettingsWatch, file: Path, host: Process = HOST, start: Path | None = None) -> str | None:
    panels = staying.beside("ConfigChange", start or file.parent.parent, host)
    answers = [panel.ask(Situation(event=EVENT, host="claude-code"), Round(Draft({}))) for panel in panels]
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
    "lists its libraries": lambda file: file.write_bytes(settings(env={"LD_TRACE_LOADED_OBJECTS": "1"})),
    "lists its libraries, next door": lambda file: file.with_name("settings.json").write_bytes(
        b'{"env": {"LD_TRACE_LOADED_OBJECTS": "1"}}'
    ),
    "loads other code": lambda file: file.write_bytes(settings(env={"LD_PRELOAD": "/tmp/x.so"})),
    "without hooks": lambda file: file.write_bytes(settings(env={"CLAUDE_CODE_SIMPLE": "1"})),
    "disabled next door": lambda file: file.with_name("settings.json").write_bytes(b'{"disableAllHooks": true}'),
}


@pytest.mark.parametrize("switch", OFF, ids=str)
@pytest.mark.parametrize("seen", [True, False], ids=["after a start", "by a new daemon"])
def test_a_change_that_would_switch_us_off_is_blocked(file: Path, switch: str, seen: bool):
    staying = SettingsWatch()
    if seen:
        assert staying.beside("SessionStart", file.parent.parent, HOST) == ()
        assert refusal(staying, file) is None
    OFF[switch](file)
    reason = refusal(staying, file)
    assert reason is not None
    assert "would switch Interlock off" in reason
    assert refusal(staying, file) == reason  # and again, as long as it stands there


HARMLESS: list[dict[str, object]] = [
    {},
    {"permissions": {"allow": ["Bash(ls)"]}},
    {"env": {"A": "b"}},
    {"statusLine": {"type": "command", "command": "date"}},
    {"sandbox": {"enabled": True}},
    {"attribution": {"commit": ""}},
    {"extraKnownMarketplaces": {"x": {"source": {"source": "github", "repo": "a/b"}}}},
    {"worktree": {"symlinkDirectories": ["node_modules"]}},
    {"fileSuggestion": {"type": "command", "command": "x"}},
    {"spinnerVerbs": {"mode": "append", "verbs": ["x"]}},
    {"pluginConfigs": {}},
]


@pytest.mark.parametrize("more", HARMLESS, ids=str)
def test_a_change_that_leaves_us_on_is_none_of_our_business(file: Path, more: dict[str, object]):
    staying = SettingsWatch()
    staying.beside("SessionStart", file.parent.parent, HOST)
    file.write_bytes(settings(**more))
    assert refusal(staying, file) is None


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "Stop"])
def test_other_events_cost_nothing(file: Path, event: str):
    file.write_bytes(b"{")
    assert SettingsWatch().beside(event, file.parent.parent, HOST) == ()


def test_what_cannot_be_judged_is_not_called_an_attack_and_a_person_is_told_what_to_do(file: Path):
    staying = SettingsWatch()
    staying.beside("SessionStart", file.parent.parent, HOST)
    file.write_bytes(settings(novelty=1))
    assert refusal(staying, file) == (
        "Interlock cannot tell whether this change to the settings would switch it off, so this session does not "
        f"apply it: `novelty` changed in {file}, and a value that the client does not accept would make it ignore the "
        "whole file. A new session does. To apply it in this one, a person must run `interlock pause` and save the "
        "settings again."
    )


def test_a_session_that_was_started_in_a_subfolder_is_judged_by_what_its_host_reads_there(file: Path):
    root = file.parent.parent
    (root / ".git").mkdir()
    sub = root / "sub"
    sub.mkdir()
    staying = SettingsWatch()
    assert refusal(staying, file, start=sub) is None
    (sub / ".claude").mkdir()
    (sub / ".claude" / "settings.json").write_text('{"env": {"LD_AUDIT": "x"}}', encoding="utf-8")
    assert "sets `LD_AUDIT`" in str(refusal(staying, file, start=sub))
    assert refusal(staying, file) is None, "a session in the root reads none of it"


def test_what_was_refused_is_not_taken_up_by_way_of_another_session(file: Path):
    """A host that clears its session, and another host that begins one, say nothing of what this one has in force."""
    root, staying = file.parent.parent, SettingsWatch()
    staying.beside("SessionStart", root, HOST)
    without_one_event(file)
    for host in (HOST, Process(1, 1)):
        staying.beside("SessionStart", root, host)
        assert refusal(staying, file) is not None


@pytest.fixture
def host_with_a_folder_of_its_own(tmp_path: Path) -> Iterator[Process]:
    """A host that was started with CLAUDE_CONFIG_DIR."""
    environ = {"CLAUDE_CONFIG_DIR": str(tmp_path / "config"), "PATH": os.environ["PATH"]}
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"x")
        process.stdin.flush()
        process.stdout.read(1)  # it is `cat` by now, with its own environment
        yield Process(process.pid, 0)
        process.stdin.close()


def test_a_persons_settings_are_those_of_the_host_and_not_of_the_daemon(
    file: Path, tmp_path: Path, nobodys_home: Path, host_with_a_folder_of_its_own: Process
):
    for folder in (tmp_path / "config", nobodys_home / ".claude"):
        folder.mkdir()
    disabled = b'{"env": {"CLAUDE_CODE_SIMPLE": "1"}}'
    (tmp_path / "config" / "settings.json").write_bytes(disabled)
    assert refusal(SettingsWatch(), file, host_with_a_folder_of_its_own) is not None
    assert refusal(SettingsWatch(), file) is None
    (tmp_path / "config" / "settings.json").unlink()
    (nobodys_home / ".claude" / "settings.json").write_bytes(disabled)
    assert refusal(SettingsWatch(), file, host_with_a_folder_of_its_own) is None
    assert refusal(SettingsWatch(), file) is not None


def test_the_daemon_itself_blocks_such_a_change(home: Home):
    """Nothing is installed in this project, so whatever changed there, our entries would not run."""
    said = home.ask(event("ConfigChange", source="local_settings"), "ConfigChange")
    answer = json.decode(said.stdout)
    assert answer["decision"] == "block"
    assert "would switch Interlock off" in answer["reason"]


def test_sessions_are_not_to_be_had_without_it():
    with Projects(MemoryStore) as projects, pytest.raises(TypeError):
        Sessions(projects)  # type: ignore[call-arg]
