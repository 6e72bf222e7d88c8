"""Conditions of a shell: `[[ … ]]`, `[ … ]`, `(( … ))`, and the patterns of `case`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec.structs import replace

from interlock.facts.shell.grammar import Grammar
from interlock.facts.shell.patterns import read_pattern
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.tree import Word
from interlock.hook_lint.program import PatternUse, Span
from interlock.hook_lint.read.shell.holes import KEYS, Ask, Atom, Hole, has_holes, path_of_key
from interlock.hook_lint.read.shell.machine import ShellReader
from interlock.hook_lint.read.shell.state import ShellState, Status

__all__ = [
    "Truth",
    "arithmetic",
    "bracket",
    "compare_numbers",
    "double_bracket",
    "is_among",
    "join",
    "matches_glob",
    "negation_of",
    "search",
    "status_of",
    "unary",
    "world",
]  # fmt: skip

Truth: TypeAlias = bool | Ask

_OPERATOR = re.compile(r"&&|\|\||[()<>!](?=[ \t\n(]|\Z)|[()<>]")
_END = re.compile(r"\]\](?=[ \t\n;&|()<>]|\Z)")
_UNARY = re.compile(r"-[a-zA-Z]")
_NUMERIC = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}
_FILES = frozenset({"-nt", "-ot", "-ef"})
_SIGNS = re.compile(r"\s*(<=|>=|==|!=|<|>)\s*")
_PLAIN_GLOB = re.compile(r"(?:[^*?\[\]\\+@!(]|\\.)*", re.DOTALL)
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)
_KEY = re.compile(r"\"(\w+)\\?\"")
_MOST_TOKENS = 400
_MOST_STEPS = 100_000

Token: TypeAlias = tuple[Literal["sign", "word", "pattern"], str | Word | list[Word]]


# --- [[ … ]] ------------------------------------------------------------------------------------------------------


def double_bracket(walk: ShellReader, text: str, span: Span, state: ShellState) -> Truth:
    """Whether a `[[ … ]]` holds. `text`: the whole of it."""
    source = " ".join(text.split())
    return _with_text(_DoubleBracketReader(walk, _tokens(text), source, span, state).either(), source)


def _tokens(text: str) -> list[Token]:
    """The signs and words between `[[` and `]]`; the words of a pattern behind `=~` are one."""
    reader = Grammar(text, Budget())
    reader.at = 2
    found: list[Token] = []
    pattern: list[Word] | None = None
    while reader.at < reader.size and len(found) < _MOST_TOKENS:
        gap = reader.at
        _skip(reader)
        if _END.match(text, reader.at):
            break
        before = reader.at
        if pattern is not None and pattern and before > gap:
            found.append(("pattern", pattern))
            pattern = None
        operator = _OPERATOR.match(text, before) if pattern is None else None
        if operator is not None and not text.startswith(("<(", ">("), before):
            reader.at = operator.end()
            found.append(("sign", operator[0]))
            continue
        word = reader.word(pattern=pattern is not None)
        if reader.at == before:
            word = text[before : before + 1]
            reader.at += 1
        if pattern is not None:
            pattern.append(word)
            continue
        found.append(("word", word))
        if word == "=~":
            pattern = []
    if pattern:
        found.append(("pattern", pattern))
    return found


def _skip(reader: Grammar) -> None:
    while reader.at < reader.size and reader.text[reader.at] in " \t\n\\":
        if reader.text[reader.at] == "\\" and reader.text[reader.at + 1 : reader.at + 2] != "\n":
            return
        reader.at += 1


class _TestReader:
    """Reads one test from left to right."""

    or_sign: str
    and_sign: str

    def __init__(self, walk: ShellReader, source: str, span: Span, state: ShellState) -> None:
        self.walk = walk
        self.source = source
        self.span = span
        self.state = state
        self.at = 0

    def either(self) -> Truth:
        return self._join("||", self.or_sign, self._both)

    def _both(self) -> Truth:
        return self._join("&&", self.and_sign, self._one)

    def _join(self, sign: Literal["&&", "||"], written: str, part: Callable[[], Truth]) -> Truth:
        found = [part()]
        while self._sign() == written:
            self.at += 1
            found.append(part())
        return join(found, sign, self.source, self.span)

    def _sign(self) -> str:
        """The next word of a test, where it may be a sign."""
        raise NotImplementedError

    def _one(self) -> Truth:
        """A test that is not joined."""
        raise NotImplementedError


class _DoubleBracketReader(_TestReader):
    or_sign = "||"
    and_sign = "&&"

    def __init__(self, walk: ShellReader, tokens: list[Token], source: str, span: Span, state: ShellState) -> None:
        super().__init__(walk, source, span, state)
        self.tokens = tokens

    def _sign(self) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ("sign", "")
        return str(token[1]) if token[0] == "sign" else ""

    def _word(self, ahead: int = 0) -> Word | None:
        place = self.at + ahead
        if place < len(self.tokens) and self.tokens[place][0] == "word":
            return self.tokens[place][1]  # type: ignore[return-value]
        return None

    def _one(self) -> Truth:
        sign = self._sign()
        if sign == "!":
            self.at += 1
            return negation_of(self._one())
        if sign == "(":
            self.at += 1
            inner = self.either()
            self.at += self._sign() == ")"
            return inner
        first = self._word()
        if first is None:
            self.at += 1
            return world(self.source, self.span)
        second = self._word(1)
        if isinstance(first, str) and _UNARY.fullmatch(first) and second is not None:
            third = self._word(2)
            if not (isinstance(second, str) and second in ("=", "==", "!=", "=~")) or third is None:
                self.at += 2
                return unary(self.walk, first, self.walk.text(second, self.state), self.source, self.span, self.state)
        self.at += 1
        if isinstance(second, str) and (second in ("=", "==", "!=", "=~", *_NUMERIC) or second in _FILES):
            self.at += 1
            return self._binary(first, second)
        if self._sign() in ("<", ">"):
            self.at += 2
            return world(self.source, self.span)
        return unary(self.walk, "-n", self.walk.text(first, self.state), self.source, self.span, self.state)

    def _binary(self, first: Word, operator: str) -> Truth:
        walk, state = self.walk, self.state
        left = walk.text(first, state)
        if operator == "=~":
            kind, words = self.tokens[self.at] if self.at < len(self.tokens) else ("pattern", [])
            self.at += 1
            pattern = walk.regex(words if kind == "pattern" else [words], state)  # type: ignore[arg-type,list-item]
            walk.note_groups(left, pattern, state)
            return search(walk, left, pattern, "regex", self.source, self.span)
        second = self._word()
        self.at += 1
        if operator in _NUMERIC:
            return compare_numbers(
                walk, left, _NUMERIC[operator], walk.text(second or "", state), self.source, self.span
            )
        if operator in _FILES:
            return world(self.source, self.span, left)
        pattern = walk.glob(second or "", state)
        found = matches_glob(walk, left, [pattern], self.source, self.span)
        return negation_of(found) if operator == "!=" else found


# --- [ … ] --------------------------------------------------------------------------------------------------------


def bracket(walk: ShellReader, fields: list[str], text: str, span: Span, state: ShellState) -> Truth:
    """Whether a `[ … ]` or `test …` holds. `fields`: its words."""
    source = " ".join(text.split())
    return _with_text(_BracketReader(walk, fields, source, span, state).either(), source)


class _BracketReader(_TestReader):
    or_sign = "-o"
    and_sign = "-a"

    def __init__(self, walk: ShellReader, fields: list[str], source: str, span: Span, state: ShellState) -> None:
        super().__init__(walk, source, span, state)
        self.fields = fields

    def _sign(self) -> str:
        return self.fields[self.at] if self.at < len(self.fields) else ""

    def _one(self) -> Truth:
        left = len(self.fields) - self.at
        if left <= 0:
            return False
        if self._sign() == "!" and left > 1:
            self.at += 1
            return negation_of(self._one())
        if self._sign() in ("(", "\\("):
            self.at += 1
            inner = self.either()
            self.at += self._sign() in (")", "\\)")
            return inner
        operator = self.fields[self.at + 1] if left > 2 else ""
        if operator in ("=", "==", "!=", *_NUMERIC, *_FILES, "<", ">", "\\<", "\\>", "=~"):
            first, second = self.fields[self.at], self.fields[self.at + 2]
            self.at += 3
            return self._binary(first, operator, second)
        word = self.fields[self.at]
        if _UNARY.fullmatch(word) and left > 1:
            self.at += 2
            return unary(self.walk, word, self.fields[self.at - 1], self.source, self.span, self.state)
        self.at += 1
        return unary(self.walk, "-n", word, self.source, self.span, self.state)

    def _binary(self, first: str, operator: str, second: str) -> Truth:
        if operator in _NUMERIC:
            return compare_numbers(self.walk, first, _NUMERIC[operator], second, self.source, self.span)
        if operator in ("=", "==", "!="):
            found = is_among(self.walk, first, [second], self.source, self.span)
            return negation_of(found) if operator == "!=" else found
        return world(self.source, self.span, first, second)


# --- (( … )) ------------------------------------------------------------------------------------------------------


def arithmetic(walk: ShellReader, text: str, source: str, span: Span, state: ShellState) -> Truth:
    """Whether a sum is not 0."""
    parts = _SIGNS.split(text)
    if len(parts) != 3 or any(sign in text for sign in ("&&", "||", "?")):
        number = walk.number(text, state)
        if number is not None:
            return number != 0
        names = re.findall(r"[A-Za-z_]\w*", text)
        values = [value for name in names if isinstance(value := state.variables.get(name), str)]
        return world(source, span, text, *values, kind="flag" if values else "world")
    sides = []
    for side in (parts[0], parts[2]):
        number = walk.number(side, state)
        value = state.variables.get(side.strip())
        sides.append(str(number) if number is not None else value if isinstance(value, str) else side)
    return compare_numbers(walk, sides[0], parts[1], sides[1], source, span)


# --- single conditions --------------------------------------------------------------------------------------------


def negation_of(truth: Truth) -> Truth:
    return not truth if isinstance(truth, bool) else truth.negation()


def join(found: list[Truth], sign: Literal["&&", "||"], source: str, span: Span) -> Truth:
    """Several conditions joined by one sign."""
    if len(found) == 1:
        return found[0]
    decides = sign == "||"
    if decides in found:
        return decides
    asks = [one for one in found if isinstance(one, Ask)]
    if not asks:
        return not decides
    if len(asks) == 1:
        return asks[0]
    atoms = tuple(atom for ask in asks for atom in ask.atoms)
    paths = tuple(dict.fromkeys(path for ask in asks for path in ask.paths))
    key = f"{sign}\0" + "\0".join(f"{ask.inverted}{ask.key}" for ask in asks)
    return Ask(text=source, key=key, span=span, atoms=atoms, paths=paths)


def world(source: str, span: Span, *texts: str, kind: Literal["world", "flag"] = "world") -> Ask:
    """A condition of which nothing is known but what it looks at."""
    return Ask(text=source, key="\0".join((source, *texts)), span=span, atoms=(Atom(kind, span),))


def unary(walk: ShellReader, operator: str, text: str, source: str, span: Span, state: ShellState) -> Truth:
    """`-z`, `-n`, and what looks at a file."""
    if operator not in ("-z", "-n"):
        walk.judge_by(text)
        paths = walk.holes.paths(text)
        return Ask(text=source, key=f"{operator} {text}", span=span, atoms=(Atom("world", span),), paths=paths)
    sign = operator == "-n"
    if not has_holes(text):
        return bool(text) == sign
    choices = walk.holes.choices(text)
    if choices and (all(choices) or not any(choices)) and all(not hole.names for hole in walk.holes.of(text)):
        return bool(choices[0]) == sign
    walk.judge_by(text)
    hole = walk.holes.sole(text)
    if len(text) > len(walk.holes.of(text)):
        return sign  # with a constant part it is not empty
    if hole is not None and hole.ask is not None:
        return hole.ask if sign else hole.ask.negation()
    kind: Literal["presence", "flag", "world"] = (
        "presence" if hole is not None and hole.origins else "flag" if choices else "world"
    )
    ask = Ask(text=source, key=f"-n {text}", span=span, atoms=(Atom(kind, span),), paths=walk.holes.paths(text))
    return ask if sign else _with_text(ask.negation(), source)


def _with_text(truth: Truth, source: str) -> Truth:
    """A condition with the text that a check shows."""
    return truth if isinstance(truth, bool) else replace(truth, text=source)


def compare_numbers(walk: ShellReader, left: str, sign: str, right: str, source: str, span: Span) -> Truth:
    """Whether a comparison of two numbers holds."""
    one, other = _integer(left), _integer(right)
    if one is not None and other is not None:
        return {
            "==": one == other, "!=": one != other, "<": one < other, "<=": one <= other, ">": one > other,
            ">=": one >= other,
        }[sign]  # fmt: skip
    if one is not None and other is None:
        left, right, one, other = right, left, other, one
        sign = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
    walk.judge_by(left, right)
    hole = walk.holes.sole(left)
    if hole is not None and other is not None:
        positive = (sign, other) in ((">", 0), (">=", 1), ("!=", 0))
        negative = (sign, other) in (("==", 0), ("<", 1), ("<=", 0))
        ask = hole.status or hole.ask
        if ask is not None and (positive or negative):
            holds = negative if hole.status is not None else positive
            return _with_text(ask if holds else ask.negation(), source)
        if hole.status is not None and sign in ("==", "!="):  # `$? -eq 1`
            return _with_text(hole.status.negation() if sign == "==" else hole.status, source)
    choices = walk.holes.choices(left)
    numbers = [_integer(choice) for choice in choices]
    if other is not None and choices and None not in numbers:
        truths = {bool(compare_numbers(walk, str(number), sign, str(other), source, span)) for number in numbers}
        if len(truths) == 1:
            return truths.pop()
    paths = walk.holes.paths(left, right)
    kind: Literal["match", "flag", "world"] = "flag" if choices else "match" if paths else "world"
    return Ask(text=source, key=f"{left} {sign} {right}", span=span, atoms=(Atom(kind, span),), paths=paths)


def _integer(text: str) -> int | None:
    text = text.strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else 0 if text == "" else None


def is_among(walk: ShellReader, left: str, values: list[str], source: str, span: Span) -> Truth:
    """Whether a text is one of these."""
    if not has_holes(left) and not any(map(has_holes, values)):
        return left in values
    if len(values) == 1 and walk.holes.sole(left) is None and walk.holes.sole(values[0]) is not None:
        left, values = values[0], [left]
    walk.judge_by(left, *values)
    hole = walk.holes.sole(left)
    if hole is not None and hole.status is not None and all(value.isdigit() for value in values):
        return compare_numbers(walk, left, "==", values[0], source, span)
    known = [choice for value in values for choice in walk.holes.choices(value)]
    if hole is not None and known and not any(known):
        return negation_of(unary(walk, "-n", left, source, span, ShellState("")))
    if hole is not None and hole.ask is not None and known == ["true"]:
        return _with_text(hole.ask, source)  # what jq has printed
    if hole is not None and hole.ask is not None and known == ["false"]:
        return _with_text(hole.ask.negation(), source)
    choices = walk.holes.choices(left)
    if choices and known and not walk.holes.names(left) and not set(choices) & set(known):
        return False
    path = None
    if hole is not None and known:
        path = hole.origins[0] if len(hole.origins) == 1 and hole.change == "" else None
        for origin in hole.origins:
            if hole.change == "" and origin:
                walk.notes.compare(origin, tuple(dict.fromkeys(known)), span)
    paths = walk.holes.paths(left, *values)
    kind: Literal["match", "flag", "world"] = "flag" if choices else "match" if paths else "world"
    equal = known[0] if len(known) == 1 and path is not None else None
    return Ask(
        text=source, key=f"{left} == {values}", span=span, atoms=(Atom(kind, span, True, path, equal),), paths=paths
    )


def matches_glob(walk: ShellReader, left: str, patterns: list[str], source: str, span: Span) -> Truth:
    """Whether a text matches one of these patterns of the shell."""
    if all(_is_plain(pattern) for pattern in patterns):
        return is_among(walk, left, [_UNESCAPE.sub(r"\1", pattern) for pattern in patterns], source, span)
    if "*" in patterns:
        return True
    if not has_holes(left) and not any(map(has_holes, patterns)):
        return _match_known(left, patterns, source, span)
    walk.judge_by(left, *patterns)
    hole = walk.holes.sole(left)
    if patterns in (["?*"], ["*?"]):
        return unary(walk, "-n", left, source, span, ShellState(""))
    choices = walk.holes.choices(left)
    if choices and not walk.holes.names(left) and not any(map(has_holes, patterns)):
        truths = [_match_known(choice, patterns, source, span) for choice in choices]
        if truths.count(True) == len(truths) or truths.count(False) == len(truths):
            return truths[0]
    plain: list[str] = []
    for pattern in patterns:
        for text in walk.holes.choices(pattern):
            if _is_plain(text):
                plain.append(_UNESCAPE.sub(r"\1", text))
            elif hole is not None:
                _note_keys(walk, hole, text, span)
                _note_glob(walk, hole, text, span)
    if hole is not None and plain and hole.change == "":
        for origin in hole.origins:
            if origin:
                walk.notes.compare(origin, tuple(plain), span)
    paths = walk.holes.paths(left, *patterns)
    kind: Literal["match", "flag", "world"] = "flag" if choices else "match" if paths else "world"
    return Ask(text=source, key=f"{left} ~ {patterns}", span=span, atoms=(Atom(kind, span),), paths=paths)


def _match_known(text: str, patterns: list[str], source: str, span: Span) -> Truth:
    for pattern in patterns:
        read = read_pattern(pattern)
        if read is None or read.steps(text) > _MOST_STEPS:
            return world(source, span)
        if read.expression().fullmatch(text):
            return True
    return False


def _is_plain(pattern: str) -> bool:
    return _PLAIN_GLOB.fullmatch(pattern) is not None


def _note_keys(walk: ShellReader, hole: Hole, text: str, span: Span) -> None:
    """Note the fields whose names a pattern looks for in the JSON text: `*'"stop_hook_active":true'*`."""
    if hole.origins == ((),):
        for found in _KEY.finditer(text):
            if found[1] not in KEYS:
                continue
            walk.notes.read(path_of_key((), found[1]), span, by_text=text)


def _note_glob(walk: ShellReader, hole: Hole, text: str, span: Span) -> None:
    how: Literal["glob", "contains", "starts"] = "glob"
    if len(text) > 2 and text[0] == text[-1] == "*" and _is_plain(text[1:-1]):
        how, text = "contains", _UNESCAPE.sub(r"\1", text[1:-1])
    elif len(text) > 1 and text[-1] == "*" and _is_plain(text[:-1]):
        how, text = "starts", _UNESCAPE.sub(r"\1", text[:-1])
    for origin in hole.origins:
        walk.notes.search(PatternUse(path=origin, text=text, how=how, span=span, change=hole.change))


def search(
    walk: ShellReader,
    left: str,
    pattern: str,
    how: Literal["regex", "contains", "whole"],
    source: str,
    span: Span,
    *,
    is_by_line: bool = False,
    option_like: bool = False,
) -> Truth:
    """Whether a regular expression is found in a text."""
    walk.judge_by(left, pattern)
    hole = walk.holes.sole(left.strip())
    known = walk.holes.choices(pattern)
    if hole is not None:
        for text in known:
            _note_keys(walk, hole, text, span)
        use = PatternUse(path=(), text="", how=how, span=span, is_by_line=is_by_line, change=hole.change)
        for origin in hole.origins:
            for text in known:
                is_option = option_like and text.startswith("-")
                walk.notes.search(replace(use, path=origin, text=text, option_like=is_option))
    choices = walk.holes.choices(left)
    if choices and len(known) == 1 and not walk.holes.names(left) and how == "regex" and len(known[0]) < 200:
        truth = _found_in(choices, known[0])
        if truth is not None:
            return truth
    paths = walk.holes.paths(left, pattern)
    origins = hole.origins if hole is not None else ()
    kind: Literal["match", "flag", "world"] = "match" if paths else "flag" if choices else "world"
    path = origins[0] if len(origins) == 1 else None
    return Ask(
        text=source, key=f"{left} =~ {pattern} {how}", span=span, atoms=(Atom(kind, span, True, path),), paths=paths
    )


def _found_in(choices: tuple[str, ...], pattern: str) -> bool | None:
    """Whether a plain pattern is found in known texts; None if they differ, or if the pattern is not plain."""
    if not re.fullmatch(r"[\w\s/.,:=@^$|()-]*", pattern):
        return None
    try:
        truths = {re.search(pattern, choice[:2_000]) is not None for choice in choices}
    except re.error:
        return None
    return truths.pop() if len(truths) == 1 else None


def status_of(truth: Truth) -> Status:
    """The exit code of a condition."""
    if isinstance(truth, bool):
        return 0 if truth else 1
    return truth
