"""Answers that are checked when they are built, as they are when they are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, ValidationError, convert
from msgspec.structs import fields

from interlock.errors import InterlockError

__all__ = ["Strict"]

Check: TypeAlias = Callable[[Any], bool]


class Strict(Struct, kw_only=True, frozen=True):
    """A part of an answer. Values of the wrong type, and words that the host does not know, are refused."""

    # A host ignores a word that it does not know, and then a call runs that was meant to be denied.
    def __post_init__(self) -> None:
        # What most values are is told by their class alone: a check is a call, and every answer has several fields.
        for name, default, classes, words, fits, wanted in _checks_of(type(self)):
            value = getattr(self, name)
            if value is default or value.__class__ in classes or (value.__class__ is str and value in words):
                continue
            if not fits(value):
                raise _refusal(f"{type(self).__name__}: `{name}`", value, wanted)


@cache
def _checks_of(kind: type[Strict]) -> tuple[tuple[str, Any, frozenset[type], frozenset[str], Check, Any], ...]:
    """The fields of a type that must be checked, each with a fast check: answers are built on every event."""
    hints = get_type_hints(kind)
    return tuple(
        (
            one.name,
            one.default,
            _classes_in(hints[one.name]),
            _words_in(hints[one.name]),
            _check_of(hints[one.name]),
            hints[one.name],
        )
        for one in fields(kind)
        if hints[one.name] is not Any
    )


def _classes_in(wanted: Any) -> frozenset[type]:
    """The classes whose every value fits."""
    kinds = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)
    return frozenset(kind for kind in kinds if isinstance(kind, type) and get_origin(kind) is None)


def _words_in(wanted: Any) -> frozenset[str]:
    """The texts that fit, where only some do."""
    kinds = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)
    return frozenset(word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind))


def _check_of(wanted: Any) -> Check:
    if get_origin(wanted) in (Union, UnionType):
        kinds = get_args(wanted)
        classes = tuple(kind for kind in kinds if isinstance(kind, type) and get_origin(kind) is None)
        others = [_check_of(kind) for kind in kinds if kind not in classes]
        return lambda value: isinstance(value, classes) or any(fits(value) for fits in others)
    if get_origin(wanted) is Literal:
        words = frozenset(get_args(wanted))
        return lambda value: isinstance(value, str) and value in words
    if get_origin(wanted) is list:
        each = _check_of(get_args(wanted)[0])
        return lambda value: isinstance(value, list) and all(each(one) for one in value)
    if get_origin(wanted) is dict:
        return lambda value: isinstance(value, dict) and all(isinstance(key, str) for key in value)
    return lambda value: isinstance(value, wanted)


def _refusal(where: str, value: Any, wanted: Any) -> InterlockError:
    words = _words_of(wanted)
    cure = f"use {', '.join(words[:-1])} or {words[-1]}" if words else _complaint(value, wanted)
    return InterlockError(f"{where} is `{str(value)[:80]}`; {cure}")


def _complaint(value: Any, wanted: Any) -> str:
    try:
        convert(value, wanted)
    except ValidationError as error:
        return str(error)[0].lower() + str(error)[1:]
    return "it has another type"


def _words_of(wanted: Any) -> list[str]:
    """The words that a field accepts, if it accepts nothing else."""
    kinds = [kind for kind in get_args(wanted) if get_origin(kind) is Literal] or [wanted]
    return [f"`{word}`" for word in get_args(kinds[0])] if get_origin(kinds[0]) is Literal else []
