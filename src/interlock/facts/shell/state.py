"""What a shell knows at one place of a line: variables, functions, aliases, and the directory it stands in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from interlock.facts.limits import FOLDER_STEPS
from interlock.facts.shell.hazards import EVALUATED, RUNS_WHEN_EVALUATED, runs_in_subscript
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.tree import Function

__all__ = ["UNSET", "State", "Value"]

_USUAL = {"HOME": "~", "SHELL": "/bin/bash", "BASH": "/bin/bash"}
# What the shell itself gives these is not what they were set to.
_OWN = frozenset({
    "BASHPID", "BASH_ARGV0", "BASH_COMMAND", "BASH_LINENO", "BASH_SOURCE", "BASH_SUBSHELL", "COMP_WORDBREAKS",
    "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "FUNCNAME", "GROUPS", "HISTCMD", "LINENO", "PIPESTATUS", "RANDOM",
    "SECONDS", "SRANDOM", "_",
})  # fmt: skip

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")

Value: TypeAlias = str | tuple[str, ...] | None  # a text, an array, or not to be known
UNSET: tuple[str, ...] = ()  # a variable that has no value is an array of nothing


def _unheard(reason: str) -> None:
    """Nobody wants to know."""


class State:
    """One shell's memory. A variable that is not in it comes from outside."""

    __slots__ = (
        "aliases", "cwd", "exported", "functions", "kinds", "known", "loaded", "note", "options", "pinned",
        "positional", "refs", "searched", "sure", "variables",
    )  # fmt: skip

    def __init__(self, known: Mapping[str, str], note: Callable[[str], None] = _unheard) -> None:
        self.known: Mapping[str, str] = {**_USUAL, **known}  # variables from outside whose values are known
        self.note = note  # told of an assignment that may run a text
        self.variables: dict[str, Value] = {}
        self.exported: frozenset[str] = frozenset()
        self.functions: dict[str, tuple[Function, bool]] = {}  # with whether it may be another by now
        self.aliases: dict[str, str] = {}
        self.cwd: tuple[str, ...] = ()
        self.positional: tuple[str, ...] | None = None
        self.sure = -1  # how many of the parameters surely are at their places; all of them if negative
        self.searched = ""  # why programs may not be the ones that their names say
        self.kinds: dict[str, str] = {}  # what variables were declared to be, by letters of `declare`
        self.refs: dict[str, str] = {}  # variables that are other names for others
        self.pinned: frozenset[str] = _OWN  # variables that something else may change at any time
        self.options: frozenset[str] = frozenset()
        self.loaded: list[bool] = []  # shared by all that comes from one state: a value that runs when it is evaluated

    def copy(self) -> State:
        other = State.__new__(State)
        other.known = self.known
        other.note = self.note
        other.variables = dict(self.variables)
        other.exported = self.exported
        other.functions = dict(self.functions)
        other.aliases = dict(self.aliases)
        other.cwd = self.cwd
        other.positional = self.positional
        other.sure = self.sure
        other.searched = self.searched
        other.kinds = dict(self.kinds) if self.kinds else {}
        other.refs = dict(self.refs) if self.refs else {}
        other.pinned = self.pinned
        other.options = self.options
        other.loaded = self.loaded
        return other

    def child(self, env: Mapping[str, str]) -> State:
        """The memory of a shell started from this one."""
        other = State(self.known, self.note)
        other.loaded = self.loaded
        other.exported = self.exported
        every = "allexport" in self.options
        other.variables = {name: value for name, value in self.variables.items() if every or name in self.exported}
        for name, value in env.items():
            other.assign(name, None if UNKNOWN in value else value)
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
            and self.kinds == other.kinds
            and self.refs == other.refs
            and self.pinned == other.pinned
            and self.options == other.options
        )

    def either(self, others: list[State]) -> None:
        """Become what holds whichever of the others was the way taken."""
        first = others[0]
        for other in others[1:]:
            if other.same(first):
                continue
            first._kinds_of_either(other)
            first._values_of_either(other)
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

    def _values_of_either(self, other: State) -> None:
        """Know no value any more that is another one there."""
        if self.variables == other.variables:
            return
        for name in self.variables.keys() | other.variables.keys():
            missing: Value = self.known.get(name)
            if self.variables.get(name, missing) != other.variables.get(name, missing):
                self.variables[name] = None

    def _kinds_of_either(self, other: State) -> None:
        """Know nothing of variables that may have been declared to be something."""
        self.pinned |= other.pinned
        self.options |= other.options
        for name in self.refs.keys() | other.refs.keys():
            if self.refs.get(name) != other.refs.get(name):
                # Whatever it stands for may be changed by it, and it may itself be a variable.
                targets = {one for one in (self.refs.get(name), other.refs.get(name)) if one}
                self.pin({name, *targets})
                self.refs.pop(name, None)
        for name in self.kinds.keys() | other.kinds.keys():
            if self.kinds.get(name) != other.kinds.get(name):
                self.pin({name})
                self.kinds[name] = "".join(sorted({*self.kinds.get(name, ""), *other.kinds.get(name, "")}))

    def take_last(self, last: State) -> None:
        """What the last command of a pipeline leaves behind: in some shells it runs in this one."""
        if "lastpipe" in self.options:
            self.either([last])
        else:
            self._values_of_either(last)

    def pin(self, names: set[str]) -> None:
        """Know nothing of some variables from here on."""
        self.pinned |= names
        for name in names:
            self.variables[name] = None

    def disturb(self, other: State) -> None:
        """Something may happen at any time that makes this the other state: a trap."""
        missing = object()
        changed = {
            name
            for name in self.variables.keys() | other.variables.keys()
            if self.variables.get(name, missing) != other.variables.get(name, missing)
        }
        self.pin(changed)
        for name, function in other.functions.items():
            if self.functions.get(name) != function:
                self.functions[name] = (function[0], True)
        if self.cwd != other.cwd:
            self.cwd = (UNKNOWN,)

    def enter(self, folder: str) -> None:
        """Go to another directory. The steps are kept apart as long as they are few."""
        if len(self.cwd) < FOLDER_STEPS.most:
            self.cwd = (*self.cwd, folder)
        elif folder.startswith(("/", "~")) or UNKNOWN in folder or UNKNOWN in self.cwd[-1]:
            self.cwd = (*self.cwd[:-1], folder) if folder.startswith(("/", "~")) else (UNKNOWN,)
        else:
            self.cwd = (*self.cwd[:-1], posixpath.normpath(posixpath.join(self.cwd[-1], folder)))

    # Variables.

    def stands_for(self, name: str) -> str:
        """The variable that a name stands for, through `declare -n`."""
        seen: set[str] = set()
        while name in self.refs and name not in seen:
            seen.add(name)
            name = self.refs[name]
        return name

    def assign(self, name: str, value: Value) -> None:
        if self.refs and (name := self._target_of(name, value)) == "":
            return
        if isinstance(value, str):
            if UNKNOWN in value and value.strip(UNKNOWN) == "":
                value = None
            elif "[" in value:
                self.watch(value)
            before = self.variables.get(name)
            if isinstance(before, tuple) and len(before) > 1 and value is not None:
                value = (value, *before[1:])  # the first element is what the name stands for
        elif value:
            self.watch(value)
        if self.kinds and name in self.kinds:
            value = self._as_declared(name, value)
        if name in self.pinned or name in EVALUATED:
            if name in EVALUATED:
                self.evaluate(value)
            value = None
        self.variables[name] = value

    def watch(self, value: Value) -> None:
        """Keep in mind that there is a value that runs something if it is evaluated."""
        texts = (value,) if isinstance(value, str) else value or ()
        if not self.loaded and any("[" in text and runs_in_subscript(text) for text in texts):
            self.loaded.append(True)

    def evaluate(self, value: Value) -> None:
        """Note that a value is arithmetic, which may run a text."""
        texts = (value,) if isinstance(value, str) else value or ()
        if any(runs_in_subscript(text) or (self.loaded and not text.isdecimal()) for text in texts):
            self.note(RUNS_WHEN_EVALUATED)

    def unset(self, name: str) -> None:
        """Forget a variable, which then has no value whatever it had outside."""
        name = self.stands_for(name).partition("[")[0]
        self.variables[name] = None if "r" in self.kinds.get(name, "") or name in self.pinned else UNSET
        self.kinds.pop(name, None)

    def _target_of(self, name: str, value: Value) -> str:
        """The variable that is set if this name is set; empty if what is set is part of one, or nobody knows which."""
        if name not in self.refs:
            return name
        target = self.stands_for(name)
        if target == "":  # it has no target yet: this is it
            self.refer(name, value if isinstance(value, str) else UNKNOWN)
            return ""
        if target in self.refs or UNKNOWN in target:
            self.variables.update(dict.fromkeys(self.variables))
            return ""
        if "[" in target:
            self.evaluate(target)
            self.variables[target.partition("[")[0]] = None
            return ""
        return target

    def refer(self, name: str, target: str) -> None:
        """Make a name another one for a variable."""
        self.refs[name] = target
        self.variables.pop(name, None)
        if "[" in target:
            self.evaluate(target)

    def _as_declared(self, name: str, value: Value) -> Value:
        """A value as it becomes by what its variable was declared to be."""
        kind = self.kinds[name]
        if "r" in kind and self.variables.get(name) is not None and self.variables[name] != value:
            return None  # one shell stops there, another goes on with what it was
        if "A" in kind:
            return None
        if "i" in kind:
            self.evaluate(value)
            return value if isinstance(value, str) and _INTEGER.fullmatch(value) else None
        if isinstance(value, tuple):
            return tuple(_in_case(item, kind) for item in value)
        return value if value is None else _in_case(value, kind)


def _in_case(text: str, kind: str) -> str:
    if "l" in kind:
        return text.lower()
    if "u" in kind:
        return text.upper()
    return text[:1].upper() + text[1:].lower() if "c" in kind else text
