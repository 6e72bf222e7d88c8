"""One verdict for a call that reaches Interlock by two entries.

Some hosts run another host's entries as well as their own, and some raise two events about one call. The first event is
judged and counted, and a person is asked if necessary. The other event waits and gets the same verdict, in the form of
its own host and event.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.event import Event, PostToolUse, PreToolUse, ToolEvent, payload_of
from interlock.hosts.base.reply import Reply
from interlock.hosts.base.table import text_instead
from interlock.verdict import Verdict

__all__ = ["Arrival", "TwinTurn", "Twins"]

_SECONDS = 10.0  # after an answer, in which the other event of the same call arrives
_MOST = 1_000  # events whose other one may still arrive
_LOOK = 0.25  # seconds between two looks at whether somebody still waits


class Arrival(Struct, frozen=True):
    """How an event came: by which entry, and under which name of the host's own."""

    entry: str
    native: str


class _SharedEvent:
    """An event that is being judged or was judged just now, and the arrivals by which it has come."""

    def __init__(self, arrival: Arrival) -> None:
        self.arrivals = {arrival}
        self.over = threading.Event()
        self.reply: Reply | None = None  # None: it could not be judged
        self.until: float | None = None

    def is_late(self, now: float) -> bool:
        return self.until is not None and now > self.until


class TwinTurn:
    """What an event finds when it arrives: nothing, or the same one, which has come by another arrival."""

    def __init__(self, twins: Twins, event: Event, project: str, own: _SharedEvent, first: _SharedEvent | None) -> None:
        self._twins = twins
        self._event = event
        self._project = project
        self._own = own
        self.first = first

    def wait(self, is_over: Callable[[], bool]) -> Verdict | None:
        """The verdict on the event that came first; None if it has none, or nobody waits any longer."""
        if self.first is None:
            return None
        while not self.first.over.wait(_LOOK):
            if is_over():
                return None
        reply = self.first.reply
        return None if reply is None else _for_twin(self._event, reply)

    def tell(self, reply: Reply) -> None:
        """Keep the answer for the other event, which may arrive as this one was changed by the answer to it."""
        self._own.reply = reply
        self._twins.expect(_as_answered(self._event, reply.verdict), self._own, self._project)


class Twins:
    """The events whose other one may arrive by another arrival."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._known: OrderedDict[str, list[_SharedEvent]] = OrderedDict()

    @contextmanager
    def turn(self, event: Event, arrival: Arrival, project: str = "") -> Iterator[TwinTurn]:
        """The turn of one event. Whatever becomes of it, the other one does not wait for longer than it lasts.

        `project`: where the entry says that its host was started. Another project may have another policy.
        """
        own = _SharedEvent(arrival)
        key = _key(event, project)
        with self._lock:
            # Of several calls that are alike, the newest that has not come by this arrival yet.
            known = self._known.get(key, ())
            now = self._clock()
            first = next((one for one in reversed(known) if not one.is_late(now) and arrival not in one.arrivals), None)
            if first is not None:
                first.arrivals.add(arrival)
            else:
                self._keep(key, own)
        try:
            yield TwinTurn(self, event, project, own, first)
        finally:
            own.until = self._clock() + _SECONDS
            own.over.set()

    def expect(self, event: Event, answered: _SharedEvent, project: str) -> None:
        """Know an event by what it looks like after its answer, too."""
        with self._lock:
            self._keep(_key(event, project), answered)

    def _keep(self, key: str, answered: _SharedEvent) -> None:
        now = self._clock()
        kept = [one for one in self._known.get(key, ()) if not one.is_late(now) and one is not answered]
        self._known[key] = [*kept, answered]
        self._known.move_to_end(key)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)


def _key(event: Event, project: str) -> str:
    """What two events about one thing have in common. Ids, times and modes may be in one and not in the other."""
    parts: tuple[object, ...] = (event.hook_event_name, event.session_id, event.agent_id, event.cwd, project)
    if isinstance(event, ToolEvent):
        parts += (event.tool_name, event.tool_input)
        parts += (event.tool_response,) if isinstance(event, PostToolUse) else ()
    else:
        parts += (payload_of(replace(event, extra={})),)
    return hashlib.sha256(json.encode(parts, order="sorted")).hexdigest()


def _as_answered(event: Event, verdict: Verdict) -> Event:
    """The event as the host would raise it after it has carried out the verdict."""
    if isinstance(event, PreToolUse):
        return replace(event, tool_input=verdict.input)
    if isinstance(event, PostToolUse) and (text := text_instead(verdict, event)) is not None:
        return replace(event, tool_response=text)
    return event


def _for_twin(event: Event, reply: Reply) -> Verdict:
    """The verdict for the event that came second: what was changed or said by the first answer is not repeated."""
    verdict = reply.verdict if reply.meant is None else reply.meant
    if isinstance(event, PreToolUse) and event.tool_input == verdict.input:
        verdict = replace(verdict, changes=(), original=verdict.input)
    unsaid = any(loss.effect == "context" for loss in reply.verdict.lowered)
    return replace(verdict, notices=(), context=verdict.context if unsaid else ())
