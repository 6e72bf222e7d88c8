"""Questions that a framework asks by pausing its run: the call comes again with the answer, and is judged again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from msgspec import json

from interlock.approvals.approval import Approval, Request
from interlock.gate.judges import Judge
from interlock.gate.means import Means
from interlock.store.base import Conflict, Entry, Scope, Snapshot, StateChange, Wants

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

        def is_asked(note: str) -> bool:
            asked, written, which = note.split(" ")
            is_it = asked == question_id(question) or (edited is not None and written == _digest(edited))
            return is_it and which == str(number)

        before = len(self._spent)
        await self._means.do(lambda: self._spent.extend(self._take(is_asked)))
        return len(self._spent) > before

    async def restore(self) -> None:
        """Let the answers count again: the tool has paused by itself, so that the same call will come again."""
        if self._spent:
            await self._keep(self._spent)

    async def _open_notes(self) -> list[str]:
        found: list[str] = []
        await self._means.do(lambda: found.extend(_notes_in(self._read(), self._name)))
        return found

    async def _keep(self, notes: list[str]) -> None:
        await self._means.do(partial(self._write, notes))

    def _take(self, is_asked: Callable[[str], bool]) -> list[str]:
        """The note of a question, which is no longer there: of two runs that bring its answer, one finds it."""
        while True:
            snapshot = self._read()
            noted = _notes_in(snapshot, self._name)
            found = [note for note in noted if is_asked(note)][:1]
            if not found:
                return []
            try:
                self._write([note for note in noted if note not in found], snapshot.versions)
            except Conflict:
                continue  # something else in this session was written meanwhile
            return found

    def _read(self) -> Snapshot:
        return self._judge.store().read(Wants(names={self._scope: frozenset({self._name})}))

    def _write(self, notes: list[str], expect: Mapping[Scope, int] = MappingProxyType({})) -> None:
        value = _BETWEEN.join(notes) or None
        record = {"event": "Paused", "session": self._session, "tool": self._tool, "question": value}
        change = StateChange(self._scope, self._name, value, whole=True)
        entry = Entry(record=record, raw=b"", at=time.time(), changes=(change,), expect=dict(expect))
        self._judge.store().commit(entry)


def _notes_in(snapshot: Snapshot, name: str) -> list[str]:
    values = [value for (_, found), value in snapshot.values.items() if found == name]
    return values[0].split(_BETWEEN) if values and isinstance(values[0], str) else []


def _digest(value: Any) -> str:
    return hashlib.sha256(json.encode(value, order="sorted")).hexdigest()[:32]
