"""Words as programs get them: variables followed, fields split, braces expanded. What only a run can tell is `\\0`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interlock.facts.limits import BRACES, VALUE, Limit
from interlock.facts.shell.arithmetic import evaluate
from interlock.facts.shell.braces import expand_braces
from interlock.facts.shell.fields import SPACE, join, separators, split
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.parameters import element, first_of, items_of, look, standing_place
from interlock.facts.shell.state import State, Value
from interlock.facts.shell.transform import transform
from interlock.facts.shell.tree import Part, ProcessSubstitution, Quoted, Substitution, Variable, Word

if TYPE_CHECKING:
    from interlock.facts.shell.context import Context

__all__ = ["Expander"]

_SPACES = frozenset(SPACE)
_UNKNOWNS = re.compile("\0{2,}")
_STOOD = frozenset({"~+", "~-"})
_ALL = ("@", "*")
_CHANGES_TEXT = frozenset({"#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,", "@"})
_ABSOLUTE = frozenset({"BASH", "HOME", "OLDPWD", "PATH", "PWD", "SHELL"})  # their first character is a slash
_GIVES_ARGUMENT = frozenset({":-", "-", ":+", "+"})
_GIVES_DEFAULT = frozenset({":-", "-", ":=", "="})


class _Fields:
    """The fields of a word, as they come about."""

    __slots__ = ("_done", "_state", "current")

    def __init__(self, state: State) -> None:
        self._state = state
        self._done: list[str] = []
        self.current: str | None = None  # None: no field has begun

    def add(self, text: str) -> None:
        """Add to the field that has begun."""
        if self.current is None:
            self.current = text
        else:
            self.current += text  # in place: a word of many parts grows by each of them

    def split(self, value: str) -> None:
        """Add what is parted where a separator stands."""
        between = separators(self._state)
        pieces = split(value, between)
        if value and between and value[0] in between and value[0] in _SPACES:
            self.end()
        for place, piece in enumerate(pieces):
            if place:
                self.end()
            self.add(piece)
        if value and between and value[-1] in between and pieces:
            self.end()

    def add_all(self, values: tuple[str, ...], *, quoted: bool) -> None:
        """Add values each of which begins a field, but for the first."""
        for place, value in enumerate(values):
            if place:
                self.end()
            self.add(value) if quoted else self.split(value)

    def end(self) -> None:
        if self.current is not None:
            self._done.append(self.current)
            self.current = None

    def whole(self) -> list[str]:
        self.end()
        return self._done


class Expander:
    """Makes fields of words. What a substitution prints is asked of whoever walks the commands."""

    loose = False  # some word was split of which nobody knows into how many

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

    def may(self, steps: int) -> bool:
        """Whether there is enough left to go on; if not, that is noted."""
        raise NotImplementedError

    def spend(self, steps: int) -> None:
        """Pay for work that is worth more than the word that it is done for."""
        if steps:
            self.may(steps)

    def fields(self, word: Word, state: State, context: Context) -> list[str]:
        """The fields that a word becomes: none, one or many."""
        if isinstance(word, str):
            return [standing_place(word, state)] if word[:2] in _STOOD else [word]
        for part in word:
            if isinstance(part, str) and "{" in part:
                return self._braces(word, state, context)
        return self._fields(word, state, context)

    def _braces(self, word: list[Part], state: State, context: Context) -> list[str]:
        words = expand_braces(word)
        if words is None:
            self.reach(BRACES)
            self.loose = True
            return [UNKNOWN]
        return [field for one in words for field in self._fields(one, state, context)]

    def text(self, word: Word, state: State, context: Context) -> str:
        """A word as one text, as in an assignment or behind a redirection."""
        if isinstance(word, str):
            return word
        texts = []
        for part in word:
            value = self._value(part, state, context)
            if isinstance(value, tuple):
                starred = isinstance(part, Variable) and "*" in (part.name, part.index)
                value = join(value, state) if starred else " ".join(value)
            texts.append(UNKNOWN if value is None else value)
        size = sum(map(len, texts))
        if size > VALUE.most:
            self.reach(VALUE)
            return UNKNOWN
        self.spend(size >> 10)
        return "".join(texts)

    def place(self, word: Word, state: State, context: Context) -> str:
        """The text of a word in which a leading `~+` or `~-` stands for a folder: behind `=`, `:` or a redirection."""
        text = self.text(word, state, context)
        first = word if isinstance(word, str) else word[0] if word else ""
        if not isinstance(first, str) or "~" not in first:
            return text
        # Only what was written as a plain text has such a prefix behind a colon; what a variable holds has none.
        steps = text.split(":") if isinstance(word, str) else [text]
        return ":".join(standing_place(step, state) if step[:2] in _STOOD else step for step in steps)

    def _fields(self, parts: list[Part], state: State, context: Context) -> list[str]:
        into = _Fields(state)
        for part in parts:
            if isinstance(part, str):
                into.add(standing_place(part, state) if part[:2] in _STOOD and into.current is None else part)
                continue
            if isinstance(part, Quoted):
                into.add(part.text)
                continue
            plain = _plainly(part, state)
            if plain is not None:
                into.add(plain)
            else:
                self._expand(part, into, state, context)
        fields = into.whole()
        if self.loose:
            fields = [_UNKNOWNS.sub(UNKNOWN, field) for field in fields]
        if sum(map(len, fields)) > VALUE.most:
            self.reach(VALUE)
            self.note("a word that grows too long")
            return [UNKNOWN]
        return fields

    def _expand(self, part: Part, into: _Fields, state: State, context: Context) -> None:
        """Add what a part of a word becomes."""
        if isinstance(part, Variable) and self._takes_argument(part, state, context):
            for one in part.arg or ():
                if isinstance(one, str):
                    into.split(one)
                elif isinstance(one, Quoted):
                    into.add(one.text)
                else:
                    self._expand(one, into, state, context)
            return
        value = self._value(part, state, context)
        quoted = not isinstance(part, Variable | Substitution) or part.quoted
        if value is None:
            value = UNKNOWN
            self.loose = self.loose or not quoted or (isinstance(part, Variable) and _is_many(part))
        elif not quoted and UNKNOWN in value:
            self.loose = True
        if isinstance(value, str):
            into.add(value) if quoted else into.split(value)
        elif quoted and isinstance(part, Variable) and "*" in (part.name, part.index):
            into.add(join(value, state))
        else:
            into.add_all(value, quoted=quoted)

    def _takes_argument(self, part: Variable, state: State, context: Context) -> bool:
        """Whether the argument of an unquoted `${x:-…}` or `${x:+…}` is what it becomes, part by part."""
        if part.quoted or part.op not in _GIVES_ARGUMENT or not _has_quotes(part):
            return False
        plain = Variable(
            part.name, True, ":+" if part.op[0] == ":" else "+", ["1"], part.index, part.subscript, part.prefix
        )
        there = self._variable(plain, state, context)
        if part.op[-1] == "+":
            return there == "1"
        missing = there is None and part.name not in state.variables and not part.prefix
        return there == "" or missing

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
        number = self.number(self.text(part.parts, state, context), state)
        return None if number is None else str(number)

    def number(self, text: str, state: State) -> int | None:
        """What a text is as arithmetic, which is done."""
        return evaluate(text, state, look, self.spend)

    # Variables.

    def _variable(self, part: Variable, state: State, context: Context) -> Value:
        name, index = part.name, part.index
        if index not in ("", *_ALL):
            index = self._index(part, state, context)
        if part.prefix == "!":
            referred = self._reference(part, index, state)
            if referred is None:
                self._argument(part, state, context)
                return None
            name, index = referred
        whole = look(name, state)
        value = element(whole, index) if index else whole
        if part.prefix == "#":
            if value is None or UNKNOWN in value or (isinstance(value, tuple) and not index and name not in "@*"):
                return None
            return str(len(value))
        many = index in _ALL or name in _ALL
        if not part.op:
            return value if many else first_of(value)
        result = self._operate(part, name, value if many else _first_or_unset(value), state, context)
        return "" if result == () and not many else result

    def _index(self, part: Variable, state: State, context: Context) -> str:
        """The subscript of an element, as a number; empty but for a mark if it is not known."""
        text = self.text(part.subscript, state, context) if part.subscript is not None else part.index
        if "A" in state.kinds.get(part.name, ""):
            return "?"
        number = self.number(text, state)
        return "?" if number is None else str(number)

    def _reference(self, part: Variable, index: str, state: State) -> tuple[str, str] | None:
        """The name and subscript that the value of a variable is: `${!x}`."""
        if index in _ALL or (part.op in _ALL and not part.arg):
            return None  # the names of variables, or the subscripts of an array
        if part.name in state.refs:
            return None  # the name that it stands for
        value = first_of(element(look(part.name, state), index) if index else look(part.name, state))
        if value is None or UNKNOWN in value:
            return None
        name, mark, rest = value.partition("[")
        if not mark:
            return name, ""
        inner = rest.removesuffix("]")
        if inner in _ALL:
            return name, inner
        number = self.number(inner, state)
        state.evaluate(value)
        return name, "?" if number is None else str(number)

    def _argument(self, part: Variable, state: State, context: Context) -> str:
        return self.text(part.arg, state, context) if part.arg else ""

    def _operate(self, part: Variable, name: str, value: Value, state: State, context: Context) -> Value:
        op = part.op
        if op in _GIVES_DEFAULT:
            return self._default(part, name, value, state, context)
        if op in (":?", "?"):
            self._argument(part, state, context)
            return value
        if op in (":+", "+"):
            argument = self._argument(part, state, context)
            if value is None:
                return None
            return "" if value == () or (op[0] == ":" and not any(items_of(value))) else argument
        if op == ":":
            return self._slice(part, name, value, state, context)
        argument = self._pattern(part, state, context) if op in _CHANGES_TEXT else self._argument(part, state, context)
        if value == ():
            return () if op != "@" else None
        if isinstance(value, tuple):
            changed = [transform(one, op, argument, self) for one in value]
            return None if None in changed else tuple(one for one in changed if one is not None)
        return transform(first_of(value), op, argument, self)

    def _default(self, part: Variable, name: str, value: Value, state: State, context: Context) -> Value:
        """`${x:-a}`, `${x:=a}` and those without a colon. What is from outside and not known counts as missing."""
        outside = value is None and name not in state.variables
        missing = outside or value == () or (part.op[0] == ":" and value is not None and not any(items_of(value)))
        if not missing:
            self._argument(part, state, context)
            return value
        result = self._argument(part, state, context)
        if part.op.endswith("="):
            state.assign(name, result)
        if outside and name in state.known:
            return None
        return result

    def _slice(self, part: Variable, name: str, value: Value, state: State, context: Context) -> Value:
        """`${x:1:2}`, of a text or of the elements of an array."""
        argument = self._argument(part, state, context)
        start, colon, length = _halves(argument)
        if not argument.strip():
            return None  # an error, at which one shell stops and another does not
        begin = self.number(start, state) if start.strip() else 0
        many = self.number(length, state) if colon and length.strip() else 0 if colon else None
        if begin is None or (many is None and colon):
            return None if value != () else ()
        if name in _ABSOLUTE and name not in state.variables and _is_guessed(name, value):
            return "/" if (begin, many) == (0, 1) else None  # the first character is all that is sure
        if isinstance(value, tuple):
            if name in _ALL:
                zero = look("0", state)
                value = (zero if isinstance(zero, str) else UNKNOWN, *value)
                if begin < 0 and -begin > len(value):
                    return ()
            return _part_of_array(value, begin, many, sure=state.sure + 1 if name in _ALL else None)
        if value is None or value.startswith("~"):
            return None
        return _part_of_text(value, begin, many)

    def _pattern(self, part: Variable, state: State, context: Context) -> str:
        """The argument of an operator, with `\\` before each character that was quoted."""
        texts = []
        for one in part.arg or ():
            text = one if isinstance(one, str) else self.text([one], state, context)
            quoted = isinstance(one, Quoted) or (not isinstance(one, str | ProcessSubstitution) and _is_quoted(one))
            texts.append("".join("\\" + character for character in text) if quoted else text)
        return "".join(texts)


def _first_or_unset(value: Value) -> Value:
    """The value of an array's name without a subscript: that of its first element, if it has one."""
    return value[0] if isinstance(value, tuple) and value else value


def _has_quotes(part: Variable) -> bool:
    """Whether some of an argument was quoted, so that it is not parted."""
    return any(not isinstance(one, str) for one in part.arg or ())


def _is_guessed(name: str, value: Value) -> bool:
    """Whether a value from outside only stands for the real one."""
    return value is None or name in ("BASH", "SHELL") or (isinstance(value, str) and value.startswith("~"))


def _is_quoted(part: Part) -> bool:
    return isinstance(part, Variable | Substitution) and part.quoted


def _is_many(part: Variable) -> bool:
    return part.name in _ALL or part.index in _ALL


def _plainly(part: Part, state: State) -> str | None:
    """The text that a variable adds to its field, if that is all: it is set in the line, and nothing parts it."""
    if not isinstance(part, Variable) or part.op or part.arg or part.index or part.prefix:
        return None
    value = state.variables.get(part.name)
    if not isinstance(value, str) or not value or "IFS" in state.variables or UNKNOWN in value:
        return None
    return value if part.quoted or _SPACES.isdisjoint(value) else None


def _halves(argument: str) -> tuple[str, str, str]:
    """An offset and a length, which a colon parts that belongs to no `?`."""
    open, asked = 0, 0
    for at, character in enumerate(argument):
        open += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        asked += character == "?"
        if character == ":" and not open:
            if not asked:
                return argument[:at], ":", argument[at + 1 :]
            asked -= 1
    return argument, "", ""


def _part_of_text(value: str, begin: int, many: int | None) -> str | None:
    if UNKNOWN in value:
        return None
    if begin < 0:
        begin += len(value)
        if begin < 0:
            return ""
    if many is None:
        return value[begin:]
    return value[begin : begin + many] if many >= 0 else value[begin : max(len(value) + many, begin)]


def _part_of_array(value: tuple[str, ...], begin: int, many: int | None, sure: int | None) -> Value:
    if many is not None and many < 0:
        return None
    if sure is None or sure == 0:  # an array: an element that is not known may be any number of them
        sure = next((at for at, one in enumerate(value) if UNKNOWN in one), len(value)) if sure is None else len(value)
    if begin < 0:
        begin = max(begin + len(value), 0) if sure >= len(value) else begin
    rest = value[begin:] if begin >= 0 else value
    if begin > sure or begin < 0:
        return (UNKNOWN, *rest)
    return rest if many is None else rest[:many]
