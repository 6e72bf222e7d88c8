"""A pretended session under a policy, so that a test reads as policy, call, verdict."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from interlock.config.bundles import find_pack
from interlock.hosts import Reply
from interlock.judging.guard import Guard
from interlock.policy.load import Policy, load_policy
from interlock.policy.positions import LocatedErrors
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.events import call_of, payload_for
from interlock.testing.pretend import PROJECT, Pretend
from interlock.verdict import Verdict


def load(text: str, file: str = "interlock.yaml") -> Policy:
    """A policy, `version: 1` put in front of it."""
    return load_policy("version: 1\n" + dedent(text), file, find_pack)


def errors_of(text: str, file: str = "interlock.yaml") -> LocatedErrors:
    """Everything that is wrong with a whole policy file."""
    with pytest.raises(LocatedErrors) as caught:
        load_policy(dedent(text), file, find_pack)
    return caught.value


def refusal(text: str) -> str:
    """The whole of what a person reads about a policy that is refused."""
    return errors_of(text).render()


def complaints(text: str) -> list[str]:
    """Each error as place, message and cure, `version: 1` being line 1."""
    found = errors_of("version: 1\n" + dedent(text)).errors
    return [
        f"{error.source.line}:{error.source.column} {error.message}" + (f"; {error.help}" if error.help else "")
        for error in found
        if error.source is not None
    ]


class Session:
    """Events of one session under one policy, in a world that is only pretended."""

    def __init__(
        self,
        policy: str | Policy,
        *more: Policy,
        given: dict[str, Any] | None = None,
        alone: bool = True,
        store: MemoryStore | None = None,
        id: str = "test",
        host: str = "claude-code",
        whole: bool = False,
    ) -> None:
        """`whole`: every event of the host comes here, so that results are held against receipts."""
        self.given = given or {}
        self.world = Pretend()
        self.world.given(self.given)
        self.store = store or MemoryStore()
        self.id = id
        self._calls = 0
        policies = [load(policy) if isinstance(policy, str) else policy, *more]
        options: dict[str, Any] = {"alone": alone, "run_hooks": False, "host": host, "whole": whole}
        self.guard = Guard(policies, self.world, self.store, project=PROJECT, **options)

    def call(self, written: Any, **fields: Any) -> Verdict:
        """What is said of a call before it runs."""
        return self.reply(written, **fields).verdict

    def reply(self, written: Any, **fields: Any) -> Reply:
        tool, tool_input = call_of(written)
        self._calls += 1
        fields = {"tool_use_id": f"{self.id}-{self._calls}", **fields}
        return self.raw(self.payload("PreToolUse", tool_name=tool, tool_input=tool_input, **fields))

    def result(self, written: Any, response: Any, **fields: Any) -> Verdict:
        """What is said of a result; of the call made last unless `tool_use_id` says otherwise."""
        return self.result_reply(written, response, **fields).verdict

    def result_reply(self, written: Any, response: Any, **fields: Any) -> Reply:
        tool, tool_input = call_of(written)
        fields = {"tool_use_id": f"{self.id}-{self._calls}", **fields}
        raw = self.payload("PostToolUse", tool_name=tool, tool_input=tool_input, tool_response=response, **fields)
        return self.raw(raw)

    def event(self, name: str, **fields: Any) -> Verdict:
        return self.raw(self.payload(name, **fields)).verdict

    def payload(self, name: str, **fields: Any) -> bytes:
        return payload_for(name, self.given, **{"session_id": self.id, **fields})

    def raw(self, raw: bytes) -> Reply:
        return answer(self.guard, "claude-code", raw)


def decide(policy: str, written: Any, given: dict[str, Any] | None = None, **fields: Any) -> str | None:
    """The decision on one call under one policy."""
    return Session(policy, given=given).call(written, **fields).decision


def fired(verdict: Verdict) -> list[str]:
    """Whoever had an opinion."""
    return [opinion.by for opinion in verdict.opinions]
