"""What a shell knows at one place of a line: variables, functions, aliases, and the directory it stands in."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TypeAlias

from interlock.facts.limits import FOLDER_STEPS
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.tree import Function

__all__ = ["State", "Value"]

_USUAL = {"HOME": "~", "SHELL": "/bin/bash", "BASH": "/bin/bash"}

Value: TypeAlias = str | tuple[str, ...] | None  # a text, an array, or not to be known


class State:
    """One shell's memory. A variable that is not in it comes from outside."""

    __slots__ = ("aliases", "cwd", "exported", "functions", "known", "positional", "searched", "variables")

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known: Mapping[str, str] = {**_USUAL, **known}  # variables from outside whose values are known
        self.variables: dict[str, Value] = {}
        self.exported: frozenset[str] = frozenset()
        self.functions: dict[str, tuple[Function, bool]] = {}  # with whether it may be another by now
        self.aliases: dict[str, str] = {}
        self.cwd: tuple[str, ...] = ()
        self.positional: tuple[str, ...] | None = None
        self.searched = ""  # why programs may not be the ones that their names say

    def copy(self) -> State:
        other = State.__new__(State)
        other.known = self.known
        other.variables = dict(self.variables)
        other.exported = self.exported
        other.functions = dict(self.functions)
        other.aliases = dict(self.aliases)
        other.cwd = self.cwd
        other.positional = self.positional
        other.searched = self.searched
        return other

    def child(self, env: Mapping[str, str]) -> State:
        """The memory of a shell started from this one."""
        other = State(self.known)
        other.exported = self.exported
        other.variables = {name: value for name, value in self.variables.items() if name in self.exported}
        for name, value in env.items():
            other.variables[name] = None if UNKNOWN in value else value
            other.exported |= {name}
        other.cwd = self.cwd
        other.searched = self.searched
        return other

    def same(self, other: State) -> bool:
        return (
            self.variables == other.variables
            and self.cwd == other.cwd
            and self.functions == other.functions
            and self.positional == other.positional
        )

    def either(self, others: list[State]) -> None:
        """Become what holds whichever of the others was the way taken."""
        first = others[0]
        for other in others[1:]:
            if other.same(first):
                continue
            for name in first.variables.keys() | other.variables.keys():
                missing: Value = self.known.get(name)
                if first.variables.get(name, missing) != other.variables.get(name, missing):
                    first.variables[name] = None
            for name in first.functions.keys() | other.functions.keys():
                if first.functions.get(name) != other.functions.get(name):
                    function = (first.functions.get(name) or other.functions[name])[0]
                    first.functions[name] = (function, True)
            if first.cwd != other.cwd:
                first.cwd = (UNKNOWN,)
            if first.positional != other.positional:
                first.positional = None
            first.aliases.update(other.aliases)
            first.exported |= other.exported
            first.searched = first.searched or other.searched
        for slot in self.__slots__:
            setattr(self, slot, getattr(first, slot))

    def enter(self, folder: str) -> None:
        """Go to another directory. The steps are kept apart as long as they are few."""
        if len(self.cwd) < FOLDER_STEPS.most:
            self.cwd = (*self.cwd, folder)
        elif folder.startswith(("/", "~")) or UNKNOWN in folder or UNKNOWN in self.cwd[-1]:
            self.cwd = (*self.cwd[:-1], folder) if folder.startswith(("/", "~")) else (UNKNOWN,)
        else:
            self.cwd = (*self.cwd[:-1], posixpath.normpath(posixpath.join(self.cwd[-1], folder)))

    def assign(self, name: str, value: Value) -> None:
        if isinstance(value, str) and UNKNOWN in value and value.strip(UNKNOWN) == "":
            value = None
        self.variables[name] = value
