"""Questions that a framework asks by pausing its run: the call comes again with the answer, and is judged again."""

from __future__ import annotations

import hashlib
import time
from functools import partial
from typing import Any, Protocol, TypeAlias

from msgspec import json

from interlock.approvals.approval import Approval, Request
from interlock.gate.judges import Judge
from interlock.gate.means import Means
from interlock.store.base import Entry, Scope, StateChange, Wants

__all__ = ["Prompt", "PromptNotes", "question_id"]

JsonObject: TypeAlias = dict[str, Any]


class Prompt(Protocol):
    """How a framework asks a person about one call."""

    host: str
    """The framework's name, as a model or a person reads it."""

    shows_changes: bool
    """Whether the person sees the call as it would run. If not, a call that a rule changed cannot be asked about."""

    async def is_resumed(self, notes: PromptNotes) -> bool:
        """Whether this call was paused before, so that there may be an answer by now."""

    async def ask(self, question: Request, notes: PromptNotes) -> Approval:
        """The answer to this very question, if the framework has it. Raises the framework's own exception to pause."""


def question_id(question: Request) -> str:
    """What a person is asked, as one word: a yes to one question is not a yes to another."""
    # Without the session and the call's own number, which differ from process to process.
    return _digest((question.tool, question.input, question.original, question.reason))


class PromptNotes:
    """Which question each paused call waits for, kept in the gate's store so that another process can resume it."""

    def __init__(self, judge: Judge, means: Means, session: str) -> None:
        self._judge = judge
        self._means = means
        self._session = session
        self._scope = Scope("session", session)

    async def question_of(self, key: str) -> str | None:
        """The question that the call with this key was paused for, unless it has been answered."""
        found: list[str | None] = []
        await self._means.do(lambda: found.append(self._read(_name(key))))
        return found[0]

    async def note(self, key: str, question: Request, written: JsonObject | None = None, number: int = 0) -> None:
        """Note that a person is asked this.

        `written` is the input in the framework's own history, and `number` says which question about the call this is.
        """
        noted = f"{question_id(question)} {_digest(written)} {number}"
        await self._means.do(partial(self._write, key, question.tool, noted))

    async def spend(self, key: str, question: Request, edited: JsonObject | None = None, number: int = 0) -> bool:
        """Whether this is what the person was asked. An answer counts once.

        If they answered with an input of their own, `edited` is what was written before, which they were asked about.
        """
        asked, written, which = (await self.question_of(key) or "- - -").split(" ")
        is_asked = asked == question_id(question) or (edited is not None and written == _digest(edited))
        if not is_asked or which != str(number):
            return False
        await self._means.do(partial(self._write, key, question.tool, None))
        return True

    def _read(self, name: str) -> str | None:
        snapshot = self._judge.store().read(Wants(names={self._scope: frozenset({name})}))
        value = snapshot.values.get((self._scope, name))
        return value if isinstance(value, str) else None

    def _write(self, key: str, tool: str, value: str | None) -> None:
        record = {"event": "Paused", "session": self._session, "tool": tool, "question": value}
        change = StateChange(self._scope, _name(key), value, whole=True)
        self._judge.store().commit(Entry(record=record, raw=b"", at=time.time(), changes=(change,)))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.encode(value, order="sorted")).hexdigest()[:32]


def _name(key: str) -> str:
    return f"paused {key}"
