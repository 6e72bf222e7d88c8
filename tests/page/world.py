"""A record made by a real guard, to be shown on the page."""

from __future__ import annotations

import itertools
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import json

from interlock.judging.asking import Asks
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.service import Reply, respond
from interlock.store.asking import ApprovalRequest
from interlock.store.sqlite import SqliteStore
from interlock.testing.pretend import Pretend

POLICY = b"""
version: 1
rules:
  - {id: deploy, command: make deploy, ask: Deploy this?, approve: inbox}
  - {id: publish, command: npm publish, ask: Publishing cannot be taken back., approve: inbox}
  - {id: refund, tool: process_refund, ask: A refund needs a person., approve: inbox}
  - {id: force, command: git push --force, deny: Force pushes rewrite published history. Push a new branch instead.}
  - {id: quiet, command: npm test, change: {command: npm test --silent}}
  - {id: reads, tool: Read, allow: true}
"""


class RealTime(Pretend):
    """Pretends everything but the time, which may be ahead by some seconds."""

    ahead = 0.0

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.ahead)


class PageWorld:
    """A store with sessions in it, and a guard that asks in the inbox."""

    def __init__(self, folder: Path, policy: bytes = POLICY, project: str = "/home/dev/shop") -> None:
        self.folder = folder
        self.store = SqliteStore(folder / "store" / "interlock.db")
        self.project = project
        self.machine = RealTime()
        self.guard = Guard([load_policy(policy, "interlock.yaml")], self.machine, store=self.store, project=project)
        self._raw: dict[str, bytes] = {}
        self._numbers = itertools.count(1)

    def event(self, name: str, session: str = "s-1", seconds: float = 480.0, **fields: Any) -> Reply:
        """Raise an event, as a host would."""
        base = {"session_id": session, "transcript_path": "", "cwd": self.project, "permission_mode": "default"}
        raw = json.encode({**base, "hook_event_name": name, **fields})
        asks = Asks(seconds=seconds)
        reply = respond("claude-code", raw, lambda event: self.guard.sitting(event, asks=asks))
        if reply.request is not None:
            self._raw[reply.request] = raw
        return reply

    def settle(self, id: str) -> Reply:
        """Judge a call again, as its host's guard does once a person has answered or the time is up."""
        asks = Asks(seconds=480.0, answer=self.store.request(id))
        return respond("claude-code", self._raw[id], lambda event: self.guard.sitting(event, asks=asks))

    def expire(self, command: str, session: str = "s-1") -> ApprovalRequest:
        """A shell call that nobody answered in time."""
        self.settle(self.ask(command, session, 0.001).id)
        (found,) = [one for one in self.store.requests(["open"]) if command.encode() in one.body]
        return found

    def call(self, tool: str, session: str = "s-1", seconds: float = 480.0, **given: Any) -> Reply:
        """A call that is about to run."""
        id = f"toolu_{next(self._numbers):04}"
        return self.event("PreToolUse", session, seconds, tool_name=tool, tool_input=given, tool_use_id=id)

    def ran(self, tool: str, response: Any, session: str = "s-1", **given: Any) -> None:
        """A call that nobody objects to, with its result."""
        id = f"toolu_{next(self._numbers):04}"
        call: dict[str, Any] = {"tool_name": tool, "tool_input": given, "tool_use_id": id}
        self.event("PreToolUse", session, **call)
        self.event("PostToolUse", session, **call, tool_response=response)

    def ask(self, command: str, session: str = "s-1", seconds: float = 480.0) -> ApprovalRequest:
        """A shell call that waits for a person, as it is in the inbox."""
        reply = self.call("Bash", session, seconds, command=command)
        assert reply.request is not None, "no rule of this policy asks about it in the inbox"
        found = self.store.request(reply.request)
        assert found is not None
        return found

    def close(self) -> None:
        self.guard.close()
        self.store.close()


def ordinary_session(world: PageWorld, session: str = "s-1") -> None:
    """A turn with everyday calls, a change, a denial, and what the agent did next."""
    shell = {"stdout": "ok", "stderr": "", "interrupted": False}
    world.event("SessionStart", session, source="startup")
    world.event("UserPromptSubmit", session, prompt="Fix the flaky test and push it.")
    world.ran("Read", {"file": {"content": "x"}}, session, file_path=f"{world.project}/README.md")
    world.ran("Bash", shell, session, command="git status")
    world.ran("Bash", shell, session, command="npm test")
    world.call("Bash", session, command="git push --force origin main")
    world.ran("Bash", shell, session, command="git push origin fix/flaky")


def now() -> float:
    return time.time()
