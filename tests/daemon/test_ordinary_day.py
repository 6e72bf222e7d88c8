"""A day of ordinary work beside the watch: nothing broken, nothing to clean up, nothing said twice."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.daemon.watched import Watched


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "interlock").touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")


@pytest.fixture
def shop(tmp_path: Path) -> Watched:
    """A repository with two branches, guarded on this machine only; its settings are neither tracked nor ignored."""
    shop = Watched(tmp_path / "shop")
    (shop.root / "code").write_text("one\n", encoding="utf-8")
    shop.commit("code")
    shop.git("branch", "other")
    shop.install()
    shop.commit("interlock.yaml")
    assert shop.event("SessionStart") == []
    return shop


@pytest.fixture
def team(tmp_path: Path) -> Watched:
    """A repository whose shared settings hold the entries on one branch and not on the other."""
    team = Watched(tmp_path / "team", "project")
    (team.root / "code").write_text("one\n", encoding="utf-8")
    team.commit("code")
    team.git("branch", "other")
    team.install()
    team.commit("interlock.yaml", ".claude/settings.json")
    assert team.event("SessionStart") == []
    return team


def after(shop: Watched, *commands: str) -> list[str]:
    """What is said after each of these commands of git, by the event and by the looks in between."""
    told = []
    for command in commands:
        shop.git(*command.split())
        told += shop.event()
        shop.watch.look_everywhere()
        shop.watch.look_everywhere()
        told += shop.event("UserPromptSubmit")
    return told


DAYS = {
    "another branch and back": ["checkout -q other", "checkout -q -"],
    "a stash": ["stash", "stash pop"],
    "a rebase": ["checkout -q other", "commit -q --allow-empty -m y", "rebase -q @{-1}", "checkout -q -"],
    "a merge": ["checkout -qb third", "merge -q other", "checkout -q -", "branch -D third"],
    "a worktree": ["worktree add -q ../tree other", "worktree remove ../tree"],
    "a reset": ["reset -q --hard HEAD~1", "reset -q --hard ORIG_HEAD"],
}


@pytest.mark.parametrize("day", DAYS)
def test_with_settings_of_this_machine_git_s_work_is_not_noticed(shop: Watched, day: str):
    (shop.root / "code").write_text("two\n" if day == "a stash" else "one\n", encoding="utf-8")
    before, settings = shop.status(), shop.file.read_bytes()
    assert after(shop, *DAYS[day]) == []
    assert (shop.status(), shop.file.read_bytes(), shop.records) == (before, settings, [])
    assert shop.is_guarded()


def test_settings_that_a_stash_has_taken_away_come_back_with_it(shop: Watched):
    """A file put in their place would keep `git stash pop` from it."""
    settings = shop.file.read_bytes()
    (text,) = after(shop, "stash -u")
    assert "because the folder" in text or "`git stash pop` brings it back" in text
    assert not shop.file.exists()
    assert after(shop, "stash pop") == []
    assert shop.file.read_bytes() == settings
    assert shop.is_guarded()


def test_nor_is_the_stash_hindered_where_their_folder_stays(shop: Watched):
    (shop.root / ".claude" / "commands.md").write_text("x", encoding="utf-8")
    shop.commit(".claude/commands.md")
    shop.event()
    settings = shop.file.read_bytes()
    (text,) = after(shop, "stash -u")
    assert "because `git stash` has put the file away; `git stash pop` brings it back" in text
    assert after(shop, "stash pop") == []
    assert shop.file.read_bytes() == settings


def test_settings_that_git_clean_took_are_put_back_where_their_folder_stays(shop: Watched):
    (shop.root / ".claude" / "commands.md").write_text("x", encoding="utf-8")
    shop.commit(".claude/commands.md")
    shop.event()
    (text,) = after(shop, "clean -fdxq")
    assert "They have been put back" in text
    assert shop.is_guarded()


def test_a_branch_without_entries_is_told_once_and_git_s_tree_stays_clean(team: Watched):
    (text,) = after(team, "checkout -q other")
    assert "git tracks the file" in text or "the folder" in text
    assert team.status() == ""
    assert after(team, "checkout -q -", "checkout -q other", "checkout -q -") == [], "known by now"
    assert (team.status(), team.is_guarded()) == ("", True)
    assert [record["put_back"] for record in team.records] == [False, False]


def test_such_a_branch_is_told_once_more_when_the_next_session_begins_there(team: Watched):
    (text,) = after(team, "checkout -q other")
    assert [team.session(2), team.session(3)] == [[text], []]


def test_a_branch_whose_file_stays_and_has_no_entries_is_told_once_too(team: Watched):
    team.git("checkout", "-qb", "third")
    team.file.write_text("{}\n", encoding="utf-8")
    team.git("commit", "-qam", "Without")
    (text,) = team.event()
    assert "because git tracks the file" in text
    assert after(team, "checkout -q -", "checkout -q third", "checkout -q -") == []
    assert team.status() == ""


def test_what_git_did_not_check_out_is_told_although_the_branch_is_known(team: Watched):
    """The same file with the same content, but nobody committed it here."""
    after(team, "checkout -q other", "checkout -q -")
    team.file.unlink()
    (text,) = team.event()
    assert "because git tracks the file" in text
    assert team.status() == " D .claude/settings.json\n", "as the command left it"


def test_a_merge_that_takes_entries_out_of_the_shared_file_is_told_and_left(team: Watched):
    team.git("checkout", "-qb", "third")
    team.file.write_text("{}\n", encoding="utf-8")
    team.git("commit", "-qam", "Without")
    team.git("checkout", "-q", "-")
    team.event()
    (text,) = after(team, "merge -q third")
    assert "because git tracks the file" in text
    assert team.status() == ""


def test_a_branch_without_shared_entries_is_nothing_to_a_person_who_has_their_own(team: Watched):
    team.install("user")
    team.event("SessionStart")
    assert after(team, "checkout -q other", "checkout -q -") == []
    assert team.status() == ""


def test_a_project_that_is_cloned_anew_starts_without_us(shop: Watched, tmp_path: Path):
    shop.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    shutil.rmtree(shop.root)
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    shop.root.mkdir()
    shop.git("clone", "-q", str(tmp_path / "bare"), ".")
    (shop.root / ".claude").mkdir()
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    assert list((shop.root / ".claude").iterdir()) == []


def test_a_venv_that_is_made_anew_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    venv = tmp_path / "venv" / "bin"
    venv.mkdir(parents=True)
    (venv / "python").symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(venv / "python"))
    shop = Watched(tmp_path / "shop")
    shop.install()
    shop.event("SessionStart")
    before = shop.file.read_bytes()
    shutil.rmtree(venv)
    assert (shop.event(), shop.session(2)) == ([], [])
    venv.mkdir()
    (venv / "python").symlink_to(sys.executable if Path(sys.executable).exists() else "/usr/bin/python3")
    assert (shop.event(), shop.session(3), shop.file.read_bytes()) == ([], [], before)


def test_a_venv_that_is_gone_with_the_entries_is_not_brought_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    venv = tmp_path / "venv" / "bin"
    venv.mkdir(parents=True)
    (venv / "python").symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(venv / "python"))
    shop = Watched(tmp_path / "shop")
    shop.install()
    shop.event("SessionStart")
    shutil.rmtree(venv)
    shop.file.write_text("{}", encoding="utf-8")
    (text,) = shop.event()
    assert f"because {venv / 'python'} is gone" in text
    assert shop.file.read_text(encoding="utf-8") == "{}"


def test_another_installation_that_takes_over_is_not_fought(
    shop: Watched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    shop.install()
    before = shop.file.read_bytes()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "earlier"))
    assert (shop.event(), shop.file.read_bytes(), shop.records) == ([], before, [])


def test_after_uninstalling_a_day_is_as_if_we_had_never_been(shop: Watched):
    shop.uninstall()
    assert len(shop.event()) == 1
    before = shop.status()
    assert after(shop, *DAYS["another branch and back"], *DAYS["a merge"]) == []
    assert shop.session(2) == []
    assert (shop.status(), [record["event"] for record in shop.records]) == (before, ["Uninstall"])
    assert not (shop.root / ".claude").exists()
