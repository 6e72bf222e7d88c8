"""Agents that an agent starts: guarded like the one that starts them, or not started."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.model import Call, Turn, bash
from tests.e2e.session import Ran, Session

NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
NESTED = "Do the nested work."
FLAGS = f"-p '{NESTED}' --model claude-sonnet-4-5 --strict-mcp-config --allowedTools Bash </dev/null"


def run(session: Session, *turns: Turn) -> Ran:
    """A session whose nested agents would all touch a file and make a folder."""
    work: list[Turn] = [bash("touch denied"), bash("mkdir -p made"), "Done."]
    session.environ["INTERLOCK_TESTS_CLIENT"] = str(session.client)
    return session.run(*turns, "Done.", agents={NESTED: work})


def other(session: Session) -> Path:
    folder = session.folder / "other"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("session", ["current", "older"], indirect=True)
def test_an_agent_started_in_the_same_project_is_guarded_too(session: Session):
    session.guard(NO_TOUCH)
    ran = run(session, bash(f"{session.client} {FLAGS}"))
    assert not ran.results()[0].error
    denied, made = ran.results(NESTED)
    assert "Use mkdir instead." in denied.text
    assert not made.error
    assert (session.has("denied"), session.has("made")) == (False, True)


AWAY = {
    "cd": "cd ../other && {client} {flags}",
    "a subshell": "(cd ../other; {client} {flags})",
    "env -C": "env -C ../other {client} {flags}",
    "another shell": "sh -c 'cd ../other && exec {client} '{flags}",
    "pushd": "pushd ../other && {client} {flags}",
    "a link": "ln -s {client} c; cd ../other && ../shop/c {flags}",
    "a copy": "cp {client} c; cd ../other && ../shop/c {flags}",
    "a variable": 'there=../other; cd "$there" && {client} {flags}',
    "python": 'python3 -c \'import os, subprocess; os.chdir("../other"); subprocess.run(["{client}", "-p", "x"])\'',
    "another home": "HOME=$PWD/../other; {client} {flags}",
    "no hooks": "{client} --bare {flags}",
    "no settings": "{client} --setting-sources '' {flags}",
    "settings that say no": "{client} --settings '{{\"disableAllHooks\":true}}' {flags}",
    "restricted": "{client} --restricted --tools Bash {flags}",
    "a moved folder": "CLAUDE_CONFIG_DIR=/tmp/x {client} {flags}",
    "a variable of its own": "CLAUDE_CODE_SIMPLE=1 {client} {flags}",
    "a folder that is only made": "mkdir -p ../other/new && cd ../other/new && git init -q . ; {client} {flags}",
    "a repository within": "mkdir -p sub && git init -q sub; cd sub && {client} {flags}",
}


@pytest.mark.parametrize("line", AWAY.values(), ids=AWAY)
def test_an_agent_that_would_not_be_guarded_is_not_started(session: Session, line: str):
    folder = other(session)
    session.guard(NO_TOUCH)
    ran = run(session, bash(line.format(client=session.client, flags=FLAGS)))
    assert ran.results()[0].error, ran.results()[0].text
    assert ran.of(NESTED) == []
    assert [*folder.rglob("denied"), *session.project.rglob("denied")] == []


def test_a_link_from_an_earlier_call_hides_nothing(session: Session):
    """However it came to be, it is known by where it leads."""
    session.guard(NO_TOUCH)
    (session.project / "c").symlink_to(session.client)
    ran = run(session, bash(f"./c --bare {FLAGS}"), bash(f"./c {FLAGS}"))
    bare, plain = ran.results()
    assert "starts an agent that Interlock would not guard" in bare.text
    assert not plain.error
    assert (session.has("denied"), session.has("made")) == (False, True)


def test_an_agent_elsewhere_is_started_where_it_is_guarded(session: Session):
    """The person's own settings hold in every folder."""
    folder = other(session)
    session.guard(NO_TOUCH)
    config = session.home / ".config" / "interlock"
    config.mkdir(parents=True)
    (config / "policy.yaml").write_text(f"version: 1\nrules:\n  - {NO_TOUCH}\n", encoding="utf-8")
    session.install("--scope", "user")
    ran = run(session, bash(f"cd ../other && {session.client} {FLAGS}"))
    assert not ran.results()[0].error
    assert ((folder / "denied").exists(), (folder / "made").exists()) == (False, True)


def test_looking_at_a_client_starts_nothing(session: Session):
    other(session)
    session.guard(NO_TOUCH)
    ran = run(session, bash(f"cd ../other && {session.client} --version"), bash(f"{session.client} mcp list"))
    assert [result.error for result in ran.results()] == [False, False]


def test_an_agent_of_another_kind_is_asked_about(session: Session):
    session.guard(NO_TOUCH)
    program = session.write("bin/codex", "#!/bin/sh\n: > denied\n")
    program.chmod(0o755)
    ran = session.run(
        bash("PATH=$PWD/bin:$PATH codex exec 'Do it.'"), Call("Read", {"file_path": str(program)}), "Done."
    )
    assert "an agent that Interlock would not guard" in ran.results()[0].text
    assert not session.has("denied")
