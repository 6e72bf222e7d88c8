"""What rules may ask of the machine: the branch as git's files say it, what exists, and a check's exit code."""

from __future__ import annotations

import os
import sys
from datetime import UTC
from pathlib import Path

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import PreToolUse
from interlock.policy.situation import Situation
from interlock.probe.world import Machine

PATH = os.environ.get("PATH", "/usr/bin:/bin")


def machine(folder: Path, **environ: str) -> Machine:
    return Machine(str(folder), {"PATH": PATH, **environ})


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def call(cwd: str) -> PreToolUse:
    return PreToolUse(session_id="s", transcript_path="", cwd=cwd, tool_name="Bash", tool_input={}, tool_use_id="c1")


# --- the branch --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["main", "feature/deep/name", "ünï"])
def test_the_branch_is_what_head_names(tmp_path: Path, name: str):
    put(tmp_path / ".git" / "HEAD", f"ref: refs/heads/{name}\n")
    assert machine(tmp_path).branch(str(tmp_path)) == name


def test_the_branch_is_found_from_a_folder_inside_the_repository(tmp_path: Path):
    put(tmp_path / ".git" / "HEAD", "ref: refs/heads/main\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert machine(tmp_path).branch(str(tmp_path / "a" / "b")) == "main"


@pytest.mark.parametrize("absolute", [True, False], ids=["absolute", "relative"])
def test_a_worktree_has_the_branch_of_the_folder_its_file_names(tmp_path: Path, absolute: bool):
    git = tmp_path / "main" / ".git"
    put(git / "HEAD", "ref: refs/heads/main\n")
    put(git / "worktrees" / "w" / "HEAD", "ref: refs/heads/side\n")
    named = str(git / "worktrees" / "w") if absolute else "../main/.git/worktrees/w"
    put(tmp_path / "w" / ".git", f"gitdir: {named}\n")
    assert machine(tmp_path).branch(str(tmp_path / "w")) == "side"


@pytest.mark.parametrize(
    "head",
    ["4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", "ref: refs/tags/v1\n", "", "\n"],
    ids=["detached", "tag", "empty", "blank"],
)
def test_a_head_that_names_no_branch_has_none(tmp_path: Path, head: str):
    put(tmp_path / ".git" / "HEAD", head)
    assert machine(tmp_path).branch(str(tmp_path)) == ""


def test_without_a_repository_there_is_no_branch(tmp_path: Path):
    assert machine(tmp_path).branch(str(tmp_path)) == ""


def test_a_repository_that_cannot_be_read_has_no_branch(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    assert machine(tmp_path).branch(str(tmp_path)) == ""
    (tmp_path / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    assert machine(tmp_path).branch(str(tmp_path)) == ""


@pytest.mark.parametrize("text", ["", "nonsense\n", "gitdir:\n", "gitdir: /gone\n"])
def test_a_worktree_file_that_leads_nowhere_has_no_branch(tmp_path: Path, text: str):
    put(tmp_path / ".git", text)
    assert machine(tmp_path).branch(str(tmp_path)) == ""


# --- places ------------------------------------------------------------------------------------------------


def test_the_places_are_where_the_call_stands_the_project_and_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/dev")
    places = machine(tmp_path).places(call("/elsewhere"))
    assert (places.cwd, places.project, places.home) == ("/elsewhere", str(tmp_path), "/home/dev")
    assert machine(tmp_path).places(call("")).cwd == str(tmp_path)


def test_a_link_that_leads_nowhere_exists(tmp_path: Path):
    """It can be written through."""
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    there = machine(tmp_path).exists
    assert (there(str(tmp_path / "link")), there(str(tmp_path / "gone"))) == (True, False)


def test_now_is_a_time_with_a_zone(tmp_path: Path):
    assert machine(tmp_path).now().tzinfo is UTC


def test_a_user_nobody_can_name_is_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def unknown() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", unknown)
    assert machine(tmp_path).user() == ""


def standing(raw: bytes = b"") -> Situation:
    return Situation(event=call("/"), raw=raw)


# --- checks ------------------------------------------------------------------------------------------------


def test_a_check_leaves_its_exit_code_and_all_it_printed(tmp_path: Path):
    ran = machine(tmp_path).run("echo one; echo two >&2; exit 3", 20, standing())
    assert (ran.code, ran.stdout, ran.stderr, ran.out) == (3, "one\n", "two\n", "one\ntwo")


def test_a_check_given_as_a_list_meets_no_shell(tmp_path: Path):
    words = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b; exit 1", "$HOME"]
    assert machine(tmp_path).run(words, 20, standing()).out == "['a b; exit 1', '$HOME']"


def test_a_check_reads_the_event_and_stands_in_the_project_wherever_the_agent_is(tmp_path: Path):
    inner = tmp_path / "inner"
    inner.mkdir()
    assert machine(tmp_path).run("cat; pwd", 20, standing(b"event ")).out == f"event {tmp_path}"


def test_a_check_in_a_folder_that_is_gone_stands_in_the_project(tmp_path: Path):
    assert machine(tmp_path).run("pwd", 20, standing()).out == str(tmp_path)


def test_a_check_gets_the_project_and_no_credentials(tmp_path: Path):
    environ = {"AWS_SECRET_ACCESS_KEY": "x", "ANTHROPIC_API_KEY": "x", "EDITOR": "ed", "CLAUDE_PROJECT_DIR": "/wrong"}
    source = "import json, os; print(json.dumps(dict(os.environ)))"
    ran = machine(tmp_path, **environ).run([sys.executable, "-c", source], 20, standing())
    found = json.decode(ran.out)
    assert "AWS_SECRET_ACCESS_KEY" not in found
    assert "ANTHROPIC_API_KEY" not in found
    assert (found["EDITOR"], found["CLAUDE_PROJECT_DIR"]) == ("ed", str(tmp_path))


def test_a_check_that_is_late_is_ended_and_named(tmp_path: Path):
    with pytest.raises(InterlockError, match=r"^`cat /dev/zero > /dev/null` did not end within 0\.3 s$"):
        machine(tmp_path).run("cat /dev/zero > /dev/null", 0.3, standing())


def test_a_check_that_cannot_be_started_is_an_error(tmp_path: Path):
    with pytest.raises(InterlockError, match="no-such-program"):
        machine(tmp_path).run(["no-such-program"], 20, standing())


def test_what_a_check_prints_need_not_be_text(tmp_path: Path):
    assert machine(tmp_path).run(r"printf '\377'", 20, standing()).out == "�"
