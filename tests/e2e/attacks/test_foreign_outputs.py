"""What a person's own hooks tell the client reaches it through Interlock as it did without.

Each run is made twice in the same project: with the hooks in the settings, and after `interlock init --adopt`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import asking
from tests.e2e.model import Call, Turn, bash
from tests.e2e.session import Ran, Session

ASKING = Path(asking.__file__)
STOP = {"continue": False, "stopReason": "Enough for today."}
BLOCK = {"decision": "block", "reason": "Go on."}
AGENT = Call("Agent", {"description": "look", "prompt": "Find it.", "subagent_type": "general-purpose"})
WIDER = [
    {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "touch *"}], "behavior": "allow",
     "destination": "session"},
]  # fmt: skip


def specific(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def program(session: Session, name: str, answer: dict[str, Any]) -> Path:
    """A hook that notes the event in `<name>.seen` and gives this answer."""
    session.write(f"hooks/{name}.json", json.dumps(answer))
    folder = session.project / "hooks"
    script = f"#!/bin/sh\ncat >> {folder}/{name}.seen\ncat {folder}/{name}.json\n"
    file = session.write(f"hooks/{name}.sh", script)
    file.chmod(0o755)
    return file


def with_hooks(session: Session, *answers: tuple[str, dict[str, Any]]) -> None:
    """Hooks of the person's own in the settings, each an event and what it answers."""
    groups: dict[str, list[Any]] = {}
    for number, (event, answer) in enumerate(answers):
        command = str(program(session, f"h{number}", answer))
        groups.setdefault(event, []).append({"hooks": [{"type": "command", "command": command, "timeout": 20}]})
    session.write(".claude/settings.local.json", json.dumps({"hooks": groups}))


def seen(session: Session, number: int = 0) -> list[dict[str, Any]]:
    """The events that a hook was asked about, which are then forgotten."""
    file = session.project / "hooks" / f"h{number}.seen"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return [json.loads(line) for line in lines]


def adopt(session: Session) -> None:
    session.install("--adopt")
    session.interlock("trust", "--yes")
    assert "h0.sh" in session.read("interlock.yaml"), "the hook was adopted"


def twice(session: Session, *turns: Turn, **options: Any) -> tuple[Ran, Ran]:
    """One run with the hooks as they are, and one after they were adopted."""
    before = session.run(*turns, **options)
    assert seen(session), "the hook is asked without Interlock"
    adopt(session)
    after = session.run(*turns, **options)
    assert seen(session), "the hook is asked by Interlock"
    return before, after


def outcome(ran: Ran) -> tuple[Any, ...]:
    return len(ran.requests), ran.exit_code, ran.final["result"], ran.final.get("terminal_reason")


# --- ending the turn ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hooks", "requests"),
    [
        ([("Stop", STOP)], 1),
        ([("Stop", STOP), ("Stop", BLOCK)], 1),
        ([("Stop", BLOCK), ("Stop", STOP)], 1),
        ([("Stop", {**STOP, **BLOCK})], 1),
        ([("Stop", BLOCK)], 9),
    ],
    ids=["stop", "stop and block", "block and stop", "both at once", "block"],
)
def test_a_stop_hook_ends_the_turn_as_it_does_without_interlock(
    session: Session, hooks: list[tuple[str, dict[str, Any]]], requests: int
):
    with_hooks(session, *hooks)
    before, after = twice(session, "Done.")
    assert outcome(after) == outcome(before)
    assert len(after.of()) == requests
    assert ("Enough for today." in after.stdout) == (requests == 1)


@pytest.mark.parametrize(("answer", "requests"), [(STOP, 1), ({**STOP, **BLOCK}, 1), (BLOCK, 9)])
def test_a_subagent_ends_as_it_does_without_interlock(session: Session, answer: dict[str, Any], requests: int):
    with_hooks(session, ("SubagentStop", answer))
    before, after = twice(session, AGENT, "Done.", agents={"Find it.": ["Found."]})
    assert outcome(after) == outcome(before)
    assert len(after.of("Find it.")) == len(before.of("Find it.")) == requests


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolBatch", "UserPromptSubmit"])
def test_other_hooks_end_the_turn_where_they_did(session: Session, event: str):
    with_hooks(session, (event, STOP))
    before, after = twice(session, bash("touch made"), "Done.")
    assert len(after.requests) == len(before.requests) == (0 if event == "UserPromptSubmit" else 1)
    assert session.has("made") == (event != "UserPromptSubmit")


def test_a_refused_task_stays_open(session: Session):
    """A deny of TaskCompleted is said in JSON too, in the one form that the client takes for one."""
    session.guard("{id: untested, event: TaskCompleted, deny: Test it first.}")
    create = Call("TaskCreate", {"subject": "Ship", "description": "it", "activeForm": "Shipping"})
    done = Call("TaskUpdate", {"taskId": "1", "status": "completed"})
    ran = session.run(create, done, Call("TaskList", {}), "Done.", tools=("TaskCreate", "TaskUpdate", "TaskList"))
    _, refused, listed = ran.results()
    assert "Test it first." in refused.text
    assert listed.text == "#1 [pending] Ship"


# --- a rule of a policy ------------------------------------------------------------------------------------


def test_a_rule_ends_the_turn_after_a_call(session: Session):
    session.guard("{id: enough, event: PostToolUse, command: touch, interrupt: 'Look at `${input.command}` first.'}")
    ran = session.run(bash("echo near; true"), bash("touch made"), "Done.")
    assert session.has("made")
    assert (len(ran.of()), ran.final["terminal_reason"]) == (2, "hook_stopped")
    assert "Look at `touch made` first." in ran.stdout
    assert not ran.reached_the_model("Look at")


# --- fields that are carried -------------------------------------------------------------------------------


def test_permissions_are_widened_by_a_hook_that_allows(session: Session):
    with_hooks(session, ("PermissionRequest", specific("PermissionRequest", decision={"behavior": "allow"})))
    allows = json.loads(session.read("hooks/h0.json"))
    session.run(bash("touch one"), bash("touch two"), "Done.", tools=())
    assert len(seen(session)) == 2, "an allow alone is asked for each call"
    allows["hookSpecificOutput"]["decision"]["updatedPermissions"] = WIDER
    session.write("hooks/h0.json", json.dumps(allows))
    session.run(bash("touch three"), bash("touch four"), "Done.", tools=())
    assert len(seen(session)) == 1
    adopt(session)
    session.run(bash("touch five"), bash("touch six"), "Done.", tools=())
    assert len(seen(session)) == 1
    assert all(session.has(name) for name in ("one", "two", "three", "four", "five", "six"))


def test_permissions_stay_as_they_are_where_a_rule_denies(session: Session):
    """The hook would have every later call run without a question; the rule that denies this one keeps that from it."""
    decision = {"behavior": "allow", "updatedPermissions": WIDER}
    hook = program(session, "h0", specific("PermissionRequest", decision=decision))
    top = f"hooks: [{{run: {hook}, event: PermissionRequest}}]\n"
    session.guard("{id: not-one, event: PermissionRequest, command: touch one, deny: Not that.}", top=top)
    session.run(bash("touch one"), bash("touch two"), bash("touch three"), "Done.", tools=())
    # The second is allowed, and only with it are permissions widened.
    assert [event["tool_input"]["command"] for event in seen(session)] == ["touch one", "touch two"]
    assert [session.has(name) for name in ("one", "two", "three")] == [False, True, True]
    denied, allowed = session.records("PermissionRequest")
    assert [loss[0] for loss in denied.record["lowered"]] == [f"updatedPermissions of {hook}"]
    assert allowed.record["lowered"] == []


def test_the_first_message_and_the_title_of_a_session_are_passed_on(session: Session):
    start = specific("SessionStart", initialUserMessage="Read the plan first.", sessionTitle="Plan day")
    with_hooks(session, ("SessionStart", start))
    before, after = twice(session, "Done.", "Again.")
    assert len(after.of()) == len(before.of()) == 2
    for ran in (before, after):
        assert ran.of()[0].texts()[-1] == "Read the plan first."
        assert "Plan day" in ran.stdout


def test_a_blocked_prompt_is_shown_or_not_as_the_hook_wants_it(session: Session):
    block = {"decision": "block", "reason": "No."}
    with_hooks(session, ("UserPromptSubmit", {**block, **specific("UserPromptSubmit", suppressOriginalPrompt=True)}))
    before, after = twice(session, "Done.", prompt="a private word")
    assert after.final["result"] == before.final["result"]
    assert "a private word" not in after.final["result"]


def test_the_model_that_sums_up_is_told_what_a_hook_prints_and_nothing_else(session: Session):
    with_hooks(session, ("PreCompact", {}))
    session.write("hooks/h0.json", "Keep the plan.")
    adopt(session)
    session.run(bash("touch made"), "Done.")
    told = session.run("A summary.", prompt="/compact", args=("--continue",)).requests[0].texts()[-1]
    assert "Additional Instructions:\nKeep the plan.\n\n" in told
    session.write("hooks/h0.json", "")
    session.run(bash("touch again"), "Done.")
    told = session.run("A summary.", prompt="/compact", args=("--continue",)).requests[0].texts()[-1]
    assert "Additional Instructions:" not in told


@pytest.mark.parametrize(
    "answer",
    [{"action": "accept", "content": {"seat": "12A"}}, {"action": "cancel"}, {"action": "decline"}],
    ids=["accept", "cancel", "decline"],
)
def test_a_servers_question_is_answered_as_the_hook_answers_it(session: Session, answer: dict[str, Any]):
    with_hooks(session, ("Elicitation", specific("Elicitation", **answer)))
    server = {"command": sys.executable, "args": [str(ASKING)], "alwaysLoad": True}
    config = ("--mcp-config", json.dumps({"mcpServers": {"asking": server}}))
    ask = Call("mcp__asking__book", {})
    for ran in twice(session, ask, "Done.", tools=("mcp__asking",), args=config):
        (result,) = ran.results()
        assert json.loads(result.text) == answer


def test_what_is_watched_is_watched(session: Session):
    watched = session.project / "watched.txt"
    start = specific("SessionStart", watchPaths=[str(watched)])
    with_hooks(session, ("SessionStart", start), ("FileChanged", {}))  # the latter stays in the settings
    # The client reports a file once it has been left alone for a while.
    change = bash(f"for i in $(seq 20); do echo $i > {watched}; sleep 1; test -e hooks/h1.seen && break; done")
    session.run(change, "Done.")
    assert {event["file_path"] for event in seen(session, 1)} == {str(watched)}
    adopt(session)
    session.run(change, "Done.")
    assert {event["file_path"] for event in seen(session, 1)} == {str(watched)}
