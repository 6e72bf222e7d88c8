"""Two events at once: what one read has moved on when it is to be kept, so it is judged again, and recorded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interlock.store.base import Conflict
from interlock.store.memory import MemoryStore
from tests.policy.builders import Session

LIMIT = """
state: {deploys: {default: 0, scope: project}}
rules:
  - {id: deployed, command: deploy, set: {deploys: "${state.deploys + 1}"}}
  - {id: enough, command: deploy, when: state.deploys >= 1, deny: "Deployed ${state.deploys} times."}
"""
COUNTED = """
rules:
  - {id: deployed, command: deploy}
  - {id: enough, command: deploy, when: 'count("deployed", "1h", "project") >= 1', deny: Deployed already.}
"""


class RacingStore(MemoryStore):
    """A store in which something else happens just before an entry is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.first: list[Callable[[], Any]] = []

    def commit(self, entry: Any) -> Any:
        if self.first:
            self.first.pop()()
        return super().commit(entry)


def recorded(store: MemoryStore) -> list[tuple[Any, Any]]:
    """The session and decision of every call that was recorded."""
    found = [record.record for record in store.records() if record.record["event"] == "PreToolUse"]
    return [(record["session"], record["decision"]) for record in found]


def deploy_beside_another(policy: str) -> tuple[Any, RacingStore]:
    store = RacingStore()
    session = Session(policy, store=store)
    other = Session(policy, store=store, id="other")
    store.first.append(lambda: other.call("deploy"))
    return session.call("deploy"), store


def test_a_limit_that_another_session_reached_meanwhile_holds():
    verdict, store = deploy_beside_another(LIMIT)
    assert verdict.reason == "Deployed 1 times."
    assert recorded(store) == [("other", None), ("test", "deny")]


def test_a_rule_that_fired_in_another_session_meanwhile_is_counted():
    verdict, store = deploy_beside_another(COUNTED)
    assert verdict.reason == "Deployed already."
    assert recorded(store) == [("other", None), ("test", "deny")]


def test_without_a_race_the_first_passes_and_the_second_does_not():
    store = RacingStore()
    assert Session(LIMIT, store=store).call("deploy").decision is None
    assert Session(LIMIT, store=store, id="other").call("deploy").decision == "deny"
    assert recorded(store) == [("test", None), ("other", "deny")]


def test_an_event_that_never_finds_its_moment_is_denied_and_recorded():
    class Restless(MemoryStore):
        def commit(self, entry: Any) -> Any:
            if not entry.despite:
                raise Conflict("it moved on")
            return super().commit(entry)

    store = Restless()
    verdict = Session(LIMIT, store=store).call("deploy")
    assert verdict.decision == "deny"
    assert "changed 200 times while it was judged" in (verdict.reason or "")
    assert [decision for _, decision in recorded(store)] == ["deny"]


def test_a_call_of_a_session_that_was_stopped_while_it_was_judged_is_denied():
    store = RacingStore()
    session = Session("rules: []", store=store, whole=True)
    session.event("UserPromptSubmit", prompt="go")
    ran = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "unheard-of"}
    shown = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
    store.first.append(lambda: session.event("PostToolUse", tool_response=shown, **ran))
    verdict = session.call("ls")
    assert verdict.decision == "deny"
    assert "Interlock stopped this session" in (verdict.reason or "")
    assert recorded(store) == [("test", "deny")]
