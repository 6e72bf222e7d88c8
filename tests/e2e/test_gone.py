"""Interlock is deleted: nothing runs unguarded, and the person is told where it is set up and what to do."""

from __future__ import annotations

import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest

import interlock
from tests.e2e.model import bash
from tests.e2e.session import LIMIT, Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)


def install_elsewhere(session: Session, *options: str) -> Path:
    """Set the project up with an installation of its own, which can be deleted. Gives its folder."""
    folder = session.folder / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=LIMIT)
    packages = next(folder.glob("lib/python*/site-packages"))
    found = [str(Path(interlock.__file__).parent.parent), *site.getsitepackages()]
    (packages / "all.pth").write_text("\n".join(found), encoding="utf-8")
    program = [str(folder / "bin" / "python"), "-I", "-m", "interlock", "init", "--yes", *options]
    subprocess.run(program, cwd=session.project, env=session.env(), check=True, capture_output=True, timeout=LIMIT)
    return folder


def notice(session: Session, folder: Path) -> str:
    return (
        f"Interlock is set up here, but its program is gone: {folder}/bin/python\n"
        "Until that is settled, prompts are blocked and calls are denied. There are two ways back:\n"
        "1. Install Interlock again, then run: interlock init\n"
        "2. Remove Interlock's entries (those that name interlock or 127.0.0.1) from the hooks in "
        f"{session.settings}"
    )


@both
def test_a_prompt_is_answered_with_the_file_and_the_two_ways_back(session: Session):
    folder = install_elsewhere(session, "--transport", "spawn")
    shutil.rmtree(folder)
    ran = session.run(bash("touch made"))
    assert notice(session, folder) in ran.final["result"]
    assert (ran.of(), session.has("made")) == ([], False)


def test_over_http_it_is_the_same(session: Session):
    folder = install_elsewhere(session, "--transport", "http", "--client", str(session.client))
    shutil.rmtree(folder)
    ran = session.run(bash("touch made"))
    assert notice(session, folder) in ran.final["result"]
    assert (ran.of(), session.has("made")) == ([], False)


@both
def test_a_teammate_who_lacks_interlock_is_told_at_the_first_prompt(session: Session):
    session.install("--scope", "project")
    session.environ = {"PATH": "/usr/bin:/bin"}
    ran = session.run(bash("touch made"))
    assert "Interlock is set up here, but its program is gone: interlock\n" in ran.final["result"]
    assert f"from the hooks in {session.project}/.claude/settings.json" in ran.final["result"]
    assert (ran.of(), session.has("made")) == ([], False)


def test_a_call_in_the_middle_of_a_turn_is_denied_by_the_client_itself(session: Session):
    folder = install_elsewhere(session, "--transport", "spawn")

    def call():
        shutil.rmtree(folder)
        return bash("touch made")

    ran = session.run(call)
    [result] = [part for event in ran.stream if event["type"] == "user" for part in event["message"]["content"]]
    [launcher] = (session.home / ".local/share/interlock/run").glob("*/interlock-hook")
    assert f"posix_spawn '{launcher}'" in result["content"]
    assert ran.final["terminal_reason"] == "hook_stopped"
    assert not session.has("made")


@both
def test_both_ways_back_work(session: Session):
    folder = install_elsewhere(session, "--transport", "spawn")
    shutil.rmtree(folder)
    session.install("--transport", "spawn")
    session.run(bash("touch guarded"), bash("git push -f origin main"))
    assert session.has("guarded")
    assert session.records("PreToolUse", "Bash")[-1].decision == "deny"
    session.interlock("uninstall", "--yes")
    session.run(bash("touch free"))
    assert session.has("free")
