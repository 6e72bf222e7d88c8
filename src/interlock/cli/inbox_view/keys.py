"""The keys that a person presses, read from the bytes that a terminal sends for them."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

__all__ = ["KeyReader", "PressedKey"]

_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
_NAMES = {
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down", "\x1b[C": "right", "\x1bOC": "right",
    "\x1b[D": "left", "\x1bOD": "left", "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[F": "end",
    "\x1bOF": "end", "\x1b[4~": "end", "\x1b[5~": "pgup", "\x1b[6~": "pgdn",
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x1b": "esc", "\x15": "clear",
    "\x04": "end-of-input", "\x0c": "redraw",
}  # fmt: skip


class PressedKey(NamedTuple):
    """One key by its name, which for a character is the character; or a text that was pasted."""

    name: str
    text: str = ""


class KeyReader:
    """Turns bytes into keys. What is not known as a key is left out, so that no part of it counts as a letter."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def is_inside(self) -> bool:
        """Whether a sequence has begun; a lone escape looks like that too, until nothing follows."""
        return self._rest != ""

    def feed(self, data: bytes) -> list[PressedKey]:
        """The keys that are complete."""
        self._rest += self._decode.decode(data)
        keys = []
        while self._rest:
            key, used = self._next()
            if used == 0:
                break
            self._rest = self._rest[used:]
            if key is not None:
                keys.append(key)
        return keys

    def settle(self) -> list[PressedKey]:
        """The keys of what is left, if nothing more follows: a lone escape is the key of that name."""
        rest = self._rest
        if rest.startswith(_PASTE_BEGINS):
            return []  # its end comes, however long it takes
        self._rest = ""
        return [PressedKey("esc")] if rest == "\x1b" else []

    def _next(self) -> tuple[PressedKey | None, int]:
        text = self._rest
        if text.startswith(_PASTE_BEGINS):
            end = text.find(_PASTE_ENDS)
            if end < 0:
                return None, 0
            return PressedKey("paste", text[len(_PASTE_BEGINS) : end]), end + len(_PASTE_ENDS)
        if text[0] == "\x1b":
            if _BEGUN.match(text):
                return None, 0
            found = _SEQUENCE.match(text)
            if found is None:  # a letter with Alt: no key of this view, and not the letter either
                return (PressedKey("esc"), 1) if text[1] == "\x1b" else (None, 2)
            name = _NAMES.get(found[0])
            return None if name is None else PressedKey(name), found.end()
        name = _NAMES.get(text[0])
        if name is not None:
            return PressedKey(name), 1
        return (PressedKey(text[0], text[0]) if text[0].isprintable() else None), 1
