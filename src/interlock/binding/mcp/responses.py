"""What the client gets of the server's answers. May run on any thread: it uses only one request and its answer."""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.binding.mcp.judging import Ruling, ServerCall, ServerJudge
from interlock.binding.mcp.listing import Listing
from interlock.binding.mcp.messages import Message
from interlock.binding.mcp.requests import Open, in_place_of, replace_member, task_in
from interlock.binding.mcp.results import is_final, withheld

__all__ = ["JUDGED", "Responses"]

JsonObject: TypeAlias = dict[str, Any]

_MOST_TASKS = 10_000
# Requests whose answers are judged. A task's answers are the result of a call that comes later.
JUDGED = frozenset({"tools/call", "tools/list", "tasks/result", "tasks/get"})


class Responses:
    """Judges answers, and remembers which task belongs to which call."""

    def __init__(self, judge: ServerJudge, listing: Listing) -> None:
        self._judge = judge
        self._listing = listing
        self._tasks: dict[str, tuple[ServerCall, Ruling]] = {}

    def line(self, request: Open, message: Message) -> bytes:
        """The line that the client gets. Runs concurrently with others, and reads only what belongs to this request."""
        try:
            return self._judge_response(request, message)
        except Exception as error:  # noqa: BLE001 - a bug here must not let a result through, nor the client wait
            return in_place_of(request, f"Interlock itself failed: {type(error).__name__}")

    def _judge_response(self, request: Open, message: Message) -> bytes:
        result = message.value.get("result")
        if message.fault is not None:
            return in_place_of(request, f"it cannot be read: {message.fault.message}")
        if not isinstance(result, dict):
            return self._judge_error(request, message)
        if request.method == "tools/list":
            shown = self._listing.filter(result)
        elif request.method == "tools/call":
            shown = self._judge_call(request, result)
        else:
            shown = self._judge_task(request, result)
        return message.line if shown is result else replace_member(message.line, "result", shown)

    def _judge_call(self, request: Open, result: JsonObject) -> JsonObject:
        assert request.call is not None  # noqa: S101 - it was sent
        assert request.ruling is not None  # noqa: S101
        if is_final(result):
            return self._judge.result(request.call, request.ruling.arguments, result, request.ruling.told)
        task = task_in(result)
        if task is not None:
            if len(self._tasks) >= _MOST_TASKS:
                self._tasks.pop(next(iter(self._tasks)), None)
            self._tasks[task] = (request.call, request.ruling)
        return result

    def _judge_task(self, request: Open, result: JsonObject) -> JsonObject:
        """The later result of a call: either the result itself, or inside the state of its task."""
        task = request.params.get("taskId")
        if request.method == "tasks/result":
            return self._judge_late(task, result)
        return self._judge_within(task, result)

    def _judge_within(self, task: Any, holder: JsonObject) -> JsonObject:
        if isinstance(holder.get("result"), dict):
            return {**holder, "result": self._judge_late(task, holder["result"])}
        known = self._tasks.get(task) if isinstance(task, str) else None
        if isinstance(holder.get("error"), dict) and known is not None:
            return {**holder, "error": self._judge.error(known[0], known[1].arguments, holder["error"])}
        return holder

    def _judge_late(self, task: Any, result: JsonObject) -> JsonObject:
        known = self._tasks.get(task) if isinstance(task, str) else None
        if known is None:
            return withheld(result, "this is the result of a call that was not made here")
        return self._judge.result(known[0], known[1].arguments, result, known[1].told)

    def _judge_error(self, request: Open, message: Message) -> bytes:
        error = message.value.get("error")
        if request.method != "tools/call" or request.call is None or request.ruling is None:
            return message.line
        if not isinstance(error, dict):
            return in_place_of(request, "it is neither a result nor an error")
        shown = self._judge.error(request.call, request.ruling.arguments, error)
        return message.line if shown is error else replace_member(message.line, "error", shown)

    def notification(self, message: Message) -> bytes:
        """A notification from the server about a task, which may contain its result."""
        try:
            within = self._judge_within(message.params.get("taskId"), message.params)
            return replace_member(message.line, "params", within)
        except Exception as error:  # noqa: BLE001 - as above; the client can still ask for the result
            self._judge.note(f"a task's result was dropped: {type(error).__name__}")
            return b""
