"""The agent itself, started without a person: one that does as Codex does, since most machines have no Codex."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import pytest

from interlock.doctor import live
from interlock.doctor.finding import note, ok, problem
from interlock.doctor.known_bad import ARGUMENTS, BAD, LOUD
from interlock.doctor.live import try_agent
from interlock.hosts.base.host import Host
from interlock.hosts.base.installing import HostSpot
from interlock.hosts.discovery import hosts_with_setup
from tests.doctor.test_hosts import Place, place

__all__ = ["place"]

_AGENT = """#!{python} -IS
import json, os, pathlib, re, subprocess, sys, urllib.request
home, notes, mode = pathlib.Path(os.environ["HOME"]), pathlib.Path({notes!r}), {mode!r}
(notes / "environ").write_text(json.dumps(dict(os.environ)))
(notes / "hooks").write_bytes((home / ".codex" / "hooks.json").read_bytes())
if mode == "silent":
    sys.exit("no model is configured")
if mode == "hangs":
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    (notes / "child").write_text(str(child.pid))
    child.wait()
url = re.search('base_url = "(.*)"', (home / ".codex" / "config.toml").read_text())[1]
opened = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))

def say(*items):
    tools = [{{"type": "function", "name": "exec_command"}}]
    body = {{"model": "any", "tools": tools, "input": [{{"role": "user", "content": sys.argv[-1]}}, *items]}}
    sent = {{"content-type": "application/json"}}
    asked = urllib.request.Request(url + "/responses", json.dumps(body).encode(), sent)
    return json.load(opened.open(asked))["output"][0]

call = say()
command = json.loads(call["arguments"])["cmd"]
(notes / "command").write_text(command)
event = dict(session_id="s-" + home.parent.name, turn_id="t", transcript_path=None, cwd=os.getcwd(), model="any",
             hook_event_name="PreToolUse", permission_mode="default", tool_name="Bash",
             tool_input={{"command": command}}, tool_use_id="c")
listed = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]["PreToolUse"]
result = "there is no tool of this name" if mode == "unknown tool" else None
for group in listed if mode == "asks" else []:
    for hook in group["hooks"]:
        done = subprocess.run(hook["command"], shell=True, input=json.dumps(event), capture_output=True, text=True)
        result = done.stderr if done.returncode == 2 else result
if result is None:
    result = subprocess.run(command, shell=True, capture_output=True, text=True).stdout
say(call, {{"type": "function_call_output", "call_id": call["call_id"], "output": result}})
"""
# Those of the agent's own, those that every program has, and what shells add.
GIVEN = {"CODEX_HOME", "SCRIPTED_KEY", "HTTPS_PROXY", "NO_PROXY"}
GIVEN |= {"PATH", "HOME", "TMPDIR", "SHELL", "LANG", "LC_CTYPE", "TERM", "PWD", "SHLVL", "_"}
NOTHING = "started with these entries, it made no call"


class Agent:
    """A program that is called `codex`, and what it noted when it was run."""

    def __init__(self, place: Place, notes: Path) -> None:
        self.place, self.notes = place, notes
        notes.mkdir()

    def put(self, mode: str) -> HostSpot:
        program = self.place.programs / "codex"
        program.write_text(_AGENT.format(python=sys.executable, notes=str(self.notes), mode=mode), encoding="utf-8")
        program.chmod(0o755)
        return self.place.set_up("codex")

    def noted(self, name: str) -> str:
        return (self.notes / name).read_text(encoding="utf-8")


def is_running(process: int) -> bool:
    """Whether a process runs: one that was ended may wait for somebody who asks for its exit code."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def agent(place: Place, tmp_path: Path) -> Agent:
    return Agent(place, tmp_path / "notes")


def test_an_agent_that_asks_is_refused_and_its_model_is_told_why(agent: Agent):
    assert try_agent(agent.put("asks")) == ok("Codex", "so does Codex itself")


def test_an_agent_that_runs_it_all_the_same_is_loud(agent: Agent):
    spot = agent.put("ignores its hooks")
    assert try_agent(spot) == problem("Codex", f"{LOUD}: started with these entries, it ran `{BAD}`")
    assert agent.noted("command").endswith(f"/bin/interlock {ARGUMENTS}"), "and what ran did nothing"


def test_an_agent_whose_model_reads_something_else_is_a_problem(agent: Agent):
    told = f"started with these entries, it did not run `{BAD}`, but told its model: there is no tool of this name"
    assert try_agent(agent.put("unknown tool")) == problem("Codex", told)


def test_an_agent_that_makes_no_call_shows_nothing(agent: Agent):
    said = f"{NOTHING}, so this shows nothing: no model is configured"
    assert try_agent(agent.put("silent")) == note("Codex", said)


def test_an_agent_that_does_not_end_is_ended_with_all_that_it_started(agent: Agent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live, "PATIENCE", 2.0)
    assert try_agent(agent.put("hangs")) == note("Codex", f"{NOTHING} within 2 s, so this shows nothing")
    assert not is_running(int(agent.noted("child")))


def test_an_agent_is_given_nothing_of_the_persons_own(agent: Agent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("SOMETHING_OF_MINE", "1")
    monkeypatch.setenv("CODEX_HOME", str(agent.place.home / ".codex"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    spot = agent.put("asks")
    (file,) = (one.path for one in spot.files())
    found = json.loads(file.read_bytes())
    theirs = {"hooks": [{"type": "command", "command": "/usr/bin/true"}]}
    found["hooks"]["PreToolUse"].insert(0, theirs)
    file.write_text(json.dumps(found), encoding="utf-8")
    before = sorted((path, path.read_bytes()) for path in (agent.place.home / ".codex").rglob("*") if path.is_file())
    assert try_agent(spot).level == "ok"
    environ = json.loads(agent.noted("environ"))
    assert environ.keys() <= GIVEN
    assert environ["CODEX_HOME"] == f"{environ['HOME']}/.codex" != str(agent.place.home / ".codex")
    del found["hooks"]["PreToolUse"][0]
    assert json.loads(agent.noted("hooks")) == found, "its entries, and no other hook"
    after = sorted((path, path.read_bytes()) for path in (agent.place.home / ".codex").rglob("*") if path.is_file())
    assert after == before
    assert not list(tmp_path.glob("interlock-*"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("codex", "`codex` is not on the PATH, so only its entries were tried"),
        ("cline", "it cannot be started without a person or its maker's servers, so only its entries were tried"),
    ],
)
def test_what_cannot_be_started_is_a_note(place: Place, name: str, text: str):
    assert [(one.level, one.text) for one in [try_agent(place.set_up(name))]] == [("note", text)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('{"action": "reject", "error": "It is for a person."}', ok("Amp", "so does Amp itself")),
        ('{"action": "ask"}', problem("Amp", f"{LOUD}: asked about it, it says that it would run `{BAD}`")),
        ('{"action": "allow"}', problem("Amp", f"{LOUD}: asked about it, it says that it would run `{BAD}`")),
        ("not JSON", note("Amp", f"{NOTHING}, so this shows nothing: not JSON")),
    ],
)
def test_amp_says_what_it_would_do(place: Place, said: str, expected: object):
    program = place.programs / "amp"
    program.write_text(f"#!/bin/sh\ncase $2 in test) echo '{said}';; *) echo '[]';; esac\n", encoding="utf-8")
    program.chmod(0o755)
    assert try_agent(place.set_up("amp")) == expected


@pytest.mark.parametrize("host", hosts_with_setup(), ids=lambda host: host.name)
def test_every_agent_that_the_tests_drive_can_be_started_by_a_person_too(host: Host):
    assert (host.drive is not None) == (host.evidence == "live")
