"""Words and marks of other languages in an expression, and how CEL writes the same.

A cure is only offered if the whole expression compiles with it: `cel_errors` sees to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from interlock.policy.tokens import ExpressionToken

__all__ = ["Slip", "operand_after", "operand_before", "repair", "slips", "words_of"]

_WORDS = re.compile(
    r"""(?P<text>[rRbB]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))
      | (?P<curly>[“”„][^“”"]*[“”]|[‘’][^‘’']*[‘’]|`[^`]*`)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>\d[\w.]*)
      | (?P<space>\s+|//[^\n]*)
      | (?P<mark>===|!==|=~|!~|:=|=>|->|=<|<>|\*\*|\.\?|\[\?|\$\{|&&|\|\||[<>=!]=|.)""",
    re.VERBOSE | re.DOTALL,
)


class Slip(NamedTuple):
    """One word that CEL does not know: where it is, what to say of it, and the edits that mend it."""

    at: int
    message: str
    edits: tuple[tuple[int, int, str], ...]  # from, to, new text
    instead: str = ""  # what CEL has for it, where that is not the text of the first edit
    name: str = ""  # the function or field, if it is one: elsewhere, somebody's field may well be called that

    @property
    def cure(self) -> str:
        """What to use, for an expression that has more faults than this one."""
        return f"use `{self.instead or self.edits[0][2].strip()}`"


_Words: TypeAlias = list[ExpressionToken]


def words_of(expression: str) -> _Words:
    """The words of an expression, among them marks that only other languages have."""
    found = (ExpressionToken(one.lastgroup or "", one[0], one.start()) for one in _WORDS.finditer(expression))
    return [word for word in found if word.kind not in ("space", "")]


def slips(expression: str) -> list[Slip]:
    """Every slip of an expression, in order."""
    words = words_of(expression)
    found = [slip for place in range(len(words)) for look in _LOOKS for slip in look(words, place)]
    return sorted(found, key=lambda slip: slip.at)


def repair(expression: str, found: list[Slip]) -> str:
    """The expression with the edits of those slips; one that overlaps an earlier one is left for the next time."""
    taken: list[tuple[int, int, str]] = []
    for slip in found:
        if all(_apart(edit, other) for edit in slip.edits for other in taken):
            taken += slip.edits
    for start, end, text in sorted(taken, reverse=True):
        expression = expression[:start] + text + expression[end:]
    return expression


def _apart(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return one[1] <= other[0] or other[1] <= one[0]


# --- the words around a place ------------------------------------------------------------------------------

_OPENING, _CLOSING = frozenset({"(", "[", "{", "[?", "${"}), frozenset({")", "]", "}"})
_ENDS_OPERAND = frozenset({"&&", "||", "and", "or", "AND", "OR", ",", "?", ":", ";"})


def _end(word: ExpressionToken) -> int:
    return word.start + len(word.text)


def operand_before(words: _Words, place: int) -> int | None:
    """The first word of the value that ends right before `place`: `a.b(c)[d]`."""
    at = place - 1
    while at >= 0:
        if words[at].text in _CLOSING:
            depth = 1
            while depth and at > 0:
                at -= 1
                depth += (words[at].text in _CLOSING) - (words[at].text in _OPENING)
            if depth:
                return None
            if at > 0 and (words[at - 1].kind == "name" or words[at - 1].text in _CLOSING):
                at -= 1
                continue
        elif words[at].kind not in ("name", "text", "number", "curly"):
            return None
        if at > 1 and words[at - 1].text in (".", ".?"):
            at -= 2
            continue
        return at
    return None


def operand_after(words: _Words, place: int) -> int | None:
    """The word behind the value that starts right after `place`."""
    at = place + 1
    if at >= len(words):
        return None
    if words[at].text in _OPENING:
        at = _behind_bracket(words, at)
    elif words[at].kind in ("name", "text", "number", "curly"):
        at += 1
    else:
        return None
    while at < len(words):
        if words[at].text in (".", ".?") and at + 1 < len(words) and words[at + 1].kind == "name":
            at += 2
        elif words[at].text in ("(", "[", "[?"):
            at = _behind_bracket(words, at)
        else:
            break
    return at


def _behind_bracket(words: _Words, at: int) -> int:
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place].text in _OPENING) - (words[place].text in _CLOSING)
        if depth == 0:
            return place + 1
    return len(words)


def _condition_after(words: _Words, place: int) -> int:
    """The word behind the condition that starts after `place`: the next `&&`, comma or closing bracket."""
    depth = 0
    for at in range(place + 1, len(words)):
        text = words[at].text
        if depth == 0 and (text in _CLOSING or text in _ENDS_OPERAND):
            return at
        depth += (text in _OPENING) - (text in _CLOSING)
    return len(words)


def _place_behind(words: _Words, last: int) -> int:
    return _end(words[last - 1])


# --- looking for slips --------------------------------------------------------------------------------------

_Look: TypeAlias = Callable[[_Words, int], Iterator[Slip]]

_MARKS = {
    "=": ("==", "`=` compares nothing in CEL"),
    "===": ("==", "CEL has no `===`"),
    "!==": ("!=", "CEL has no `!==`"),
    "<>": ("!=", "CEL has no `<>`"),
    ":=": ("==", "CEL has no `:=`"),
    "=<": ("<=", "CEL has no `=<`"),
    "&": ("&&", "CEL has no `&`"),
    "|": ("||", "CEL has no `|`"),
}
_NAMES = {
    "and": "&&", "AND": "&&", "And": "&&", "or": "||", "OR": "||", "Or": "||", "None": "null", "nil": "null",
    "undefined": "null", "NULL": "null", "Null": "null", "True": "true", "TRUE": "true", "False": "false",
    "FALSE": "false",
}  # fmt: skip
_BETWEEN = {
    "=~": "matches", "matches": "matches", "match": "matches", "like": "matches", "contains": "contains",
    "includes": "contains", "startswith": "startsWith", "startsWith": "startsWith", "starts_with": "startsWith",
    "endswith": "endsWith", "endsWith": "endsWith", "ends_with": "endsWith",
}  # fmt: skip
_METHODS = {
    "startswith": "startsWith", "starts_with": "startsWith", "hasPrefix": "startsWith", "endswith": "endsWith",
    "ends_with": "endsWith", "hasSuffix": "endsWith", "includes": "contains", "has": "contains", "match": "matches",
    "test": "matches", "search": "matches", "lower": "lowerAscii", "toLowerCase": "lowerAscii",
    "toLower": "lowerAscii", "downcase": "lowerAscii", "upper": "upperAscii", "toUpperCase": "upperAscii",
    "toUpper": "upperAscii", "upcase": "upperAscii", "strip": "trim", "length": "size", "len": "size", "count": "size",
    "any": "exists", "some": "exists", "every": "all", "index": "indexOf", "find": "indexOf", "substr": "substring",
    "replaceAll": "replace", "getHour": "getHours", "getMinute": "getMinutes", "getSecond": "getSeconds",
    "getDay": "getDayOfWeek", "getWeekday": "getDayOfWeek", "weekday": "getDayOfWeek", "getYear": "getFullYear",
}  # fmt: skip
_FUNCTIONS = {"len": "size", "length": "size", "str": "string", "float": "double", "defined": "has", "isset": "has"}
_TO_METHODS = {
    "lower": "lowerAscii", "upper": "upperAscii", "contains": "contains", "startswith": "startsWith",
    "startsWith": "startsWith", "endswith": "endsWith", "endsWith": "endsWith", "trim": "trim",
    "strip": "trim", "join": "join", "split": "split", "replace": "replace",
}  # fmt: skip
_TIMES = {
    "hour": "getHours()", "hours": "getHours()", "minute": "getMinutes()", "minutes": "getMinutes()",
    "second": "getSeconds()", "seconds": "getSeconds()", "day": "getDate()", "date": "getDate()",
    "weekday": "getDayOfWeek()", "dayOfWeek": "getDayOfWeek()", "day_of_week": "getDayOfWeek()",
    "month": "getMonth() + 1", "year": "getFullYear()",
}  # fmt: skip
_DURATION = re.compile(r"\d+(?:\.\d+)?(?:ms|s|m|h)")


def _mark(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    if word.text in _MARKS:
        instead, message = _MARKS[word.text]
        yield Slip(word.start, message, ((word.start, _end(word), instead),))
    elif word.text == "=>" and not _is_lambda(words, place):
        yield Slip(word.start, "CEL has no `=>`", ((word.start, _end(word), ">="),))
    elif word.text in ("=>", "->") and _is_lambda(words, place):
        named = words[place - 1]
        yield Slip(word.start, f"CEL has no `{word.text}`", ((named.start, _end(word), f"{named.text},"),))
    elif word.text == ";" and place == len(words) - 1:
        yield Slip(word.start, "an expression ends without `;`", ((word.start, _end(word), ""),), "no `;`")
    elif word.text == "${":
        closing = _behind_bracket(words, place) - 1
        if words[closing].text == "}":
            edits = ((word.start, _end(word), ""), (words[closing].start, _end(words[closing]), ""))
            message = "`${…}` is for texts; this is an expression already"
            yield Slip(word.start, message, edits, "the name alone")


def _is_lambda(words: _Words, place: int) -> bool:
    return place > 1 and words[place - 1].kind == "name" and words[place - 2].text in ("(", ",")


def _name(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    before = words[place - 1].text if place else ""
    if word.text in _NAMES and before not in (".", ".?"):
        yield Slip(word.start, f"CEL has no `{word.text}`", ((word.start, _end(word), _NAMES[word.text]),))


def _curly(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    if word.kind == "curly":
        inside = word.text[1:-1]
        quoted = f"'{inside}'" if '"' in inside else f'"{inside}"'
        yield Slip(word.start, f"CEL takes no `{word.text[0]}` as a quote" if word.text[0] != "`" else
                   "CEL takes no backtick as a quote", ((word.start, _end(word), quoted),))  # fmt: skip


def _not(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    before = words[place - 1].text if place else ""
    if word.text not in ("not", "NOT", "Not") or before in (".", ".?", "is"):
        return
    after = words[place + 1].text if place + 1 < len(words) else ""
    if after == "in":  # x not in y
        first, last = operand_before(words, place), operand_after(words, place + 1)
        if first is not None and last is not None:
            start, end = words[first].start, _place_behind(words, last)
            edits = ((start, start, "!("), (word.start, words[place + 1].start, ""), (end, end, ")"))
            yield Slip(word.start, "CEL has no `not in`", edits, "!(a in b)")
        return
    last, whole = operand_after(words, place), _condition_after(words, place)
    if whole == place + 1:
        return
    if last == whole:
        space = words[place + 1].start
        yield Slip(word.start, "CEL has no `not`", ((word.start, space, "!"),))
    else:
        end = _place_behind(words, whole)
        yield Slip(
            word.start, "CEL has no `not`", ((word.start, words[place + 1].start, "!("), (end, end, ")")), "!(…)"
        )


def _is(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    if word.text != "is" or place == 0 or words[place - 1].text in (".", ".?"):
        return
    negated = place + 1 < len(words) and words[place + 1].text == "not"
    end = _end(words[place + 1]) if negated else _end(word)
    yield Slip(word.start, "CEL has no `is`", ((word.start, end, "!=" if negated else "=="),))


def _between(words: _Words, place: int) -> Iterator[Slip]:
    """`tool contains "x"`, `tool =~ "x"`."""
    word = words[place]
    negated = word.text == "!~"
    if word.text not in _BETWEEN and not negated:
        return
    first, last = operand_before(words, place), operand_after(words, place)
    if first is None or last is None or words[place + 1].text == "(":
        return
    start, end = words[first].start, _place_behind(words, last)
    method = "matches" if negated else _BETWEEN[word.text]
    negation = ((start, start, "!"),) if negated else ()
    edits = (*negation, (_end(words[place - 1]), words[place + 1].start, f".{method}("), (end, end, ")"))
    yield Slip(word.start, f"CEL has no `{word.text}` between two values", edits, f"a.{method}(b)")


def _method(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    if word.kind != "name" or place == 0 or words[place - 1].text != ".":
        return
    called = place + 1 < len(words) and words[place + 1].text == "("
    of_now = place > 1 and words[place - 2].text == "now"
    if of_now and word.text in _TIMES:
        end = _end(word)
        if called:
            end = _end(words[_behind_bracket(words, place + 1) - 1])
        yield Slip(word.start, f"`now` has no `{word.text}`", ((word.start, end, _TIMES[word.text]),),
                   name=word.text)  # fmt: skip
    elif word.text in _METHODS and called:
        yield Slip(word.start, f"CEL has no `.{word.text}()`", ((word.start, _end(word), _METHODS[word.text]),),
                   name=word.text)  # fmt: skip
    elif word.text in ("length", "size", "len") and not called:
        yield Slip(word.start, f"CEL has no `.{word.text}`", ((word.start, _end(word), "size()"),), name=word.text)
    elif word.text in ("isEmpty", "empty", "is_empty") and called:
        end = _end(words[_behind_bracket(words, place + 1) - 1])
        yield Slip(word.start, f"CEL has no `.{word.text}()`", ((word.start, end, "size() == 0"),), name=word.text)


def _function(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    called = place + 1 < len(words) and words[place + 1].text == "("
    if word.kind != "name" or not called or (place and words[place - 1].text in (".", ".?")):
        return
    closing = _behind_bracket(words, place + 1) - 1
    message = f"CEL has no `{word.text}()`"
    if word.text in _FUNCTIONS:
        yield Slip(word.start, message, ((word.start, _end(word), _FUNCTIONS[word.text]),), name=word.text)
    elif word.text == "now" and closing == place + 2:
        yield Slip(word.start, "`now` is a value, not a function", ((word.start, _end(words[closing]), "now"),),
                   name="now")  # fmt: skip
    elif word.text in _TO_METHODS and closing > place + 2:
        comma = _comma(words, place + 2, closing)
        method = _TO_METHODS[word.text]
        start = (word.start, words[place + 2].start, "")
        if comma is None:
            edits = (start, (words[closing].start, _end(words[closing]), f".{method}()"))
        else:
            behind = words[comma + 1].start if comma + 1 < closing else _end(words[comma])
            edits = (start, (words[comma].start, behind, f".{method}("))
        instead = f"a.{method}(b)" if comma is not None else f"a.{method}()"
        yield Slip(word.start, message, edits, instead, word.text)


def _comma(words: _Words, start: int, end: int) -> int | None:
    depth = 0
    for place in range(start, end):
        text = words[place].text
        if text == "," and depth == 0:
            return place
        depth += (text in _OPENING) - (text in _CLOSING)
    return None


def _number(words: _Words, place: int) -> Iterator[Slip]:
    word = words[place]
    if word.kind != "number":
        return
    if _DURATION.fullmatch(word.text):
        message = f"`{word.text}` is not a value in CEL"
        yield Slip(word.start, message, ((word.start, _end(word), f'duration("{word.text}")'),))
    elif "_" in word.text:
        yield Slip(word.start, "a number in CEL has no `_`", ((word.start, _end(word), word.text.replace("_", "")),))


_LOOKS: tuple[_Look, ...] = (_mark, _name, _curly, _not, _is, _between, _method, _function, _number)
