"""What a name stands for in a word: variables, parameters, elements of arrays, and where the shell stands."""

from __future__ import annotations

import posixpath

from interlock.facts.shell.fields import SPACE
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.outputs import JOB
from interlock.facts.shell.state import State, Value

__all__ = ["element", "first_of", "items_of", "look", "standing_place"]


def look(name: str, state: State) -> Value:
    """The value of a variable or parameter."""
    if state.refs and name in state.refs:
        name = state.stands_for(name)
        if "[" in name or name in state.refs:
            return None
    if name in state.variables:
        return state.variables[name]
    if name == "PWD":
        return _directory(state)
    if name == "IFS":
        return SPACE
    if name == "!":
        return JOB
    if state.positional is not None:
        if name in ("@", "*"):
            return state.positional
        if name == "#":
            return str(len(state.positional)) if state.sure < 0 else None
        if name.isdigit() and name != "0":
            place = int(name) if len(name) < 7 else 0
            if 0 <= state.sure < place:
                return None
            return state.positional[place - 1] if 0 < place <= len(state.positional) else ()
    return state.known.get(name)


def first_of(value: Value) -> str | None:
    return (value[0] if value else "") if isinstance(value, tuple) else value


def items_of(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value or ()


def element(value: Value, index: str) -> Value:
    """An element of an array, or all of them."""
    if index in ("@", "*"):
        return (value,) if isinstance(value, str) else value
    if value is None or index == "?":
        return None
    items = items_of(value)
    place = int(index)
    if any(UNKNOWN in item for item in (items[:place] if place >= 0 else items)):
        return None  # one that is not known may be any number of them
    place += len(items) if place < 0 else 0
    return items[place] if 0 <= place < len(items) else ()


def _directory(state: State) -> str | None:
    """Where the shell stands, if that is known."""
    start = state.known.get("PWD")
    if start is None or any(UNKNOWN in step or step.startswith("~") for step in state.cwd):
        return None
    return posixpath.normpath(posixpath.join(start, *state.cwd))


def standing_place(word: str, state: State) -> str:
    """A word that begins with where the shell stands, or stood before: `~+/a`, `~-`."""
    if word[2:3] not in ("", "/"):
        return word
    here = _directory(state) if word[1] == "+" else None
    return (here or UNKNOWN) + word[2:]
