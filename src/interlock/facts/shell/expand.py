"""Words as programs get them: variables followed, fields split, braces expanded. What only a run can tell is `\\0`."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from interlock.facts.limits import BRACES, VALUE, Limit
from interlock.facts.shell.braces import expand_braces
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.outputs import JOB
from interlock.facts.shell.state import State, Value
from interlock.facts.shell.tree import Arithmetic, Part, ProcessSubstitution, Quoted, Substitution, Variable, Word

if TYPE_CHECKING:
    from interlock.facts.shell.context import Context

__all__ = ["Expander"]

_SPACE = " \t\n"
_SPACES = frozenset(_SPACE)
_ABSOLUTE = frozenset({"HOME", "PWD", "PATH", "SHELL", "OLDPWD"})  # their first character is a slash
_OFFSETS = re.compile(r" ?(-?[0-9]+) ?(?:: ?(-?[0-9]+) ?)?")
_STOOD = frozenset({"~+", "~-"})
_RUNS = re.compile(r"\$\(|`|\0")


class Expander:
    """Makes fields of words. What a substitution prints is asked of whoever walks the commands."""

    def substitute(self, part: Substitution, state: State, context: Context) -> str | None:
        """Walk a substitution; what it prints, if that is certain."""
        raise NotImplementedError

    def process(self, part: ProcessSubstitution, state: State, context: Context) -> None:
        """Walk a process substitution."""
        raise NotImplementedError

    def note(self, reason: str) -> None:
        raise NotImplementedError

    def reach(self, limit: Limit) -> None:
        raise NotImplementedError

    def fields(self, word: Word, state: State, context: Context) -> list[str]:
        """The fields that a word becomes: none, one or many."""
        if isinstance(word, str):
            return [_standing_place(word, state)] if word[:2] in _STOOD else [word]
        for part in word:
            if isinstance(part, str) and "{" in part:
                return self._braces(word, state, context)
        return self._fields(word, state, context)

    def _braces(self, word: list[Part], state: State, context: Context) -> list[str]:
        words = expand_braces(word)
        if words is None:
            self.reach(BRACES)
            return [UNKNOWN]
        if len(words) > 1:
            return [field for one in words for field in self._fields(one, state, context)]
        return self._fields(word, state, context)

    def text(self, word: Word, state: State, context: Context) -> str:
        """A word as one text, as in an assignment or behind a redirection."""
        if isinstance(word, str):
            return word
        texts = []
        for part in word:
            value = self._value(part, state, context)
            texts.append(" ".join(value) if isinstance(value, tuple) else UNKNOWN if value is None else value)
        if sum(map(len, texts)) > VALUE.most:
            self.reach(VALUE)
            return UNKNOWN
        return "".join(texts)

    def place(self, word: Word, state: State, context: Context) -> str:
        """The text of a word in which a leading `~+` or `~-` stands for a folder: behind `=`, `:` or a redirection."""
        text = self.text(word, state, context)
        first = word if isinstance(word, str) else word[0] if word else ""
        if not isinstance(first, str) or "~" not in first:
            return text
        # Only what was written as a plain text has such a prefix behind a colon; what a variable holds has none.
        steps = text.split(":") if isinstance(word, str) else [text]
        return ":".join(_standing_place(step, state) if step[:2] in _STOOD else step for step in steps)

    def _fields(self, parts: list[Part], state: State, context: Context) -> list[str]:
        fields: list[str] = []
        current: str | None = None  # None: no field has begun
        for part in parts:
            if isinstance(part, str):
                current = (
                    (_standing_place(part, state) if part[:2] in _STOOD else part)
                    if current is None
                    else current + part
                )
                continue
            if isinstance(part, Quoted):
                current = part.text if current is None else current + part.text
                continue
            plain = _plainly(part, state)
            if plain is not None:
                if current is None:
                    current = plain
                else:
                    current += plain  # in place: a word of many parts grows by each of them
                continue
            value = self._value(part, state, context)
            if value is None:
                value = UNKNOWN
            quoted = isinstance(part, ProcessSubstitution | Arithmetic) or part.quoted
            if isinstance(value, tuple):
                pieces = list(value)
                if quoted and isinstance(part, Variable) and "*" in (part.name, part.index):
                    pieces = [" ".join(pieces)]
                if not quoted:
                    pieces = [field for piece in pieces for field in _split(piece, state)]
            elif quoted:
                current = value if current is None else current + value
                continue
            else:
                separators = _separators(state)
                pieces = _split(value, state)
                if value[:1] and value[:1] in separators and current is not None:
                    fields.append(current)
                    current = None
                if value[-1:] and value[-1:] in separators and pieces:
                    fields += [(current or "") + pieces[0], *pieces[1:]]
                    current = None
                    continue
            if pieces:
                *whole, last = [(current or "") + pieces[0], *pieces[1:]]
                fields += whole
                current = last
        if current is not None:
            fields.append(current)
        if sum(map(len, fields)) > VALUE.most:
            self.reach(VALUE)
            self.note("a word that grows too long")
            return [UNKNOWN]
        return fields

    def _value(self, part: Part, state: State, context: Context) -> Value:
        if isinstance(part, str):
            return part
        if isinstance(part, Quoted):
            return part.text
        if isinstance(part, Variable):
            return self._variable(part, state, context)
        if isinstance(part, Substitution):
            return self.substitute(part, state, context)
        if isinstance(part, ProcessSubstitution):
            self.process(part, state, context)
            return None
        self.text(part.parts, state, context)
        return None

    # Variables.

    def _variable(self, part: Variable, state: State, context: Context) -> Value:
        argument = self.text(part.arg, state, context) if part.arg else ""
        if part.prefix == "!":
            name = self._look(part.name, state)
            if part.op or part.index or not isinstance(name, str) or UNKNOWN in name:
                return None
            return self._look(name, state)
        value = _element(self._look(part.name, state), part.index) if part.index else self._look(part.name, state)
        if part.prefix == "#":
            if value is None or UNKNOWN in value:
                return None
            return str(len(value))
        if not part.op:
            return value if part.index in ("@", "*") or part.name in "@*" else _first(value)
        return self._operate(part, value, argument, state)

    def _look(self, name: str, state: State) -> Value:
        if name in state.variables:
            return state.variables[name]
        if name == "PWD":
            return _directory(state)
        if name == "IFS":
            return _SPACE
        if name == "!":
            return JOB
        if state.positional is not None:
            if name in ("@", "*"):
                return state.positional
            if name == "#":
                return str(len(state.positional))
            if name.isdigit() and name != "0":
                place = int(name) if len(name) < 7 else 0
                return state.positional[place - 1] if 0 < place <= len(state.positional) else ""
        return state.known.get(name)

    def _operate(self, part: Variable, value: Value, argument: str, state: State) -> Value:
        op = part.op
        first = _first(value)
        if op in (":-", "-", ":=", "="):
            missing = first is None and part.name not in state.variables
            result = argument if missing or (first == "" and op[0] == ":") else value
            if op.endswith("=") and isinstance(result, str):
                state.assign(part.name, result)
            return result
        if op in (":?", "?"):
            return value
        if op == "@" and argument.strip() == "P" and (first is None or _RUNS.search(first)):
            self.note("a prompt that may run a text")
        if op in (":+", "+"):
            return None if first is None else "" if first == "" and op[0] == ":" else argument
        if op == ":" and argument.strip() == "0:1" and part.name in _ABSOLUTE and part.name not in state.variables:
            return "/"
        if first is None or UNKNOWN in argument or first.startswith("~"):
            return None
        return _apply_operator(first, op, argument) if UNKNOWN not in first else _rename(first, op, argument)


def _plainly(part: Part, state: State) -> str | None:
    """The text that a variable adds to its field, if that is all: it is set in the line, and nothing parts it."""
    if not isinstance(part, Variable) or part.op or part.arg or part.index or part.prefix:
        return None
    value = state.variables.get(part.name)
    if not isinstance(value, str) or not value or "IFS" in state.variables:
        return None
    return value if part.quoted or _SPACES.isdisjoint(value) else None


def _first(value: Value) -> str | None:
    return (value[0] if value else "") if isinstance(value, tuple) else value


def _element(value: Value, index: str) -> Value:
    if index in ("@", "*"):
        return (value,) if isinstance(value, str) else value
    if value is None or not index.isdigit() or len(index) > 6:
        return None
    items = (value,) if isinstance(value, str) else value
    return items[int(index)] if int(index) < len(items) else ""


def _directory(state: State) -> str | None:
    """Where the shell stands, if that is known."""
    start = state.known.get("PWD")
    if start is None or any(UNKNOWN in step or step.startswith("~") for step in state.cwd):
        return None
    return posixpath.normpath(posixpath.join(start, *state.cwd))


def _standing_place(word: str, state: State) -> str:
    """A word that begins with where the shell stands, or stood before: `~+/a`, `~-`."""
    if word[2:3] not in ("", "/"):
        return word
    here = _directory(state) if word[1] == "+" else None
    return (here or UNKNOWN) + word[2:]


def _separators(state: State) -> str:
    value = state.variables.get("IFS", _SPACE)
    return value if isinstance(value, str) else ""


def _split(value: str, state: State) -> list[str]:
    separators = _separators(state)
    if not separators:
        return [value] if value else []
    if separators == _SPACE:
        return re.split(r"[ \t\n]+", trimmed) if (trimmed := value.strip(_SPACE)) else []
    return [piece for piece in re.split(f"[{re.escape(separators)}]", value) if piece]


def _apply_operator(value: str, op: str, argument: str) -> str | None:
    """The value behind an operator, for what can be worked out without a shell's patterns."""
    if op == ":":
        return _part(value, argument)
    if op in ("^^", ",,", "^", ",") and not argument:
        changed = value.upper() if op[0] == "^" else value.lower()
        return changed if len(op) == 2 else changed[:1] + value[1:]
    if re.search(r"[*?\[\\(]", argument):
        return None
    if op in ("#", "##"):
        return value.removeprefix(argument)
    if op in ("%", "%%"):
        return value.removesuffix(argument)
    if op in ("/", "//"):
        old, _, new = argument.partition("/")
        return value.replace(old, new, -1 if op == "//" else 1) if old else value
    return None


def _rename(value: str, op: str, argument: str) -> str | None:
    """A name of which only the folder is known, with its end or a part of it changed: it lies there still."""
    folder, mark, rest = value.partition(f"/{UNKNOWN}")
    old = argument.partition("/")[0] if op in ("/", "//") else argument
    if not mark or rest or re.search(r"[*?\[\\(]", old.removeprefix(".*")) or "/" in old or ".." in argument:
        return None
    keeps = op in ("%", "%%") or (op in ("/", "//") and old != "" and old not in folder)
    return value if keeps else None


def _part(value: str, argument: str) -> str | None:
    found = _OFFSETS.fullmatch(argument)
    if found is None:
        return None
    start = int(found[1])
    if start < 0:
        start = max(len(value) + start, 0)
    if found[2] is None:
        return value[start:]
    length = int(found[2])
    return value[start:][:length]
