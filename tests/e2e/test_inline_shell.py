"""Shell that comes without a call of Bash: inside skills and slash commands, and under other tools."""

from __future__ import annotations

import subprocess

import pytest

from tests.e2e.model import Call, Turn, bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
TEXT = "---\ndescription: {name}.\nallowed-tools: Bash\n---\nToday: !`{command}`\n"


@both
def test_the_inline_shell_of_a_skill_is_judged(session: Session):
    session.write(".claude/skills/report/SKILL.md", TEXT.format(name="report", command="touch denied"))
    session.write(".claude/skills/count/SKILL.md", TEXT.format(name="count", command="mkdir made"))
    session.guard(NO_TOUCH)
    ran = session.run(Call("Skill", {"skill": "report"}), Call("Skill", {"skill": "count"}), "Done.")
    denied, made = ran.results()
    assert "Use mkdir instead." in denied.text
    assert (denied.error, made.error) == (True, False)
    assert (session.has("denied"), session.has("made")) == (False, True)


@both
def test_the_inline_shell_of_a_slash_command_is_judged(session: Session):
    session.write(".claude/commands/report.md", TEXT.format(name="report", command="touch denied"))
    session.write(".claude/commands/count.md", TEXT.format(name="count", command="mkdir made"))
    session.guard(NO_TOUCH)
    denied = session.run("Done.", prompt="/report")
    assert denied.requests == []
    assert "Use mkdir instead." in denied.stdout
    session.run("Done.", prompt="/count")
    assert (session.has("denied"), session.has("made")) == (False, True)


def test_the_command_of_a_monitor_is_judged(session: Session):
    session.environ["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] = ""  # without them there are no monitors
    session.guard(NO_TOUCH)
    found = Call("ToolSearch", {"query": "select:Monitor", "max_results": 1})
    watch = Call("Monitor", {"command": "touch denied", "description": "a watch", "timeout_ms": 2000})
    ran = session.run(found, watch, "Done.", tools=("Bash", "Monitor"))
    assert "Use mkdir instead." in ran.results()[1].text
    assert not session.has("denied")


def test_a_subagent_in_a_worktree_is_judged_by_the_policy_of_the_project(session: Session):
    (session.project / ".git").rmdir()
    session.guard(NO_TOUCH)
    commit = "git init -q && git add interlock.yaml && git -c user.name=a -c user.email=a@b commit -qm Start"
    subprocess.run(commit, shell=True, cwd=session.project, env=session.env(), check=True)
    scout = {"description": "a scout", "prompt": "Scout.", "subagent_type": "general-purpose", "isolation": "worktree"}
    turns: list[Turn] = [bash("rm -f interlock.yaml"), bash("touch denied"), bash("mkdir made"), "Nothing there."]
    ran = session.run(Call("Agent", scout), "Done.", agents={"Scout.": turns})
    places = {one["cwd"] for one in session.payloads("PreToolUse", "Bash")}
    assert all("/.claude/worktrees/" in place for place in places)
    denied, made = ran.results("Scout.")[1:]
    assert "Use mkdir instead." in denied.text
    assert not made.error


def test_a_subagent_in_a_worktree_may_write_there(session: Session):
    (session.project / ".git").rmdir()
    session.guard(NO_TOUCH)
    commit = "git init -q && git add interlock.yaml && git -c user.name=a -c user.email=a@b commit -qm Start"
    subprocess.run(commit, shell=True, cwd=session.project, env=session.env(), check=True)
    scout = {"description": "a scout", "prompt": "Scout.", "subagent_type": "general-purpose", "isolation": "worktree"}

    def here() -> Call:
        (place,) = session.project.glob(".claude/worktrees/*")
        return Call("Write", {"file_path": str(place / "found.txt"), "content": "gold"})

    ran = session.run(Call("Agent", scout), "Done.", agents={"Scout.": [bash("mkdir made"), here, "Gold."]})
    assert [result.error for result in ran.results("Scout.")] == [False, False]
