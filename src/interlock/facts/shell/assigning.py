"""Setting variables: `a=1`, `a+=1`, `a[1]=2`, `a=(1 2)`, and the commands that declare them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from interlock.facts.shell.braces import expand_braces
from interlock.facts.shell.expand import Expander
from interlock.facts.shell.findings import Findings
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.parameters import first_of, items_of, look
from interlock.facts.shell.state import UNSET, State, Value
from interlock.facts.shell.tree import Array, Assignment, Simple, Word

if TYPE_CHECKING:
    from interlock.facts.shell.context import Context

__all__ = ["DECLARES", "Assigner", "NewValue"]

DECLARES = frozenset({"declare", "typeset", "local", "export", "readonly"})
_WORD = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)(?:\[(.*?)\])?(?:(\+?)=(.*))?", re.DOTALL)
_OPTION = re.compile(r"[-+][A-Za-z]+")
_KINDS = frozenset("Aacilnru")
_SUBSCRIPTED = re.compile(r"\[([^\[\]]*)\]\+?=")


class NewValue(Struct, frozen=True):
    """A variable and what it is set to."""

    name: str
    value: Value
    adds: bool = False
    index: str | None = None
    placed: bool = False  # an array that says where its elements go

    @property
    def text(self) -> str:
        if isinstance(self.value, tuple):
            return " ".join(self.value)
        return UNKNOWN if self.value is None else self.value


class Assigner(Expander):
    """Sets what a line sets."""

    found: Findings

    def run_variable(self, name: str, value: str, node: Simple, state: State, context: Context, *, kept: bool) -> None:
        """Read a variable whose value is a command for somebody. `kept`: it holds for what follows too."""
        raise NotImplementedError

    def environment(
        self, node: Simple, fields: list[str], state: State, context: Context
    ) -> tuple[dict[str, str], tuple[NewValue, ...]]:
        """Do the assignments of a command: those that hold for it alone, and those that it is to declare."""
        if fields and fields[0] in DECLARES:
            # All words are expanded before the first of them is set.
            assignments = [each for one in node.assignments for each in _in_braces(one)]
            declared = tuple(self._given(one, state, context) for one in assignments)
            fields += [f"{one.name}={one.text}" for one in declared]
            return {}, declared
        keep = not fields
        env: dict[str, str] = {}
        seen = state if keep or len(node.assignments) == 1 else state.copy()  # each sees those before it
        for one in node.assignments:
            given = self._given(one, seen, context)
            text = given.text
            if given.adds and isinstance(given.value, str):
                text = _both_texts(first_of(look(one.name, seen)), given.value) or UNKNOWN
            if keep:
                self.give(given, state)
                self.found.assigned.append((one.name, text))
            else:
                env[one.name] = text
                if seen is not state:
                    seen.assign(one.name, text)
            self.run_variable(one.name, text, node, state, context, kept=keep)
        return env, ()

    def _given(self, one: Assignment, state: State, context: Context) -> NewValue:
        index = None if one.index is None else self.text(one.index, state, context)
        if not isinstance(one.value, Array):
            return NewValue(one.name, self.place(one.value, state, context), one.adds, index)
        items: list[str] = []
        placed = False
        for word in one.value.words:
            if _is_subscripted(word):
                placed = True
                self._subscript_in(word, one.name, state, context)
            items += self.fields(word, state, context)
        return NewValue(one.name, tuple(items), one.adds, index, placed)

    def _subscript_in(self, word: Word, name: str, state: State, context: Context) -> None:
        text = self.text(word, state, context)
        inner = text[1:].rpartition("]")[0] if "]" in text else text
        if "A" not in state.kinds.get(name, ""):
            self.number(inner.partition("]=")[0], state)

    def give(self, given: NewValue, state: State) -> None:
        """Set a variable."""
        value = given.value
        name = given.name
        if isinstance(value, tuple):
            self.spend(len(value) >> 5)
        if given.adds or given.index is not None:
            state.watch(value)
        if name in ("BASH_ALIASES", "BASH_CMDS"):
            self.note("a name is given to another program")
        if given.index is not None:
            self._give_element(given, state)
        elif isinstance(value, tuple):
            if given.placed:
                before = items_of(look(name, state)) if given.adds and not given.placed else ()
                value = _in_places(before, value) if "A" not in state.kinds.get(name, "") else None
            elif given.adds:
                before_value = look(name, state)
                if name not in state.variables or before_value is None:
                    value = None
                else:
                    value = (*items_of(before_value), *value)
            state.assign(name, value)
        elif given.adds:
            before_value = look(name, state)
            if "i" in state.kinds.get(state.stands_for(name), ""):
                state.evaluate(value)
                state.assign(name, None)
            elif isinstance(before_value, tuple) and before_value:
                first = _both_texts(before_value[0], value)
                state.assign(name, None if first is None else (first, *before_value[1:]))
            else:
                state.assign(name, _both_texts(first_of(before_value), value))
        else:
            state.assign(name, value)

    def _give_element(self, given: NewValue, state: State) -> None:
        name, index = state.stands_for(given.name), given.index or ""
        if "A" in state.kinds.get(name, ""):
            state.assign(name, None)
            state.evaluate(given.value if "i" in state.kinds.get(name, "") else None)
            return
        place = self.number(index, state)
        before = state.variables.get(name)
        new = first_of(given.value)
        if place is None or new is None or before is None or isinstance(given.value, tuple):
            new = None if place != 0 or before is not None or name in state.variables else new
            state.assign(name, new if place == 0 else None)
            return
        items = list(items_of(before))
        if place < 0 or place > len(items) or any(UNKNOWN in item for item in items[:place]):
            state.assign(name, None)
            return
        if given.adds and place < len(items):
            new = items[place] + new
        items[place : place + 1] = [new]
        state.assign(name, tuple(items))

    def declare(
        self, command: str, args: tuple[str, ...], declared: tuple[NewValue, ...], node: Simple, state: State,
        context: Context,
    ) -> None:  # fmt: skip
        """Do what `declare`, `export` and their like do. `declared`: the last of the words, as they were written."""
        words = args[: len(args) - len(declared)]
        flags = "".join(word[1:] for word in words if _OPTION.fullmatch(word) and word[0] == "-")
        dropped = "".join(word[1:] for word in words if _OPTION.fullmatch(word) and word[0] == "+")
        if command == "export" and "n" in flags:
            dropped, flags = dropped + "x", flags.replace("n", "")
        elif command == "export":
            flags += "x"
        elif command == "readonly":
            flags += "r"
        if "f" in flags or "F" in flags or "p" in flags:
            return
        everything = [self._in_word(word) for word in words if not _OPTION.fullmatch(word)]
        # Outside of functions, `local` fails or does not, as the shell has it.
        unsure = command == "local" and not any(isinstance(one, int) for one in context.active)
        for given in [*(one for one in everything if one is not None), *declared]:
            self._declare_one(given, flags, dropped, state, fresh=command == "local")
            if unsure:
                state.assign(given.name, None)
            if given.value is not None:
                text = given.text
                kept = state.variables.get(given.name)
                if given.adds:
                    text = kept if isinstance(kept, str) else UNKNOWN
                self.found.assigned.append((given.name, text))
                self.run_variable(given.name, text, node, state, context, kept=True)
        if any(UNKNOWN in word.partition("=")[0] for word in words):
            state.variables.update(dict.fromkeys(state.variables))  # which of them is set, nobody knows

    def _in_word(self, word: str) -> NewValue | None:
        """What a word that was no assignment as it is written sets: `declare "$x=1"`."""
        found = _WORD.fullmatch(word)
        if found is None:
            return None
        value: Value = found[4]
        if value is not None and value[:1] == "(" and value[-1:] == ")":
            value = (UNKNOWN,)  # it may be read as an array
        return NewValue(found[1], value, bool(found[3]), found[2])

    def _declare_one(self, given: NewValue, flags: str, dropped: str, state: State, *, fresh: bool) -> None:
        name = given.name
        if "n" in dropped:
            state.refs.pop(name, None)
        if "n" in flags:
            value = first_of(given.value)
            state.refer(name, UNKNOWN if given.value is not None and value is None else value or "")
            return
        kinds = _KINDS.intersection(flags) - {"r"}
        if kinds or dropped:
            state.kinds[name] = "".join(sorted((kinds | {*state.kinds.get(name, "")}) - {*dropped}))
        if given.value is not None or given.index is not None:
            self.give(given, state)
        elif kinds & {"A", "a"} and name not in state.variables:
            state.variables[name] = UNSET if "a" in kinds else None
        elif fresh:
            state.variables[name] = None if name in state.pinned else UNSET
        if "r" in flags:
            state.kinds[name] = state.kinds.get(name, "") + "r"
        if "x" in flags:
            state.exported |= {name}
        elif "x" in dropped:
            state.exported -= {name}


def _both_texts(before: str | None, value: Value) -> str | None:
    return None if before is None or not isinstance(value, str) else before + value


def _in_braces(one: Assignment) -> list[Assignment]:
    """The assignments that the word of a declaring command is: `declare x={a,b}` is two."""
    value = one.value
    if not isinstance(value, list) or not any(isinstance(part, str) and "{" in part for part in value):
        return [one]
    words = expand_braces(value)
    return [one] if words is None else [Assignment(one.name, word, one.adds, one.index) for word in words]


def _is_subscripted(word: Word) -> bool:
    """Whether an element of an array says where it goes: `[1]=a`."""
    first = word if isinstance(word, str) else word[0] if word else ""
    return isinstance(first, str) and first.startswith("[")


def _in_places(before: tuple[str, ...], words: tuple[str, ...]) -> Value:
    """An array some of whose words say where they go; None if it is not known or has gaps."""
    items: dict[int, str] = dict(enumerate(before))
    place = len(before)
    for word in words:
        found = _SUBSCRIPTED.match(word)
        if found is not None and not found[1].isdecimal():
            return None
        place = int(found[1]) if found is not None else place
        items[place] = word[found.end() :] if found is not None else word
        place += 1
    dense = sorted(items) == list(range(len(items)))
    return tuple(items[at] for at in range(len(items))) if dense and UNKNOWN not in "".join(words) else None
