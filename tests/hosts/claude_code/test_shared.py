"""Hooks of a file that others have too stay in it: a clone is never less guarded than it was."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from interlock.config.trust import Trust
from interlock.files.git import is_as_committed, is_in_a_stash, is_looked_after, is_tracked
from interlock.hosts.claude_code import installer
from interlock.hosts.claude_code.adoption import convert
from interlock.hosts.claude_code.installer import plan_install
from interlock.hosts.claude_code.places import settings_file
from interlock.hosts.claude_code.settings_rules import read_settings
from interlock.hosts.claude_code.settings_state import settings_state
from tests.hosts.claude_code.test_installer import OTHER, install, local, project, uninstall
from tests.hosts.claude_code.test_installer_adopting import MIXED, STARTER

__all__ = ["project"]  # a fixture


def git(project: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=me", "-c", "user.email=me@example.com"]
    subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)


@pytest.mark.parametrize("tracked", [True, False])
def test_hooks_of_a_file_that_git_tracks_stay_in_it_whatever_its_name(project: Path, tracked: bool):
    """Some teams commit `settings.local.json`; a clone of theirs must keep its hooks."""
    file = local(project, json.dumps(MIXED))
    git(project, "init", "-q")
    if tracked:
        git(project, "add", "-f", str(file))
    plan = install(project, adopt=True, starter=STARTER)
    assert bool(plan.adopted) is not tracked
    kept, groups = json.loads(file.read_text(encoding="utf-8")), json.loads(json.dumps(MIXED))["hooks"]["PreToolUse"]
    assert all(group in kept["hooks"]["PreToolUse"] for group in groups) is tracked


def meant(raw: bytes) -> list[str]:
    """Every hook of a settings file, in whichever group it is."""
    return sorted(f"{hook.event} {hook.matcher} {hook.handler}" for hook in read_settings(raw, "").hooks)


def test_hooks_that_an_earlier_version_moved_out_of_the_shared_file_are_put_back(
    project: Path, monkeypatch: pytest.MonkeyPatch
):
    file = settings_file("project", project)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(MIXED), encoding="utf-8")
    with monkeypatch.context() as earlier:
        earlier.setattr(installer, "convert", lambda hook, policy, shared: convert(hook, policy))
        install(project, scope="project", adopt=True, starter=STARTER)
    assert OTHER not in [hook.handler for hook in settings_state(project).files[2].running]
    plan = install(project, scope="project")
    assert plan.notices[0] == (
        f"adopted hooks go back into {file}, which is shared: others would run them only once they trust"
    )
    assert (project / "interlock.yaml").read_text(encoding="utf-8") == STARTER
    assert Trust().holds(project / "interlock.yaml"), "as it was before"
    assert plan_install(project, scope="project").is_empty
    uninstall(project, "project")
    assert meant(file.read_bytes()) == meant(json.dumps(MIXED).encode())


# --- what git says -----------------------------------------------------------------------------------------


@pytest.fixture
def repository(project: Path) -> Path:
    git(project, "init", "-q")
    (project / "README").write_text("x", encoding="utf-8")
    git(project, "add", "README")
    git(project, "commit", "-qm", "x")
    return project


def test_a_file_is_tracked_if_git_says_so(repository: Path):
    file = local(repository, "{}")
    assert not is_tracked(file)
    git(repository, "add", "-f", str(file))
    assert is_tracked(file)
    git(repository, "commit", "-qm", "x")
    file.unlink()
    assert is_tracked(file), "a file that is gone is still tracked"


def test_outside_a_repository_and_in_an_empty_one_nothing_is_tracked(project: Path):
    file = local(project, "{}")
    assert not is_tracked(file)
    (project / ".git").mkdir()
    assert not is_tracked(file)


def test_where_git_cannot_be_asked_a_file_is_taken_for_tracked(repository: Path, monkeypatch: pytest.MonkeyPatch):
    file = local(repository, "{}")
    monkeypatch.setenv("PATH", "/nowhere")
    assert is_tracked(file)


def test_a_worktree_has_an_index_of_its_own(repository: Path, tmp_path: Path):
    other = tmp_path / "other"
    git(repository, "worktree", "add", "-q", str(other))
    file = local(other, "{}")
    assert not is_tracked(file)
    git(other, "add", "-f", str(file))
    assert is_tracked(file)
    assert not is_tracked(local(repository, "{}"))


def test_a_name_that_means_something_to_git_is_a_name(repository: Path):
    """`[s]ettings` as a pattern would find the tracked `settings`."""
    git(repository, "add", "-f", str(local(repository, "{}")))
    odd = repository / ".claude" / "[s]ettings.local.json"
    odd.write_text("{}", encoding="utf-8")
    assert not is_tracked(odd)


def test_asking_git_runs_nothing_of_the_repository(repository: Path):
    ran = repository / "ran"
    program = repository / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "core.sshCommand", "core.pager", "alias.ls-files", "diff.external"):
        git(repository, "config", name, str(program))
    file = local(repository, "{}")
    assert (is_tracked(file), is_in_a_stash(file), is_looked_after(file)) == (False, False, False)
    assert not is_as_committed(file, b"{}")
    assert not ran.exists()


def test_a_file_is_in_a_stash_until_it_is_popped(repository: Path):
    file = local(repository, "{}")
    assert not is_in_a_stash(file)
    git(repository, "stash", "-u")
    (repository / "README").write_text("y", encoding="utf-8")
    git(repository, "stash")
    assert is_in_a_stash(file), "also below a later one"
    git(repository, "stash", "drop")
    git(repository, "stash", "pop")
    assert not is_in_a_stash(file)


def test_git_looks_after_a_file_that_any_branch_has(repository: Path):
    file = local(repository, "{}")
    assert not is_looked_after(file)
    git(repository, "checkout", "-qb", "other")
    git(repository, "add", "-f", str(file))
    git(repository, "commit", "-qm", "x")
    assert is_looked_after(file)
    git(repository, "checkout", "-q", "-")
    assert (file.exists(), is_tracked(file), is_looked_after(file)) == (False, False, True)
    git(repository, "branch", "-qD", "other")
    assert not is_looked_after(file)


def test_a_file_is_as_committed_if_git_has_just_these_bytes(repository: Path):
    file = local(repository, "{}")
    assert is_as_committed(file, None), "neither is there one"
    assert not is_as_committed(file, b"{}")
    git(repository, "add", "-f", str(file))
    git(repository, "commit", "-qm", "x")
    assert [is_as_committed(file, raw) for raw in (b"{}", b"{} ", None)] == [True, False, False]


def test_worktrees_that_would_be_left_without_adopted_hooks_are_named(repository: Path, tmp_path: Path):
    git(repository, "worktree", "add", "-q", str(tmp_path / "other"))
    local(repository, json.dumps(MIXED))
    text = (
        f"adopted hooks do not run in other worktrees until the policy is committed and trusted there: {tmp_path}/other"
    )
    assert text not in plan_install(repository, starter=STARTER).notices
    assert text in plan_install(repository, adopt=True, starter=STARTER).notices
