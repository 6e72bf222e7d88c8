"""A value that is worked out when it is first asked for, and then kept with its object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["lazy"]

_Value = TypeVar("_Value")


class lazy(Generic[_Value]):  # noqa: N801 - a decorator
    """`functools.cached_property` without its lock, which costs more than most of what is kept here.

    An object that keeps such values belongs to one thread.
    """

    def __init__(self, make: Callable[[Any], _Value]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, one: Any, owner: Any = None) -> _Value:
        value = one.__dict__[self._name] = self._make(one)
        return value
