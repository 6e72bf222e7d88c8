"""Play a story: each call is judged, waits for a person if a rule asks, and is recorded with its result."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.approvals.inbox import Inbox
from interlock.demonstration.story import DemoCall, StorySession
from interlock.judging.asking import Asks
from interlock.judging.guard import Guard
from interlock.judging.in_force import policies_in_force
from interlock.probe.world import Machine
from interlock.service import Reply, respond
from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.base import Store

__all__ = ["DemoMoment", "Player"]

JsonObject: TypeAlias = dict[str, Any]
HOST = "claude-code"
_WAIT = 480.0  # seconds for an answer
_PERSON = "you"
_ANSWER_AFTER = 9.0  # seconds, in the past


class DemoMoment(Struct, frozen=True):
    """What just happened: a call, and what was decided about it."""

    at: datetime
    session: str
    call: DemoCall
    verdict: str


class DemoMachine(Machine):
    """The machine at another time: what lies in the past is judged and recorded as of then."""

    behind = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) - self.behind


class Player:
    """Plays sessions of an agent in one project into a store."""

    def __init__(self, project: Path, store: Store, show: Callable[[DemoMoment], None] = lambda scene: None) -> None:
        self._project = project
        self._store = store
        self._show = show
        self._machine = DemoMachine(str(project))
        policies = policies_in_force(project).policies
        self._guard = Guard(policies, self._machine, store, project=str(project), alone=True)
        self._inbox = Inbox(lambda: store)
        self._over = threading.Event()

    def close(self) -> None:
        """End every session that plays."""
        self._over.set()
        self._guard.close()

    def play(self, told: StorySession, pause: float = 1.5) -> None:
        """Play a session now, waiting a little between calls, and for as long as a person needs to answer."""
        session = _new_id()
        self._event(session, "SessionStart", source="startup")
        self._event(session, "UserPromptSubmit", prompt=told.prompt)
        for call in told.calls:
            others = [threading.Thread(target=self._live, args=(session, one, pause)) for one in call.beside]
            for other in others:
                other.start()
            self._live(session, call, pause)
            for other in others:
                other.join()
            if self._over.is_set():
                return
        self._event(session, "Stop", stop_hook_active=False)
        self._event(session, "SessionEnd", reason="other")

    def remember(self, told: StorySession, then: datetime) -> None:
        """Put a session of the past into the record, with the answers that a person gave then."""
        session = _new_id()
        self._machine.behind = datetime.now(UTC) - then
        try:
            self._event(session, "SessionStart", source="startup")
            self._event(session, "UserPromptSubmit", prompt=told.prompt)
            for call in told.calls:
                self._past(session, call)
            self._event(session, "Stop", stop_hook_active=False)
            self._event(session, "SessionEnd", reason="other")
        finally:
            self._machine.behind = timedelta()

    # --- one call ----------------------------------------------------------------------------------------------

    def _live(self, session: str, call: DemoCall, pause: float) -> None:
        if self._over.wait(pause):
            return
        self._call(session, call, self._wait_for_person)
        if self._over.wait(pause / 2):
            return

    def _past(self, session: str, call: DemoCall) -> None:
        self._machine.behind -= timedelta(seconds=40)
        self._call(session, call, lambda request: self._answer_then(request, call))

    def _call(self, session: str, call: DemoCall, wait: Callable[[str], ApprovalRequest]) -> None:
        fields = {
            "tool_name": call.tool,
            "tool_input": self._input(call),
            "tool_use_id": f"toolu_{secrets.token_hex(6)}",
        }
        if call.agent is not None:
            fields |= {"agent_id": f"{session}/{call.agent}", "agent_type": call.agent}
        asks = Asks(way="inbox", seconds=_WAIT)
        reply = self._event(session, "PreToolUse", asks, **fields)
        if reply.request is not None:
            self._tell(session, call, "ask")
            reply = self._event(session, "PreToolUse", replace(asks, answer=wait(reply.request)), **fields)
        verdict = reply.verdict.decision or "none"
        self._tell(session, call, verdict)
        if verdict in ("deny", "ask"):
            for other in call.instead:
                self._call(session, other, wait)
            return
        ran: JsonObject = {**fields, "tool_input": reply.verdict.input or fields["tool_input"]}
        self._event(session, "PostToolUse", **ran, tool_response=call.response)

    def _wait_for_person(self, request: str) -> ApprovalRequest:
        return self._inbox.wait(request, self._over.is_set)

    def _answer_then(self, id: str, call: DemoCall) -> ApprovalRequest:
        request = self._store.request(id)
        if request is None:
            raise LookupError(id)
        if call.said == "nothing":
            self._machine.behind -= timedelta(seconds=_WAIT)
            return request
        self._machine.behind -= timedelta(seconds=_ANSWER_AFTER)
        said = RequestAnswer(yes=call.said == "yes", by=_PERSON, at=request.at + _ANSWER_AFTER, note=call.note)
        return self._store.answer_request(id, said)

    def _input(self, call: DemoCall) -> JsonObject:
        if "file_path" not in call.input:
            return call.input
        return {**call.input, "file_path": str(self._project / call.input["file_path"])}

    def _event(self, session: str, name: str, asks: Asks | None = None, **fields: Any) -> Reply:
        base = {"session_id": session, "transcript_path": "", "cwd": str(self._project), "permission_mode": "default"}
        raw = json.encode({**base, "hook_event_name": name, **fields})
        if asks is None:
            return respond(HOST, raw, lambda event: self._guard.sitting(event))
        return respond(HOST, raw, lambda event: self._guard.sitting(event, asks=asks))

    def _tell(self, session: str, call: DemoCall, verdict: str) -> None:
        if not self._machine.behind and not self._over.is_set():
            self._show(DemoMoment(datetime.now(UTC), session, call, verdict))


def _new_id() -> str:
    return f"demo-{secrets.token_hex(4)}"
