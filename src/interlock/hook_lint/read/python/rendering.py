"""Turn values into what a program writes: text with `…` where it is not known, JSON with UNKNOWN there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET

from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Said, Span, Unknown
from interlock.hook_lint.read.python.state import State
from interlock.hook_lint.read.python.values import (
    NOTHING,
    DictBox,
    Fault,
    Json,
    Known,
    ListBox,
    OneOf,
    Ref,
    Seq,
    Text,
    Value,
)

__all__ = ["joined", "json_of", "lifted", "said_of", "text_of"]

HOLE = "…"
Stream: TypeAlias = Literal["stdout", "stderr", "return", "log"]
_DEEPEST = 12
_LONGEST = 20_000


def json_of(value: Value, state: State, depth: int = 0) -> Any:
    """A value as the JSON that it becomes."""
    if depth > _DEEPEST:
        return UNKNOWN
    match value:
        case Known(value=one):
            return one if isinstance(one, str | int | float | bool | None) else UNKNOWN
        case Text() | Json():
            text = text_of(value, state)
            return UNKNOWN if text == HOLE else text
        case Seq(values=values):
            return [json_of(one, state, depth + 1) for one in values]
        case OneOf(values=values):
            found = [json_of(one, state, depth + 1) for one in values]
            return found[0] if all(one == found[0] for one in found) else UNKNOWN
        case Ref(id=id):
            match state.heap.get(id):
                case DictBox(items=items, is_open=is_open):
                    known = {str(key): json_of(one, state, depth + 1) for key, one in items.items()}
                    return {**known, ANY_KEY: UNKNOWN} if is_open else known
                case ListBox(items=items, is_open=is_open):
                    rest = [UNKNOWN] if is_open else []
                    return [*(json_of(one, state, depth + 1) for one in items), *rest]
    return UNKNOWN


def text_of(value: Value, state: State) -> str:
    """A value as the text that it is printed as."""
    match value:
        case Known(value=one):
            return str(one)[:_LONGEST]
        case Text(parts=parts):
            return "".join(part if isinstance(part, str) else text_of(part, state) for part in parts)[:_LONGEST]
        case Json(value=one):
            return json.dumps(one, default=_shown, ensure_ascii=False)[:_LONGEST]
        case Ref() | Seq():
            found = json_of(value, state)
            return HOLE if found is UNKNOWN else repr(found).replace("UNKNOWN", HOLE)[:_LONGEST]
        case OneOf(values=values):
            texts = {text_of(one, state) for one in values}
            return texts.pop() if len(texts) == 1 else HOLE
        case Fault(args=(only,)):
            return text_of(only, state)
    return HOLE


def _shown(value: Any) -> str:
    return HOLE if isinstance(value, Unknown) else str(value)


def joined(parts: Sequence[str | Value]) -> Value:
    """Pieces of text as one."""
    flat: list[str | Value] = []
    for part in parts:
        for one in part.parts if isinstance(part, Text) else (part,):
            text = one if isinstance(one, str) else one.value if isinstance(one, Known) else None
            if text is None and not isinstance(one, Known):
                flat.append(one)
            elif flat and isinstance(flat[-1], str):
                flat[-1] += str(text)
            else:
                flat.append(str(text))
    if not flat:
        return Known("")
    if len(flat) == 1:
        return (
            Known(flat[0]) if isinstance(flat[0], str) else flat[0] if isinstance(flat[0], Json) else Text((flat[0],))
        )
    return Text(tuple(flat))


def said_of(stream: Stream, written: Value, span: Span, state: State) -> Said:
    """What is written, as JSON if it is JSON."""
    parts = written.parts if isinstance(written, Text) else (written,)
    whole = [part for part in parts if not (isinstance(part, str) and not part.strip())]
    if len(whole) == 1 and isinstance(whole[0], Json):
        return Said(stream=stream, span=span, value=whole[0].value)
    text = text_of(written, state)
    by_parts = text.lstrip().startswith("{") and any(not isinstance(part, str | Json | Known) for part in whole)
    if text.lstrip().startswith("{"):
        try:
            return Said(stream=stream, span=span, value=_with_unknown(json.loads(text)), by_parts=by_parts)
        except (ValueError, RecursionError):
            pass
    return Said(stream=stream, span=span, value=UNSET, text=text, by_parts=by_parts and '"' in text)


def _with_unknown(value: Any) -> Any:
    """JSON that was text, where a text of which nothing is known is an unknown value."""
    if isinstance(value, dict):
        return {key: _with_unknown(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_unknown(one) for one in value]
    return UNKNOWN if value == HOLE else value


def lifted(value: Any, fresh: Any) -> Value:
    """JSON that is parsed again. `fresh` puts an object into the heap."""
    if isinstance(value, dict):
        known = {key: lifted(one, fresh) for key, one in value.items() if key != ANY_KEY}
        return fresh(DictBox(known, is_open=ANY_KEY in value))  # type: ignore[no-any-return]
    if isinstance(value, list):
        return fresh(ListBox(tuple(lifted(one, fresh) for one in value)))  # type: ignore[no-any-return]
    return NOTHING if isinstance(value, Unknown) else Known(value)
