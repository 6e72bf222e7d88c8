"""An ordinary day with the real client: work that moves settings about, with nothing broken, said twice, or left."""

from __future__ import annotations

import subprocess
import sys

from tests.e2e.attacks.test_next_session import SHARED, git, is_guarded, repository, told
from tests.e2e.model import bash
from tests.e2e.session import Session

DAY = (
    "git checkout -q other", "git checkout -q main", "git stash", "git stash pop", "git checkout -qb topic",
    "git commit -qam work", "git rebase -q other", "git checkout -q main", "git merge -q topic",
    "git worktree add -q ../tree other", "git worktree remove ../tree",
)  # fmt: skip


def two_branches(session: Session) -> None:
    git(session, "checkout", "-qb", "other", "main")
    session.write("notes", "x\n")
    git(session, "add", "notes")
    git(session, "commit", "-qm", "Notes")
    git(session, "checkout", "-q", "main")
    session.write("interlock.yaml", session.read("interlock.yaml") + "# more\n")


def test_settings_of_one_machine_outlast_the_day_unnoticed(session: Session):
    repository(session)
    two_branches(session)
    before = session.settings.read_bytes()
    ran = session.run(*(bash(command) for command in DAY), "Done.")
    assert [result.text for result in ran.results() if result.error] == []
    assert told(ran) == []
    assert session.settings.read_bytes() == before
    left = git(session, "status", "--porcelain", "--ignored", "--untracked-files=all").splitlines()
    assert [line[3:] for line in left] == [".claude/settings.local.json"], "as it was before"
    assert session.records("EntriesLost") == []
    assert is_guarded(session)


def test_a_branch_without_shared_entries_is_told_once_and_left_clean(session: Session):
    repository(session, "--scope", "project")
    git(session, "checkout", "-qb", "other")
    session.write(SHARED, "{}\n")
    git(session, "commit", "-qam", "Without")
    git(session, "checkout", "-q", "main")
    ran = session.run(
        *(bash(f"git checkout -q {branch}") for branch in ("other", "main", "other", "main")), bash("ls"), "Done."
    )
    assert len(told(ran)) == 1
    assert git(session, "status", "--porcelain") == ""
    assert is_guarded(session)


def test_after_uninstalling_sessions_are_as_if_we_had_never_been(session: Session):
    repository(session)
    session.run(bash("ls"), "Done.")
    session.interlock("uninstall", "--yes")
    for _ in range(2):
        ran = session.run(bash("touch made"), "Done.")
        assert (told(ran), session.has("made"), session.has(".claude")) == ([], True, False)
    assert session.records("EntriesLost") == []


def test_settings_of_the_person_that_are_a_link_into_their_dotfiles(session: Session):
    repository(session, "--scope", "user")
    file, dotfiles = session.home / ".claude" / "settings.json", session.home / "dotfiles.json"
    file.rename(dotfiles)
    file.symlink_to(dotfiles)
    ran = session.run(bash("ls"), "Done.")
    assert told(ran) == []
    assert is_guarded(session)
    before = dotfiles.read_bytes()

    def sync() -> str:
        dotfiles.write_text('{"cleanupPeriodDays": 20}', encoding="utf-8")
        return "Done."

    ran = session.run(bash("ls"), sync)
    assert len(told(ran)) == 1
    assert (file.is_symlink(), dotfiles.read_text(encoding="utf-8")) == (True, '{"cleanupPeriodDays": 20}')
    dotfiles.write_bytes(before)
    assert is_guarded(session)


def test_a_policy_of_the_person_that_is_gone_can_be_dropped_by_the_command_that_is_named(session: Session):
    """What the notice says is all it takes, and no other policy's trust goes with it."""
    repository(session, "--scope", "user")
    policy = session.home / ".config" / "interlock" / "policy.yaml"
    policy.write_text("version: 1\nrules: [{id: no-mkdir, command: mkdir, deny: No folders.}]\n", encoding="utf-8")
    session.run(bash("mkdir one"), "Done.")
    policy.unlink()
    ran = session.run(bash("mkdir two"), "Done.")
    assert (session.has("one"), session.has("two")) == (False, False)
    shown = [one["content"] for one in ran.stream if one.get("subtype") == "informational"]
    named = "interlock trust --forget --user"
    assert any(f"{policy} is gone; its last good version is in force (`{named}` drops it)" in text for text in shown)
    command = [sys.executable, "-I", "-m", *named.split(), "--yes"]
    subprocess.run(command, cwd=session.home, env=session.env(), check=True, capture_output=True)
    session.run(bash("mkdir three"), "Done.")
    assert session.has("three")
    assert is_guarded(session), "by the project's own policy, which is still trusted"
