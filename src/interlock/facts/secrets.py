"""Strings that look like credentials: the formats their issuers document, and redaction of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import re2
from msgspec import Struct

from interlock.facts.limits import SECRETS
from interlock.facts.secret_kinds import KINDS, LOOKS, form_of

__all__ = ["Secret", "find_secrets", "may_hold_secret", "redact", "redact_bytes"]

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_ANY = re2.compile("|".join(f"(?:{pattern})" for pattern in KINDS.values()).encode(), options=_OPTIONS)
_LONGEST = 1 << 20  # bytes that are looked at together
_NEAR = 4096  # bytes: finds this near to each other are looked at together


class Secret(Struct, frozen=True):
    """One credential-shaped string."""

    kind: str
    text: str
    form: str = "issued"  # how sure it is that it is one, by its kind and its look
    place: str = ""  # of it in a call: `command`, `content` (that goes into a file), `result` or `prompt`


def find_secrets(text: str, place: str = "") -> tuple[Secret, ...]:
    """The secrets in a text, in order: all of them, or as many as are looked at."""
    raw = text.encode("utf-8", "replace")
    return tuple(
        Secret(kind, raw[start:end].decode("utf-8", "replace"), form_of(kind, raw[start:end]), place)
        for start, end, kind in _spans(raw)[0]
    )


def may_hold_secret(*values: Any) -> bool:
    """Whether any string in the values could be a secret: one search, for those who mostly find none."""
    texts: list[str] = []
    waiting: list[Any] = [*reversed(values)]  # the next at the end, so that a key stands before its value
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            for key, item in reversed(value.items()):
                waiting += (item, key)
        elif isinstance(value, list | tuple):
            waiting += reversed(value)
    raw = "\n".join(texts).encode("utf-8", "replace")
    return _ANY.search(raw) is not None


def redact(value: Any) -> Any:
    """The value with every secret in its strings and keys replaced; shape and other values stay."""
    if isinstance(value, str):
        return _redact_text(value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {_redact_text(key) if isinstance(key, str) else key: redact(item) for key, item in value.items()}
    return value


def redact_bytes(raw: bytes) -> bytes:
    """The same for bytes that may not even be text. The text is searched to its end; what cannot be is cut."""
    spans, searched = _spans(raw)
    out: list[bytes] = []
    at = 0
    for start, end, kind in spans:
        out += [raw[at:start], f"[redacted {kind}]".encode()]
        at = end
    out.append(raw[at : max(at, searched)])
    if searched < len(raw):
        out.append(f"[cut: more than {SECRETS.name}; Interlock did not search the rest]".encode())
    return b"".join(out)


def _redact_text(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    found = redact_bytes(raw)
    return text if found == raw else found.decode("utf-8", "replace")


def _spans(raw: bytes) -> tuple[list[tuple[int, int, str]], int]:
    """Where secrets stand, in order and without overlap, and how far the bytes were searched.

    One search for anything at all goes through the bytes, however many there are. Each kind is then looked for only
    around what it found, so that a long text costs little, and each byte of it is looked at a bounded number of times.
    """
    found: list[tuple[int, int, str]] = []
    searched = 0
    for start, end in _regions(raw):
        if end <= searched:
            continue
        for span in _spans_in(raw, start, end):
            if found and span[0] < found[-1][1]:  # the last one of the part before reaches into this part
                first, last, kind = found.pop()
                span = first, max(last, span[1]), kind
            found.append(span)
        searched = max(searched, end, found[-1][1] if found else 0)
        if len(found) > SECRETS.most:
            del found[SECRETS.most :]
            return found, found[-1][1]
    return found, len(raw)


def _regions(raw: bytes) -> Iterator[tuple[int, int]]:
    """The parts of the bytes in which every secret begins."""
    start = end = -1
    for hit in _ANY.finditer(raw):
        if start >= 0 and (hit.start() - end > _NEAR or end - start > _LONGEST):
            yield start, end
            start = -1
        start = hit.start() if start < 0 else start
        end = hit.end()
    if start >= 0:
        yield start, end


@cache
def _searches() -> dict[str, Any]:
    """A search for each kind. Compiled when the first text may hold a secret, which most do not."""
    return {kind: re2.compile(pattern.encode(), options=_OPTIONS) for kind, pattern in KINDS.items()}


def _spans_in(raw: bytes, start: int, end: int) -> list[tuple[int, int, str]]:
    """Where secrets stand that begin in a part of the bytes, in order and without overlap."""
    before = max(0, start - 1)  # a word begins where none was before
    window = raw[before : end + _NEAR]
    taken = bytearray(len(window))
    found: list[tuple[int, int, str]] = []
    for kind, search in _searches().items():
        group = 1 if search.groups else 0
        for hit in search.finditer(window):
            if not start <= before + hit.start() < end:
                continue
            if hit.end() == len(window) and before + len(window) < len(raw):
                hit = search.search(raw, before + hit.start())  # it goes on behind the window
                text, shift = raw, 0
            else:
                text, shift = window, before
            if kind in LOOKS and not LOOKS[kind](text, hit.start(group), hit.end(group)):
                continue
            first, last = hit.start(group) + shift, hit.end(group) + shift
            known = kind
            if taken.find(1, first - before, last - before) >= 0:
                if taken.find(0, first - before, last - before) < 0 and last - before <= len(taken):
                    continue
                # Secrets that overlap are one: if the second were left out, the part that only it covers could be read.
                overlapping = [span for span in found if span[0] < last and first < span[1]]
                found = [span for span in found if span not in overlapping]
                known = overlapping[0][2]
                first, last = min(first, *(one[0] for one in overlapping)), max(last, *(one[1] for one in overlapping))
            taken[first - before : last - before] = b"\1" * (min(last - before, len(taken)) - (first - before))
            found.append((first, last, known))
    return sorted(found)
