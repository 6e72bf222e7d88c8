"""Turn values into what a program writes: text with `…` where it is not known, JSON with UNKNOWN there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET

from interlock.hook_lint.program import ANY_KEY, UNKNOWN, OutputPart, Span, UnknownValue
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NOTHING,
    DictBox,
    Json,
    Known,
    ListBox,
    ObjectRef,
    OneOf,
    PyFault,
    PyText,
    PyValue,
    Seq,
    Some,
    roots_of,
)

__all__ = ["join_text", "json_of", "said_of", "text_of", "value_of_json"]

HOLE = "…"
Stream: TypeAlias = Literal["stdout", "stderr", "return", "log"]
_DEEPEST = 12
_LONGEST = 20_000
_MOST_PIECES = 1_000
_MOST_CHARACTERS = 1 << 17


def json_of(value: PyValue, state: WayState, depth: int = 0) -> Any:
    """A value as the JSON that it becomes."""
    if depth > _DEEPEST:
        return UNKNOWN
    match value:
        case Known(value=one):
            return one if isinstance(one, str | int | float | bool | None) else UNKNOWN
        case PyText() | Json():
            text = text_of(value, state)
            return UNKNOWN if text == HOLE else text
        case Seq(values=values):
            return [json_of(one, state, depth + 1) for one in values]
        case OneOf(values=values):
            found = [json_of(one, state, depth + 1) for one in values]
            return found[0] if all(one == found[0] for one in found) else UNKNOWN
        case ObjectRef(id=id):
            match state.heap.get(id):
                case DictBox(items=items, is_open=is_open):
                    known = {str(key): json_of(one, state, depth + 1) for key, one in items.items()}
                    return {**known, ANY_KEY: UNKNOWN} if is_open else known
                case ListBox(items=items, is_open=is_open):
                    rest = [UNKNOWN] if is_open else []
                    return [*(json_of(one, state, depth + 1) for one in items), *rest]
    return UNKNOWN


def text_of(value: PyValue, state: WayState) -> str:
    """A value as the text that it is printed as."""
    match value:
        case Known(value=one):
            return str(one)[:_LONGEST]
        case PyText(parts=parts):
            return "".join(part if isinstance(part, str) else text_of(part, state) for part in parts)[:_LONGEST]
        case Json(value=one):
            return json.dumps(one, default=_hole_for, ensure_ascii=False)[:_LONGEST]
        case ObjectRef() | Seq():
            found = json_of(value, state)
            return HOLE if found is UNKNOWN else repr(found).replace("UNKNOWN", HOLE)[:_LONGEST]
        case OneOf(values=values):
            texts = {text_of(one, state) for one in values}
            return texts.pop() if len(texts) == 1 else HOLE
        case PyFault(args=(only,)):
            return text_of(only, state)
    return HOLE


def _hole_for(value: Any) -> str:
    return HOLE if isinstance(value, UnknownValue) else str(value)


def join_text(parts: Sequence[str | PyValue]) -> PyValue:
    """Pieces of text as one."""
    flat: list[str | PyValue] = []
    for part in parts:
        for one in part.parts if isinstance(part, PyText) else (part,):
            text = one if isinstance(one, str) else one.value if isinstance(one, Known) else None
            if text is None and not isinstance(one, Known):
                flat.append(one)
            elif flat and isinstance(flat[-1], str):
                flat[-1] += str(text)
            else:
                flat.append(str(text))
    if not flat:
        return Known("")
    if len(flat) > _MOST_PIECES or sum(len(one) for one in flat if isinstance(one, str)) > _MOST_CHARACTERS:
        return Some(frozenset().union(*(roots_of(one) for one in flat if not isinstance(one, str))))
    if len(flat) == 1:
        return (
            Known(flat[0]) if isinstance(flat[0], str) else flat[0] if isinstance(flat[0], Json) else PyText((flat[0],))
        )
    return PyText(tuple(flat))


def said_of(stream: Stream, written: PyValue, span: Span, state: WayState) -> OutputPart:
    """What is written, as JSON if it is JSON."""
    parts = written.parts if isinstance(written, PyText) else (written,)
    whole = [part for part in parts if not (isinstance(part, str) and not part.strip())]
    if len(whole) == 1 and isinstance(whole[0], Json):
        return OutputPart(stream=stream, span=span, value=whole[0].value)
    text = text_of(written, state)
    by_parts = text.lstrip().startswith("{") and any(not isinstance(part, str | Json | Known) for part in whole)
    if text.lstrip().startswith("{"):
        try:
            return OutputPart(stream=stream, span=span, value=_with_unknown(json.loads(text)), by_parts=by_parts)
        except (ValueError, RecursionError):
            pass
    return OutputPart(stream=stream, span=span, value=UNSET, text=text, by_parts=by_parts and '"' in text)


def _with_unknown(value: Any) -> Any:
    """JSON that was text, where a text of which nothing is known is an unknown value."""
    if isinstance(value, dict):
        return {key: _with_unknown(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_unknown(one) for one in value]
    return UNKNOWN if value == HOLE else value


def value_of_json(value: Any, fresh: Any) -> PyValue:
    """JSON that is parsed again. `fresh` puts an object into the heap."""
    if isinstance(value, dict):
        known = {key: value_of_json(one, fresh) for key, one in value.items() if key != ANY_KEY}
        return fresh(DictBox(known, is_open=ANY_KEY in value))  # type: ignore[no-any-return]
    if isinstance(value, list):
        return fresh(ListBox(tuple(value_of_json(one, fresh) for one in value)))  # type: ignore[no-any-return]
    return NOTHING if isinstance(value, UnknownValue) else Known(value)
