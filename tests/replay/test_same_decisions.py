"""A replay says what a guard would have said, asked event by event."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json

from interlock.judging.guard import Guard
from interlock.replay.past import PastWorld
from interlock.service import answer
from interlock.store.memory import MemoryStore
from tests.builders import payload
from tests.replay.transcripts import PROJECT, Transcript, decisions, play_all, policy_of

RULES = (
    "{id: token, event: PostToolUse, tool: Bash, when: 'response.stdout.contains(\"token\")', set: {seen: true}}",
    "{id: failed, event: PostToolUseFailure, tool: Bash, set: {failures: '${state.failures + 1}'}}",
    "{id: network, command: curl, when: state.seen, deny: A token was read.}",
    "{id: tired, tool: Bash, when: state.failures >= 2, ask: 'Go on?'}",
    "{id: pushes, command: git push, context: pushed}",
    "{id: often, command: git push, when: 'count(\"pushes\", \"10m\") >= 2', ask: 'Again?'}",
    "{id: branch, command: git commit, branch: main, ask: 'On main?'}",
    "{id: quiet, command: make, change: {command: make -s}}",
    "{id: reset, event: UserPromptSubmit, prompt: /forget/, set: {seen: false, failures: 0}}",
    "{id: plan, mode: plan, command: rm, deny: Only plans now.}",
)
TOP = "state: {seen: false, failures: 0}\n"
COMMANDS = ("ls", "curl x.example", "git push", "git commit -m x", "make", "rm x", "cat token")
PAST = st.lists(
    st.tuples(
        st.sampled_from(COMMANDS),
        st.sampled_from(["ran", "failed", "refused", "open"]),
        st.sampled_from(["", "a token"]),
        st.sampled_from(["main", "feature"]),
        st.sampled_from([1, 400]),
    )
    | st.tuples(st.sampled_from(["forget it", "go on"]), st.sampled_from(["default", "plan"])),
    max_size=12,
)


def write(session: Transcript, step: tuple[Any, ...]) -> None:
    if len(step) == 2:
        session.prompt(*step)
        return
    command, outcome, stdout, session.branch, wait = step
    session.at += wait
    call = session.call("Bash", {"command": command})
    if outcome == "ran":
        session.result(call, stdout, {"stdout": stdout, "stderr": ""})
    elif outcome == "failed":
        session.result(call, "Exit code 1", "Error", error=True)
    elif outcome == "refused":
        session.result(call, "No.", "Error", error=True, toolDenialKind="permission-rule")


def ask_directly(past: list[tuple[Any, ...]], start: float) -> list[str | None]:
    """The decisions of a guard that is asked about one event after another, as a host would ask it."""
    world = PastWorld(PROJECT, "/home/dev")
    found: list[str | None] = []
    mode, at = None, start
    with Guard([policy_of(*RULES, top=TOP)], world, MemoryStore(), project=PROJECT, alone=True) as guard:

        def ask(name: str, **fields: Any) -> Any:
            event = {**payload(name, **fields), "permission_mode": mode}
            return answer(guard, "claude-code", json.encode(event)).verdict

        for number, step in enumerate(past):
            at += 1
            if len(step) == 2:
                mode = step[1]
                world.move(at, "")
                ask("UserPromptSubmit", prompt=step[0])
                continue
            command, outcome, stdout, branch, wait = step
            at += wait
            world.move(at, branch)
            about = {"tool_name": "Bash", "tool_use_id": f"t{number}"}
            verdict = ask("PreToolUse", tool_input={"command": command}, **about)
            found.append(verdict.decision)
            at += outcome != "open"
            if verdict.decision == "deny" or outcome in ("refused", "open"):
                continue
            world.move(at, branch)
            about["tool_input"] = verdict.input
            if outcome == "ran":
                ask("PostToolUse", tool_response={"stdout": stdout, "stderr": ""}, **about)
            else:
                ask("PostToolUseFailure", error="Exit code 1", **about)
    return found


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(PAST)
def test_a_replay_gives_the_decisions_of_a_guard_that_is_asked_event_by_event(past: list[tuple[Any, ...]]):
    with tempfile.TemporaryDirectory() as folder:
        session = Transcript(Path(folder) / "s.jsonl")
        start = session.at
        for step in past:
            write(session, step)
        found = play_all([session.file], [policy_of(*RULES, top=TOP)])
    found.sort(key=lambda scene: scene.what.around.at)  # a call without a result is given out late
    assert decisions(found) == ask_directly(past, start)
