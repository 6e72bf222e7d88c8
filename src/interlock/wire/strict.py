"""Answers that are checked when they are built, as they are when they are read."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct, ValidationError, convert

from interlock.source import InterlockError

__all__ = ["Strict"]


class Strict(Struct, kw_only=True, frozen=True):
    """A part of an answer. A value of another type, or another word than those that count, is refused."""

    def __post_init__(self) -> None:
        for name, wanted in _checked(type(self)):
            value = getattr(self, name)
            try:
                convert(value, wanted)
            except ValidationError as error:
                raise _refusal(f"{type(self).__name__}: `{name}`", value, wanted, error) from error


@cache
def _checked(kind: type[Strict]) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((name, hints[name]) for name in kind.__struct_fields__ if hints[name] is not Any)


def _refusal(where: str, value: Any, wanted: Any, error: ValidationError) -> InterlockError:
    words = _words_of(wanted)
    cure = f"use {', '.join(words[:-1])} or {words[-1]}" if words else str(error)[0].lower() + str(error)[1:]
    return InterlockError(f"{where} is `{str(value)[:80]}`; {cure}")


def _words_of(wanted: Any) -> list[str]:
    """The words that a field takes, if it takes nothing else."""
    kinds = [kind for kind in get_args(wanted) if get_origin(kind) is Literal] or [wanted]
    return [f"`{word}`" for word in get_args(kinds[0])] if get_origin(kinds[0]) is Literal else []
