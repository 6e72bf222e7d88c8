"""Conditions and values in CEL: compiled and type-checked when a policy is loaded, evaluated under a limit.

A failed evaluation is not an exception in this library: it is a value of type ERROR whose plain form is a text, and so
true. Every result is therefore looked at for its type, and anything but the declared one is a failure.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import timedelta
from functools import lru_cache, partial
from typing import Any

from cel_expr_python import cel
from cel_expr_python.ext import ext_optional, ext_strings
from msgspec import Struct

from interlock.facts.injections import disarm
from interlock.facts.secrets import redact
from interlock.policy.bounds import (
    MOST_PATTERN,
    Growth,
    Sizes,
    TooMuch,
    growth_of,
    joined,
    made,
    replaced,
    split,
)
from interlock.policy.cel_errors import Names, error_at, explain_failure
from interlock.policy.history import History, own_name
from interlock.policy.looks import is_root, needs_of
from interlock.policy.names import regex, replacing
from interlock.policy.tokens import ExpressionToken, Reference, called_with, references, tokens

__all__ = ["VARIABLES", "AnyOf", "Expression", "ExpressionError", "Given", "Language", "history"]

_T = cel.Type
_MAP = _T.Map(_T.STRING, _T.DYN)

# Every variable an expression may use, beside `state.*` and the names of `let`.
VARIABLES: dict[str, tuple[Any, str]] = {
    "event": (_MAP, "the host's payload, and its `name`"),
    "tool": (_T.STRING, "the tool's name"),
    "kind": (_T.STRING, "the tool's kind"),
    "agent": (_T.STRING, "the subagent's type, or `main`"),
    "mode": (_T.STRING, "the host's permission mode"),
    "host": (_T.STRING, "the host that raised the event"),
    "branch": (_T.STRING, "the branch that is checked out"),
    "project": (_T.STRING, "the project's root"),
    "server": (_T.Map(_T.STRING, _T.STRING), "the MCP server: `name`, `source`"),
    "input": (_MAP, "the input that would run"),
    "original": (_MAP, "the input the model wrote"),
    "output": (_T.DYN, "what the result means"),
    "response": (_T.DYN, "the result in the host's form, as earlier rules and hooks left it"),
    "match": (_MAP, "the item that the rule is being tried on: `command`, `path` and its `kind`, `url`, `text`"),
    "commands": (
        _T.List(_MAP),
        "the commands that would run: `program`, `name`, `args`, `text`, `words` (as a shell sees it), `env`, "
        "`traits`, `opaque` (why), `file`, `pipeline` and `stage` (earlier stages feed later ones)",
    ),
    "reads": (_T.List(_T.STRING), "the paths read"),
    "writes": (_T.List(_T.STRING), "the paths written"),
    "creates": (_T.List(_T.STRING), "the paths created"),
    "deletes": (_T.List(_T.STRING), "the paths deleted"),
    "sends": (_T.List(_T.STRING), "the files that leave this machine"),
    "urls": (_T.List(_MAP), "the addresses reached: `url`, `host`, `port`"),
    "secrets": (_T.List(_T.Map(_T.STRING, _T.STRING)), "credentials in the call: `kind`, `form`, `place`"),
    "orders": (
        _T.List(_T.Map(_T.STRING, _T.STRING)),
        "passages of a result that try to command the model: `kind` (`orders`, `hidden`), `text`",
    ),
    "followed": (
        _T.List(_T.Map(_T.STRING, _T.STRING)),
        "what the call takes from such a passage of an earlier result, and from nowhere else in the session: `kind` "
        "(`host`, `mail`, `path`, `command`), `text`",
    ),
    "opaque": (_T.BOOL, "whether part of the call cannot be known before it runs"),
    "unclear": (_T.LIST, "why part of the call cannot be known before it runs"),
    "incomplete": (
        _T.List(_T.STRING),
        "the limits at which reading the call itself stopped, though a command could follow; `opaque` is true then",
    ),
    "unread": (
        _T.List(_T.Map(_T.STRING, _T.STRING)),
        "files that the call runs and that could not be read: `file`, `by`",
    ),
    "fresh": (
        _T.List(_T.Map(_T.STRING, _T.STRING)),
        "files that are run and that this session made: `file`, `by`, `how` (`built`, `written`, `downloaded`), "
        "`folder` (the one that they came with, if any)",
    ),
    "session": (_T.Map(_T.STRING, _T.STRING), "`id`, `cwd`, `user`"),
    "now": (_T.TIMESTAMP, "the time of the event"),
    "run": (_MAP, "the outcome of the rule's `run`: `code`, `stdout`, `stderr`, and `out`, which is both"),
}


# Texts in which a backslash may mean nothing: what stands behind them is not surely told apart from what is in them.
_RAW_TEXT = re.compile(r"[rRbB]['\"]|\"\"\"|'''")
_OF_ITEMS = frozenset({"match", "run"})  # variables whose values differ from item to item


class ExpressionError(Exception):
    """An expression that failed on this event."""


class _Current(threading.local):
    history: History | None = None
    policy: str = ""
    fired: Callable[[str], bool] | None = None  # whether a rule of this event fired, by its full name


history = _Current()


def _own(rule: str) -> str:
    """A rule of the policy that asks: another layer's rule of the same name is another rule."""
    return own_name(history.policy, rule)


def _has_fired(rule: str) -> bool:
    if history.fired is None:
        raise ExpressionError("no other rule is judged here")
    return history.fired(_own(rule))


def _past() -> History:
    if history.history is None:
        raise ExpressionError("there is no record of earlier events here")
    return history.history


_kept_regex = lru_cache(maxsize=256)(regex)


def _matches(text: str, pattern: str) -> bool:
    """CEL's `matches`, which compiles its regex anew each time."""
    if len(pattern) > MOST_PATTERN:
        raise ExpressionError(f"a regex has more than {MOST_PATTERN:,} characters")
    return _kept_regex(pattern)(text)


# Functions of CEL for which there are our own, by names as long, so that columns stay.
_OWN_NAMES = {"matches": "matched", "replace": "replac_", "join": "joi_", "split": "spli_"}


def _with_own_functions(text: str) -> str:
    """The expression with our own functions: `matches` keeps its regexes, the others are bounded."""
    words = tokens(text)
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        if before.text in (".", ".?") and word.text in _OWN_NAMES and after.text == "(":
            text = f"{text[: word.start]}{_OWN_NAMES[word.text]}{text[word.start + len(word.text) :]}"
    return text


def _with_bounds(made: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with its complaint as one of the expression."""

    def call(*args: Any) -> Any:
        try:
            return made(*args)
        except (TooMuch, TypeError) as error:
            raise ExpressionError(str(error)) from error

    return call


_FAILURES = (RuntimeError, ValueError, TypeError, OverflowError, UnicodeError)  # as CEL and its Python side fail
_MOST_TOGETHER = 256  # conditions that are asked about together, by their texts
_HISTORY = frozenset({"count", "since"})
_ANY = {"string": _T.STRING, "list": _T.List(_T.DYN), "map": _MAP}


def _function(name: str, returns: Any, *overloads: tuple[tuple[Any, ...], Callable[..., Any]]) -> Any:
    return cel.FunctionDecl(
        name,
        [
            cel.Overload(f"{name}_{number}", return_type=returns, parameters=list(parameters), impl=made)
            for number, (parameters, made) in enumerate(overloads)
        ],
    )


def _on_any(name: str, more: int, made: Callable[..., Any]) -> Any:
    # A parameter of any type never matches at run time, so each type is declared.
    return cel.FunctionDecl(
        name,
        [
            cel.Overload(f"{name}_{kind}", return_type=returns, parameters=[returns, *[_T.STRING] * more], impl=made)
            for kind, returns in _ANY.items()
        ],
    )


def _member(name: str, returns: Any, *parameters: tuple[Any, ...], made: Callable[..., Any]) -> Any:
    return cel.FunctionDecl(
        name,
        [
            cel.Overload(f"{name}_{number}", return_type=returns, parameters=list(types), is_member=True,
                         impl=made)
            for number, types in enumerate(parameters)
        ],
    )  # fmt: skip


class Given:
    """The values of an expression's variables, as CEL takes them, and how large they are."""

    __slots__ = ("_data", "_language", "_sizes", "_state", "cel")

    def __init__(
        self, activation: Any, data: Mapping[str, Any], language: Language, sizes: Sizes, state: Mapping[str, Any]
    ) -> None:
        self.cel = activation
        self._data = data
        self._language = language
        self._sizes = sizes
        self._state = state

    def sizes(self, names: frozenset[str]) -> tuple[int, int]:
        """The longest text and the longest list of those variables, and of all that every expression may use."""
        longest, most = self._sizes.of(self._state.values(), self._language.largest) if self._state else (
            self._language.largest)  # fmt: skip
        data, found = self._data, self._sizes.found
        for name in names:
            if name in data:
                held = found.get(id(data[name])) or self._sizes.look(data[name])
                longest = held[1] if held[1] > longest else longest
                most = held[2] if held[2] > most else most
        return longest, most


def _functions() -> list[Any]:
    text = _T.STRING
    return [
        _function(
            "count",
            _T.INT,
            ((text,), lambda rule: _past().count(_own(rule), None, None)),
            ((text, text), lambda rule, window: _past().count(_own(rule), window, None)),
            ((text, text, text), lambda rule, window, scope: _past().count(_own(rule), window, scope)),
        ),
        _function(
            "since",
            _T.DURATION,
            ((text,), lambda rule: _past().since(_own(rule), None)),
            ((text, text), lambda rule, scope: _past().since(_own(rule), scope)),
        ),
        _function("fired", _T.BOOL, ((text,), _has_fired)),
        _member("matched", _T.BOOL, (text, text), made=_matches),
        _member("replac_", text, (text, text, text), (text, text, text, _T.INT), made=_with_bounds(replaced)),
        _member("joi_", text, (_T.List(_T.DYN),), (_T.List(_T.DYN), text), made=_with_bounds(joined)),
        _member("spli_", _T.List(text), (text, text), (text, text, _T.INT), made=_with_bounds(split)),
        _on_any("sub", 2, _with_bounds(replacing)),
        _on_any("redact", 0, redact),
        _on_any("disarm", 0, disarm),
    ]


class Expression(Struct, frozen=True):
    """One compiled expression."""

    text: str
    program: Any
    references: tuple[Reference, ...] = ()
    names: frozenset[str] = frozenset()  # what it may look at, `let` and `state.…` included; not `match` and `run`
    needs: tuple[str, ...] = ()  # lists, any of which being empty makes it false
    growth: Growth = Growth()
    sized: frozenset[str] = _OF_ITEMS  # with `match` and `run`
    runs: bool = False  # whether it looks at `run`

    def uses(self, name: str) -> bool:
        return any(reference.root == name for reference in self.references)

    def holds(self, activation: Given) -> bool:
        """Whether a condition holds. Raises ExpressionError for anything but true or false."""
        try:
            if self.growth.depth:
                longest, most = activation.sizes(self.sized)
                if longest > self.growth.harmless:
                    self.growth.check(longest, most)
            made.size = 0
            value = self.program.eval(activation.cel).value()
        except TooMuch as error:
            raise ExpressionError(str(error)) from error
        except _FAILURES as error:
            raise ExpressionError(_plain_words(str(error))) from error
        if value is True or value is False:
            return value
        raise ExpressionError(_plain_words(str(value)))

    def value(self, activation: Given) -> Any:
        """The expression's value as plain JSON. Raises ExpressionError."""
        result = self._evaluate(activation)
        try:
            if result.type().name() == "ERROR":
                raise ExpressionError(_plain_words(str(result.value())))
            return _json(result.plain_value())
        except TypeError as error:
            raise ExpressionError("the value is an optional: end it with .orValue(…)") from error

    def _evaluate(self, activation: Given) -> Any:
        try:
            if self.growth.depth:
                self.growth.check(*activation.sizes(self.sized))
            made.size = 0
            return self.program.eval(activation.cel)
        except TooMuch as error:
            raise ExpressionError(str(error)) from error
        except _FAILURES as error:
            raise ExpressionError(_plain_words(str(error))) from error


class AnyOf(Struct, frozen=True):
    """Several conditions in one evaluation, which costs little more than one of them.

    CEL's `||` is false only if all of them are false: one that fails is not false, and makes the whole fail unless
    another holds. Who holds, or fails, is then asked of each.
    """

    program: Any
    names: frozenset[str]
    growths: tuple[Growth, ...]
    sized: frozenset[str]

    def holds(self, activation: Given) -> bool:
        """Whether one of them holds. Raises ExpressionError if that cannot be told."""
        try:
            if self.growths:
                sizes = activation.sizes(self.sized)
                for growth in self.growths:
                    growth.check(*sizes)
            made.size = 0
            value = self.program.eval(activation.cel).value()
        except (TooMuch, RuntimeError, ValueError, TypeError, OverflowError, UnicodeError) as error:
            raise ExpressionError(str(error)) from error
        if value is True or value is False:
            return value
        raise ExpressionError(str(value))


class Language:
    """The names an expression of one policy may use, with their types."""

    def __init__(self, state: Mapping[str, Any], constants: Mapping[str, Any], policy: str = "") -> None:
        self.policy = policy
        self.state = dict(state)
        self.constants = dict(constants)
        self.largest = Sizes().of(self.constants.values())  # once: they are the same for every event
        self.kept = self._state_names()
        self._together: dict[tuple[str, ...], AnyOf | None] = {}
        self._types = {name: kind for name, (kind, _) in VARIABLES.items()}
        self._types |= {f"state.{name}": _type_of(value) for name, value in state.items()}
        self._types |= {name: _type_of(value) for name, value in constants.items()}
        self.environment = self._new({})
        self._checking: dict[tuple[tuple[str, str], ...], Any] = {}

    def _new(self, fields: Mapping[str, str]) -> Any:
        typed = {f"input.{name}": _FIELD_TYPES[kind] for name, kind in fields.items()}
        return cel.NewEnv(
            variables={**self._types, **typed},
            extensions=[ext_optional.ExtOptional(), ext_strings.ExtStrings()],
            functions=_functions(),
        )

    def under(self, policy: str) -> Language:
        """The same language for a policy that is known by this key."""
        found = copy(self)
        found.policy = policy
        found.kept = found._state_names()
        return found

    def _state_names(self) -> tuple[tuple[str, str, Any], ...]:
        """The variables of the state: as expressions name them, as they are kept, and their defaults."""
        return tuple((f"state.{name}", own_name(self.policy, name), value) for name, value in self.state.items())

    def activation(self, data: Mapping[str, Any]) -> Given:
        """These values and no others, for an expression by itself."""
        return Given(self.environment.Activation(data), data, self, Sizes(), {})

    def any_of(self, conditions: Sequence[Expression]) -> AnyOf | None:
        """Several conditions as one, or None where CEL takes them one by one only."""
        key = tuple(one.text for one in conditions)
        if key not in self._together:
            if len(self._together) >= _MOST_TOGETHER:
                self._together.clear()
            self._together[key] = self._any_of(conditions)
        return self._together[key]

    def _any_of(self, conditions: Sequence[Expression]) -> AnyOf | None:
        # A line for each, since a comment ends with its line.
        text = " || ".join(f"({_with_own_functions(one.text)}\n)" for one in conditions)
        try:
            program = self.environment.compile(text)
        except RuntimeError:
            return None
        names = frozenset().union(*(one.names for one in conditions))
        growths = tuple(dict.fromkeys(one.growth for one in conditions if one.growth.depth))
        sized = frozenset().union(*(one.sized for one in conditions if one.growth.depth))
        return AnyOf(program, names, growths, sized)

    def compile(self, text: str, fields: Mapping[str, str] | None = None, *, condition: bool = False) -> Expression:
        """Compile and type-check. Raises InterlockError whose `at` is the offending character of the text.

        `fields` are the typed fields that every matching tool surely has.
        """
        found = tuple(references(text))
        self._refuse_has_on_state(found, text)
        program = self._compile_checked(self.environment, text)
        if condition and program.return_type().name() not in ("BOOL", "DYN"):
            raise error_at(f"the condition is {_words_for(program)}, not true or false", 0)
        used = {r.path[0] for r in found if r.root == "input" and r.path and not r.guarded[0]}
        typed = {name: kind for name, kind in (fields or {}).items() if name in used and kind in _FIELD_TYPES}
        if typed:
            key = tuple(sorted(typed.items()))
            if key not in self._checking:
                self._checking[key] = self._new(typed)
            self._compile_checked(self._checking[key], text)
        words = tokens(text)
        names = self._names_in(text, words)
        runs = any(one.root == "run" for one in found)
        return Expression(
            text,
            program,
            found,
            names,
            needs_of(words),
            growth_of(words),
            _OF_ITEMS.union(names & VARIABLES.keys()),
            runs,
        )

    def _names_in(self, text: str, words: Sequence[ExpressionToken]) -> frozenset[str]:
        """What an expression may look at: a name too many costs little, one too few would fail."""
        if _RAW_TEXT.search(text):
            named = frozenset(re.findall(r"\w+", text))
        else:
            named = frozenset(word.text for place, word in enumerate(words) if is_root(words, place))
        # Fields too: those of `state` are variables of their own.
        mentioned = frozenset(re.findall(r"\w+", text))
        state = {f"state.{name}" for name in self.state if name in mentioned}
        return frozenset((named & (VARIABLES.keys() | self.constants.keys())) - _OF_ITEMS) | state

    def yields(self, text: str, default: Any) -> bool:
        """Whether an expression gives a value of the type of `default`, as far as can be told before it runs."""
        try:
            name = str(self.environment.compile(text).return_type().name())
        except RuntimeError:
            return True  # complained about elsewhere
        return (
            name in ("DYN", _type_of(default).name())
            or name.split("<", maxsplit=1)[0] == _type_of(default).name().split("<")[0]
        )

    def _compile_checked(self, environment: Any, text: str) -> Any:
        try:
            return environment.compile(_with_own_functions(text))
        except RuntimeError as error:
            names = Names([*self._types], self.state)
            raise explain_failure(_as_written(error), text, names, partial(_failure, environment)) from error

    def _refuse_has_on_state(self, found: tuple[Reference, ...], text: str) -> None:
        for name in called_has(text):
            if name[0] == "state" and len(name) == 2:
                raise error_at(f"has(state.{name[1]}) is always true: state has a default", text.find("has"))
        for reference in found:
            if reference.root == "state" and not reference.path:
                raise error_at("`state` is not a value by itself", reference.start, "name a variable: state.limit")


def _as_written(error: RuntimeError) -> str:
    """The library's complaint with the functions under the names that the writer knows."""
    message = str(error)
    for name, own in _OWN_NAMES.items():
        message = message.replace(f"'{own}'", f"'{name}'")
    return message


def _failure(environment: Any, text: str) -> str | None:
    """What the library says of an expression, or None if it compiles."""
    try:
        environment.compile(_with_own_functions(text))
    except RuntimeError as error:
        return _as_written(error)
    return None


def called_has(text: str) -> list[tuple[str, ...]]:
    """What has() is asked about."""
    found = []
    for match in re.finditer(r"\bhas\s*\(\s*([\w.]+)\s*\)", text):
        found.append(tuple(match[1].split(".")))
    return found


def rules_asked(text: str) -> list[tuple[str, str | None, int]]:
    """The rule ids that count() and since() ask about."""
    return list(called_with(text, _HISTORY))


def rules_awaited(text: str) -> list[tuple[str | None, int]]:
    """The rule ids that fired() asks about, None for one that is computed, and where."""
    return [(rule, at) for _, rule, at in called_with(text, frozenset({"fired"}))]


_FIELD_TYPES = {
    "string": _T.STRING, "int": _T.INT, "double": _T.DOUBLE, "bool": _T.BOOL, "list": _T.List(_T.DYN), "map": _MAP,
}  # fmt: skip


def _type_of(value: Any) -> Any:
    if isinstance(value, bool):
        return _T.BOOL
    if isinstance(value, int):
        return _T.INT
    if isinstance(value, float):
        return _T.DOUBLE
    if isinstance(value, str):
        return _T.STRING
    if isinstance(value, list):
        return _T.List(_common(value))
    if isinstance(value, dict):
        return _T.Map(_T.STRING, _common(list(value.values())))
    return _T.DYN


def _common(values: list[Any]) -> Any:
    kinds = [_type_of(value) for value in values]
    return kinds[0] if kinds and all(kind == kinds[0] for kind in kinds) else _T.DYN


def _words_for(program: Any) -> str:
    words = {
        "STRING": "a text",
        "INT": "a number",
        "DOUBLE": "a number",
        "TIMESTAMP": "a time",
        "DURATION": "a duration",
    }
    name = program.return_type().name()
    return words.get(name, f"a {name.split('<')[0].lower()}")


def _plain_words(message: str) -> str:
    text = re.sub(r"^[A-Z_]+: ", "", message.splitlines()[0] if message else "no value")
    text = re.sub(r"Key not found in map : (.*)", r"there is no \1", text)
    text = re.sub(r'No value with name "(.+)" found in Activation', r"\1 has no value here", text)
    return re.sub(r"No matching overloads found : _?(\S+?)_?\((.*)\)", r"`\1` does not go with \2", text)


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        # CEL keeps no order of keys; ours makes the same text every time.
        return {str(key): _json(item) for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ExpressionError("the number is too large, or none")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, timedelta):
        return value.total_seconds()
    if hasattr(value, "isoformat"):
        return value.isoformat().replace("+00:00", "Z")
    raise ExpressionError(f"a value of type {type(value).__name__} cannot be written as JSON")
