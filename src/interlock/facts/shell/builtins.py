"""The shell's own commands that change what it knows: variables, functions, aliases, parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from interlock.facts.limits import Limit
from interlock.facts.shell.context import Feed
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.outputs import output
from interlock.facts.shell.state import State

__all__ = ["remember"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_GIVEN = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)\+?=(.*)", re.DOTALL)
_RUNS_IN_INDEX = re.compile(r"\[[^\]]*(?:\$\(|`)")
_EVALUATES = frozenset({"let", "test", "[", "read", "printf", "unset", "declare", "typeset", "local", "export", "expr"})


class Noting(Protocol):
    """Who is told of what cannot be read, and reads what commands print."""

    def note(self, reason: str) -> None: ...
    def reach(self, limit: Limit) -> None: ...
    def read(self, feed: Feed | None) -> str | None: ...


def remember(noting: Noting, name: str, args: tuple[str, ...], state: State, feed: Feed | None = None) -> None:
    """Do to the state what the command does."""
    known = _BUILTINS.get(name)
    if known is not None:
        known(args, state)
    if name == "printf" and args[:1] == ("-v",) and len(args) > 1:
        state.assign(args[1], output("printf", args[2:], lambda: None, noting.reach))
    if name == "read" and feed is not None:
        names = [word for word in args if _NAME.fullmatch(word)]
        if len(names) == 1:  # it gets the whole line
            lines = (noting.read(feed) or "").splitlines() if args in ((names[0],), ("-r", names[0])) else []
            state.assign(names[0], lines[0].strip() if len(lines) == 1 else feed.names())
    if name == "hash" and any(re.fullmatch("-[a-z]*p.*", word) for word in args):
        state.searched = "a name is given to another program"
    if name == "enable" and any(re.fullmatch("-[a-z]*f.*", word) for word in args):
        noting.note("a command of the shell is loaded from a file")
    if name in _EVALUATES and any(_RUNS_IN_INDEX.search(word) for word in args):
        noting.note("arithmetic that may run a text")


def _declare(args: tuple[str, ...], state: State) -> None:
    flags = "".join(word for word in args if word[:1] in "-+")
    for word in args:
        if found := _GIVEN.fullmatch(word):
            if found[1] not in state.variables or any(flag in flags for flag in "niluc"):
                state.assign(found[1], None if any(flag in flags for flag in "niluc") else found[2])
        elif not word.startswith(("-", "+")) and any(flag in flags for flag in "niluc"):
            state.assign(word, None)


def _export(args: tuple[str, ...], state: State) -> None:
    for word in args:
        if found := _GIVEN.fullmatch(word):
            if state.variables.get(found[1]) is None and UNKNOWN not in found[2]:
                state.assign(found[1], found[2])
            state.exported |= {found[1]}
        elif _NAME.fullmatch(word):
            state.exported |= {word}


def _unset(args: tuple[str, ...], state: State) -> None:
    if "-f" in args:
        for word in args:
            state.functions.pop(word, None)
        return
    for word in args:
        if _NAME.fullmatch(word):
            state.variables[word] = ""
            if "-v" not in args and word in state.functions:
                state.functions[word] = (state.functions[word][0], True)


def _read(args: tuple[str, ...], state: State) -> None:
    for word in (*args, "REPLY", "MAPFILE"):
        if _NAME.fullmatch(word):
            state.assign(word, None)


def _let(args: tuple[str, ...], state: State) -> None:
    for word in args:
        for name in _NAME.findall(word):
            state.assign(name, None)


def _set(args: tuple[str, ...], state: State) -> None:
    if "--" in args:
        state.positional = args[args.index("--") + 1 :]
    elif args and args[0][:1] not in ("-", "+"):
        state.positional = args


def _shift(args: tuple[str, ...], state: State) -> None:
    if state.positional is not None:
        by = int(args[0]) if args and args[0].isdecimal() and len(args[0]) < 7 else 1
        state.positional = state.positional[by:]


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
    "declare": _declare,
    "export": _export,
    "getopts": _read,
    "let": _let,
    "local": _declare,
    "mapfile": _read,
    "read": _read,
    "readarray": _read,
    "readonly": _export,
    "set": _set,
    "shift": _shift,
    "typeset": _declare,
    "unalias": _unalias,
    "unset": _unset,
}
