"""One call of a framework through a gate: its result or the replacement, or what the model reads instead."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from msgspec import Struct, json
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interlock.approvals.approval import Request
from interlock.errors import InterlockError, text_of
from interlock.gate.errors import Denied, NotApproved, TurnOver, Withheld
from interlock.gate.gate import Gate
from interlock.gate.life import Life, Outcome
from interlock.hooks.opinions import is_json
from interlock.jsontext import read_value
from interlock.verdict import Verdict

__all__ = [
    "UNASKED",
    "Names",
    "PauseSignal",
    "ToolAnswer",
    "answer_of",
    "finish_call",
    "plain_value",
    "question_text",
    "refusal_of",
    "refuse_unguarded",
    "result_text",
]

JsonObject: TypeAlias = dict[str, Any]
Names: TypeAlias = Mapping[str, str]
"""The name that a policy knows a tool by, if it is not the framework's."""

UNASKED = (
    "no person was asked about this very call, for the reasons that there are now; a yes to another question, or to "
    "every call of the tool, does not count"
)
Run: TypeAlias = Callable[[JsonObject], Any]
Readable: TypeAlias = Callable[[Any], Any]


class PauseSignal(BaseException):
    """Carries an exception of the framework out of a tool: the tool has stopped for a while, and has not failed.

    `comes_again` says that the framework will make the same call again, so that an answer about it still counts.
    """

    def __init__(self, error: BaseException, *, comes_again: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.comes_again = comes_again


class ToolAnswer(Struct, frozen=True, kw_only=True):
    """What the framework is told about one call."""

    result: Any = None  # as the tool returned it, or a JSON value in its place
    is_replaced: bool = False
    refusal: str | None = None  # what the model reads instead of a result
    context: str = ""  # what the model is told beside it


async def answer_of(
    gate: Gate, life: Life, given: Any, run: Run, readable: Readable, *, inline: bool = False
) -> ToolAnswer:
    """Judge a call, run it if it may run, and judge its result.

    `run` runs the tool with an input, and `readable` is its result as a JSON value, as the model would read it. Raises
    TurnOver, what the tool raises, and what the framework raises to pause.
    """
    try:
        running = await life.permit(given)
    except Denied as denied:
        return refusal_of(gate, denied.reason, denied.verdict, told=not isinstance(denied, NotApproved))
    except InterlockError as error:  # the input is not JSON, so that nothing can judge it
        return ToolAnswer(refusal=error.in_one_line())
    return await finish_call(gate, life, running, run, readable, inline=inline)


class _Turn:
    """What a call's tool does meanwhile. An agent inside it may be told that the turn ends, and keep it to itself."""

    def __init__(self) -> None:
        self.outer = _turn.get()
        self.over: str | None = None


_turn: ContextVar[_Turn | None] = ContextVar("_turn", default=None)


def turn_over(reason: str) -> TurnOver:
    """The end of the turn, also for the calls in whose tools this happens, whatever becomes of the exception."""
    turn = _turn.get()
    while turn is not None:
        turn.over = reason
        turn = turn.outer
    return TurnOver(reason)


@contextmanager
def _inside(gate: Gate, life: Life, turn: _Turn) -> Iterator[None]:
    """While the tool runs: its own calls are of the same session, and may end the same turn."""
    token = _turn.set(turn)
    try:
        with gate.running(life):
            yield
    finally:
        _turn.reset(token)


async def finish_call(
    gate: Gate, life: Life, running: JsonObject, run: Run, readable: Readable, *, inline: bool = False
) -> ToolAnswer:
    """Run a call that may run, and judge its result."""
    turn = _Turn()
    try:
        answer = await _finish(gate, life, running, run, readable, turn, inline=inline)
    except Exception as error:
        if turn.over is None or isinstance(error, TurnOver):
            raise
        raise TurnOver(turn.over) from error
    if turn.over is not None:
        raise TurnOver(turn.over)
    return answer


async def _finish(
    gate: Gate, life: Life, running: JsonObject, run: Run, readable: Readable, turn: _Turn, *, inline: bool
) -> ToolAnswer:
    results: list[tuple[Any, Any]] = []

    def keep(result: Any) -> Any:
        result = list(result) if isinstance(result, Iterator) else result  # which could be read only once
        results.append((result, readable(result)))
        return results[-1][1]

    def run_inline(given: JsonObject) -> Any:
        with _inside(gate, life, turn):
            return keep(run(given))

    async def run_on_loop(given: JsonObject) -> Any:
        with _inside(gate, life, turn):
            result = run(given)
            return keep(await result if inspect.isawaitable(result) else result)

    try:
        outcome = await life.finish(running, run_inline if inline else run_on_loop)
    except Withheld as withheld:
        return refusal_of(gate, withheld.reason, withheld.verdict, told=True)
    except PauseSignal as signal:
        if signal.comes_again:
            await life.come_again()
        raise signal.error from None
    return _answer(gate, outcome, *results[-1])


def _answer(gate: Gate, outcome: Outcome, result: Any, judged: Any) -> ToolAnswer:
    gate.notify(outcome.notices)
    if outcome.interrupt:
        raise turn_over("a rule ends the turn after this call")
    is_replaced = json.encode(outcome.result) != json.encode(judged)
    return ToolAnswer(
        result=outcome.result if is_replaced else result, is_replaced=is_replaced, context="\n".join(outcome.context)
    )


def refusal_of(gate: Gate, reason: str, verdict: Verdict, *, told: bool) -> ToolAnswer:
    """What the model reads instead of a result. Raises TurnOver if a rule ends the turn."""
    gate.notify(verdict.notices)
    if verdict.interrupt:
        raise turn_over(reason)
    beside = verdict.told if told else None
    return ToolAnswer(refusal="\n".join(text for text in (reason, beside) if text))


# --- results ---------------------------------------------------------------------------------------------------


def plain_value(value: Any) -> Any:
    """A result as a JSON value. A text that is a JSON object or list is read, so that rules find its fields."""
    if isinstance(value, str):
        return _read(value)
    if is_json(value):
        return value
    try:
        found = to_jsonable_python(value, fallback=str, inf_nan_mode="strings", bytes_mode="base64", by_alias=True)
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        return f"{type(value).__name__}: {text_of(error)}"
    return found if is_json(found) else _readable_text(str(found))


def _read(text: str) -> Any:
    if text.lstrip()[:1] in ("{", "["):
        try:
            found = read_value(text.encode())
        except (InterlockError, UnicodeEncodeError):
            return _readable_text(text)
        if is_json(found):
            return found
    return _readable_text(text)


def _readable_text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def result_text(value: Any) -> str:
    """A JSON value as a text for the model."""
    return value if isinstance(value, str) else json.encode(value).decode()


def question_text(question: Request) -> str:
    """What a person is told about a call, beside the call itself."""
    reason = question.reason or f"May {question.tool} run?"
    return f"{reason}\nIt would run as: {result_text(question.input)}" if question.changes else reason


# --- tools that no gate sees -----------------------------------------------------------------------------------


def refuse_unguarded(where: str, names: Iterable[str], accepted: frozenset[str]) -> None:
    """Raise InterlockError if a tool runs where no call of it passes the gate, unless the person has accepted that."""
    found = sorted({name for name in names if name not in accepted})
    if found:
        listed = ", ".join(f"`{name}`" for name in found)
        raise InterlockError(
            f"{where}: no call of {listed} passes the gate, so this does not run",
            help=f"remove it, or accept that: unguarded={found!r}",
        )
