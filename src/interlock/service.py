"""The only place where the pieces meet: an event in, an answer out, and every failure closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.errors import InterlockError, text_of
from interlock.event import Event, PreToolUse, ToolEvent, payload_of
from interlock.hosts import HOSTS, Dialect, Reply, host_of
from interlock.hosts.base.decode import peek_event_name
from interlock.hosts.base.reply import NothingToJudge
from interlock.hosts.base.table import TableDialect
from interlock.judging.asking import BY_HOST, Asking, Asks, deny_question, hold, permit
from interlock.judging.guard import Guard
from interlock.judging.panels import Nobody, deliberate
from interlock.judging.projects import Projects
from interlock.judging.sitting import Sitting
from interlock.policy.situation import NoWorld, Panel, Situation, World
from interlock.receipts.ledger import Leavings, Memory, Recollection
from interlock.receipts.watch import why_stopped
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Conflict, Duplicate, Stopped
from interlock.store.memory import MemoryStore
from interlock.verdict import Decision, Opinion, Verdict, combine

__all__ = ["Find", "Reply", "answer", "answer_in", "handle", "judge_again", "respond"]

Find: TypeAlias = Callable[[Event | None], Sitting]
"""Finds who judges an event. None stands for an event that could not be read: all that is left is to record it."""

# A conflict means that another event was committed meanwhile, so tries are lost only while others make progress.
# An event that loses this often gets its answer for a failure instead of being judged again without end.
_TRIES = 200
_NO_WORLD = NoWorld()


def handle(
    host: str,
    raw: bytes,
    panel: Panel | None = None,
    *,
    memory: Memory | None = None,
    alone: bool = False,
    world: World | None = None,
) -> Reply:
    """Answer one event with the opinions of a panel."""
    sitting = Sitting(panel=panel or Nobody(), memory=memory, alone=alone, world=world)
    return respond(host, raw, lambda event: sitting)


def answer(guard: Guard, host: str, raw: bytes, beside: Sequence[Panel] = (), asks: Asks = BY_HOST) -> Reply:
    """Answer one event with a guard. The panels in `beside` are asked before the policies."""
    return respond(host, raw, lambda event: guard.sitting(event, beside, asks=asks))


def judge_again(guard: Guard, host: str, raw: bytes, past: MemoryStore | None = None) -> Reply:
    """Judge an event without remembering anything about it. `past`: what is known of earlier events."""
    return respond(host, raw, lambda event: guard.forgetful_sitting(event, past))


def answer_in(
    projects: Projects,
    host: str,
    raw: bytes,
    project: Path | None,
    beside: Sequence[Panel] = (),
    argv: Callable[[], Sequence[str]] = tuple,
    asks: Asks = BY_HOST,
) -> Reply:
    """Answer one event with the guard of its project.

    `project` is the folder that the host says it was started in, `argv` returns the words it was started with.
    """
    return respond(host, raw, lambda event: projects.sitting(event, project, beside, argv, asks))


def respond(
    host: str,
    raw: bytes,
    find: Find,
    expected: str | None = None,
    name: Callable[[Event], Event] | None = None,
) -> Reply:
    """Answer one event of `host`. Once it has been read, `find` says who judges it.

    `expected` is the event that the host was told to raise here. `name` gives an id to a call that the host does not
    name. Only an unknown host raises an exception. Any other failure becomes the event's answer for a failure.
    """
    dialect = (HOSTS.get(host) or host_of(host)).dialect
    event: Event | None = None
    sitting: Sitting | None = None
    try:
        event = dialect.decode(raw)
        if expected is not None and expected != event.hook_event_name:
            _refuse_name(event, expected)
        if name is not None:
            event = name(event)
        if isinstance(dialect, TableDialect):
            raw = json.encode(payload_of(event))  # whoever reads it later, in a hook or in the record, knows one form
        sitting = find(event)
        return _answer(host, dialect, event, raw, sitting)
    except NothingToJudge as sign:
        return Reply(stdout=sign.stdout, verdict=Verdict())
    except InterlockError as error:
        reply = _fail(dialect, event, raw, expected, error.in_one_line())
    except Exception as error:  # noqa: BLE001 - the one place where a bug in Interlock becomes an answer for a failure
        reply = _fail(dialect, event, raw, expected, f"Interlock itself failed: {type(error).__name__}", text_of(error))
    finally:
        if sitting is not None:
            sitting.release()
    return _note(event, raw, reply, sitting, find)


def _refuse_name(event: Event, expected: str) -> None:
    # The name chooses the safe direction. An event that renames itself could otherwise choose to pass when it fails.
    name = event.hook_event_name
    raise InterlockError(f"an event that calls itself `{name}` arrived as {expected}, so it cannot be judged")


def _note(event: Event | None, raw: bytes, reply: Reply, sitting: Sitting | None, find: Find) -> Reply:
    """Record a failure too. If even that fails, the answer, which is the one for a failure already, also says so."""
    try:
        if sitting is None and event is None:
            sitting = find(None)
        if sitting is not None and sitting.memory is not None:
            now = datetime.now(UTC) if sitting.world is None else sitting.world.now()
            sitting.memory.note(event, raw, reply.verdict, now)
    except Exception as error:  # noqa: BLE001 - nothing is let through by it: the answer denies, withholds, or passes loudly
        unrecorded = f"and it could not be recorded: {type(error).__name__}"
        return replace(reply, stderr="\n".join(part for part in (reply.stderr, unrecorded) if part))
    return reply


def _answer(host: str, dialect: Dialect, event: Event, raw: bytes, sitting: Sitting) -> Reply:
    """Judge an event and commit the outcome. If another event changed what was read meanwhile, judge it again."""
    memory = sitting.memory
    at = datetime.now(UTC) if sitting.world is None else sitting.world.now()
    started = time.monotonic()
    stopped: str | None = None
    for _ in range(_TRIES):
        opened = Recollection() if memory is None else memory.open(event, at)
        situation = Situation(
            event=event,
            host=sitting.host or host,
            raw=raw,
            now=at,
            started=started,
            state=opened.state,
            unknown=opened.unknown,
            history=opened.history,
            world=sitting.world or _NO_WORLD,
        )
        if stopped is None:
            verdict = deliberate(situation, sitting.panel, alone=sitting.alone)
        else:
            verdict = _deny_stopped(event, stopped)
        if memory is None:
            reply = dialect.encode(event, verdict)
            _refuse_to_forget(reply.verdict)  # a later rule would rely on state that was silently lost
            return reply
        verdict = _review(memory, opened, situation, verdict, sitting.panel)
        asked, asks = _NO_QUESTION, BY_HOST if sitting.asking is None else sitting.asking.asks
        if verdict.decision == "ask" and sitting.asking is not None and isinstance(event, PreToolUse):
            verdict, asked = _ask(host, sitting.asking, memory, opened, situation, verdict)
        # Encoded before the commit: the record must contain the answer as it was lowered for this host.
        reply = _reply(dialect, event, verdict, asked.request, asks)
        left = Leavings(
            host=host,
            raw=raw,
            verdict=reply.verdict,
            answer=_to_keep(reply),
            pending=_pending(sitting, situation, reply, asks),
            asks=asked.request,
            answers=asks.answer,
            spends=asked.grant,
            beside=asks.beside,
            counted=asks.counted,
            pauses=asks.pauses and asked.request is None and reply.verdict.decision == "ask",
        )
        try:
            memory.close(opened, event, left)
        except Conflict:
            continue
        except Stopped as found:
            stopped = found.why  # the deny for a stopped session is committed too, so go round once more
            continue
        except Duplicate as before:
            # The same event was delivered twice. A second entry in the record would count it twice.
            return _repeat(dialect, before.answer) if before.answer else reply
        return reply
    raise InterlockError(f"what this event depends on changed {_TRIES} times while it was judged")


class _Question(Struct, frozen=True):
    """What became of the question about a call: a request to a person, or the grant that is spent."""

    request: ApprovalRequest | None = None
    grant: str | None = None


_NO_QUESTION = _Question()


def _ask(
    host: str, asking: Asking, memory: Memory, opened: Recollection, situation: Situation, verdict: Verdict
) -> tuple[Verdict, _Question]:
    """Let the call run if a person has allowed it, or ask one if that is done here and not by the host."""
    subject, key = asking.describe(situation, verdict)
    allowed = asking.permission(situation, verdict, key, subject, memory.grants(opened, situation.event))
    if allowed is not None:
        return permit(verdict, allowed), _Question(grant=allowed.grant)
    if not asking.goes_to_inbox(verdict):
        return verdict if asking.asks.prompts else deny_question(verdict), _NO_QUESTION
    return verdict, _Question(request=asking.request(situation, verdict, key, subject, host))


def _reply(dialect: Dialect, event: Event, verdict: Verdict, request: ApprovalRequest | None, asks: Asks) -> Reply:
    """The answer. While a person is asked it denies, so that nothing runs if the wait is cut short."""
    if request is None:
        return dialect.encode(event, verdict)
    if asks.beside:  # the host asks too, and has its answer already
        return replace(dialect.encode(event, verdict), request=request.id)
    return replace(dialect.encode(event, hold(verdict, request)), verdict=verdict, request=request.id)


def _review(memory: Memory, opened: Recollection, situation: Situation, verdict: Verdict, panel: Panel) -> Verdict:
    """Let the receipts add to the verdict, and judge the events that they ask about at the moment of this event."""
    review = memory.review(opened, situation.event, verdict)
    try:
        other = next(review)
        while True:
            asked = replace(situation, event=other, raw=json.encode(payload_of(other)))
            other = review.send(deliberate(asked, panel, alone=False))
    except StopIteration as done:
        reviewed: Verdict = done.value
        return reviewed


def _pending(sitting: Sitting, situation: Situation, reply: Reply, asks: Asks) -> tuple[tuple[str, str | None], ...]:
    """What the result of this call would set, if it runs."""
    pauses = asks.pauses and reply.verdict.decision == "ask"
    may_run = reply.verdict.decision != "deny" and not pauses and (reply.request is None or asks.beside)
    runs = isinstance(situation.event, PreToolUse) and may_run
    return tuple(sitting.pending(situation)) if runs else ()


def _deny_stopped(event: Event, breach: str) -> Verdict:
    original = event.tool_input if isinstance(event, ToolEvent) else {}
    return combine([Opinion(by="interlock", decision="deny", reason=why_stopped(breach))], original)


def _to_keep(reply: Reply) -> bytes:
    """What is kept of an answer, so that the same answer can be given if the event is delivered twice."""
    return json.encode((reply.stdout, reply.stderr, reply.exit_code, reply.verdict.decision, reply.request))


_Kept: TypeAlias = tuple[bytes, str, int, Decision | None, str | None]


def _repeat(dialect: Dialect, kept: bytes) -> Reply:
    stdout, stderr, code, decision, request = json.decode(
        kept, type=tuple[bytes, str, int, Decision | None, str | None]
    )
    verdict = dialect.restore(stdout, Verdict(decision=decision))
    return Reply(stdout=stdout, stderr=stderr, exit_code=code, verdict=verdict, request=request)


def _fail(
    dialect: Dialect, event: Event | None, raw: bytes, expected: str | None, message: str, detail: str = ""
) -> Reply:
    if event is not None and expected not in (None, event.hook_event_name):
        event = None  # it is answered as the event that the host was told to raise, not as what it calls itself
    name = event.hook_event_name if event is not None else expected or peek_event_name(raw)
    return dialect.fail(name, _readable(message), detail=_readable(detail), event=event, raw=raw)


def _readable(text: str) -> str:
    # The text of an exception may contain half a surrogate pair, and an answer must be valid UTF-8.
    return text.encode("utf-8", "replace").decode()


def _refuse_to_forget(verdict: Verdict) -> None:
    forgetful = [opinion.by for opinion in verdict.opinions if opinion.set]
    if forgetful and verdict.decision != "deny":
        raise InterlockError(f"`{forgetful[0]}` sets state, but there is no store here to keep it")
