"""Other hosts than Claude Code, by the command that their entries contain and a real daemon."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from interlock.hosts import HOSTS, Reply
from interlock.hosts.base import commands
from interlock.hosts.base.commands import FOLDER, PROCESS, hook_command
from interlock.hosts.base.setup import EntryFile
from interlock.verdict import Opinion, combine
from tests.daemon.spawned import Home

# Hosts that send everything to the entry's standard input, or enough of it.
BY_COMMAND = [name for name, host in HOSTS.items() if host.sample is not None and name != "amp"]
NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
REFUSED = Opinion(by="no-rm", decision="deny", reason="No rm.")


@pytest.fixture(autouse=True)
def _entries_of(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "socket_path", lambda: home.socket)


def run(command: str, raw: bytes) -> tuple[bytes, str, int]:
    ran = subprocess.run(["/bin/sh", "-c", command], input=raw, capture_output=True, check=False, timeout=120)
    return ran.stdout, ran.stderr.decode(), ran.returncode


def sample(host: str, command: str, folder: Path) -> bytes:
    made = HOSTS[host].sample
    assert made is not None
    raw = made("Bash", {"command": command}, str(folder))
    assert raw is not None
    return raw


def expected(host: str, raw: bytes, *opinions: Opinion) -> tuple[bytes, str, int]:
    dialect = HOSTS[host].dialect
    reply: Reply = dialect.encode(dialect.decode(raw), combine(opinions, {"command": "ls"}))
    return reply.stdout, reply.stderr, reply.exit_code


def test_each_is_answered_in_its_own_form(home: Home):
    home.policy(NO_RM)
    for host in BY_COMMAND:
        command = hook_command(host, "PreToolUse", refuses=True)
        bad, good = sample(host, "rm x", home.project), sample(host, "ls", home.project)
        assert (host, run(command, bad)) == (host, expected(host, bad, REFUSED))
        assert (host, run(command, good)) == (host, expected(host, good))


def test_a_result_finds_its_call_where_the_host_names_none(home: Home):
    """A rule that remembers results works on a host whose events have no ids."""
    home.policy(
        "{id: seen, event: PostToolUse, tool: Bash, set: {looked: true}}",
        "{id: once, command: rm, when: state.looked, deny: No rm after a look.}",
        top="state: {looked: {scope: session, default: false}}\n",
    )
    home.trust()
    call = json.loads(sample("gemini", "ls", home.project))
    result = {**call, "hook_event_name": "AfterTool", "tool_response": {"llmContent": "a", "returnDisplay": "a"}}
    before, after = (hook_command("gemini", event, refuses=True) for event in ("PreToolUse", "PostToolUse"))
    assert run(before, json.dumps(call).encode())[2] == 0
    assert run(after, json.dumps(result).encode())[2] == 0
    assert b"No rm after a look." in run(before, sample("gemini", "rm x", home.project))[0]


def test_a_projects_policy_holds_for_an_event_that_does_not_say_where_it_comes_from(home: Home):
    """Windsurf runs its entries in the workspace, and says so of commands alone."""
    home.policy('{id: no-env, path: "${project}/.env", deny: No secrets.}')
    setup = HOSTS["windsurf"].setup
    assert setup is not None
    (file,) = setup.files("project", home.project, home.home)
    assert isinstance(file, EntryFile)
    entry = next(item["command"] for keys, item in file.entries if keys[-1] == "pre_read_code")
    for path, expected in ((".env", (2, "No secrets.")), ("notes", (0, "")), (".", (2, "No secrets."))):
        event = {"agent_action_name": "pre_read_code", "trajectory_id": "t", "tool_info": {"file_path": path}}
        ran = subprocess.run(
            ["/bin/bash", "-c", entry], input=json.dumps(event), cwd=home.project, capture_output=True, text=True
        )
        assert (path, (ran.returncode, ran.stderr)) == (path, expected)


def test_sessions_that_no_event_names_are_told_apart_by_the_processes_that_raise_them(home: Home):
    """Older versions of Kiro do not name the session, and two of them may run in one folder."""
    home.policy(NO_RM)
    command = hook_command("kiro", "PreToolUse", refuses=True, says=(FOLDER, PROCESS))
    second = f"/bin/sh -c {shlex.quote(f'{command} < event; exit $?')}"
    both = f"{command} < event; one=$?; {second}; exit $one$?"  # the second while the first is still there
    event = {"hook_event_name": "preToolUse", "cwd": str(home.project), "tool_name": "shell"}
    for line, codes in (("ls", 0), ("rm x", 22)):
        (home.project / "event").write_text(json.dumps({**event, "tool_input": {"command": line}}))
        ran = subprocess.run(["/bin/sh", "-c", both], cwd=home.project, capture_output=True, text=True, check=False)
        assert (ran.stderr.replace("\n", ""), ran.returncode) == ("No rm." * (codes // 11), codes)


def test_only_the_host_itself_speaks_for_its_session(home: Home):
    home.policy(NO_RM)
    command, raw = hook_command("codex", "PreToolUse", refuses=True), sample("codex", "ls", home.project)
    assert run(command, raw) == expected("codex", raw)
    # A shell between them that is no entry: what a program does that an agent has started.
    inside = run(f"/bin/sh -c {shlex.quote(command)}; exit $?", raw)
    assert "not raised by the session's host" in inside[1]
    assert inside[2] == 2


def test_a_daemon_that_hangs_is_given_up_on_before_the_host_gives_up(home: Home, monkeypatch: pytest.MonkeyPatch):
    home.policy(NO_RM)
    raw = sample("codex", "ls", home.project)
    command = hook_command("codex", "SessionEnd", refuses=False)  # the event with the shortest limit: two seconds
    run(hook_command("codex", "PreToolUse", refuses=True), raw)
    os.kill(home.pid, signal.SIGSTOP)
    try:
        end = json.dumps({"hook_event_name": "SessionEnd", "session_id": "sample", "cwd": "/", "reason": "other"})
        stdout, _, code = run(command, end.encode())
    finally:
        os.kill(home.pid, signal.SIGCONT)
    assert (json.loads(stdout)["systemMessage"][:24], code) == ("Interlock did not answer", 0)


@pytest.mark.parametrize("words", [["nobody:PreToolUse"], ["codex:PreToolUse", "/", "more"], ["codex:"]])
def test_what_no_entry_says_is_a_refusal(home: Home, words: list[str]):
    name, *more = words
    command = hook_command("codex", "PreToolUse", refuses=True).replace("codex:PreToolUse", name)
    command = command.replace(str(home.socket), " ".join([str(home.socket), *more]))
    _, stderr, code = run(command, sample("codex", "ls", home.project))
    assert code == 2
    assert stderr.startswith("Interlock did not answer.")
