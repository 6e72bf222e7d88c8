"""What operators give for numbers and texts."""

from __future__ import annotations

from collections.abc import Callable

from interlock.facts.code.javascript.pure import whole
from interlock.facts.code.javascript.values import ANY, FALSE, TRUE, Num, TextValue, Value, origin
from interlock.facts.shell import UNKNOWN

__all__ = ["reckon"]

_COMPARES: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "===": lambda a, b: a == b, "!=": lambda a, b: a != b, "!==": lambda a, b: a != b,
}  # fmt: skip
_BITS: dict[str, Callable[[int, int], int]] = {
    "^": lambda a, b: a ^ b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "<<": lambda a, b: (a << (b & 31)) & 0xFFFFFFFF, ">>": lambda a, b: a >> (b & 31),
    ">>>": lambda a, b: (a & 0xFFFFFFFF) >> (b & 31),
}  # fmt: skip
_PLAIN: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
}  # fmt: skip


def reckon(sign: str, left: Value, right: Value) -> Value:
    """What an operator gives; only numbers are worked out."""
    if isinstance(left, Num) and isinstance(right, Num):
        if sign in _COMPARES:
            return TRUE if _COMPARES[sign](left.value, right.value) else FALSE
        if sign in _PLAIN and max(abs(left.value), abs(right.value)) < 1e15:
            return Num(_PLAIN[sign](left.value, right.value))
        if sign in ("/", "%") and right.value and max(abs(left.value), abs(right.value)) < 1e15:
            return Num(left.value / right.value if sign == "/" else left.value % right.value)
        first, second = whole(left), whole(right)
        if sign in _BITS and first is not None and second is not None:
            return Num(_BITS[sign](first, second))
        return ANY
    if sign in _COMPARES:
        return ANY
    return TextValue(UNKNOWN, origin(left) | origin(right))
