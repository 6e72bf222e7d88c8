"""Undo what hides a word from a search and not from a model: look-alike letters, spread letters, figures, encodings."""

from __future__ import annotations

import binascii
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

import re2

from interlock.facts.injections.hidden import INVISIBLE, without_invisible

__all__ = ["decoded_texts", "disguises_in", "plain_text", "respelt_text"]

# Cyrillic and Greek letters that look like Latin ones.
_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝѵАВЕКМНОРСТХІЈЅαορνιτκυΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ",
    "aeopcyxijshdqwvABEKMHOPCTXIJSaopvitkuABEZHIKMNOPTYXcj",
)
# Only words that mix scripts are respelt: a Russian word stays one.
_MIXED = re.compile("[A-Za-z\u0370-\u052f]+")
# Letters that stand alone; words are apart by more than one space.
_SPREAD = re.compile(r"(?<!\S)[^\W\d_](?: {1,4}[^\W\d_]){7,}(?!\S)")
_LETTERS = bytes.maketrans(b"013457@", b"oieasta")
_FIGURES = {"o": "0", "i": "1", "e": "3", "a": "4@", "s": "5", "t": "7"}
_NEAR = 200  # characters around a word with figures that are respelt with it
_LONGEST = 20_000  # characters of one encoded word that are read
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False


def _figure_patterns(word: str) -> Iterator[str]:
    """Patterns of a word in which at least one letter is a figure."""
    either = [f"[{letter}{letter.upper()}{_FIGURES.get(letter, '')}]" for letter in word]
    for place, letter in enumerate(word):
        if letter in _FIGURES:
            plain = "".join(f"[{one}{one.upper()}]" for one in word[:place])
            yield f"{plain}[{_FIGURES[letter]}]{''.join(either[place + 1 :])}"


# Of words with figures only a few are looked for, since names of programs and versions have figures, too.
_SUSPECT_WORDS = ("ignore", "disregard", "forget", "instruction", "previous", "system", "secret", "rules", "above")
_FIGURED = rf"\b(?:{'|'.join(one for word in _SUSPECT_WORDS for one in _figure_patterns(word))})"
_ENCODED = r"[A-Za-z0-9+/]{40,}={0,2}"
# What hides words, by what it looks like. Most texts have none of it, and one search says so.
_DISGUISES: dict[str, str] = {
    "invisible": INVISIBLE,
    "styled": "[\uff01-\uff5e\U0001d400-\U0001d7ff\u24b6-\u24e9\u2100-\u214f]",
    "mixed": r"[A-Za-z][\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}][A-Za-z]",
    "spread": r"(?:[A-Za-z] {1,4}){7}",
    "figured": _FIGURED,
    "encoded": _ENCODED,
}


def _search(pattern: str) -> Any:
    return re2.compile(pattern.encode(), options=_OPTIONS)


@cache
def _searches() -> tuple[Any, Any, Any]:
    """A search for all disguises at once, one for words with figures, and one for encoded texts."""
    disguises = re2.Set.SearchSet(_OPTIONS)
    for pattern in _DISGUISES.values():
        disguises.Add(pattern.encode())
    disguises.Compile()
    return disguises, _search(_FIGURED), _search(_ENCODED)


def disguises_in(raw: bytes) -> frozenset[str]:
    """What may hide words in a text that is encoded as UTF-8."""
    found = _searches()[0].Match(raw)
    return frozenset(name for number, name in enumerate(_DISGUISES) if number in found) if found else frozenset()


def plain_text(text: str, disguises: frozenset[str]) -> str:
    """The text as a reader takes it. The same object if nothing in it changes."""
    if "invisible" in disguises:
        text = without_invisible(text)
    if "styled" in disguises:
        text = unicodedata.normalize("NFKC", text)
    if "mixed" in disguises:
        text = _MIXED.sub(_as_latin, text)
    if "spread" in disguises:
        text = _SPREAD.sub(lambda hit: " ".join(word.replace(" ", "") for word in re.split(" {2,}", hit[0])), text)
    return text


def _as_latin(word: re.Match[str]) -> str:
    """A word that mixes scripts, in one."""
    letters = word[0]
    is_mixed = not letters.isascii() and any(letter.isascii() for letter in letters)
    return letters.translate(_ALIKE) if is_mixed else letters


def respelt_text(raw: bytes) -> bytes:
    """The parts of a text in which words have figures for letters, with the letters."""
    found, done = [], 0
    for hit in _searches()[1].finditer(raw):
        start, end = max(done, hit.start() - _NEAR), min(len(raw), hit.end() + _NEAR)
        found.append(raw[start:end].translate(_LETTERS))
        done = end
    return b"".join(found)


def decoded_texts(raw: bytes) -> Iterator[bytes]:
    """Texts that are written as base64, each behind what stands before it."""
    for hit in _searches()[2].finditer(raw):
        word = hit.group()[:_LONGEST]
        if not _begins_as_text(word[:32]):
            continue
        try:
            found = binascii.a2b_base64(word[: len(word) // 4 * 4]).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if " " in found and found.replace("\n", " ").isprintable():
            yield raw[max(0, hit.start() - _NEAR) : hit.start()] + b" " + found.encode()


def _begins_as_text(word: bytes) -> bool:
    return all(32 <= byte < 127 or byte in b"\n\r\t" for byte in binascii.a2b_base64(word))
