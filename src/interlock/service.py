"""The only place where the pieces meet: an event in, an answer out, and every failure closed."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import UNSET

from interlock.event import Event, PostToolUse, ToolEvent
from interlock.facts.results import meaning
from interlock.hooks.run import Asked, Opinions, Panel
from interlock.source import InterlockError, shown
from interlock.store.memory import Memory
from interlock.verdict import Round, Verdict, deliberate
from interlock.wire import Dialect, Reply, dialect_of
from interlock.wire.decode import peek_event_name

__all__ = ["Nobody", "Reply", "handle"]


class Nobody:
    """A panel without opinions."""

    def ask(self, asked: Asked, round_: Round) -> Sequence[Opinions]:
        return ()


def handle(
    host: str,
    raw: bytes,
    panel: Panel | None = None,
    *,
    memory: Memory | None = None,
    alone: bool = False,
) -> Reply:
    """Answer one event of `host` with the opinions of `panel`.

    `alone` says that no other hook stands beside us that could undo a change of ours. Only an unknown host raises:
    whatever else goes wrong becomes the event's failing answer.
    """
    dialect = dialect_of(host)
    event: Event | None = None
    try:
        event = dialect.decode(raw)
        asked = Asked(host, event, raw, _state(memory, event), time.monotonic())
        reply = dialect.encode(event, _judge(asked, panel or Nobody(), alone))
        _remember(memory, event, reply.verdict)
    except InterlockError as error:
        return _failed(dialect, event, raw, error.in_one_line())
    except Exception as error:  # noqa: BLE001 - the one place where a bug of ours turns into a failing answer
        return _failed(dialect, event, raw, f"Interlock itself failed: {type(error).__name__}", shown(error))
    return reply


def _failed(dialect: Dialect, event: Event | None, raw: bytes, message: str, detail: str = "") -> Reply:
    name = peek_event_name(raw) if event is None else event.hook_event_name
    return dialect.fail(name, _readable(message), detail=_readable(detail), event=event)


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _judge(asked: Asked, panel: Panel, alone: bool) -> Verdict:
    event = asked.event
    original = event.tool_input if isinstance(event, ToolEvent) else {}
    result = meaning(event.tool_name, event.tool_response) if isinstance(event, PostToolUse) else UNSET
    rounds = deliberate(original, alone=alone, result=result)
    try:
        round_ = next(rounds)
        while True:
            round_ = rounds.send(panel.ask(asked, round_))
    except StopIteration as done:
        verdict: Verdict = done.value
        return verdict


def _state(memory: Memory | None, event: Event) -> dict[str, object] | None:
    return None if memory is None else memory.state_of(event.session_id)


def _remember(memory: Memory | None, event: Event, verdict: Verdict) -> None:
    if memory is not None:
        memory.update(event.session_id, verdict)
        return
    forgetful = [opinion.by for opinion in verdict.opinions if opinion.set]
    if forgetful and verdict.decision != "deny":
        raise InterlockError(f"hook `{forgetful[0]}` sets state, and nothing here keeps any")
