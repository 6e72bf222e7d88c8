"""What CEL's library complains about, in our words, and with an expression that compiles wherever one can be found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from interlock.errors import InterlockError, suggest
from interlock.policy.slips import Slip, operand_after, operand_before, repair, slips, words_of
from interlock.policy.tokens import ExpressionToken, references

__all__ = ["Names", "error_at", "explain_failure"]

Failure: TypeAlias = Callable[[str], str | None]  # what the library says of an expression, None if it compiles
_MOST_REPAIRS = 6
_PLACE = re.compile(r"<input>:(-?\d+):(-?\d+): (.*)")
_UNDECLARED = re.compile(r"undeclared reference to '([^']+)'")
_OVERLOAD = re.compile(r"found no matching overload for '(.+)' applied to '\((.*)\)'")
_SELECT = re.compile(r"expression of type '(.+)' cannot be the operand of a select operation")
_FUNCTIONS = (
    "count", "since", "fired", "sub", "redact", "size", "has", "matches", "contains", "startsWith", "endsWith",
    "exists", "all", "map", "filter", "exists_one", "lowerAscii", "upperAscii", "trim", "split", "join",
    "replace", "substring", "indexOf", "lastIndexOf", "charAt", "orValue", "hasValue", "optional", "int",
    "string", "double", "bool", "duration", "timestamp", "type", "dyn", "getHours", "getMinutes", "getSeconds",
    "getDate", "getDayOfWeek", "getDayOfMonth", "getDayOfYear", "getMonth", "getFullYear", "getMilliseconds",
)  # fmt: skip
_FUNCTION_HELP = "`interlock docs policy` shows how each function is called"
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})


class Names(NamedTuple):
    """The names that an expression may use: variables with those of `let`, and those of `state`."""

    variables: Iterable[str]
    state: Mapping[str, object]


class _Fault(NamedTuple):
    """One complaint of the library, with its place as a character of the text."""

    problem: str
    at: int


def error_at(message: str, at: int, help: str | None = None) -> InterlockError:
    """An error about a character of a text whose place in a file only the caller knows."""
    error = InterlockError(message, help=help)
    error.at = at
    return error


def explain_failure(message: str, text: str, names: Names, failure: Failure) -> InterlockError:
    """The library's complaint as an error that a person can mend."""
    cure, slip = _find_cure(text, message, names, failure)
    complaint = _complaint(_fault_of(message, text), text, names)
    if slip is not None and slip.at < complaint.at:
        complaint = _Complaint(slip.message, slip.at, slip.cure)
    if cure is not None:
        return error_at(complaint.message, complaint.at, f"write `{cure}`" if "`" not in cure else f"write {cure}")
    return error_at(complaint.message, complaint.at, complaint.help)


class _Complaint(NamedTuple):
    message: str
    at: int
    help: str | None


def _fault_of(message: str, text: str) -> _Fault:
    where = _PLACE.search(message)
    if where is None or int(where[1]) < 1:
        return _Fault(message.splitlines()[0] if message else "", 0)
    lines = text.split("\n")
    line, column = int(where[1]), int(where[2])
    return _Fault(where[3], min(sum(len(part) + 1 for part in lines[: line - 1]) + max(column - 1, 0), len(text)))


# --- looking for an expression that compiles ----------------------------------------------------------------


def _find_cure(text: str, message: str, names: Names, failure: Failure) -> tuple[str | None, Slip | None]:
    """The expression with what is wrong mended, if it then compiles, and the first slip of the text as it was."""
    first: Slip | None = None
    now = message
    for turn in range(_MOST_REPAIRS):
        fault = _fault_of(now, text)
        found = slips(text)
        here = [slip for slip in found if _is_about(fault, slip, text)]
        mended = repair(text, here) if here else _mend_types(text, fault, names)
        if mended is None and found:
            here, mended = found, repair(text, found)
        if mended is None or mended == text:
            return None, None
        first = here[0] if here and turn == 0 else first
        left = failure(mended)
        if left is None:
            return mended, first
        text, now = mended, left
    return None, None


def _is_about(fault: _Fault, slip: Slip, text: str) -> bool:
    """Whether a slip explains a fault. A field of a tool may have any name, so a name alone is no slip."""
    if not slip.name:
        return True
    if unknown := _UNDECLARED.search(fault.problem):
        return slip.name == unknown[1].rsplit(".", 1)[-1]
    return _SELECT.search(fault.problem) is not None and fault.at in (slip.at, slip.at - 1)


class _Operation(NamedTuple):
    """An operator with its two values as they are written."""

    text: str
    left: tuple[int, int]
    mark: ExpressionToken
    right: tuple[int, int]

    def value(self, side: tuple[int, int]) -> str:
        return self.text[side[0] : side[1]]

    def instead(self, new: str) -> str:
        return self.text[: self.left[0]] + new + self.text[self.right[1] :]

    def with_sides(self, left: str | None = None, right: str | None = None) -> str:
        left = self.value(self.left) if left is None else left
        right = self.value(self.right) if right is None else right
        return self.instead(f"{left} {self.mark.text} {right}")


def _operation(text: str, at: int) -> _Operation | None:
    words = words_of(text)
    place = next((number for number, word in enumerate(words) if word.start == at), None)
    if place is None:
        return None
    first, last = operand_before(words, place), operand_after(words, place)
    if first is None or last is None:
        return None
    ends = words[place - 1].start + len(words[place - 1].text), words[last - 1].start + len(words[last - 1].text)
    return _Operation(text, (words[first].start, ends[0]), words[place], (words[place + 1].start, ends[1]))


def _mend_types(text: str, fault: _Fault, names: Names) -> str | None:
    """The expression with one mistake about types mended, if it is one of the usual ones."""
    if unknown := _UNDECLARED.search(fault.problem):
        return _mend_unquoted(text, unknown[1], fault.at, names)
    mixed = _OVERLOAD.search(fault.problem)
    if mixed is None:
        return None
    operator, types = mixed[1], _types(mixed[2])
    if operator == "!_":
        return _mend_negation(text, fault.at, types[0])
    if operator == "contains" and types[0].startswith("list"):
        return _mend_contains(text, fault.at)
    made = _operation(text, fault.at)
    if made is None or len(types) != 2:
        return None
    if operator == "@in" and types == ["string", "string"] and made.value(made.right)[:1] in ("'", '"'):
        return made.instead(f"{made.value(made.left)} == {made.value(made.right)}")
    if operator == "@in" and types[1] == "string":
        return made.instead(f"{made.value(made.right)}.contains({made.value(made.left)})")
    if operator == "_||_":
        return _mend_or(made)
    return _mend_comparison(made, *types) if made.mark.text in _COMPARING else None


def _mend_comparison(made: _Operation, left: str, right: str) -> str | None:
    sides = (made.value(made.left), made.value(made.right))
    for mine, other, swapped in ((left, right, False), (right, left, True)):
        value, against = sides[::-1] if swapped else sides
        new: str | None = None
        if mine == "google.protobuf.Timestamp" and other == "int":
            return made.with_sides(**{"right" if swapped else "left": f"{value}.getHours()"})
        if mine == "string" and other == "int" and made.mark.text not in ("==", "!="):
            return made.with_sides(**{"right" if swapped else "left": f"{value}.size()"})
        if mine.startswith("list") and other == "int":
            return made.with_sides(**{"right" if swapped else "left": f"{value}.size()"})
        if mine.startswith("list") and other == "string" and made.mark.text == "==":
            return made.instead(f"{against} in {value}")
        if mine == "google.protobuf.Timestamp" and other == "string":
            new = f"timestamp({against})"
        elif mine == "google.protobuf.Duration":
            given = re.fullmatch(r"['\"]?(\d+)(ms|s|m|h)?['\"]?", against)
            new = f'duration("{given[1]}{given[2] or "s"}")' if given else None
        elif mine in ("int", "double") and re.fullmatch(r"['\"]-?\d+(\.\d+)?['\"]", against):
            new = against[1:-1]
        elif mine == "double" and re.fullmatch(r"-?\d+", against):
            new = f"{against}.0"
        elif mine == "string" and other == "null_type":
            new = '""'
        elif mine == "string" and re.fullmatch(r"-?\d+(\.\d+)?|true|false", against):
            new = f'"{against}"'
        if new is not None:
            return made.with_sides(**{"left" if swapped else "right": new})
    return None


def _mend_or(made: _Operation) -> str | None:
    """`tool == "a" || "b"` → `tool in ["a", "b"]`."""
    if made.value(made.right)[:1] not in ("'", '"'):
        return None
    start = made.text.rfind("==", 0, made.left[0])
    words = words_of(made.text)
    place = next((number for number, word in enumerate(words) if word.start == start), None)
    first = operand_before(words, place) if place is not None else None
    if place is None or first is None or words[place + 1].start != made.left[0]:
        return None
    subject = made.text[words[first].start : start].rstrip()
    listed = f"{subject} in [{made.value(made.left)}, {made.value(made.right)}]"
    return made.text[: words[first].start] + listed + made.text[made.right[1] :]


def _mend_negation(text: str, at: int, kind: str) -> str | None:
    words = words_of(text)
    place = next((number for number, word in enumerate(words) if word.start == at), None)
    last = operand_after(words, place) if place is not None else None
    if place is None or last is None:
        return None
    start, end = words[place + 1].start, words[last - 1].start + len(words[last - 1].text)
    if last < len(words) and words[last].text == "in":
        behind = operand_after(words, last)
        if behind is not None:
            end = words[behind - 1].start + len(words[behind - 1].text)
            return f"{text[:at]}!({text[start:end]}){text[end:]}"
    empty = {"string": '{} == ""', "int": "{} == 0"}.get(kind, "{}.size() == 0" if kind.startswith("list") else None)
    return None if empty is None else text[:at] + empty.format(text[start:end]) + text[end:]


def _mend_contains(text: str, at: int) -> str | None:
    """`reads.contains("x")` → `"x" in reads`."""
    words = words_of(text)
    place = next((number for number, word in enumerate(words) if word.start == at and word.text == "("), None)
    if place is None or place < 3:
        return None
    first, last = operand_before(words, place - 2), operand_after(words, place - 1)
    if first is None or last is None:
        return None
    start, end = words[first].start, words[last - 1].start + len(words[last - 1].text)
    given = text[words[place].start + 1 : end - 1].strip()
    return f"{text[:start]}{given} in {text[start : words[place - 2].start]}{text[end:]}"


def _mend_unquoted(text: str, name: str, at: int, names: Names) -> str | None:
    """`branch == main` → `branch == "main"`: a name by itself beside `==`, or in a list."""
    words = words_of(text)
    place = next((number for number, word in enumerate(words) if word.start == at and word.text == name), None)
    if place is None:
        return None
    around = [words[place - 1].text if place else "", words[place + 1].text if place + 1 < len(words) else ""]
    beside = ("==", "!=", "[", ",") if _bracket_around(words, place) == "[" else ("==", "!=")
    if not any(word in beside for word in around) or around[1] in ("(", "."):
        return None
    sides = [(around[0], place - 2), (around[1], place + 2)]
    with_text = any(m in ("==", "!=") and 0 <= at < len(words) and words[at].kind == "text" for m, at in sides)
    if with_text or (name[0].islower() and suggest(name, names.variables)):
        return None  # a misspelt name, or one that is compared with a text
    return f'{text[:at]}"{name}"{text[at + len(name) :]}'


def _bracket_around(words: list[ExpressionToken], place: int) -> str:
    """The innermost bracket that is open at a word."""
    depth = 0
    for word in reversed(words[:place]):
        depth += (word.text in (")", "]", "}")) - (word.text in ("(", "[", "[?", "{"))
        if depth < 0:
            return word.text
    return ""


# --- saying it ----------------------------------------------------------------------------------------------


def _complaint(fault: _Fault, text: str, names: Names) -> _Complaint:
    """What is wrong, where, and a cure for an expression that has other faults besides."""
    found = slips(text)
    syntax = fault.problem.startswith(("Syntax error", "reserved identifier"))
    if unknown := _UNDECLARED.search(fault.problem):
        named = unknown[1].rsplit(".", 1)[-1]
        slip = next((one for one in found if text.startswith(named, one.at)), None)
        if slip is None:
            return _unknown_name(unknown[1], fault.at, text, names)
        return _Complaint(slip.message, slip.at, slip.cure)
    about = [slip for slip in found if _is_about(fault, slip, text)]
    if about and (syntax or not _OVERLOAD.search(fault.problem)):
        return _Complaint(about[0].message, about[0].at, about[0].cure)
    if mixed := _OVERLOAD.search(fault.problem):
        return _mixed_types(mixed[1], _types(mixed[2]), fault.at)
    if select := _SELECT.search(fault.problem):
        return _Complaint(f"{_kind(select[1])} has no fields", fault.at, _fields_help(select[1]))
    if "has() argument" in fault.problem:
        return _Complaint("has() asks about a field, and this is not one", fault.at, "name one: `has(input.timeout)`")
    return _grammar(fault, text)


_READING = (  # what the library says → what is wrong, and the cure; `{}` is the word that it stumbles over
    (r"missing '(.)' at '<EOF>'", "a `{}` is missing at the end", "add `{}`"),
    (r"'<EOF>' expecting '(.)'", "a `{}` is missing at the end", "add `{}`"),
    (r"'<EOF>' expecting \{'(.)', ','\}", "a `{}` is missing at the end", "add `{}`"),
)


def _grammar(fault: _Fault, text: str) -> _Complaint:
    problem, at = fault.problem, fault.at
    if at >= len(text.rstrip()) or "'<EOF>'" in problem:
        for pattern, message, help in _READING:
            if found := re.search(pattern, problem):
                if found[1] == ":":
                    return _Complaint("`?` has no `:`", len(text.rstrip()), "give both: `condition ? a : b`")
                return _Complaint(message.format(found[1]), len(text.rstrip()), help.format(found[1]))
        last = words_of(text)[-1:]
        behind = f" after `{last[0].text}`" if last else ""
        return _Complaint(
            f"the expression ends{behind}, where a value must follow", len(text.rstrip()), "add the value"
        )
    char = text[at]
    if char in "\"'":
        return _Complaint("the quote opened here is never closed", at, f"close it with `{char}`")
    if reserved := re.match(r"reserved identifier: (\w+)", problem):
        return _reserved_word(reserved[1], at)
    word = next((one.text for one in words_of(text) if one.start <= at < one.start + len(one.text)), char)
    if word in ")]}":
        return _Complaint(f"`{word}` closes nothing", at, "remove it, or open it before")
    if word == "#":
        return _Complaint("`#` means nothing in an expression", at, 'put texts in quotes: `"#1"`')
    if word in ("if", "else", "then"):
        return _reserved_word(word, at)
    if re.fullmatch(r"[\w.]+|['\"].*", word, re.DOTALL):
        return _Complaint(
            f"`{_short(word)}` follows a value without an operator between them", at,
            "join conditions with `&&` or `||`, compare values with `==`, and put texts in quotes",
        )  # fmt: skip
    return _Complaint(f"`{_short(word)}` cannot stand here", at, "a value must come before and after each operator")


def _reserved_word(word: str, at: int) -> _Complaint:
    help = "use `condition ? a : b`" if word in ("if", "else", "then") else "put it in quotes if it is a text"
    return _Complaint(f"CEL has no `{word}`" if word in ("if", "else", "then") else f"`{word}` is a word of CEL itself",
                 at, help)  # fmt: skip


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"


def _unknown_name(name: str, at: int, text: str, names: Names) -> _Complaint:
    root, _, field = name.partition(".")
    start = next((one.start for one in references(text) if name.startswith(one.root) and one.root), at)
    start = start if text.startswith(name, start) else at
    called = re.match(r"\s*\(", text[at:]) is not None and not text.startswith(name, at)
    if called:  # the library points at the bracket of a call
        start = max(text.rfind(name, 0, at), 0)
        meant = suggest(name, list(_FUNCTIONS))
        if name in _FUNCTIONS:
            return _Complaint(f"`{name}()` does not take these values", start, _FUNCTION_HELP)
        help = f"did you mean `{meant}`?" if meant else "`interlock docs policy` lists the functions"
        return _Complaint(f"there is no function `{name}()`", start, help)
    if root == "state" and field:
        meant = suggest(name, [f"state.{one}" for one in names.state])
        help = f"did you mean `{meant}`?" if meant else f"declare it at the top: `state: {{{field.split('.')[0]}: 0}}`"
        return _Complaint(f"nothing is called `{name}`", start, help)
    known = [*names.variables, *_FUNCTIONS]
    meant = suggest(name, known) or suggest(root, known)
    if meant:
        return _Complaint(f"nothing is called `{name}`", start, f"did you mean `{meant}`?")
    if re.fullmatch(r"[A-Z][A-Z0-9_]+", root):
        return _Complaint(f"nothing is called `{name}`", start,
                     "expressions cannot read the environment; give a value a name under `let`")  # fmt: skip
    return _Complaint(
        f"nothing is called `{name}`", start, "put it in quotes if it is a text, or name a value under `let`"
    )


_KINDS = {
    "string": "a text", "int": "a number", "uint": "a number", "double": "a number with a point",
    "bool": "true or false", "bytes": "bytes", "google.protobuf.Timestamp": "a time",
    "google.protobuf.Duration": "a duration",
    "null_type": "null", "dyn": "a value", "type": "a type",
}  # fmt: skip


def _kind(name: str) -> str:
    if name in _KINDS:
        return _KINDS[name]
    outer = re.match(r"\w+", name)
    words = {"list": "a list", "map": "a map", "optional_type": "an optional value"}
    return words.get(outer[0], "a value") if outer else "a value"


def _types(listed: str) -> list[str]:
    """`list(map(string, dyn)), int` → its two types."""
    found, depth, start = [], 0, 0
    for place, char in enumerate(listed):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            found.append(listed[start:place].strip())
            start = place + 1
    return [*found, listed[start:].strip()]


def _fields_help(kind: str) -> str:
    if kind == "google.protobuf.Timestamp":
        return 'call a function of it: `now.getHours()`, in UTC, or `now.getHours("Europe/Berlin")`'
    if kind.startswith("list"):
        return 'look at its items: `.exists(one, one.name == "x")`'
    return 'compare it, or call a function: `.size()`, `.contains("x")`, `.matches("x")`'


_OPERATORS = {"@in": "in", "_[_]": "[…]", "_?_:_": "? :", "!_": "!", "-_": "-"}


def _mixed_types(operator: str, types: list[str], at: int) -> _Complaint:
    called = _OPERATORS.get(operator, operator.replace("_", " ").strip() if operator.startswith("_") else operator)
    kinds = [_kind(one) for one in types]
    shown = kinds[0] if len(kinds) == 1 else ", ".join(kinds[:-1]) + f" and {kinds[-1]}"
    if called in ("&&", "||"):
        return _Complaint(f"`{called}` joins conditions, and here it has {shown}", at,
                     "write a whole comparison on each side: `a == \"x\" || a == \"y\"`")  # fmt: skip
    if called == "? :":
        return _Complaint(f"both values of `? :` must be of one kind; here they are {kinds[-2]} and {kinds[-1]}", at,
                     "make them one kind: `string(5)` is a text, `int(\"5\")` a number")  # fmt: skip
    if called == "in":
        return _Complaint(f"`in` looks into a list or a map, not into {kinds[-1]}", at,
                     "for a part of a text use `.contains(…)`")  # fmt: skip
    if called == "[…]":
        help = 'a list takes a number, a map a text: `commands[0]`, `input["x"]`'
        return _Complaint(f"`[…]` does not go with {shown}", at, help)
    if called.isidentifier():
        help = 'look at its items: `.exists(one, one.name == "x")`' if "a list" in kinds else _FUNCTION_HELP
        return _Complaint(f"`{called}()` does not take {shown}", at, help)
    if "a time" in kinds:
        help = 'compare hours with `now.getHours()`, or times with `timestamp("2026-01-05T09:00:00Z")`'
    elif "a duration" in kinds:
        help = 'a duration is written `duration("5m")`'
    elif "a list" in kinds and called in _COMPARING:
        help = "count a list with `.size()`, or look into it with `in`"
    else:
        help = "both sides must be of one kind; `int(…)` and `string(…)` convert"
    return _Complaint(f"`{called}` does not go with {shown}", at, help)
