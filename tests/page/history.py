"""A record of several weeks, made by a real guard whose clock is told what time it is."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import json

from interlock.approvals.answers import approve, reject
from interlock.approvals.granting import Terms
from interlock.config.bundles import find_pack
from interlock.judging.asking import Asks
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.service import Reply, respond
from interlock.store.base import Store
from interlock.store.memory import MemoryStore
from interlock.testing.pretend import Pretend

POLICY = """\
version: 1
rules:
  - id: deploy
    about: Deployments are approved by a person.
    command: make deploy
    ask: "`${match.command.text}` deploys this project. Run it?"
    approve: inbox
    cases:
      catch: [make deploy, make deploy ENV=staging]
      pass: [make test]
  - {id: install, command: npm install, ask: This adds a dependency. Add it?, approve: inbox}
  - {id: force, command: git push --force, deny: Force pushes rewrite published history. Push a new branch.}
  - {id: quiet, command: npm test, change: {command: npm test --silent}}
  - {id: vendored, path: {write: vendor/**}, deny: Vendored code is not edited.}
"""
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
"""The moment at which people look at the page."""

_SHELL = {"stdout": "ok", "stderr": "", "interrupted": False}


class Past:
    """A project with a policy, and a record of what agents did there."""

    def __init__(self, folder: Path, policy: str = POLICY, name: str = "shop", store: Store | None = None) -> None:
        self.project = folder / name
        self.project.mkdir(parents=True)
        self.file = self.project / "interlock.yaml"
        self.file.write_text(policy, encoding="utf-8")
        self.store: Store = store or MemoryStore()
        self.world = _Clock()
        self.guard = self._guard()
        self._numbers = itertools.count(1)

    def _guard(self) -> Guard:
        policy = load_policy(self.file.read_bytes(), str(self.file), find_pack)
        return Guard([policy], self.world, store=self.store, project=str(self.project))

    def days_ago(self, days: float, hours: float = 0.0) -> Past:
        """Go to a moment before the one at which people look."""
        self.world.at = NOON - timedelta(days=days, hours=hours)
        return self

    @property
    def now(self) -> float:
        return self.world.at.timestamp()

    def event(self, name: str, session: str, asks: Asks | None = None, **fields: Any) -> Reply:
        """Raise an event, as a host would."""
        base = {"session_id": session, "transcript_path": "", "cwd": str(self.project)}
        raw = json.encode({**base, "hook_event_name": name, **fields})
        return respond("claude-code", raw, lambda event: self.guard.sitting(event, asks=asks or Asks(seconds=480.0)))

    def call(self, command: str, session: str = "s-1", asks: Asks | None = None) -> tuple[Reply, dict[str, Any]]:
        """A shell call that is about to run."""
        return self.call_tool("Bash", {"command": command}, session, asks)

    def call_tool(
        self, tool: str, given: dict[str, Any], session: str = "s-1", asks: Asks | None = None
    ) -> tuple[Reply, dict[str, Any]]:
        """A call that is about to run."""
        self.world.at += timedelta(seconds=1)
        id = f"toolu_{next(self._numbers):04}"
        call: dict[str, Any] = {"tool_name": tool, "tool_input": given, "tool_use_id": id}
        return self.event("PreToolUse", session, asks, **call), call

    def ran(self, command: str, session: str = "s-1") -> None:
        """A call that runs."""
        _, call = self.call(command, session)
        self.event("PostToolUse", session, **call, tool_response=_SHELL)

    def asked(
        self,
        command: str,
        answer: str = "yes",
        session: str = "s-1",
        after: float = 10.0,
        terms: Terms | None = None,
    ) -> None:
        """A shell call about which a person is asked in the inbox, with their answer: yes, no, or none."""
        self.asked_tool("Bash", {"command": command}, session, answer, after, terms)

    def asked_tool(
        self,
        tool: str,
        given: dict[str, Any],
        session: str = "s-1",
        answer: str = "yes",
        after: float = 10.0,
        terms: Terms | None = None,
    ) -> None:
        """A call about which a person is asked in the inbox."""
        reply, call = self.call_tool(tool, given, session)
        assert reply.request is not None, "no rule asks about it"
        request = self.store.request(reply.request)
        assert request is not None
        self.world.at += timedelta(seconds=after)
        if answer == "yes":
            approve(self.store, request, by="ann", at=self.now, terms=terms)
        elif answer == "no":
            reject(self.store, request, by="ann", at=self.now, note="Not now.")
        answered = self.store.request(request.id)
        self.event("PreToolUse", session, Asks(seconds=480.0, answer=answered), **call)
        if answer == "yes":
            self.event("PostToolUse", session, **call, tool_response=_SHELL)

    def close(self) -> None:
        self.guard.close()
        self.store.close()


class _Clock(Pretend):
    """A world in which it is the time that it is told."""

    at = NOON

    def now(self) -> datetime:
        return self.at


def busy_weeks(past: Past, days: int = 60) -> None:
    """Everyday work: a rule that nags, one that stops, one that changes, and one that never fires."""
    for day in range(days, -1, -1):
        if day % 7 in (5, 6):
            continue
        session = f"s-{day:03}"
        past.days_ago(day, hours=2)
        past.event("SessionStart", session, source="startup")
        past.event("UserPromptSubmit", session, prompt=f"Work of day {day}: make the build green again.")
        for number in range(4 + day % 3):
            past.ran(f"git log -{number + 1}", session)
        past.ran("npm test", session)
        past.asked("npm install left-pad", "yes", session, after=6.0 + day % 5)
        if day % 3 == 0:
            past.asked("make deploy", "no" if day % 9 == 0 else "yes", session, after=30.0)
        if day % 10 == 0:
            past.call("git push --force origin main", session)
            past.ran("git push origin fix/build", session)
        past.event("SessionEnd", session, reason="other")
