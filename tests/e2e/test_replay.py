"""Replays of transcripts that the real client has written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from interlock.config.bundles import core_policy
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Scene, play
from interlock.replay.shapes import line_of
from interlock.replay.sources import find_sessions, in_order
from interlock.replay.steps import PastCall
from tests.e2e import clients
from tests.e2e.model import Call, bash
from tests.e2e.session import Session
from tests.replay.transcripts import policy_of

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
RULES = (
    "{id: seen, event: PostToolUse, tool: Bash, when: 'response.stdout.contains(\"token\")', set: {seen: true}}",
    "{id: network, command: curl, when: state.seen, deny: A token was read.}",
    "{id: inside, path: {write: '${project}/sub/**'}, ask: 'In sub?'}",
    "{id: helper, agent: general-purpose, command: touch, ask: 'From a helper?'}",
    "{id: trunk, command: git commit, branch: trunk, ask: 'On trunk?'}",
    "{id: refund, tool: mcp__payments__process_refund, ask: 'Pay?'}",
)
TOP = "state: {seen: false}\n"


def scenes(session: Session) -> list[Scene]:
    faults = Faults()
    found = in_order(find_sessions([session.home / ".claude" / "projects"], faults))
    judge = PastJudge([policy_of(*RULES, top=TOP, file=str(session.project / "interlock.yaml")), core_policy()])
    played = list(play(found, [judge], faults))
    assert faults.all() == []
    return played


def summary(played: list[Scene]) -> list[tuple[str, str, str | None]]:
    return [
        (line_of(one.what), one.outcome, one.said[0].call.decision) for one in played if isinstance(one.what, PastCall)
    ]


@both
def test_calls_results_state_folder_branch_and_outcomes_are_read_as_the_client_wrote_them(session: Session):
    shutil.rmtree(session.project / ".git")
    git = session.project / ".git"
    git.mkdir()
    for name, text in {"HEAD": "ref: refs/heads/trunk\n", "config": "[core]\n"}.items():
        (git / name).write_text(text, encoding="utf-8")
    for name in ("objects", "refs/heads"):
        (git / name).mkdir(parents=True)
    session.run(
        [bash("mkdir -p sub && cd sub"), bash("touch f")],
        bash("echo a token"),
        bash("curl --version"),
        bash("exit 3"),
        bash("git commit --dry-run -m x || true"),
        Call("Bash", {"cmd": "x"}),
        Call("Write", {"file_path": str(session.project / "a.txt"), "content": "x"}),
        "Done.",
        person="no",
        tools=("Bash",),
    )  # fmt: skip
    # The older client does not write down that a program refused a call for a person; it looks like a failure.
    refused = "failed" if session.client == clients.older() else "refused"
    assert summary(scenes(session)) == [
        ("mkdir -p sub && cd sub", "ran", "ask"),
        ("touch f", "ran", "ask"),
        ("echo a token", "ran", None),
        ("curl --version", "ran", "deny"),
        ("exit 3", "failed", None),
        ("git commit --dry-run -m x || true", "ran", "ask"),
        (f"Write {session.project}/a.txt", refused, None),
    ]


@both
def test_subagents_mcp_tools_resumed_and_forked_sessions_are_read_and_counted_once(session: Session):
    ran = session.run(
        Call("Agent", {"description": "x", "prompt": "the helper's part", "subagent_type": "general-purpose"}),
        Call("mcp__payments__process_refund", {"customer_id": "bob", "amount": 5}),
        bash("echo a token"),
        "Done.",
        agents={"the helper's part": [bash("touch helped"), "Helped."]},
        mcp=True,
    )
    session.run(bash("curl -V"), "Done.", args=["--resume", ran.session_id])
    session.run(bash("curl --version"), "Done.", args=["--resume", ran.session_id, "--fork-session"])
    played = scenes(session)
    found = summary(played)
    assert sorted(found) == sorted([
        ("touch helped", "ran", "ask"),
        *[(line, outcome, decision) for line, outcome, decision in found if line.startswith("Agent ")],
        *[(line, outcome, "ask") for line, outcome, _ in found if line.startswith("mcp__payments")],
        ("echo a token", "ran", None),
        ("curl -V", "ran", "deny"),
        ("curl --version", "ran", "deny"),
    ])  # fmt: skip
    assert len(found) == 6
    kinds: dict[str, Any] = {line_of(one.what): one.what.around.agent_type for one in played}
    assert kinds["touch helped"] == "general-purpose"


def test_the_command_reports_what_the_client_did(session: Session, tmp_path: Path):
    session.run(bash("git stash drop || true"), "Done.")
    text = session.interlock("replay", "--pack", "guarded", "--json")
    data = json.loads(text)
    assert (data["calls"], data["stops"], data["rules"][0]["rule"]) == (1, 1, "git/hard-reset")
    assert data["faults"] == []
