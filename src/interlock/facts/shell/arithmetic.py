"""Arithmetic of the shell: what an expression is, what it sets, and whether it may run something.

A value that is used in an expression is an expression itself, and the subscripts in it are expanded, so that
`x='a[$(cmd)]'; echo $((x))` runs a command. The line's own values are looked through for that when they are set.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from interlock.facts.limits import EXPRESSION, EXPRESSION_DEPTH
from interlock.facts.shell.hazards import RUNS_WHEN_EVALUATED, runs_in_subscript
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.state import State, Value

__all__ = ["evaluate", "may_run"]

Look: TypeAlias = Callable[[str, State], Value]

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_NAMES = re.compile(r"[A-Za-z_\0]")  # a part that is not known may be a name
_SETS = re.compile(r"(?<![=!<>])=(?!=)|\+\+|--|(?:<<|>>)=(?!=)")
_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9A-Fa-f]+|[0-9]+#[0-9A-Za-z@_]+|[0-9]+)|([A-Za-z_][A-Za-z_0-9]*)"
    r"|(\*\*|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|[-+*/%<>=!~&^|?:,()]))"
)
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<=", ">=", "<", ">"), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"), ("**",),
)  # fmt: skip
_BINDS = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_CHANGES = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="})
_LOWER = "0123456789abcdefghijklmnopqrstuvwxyz"
_ALPHABET = _LOWER + "ABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
_WORD = 1 << 64


class _NotKnown(Exception):  # noqa: N818 - not an error: only the run tells
    """An expression whose value is not to be known."""


def may_run(text: str, state: State) -> bool:
    """Whether evaluating a text may run commands that the line has put into it or into a variable."""
    return runs_in_subscript(text) or (bool(state.loaded) and _NAMES.search(text) is not None)


def evaluate(text: str, state: State, look: Look, spend: Callable[[int], None]) -> int | None:
    """Do what an expression does to the state; its value, if that is to be known."""
    if may_run(text, state):
        state.note(RUNS_WHEN_EVALUATED)
    if text.isascii() and text.isdigit():
        return _number(text)
    sets = _SETS.search(text) is not None
    value: int | None = None
    if UNKNOWN not in text and len(text) <= EXPRESSION.most:
        sums = _Sums()
        try:
            value = _Reader(text, state, look, sums).whole()
        except (_NotKnown, ZeroDivisionError):
            value = None
        else:
            for name, number in sums.given.items():
                state.assign(name, str(number))
        spend((EXPRESSION.most - sums.left) // 16)
    if value is None and sets:
        for name in _NAME.findall(text):
            state.assign(name, None)
    return value


def _number(text: str) -> int | None:
    try:
        if "#" in text:
            base, _, digits = text.partition("#")
            return _in_base(int(base), digits)
        if text[:2] in ("0x", "0X"):
            return _wrap(int(text, 16))
        return _wrap(int(text, 8 if text[0] == "0" else 10))
    except ValueError:
        return None


def _in_base(base: int, digits: str) -> int | None:
    value = 0
    for digit in digits.lower() if base <= len(_LOWER) else digits:
        place = _ALPHABET.find(digit)
        if not 0 <= place < base:
            return None
        value = _wrap(value * base + place)
    return value if 1 < base <= len(_ALPHABET) else None


def _wrap(value: int) -> int:
    """A number as 64 bits hold it."""
    value %= _WORD
    return value - _WORD if value >= _WORD >> 1 else value


class _Sums:
    """What an expression and the values in it have set so far, and how much they may still be."""

    __slots__ = ("given", "left")

    def __init__(self) -> None:
        self.given: dict[str, int] = {}
        self.left = EXPRESSION.most


class _Reader:
    """Reads one expression and works it out. What is not reached by `&&`, `||` and `?` sets nothing."""

    def __init__(self, text: str, state: State, look: Look, sums: _Sums, depth: int = 0) -> None:
        self.tokens = _tokens(text)
        sums.left -= len(self.tokens)
        if sums.left < 0:
            raise _NotKnown
        self.at = 0
        self.state = state
        self.look = look
        self.sums = sums
        self.depth = depth
        self.idle = 0  # inside of what is not reached

    def whole(self) -> int:
        if not self.tokens:
            raise _NotKnown
        value = self._comma()
        if self.at < len(self.tokens):
            raise _NotKnown
        return value

    def _sign(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, sign: str) -> None:
        if self._sign() != sign:
            raise _NotKnown
        self.at += 1

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > EXPRESSION_DEPTH.most:
            raise _NotKnown

    def _comma(self) -> int:
        value = self._assignment()
        while self._sign() == ",":
            self.at += 1
            value = self._assignment()
        return value

    def _assignment(self) -> int:
        name = self._sign()
        change = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else ""
        if change not in _CHANGES or _NAME.fullmatch(name) is None:
            return self._choice()
        self.at += 2
        self._deeper()
        value = self._assignment()
        self.depth -= 1
        if change != "=":
            value = self._work(change[:-1], self._variable(name), value)
        self._set(name, value)
        return value

    def _choice(self) -> int:
        value = self._binary(0)
        if self._sign() != "?":
            return value
        self.at += 1
        self._deeper()
        first = self._aside(self._comma, reached=value != 0)
        self._take(":")
        second = self._aside(self._assignment, reached=value == 0)
        self.depth -= 1
        return first if value else second

    def _aside(self, read: Callable[[], int], *, reached: bool) -> int:
        self.idle += not reached
        try:
            return read()
        finally:
            self.idle -= not reached

    def _binary(self, least: int) -> int:
        self._deeper()
        value = self._unary()
        while (level := _BINDS.get(self._sign(), -1)) >= least:
            sign = self._sign()
            self.at += 1
            if sign in ("&&", "||"):
                right = self._aside(partial(self._binary, level + 1), reached=(value != 0) == (sign == "&&"))
                value = int(value != 0 and right != 0) if sign == "&&" else int(value != 0 or right != 0)
            else:
                value = self._work(sign, value, self._binary(level if sign == "**" else level + 1))
        self.depth -= 1
        return value

    def _unary(self) -> int:
        sign = self._sign()
        if sign == "":
            raise _NotKnown
        self.at += 1
        if sign in ("+", "-", "!", "~"):
            self._deeper()
            value = self._unary()
            self.depth -= 1
            return {"+": value, "-": _wrap(-value), "!": int(not value), "~": ~value}[sign]
        if sign in ("++", "--"):
            name = self._sign()
            self.at += 1
            value = _wrap(self._variable(name) + (1 if sign == "++" else -1))
            self._set(name, value)
            return value
        if sign == "(":
            self._deeper()
            value = self._comma()
            self.depth -= 1
            self._take(")")
            return value
        if sign[0].isdigit():
            return _certain(_number(sign))
        value = self._variable(sign)
        if self._sign() in ("++", "--"):
            self._set(sign, _wrap(value + (1 if self._sign() == "++" else -1)))
            self.at += 1
        return value

    def _variable(self, name: str) -> int:
        if _NAME.fullmatch(name) is None:
            raise _NotKnown
        if name in self.sums.given:
            return self.sums.given[name]
        value = self.look(name, self.state)
        if isinstance(value, tuple):
            value = value[0] if value else ""
        if value is None or UNKNOWN in value:
            raise _NotKnown
        if value == "":
            return 0
        if self.depth + 1 > EXPRESSION_DEPTH.most or len(value) > EXPRESSION.most or _SETS.search(value):
            raise _NotKnown
        return _Reader(value, self.state, self.look, self.sums, self.depth + 1).whole()

    def _set(self, name: str, value: int) -> None:
        if _NAME.fullmatch(name) is None:
            raise _NotKnown
        if not self.idle:
            self.sums.given[name] = value

    def _work(self, sign: str, left: int, right: int) -> int:
        if self.idle:
            return 0
        if sign in ("/", "%"):
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return _wrap(quotient if sign == "/" else left - quotient * right)
        if sign == "**":
            if right < 0:
                raise _NotKnown
            return _wrap(pow(left, right, _WORD))
        if sign in ("<<", ">>"):
            if not 0 <= right < _WORD.bit_length() - 1:
                raise _NotKnown
            return _wrap(left << right if sign == "<<" else left >> right)
        return _wrap(_WORK[sign](left, right))


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _NotKnown
        found.append(token[1] or token[2] or token[3])
        at = token.end()
    return found


def _certain(value: int | None) -> int:
    if value is None:
        raise _NotKnown
    return value


_WORK: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "&": lambda left, right: left & right,
    "^": lambda left, right: left ^ right,
    "|": lambda left, right: left | right,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    ">": lambda left, right: int(left > right),
    "<=": lambda left, right: int(left <= right),
    ">=": lambda left, right: int(left >= right),
}
