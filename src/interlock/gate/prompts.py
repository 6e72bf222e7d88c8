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
_BETWEEN = ","


class Prompt(Protocol):
    """How a framework asks a person about one call."""

    key: str
    """The call's name, which is the same when the call comes again with the answer."""

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
    """What a person was asked about one call, kept in the gate's store so that another process can resume it."""

    def __init__(self, judge: Judge, means: Means, session: str, tool: str, key: str) -> None:
        self._judge = judge
        self._means = means
        self._session = session
        self._tool = tool
        self._scope = Scope("session", session)
        self._name = f"paused {key}"
        self._spent: list[str] = []  # since the call has come again

    async def are_there(self) -> bool:
        """Whether the call was paused for a question that has not been answered."""
        return bool(await self._open_notes())

    async def contain(self, question: Request) -> bool:
        """Whether a person was asked this."""
        return any(note.startswith(f"{question_id(question)} ") for note in await self._open_notes())

    async def add(self, question: Request, written: JsonObject | None = None, number: int = 0) -> None:
        """Note that a person is asked this, beside what they have answered about the call since it came.

        `written` is the input in the framework's own history, and `number` says which question about the call this is.
        """
        await self._keep([*self._spent, f"{question_id(question)} {_digest(written)} {number}"])

    async def spend(self, question: Request, edited: JsonObject | None = None, number: int = 0) -> bool:
        """Whether this is what the person was asked. An answer counts once.

        If they answered with an input of their own, `edited` is what was written before, which they were asked about.
        """
        noted = await self._open_notes()
        for note in noted:
            asked, written, which = note.split(" ")
            is_asked = asked == question_id(question) or (edited is not None and written == _digest(edited))
            if is_asked and which == str(number):
                await self._keep([other for other in noted if other is not note])
                self._spent.append(note)
                return True
        return False

    async def restore(self) -> None:
        """Let the answers count again: the tool has paused by itself, so that the same call will come again."""
        if self._spent:
            await self._keep(self._spent)

    async def _open_notes(self) -> list[str]:
        found: list[str] = []
        await self._means.do(lambda: found.extend(self._read()))
        return found

    async def _keep(self, notes: list[str]) -> None:
        await self._means.do(partial(self._write, _BETWEEN.join(notes) or None))

    def _read(self) -> list[str]:
        snapshot = self._judge.store().read(Wants(names={self._scope: frozenset({self._name})}))
        value = snapshot.values.get((self._scope, self._name))
        return value.split(_BETWEEN) if isinstance(value, str) else []

    def _write(self, value: str | None) -> None:
        record = {"event": "Paused", "session": self._session, "tool": self._tool, "question": value}
        change = StateChange(self._scope, self._name, value, whole=True)
        self._judge.store().commit(Entry(record=record, raw=b"", at=time.time(), changes=(change,)))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.encode(value, order="sorted")).hexdigest()[:32]
