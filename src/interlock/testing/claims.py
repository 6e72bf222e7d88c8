"""What a check of conformance claims, with a sentence that says what is wrong if it does not hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["equal", "raises"]

E_ = TypeVar("E_", bound=Exception)


def equal(found: object, wanted: object, what: str) -> None:
    """Raise AssertionError unless the two are equal."""
    if found != wanted:
        raise AssertionError(f"{what}: found {found!r}, expected {wanted!r}")


def raises(kind: type[E_], action: Callable[[], object], what: str) -> E_:
    """Raise AssertionError unless the action raises this kind of exception, which is returned."""
    try:
        action()
    except kind as error:
        return error
    raise AssertionError(f"{what}: expected {kind.__name__}")
