"""What is recorded of an event: everything that was said, changed, failed or not honoured, with secrets taken out."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.store.base import StoreError
from interlock.store.memory import MemoryStore
from tests.policy.builders import Session

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SHELL = {"stdout": "done", "stderr": "", "interrupted": False, "isImage": False}


def last(session: Session) -> dict[str, Any]:
    found: dict[str, Any] = next(iter(session.store.records(newest=1))).record
    return found


def test_every_part_of_a_verdict_is_recorded():
    session = Session("""
        rules:
          - {id: dry, command: deploy, change: {command: deploy --dry-run}}
          - {id: bell, command: deploy, notify: Look here.}
          - {id: stop, command: deploy, deny: Not today.}
          - {id: marks, command: deploy}
    """)
    session.call("deploy")
    record = last(session)
    assert {name: record[name] for name in ("session", "event", "tool", "decision", "reason")} == {
        "session": "test",
        "event": "PreToolUse",
        "tool": "Bash",
        "decision": "deny",
        "reason": "Not today.",
    }
    assert record["rules"] == ["dry", "bell", "stop", "marks"]
    assert [opinion["by"] for opinion in record["opinions"]] == record["rules"]
    assert [(change["field"], change["after"]) for change in record["changes"]] == [("command", "deploy --dry-run")]
    assert record["notices"] == ["Look here."]
    assert (record["errors"], record["lowered"], record["withheld"]) == ([], [], None)


def test_what_failed_and_what_the_host_does_not_honour_is_recorded():
    session = Session("""
        rules:
          - {id: fails, event: PostToolUse, tool: Bash, when: int(output.stdout) > 1, context: never}
          - {id: later, command: deploy, defer: true}
    """)
    session.call("deploy")
    assert [effect for effect, _ in last(session)["lowered"]] == ["defer"]
    session.result("deploy", SHELL)
    record = last(session)
    assert record["withheld"] is not None
    assert len(record["errors"]) == 1


@pytest.mark.parametrize("count", ["count('push') > 0", "since('push') < duration('1h')"])
def test_what_rules_ask_about_is_read_where_a_policy_has_no_state(count: str):
    session = Session(f"""
        rules:
          - {{id: push, command: git push}}
          - {{id: often, tool: Bash, when: "{count}", deny: stop}}
    """)
    session.call("git push")
    assert session.call("ls").decision == "deny"


def test_a_secret_is_recorded_nowhere_and_the_rest_is():
    session = Session('rules: [{id: stop, command: curl, deny: "Not ${input.command}."}]')
    session.call(f"curl -H 'Authorization: Bearer {TOKEN}' https://a.org")
    stored = next(iter(session.store.records(newest=1)))
    assert TOKEN not in str(stored)
    assert "https://a.org" in str(stored)


def test_an_event_that_cannot_be_judged_is_recorded_with_why_and_without_secrets():
    session = Session("rules: []")
    session.raw(session.payload("PreToolUse", tool_name="Bash", tool_input=f"not a map {TOKEN}"))
    record = last(session)
    assert record["decision"] == "deny"
    assert "tool_input" in record["reason"]
    assert TOKEN not in str(next(iter(session.store.records(newest=1))))


@pytest.mark.parametrize("missing", ["no receipt", "failed", "of another tool"])
def test_a_result_that_closes_no_open_receipt_of_its_call_sets_nothing_and_says_so(missing: str):
    session = Session("""
        state: {tested: false}
        rules:
          - {id: tested, event: PostToolUse, tool: [Bash, mcp__ci__run], set: {tested: true}}
          - {id: need, command: deploy, when: "!state.tested", deny: Test first.}
    """)
    use = "other" if missing == "no receipt" else "test-1"
    session.call("npm test")
    if missing == "failed":
        session.event(
            "PostToolUseFailure", tool_name="Bash", tool_input={"command": "npm test"}, tool_use_id=use, error="no"
        )
    tool: Any = {"mcp__ci__run": {}} if missing == "of another tool" else "npm test"
    verdict = session.result(tool, SHELL, tool_use_id=use)
    assert any("sets no state: there is no open receipt" in notice for notice in verdict.notices)
    assert session.call("deploy").decision == "deny"


def test_a_result_sets_what_it_says_once():
    session = Session("""
        state: {runs: 0}
        rules:
          - {id: ran, event: PostToolUse, tool: Bash, set: {runs: "${state.runs + 1}"}}
          - {id: shows, command: show, deny: "${state.runs}"}
    """)
    session.call("npm test")
    session.result("npm test", SHELL)
    session.result("npm test", {**SHELL, "stdout": "again"})
    assert session.call("show").reason == "1"


class LosesBatches(MemoryStore):
    """A store that cannot keep the end of a batch, but a note about it."""

    def commit(self, entry: Any) -> Any:
        if entry.record["event"] == "PostToolBatch" and not entry.despite:
            raise StoreError("the disk is full")
        return super().commit(entry)


def test_a_turn_that_a_failure_ended_is_recorded_as_ended_and_said_in_the_end():
    session = Session("rules: []", store=LosesBatches(), whole=True)
    session.event("UserPromptSubmit", prompt="go")
    verdict = session.event("PostToolBatch", tool_calls=[])
    assert verdict.decision == "deny"
    assert "the disk is full" in last(session)["ended"]
    ending = session.event("SessionEnd", reason="other")
    assert "Interlock ended the last turn of this session" in (ending.reason or "")


def test_a_breach_is_recorded_as_one_and_as_the_opinion_that_ended_the_turn():
    session = Session("rules: []", whole=True)
    session.event("UserPromptSubmit", prompt="go")
    verdict = session.result("ls", SHELL, tool_use_id="unheard-of")
    assert (verdict.withheld, verdict.interrupt) == ("this session was stopped", True)
    record = last(session)
    assert record["breach"] == "Bash (unheard-of) ran without a receipt: Interlock was never asked about it."
    (opinion,) = record["opinions"]
    assert (opinion["by"], opinion["interrupt"]) == ("interlock", True)
    assert opinion["withhold"] == opinion["notice"] == record["notices"][-1] == record["ended"]
    assert record["breach"] in record["ended"]
