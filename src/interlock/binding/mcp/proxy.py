"""What happens to each message: the proxy as a state machine, without files, processes or threads of its own."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from interlock.binding.mcp.asking import CallApprover, elicitation, is_yes, may_elicit, question_about
from interlock.binding.mcp.judging import Ruling, ServerCall, ServerJudge, digest_of
from interlock.binding.mcp.lane import Lane
from interlock.binding.mcp.lines import TooLong
from interlock.binding.mcp.listing import Listing
from interlock.binding.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    Batch,
    Id,
    Key,
    Message,
    error_line,
    find_id,
    key_of,
    read_message,
    request_line,
    result_line,
    with_params,
)
from interlock.binding.mcp.requests import AwaitingCall, Open, call_in, carries_task, in_place_of, meta_of, read_parts
from interlock.binding.mcp.responses import JUDGED, Responses
from interlock.errors import InterlockError
from interlock.judging.asking import BY_HOST, Asks
from interlock.store.asking import ApprovalRequest

__all__ = ["Proxy", "Wires"]

JsonObject: TypeAlias = dict[str, Any]
T = TypeVar("T")

PATIENCE = 1.0  # seconds that a message being judged holds back those behind it
ASK_SECONDS = 300.0
_MOST_HELD = 1_000
_STATE = "interlock:"  # the beginning of a question's state, if the client carries it
_INPUT = "interlock"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


class Wires(Protocol):
    """What the proxy needs from outside."""

    def to_client(self, data: bytes) -> None: ...

    def to_server(self, data: bytes) -> None: ...

    def work(self, task: Callable[[], T], then: Callable[[T], None]) -> None:
        """Do something slow elsewhere, and continue here with its result."""

    def wait(self, task: Callable[[], T], then: Callable[[T], None]) -> None:
        """The same, for something that may take minutes."""

    def now(self) -> float: ...


class Proxy:
    """One client, one server, and the policies between them. All methods are called from one thread."""

    def __init__(self, judge: ServerJudge, listing: Listing, approver: CallApprover | None, wires: Wires) -> None:
        self._judge = judge
        self._listing = listing
        self._responses = Responses(judge, listing)
        self._approver = approver
        self._wires = wires
        self._up = Lane(wires.to_server, PATIENCE)
        self._down = Lane(wires.to_client, PATIENCE)
        self._open: dict[Key, Open] = {}
        self._questions: dict[str, Open] = {}
        self._held: dict[str, AwaitingCall] = {}
        self._capabilities: Any = None

    # --- from the client -------------------------------------------------------------------------------------

    def from_client(self, line: bytes | TooLong) -> None:
        """Judge, refuse or pass on one line from the client."""
        if isinstance(line, TooLong):
            self._refuse(find_id(line.head, line.tail), PARSE_ERROR, f"a message of {line.size:,} bytes is too large")
            return
        if not line.strip():
            return
        try:
            message = read_message(line)
            parts = [message] if isinstance(message, Message) else read_parts(message)
        except InterlockError as error:
            self._refuse(find_id(line[:1024], line[-1024:]), PARSE_ERROR, f"this message is refused: {error.message}")
            return
        if isinstance(message, Batch) and not any(self._concerns_us(part) for part in parts):
            for part in parts:
                self._track(part)
            self._up.push(line)
            return
        for part in parts:
            self._take(part)

    def _concerns_us(self, message: Message) -> bool:
        if message.kind == "response":
            return message.id in self._questions
        return message.method in ("tools/call", "notifications/cancelled") or self._is_taken(message)

    def _take(self, message: Message) -> None:
        if message.kind == "response":
            asked = self._questions.pop(message.id, None) if isinstance(message.id, str) else None
            if asked is None:
                self._up.push(message.line)
            else:
                self._on_answer(asked, message.value.get("result"))
        elif message.kind == "notification":
            self._on_notification(message)
        elif self._is_taken(message):
            self._refuse(message.id, INVALID_REQUEST, "a request with this id is open already")
        elif message.method == "tools/call":
            self._on_call(message)
        else:
            self._track(message)
            self._up.push(message.line)

    def _is_taken(self, message: Message) -> bool:
        if message.kind != "request" or message.id is None:
            return False
        before = self._open.get(key_of(message.id, self._open))
        return before is not None and not before.is_cancelled

    def _track(self, message: Message) -> None:
        """Remember a request that is passed on, because its answer must be judged or at least expected."""
        if message.kind != "request" or message.id is None:
            return
        params = message.params if isinstance(message.params, dict) else {}
        if message.method == "initialize":
            self._capabilities = params.get("capabilities")
        self._open[key_of(message.id)] = Open(message.id, message.method, params=params, is_sent=True)

    def _on_notification(self, message: Message) -> None:
        if message.method == "tools/call":
            self._note("the client sent a call without an id, so it could not be answered; it was dropped")
        elif message.method == "notifications/cancelled":
            self._on_cancel(message)
        else:
            self._up.push(message.line)

    def _on_cancel(self, message: Message) -> None:
        params = message.params if isinstance(message.params, dict) else {}
        id_ = params.get("requestId")
        key = key_of(id_, self._open) if isinstance(id_, int | float | str) else None
        request = self._open.get(key) if key is not None else None
        if request is not None:
            request.is_cancelled = True
        if request is None or request.is_sent:
            self._up.push(message.line)
            return
        # The server has never seen the call, so there is nothing to cancel there.
        self._close_question(request, "the call was cancelled")
        self._leave_inbox(request, stays_open=True)
        if request.place is not None:
            request.place.drop()
        self._forget(request)

    def _refuse(self, id_: Id | None, code: int, why: str) -> None:
        self._note(f"refused a message of the client: {why}")
        self._down.push(error_line(id_, code, f"Interlock: {why}"))

    # --- calls -----------------------------------------------------------------------------------------------

    def _on_call(self, message: Message) -> None:
        assert message.id is not None  # noqa: S101 - a request has one
        try:
            params, name, arguments = call_in(message)
        except InterlockError as error:
            self._refuse(message.id, INVALID_PARAMS, f"this call is refused: {error.message}")
            return
        state = params.get("requestState")
        if isinstance(state, str) and state.startswith(_STATE):
            self._on_retry(message, params, name, arguments, state)
            return
        call = self._judge.new_call(name, arguments)
        request = self._hold(message, params, call)
        changed = self._listing.refuses(name)
        if changed is not None:
            self._note(changed)
            self._deny(request, changed)
            return
        request.asks = self._asks(request)
        self._wires.work(partial(self._judge.call, call, request.asks), partial(self._on_ruling, request))

    def _asks(self, request: Open) -> Asks:
        """How a person is asked: by the client or at the terminal if that can be done, else in the inbox."""
        if not self._judge.has_inbox:
            return BY_HOST
        can_ask = self._can_elicit(request) or self._approver is not None
        return Asks(way="host" if can_ask else "inbox", seconds=ASK_SECONDS, beside=True)

    def _can_elicit(self, request: Open) -> bool:
        declared = meta_of(request.params).get(_CAPABILITIES) if request.is_modern else self._capabilities
        return may_elicit(declared)

    def _hold(self, message: Message, params: JsonObject, call: ServerCall) -> Open:
        assert message.id is not None  # noqa: S101 - a request has one
        place = self._up.hold(self._wires.now())
        request = Open(message.id, message.method, message.line, params, call, place=place)
        self._open[key_of(message.id)] = request
        return request

    def _on_ruling(self, request: Open, ruling: Ruling) -> None:
        request.inbox = ruling.request
        if request.is_cancelled:
            self._leave_inbox(request, stays_open=True)
            return
        name = request.call.name if request.call is not None else ""
        if ruling.decision != "deny" and (question := self._listing.question_about(name)) is not None:
            ruling = replace(ruling, decision="ask", reason=f"{ruling.reason} {question}".strip())
        request.ruling = ruling
        if ruling.decision == "deny":
            self._deny(request, ruling.reason)
        elif ruling.decision == "run":
            self._run(request, ruling)
        else:
            assert request.call is not None  # noqa: S101 - it is a held call
            assert request.place is not None  # noqa: S101
            self._up.leave(request.place)
            judging = partial(self._judge.permission, request.call, ruling)
            self._wires.work(judging, partial(self._must_ask, request))

    def _run(self, request: Open, ruling: Ruling) -> None:
        request.ruling, request.is_sent = ruling, True
        if request.call is not None:
            self._listing.accept(request.call.name)
        changes: JsonObject = {"arguments": ruling.arguments} if ruling.is_changed else {}
        line = with_params(request.line, changes) if changes else request.line
        assert request.place is not None  # noqa: S101 - it was held
        request.place.fill(line)

    def _deny(self, request: Open, why: str) -> None:
        if request.place is not None:
            request.place.drop()
        self._forget(request)
        if "task" in request.params:  # the client waits for a task, and would not understand a result
            self._down.push(error_line(request.id, INTERNAL_ERROR, why))
            return
        kind = {"resultType": "complete"} if request.is_modern else {}
        denied = {"content": [{"type": "text", "text": why}], "isError": True, **kind}
        self._down.push(result_line(request.id, denied))

    def _forget(self, request: Open) -> None:
        key = key_of(request.id)
        if self._open.get(key) is request:
            del self._open[key]

    # --- asking ----------------------------------------------------------------------------------------------

    def _must_ask(self, request: Open, ruling: Ruling) -> None:
        if request.is_cancelled:
            self._leave_inbox(request, stays_open=True)
            return
        if ruling.decision != "ask":
            self._leave_inbox(request)
        if ruling.decision == "deny":
            self._deny(request, ruling.reason)
        elif ruling.decision == "run":
            self._run(request, ruling)
        elif request.inbox is not None and ruling.way == "inbox":
            self._ask_in_inbox(request)
        elif request.is_modern and self._can_elicit(request):
            self._leave_inbox(request)  # the client's request ends with the question, so nothing can wait beside it
            self._ask_by_retry(request, ruling)
        else:
            if request.inbox is not None:
                self._ask_in_inbox(request)
            if self._can_elicit(request):
                self._ask_client(request, ruling)
            elif self._approver is not None or request.inbox is None:
                self._ask_elsewhere(request, ruling)

    def _ask_in_inbox(self, request: Open) -> None:
        assert request.call is not None  # noqa: S101 - only calls are asked about
        assert request.inbox is not None  # noqa: S101
        request.over = request.over or threading.Event()
        wait = partial(self._judge.inbox_answer, request.call, request.inbox, request.over)
        self._wires.wait(wait, partial(self._on_inbox, request))

    def _on_inbox(self, request: Open, answer: ApprovalRequest | str) -> None:
        if request.is_cancelled or request.inbox is None or self._open.get(key_of(request.id)) is not request:
            return  # it was decided elsewhere
        is_answer = isinstance(answer, ApprovalRequest) and answer.status in ("yes", "no")
        if not is_answer and (request.question or request.until):
            return  # somebody else is being asked, too
        assert request.call is not None  # noqa: S101 - only calls are asked about
        request.inbox = None
        self._close_question(request, "it was answered elsewhere")
        request.question, request.until, request.over = "", 0.0, None
        settle = partial(self._judge.settle, request.call, request.asks, answer)
        self._wires.work(settle, partial(self._on_settled, request))

    def _on_settled(self, request: Open, ruling: Ruling) -> None:
        request.inbox = ruling.request
        if request.is_cancelled:
            self._leave_inbox(request, stays_open=True)
        elif request.inbox is not None:
            request.ruling = ruling
            self._ask_in_inbox(request)  # something else has to be asked by now
        elif ruling.decision == "run":
            self._run(request, ruling)
        else:
            self._deny(request, ruling.reason)

    def _leave_inbox(self, request: Open, *, stays_open: bool = False) -> None:
        """Nobody waits any more for an answer in the inbox."""
        if request.inbox is not None:
            id_, request.inbox = request.inbox, None
            if request.over is not None:
                request.over.set()
            self._wires.work(partial(self._judge.drop, id_, stays_open=stays_open), _nothing)

    def _ask_client(self, request: Open, ruling: Ruling) -> None:
        assert request.call is not None  # noqa: S101 - only calls are asked about
        request.question = f"interlock-{secrets.token_urlsafe(12)}"
        request.until = self._wires.now() + ASK_SECONDS
        self._questions[request.question] = request
        asked = elicitation(question_about(request.call, ruling))
        self._down.push(request_line(request.question, "elicitation/create", asked))

    def _ask_by_retry(self, request: Open, ruling: Ruling) -> None:
        assert request.call is not None  # noqa: S101 - only calls are asked about
        state = _STATE + secrets.token_urlsafe(24)
        if len(self._held) >= _MOST_HELD:
            self._held.pop(next(iter(self._held)))
        self._held[state] = AwaitingCall(request.call, ruling, request.params)
        asked = {"mode": "form", **elicitation(question_about(request.call, ruling))}
        self._finish(request)
        needed = {
            "resultType": "input_required",
            "inputRequests": {_INPUT: {"method": "elicitation/create", "params": asked}},
            "requestState": state,
        }
        self._down.push(result_line(request.id, needed))

    def _on_retry(self, message: Message, params: JsonObject, name: str, arguments: JsonObject, state: str) -> None:
        held = self._held.pop(state, None)
        if held is None:
            self._refuse(message.id, INVALID_PARAMS, "this question is not open any more")
            return
        request = self._hold(message, params, held.call)
        request.ruling = held.ruling
        # The server gets what the client first sent, and nothing of the exchange between client and proxy.
        before = {key: held.params.get(key, UNSET) for key in ("requestState", "inputResponses")}
        request.line = with_params(message.line, before)
        if digest_of(name, arguments) != digest_of(held.call.name, held.call.arguments):
            self._deny(request, "This answer is about another call: it was given for other arguments.")
            return
        answers = params.get("inputResponses")
        self._on_answer(request, answers.get(_INPUT) if isinstance(answers, dict) else None)

    def _ask_elsewhere(self, request: Open, ruling: Ruling) -> None:
        assert request.call is not None  # noqa: S101 - only calls are asked about
        if self._approver is None:
            why = "This call needs a person's approval, and no one can be asked here: the client shows no questions "
            self._deny(request, f"{why}and there is no terminal. {ruling.reason}".strip())
            return
        request.over = request.over or threading.Event()
        request.until = self._wires.now() + ASK_SECONDS
        question = question_about(request.call, ruling)
        ask = partial(self._approver.approve, question, request.over)
        self._wires.wait(ask, partial(self._on_approval, request, ruling))

    def _on_approval(self, request: Open, ruling: Ruling, yes: bool | None) -> None:
        if request.is_cancelled or self._open.get(key_of(request.id)) is not request:
            return
        if yes is None and request.inbox is not None:
            request.until = 0.0  # a person may still answer in the inbox
            return
        if yes is None:
            why = "This call needs a person's approval, and no one answered at the terminal. "
            self._deny(request, (why + ruling.reason).strip())
            return
        self._on_decision(request, ruling, "accept" if yes else "decline", "at the terminal")

    def _on_answer(self, request: Open, answer: Any) -> None:
        if request.is_cancelled or request.ruling is None:
            return
        action = answer.get("action") if isinstance(answer, dict) else None
        refused = action if action in ("decline", "cancel") else "decline"
        self._on_decision(request, request.ruling, "accept" if is_yes(answer) else refused, "by the client")

    def _on_decision(self, request: Open, ruling: Ruling, action: str, how: str) -> None:
        assert request.call is not None  # noqa: S101 - only calls are asked about
        request.until = 0.0
        self._leave_inbox(request)
        record = partial(self._judge.answered, request.call, ruling, action, how)
        self._wires.work(record, partial(self._settle, request, action))

    def _settle(self, request: Open, action: str, ruling: Ruling) -> None:
        if request.is_cancelled:
            return
        if ruling.decision == "deny":
            self._deny(request, ruling.reason)
        elif action == "accept":
            self._run(request, ruling)
        else:
            self._deny(request, f"A person was asked about this call and did not agree. {ruling.reason}".strip())

    def _close_question(self, request: Open, why: str) -> None:
        if request.over is not None:
            request.over.set()
        if self._questions.pop(request.question, None) is not None:
            gone = {"requestId": request.question, "reason": why}
            self._down.push(request_line(None, "notifications/cancelled", gone))

    # --- from the server -------------------------------------------------------------------------------------

    def from_server(self, line: bytes | TooLong) -> None:
        """Judge, drop or pass on one line from the server."""
        if isinstance(line, TooLong):
            self._unreadable(find_id(line.head, line.tail), f"a message of {line.size:,} bytes is too large")
            return
        if not line.strip():
            return
        try:
            message = read_message(line)
            parts = [message] if isinstance(message, Message) else read_parts(message)
        except InterlockError as error:
            self._unreadable(find_id(line[:1024], line[-1024:]), f"not a message: {error.message}")
            return
        if isinstance(message, Batch) and all(self._passes(part) for part in parts):
            for part in parts:
                self._finish_answered(part)
            self._down.push(line)
            return
        for part in parts:
            self._hear(part)

    def _passes(self, message: Message) -> bool:
        """Whether a message of the server goes on as it is."""
        if message.kind != "response":
            return not carries_task(message)
        request = self._open.get(key_of(message.id, self._open)) if message.id is not None else None
        if request is None or not request.is_sent:
            return message.id is None
        return request.method not in JUDGED

    def _finish_answered(self, message: Message) -> None:
        if message.kind == "response" and message.id is not None:
            self._open.pop(key_of(message.id, self._open), None)

    def _hear(self, message: Message) -> None:
        if self._passes(message):
            self._finish_answered(message)
            self._down.push(message.line)
            return
        if message.kind != "response":
            place = self._down.hold(self._wires.now())
            self._wires.work(partial(self._responses.notification, message), place.fill)
            return
        request = self._open.get(key_of(message.id, self._open)) if message.id is not None else None
        if request is None or not request.is_sent:
            self._note(f"the server answered `{message.id}`, but there is no such request; the answer was dropped")
            return
        self._finish(request)
        place = self._down.hold(self._wires.now())
        self._wires.work(partial(self._responses.line, request, message), place.fill)

    def _finish(self, request: Open) -> None:
        if not request.is_sent and request.place is not None:
            request.place.drop()
        self._forget(request)

    def _unreadable(self, id_: Id | None, why: str) -> None:
        self._note(f"dropped a message of the server: {why}")
        request = self._open.get(key_of(id_, self._open)) if id_ is not None else None
        if request is None or not request.is_sent:
            return
        self._finish(request)
        self._lose(request, why)
        self._down.push(in_place_of(request, why))

    # --- time, and the end -----------------------------------------------------------------------------------

    def tick(self) -> float | None:
        """Do what is due, and return the number of seconds until something is due again."""
        now = self._wires.now()
        for request in list(self._open.values()):
            if request.until and request.until <= now:
                self._close_question(request, "no one answered")
                self._leave_inbox(request, stays_open=True)
                reason = request.ruling.reason if request.ruling is not None else ""
                why = f"This call needs a person's approval, and no one answered within {ASK_SECONDS:.0f} s."
                self._deny(request, f"{why} {reason}".strip())
        due = [request.until - now for request in self._open.values() if request.until]
        waits = [wait for lane in (self._up, self._down) if (wait := lane.wait(now)) is not None]
        return min([*due, *waits], default=None)

    @property
    def is_quiet_up(self) -> bool:
        """Whether everything the client sent has gone to the server, except what waits for a person."""
        return self._up.is_empty

    @property
    def is_quiet_down(self) -> bool:
        """Whether everything the server sent has gone to the client."""
        return self._down.is_idle

    @property
    def is_waiting(self) -> bool:
        """Whether the server still has something to answer."""
        return any(request.is_sent and not request.is_cancelled for request in self._open.values())

    def end(self) -> None:
        """The connection is over: no open call gets a result any more, and no held one runs."""
        for request in list(self._open.values()):
            request.is_cancelled = True
            if request.over is not None:
                request.over.set()
            self._leave_inbox(request, stays_open=True)
            if request.is_sent:
                self._lose(request, "the connection ended before there was a result")

    def _lose(self, request: Open, why: str) -> None:
        if request.call is not None and request.ruling is not None:
            self._wires.work(partial(self._judge.lost, request.call, request.ruling.arguments, why), _nothing)

    def _note(self, text: str) -> None:
        self._wires.work(partial(self._judge.note, text), _nothing)


def _nothing(result: None) -> None:
    return None
