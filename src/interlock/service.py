"""The only place where the pieces meet: an event in, an answer out, and every failure closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from msgspec import json
from msgspec.structs import replace

from interlock.event import Event, ToolEvent, payload_of
from interlock.facts.results import result_of
from interlock.fold import Answers, Round, decide
from interlock.hooks.run import Asked, Panel
from interlock.source import InterlockError, shown
from interlock.store.base import Conflict, Duplicate, Stopped
from interlock.store.keeping import Opened, Remembers
from interlock.store.watch import why_stopped
from interlock.verdict import Decision, Opinion, Verdict, combine
from interlock.wire import Dialect, Reply, dialect_of
from interlock.wire.decode import peek_event_name

__all__ = ["Nobody", "Reply", "handle"]


_TRIES = 200
_NOTHING = Opened()


class Nobody:
    """A panel without opinions."""

    def ask(self, asked: Asked, round_: Round) -> Answers:
        return {}


def handle(
    host: str,
    raw: bytes,
    panel: Panel | None = None,
    *,
    memory: Remembers | None = None,
    alone: bool = False,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Reply:
    """Answer one event of `host` with the opinions of `panel`.

    `alone` says that no other hook stands beside us that could undo a change of ours. Only an unknown host raises:
    whatever else goes wrong becomes the event's failing answer.
    """
    dialect = dialect_of(host)
    event: Event | None = None
    try:
        event = dialect.decode(raw)
        return _answer(host, dialect, event, raw, panel or Nobody(), memory, alone, now())
    except InterlockError as error:
        reply = _failed(dialect, event, raw, error.in_one_line())
    except Exception as error:  # noqa: BLE001 - the one place where a bug of ours turns into a failing answer
        reply = _failed(dialect, event, raw, f"Interlock itself failed: {type(error).__name__}", shown(error))
    return _note(memory, event, raw, reply, now)


def _note(
    memory: Remembers | None, event: Event | None, raw: bytes, reply: Reply, now: Callable[[], datetime]
) -> Reply:
    """Record a failure too. Where even that fails, the answer, which is the failing one already, says so as well."""
    try:
        if memory is not None:
            memory.note(event, raw, reply.verdict, now())
    except Exception as error:  # noqa: BLE001 - nothing is let through by it: the answer denies, withholds, or passes loudly
        unrecorded = f"and it could not be recorded: {type(error).__name__}"
        return replace(reply, stderr="\n".join(part for part in (reply.stderr, unrecorded) if part))
    return reply


def _answer(
    host: str,
    dialect: Dialect,
    event: Event,
    raw: bytes,
    panel: Panel,
    memory: Remembers | None,
    alone: bool,
    at: datetime,
) -> Reply:
    """Judge, and keep what was judged; if what was read has moved on meanwhile, judge anew."""
    started = time.monotonic()
    stopped: str | None = None
    for _ in range(_TRIES):
        opened = memory.open(event, raw, at, host) if memory is not None else _NOTHING
        asked = Asked(host, event, raw, opened.state, started, at, opened.unknown, opened.history)
        verdict = _judge(asked, panel, alone) if stopped is None else _deny_stopped(event, stopped)
        if memory is None:
            reply = dialect.encode(event, verdict)
            _refuse_to_forget(reply.verdict)
            return reply
        verdict = memory.review(opened, event, verdict, partial(_judge_other, asked, panel))
        reply = dialect.encode(event, verdict)
        try:
            memory.close(opened, event, raw, reply.verdict, _kept(reply))
        except Conflict:
            continue
        except Stopped as found:
            stopped = found.why
            continue
        except Duplicate as before:
            return _said_before(before.answer) if before.answer else reply
        return reply
    raise InterlockError(f"what this event depends on changed {_TRIES} times while it was judged")


def _deny_stopped(event: Event, breach: str) -> Verdict:
    original = event.tool_input if isinstance(event, ToolEvent) else {}
    return combine([Opinion(by="interlock", decision="deny", reason=why_stopped(breach))], original)


def _judge_other(asked: Asked, panel: Panel, other: Event) -> Verdict:
    """What the policy says of an event that the host did not raise, at the moment of one that it did."""
    return _judge(replace(asked, event=other, raw=json.encode(payload_of(other))), panel, alone=False)


def _kept(reply: Reply) -> bytes:
    """What is kept of an answer, to give it again when the same event is delivered twice."""
    return json.encode((reply.stdout, reply.stderr, reply.exit_code, reply.verdict.decision))


def _said_before(kept: bytes) -> Reply:
    stdout, stderr, code, decision = json.decode(kept, type=tuple[bytes, str, int, Decision | None])
    return Reply(stdout=stdout, stderr=stderr, exit_code=code, verdict=Verdict(decision=decision))


def _failed(dialect: Dialect, event: Event | None, raw: bytes, message: str, detail: str = "") -> Reply:
    name = peek_event_name(raw) if event is None else event.hook_event_name
    return dialect.fail(name, _readable(message), detail=_readable(detail), event=event, raw=raw)


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _judge(asked: Asked, panel: Panel, alone: bool) -> Verdict:
    event = asked.event
    original = event.tool_input if isinstance(event, ToolEvent) else {}
    return decide(original, partial(panel.ask, asked), alone=alone, result=result_of(event))


def _refuse_to_forget(verdict: Verdict) -> None:
    forgetful = [opinion.by for opinion in verdict.opinions if opinion.set]
    if forgetful and verdict.decision != "deny":
        raise InterlockError(f"`{forgetful[0]}` sets state, and nothing here keeps any")
