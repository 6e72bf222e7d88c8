"""Undo what hides a word from a search and not from a model: look-alike letters, spread letters, figures, encodings."""

from __future__ import annotations

import binascii
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import re2

from interlock.facts.injections.hidden import without_invisible

__all__ = ["decoded_texts", "plain_text", "respelt_text"]

# Cyrillic and Greek letters that look like Latin ones.
_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝѵАВЕКМНОРСТХІЈЅαορνιτκυΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ",
    "aeopcyxijshdqwvABEKMHOPCTXIJSaopvitkuABEZHIKMNOPTYXcj",
)
# Only words that mix scripts are respelt: a Russian word stays one.
_MIXED = re.compile("[A-Za-z]*(?:[A-Za-z][\u0370-\u052f]|[\u0370-\u052f][A-Za-z])[A-Za-z\u0370-\u052f]*")
_STYLED = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff\u24b6-\u24e9\u2100-\u214f]")
# Letters that stand alone; words are apart by more than one space.
_SPREAD = re.compile(r"(?<!\S)[^\W\d_](?: {1,4}[^\W\d_]){7,}(?!\S)")
_LETTERS = str.maketrans("013457@", "oieasta")
_FIGURES = {"o": "0", "i": "1", "e": "3", "a": "4@", "s": "5", "t": "7"}
_NEAR = 200  # characters around a word with figures that are respelt with it
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=_-])")
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


def _search(pattern: str) -> Any:
    return re2.compile(pattern.encode(), options=_OPTIONS)


# Searched for first, by something faster than the patterns above: most texts have none of it. Of words with figures
# only a few are looked for, since names of programs and versions have figures, too.
_SUSPECT_WORDS = ("ignore", "disregard", "forget", "instruction", "previous", "system", "secret", "rules", "above")
_MAY_BE_FIGURED = _search(rf"\b(?:{'|'.join(one for word in _SUSPECT_WORDS for one in _figure_patterns(word))})")
_MAY_BE_SPREAD = _search(r"(?:[\pL] {1,4}){7}")
_MAY_BE_ENCODED = _search(r"[A-Za-z0-9+/]{40}")


def plain_text(text: str) -> str:
    """The text as a reader takes it."""
    if not text.isascii():
        text = without_invisible(text)
        if _STYLED.search(text) is not None:
            text = unicodedata.normalize("NFKC", text)
        text = _MIXED.sub(lambda hit: hit[0].translate(_ALIKE), text)
    if _MAY_BE_SPREAD.search(text.encode("utf-8", "replace")) is None:
        return text
    return _SPREAD.sub(lambda hit: " ".join(word.replace(" ", "") for word in re.split(" {2,}", hit[0])), text)


def respelt_text(text: str) -> str | None:
    """The parts of a text in which words have figures for letters, with the letters; None if there are none."""
    raw = text.encode("utf-8", "replace")
    found, done = [], 0
    for hit in _MAY_BE_FIGURED.finditer(raw):
        start, end = max(done, hit.start() - _NEAR), min(len(raw), hit.end() + _NEAR)
        found.append(raw[start:end].decode("utf-8", "ignore").translate(_LETTERS))
        done = end
    return "".join(found) if found else None


def decoded_texts(text: str) -> Iterator[tuple[int, str]]:
    """Texts that are written as base64, and where each begins."""
    if _MAY_BE_ENCODED.search(text.encode("utf-8", "replace")) is None:
        return
    for hit in _ENCODED.finditer(text):
        word = hit[0][:_LONGEST]
        if not _begins_as_text(word[:32]):
            continue
        try:
            found = binascii.a2b_base64(word[: len(word) // 4 * 4]).decode()
        except (binascii.Error, UnicodeDecodeError, ValueError):
            continue
        if " " in found and found.replace("\n", " ").isprintable():
            yield hit.start(), found


def _begins_as_text(word: str) -> bool:
    try:
        start = binascii.a2b_base64(word)
    except (binascii.Error, ValueError):
        return False
    return all(32 <= byte < 127 or byte in b"\n\r\t" for byte in start)
