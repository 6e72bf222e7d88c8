"""Calls about which a host raises two events before they run, and what is left to the second one.

At the first event, some hosts ask nobody, or do not say which server's tool is called. That is left to the second one,
where it is sure to come: the host runs Interlock's own entries, and has raised a second event before, or there is an
entry for it. If a result comes without it all the same, nothing more is left to it in that process of the host.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.daemon.frames import HookRequest
from interlock.daemon.peers import Process
from interlock.errors import InterlockError
from interlock.event import Event, PostToolUse, PostToolUseFailure, PreToolUse, ToolEvent
from interlock.hosts import Host, dialect_of, host_of
from interlock.hosts.base.installing import HostSpot, has_entry
from interlock.hosts.base.reply import NothingToJudge, Reply
from interlock.hosts.base.table import HOST_EVENT, HookRow, TableDialect
from interlock.verdict import Verdict

__all__ = ["Half", "Halves"]

_MOST = 10_000  # calls of which something is still to come, and processes of hosts
_MOST_ALIKE = 100  # calls of one tool in one session whose second event has not come
_RESULTS = (PostToolUse, PostToolUseFailure)


class _Call(Struct):
    """A call of which the first event has come."""

    id: str  # which only the first event and the result have
    then: str  # the host's name of the second event
    key: bytes  # its input, as the host was told
    left: bool  # something was left to the second event
    tool: str = ""  # as the second event has named it; empty until then


class Half:
    """One event as it is judged, with what the other one about its call has said."""

    def __init__(self, halves: Halves, request: HookRequest, event: Event, row: HookRow | None) -> None:
        self._halves = halves
        self._event = event
        self._row = row
        self.request = request
        self.reply: Reply | None = None  # everything is left to the second event

    def answered(self, reply: Reply) -> None:
        """Expect the second event about a call that was not denied."""
        row, event = self._row, self._event
        if row is not None and row.then and isinstance(event, PreToolUse) and reply.verdict.decision != "deny":
            left = row.unsure or reply.verdict.decision == "ask"
            self._halves.expect(event, reply.verdict.input, row.then, left=left)


class Halves:
    """The calls of which one event has come, and the processes that raise both."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: OrderedDict[tuple[str, str], list[_Call]] = OrderedDict()  # for the second event
        self._calls: OrderedDict[tuple[str, str], _Call] = OrderedDict()  # by session and id
        self._own: OrderedDict[Process | None, dict[str, bool]] = OrderedDict()
        """The processes that run entries of their own: whether each second event came when it was due."""

    def take(self, request: HookRequest, event: Event, host: Process | None) -> Half:
        """An event that came from this process: what of it is known, what is left, and why it cannot be judged."""
        dialect = dialect_of(request.host)
        row = dialect.row_of(event) if isinstance(dialect, TableDialect) else None
        half = Half(self, request, event, row)
        if row is None or not isinstance(dialect, TableDialect):
            return half
        if request.entry == request.host:
            self._see_own_entry(host)
        if isinstance(event, _RESULTS):
            half.request = replace(request, problem=self._problem_of(event, row, host))
        elif isinstance(event, PreToolUse) and dialect.is_second(event):
            half.request = replace(request, call=self._meet(event, host))
        elif isinstance(event, PreToolUse) and row.unsure:
            if self._will_come(request, event, row, host):
                half.reply = dialect.encode(event, Verdict(original=event.tool_input, input=event.tool_input))
                half.answered(half.reply)
            else:
                half.request = replace(request, problem=_unsure(request.host))
        return half

    def asks(self, request: HookRequest, host: Process | None) -> bool:
        """Whether the host asks a person at this event, or at the second one about the call."""
        dialect = dialect_of(request.host)
        if not isinstance(dialect, TableDialect):
            return True
        try:
            event = dialect.decode(request.raw)
        except (InterlockError, NothingToJudge):
            return True  # it is refused
        row = dialect.row_of(event)
        if row is None or not row.then:
            return row is None or "ask" in row.honours
        return "ask" in row.honours and self._will_come(request, event, row, host)

    def name(self, event: Event) -> Event:
        """A result, with the name of the tool that the second event of its call has given."""
        if not isinstance(event, _RESULTS):
            return event
        with self._lock:
            call = self._calls.get((event.session_id, event.tool_use_id))
        return event if call is None or not call.tool else replace(event, tool_name=call.tool)

    def expect(self, event: PreToolUse, running: dict[str, object], then: str, *, left: bool) -> None:
        """Expect the second event about a call. `running` is its input as the host was told."""
        place = (event.session_id, event.tool_use_id)
        with self._lock:
            known = self._calls.get(place)
            if known is not None:  # by another entry
                known.left = known.left or left
                return
            call = _Call(event.tool_use_id, then, _key(running), left)
            self._calls[place] = call
            waiting = self._waiting.setdefault(_tool(event), [])
            waiting.append(call)
            del waiting[:-_MOST_ALIKE]
            for held in (self._calls, self._waiting):
                if len(held) > _MOST:
                    held.popitem(last=False)

    def _see_own_entry(self, host: Process | None) -> None:
        """Note that a process runs an entry that was made for it, and so all that are in its file."""
        with self._lock:
            self._own.setdefault(host, {})
            if len(self._own) > _MOST:
                self._own.popitem(last=False)

    def _will_come(self, request: HookRequest, event: Event, row: HookRow, host: Process | None) -> bool:
        with self._lock:
            known = self._own.get(host)
            came = None if known is None else known.get(row.then)
        if known is None or came is not None:
            return bool(came)
        return _has_entry(host_of(request.host), event.cwd, row.then)

    def _meet(self, event: PreToolUse, host: Process | None) -> str:
        """The id of the call that a second event is about; empty if the first one is not known."""
        key = _key(event.tool_input)
        with self._lock:
            if host in self._own:
                self._own[host].setdefault(event.extra[HOST_EVENT], True)
            waiting = self._waiting.get(_tool(event), [])
            # Another hook may have changed the input since. Then it is the newest of that tool.
            call = next((one for one in waiting if one.key == key), waiting[-1] if waiting else None)
            if call is None:
                return ""
            waiting.remove(call)
            call.tool = event.tool_name
            return call.id

    def _problem_of(self, event: PostToolUse | PostToolUseFailure, row: HookRow, host: Process | None) -> str:
        """Why a result cannot be judged; empty if it can."""
        with self._lock:
            call = self._calls.get((event.session_id, event.tool_use_id))
            if call is not None and not call.tool:
                self._own.setdefault(host, {})[call.then] = False
                if call.left:
                    return "Interlock was asked about this call once and not a second time, and the call ran"
            if row.unsure and (call is None or not call.tool):
                return "it cannot be told which server's tool this is a result of"
            return ""


def _has_entry(host: Host, cwd: str, key: str) -> bool:
    """Whether there is an entry for an event: in the person's file, or in that of a project around a folder."""
    if host.setup is None:
        return False
    folder, home = Path(cwd), Path.home()
    spots = [HostSpot(host=host, scope="project", root=root, home=home) for root in (folder, *folder.parents)]
    spots.append(HostSpot(host=host, scope="user", root=folder, home=home))
    return any(has_entry(spot, key) for spot in spots if spot.scope in host.setup.scopes)


def _unsure(host: str) -> str:
    title = host_of(host).title
    return (
        f"{title} does not say which server's tool this is, and Interlock's entry that would be told does not run. A "
        f"person can put it in place: interlock init --host {host}"
    )


def _tool(event: ToolEvent) -> tuple[str, str]:
    return event.session_id, str(event.extra.get("host_tool", event.tool_name))


def _key(given: dict[str, object]) -> bytes:
    return json.encode(given, order="sorted")
