"""Play Interlock's own record: the events that it was sent, in the order in which they came."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from msgspec import DecodeError, ValidationError, json

from interlock.event import (
    EVENTS,
    Event,
    PermissionDenied,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    ToolEvent,
    UserPromptSubmit,
    event_from,
)
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Scene, Stage
from interlock.replay.steps import MAIN, Occasion, Outcome, PastCall, PastPrompt, PastResult, PastStep
from interlock.store.base import Store, StoredRecord

__all__ = ["play_record"]

_MOST_STAGES = 256  # sessions at work at one time; those that were idle for longest are taken to have ended
_EVENTS = (PreToolUse, PostToolUse, PostToolUseFailure, PermissionDenied, UserPromptSubmit)


def play_record(
    store: Store,
    judges: Sequence[PastJudge],
    faults: Faults,
    *,
    since: float = 0.0,
    sessions: Collection[str] | None = None,
) -> Iterator[Scene]:
    """Play every event of the record since a time, or of some sessions, and say of each call what the judges said."""
    stages: OrderedDict[str, Stage] = OrderedDict()
    for record in _records(store, since, sessions):
        event = _event(record, faults)
        if event is None:
            continue
        session = event.session_id
        if isinstance(event, SessionEnd):
            yield from _end(stages, session)
        elif isinstance(event, _EVENTS):
            stage = stages.setdefault(session, Stage(session, event.transcript_path, judges))
            stages.move_to_end(session)
            for step in _steps(event, record):
                yield from stage.take(step)
        if len(stages) > _MOST_STAGES:
            yield from _end(stages, next(iter(stages)))
    for session in list(stages):
        yield from _end(stages, session)


def _records(store: Store, since: float, sessions: Collection[str] | None) -> Iterator[StoredRecord]:
    if sessions is None:
        return store.records(since=since or None)
    return chain.from_iterable(store.records(since=since or None, session=one) for one in sessions)


def _end(stages: OrderedDict[str, Stage], session: str) -> Iterator[Scene]:
    stage = stages.pop(session, None)
    if stage is not None:
        yield from stage.finish()
        stage.close()


def _event(record: StoredRecord, faults: Faults) -> Event | None:
    if record.event not in EVENTS or record.session is None:  # not an event of a host: a person's answer, say
        return None
    try:
        return event_from(json.decode(record.raw))
    except (DecodeError, ValidationError, RecursionError, UnicodeDecodeError, KeyError, TypeError):
        faults.add("events of an unknown form", f"record {record.sequence}")
        return None


def _steps(event: Event, record: StoredRecord) -> Iterator[PastStep]:
    around = Occasion(
        at=record.at,
        cwd=event.cwd,
        branch="",  # the record does not say which branch was checked out
        mode=event.permission_mode,
        agent=event.agent_id or MAIN,
        agent_type=event.agent_type or "",
        place=f"record {record.sequence}",
    )
    if isinstance(event, UserPromptSubmit):
        yield PastPrompt(event.prompt, around, around.place)
        return
    if not isinstance(event, ToolEvent):
        return
    call = getattr(event, "tool_use_id", "") or f"call-{record.sequence}"
    match event:
        case PreToolUse() if record.record.get("answer") is not None:
            # The call was judged again for a person's answer. It is the same call, which is open.
            if record.decision == "deny":
                yield _result(call, "refused", around)
        case PreToolUse():
            yield PastCall(call, event.tool_name, event.tool_input, around, around.place)
            if record.decision == "deny":
                yield _result(call, "refused", around)
        case PostToolUse():
            yield _result(call, "ran", around, response=event.tool_response)
        case PostToolUseFailure():
            yield _result(call, "failed", around, text=event.error)
        case PermissionDenied():
            yield _result(call, "refused", around)


def _result(call: str, outcome: Outcome, around: Occasion, *, text: str = "", response: object = None) -> PastResult:
    return PastResult(call, outcome, text, response, around)
