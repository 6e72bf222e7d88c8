"""What a host starts for a call because of what is in its files."""

from __future__ import annotations

import json
import pwd
from pathlib import Path
from types import SimpleNamespace

import pytest

from interlock.hosts import HOSTS
from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.installing import HostSpot, apply_setup, plan_setup
from interlock.hosts.base.setup import HostScope
from interlock.hosts.base.starting import installed_items, sample_for, starts_of
from interlock.hosts.discovery import hosts_with_setup

EVERY_SETUP = [(host.name, scope) for host in hosts_with_setup() if host.setup for scope in host.setup.scopes]
BAD = {"command": "interlock pause --for 8h"}
THEIRS = {"type": "command", "command": "/usr/bin/true"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", "/nowhere")
    return tmp_path


def spot(name: str, home: Path, scope: HostScope = "user") -> HostSpot:
    return HostSpot(host=HOSTS[name], scope=scope, root=home / "shop", home=home)


def installed(name: str, home: Path, scope: HostScope = "user") -> HostSpot:
    here = spot(name, home, scope)
    apply_setup(plan_setup([here]))
    return here


@pytest.mark.parametrize(("name", "scope"), EVERY_SETUP)
def test_every_setup_starts_something_for_a_call(name: str, scope: HostScope, home: Path):
    here = spot(name, home, scope)
    event = sample_for(here, "Bash", BAD, "doctor-1")
    assert starts_of(here, event) == []
    apply_setup(plan_setup([here]))
    found = starts_of(here, event)
    assert found
    assert {one.file for one in found} <= {file.path for file in here.files()}
    assert all(b"interlock pause" in one.stdin + " ".join(one.words).encode() for one in found)


@pytest.mark.parametrize("name", [host.name for host in hosts_with_setup()])
def test_a_sample_gets_a_name_that_nobody_has_seen(name: str, home: Path):
    first, second = (sample_for(spot(name, home), "Bash", BAD, f"doctor-{number}") for number in (1, 2))
    assert b"doctor-1" in first
    assert b'"sample"' not in first
    assert first.replace(b"doctor-1", b"doctor-2") == second


def test_only_the_entries_of_interlock_for_calls_are_started_and_each_once(home: Path):
    here = installed("gemini", home)
    (file,) = (one.path for one in here.files())
    found = json.loads(file.read_bytes())
    found["hooks"]["BeforeTool"][0]["hooks"].append(THEIRS)
    found["hooks"]["BeforeTool"].append(found["hooks"]["BeforeTool"][0])
    file.write_text("// mine\n" + json.dumps(found), encoding="utf-8")
    command = hook_command("gemini", "PreToolUse", refuses=True)
    assert [one.words for one in starts_of(here, b"{}")] == [("bash", "-c", command)]


def test_an_entry_in_a_group_of_others_keeps_its_matcher_and_nothing_else(home: Path):
    here = installed("gemini", home)
    (file,) = here.files()
    found = json.loads(file.path.read_bytes())
    group = found["hooks"]["BeforeTool"][0]
    mine = {**group, "hooks": [THEIRS, *group["hooks"], THEIRS]}
    found["hooks"]["BeforeTool"] = [{"matcher": "x", "hooks": [THEIRS]}, mine]
    raw = json.dumps(found).encode()
    listed = [item for keys, item in installed_items(here, file, raw) if keys == ("hooks", "BeforeTool")]  # type: ignore[arg-type]  # Gemini's file has entries
    assert listed == [group]


def test_cursor_writes_the_event_behind_the_command(home: Path):
    (start,) = starts_of(installed("cursor", home), b'{"a": 1}')
    command = hook_command("cursor", "PreToolUse", refuses=True)
    end = "CURSOR_HOOK_EOF"
    assert (start.words, start.stdin) == (("/bin/sh", "-c", f"{command} <<'{end}'\n{{\"a\": 1}}\n{end}"), b"")


def test_amp_is_told_the_tool_and_the_thread_by_variables(home: Path):
    here = installed("amp", home)
    (start,) = starts_of(here, sample_for(here, "Bash", BAD, "doctor-1"))
    assert start.words == [str(home / ".config" / "amp" / "interlock-delegate")]
    assert json.loads(start.stdin) == {"cmd": BAD["command"]}
    assert start.environ == {"AGENT": "amp", "AGENT_TOOL_NAME": "Bash", "AMP_THREAD_ID": "doctor-1"}


@pytest.mark.parametrize(
    ("login", "there", "expected"),
    [
        ("/opt/zsh", ["/opt/zsh", "bash"], "/opt/zsh"),
        ("/bin/fish", ["/bin/fish", "bash"], "bash"),
        ("/opt/gone/zsh", ["bash"], "bash"),
        ("/bin/fish", [], "/bin/sh"),
    ],
)
def test_codex_takes_a_persons_shell_if_it_knows_it(
    login: str, there: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pwd, "getpwuid", lambda user: SimpleNamespace(pw_shell=login))
    monkeypatch.setattr("shutil.which", lambda name: name if name in there else None)
    monkeypatch.setattr("sys.platform", "linux")
    assert HOSTS["codex"].setup is not None
    assert HOSTS["codex"].setup.run_by() == (expected, "-c")
