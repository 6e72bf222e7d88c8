"""Reading a program of jq."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec import Struct

__all__ = ["Jq", "JqError", "read_jq"]

MOST_CHARACTERS = 20_000
MOST_NESTING = 24
MOST_STEPS_OF_PIPE = 120

_TOKEN = re.compile(
    r"(?P<blank>(?:[ \t\r\n]|\\\n|#[^\n]*)+)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<field>\.[A-Za-z_]\w*)"
    r"|(?P<variable>\$(?:__loc__|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*))"
    r"|(?P<format>@[A-Za-z0-9]+)"
    r"|(?P<word>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)"
    r'|(?P<quote>")'
    r"|(?P<sign>\?//|//=|\|=|\+=|-=|\*=|/=|%=|==|!=|<=|>=|//|\.\.|[-.\[\](){}|,:;=<>+*/%?])"
)
_IN_STRING = re.compile(r'[^"\\]+')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_COMPARES = frozenset({"==", "!=", "<", "<=", ">", ">="})
_ASSIGNS = frozenset({"=", "|=", "+=", "-=", "*=", "/=", "%=", "//="})


class JqError(Exception):
    """A program that cannot be read."""


class Jq(Struct):
    """A part of a program: what it does, to what, and where it is written."""

    op: str
    args: tuple[Any, ...] = ()
    start: int = 0
    end: int = 0


class _Token(Struct):
    kind: str
    text: str
    start: int
    end: int
    value: Any = None


@lru_cache(maxsize=256)
def read_jq(text: str) -> Jq:
    """The program that a text is. Raises JqError if it is not a program, or too long."""
    if len(text) > MOST_CHARACTERS:
        raise JqError("it is too long")
    reader = _Reader(text)
    program = reader.pipe()
    if not reader.is_at(""):
        raise JqError(f"`{reader.token.text}` is not expected")
    return program


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.before = 0  # the end of the last token
        self.token = self._next()

    # Tokens.

    def _next(self) -> _Token:
        text = self.text
        while self.at < len(text):
            found = _TOKEN.match(text, self.at)
            if found is None:
                raise JqError(f"`{text[self.at]}` is not expected")
            start, self.at = self.at, found.end()
            kind = found.lastgroup or ""
            if kind == "blank":
                continue
            if kind == "quote":
                parts = self._string()
                return _Token("string", text[start : self.at], start, self.at, parts)
            return _Token(kind, found[0], start, self.at)
        return _Token("", "", self.at, self.at)

    def _string(self) -> list[str | Jq]:
        """The parts of a string after its first quote: its text, and what is put into it."""
        parts: list[str | Jq] = []
        text = self.text
        while self.at < len(text):
            if found := _IN_STRING.match(text, self.at):
                parts.append(found[0])
                self.at = found.end()
                continue
            if text[self.at] == '"':
                self.at += 1
                return parts
            behind = text[self.at + 1 : self.at + 2]
            if behind == "(":
                self.at += 2
                inner = _Reader.__new__(_Reader)
                inner.text, inner.at, inner.depth, inner.before = text, self.at, self.depth + 1, self.at
                if inner.depth > MOST_NESTING:
                    raise JqError("it is nested too deeply")
                inner.token = inner._next()
                parts.append(inner.pipe())
                if not inner.is_at(")"):
                    raise JqError("a parenthesis is not closed")
                self.at = inner.token.end
            elif behind == "u":
                try:
                    parts.append(chr(int(text[self.at + 2 : self.at + 6], 16)))
                except ValueError:
                    raise JqError("an escape is wrong") from None
                self.at += 6
            elif behind in _ESCAPES:
                parts.append(_ESCAPES[behind])
                self.at += 2
            else:
                raise JqError("an escape is wrong")
        raise JqError("a quote is not closed")

    def is_at(self, *texts: str) -> bool:
        return self.token.kind in ("sign", "word", "") and self.token.text in texts

    def step(self) -> _Token:
        token = self.token
        self.before = token.end
        self.token = self._next()
        return token

    def take(self, text: str) -> None:
        if not self.is_at(text):
            raise JqError(f"`{text}` is missing")
        self.step()

    def _made(self, op: str, start: int, *args: Any) -> Jq:
        return Jq(op, args, start, self.before)

    # Levels, from the one that binds least.

    def pipe(self) -> Jq:
        """The parts of a pipeline, up to what closes it."""
        begun: list[tuple[int, str, Any]] = []  # what takes all that follows
        while True:
            start = self.token.start
            if self.is_at("def"):
                begun.append((start, "def", self._definition()))
                continue
            if self.is_at("label"):
                self.step()
                self.step()
                self.take("|")
                continue
            found = self._comma()
            if self.is_at("as"):
                self.step()
                begun.append((start, "as", (found, self._patterns())))
                self.take("|")
            elif self.is_at("|"):
                self.step()
                begun.append((start, "pipe", (found,)))
            else:
                break
            if len(begun) > MOST_STEPS_OF_PIPE:
                raise JqError("it is too long")
        for start, op, parts in reversed(begun):
            found = self._made(op, start, *parts, found)
        return found

    def _comma(self) -> Jq:
        start, found = self.token.start, self._alternative()
        while self.is_at(","):
            self.step()
            found = self._made("comma", start, found, self._alternative())
        return found

    def _alternative(self) -> Jq:
        parts = [self._assignment()]
        while self.is_at("//"):
            self.step()
            parts.append(self._assignment())
        found = parts.pop()
        while parts:
            first = parts.pop()
            found = self._made("alternative", first.start, first, found)
        return found

    def _assignment(self) -> Jq:
        start, found = self.token.start, self._either()
        if self.token.kind == "sign" and self.token.text in _ASSIGNS:
            sign = self.step().text
            found = self._made("assign", start, sign, found, self._alternative())
        return found

    def _either(self) -> Jq:
        return self._binary(("or",), lambda: self._binary(("and",), self._comparison))

    def _binary(self, words: tuple[str, ...], below: Callable[[], Jq]) -> Jq:
        start, found = self.token.start, below()
        while self.is_at(*words):
            sign = self.step().text
            found = self._made(sign if sign in ("and", "or") else "sum", start, *self._operands(sign, found, below()))
        return found

    @staticmethod
    def _operands(sign: str, left: Jq, right: Jq) -> tuple[Any, ...]:
        return (left, right) if sign in ("and", "or") else (sign, left, right)

    def _comparison(self) -> Jq:
        start, found = self.token.start, self._sum()
        if self.token.kind == "sign" and self.token.text in _COMPARES:
            sign = self.step().text
            found = self._made("compare", start, sign, found, self._sum())
        return found

    def _sum(self) -> Jq:
        return self._binary(("+", "-"), lambda: self._binary(("*", "/", "%"), self._postfix))

    # Terms and what is behind them.

    def _postfix(self) -> Jq:
        start = self.token.start
        self.depth += 1
        if self.depth > MOST_NESTING:
            raise JqError("it is nested too deeply")
        found = self._behind(start, self._term())
        self.depth -= 1
        return found

    def _behind(self, start: int, found: Jq) -> Jq:
        """A term with what is behind it: `.name`, `[…]`, `?`."""
        while True:
            if self.token.kind == "field":
                name = self.step().text[1:]
                found = self._made("field", start, found, name)
            elif self.is_at("."):
                self.step()
                if self.token.kind == "string":
                    found = self._made("field", start, found, self._name_of(self.step()))
                elif not self.is_at("["):
                    raise JqError("a name is missing")
            elif self.is_at("["):
                found = self._index(start, found)
            elif self.is_at("?"):
                self.step()
                found = self._made("try", start, found, None)
            else:
                return found

    def _name_of(self, token: _Token) -> str | Jq:
        if all(isinstance(part, str) for part in token.value):
            return "".join(token.value)
        return Jq("string", (token.value, ""), token.start, token.end)

    def _index(self, start: int, term: Jq) -> Jq:
        self.take("[")
        if self.is_at("]"):
            self.step()
            return self._made("each", start, term)
        if self.is_at(":"):
            self.step()
            end = self.pipe()
            self.take("]")
            return self._made("slice", start, term, None, end)
        index = self.pipe()
        if self.is_at(":"):
            self.step()
            end_of = None if self.is_at("]") else self.pipe()
            self.take("]")
            return self._made("slice", start, term, index, end_of)
        self.take("]")
        if index.op == "constant" and isinstance(index.args[0], str):
            return self._made("field", start, term, index.args[0])
        return self._made("index", start, term, index)

    def _term(self) -> Jq:
        token = self.token
        start = token.start
        match token.kind:
            case "field":
                self.step()
                return self._made("field", start, Jq("input", (), start, start), token.text[1:])
            case "number":
                self.step()
                return self._made("constant", start, json.loads(token.text) if token.text[0] != "." else 0)
            case "string":
                return self._text("")
            case "format":
                self.step()
                return (
                    self._text(token.text) if self.token.kind == "string" else self._made("format", start, token.text)
                )
            case "variable":
                self.step()
                return self._made("variable", start, token.text[1:])
            case "word":
                return self._word()
        return self._sign()

    def _text(self, form: str) -> Jq:
        token = self.step()
        if not form and all(isinstance(part, str) for part in token.value):
            return self._made("constant", token.start, "".join(token.value))
        return self._made("string", token.start, token.value, form)

    def _sign(self) -> Jq:
        start = self.token.start
        sign = self.step().text if self.token.kind == "sign" else ""
        match sign:
            case ".":
                if self.token.kind == "string":
                    return self._made("field", start, Jq("input", (), start, start), self._name_of(self.step()))
                return self._made("input", start)
            case "..":
                return self._made("call", start, "recurse", ())
            case "-":
                return self._made("minus", start, self._postfix())
            case "(":
                inner = self.pipe()
                self.take(")")
                return inner
            case "[":
                inside = None if self.is_at("]") else self.pipe()
                self.take("]")
                return self._made("list", start, inside)
            case "{":
                return self._object(start)
        raise JqError(f"`{sign or self.token.text}` is not expected")

    def _object(self, start: int) -> Jq:
        members: list[tuple[str | Jq, Jq]] = []
        while not self.is_at("}"):
            members.append(self._member())
            if not self.is_at("}"):
                self.take(",")
        self.step()
        return self._made("object", start, members)

    def _member(self) -> tuple[str | Jq, Jq]:
        token = self.token
        if self.is_at("("):
            self.step()
            key: str | Jq = self.pipe()
            self.take(")")
            self.take(":")
            return key, self._member_value()
        self.step()
        if token.kind == "variable":
            name = token.text[1:]
            return name, Jq("variable", (name,), token.start, token.end)
        if token.kind == "string":
            key = self._name_of(token)
        elif token.kind in ("word", "number"):
            key = token.text
        elif token.kind == "format" and self.token.kind == "string":
            key = self._text(token.text)
        else:
            raise JqError(f"`{token.text}` cannot be a key")
        if self.is_at(":"):
            self.step()
            return key, self._member_value()
        return key, Jq("field", (Jq("input"), key), token.start, token.end)

    def _member_value(self) -> Jq:
        start, found = self.token.start, self._member_part()
        while self.is_at("|"):
            self.step()
            found = self._made("pipe", start, found, self._member_part())
        return found

    def _member_part(self) -> Jq:
        """What jq takes as a value without parentheses, and a little more."""
        return self._alternative()

    def _word(self) -> Jq:
        token = self.step()
        start = token.start
        match token.text:
            case "null" | "true" | "false":
                return self._made("constant", start, {"null": None, "true": True, "false": False}[token.text])
            case "if":
                return self._condition(start)
            case "try":
                body = self._postfix()
                caught = None
                if self.is_at("catch"):
                    self.step()
                    caught = self._postfix()
                return self._made("try", start, body, caught)
            case "reduce" | "foreach":
                source = self._postfix()
                self.take("as")
                names = self._patterns()
                self.take("(")
                parts = [self.pipe()]
                while self.is_at(";"):
                    self.step()
                    parts.append(self.pipe())
                self.take(")")
                return self._made(token.text, start, source, names, parts)
            case "def":
                raise JqError("a definition is not expected")
        arguments: list[Jq] = []
        if self.is_at("("):
            self.step()
            arguments.append(self.pipe())
            while self.is_at(";"):
                self.step()
                arguments.append(self.pipe())
            self.take(")")
        return self._made("call", start, token.text, tuple(arguments))

    def _condition(self, start: int) -> Jq:
        starts, parts = [start], [self._case()]
        while self.is_at("elif"):
            starts.append(self.step().start)
            parts.append(self._case())
        other: Jq | None = None
        if self.is_at("else"):
            self.step()
            other = self.pipe()
        self.take("end")
        for place in range(len(parts) - 1, 0, -1):
            other = self._made("if", starts[place], *parts[place], other)
        return self._made("if", start, *parts[0], other)

    def _case(self) -> tuple[Jq, Jq]:
        test = self.pipe()
        self.take("then")
        return test, self.pipe()

    def _patterns(self) -> tuple[str, ...]:
        """The names that `as` gives values to: one, or those of a destructuring."""
        depth = 0
        names: list[str] = []
        whole = self.token.kind == "variable"
        while True:
            token = self.token
            if token.kind == "":
                raise JqError("a name is missing")
            if depth == 0 and names and not self.is_at("?//"):
                break
            self.step()
            depth += {"[": 1, "{": 1, "(": 1, "]": -1, "}": -1, ")": -1}.get(token.text, 0)
            if token.kind == "variable":
                names.append(token.text[1:])
                if depth == 0 and whole:
                    break
            elif depth == 0 and token.text in "]}" and not names:
                raise JqError("a name is missing")
        return tuple(names) if whole else ("", *names)

    def _definition(self) -> tuple[str, tuple[str, ...], Jq]:
        self.take("def")
        name = self.step().text
        parameters: list[str] = []
        if self.is_at("("):
            self.step()
            while not self.is_at(")"):
                parameters.append(self.step().text)
                if self.is_at(";"):
                    self.step()
            self.step()
        self.take(":")
        body = self.pipe()
        self.take(";")
        return name, tuple(parameters), body
