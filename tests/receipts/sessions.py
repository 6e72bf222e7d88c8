"""One session of a host whose every event reaches us, or not."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from interlock.hooks.run import HookSet
from interlock.policy.situation import NoWorld
from interlock.receipts.ledger import Ledger, StatePlan
from interlock.service import Reply, handle
from interlock.store.base import StoredRecord
from interlock.store.memory import MemoryStore
from tests.builders import payload, raw

SHELL = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}


class _At(NoWorld):
    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now


class Session:
    """Sends events as a host would, each a second after the one before."""

    def __init__(self, *hooks: Any, store: Any = None, whole: Any = True, **plan: Any) -> None:
        self.store: Any = store or MemoryStore()
        self.hooks: Any = HookSet(hooks)
        self.keeping = Ledger(self.store, StatePlan(**plan), home="/home/dev", whole=whole)
        self.base: dict[str, Any] = {}
        self.now = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

    def send(self, name: str, **fields: Any) -> Reply:
        self.now += timedelta(seconds=1)
        event = raw({**payload(name), **self.base, **fields})
        return handle("claude-code", event, self.hooks, memory=self.keeping, world=_At(self.now))

    def prompt(self) -> Reply:
        return self.send("UserPromptSubmit", prompt="go")

    def pre(self, call: str, tool: str = "Bash", **given: Any) -> Reply:
        return self.send("PreToolUse", tool_name=tool, tool_use_id=call, tool_input=given)

    def post(self, call: str, tool: str = "Bash", response: Any = None, **given: Any) -> Reply:
        result = {**SHELL, "stdout": "done"} if response is None else response
        return self.send("PostToolUse", tool_name=tool, tool_use_id=call, tool_input=given, tool_response=result)

    def fail(self, call: str, error: str, tool: str = "Bash", **given: Any) -> Reply:
        fields = {"tool_name": tool, "tool_use_id": call, "tool_input": given, "error": error}
        return self.send("PostToolUseFailure", **fields)

    def batch(self, *calls: tuple[str, Any], tool: str = "Bash", **more: Any) -> Reply:
        listed = [{"tool_name": tool, "tool_input": {}, "tool_use_id": id_, "tool_response": r} for id_, r in calls]
        return self.send("PostToolBatch", tool_calls=listed, **more)

    def status(self, call: str) -> str | None:
        found = self.store.receipt("s-1", call)
        return None if found is None else found.status

    @property
    def breach(self) -> str | None:
        found = self.store.session("s-1")
        return None if found is None else found.breach

    def last(self) -> StoredRecord:
        return next(iter(self.store.records(newest=1)))


def said(reply: Reply) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reply.stdout)
    return found
