"""The shell's own commands that change what it knows: variables, functions, aliases, parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from interlock.facts.limits import Limit
from interlock.facts.shell.arithmetic import may_run
from interlock.facts.shell.assigning import NewValue
from interlock.facts.shell.context import Feed
from interlock.facts.shell.filling import filled_by_mapfile, filled_by_read, options_of
from interlock.facts.shell.hazards import RUNS_WHEN_EVALUATED
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.outputs import output
from interlock.facts.shell.state import State

__all__ = ["remember"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_ELEMENT = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)\[(.*)\]", re.DOTALL)
_SETTING = re.compile(r"[-+][A-Za-z]*|--")
# Commands that take names of variables with subscripts, or arithmetic.
_EVALUATES = frozenset({
    "let", "test", "[", "read", "printf", "unset", "declare", "typeset", "local", "export", "readonly", "expr", "wait",
    "mapfile", "readarray", "getopts",
})  # fmt: skip


class Noting(Protocol):
    """Who is told of what cannot be read, reads what commands print, and sets variables."""

    def note(self, reason: str) -> None: ...
    def reach(self, limit: Limit) -> None: ...
    def read(self, feed: Feed | None) -> str | None: ...
    def next_line(self, feed: Feed | None) -> str | None: ...
    def give(self, given: NewValue, state: State) -> None: ...
    def number(self, text: str, state: State) -> int | None: ...


def remember(
    noting: Noting,
    name: str,
    args: tuple[str, ...],
    state: State,
    feed: Feed | None,
    env: Mapping[str, str],
    *,
    loose: bool,
) -> None:
    """Do to the state what the command does. `loose`: one of its words may be any number of words."""
    known = _BUILTINS.get(name)
    if known is not None:
        known(args, state)
        if name == "set" and not loose:
            state.sure = -1
    fill = _FILLS.get(name)
    if fill is not None:
        for given in fill(noting, args, state, feed, env):
            _fill(noting, given, state)
    if name == "let":
        for word in args:
            noting.number(word, state)
    if name == "hash" and any(re.fullmatch("-[a-z]*p.*", word) for word in args):
        state.searched = "a name is given to another program"
    if name == "enable" and any(re.fullmatch("-[a-z]*f.*", word) for word in args):
        noting.note("a command of the shell is loaded from a file")
    if name in _EVALUATES:
        for word in args:
            if ("[" in word or UNKNOWN in word) and may_run(word, state):
                noting.note(RUNS_WHEN_EVALUATED)


def _fill(noting: Noting, given: NewValue, state: State) -> None:
    found = _ELEMENT.fullmatch(given.name)
    if found is not None:
        given = NewValue(found[1], given.value, index=found[2])
    if _NAME.fullmatch(given.name):
        noting.give(given, state)
    elif UNKNOWN in given.name:
        state.variables.update(dict.fromkeys(state.variables))  # which of them is set, nobody knows


def _by_printf(
    noting: Noting, args: tuple[str, ...], state: State, feed: Feed | None, env: Mapping[str, str]
) -> list[NewValue]:
    options, words = options_of(args, "v") if args[:1] and args[0].startswith("-v") else ({}, ())
    if "v" not in options:
        return []
    return [NewValue(options["v"], output("printf", ("--", *words), lambda: None, noting.reach))]


def _by_read(
    noting: Noting, args: tuple[str, ...], state: State, feed: Feed | None, env: Mapping[str, str]
) -> list[NewValue]:
    return filled_by_read(args, state, env, feed, noting.next_line(feed))


def _by_mapfile(
    noting: Noting, args: tuple[str, ...], state: State, feed: Feed | None, env: Mapping[str, str]
) -> list[NewValue]:
    return filled_by_mapfile(args, noting.read(feed))


def _by_getopts(
    noting: Noting, args: tuple[str, ...], state: State, feed: Feed | None, env: Mapping[str, str]
) -> list[NewValue]:
    return [NewValue(name, None) for name in (*args[1:2], "OPTARG", "OPTIND")]


def _by_wait(
    noting: Noting, args: tuple[str, ...], state: State, feed: Feed | None, env: Mapping[str, str]
) -> list[NewValue]:
    options, _ = options_of(args, "p")
    return [NewValue(options["p"], None)] if "p" in options else []


def _unset(args: tuple[str, ...], state: State) -> None:
    options, words = options_of(args, "")
    if "f" in options:
        for word in words:
            state.functions.pop(word, None)
        return
    for word in words:
        if "n" in options:
            state.refs.pop(word, None)
        elif _NAME.fullmatch(word):
            state.unset(word)
            if "v" not in options and word in state.functions:
                state.functions[word] = (state.functions[word][0], True)
        elif found := _ELEMENT.fullmatch(word):
            state.assign(found[1], None)
        elif UNKNOWN in word:
            state.variables.update(dict.fromkeys(state.variables))


def _set(args: tuple[str, ...], state: State) -> None:
    at = 0
    while at < len(args) and _SETTING.fullmatch(args[at]):
        word = args[at]
        at += 1
        if word in ("--", "-"):
            if word == "--" or at < len(args):
                _parameters(args[at:], state)
            return
        named = word[-1] == "o" and at < len(args)
        if "a" in word or (named and args[at] == "allexport"):
            state.options = state.options | {"allexport"} if word[0] == "-" else state.options - {"allexport"}
        at += named
    if at < len(args):
        _parameters(args[at:], state)


def _parameters(words: tuple[str, ...], state: State) -> None:
    state.positional = words
    state.sure = next((at for at, word in enumerate(words) if UNKNOWN in word), -1)


def _shift(args: tuple[str, ...], state: State) -> None:
    if state.positional is None:
        return
    by = int(args[0]) if args and args[0].isdecimal() and len(args[0]) < 7 else 1
    if args and not args[0].isdecimal():
        state.positional = None
    elif state.sure < 0 or by <= state.sure:
        state.positional = state.positional[by:] if by <= len(state.positional) else state.positional
        state.sure -= by if state.sure >= 0 else 0
    else:
        state.positional, state.sure = (UNKNOWN, *state.positional[by:]), 0


def _shopt(args: tuple[str, ...], state: State) -> None:
    options, words = options_of(args, "")
    if "s" in options:
        state.options |= set(words)
    elif "u" in options:
        state.options -= set(words)


def _alias(args: tuple[str, ...], state: State) -> None:
    for word in args:
        name, mark, value = word.partition("=")
        if mark and name:
            state.aliases[name] = value


def _unalias(args: tuple[str, ...], state: State) -> None:
    for word in args:
        state.aliases.pop(word, None)


_BUILTINS: dict[str, Callable[[tuple[str, ...], State], None]] = {
    "alias": _alias,
    "set": _set,
    "shift": _shift,
    "shopt": _shopt,
    "unalias": _unalias,
    "unset": _unset,
}
_FILLS: dict[
    str, Callable[[Noting, tuple[str, ...], State, Feed | None, Mapping[str, str]], list[NewValue]]
] = {
    "getopts": _by_getopts,
    "mapfile": _by_mapfile,
    "printf": _by_printf,
    "read": _by_read,
    "readarray": _by_mapfile,
    "wait": _by_wait,
}  # fmt: skip
