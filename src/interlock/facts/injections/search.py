"""Find the places in a text where it gives orders to the model that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.facts.injections.hidden import HiddenText, find_hidden
from interlock.facts.injections.normal import decoded_texts, disguises_in, plain_text, respelt_text
from interlock.facts.injections.signals import CORE, Signal, searches, trigger_search

__all__ = ["Order", "disarm", "find_orders"]

_Hit: TypeAlias = tuple[int, int, str, float]
_NEAR = 350  # bytes within which signals belong together
_ENOUGH = 0.9
_LONGEST = 2_000  # characters of a passage that are kept
_LONGEST_QUOTE = 120
_AROUND = 300  # bytes before a passage that are kept with it, and twice as many behind it


class Order(Struct, frozen=True):
    """A passage that gives orders, with what stands around it, the part that says so, and the signals in it."""

    kind: str
    text: str
    passage: str = ""
    signals: tuple[str, ...] = ()
    score: float = _ENOUGH

    @property
    def quote(self) -> str:
        """A few words of it, on one line."""
        words = " ".join("".join(one if one.isprintable() else " " for one in self.text).split())
        return words if len(words) <= _LONGEST_QUOTE else f"{words[: _LONGEST_QUOTE - 1]}…"


def find_orders(text: str) -> tuple[Order, ...]:
    """The passages of a text that give orders to a model, and what is hidden in it."""
    raw = text.encode("utf-8", "replace")
    disguises = disguises_in(raw)
    if not disguises:
        return tuple(dict.fromkeys(_passages(raw)))
    found = [_hidden_order(text, one) for one in find_hidden(text)] if "invisible" in disguises else []
    plain = plain_text(text, disguises)
    if plain is not text and plain != text:
        raw = plain.encode("utf-8", "replace")
        disguises = disguises_in(raw)  # one may have been under another
    found += _passages(raw)
    if "figured" in disguises:
        found += _passages(respelt_text(raw))
    for decoded in decoded_texts(raw) if "encoded" in disguises else ():
        found += _passages(decoded)
    return tuple(dict.fromkeys(found))


def disarm(value: Any) -> Any:
    """The value with every string replaced that gives orders; shape and other values stay."""
    if isinstance(value, str):
        found = find_orders(value)
        return (
            f"[Interlock removed a text that gives orders to the model: {len(value):,} characters]" if found else value
        )
    if isinstance(value, list):
        return [disarm(item) for item in value]
    if isinstance(value, dict):
        return {key: disarm(item) for key, item in value.items()}
    return value


def _hidden_order(text: str, hidden: HiddenText) -> Order:
    around = text[max(0, hidden.start - _AROUND) : hidden.end + _AROUND]
    return Order("hidden", hidden.says or hidden.kind, f"{hidden.says}\n{around}"[:_LONGEST], (hidden.kind,))


def _passages(raw: bytes) -> Iterator[Order]:
    hits = sorted(_hits(raw))
    first = beyond = 0
    for last, hit in enumerate(hits):
        while hit[0] - hits[first][0] > _NEAR:
            first += 1
        near = {name: weight for _, _, name, weight in hits[max(first, beyond) : last + 1]}
        score = sum(near.values())
        if score < _ENOUGH - 1e-9 or CORE.isdisjoint(near):
            continue
        start, end = hits[max(first, beyond)][0], max(one[1] for one in hits[max(first, beyond) : last + 1])
        order = raw[start:end].decode("utf-8", "ignore")
        passage = raw[max(0, start - _AROUND) : end + 2 * _AROUND].decode("utf-8", "ignore")
        yield Order("orders", order, passage[:_LONGEST], tuple(near), round(score, 2))
        beyond = last + 1


def _hits(raw: bytes) -> Iterator[_Hit]:
    """Every signal in a text that has a core signal near it."""
    for start, end in _regions(raw):
        part = raw[start:end]
        found = [_hits_of(part, start, signal, search) for signal, search in searches() if signal.core]
        if any(found):
            found += [_hits_of(part, start, signal, search) for signal, search in searches() if not signal.core]
            for hits in found:
                yield from hits


def _hits_of(part: bytes, start: int, signal: Signal, search: Any) -> list[_Hit]:
    return [(start + hit.start(), start + hit.end(), signal.name, signal.weight) for hit in search.finditer(part)]


def _regions(raw: bytes) -> Iterator[tuple[int, int]]:
    """The parts of a text that are near a word without which there is no core signal, without overlap."""
    start = end = -1
    for hit in trigger_search().finditer(raw):
        if end < 0 or hit.start() - _NEAR > end:
            if end >= 0:
                yield start, min(end, len(raw))
            start = max(0, hit.start() - _NEAR)
        end = hit.end() + _NEAR
    if end >= 0:
        yield start, min(end, len(raw))
