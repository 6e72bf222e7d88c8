"""A clone is never less guarded than it was: teammates keep the hooks that were in the shared settings."""

from __future__ import annotations

import json
import shutil
import subprocess

from tests.e2e.model import bash
from tests.e2e.session import Session

TEAM_HOOK = """\
#!/bin/sh
grep -q 'rm ' && { echo "The team keeps its files." >&2; exit 2; }
exit 0
"""


def git(session: Session, *arguments: str) -> None:
    identity = ["-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "commit.gpgsign=false"]
    env = {**session.env(), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *identity, *arguments], cwd=session.project, env=env, check=True, capture_output=True)


def shared_hook(session: Session) -> None:
    """A repository whose shared settings hold a hook that denies `rm`."""
    session.write("team.sh", TEAM_HOOK).chmod(0o755)
    entry = {"type": "command", "command": "$CLAUDE_PROJECT_DIR/team.sh", "timeout": 20}
    session.write(".claude/settings.json", json.dumps({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}, indent=2))
    session.write("precious", "x")
    shutil.rmtree(session.project / ".git")
    git(session, "init", "-q")


def clone(session: Session) -> None:
    """Turn the project into a fresh clone of itself in the hands of somebody who has trusted nothing."""
    git(session, "add", "-A")
    git(session, "commit", "-qm", "x")
    bare = session.folder / "bare"
    git(session, "clone", "-q", "--bare", ".", str(bare))
    session.interlock("stop")
    shutil.rmtree(session.project)
    session.project.mkdir()
    git(session, "clone", "-q", str(bare), ".")
    shutil.rmtree(session.home / ".local")


def kept(session: Session) -> bool:
    """Whether the hook of the team kept the file, and said why."""
    ran = session.run(bash("rm precious"), "Done.")
    return session.has("precious") and "The team keeps its files." in ran.results()[0].text


def test_the_hook_of_the_team_holds_without_us(session: Session):
    """What the client does by itself; without this the test below would prove nothing."""
    shared_hook(session)
    assert kept(session)


def test_after_adopting_in_the_shared_scope_a_clone_that_trusted_nothing_is_guarded_as_before(session: Session):
    shared_hook(session)
    session.interlock("init", "--yes", "--adopt", "--scope", "project")
    assert kept(session), "who installed it"
    clone(session)
    assert kept(session), "a teammate"
