"""One result of the doctor's checks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["Finding", "note", "ok", "problem"]


class Finding(Struct, frozen=True):
    """One line of the doctor's report: the state of something, and what to do about it."""

    level: Literal["ok", "note", "problem"]
    about: str
    text: str
    help: str = ""


def ok(about: str, text: str) -> Finding:
    return Finding("ok", about, text)


def note(about: str, text: str, help: str = "") -> Finding:
    return Finding("note", about, text, help)


def problem(about: str, text: str, help: str = "") -> Finding:
    return Finding("problem", about, text, help)
