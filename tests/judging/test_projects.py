"""Guards of projects: what they take for granted unless somebody says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.hosts.base.decode import decode
from interlock.judging.guard import Guard
from interlock.judging.projects import Projects
from interlock.policy.situation import Panel
from interlock.store.memory import MemoryStore
from tests.layers import Machine, machine_for, take_files_for_settled
from tests.lint.project import Project

PLAIN = "{id: plain, command: deploy, unless: {command: deploy --dry-run}, deny: Only dry runs.}"
DRY = '{id: dry, command: deploy, change: {command: "${input.command} --dry-run"}}'
SHELL = {"stdout": "done", "stderr": "", "interrupted": False, "isImage": False}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_a_change_saves_no_denied_call_unless_no_other_hook_could_undo_it(project: Project):
    with machine_for(project) as machine:
        machine.put("user", DRY, PLAIN)
        verdict = machine.judge("deploy")
        assert verdict.decision == "deny"
        assert "Make this call instead" in (verdict.reason or "")
        assert machine.judge("deploy --dry-run").decision is None
    with machine_for(project, alone=True) as machine:
        assert machine.judge("deploy").decision is None


def ran_unasked(machine: Machine) -> str | None:
    """Why a session is stopped after a result of a call that was never asked about, if it is."""
    machine.event("UserPromptSubmit", prompt="go")
    fields = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "unheard-of"}
    return machine.event("PostToolUse", tool_response=SHELL, **fields).withheld


def test_a_call_that_was_never_asked_about_is_missed_only_where_every_event_comes_here(project: Project):
    with machine_for(project) as machine:
        assert ran_unasked(machine) is None
    with machine_for(project, whole=True) as machine:
        assert ran_unasked(machine) == "this session was stopped"
        assert machine.judge("ls").decision == "deny"


def test_a_session_keeps_the_policies_of_the_project_in_which_it_began(project: Project, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "interlock.yaml").write_text("version: 1\nrules: [{id: no-ls, command: ls, deny: Not here.}]\n")
    with machine_for(project) as machine:
        machine.put("project", "{id: no-rm, command: rm, deny: No rm.}")
        assert machine.judge("rm x").decision == "deny"
        moved = machine.event(
            "PreToolUse", cwd=str(other), tool_name="Bash", tool_input={"command": "rm x"}, tool_use_id="moved"
        )
        assert moved.reason == "No rm."
        assert machine.judge("ls").decision is None


def test_a_store_that_cannot_be_opened_denies_and_is_tried_again(project: Project):
    with machine_for(project) as machine:
        machine.fail_store(InterlockError("the disk is gone"))
        verdict = machine.judge("ls")
        assert (verdict.decision, "the disk is gone" in (verdict.reason or "")) == ("deny", True)
        machine.fail_store(None)
        assert machine.judge("ls").decision is None


def test_a_guard_is_closed_when_it_is_replaced_although_a_sitting_could_not_be_built(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    take_files_for_settled(monkeypatch)
    closed: list[Guard] = []
    monkeypatch.setattr(Guard, "close", lambda guard: closed.append(guard))
    raw = project.call("Bash", {"command": "ls"}, "c1")

    def broken() -> Iterator[Panel]:
        raise RuntimeError("no panel")
        yield

    guards = Projects(MemoryStore)
    with pytest.raises(RuntimeError, match="no panel"):
        guards.sitting(decode(raw), project.root, broken())  # type: ignore[arg-type]  # what breaks it
    guards.close()
    assert len(closed) == 1
