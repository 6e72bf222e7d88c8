"""What the words of a command become, with holes for what is known only at run time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from interlock.facts.shell.braces import expand_braces
from interlock.facts.shell.patterns import changed_case, read_pattern, replaced, without_end, without_start
from interlock.facts.shell.tree import (
    Arithmetic,
    Heredoc,
    Part,
    ProcessSubstitution,
    Quoted,
    Substitution,
    Variable,
    Word,
)
from interlock.hook_lint.program import Span
from interlock.hook_lint.read.shell.holes import Ask, Hole, Holes, has_holes
from interlock.hook_lint.read.shell.notes import ShellNotes
from interlock.hook_lint.read.shell.state import ShellState

if TYPE_CHECKING:
    from interlock.facts.shell.tree import Sequence

__all__ = ["Words", "assigned_in"]

# Variables that the shell or the system sets; their values are not known.
_PLAIN_SPECIAL = frozenset({
    "$", "!", "#", "-", "RANDOM", "SECONDS", "LINENO", "PPID", "UID", "EUID", "EPOCHSECONDS", "BASHPID", "SHLVL",
    "OPTIND", "COLUMNS", "LINES",
})  # fmt: skip
_SPECIAL = frozenset({
    "0", "_", "IFS", "PWD", "OLDPWD", "BASH_SOURCE", "BASH_REMATCH", "BASH_VERSION", "FUNCNAME", "REPLY", "PIPESTATUS",
    "OPTARG", "HOSTNAME", "OSTYPE", "MACHTYPE", "BASH", "ZSH_VERSION", "BASH_VERSINFO", "HOME", "PATH", "USER", "SHELL",
    "TMPDIR", "LANG", "TERM", "EDITOR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
    "XDG_DATA_HOME", "LOGNAME", "XDG_RUNTIME_DIR", "MSYSTEM", "WSL_DISTRO_NAME", "DISPLAY", "TTY", "CI",
    "DBUS_SESSION_BUS_ADDRESS",    "TMUX", "TMUX_PANE", "VIRTUAL_ENV", "match", "MATCH",
})  # fmt: skip
_PLAIN_TEXT = frozenset({"HOME", "PWD", "USER", "SHELL", "HOSTNAME", "OSTYPE", "TMPDIR", "TERM", "LANG", "0"})
_BLANKS = re.compile(r"[ \t\n]+")
_GLOB = re.compile(r"([*?\[\]\\])")
_REGEX = re.compile(r"([.^$*+?()\[\]{}|\\])")
_MOST_TEXT = 20_000
_ASSIGNS = re.compile(
    r"(?:^|[\s;&|({])([A-Za-z_]\w*)(?:\[[^\]\n]*\])?\+?="
    r"|\b(?:read|mapfile|readarray|getopts|printf -v)\b([^\n;|&<]*)"
    r"|\b(?:for|select)[ \t]+([A-Za-z_]\w*)"
    r"|(?:\(\(|\blet)[ \t]*([A-Za-z_]\w*)[ \t]*(?:\+\+|--|[-+*/]?=)"
)
_NAME = re.compile(r"[A-Za-z_]\w*")


class Words:
    """Expands words."""

    holes: Holes
    notes: ShellNotes
    assigned: frozenset[str]  # the variables that the program sets somewhere
    sourced: bool  # functions and variables may come from elsewhere
    here: Span  # the command whose words are looked at

    def span_of(self, start: int, end: int) -> Span:
        raise NotImplementedError

    def substitute(self, body: Sequence, state: ShellState) -> str:
        raise NotImplementedError

    # Words.

    def text(self, word: Word | Heredoc, state: ShellState) -> str:
        """A word that stays one: as in an assignment."""
        if isinstance(word, Heredoc):
            word = word.parts
        if isinstance(word, str):
            return word
        return "".join(self.part(part, state) for part in word)[:_MOST_TEXT]

    def fields(self, word: Word, state: ShellState) -> list[str]:
        """The words that a word of a command becomes."""
        if isinstance(word, str):
            return [word]
        if any(isinstance(part, str) and "{" in part for part in word):
            several = expand_braces(word)
            if several is not None and len(several) > 1:
                return [field for one in several for field in self._fields(one, state)]
        return self._fields(word, state)

    def _fields(self, parts: list[Part], state: ShellState) -> list[str]:
        fields: list[str] = []
        open_ = False  # the last field goes on
        for part in parts:
            if isinstance(part, Variable):
                items = self._items(part, state)
                if items is None:
                    text = self.variable(part, state)
                    items = [text] if part.quoted or has_holes(text) else _split(text, state)
                elif not part.quoted:
                    items = [one for item in items for one in ([item] if has_holes(item) else _split(item, state))]
            elif isinstance(part, Substitution) and not part.quoted:
                text = self.part(part, state)
                items = [text] if has_holes(text) else _split(text, state)
            else:
                items = [self.part(part, state)]
            if not items:
                continue
            if open_:
                fields[-1] += items[0]
                fields += items[1:]
            else:
                fields += items
            open_ = True
        return fields

    def _items(self, part: Variable, state: ShellState) -> list[str] | None:
        """The items of `$@` and `${name[@]}`; None if it is another variable."""
        if part.prefix == "#" or part.op not in ("", ":", "-", ":-", "+", ":+"):
            return None
        if part.name in ("@", "*"):
            if state.positional is None:
                return [self.argument("@", state)]
            return list(state.positional)
        if part.index not in ("@", "*"):
            return None
        if part.prefix == "!":
            keys = state.variables.get(f"{part.name}!")
            return list(keys) if isinstance(keys, tuple) else [self.holes.mark()]
        value = state.variables.get(part.name)
        if isinstance(value, tuple):
            return list(value)
        if isinstance(value, str):
            return [value]
        return [self.holes.mark()]

    def part(self, part: Part, state: ShellState) -> str:
        """One part of a word."""
        if isinstance(part, str):
            return part
        if isinstance(part, Quoted):
            return part.text
        if isinstance(part, Variable):
            items = self._items(part, state)
            return self.variable(part, state) if items is None else " ".join(items)
        if isinstance(part, Substitution):
            return self.substitute(part.body, state)
        if isinstance(part, ProcessSubstitution):
            return self.process(part, state)
        return self.arithmetic(part, state)

    def process(self, part: ProcessSubstitution, state: ShellState) -> str:
        text = self.substitute(part.body, state)
        return self.holes.mark(Hole(paths=self.holes.paths(text), names=self.holes.names(text), document=UNSET))

    def arithmetic(self, part: Arithmetic, state: ShellState) -> str:
        """`$((…))`: a number."""
        text = self.text(part.parts, state)
        value = self.number(text, state)
        if value is not None:
            return str(value)
        names = re.findall(r"[A-Za-z_]\w*", text)
        values = [state.variables.get(name) for name in names]
        texts = [one for one in values if isinstance(one, str)]
        return self.holes.derive(text, *texts, is_plain=True)

    def number(self, text: str, state: ShellState) -> int | None:
        """The value of a small sum."""
        found = re.fullmatch(r"\s*(\w+)\s*(?:([-+*])\s*(\w+)\s*)?", text)
        if found is None:
            return None
        left = _number(found[1], state)
        right = 0 if found[3] is None else _number(found[3], state)
        if left is None or right is None:
            return None
        return {"+": left + right, "-": left - right, "*": left * right}[found[2] or "+"]

    # Variables.

    def value(self, name: str, state: ShellState) -> str | None:
        """The value of a variable; None if it is not set by the program."""
        found = state.variables.get(name)
        if isinstance(found, tuple):
            return found[0] if found else ""
        return found

    def variable(self, part: Variable, state: ShellState) -> str:
        """`$name` and `${name…}`."""
        if part.subscript is not None:
            for one in part.subscript:
                self.part(one, state)
        if part.prefix == "#":
            return self.holes.mark(Hole(paths=self.holes.paths(self._plain(part, state) or ""), is_plain=True))
        if part.prefix == "!":
            name = self.value(part.name, state)
            return self.holes.mark() if name is None or has_holes(name) else self._expand(name, part, state)
        return self._expand(part.name, part, state)

    def _plain(self, part: Variable, state: ShellState) -> str | None:
        items = self._items(Variable(part.name, quoted=True, index=part.index), state)
        return self.value(part.name, state) if items is None else " ".join(items)

    def _expand(self, name: str, part: Variable, state: ShellState) -> str:
        value = self._element(name, part, state)
        op = part.op
        if op in ("-", ":-", "=", ":=", "+", ":+", "?", ":?"):
            return self._with_default(name, value, part, state)
        if value is None:
            value = self.unset(name, state, has_default=False)
        if not op:
            return value
        argument = self.text(part.arg or "", state)
        return self._apply_operator(value, op, argument, part, state)

    def _element(self, name: str, part: Variable, state: ShellState) -> str | None:
        value = state.variables.get(name)
        if not part.index or not isinstance(value, tuple):
            return self.value(name, state)
        if re.fullmatch(r"\d+", part.index):
            place = int(part.index)
            return value[place] if place < len(value) else ""
        keys = state.variables.get(f"{name}!")
        if isinstance(keys, tuple) and part.index in keys and keys.index(part.index) < len(value):
            return value[keys.index(part.index)]
        return self.holes.one_of(value) if value else ""

    def _with_default(self, name: str, value: str | None, part: Variable, state: ShellState) -> str:
        fallback = self.text(part.arg or "", state)
        sign = part.op.lstrip(":")
        known = value is not None and not has_holes(value)
        if sign == "+":
            if known:
                return fallback if value else ""
            if value is None and name in state.variables:
                return ""
            return self.holes.derive(value or "", fallback)
        if value is None:
            found = self.unset(name, state, has_default=True)
            hole = self.holes.sole(found)
            if hole is None:
                return found or fallback
            if has_holes(fallback):
                other = self.holes.sole(fallback)
                if other is not None and other.origins and not hole.origins:
                    names = tuple(dict.fromkeys((*hole.names, *other.names)))
                    return self.holes.mark(replace(other, names=names))
                return self.holes.derive(found, fallback)
            value = self.holes.mark(replace(hole, values=(fallback,)))
        elif known and not value and part.op.startswith(":"):
            value = fallback
        elif not known and fallback and has_holes(fallback):
            value = self.holes.one_of((value, fallback))
        if sign == "=":
            state.set(name, value)
        return value

    def unset(self, name: str, state: ShellState, *, has_default: bool) -> str:
        """A variable that the program does not set: an argument, or one of the environment."""
        if name == "?":
            return self._status(state)
        if name in _PLAIN_SPECIAL:
            return self.holes.mark(Hole(is_plain=True))
        if name.isdigit() and name != "0":
            return self.argument(name, state, has_default=has_default)
        if name in ("@", "*"):
            return self.argument("@", state)
        if name in _SPECIAL or name in state.variables:
            return self.holes.mark(Hole(is_plain=name in _PLAIN_TEXT))
        if self.sourced:
            return self.holes.mark()  # another file may set it
        if name in self.assigned and not has_default:
            return ""  # it is set on another way
        self.notes.name("environment", name, self.here, has_default=has_default)
        return self.holes.mark(Hole(names=(f"${name}",), is_plain=name.startswith("CLAUDE_") and "INPUT" not in name))

    def argument(self, name: str, state: ShellState, *, has_default: bool = False) -> str:
        if state.positional is not None:
            if name == "@":
                return " ".join(state.positional)
            place = int(name) - 1
            return state.positional[place] if place < len(state.positional) else ""
        self.notes.name("argument", name, self.here, has_default=has_default)
        return self.holes.mark(Hole(names=(f"${name}",)))

    def _status(self, state: ShellState) -> str:
        if isinstance(state.status, Ask):
            return self.holes.mark(Hole(status=state.status, paths=state.status.paths, is_plain=True))
        return str(state.status) if state.status >= 0 else self.holes.mark(Hole(is_plain=True, values=()))

    def _apply_operator(self, value: str, op: str, argument: str, part: Variable, state: ShellState) -> str:
        """`${name#…}`, `${name/…}`, `${name:…}` and the like."""
        known = not has_holes(value) and not has_holes(argument)
        if op in ("^", "^^", ",", ",,"):
            if known and not argument:
                return changed_case(value, op, None) or ""
            return self.holes.with_change(value, "case" if op in (",,", "^^") else "other")
        if op in ("#", "##", "%", "%%"):
            pattern = read_pattern(self.glob(part.arg or [], state))
            if known and pattern is not None and pattern.steps(value) < 100_000:
                cut = without_start if op[0] == "#" else without_end
                return cut(value, pattern, longest=len(op) > 1)
            return self._trim(value, op, argument)
        if op[0] == "/":
            sought, _, by = argument.partition("/")
            pattern = read_pattern(sought) if known else None
            if pattern is not None and pattern.steps(value) < 100_000:
                return replaced(value, pattern, by, op)
            return self.holes.derive(value, argument, is_plain='"' in argument or self.holes.is_plain(value))
        if op == ":":
            return self._part_of(value, argument)
        if op == "@":
            return self.holes.derive(value)
        return self.holes.derive(value, argument)

    def _trim(self, value: str, op: str, argument: str) -> str:
        """What is left of a text without its beginning or end: blanks at either end make no difference."""
        hole = self.holes.sole(value)
        if hole is not None and not argument.strip("[]:! \t\n*space\"'"):
            return value
        return self.holes.derive(value)

    def _part_of(self, value: str, argument: str) -> str:
        found = re.fullmatch(r"\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?", argument)
        if found is None:
            return self.holes.derive(value)
        start, size = int(found[1]), None if found[2] is None else int(found[2])
        if not has_holes(value):
            rest = value[start:]
            return rest if size is None else rest[:size]
        if start == 0 and (size is None or size > 0) and self.holes.sole(value):
            return value  # its beginning
        hole = self.holes.sole(value)
        return self.holes.derive(value, is_plain=hole is not None and hole.is_json)

    # Patterns.

    def glob(self, word: Word | list[Part], state: ShellState) -> str:
        """A word as a pattern of the shell, in which what is quoted has a `\\` in front of what is special."""
        if isinstance(word, str):
            return word
        return "".join(self._pattern_part(part, state, _GLOB) for part in word)

    def regex(self, words: list[Word], state: ShellState) -> str:
        """The word behind `=~`, in which what is quoted is plain text."""
        return "".join(
            word if isinstance(word, str) else "".join(self._pattern_part(part, state, _REGEX) for part in word)
            for word in words
        )

    def _pattern_part(self, part: Part, state: ShellState, special: re.Pattern[str]) -> str:
        if isinstance(part, str):
            return part
        text = self.part(part, state)
        quoted = isinstance(part, Quoted) or (isinstance(part, Variable | Substitution) and part.quoted)
        return special.sub(r"\\\1", text) if quoted else text


def _split(text: str, state: ShellState) -> list[str]:
    """The words of an unquoted text."""
    signs = state.variables.get("IFS", " \t\n")
    if not isinstance(signs, str) or has_holes(signs) or not signs.strip():
        return [one for one in _BLANKS.split(text) if one]
    return [one for one in re.split(f"[{re.escape(signs)}]", text) if one]


def _number(text: str, state: ShellState) -> int | None:
    if text.isdigit():
        return int(text)
    value = state.variables.get(text, "0")
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}", value) else None


def assigned_in(text: str) -> frozenset[str]:
    """The variables that a program sets somewhere."""
    names: set[str] = set()
    for found in _ASSIGNS.finditer(text):
        if found[2] is not None:
            names.update(_NAME.findall(found[2]))
        else:
            names.add(found[1] or found[3] or found[4])
    return frozenset(names)
