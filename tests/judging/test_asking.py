"""A question of the policies waits in the inbox: what a yes, a no, an edit and a grant let run, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from interlock.hosts import Reply
from interlock.judging.asking import Asks
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.probe.world import Machine
from interlock.service import respond
from interlock.store.asking import ApprovalRequest, Grant, RequestAnswer
from interlock.store.base import Scope
from interlock.store.memory import MemoryStore

POLICY = """
version: 1
rules:
  - {id: no-force, command: git push -f, deny: Never force.}
  - {id: pushes, command: git push, ask: "Push ${match.command.text}?"}
  - {id: scripts, command: [bash, npm], ask: Run it?}
  - {id: often, command: git push, when: 'count("pushes", "1h") >= 2', deny: Two pushes an hour are enough.}
"""
INBOX = Asks(way="inbox", seconds=480.0)


class Desk:
    """A guard whose questions go to the inbox, and the person who answers them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = MemoryStore()
        self._machine = Machine(str(folder))
        self._machine.now = lambda: datetime.fromtimestamp(self.at, UTC)  # type: ignore[method-assign]
        self.at = 1_000_000.0
        policy = load_policy(POLICY, str(folder / "interlock.yaml"))
        self.guard = Guard([policy], self._machine, self.store, project=str(folder), alone=True)
        self.calls = 0

    def raw(self, command: str, **more: Any) -> bytes:
        self.calls += 1
        event = {
            "hook_event_name": "PreToolUse",
            "session_id": "s-1",
            "transcript_path": "/t",
            "cwd": str(self.folder),
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": f"c-{self.calls}",
        }
        return json.encode(event | more)

    def judge(self, raw: bytes, answer: ApprovalRequest | None = None) -> Reply:
        asks = replace(INBOX, answer=answer)
        return respond("claude-code", raw, lambda event: self.guard.sitting(event, asks=asks))

    def ask(self, command: str, **more: Any) -> tuple[bytes, ApprovalRequest]:
        """A call that is asked about, and the request."""
        raw = self.raw(command, **more)
        reply = self.judge(raw)
        assert reply.request is not None
        found = self.store.request(reply.request)
        assert found is not None
        return raw, found

    def say(
        self, request: ApprovalRequest, yes: bool = True, grant: Grant | None = None, **more: Any
    ) -> ApprovalRequest:
        answer = RequestAnswer(yes=yes, by="ann", at=self.at, **more)
        return self.store.answer_request(request.id, answer, grant)

    def settle(self, command: str, yes: bool = True, **more: Any) -> Reply:
        """Ask, answer, and judge again."""
        raw, request = self.ask(command)
        return self.judge(raw, self.say(request, yes, **more))

    def receipt(self, call: str) -> tuple[str, str | None]:
        found = self.store.receipt("s-1", call)
        assert found is not None
        return found.status, found.decision


@pytest.fixture
def desk(tmp_path) -> Desk:
    return Desk(tmp_path)


def decision(reply: Reply) -> str | None:
    found: str | None = json.decode(reply.stdout).get("hookSpecificOutput", {}).get("permissionDecision")
    return found


def test_while_nobody_has_answered_the_host_is_told_no_and_so_is_the_receipt(desk):
    raw, request = desk.ask("git push")
    assert decision(desk.judge(raw)) == "deny"
    assert (request.status, request.tool, request.until - request.at, request.shape) == (
        "waiting",
        "Bash",
        480.0,
        "git push",
    )
    shown = json.decode(request.body)
    assert shown["input"] == {"command": "git push"}
    assert [reason["text"] for reason in shown["reasons"]] == ["Push git push?"]
    assert (shown["touches"]["commands"], shown["cwd"]) == (["git push"], str(desk.folder))
    assert desk.receipt("c-1") == ("denied", "ask")
    (record,) = desk.store.records()
    assert (record.decision, record.record["request"], record.record["answer"]) == ("ask", request.id, None)


def test_the_same_event_delivered_twice_asks_once(desk):
    raw, request = desk.ask("git push")
    assert desk.judge(raw).request == request.id
    assert len(desk.store.requests()) == 1


def test_a_yes_lets_the_call_run(desk):
    reply = desk.settle("git push")
    assert (decision(reply), reply.verdict.reason) == ("allow", "ann approved this call")
    assert desk.receipt("c-1") == ("open", "allow")


def test_a_yes_is_for_its_call_and_no_other(desk):
    raw, request = desk.ask("git push")
    answer = desk.say(request)
    assert decision(desk.judge(raw, answer)) == "allow"
    assert desk.judge(desk.raw("git push origin main")).request is not None


def test_a_no_reaches_the_model_with_its_note(desk):
    reply = desk.settle("git push", yes=False, note="wait for the review")
    assert (decision(reply), reply.verdict.reason) == ("deny", "ann did not approve this call: wait for the review")
    assert desk.receipt("c-1") == ("denied", "deny")


def test_a_call_that_is_asked_about_counts_by_its_answer(desk):
    for _ in range(2):
        desk.settle("git push", yes=False)
    assert decision(desk.settle("git push")) == "allow"
    assert decision(desk.settle("git push")) == "allow"
    assert desk.judge(desk.raw("git push")).verdict.reason == "Two pushes an hour are enough."


def test_the_answer_is_judged_with_the_state_of_its_moment(desk):
    raw, request = desk.ask("git push")
    desk.settle("git push")
    desk.settle("git push")
    assert desk.judge(raw, desk.say(request)).verdict.reason == "Two pushes an hour are enough."


def test_an_edit_is_what_runs(desk):
    reply = desk.settle("git push", edit=b'{"command": "git push origin me/fix", "description": "a branch"}')
    said = json.decode(reply.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "allow"
    assert said["updatedInput"] == {"command": "git push origin me/fix", "description": "a branch"}
    assert "changed `command`" in said["additionalContext"]


def test_an_edit_into_something_denied_stays_denied(desk):
    reply = desk.settle("git push", edit=b'{"command": "git push -f"}')
    assert (decision(reply), reply.verdict.reason) == ("deny", "Never force.")


def test_without_an_answer_in_time_the_call_is_denied_and_the_request_stays_open(desk):
    raw, request = desk.ask("git push")
    reply = desk.judge(raw, desk.store.request(request.id))
    assert decision(reply) == "deny"
    assert f"The request stays open ({request.id})" in (reply.verdict.reason or "")
    assert [one.status for one in desk.store.requests()] == ["open"]


def give_up(desk: Desk, command: str) -> ApprovalRequest:
    raw, request = desk.ask(command)
    desk.judge(raw, desk.store.request(request.id))
    return request


def test_a_late_yes_lets_the_next_try_run_once(desk):
    request = give_up(desk, "git push")
    desk.say(request)
    reply = desk.judge(desk.raw("git push"))
    assert (decision(reply), reply.request) == ("allow", None)
    assert desk.judge(desk.raw("git push")).request is not None


def test_a_late_yes_holds_for_an_hour(desk):
    desk.say(give_up(desk, "git push"))
    desk.at += 3600
    assert desk.judge(desk.raw("git push")).request is not None


def late_calls(desk: Desk) -> dict[str, bytes]:
    return {
        "other words": desk.raw("git push origin main"),
        "another session": desk.raw("git push", session_id="s-2"),
        "another agent": desk.raw("git push", agent_id="a-1", agent_type="reviewer"),
        "another folder": desk.raw("git push", cwd="/"),
        "another field": desk.raw("", tool_input={"command": "git push", "run_in_background": True}),
    }


@pytest.mark.parametrize(
    "difference", ["other words", "another session", "another agent", "another folder", "another field"]
)
def test_a_late_yes_is_for_the_same_call_only(desk, difference):
    desk.say(give_up(desk, "git push"))
    assert desk.judge(late_calls(desk)[difference]).request is not None


def test_a_description_is_no_part_of_the_call(desk):
    desk.say(give_up(desk, "git push"))
    given = {"command": "git push", "description": "Push the branch"}
    assert decision(desk.judge(desk.raw("", tool_input=given))) == "allow"


def test_a_late_yes_does_not_count_for_a_script_that_has_changed_since(desk):
    script = desk.folder / "deploy.sh"
    script.write_text("echo one\n", encoding="utf-8")
    desk.say(give_up(desk, "bash deploy.sh"))
    script.write_text("echo two\n", encoding="utf-8")
    assert desk.judge(desk.raw("bash deploy.sh")).request is not None
    script.write_text("echo one\n", encoding="utf-8")
    assert decision(desk.judge(desk.raw("bash deploy.sh"))) == "allow"


def test_a_late_yes_does_not_count_for_a_script_that_cannot_be_read(desk):
    desk.say(give_up(desk, "bash missing.sh"))
    assert desk.judge(desk.raw("bash missing.sh")).request is not None


def grant(desk: Desk, **parts: Any) -> Grant:
    whole = {
        "id": "g-1",
        "at": desk.at,
        "by": "ann",
        "scope": Scope("session", "s-1"),
        "text": "`npm install` of anything",
    }
    return Grant(**{**whole, "match": b'{"command": "npm install"}', **parts})


COVERED = ["npm install", "npm install left-pad", "npm install && npm install x"]
NOT_COVERED = ["npm publish", "npm install && npm publish", "npm install $(cat x)", "bash -c 'npm install'"]


def give(desk: Desk, **parts: Any) -> None:
    raw, request = desk.ask("npm install")
    desk.judge(raw, desk.say(request, grant=grant(desk, **parts)))


@pytest.mark.parametrize("command", COVERED)
def test_a_grant_covers_whole_calls_of_its_shape(desk, command):
    give(desk)
    reply = desk.judge(desk.raw(command))
    assert (decision(reply), reply.verdict.reason) == ("allow", "ann allowed `npm install` of anything")


@pytest.mark.parametrize("command", NOT_COVERED)
def test_a_grant_covers_nothing_beside_its_shape(desk, command):
    give(desk)
    assert desk.judge(desk.raw(command)).request is not None


BOUNDS: dict[str, tuple[dict[str, Any], Callable[[Desk], Any]]] = {
    "its number": ({"left": 1}, lambda desk: desk.judge(desk.raw("npm install"))),
    "its time": ({"until": 1_000_060.0}, lambda desk: setattr(desk, "at", 1_000_060.0)),
    "being taken back": ({}, lambda desk: desk.store.revoke("g-1", by="ann", at=desk.at)),
}


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_grant_ends_with(desk, bound):
    parts, pass_it = BOUNDS[bound]
    give(desk, **parts)
    assert desk.judge(desk.raw("npm ci && true")).request is not None
    pass_it(desk)
    assert desk.judge(desk.raw("npm install")).request is not None


def test_a_grant_never_beats_a_deny(desk):
    give(desk, match=b'{"command": "git push"}')
    assert desk.judge(desk.raw("git push -f")).verdict.reason == "Never force."


def test_a_secret_is_not_shown_to_whoever_reads_the_inbox(desk):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    _, request = desk.ask(f"npm publish --token {token}")
    assert token.encode() not in request.body
