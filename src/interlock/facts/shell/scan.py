"""Reading words: quotes, expansions, substitutions, here-documents. Never fails: what is wrong is noted.

The text is read once, from left to right, and a substitution is read where it stands, so nothing is found twice or
lost between two readings. Every step is paid from one budget; when that is spent the reader is put behind the end of
its text, and everything that was being read ends there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interlock.facts.limits import COMMANDS, NESTING, PROGRAM_TEXTS, STEPS, WORDS, Limit
from interlock.facts.shell.ansi import ansi_at
from interlock.facts.shell.documents import delimiter_at
from interlock.facts.shell.tree import (
    Arithmetic,
    Heredoc,
    Opening,
    Part,
    ProcessSubstitution,
    Quoted,
    Substitution,
    Variable,
    Word,
)

if TYPE_CHECKING:
    from interlock.facts.shell.tree import Sequence

__all__ = ["BLANK", "Budget", "Fuel", "Scanner"]

BLANK = re.compile(r"(?:[ \t]|\\\n)*")
_RUN = re.compile(r"[^ \t\n'\"\\$`;&|<>()]+")
_ENDS = frozenset(" \t\n;&|)")
_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_IN_BRACE = re.compile(r"[^}'\"\\$`<>]+")
_IN_ARITHMETIC = re.compile(r"[^()'\"\\$`]+")
_IN_SUBSCRIPT = re.compile(r"[^\[\]'\"\\$`]+")
_IN_BACKTICK = re.compile(r"[^`\\]+|\\.", re.DOTALL)
_IN_HEREDOC = re.compile(r"[^\\$`]+")
_RUNS_IN_PATTERN = re.compile(r"[#\w.@/=^-]*[e+][^\w\s|)*?.]")  # zsh: `*(e:'…':)`
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_PARAMETER = re.compile(r"([#!]?)([A-Za-z_][A-Za-z_0-9]*|[0-9]+|[@*?$!#-])")
_OPERATOR = re.compile(r":[-=?+]|##?|%%?|//|/#|/%|/|\^\^?|,,?|@|:|[-=?+]")
_EXPANDS = re.compile(r"\{[^{}]*(?:,|\.\.)")


class Fuel:
    """What reading a whole call may cost, however many lines and programs there are in it."""

    __slots__ = ("commands", "program", "steps", "words")

    def __init__(self) -> None:
        self.words = WORDS.most
        self.steps = STEPS.most
        self.commands = COMMANDS.most
        self.program = PROGRAM_TEXTS.most


class Budget:
    """What one line may cost, what was found wrong with it, and which limits it reached."""

    __slots__ = ("fuel", "incomplete", "lost", "reasons")

    def __init__(self, fuel: Fuel | None = None) -> None:
        self.fuel = fuel or Fuel()
        self.reasons: list[str] = []
        self.incomplete: list[str] = []
        self.lost: list[str] = []

    def note(self, reason: str) -> None:
        if reason not in self.reasons:
            self.reasons.append(reason)

    def reach(self, limit: Limit) -> None:
        """Note that something is not read any further, as the limit's class has it."""
        if limit.effect == "lost":
            self.lost += [] if limit.name in self.lost else [limit.name]
            return
        if limit.effect == "incomplete" and limit.name not in self.incomplete:
            self.incomplete.append(limit.name)
        self.note(limit.reason)


class Scanner:
    """A place in a text, and how to read the word that stands there."""

    def __init__(
        self, text: str, budget: Budget, depth: int = 0, base: int = 0, span: tuple[int, int] | None = None
    ) -> None:
        self.text = text
        self.size = len(text)
        self.at = 0
        self.budget = budget
        self.depth = depth
        self.base = base  # where the text stands in the line,
        self.span = span  # or the place of what it was made from, where it does not stand there as it is
        self.document = False  # what is read is a here-document, in which quotes are text
        self.pending: list[tuple[Opening, str, bool, bool]] = []
        self._no_arithmetic: set[int] = set()

    # What the grammar gives.

    def sequence(self, closers: frozenset[str]) -> Sequence:
        raise NotImplementedError

    def inside(self, text: str, base: int, span: tuple[int, int] | None) -> Scanner:
        raise NotImplementedError

    # Steps and ends.

    def pay(self, steps: int = 1) -> None:
        self.budget.fuel.words -= steps
        if self.budget.fuel.words < 0:
            self.cut(WORDS)

    def cut(self, limit: Limit) -> None:
        """Read no further."""
        self.budget.reach(limit)
        self.size = self.at = min(self.at, self.size)
        self.text = self.text[: self.size]

    def deeper(self) -> bool:
        self.depth += 1
        if self.depth > NESTING.most:
            self.cut(NESTING)
            return False
        return True

    def blanks(self) -> str:
        """Skip what parts words; the character behind it, empty at the end."""
        at = self.at
        if at < self.size and self.text[at] in " \t\\":
            found = BLANK.match(self.text, at)
            self.at = at = found.end() if found else at
        return self.text[at] if at < self.size else ""

    def newline(self) -> None:
        """Step over a newline, and over the here-documents that begin behind it."""
        self.at += 1
        if self.pending:
            pending, self.pending = self.pending, []
            for opening, delimiter, plain, strip in pending:
                opening.target = self._heredoc(delimiter, plain=plain, strip=strip)

    # Words.

    def word(self, *, pattern: bool = False) -> Word:
        """The word that starts here. `pattern`: an unquoted `(…)` belongs to it, as in `@(a|b)`."""
        text, start = self.text, self.at
        fuel = self.budget.fuel
        fuel.words -= 1
        if fuel.words < 0:
            self.cut(WORDS)
        found = _RUN.match(text, start)
        if found is not None:
            end = found.end()
            if end >= self.size or text[end] in _ENDS:
                self.at = end
                plain = found[0]
                return [plain] if "{" in plain and _EXPANDS.search(plain) else plain
        parts: list[Part] = []
        while self.at < self.size:
            at = self.at
            found = _RUN.match(text, at)
            if found is not None:
                parts.append(found[0])
                self.at = found.end()
                continue
            character = text[at]
            if character in "\"'\\$`":
                if not self._common(character, parts):
                    self._special(character, parts, quoted=False)
            elif character in "<>" and text.startswith("(", at + 1):
                self._process(parts, feeds=character == "<")
            elif character == "(" and (pattern or (parts and isinstance(parts[-1], str) and parts[-1][-1] in "?*+@!")):
                self._extended_pattern(parts)
            else:
                break
        if len(parts) == 1 and isinstance(parts[0], str) and not _EXPANDS.search(parts[0]):
            return parts[0]
        return parts

    def _common(self, character: str, parts: list[Part]) -> bool:
        """Read `$name` or a quoted text, as most of what is special is, and whether it was that."""
        fuel, at = self.budget.fuel, self.at
        if fuel.words <= 0:
            return False
        if character == "$":
            found = _NAME.match(self.text, at + 1)
            if found is None:
                return False
            parts.append(Variable(found[0], False))
            self.at = found.end()
        elif character == "'":
            end = self.text.find("'", at + 1, self.size)
            if end < 0:
                return False
            parts.append(Quoted(self.text[at + 1 : end]))
            self.at = end + 1
        else:
            return False
        fuel.words -= 1
        return True

    def _special(self, character: str, parts: list[Part], *, quoted: bool) -> None:
        """Read a quote, escape, expansion or substitution outside of double quotes."""
        self.pay()
        if character == "'":
            self._single(parts)
        elif character == '"':
            self._double(parts)
        elif character == "\\":
            self._escape(parts)
        elif character == "$":
            self._dollar(parts, quoted=quoted)
        else:
            self._backtick(parts, quoted=quoted)

    def _escape(self, parts: list[Part]) -> None:
        behind = self.text[self.at + 1 : self.at + 2]
        if behind != "\n":
            parts.append(Quoted(behind or "\\"))
        self.at += 2 if behind else 1

    def _single(self, parts: list[Part]) -> None:
        start = self.at + 1
        end = self.text.find("'", start, self.size)
        if end < 0:
            self.budget.note("a quote is not closed")
            end = self.size
        parts.append(Quoted(self.text[start:end]))
        self.at = min(end + 1, self.size)

    def _double(self, parts: list[Part]) -> None:
        self.at += 1
        text = self.text
        before = len(parts)
        while self.at < self.size:
            found = _IN_DOUBLE.match(text, self.at)
            if found is not None:
                parts.append(Quoted(found[0]))
                self.at = found.end()
                continue
            character = text[self.at]
            if character == '"':
                self.at += 1
                if len(parts) == before:
                    parts.append(Quoted(""))
                return
            self._expand(character, parts, escapes='$`"\\')
        self.budget.note("a quote is not closed")
        parts.append(Quoted(""))

    def _expand(self, character: str, parts: list[Part], escapes: str) -> None:
        """Read an escape, expansion or substitution inside of double quotes or what is read like them."""
        self.pay()
        if character == "\\":
            behind = self.text[self.at + 1 : self.at + 2]
            if behind != "\n":
                parts.append(Quoted(behind if behind and behind in escapes else "\\" + behind))
            self.at += 2 if behind else 1
        elif character == "$":
            self._dollar(parts, quoted=True)
        else:
            self._backtick(parts, quoted=True)

    def _dollar(self, parts: list[Part], *, quoted: bool) -> None:
        text, at = self.text, self.at
        behind = text[at + 1 : at + 2]
        if behind == "(":
            self._substitution(parts, quoted=quoted)
        elif behind == "{":
            self._parameter(parts, quoted=quoted)
        elif behind == "'" and not quoted:
            self._ansi(parts)
        elif behind == '"' and not quoted:
            self.at += 1
        elif found := _NAME.match(text, at + 1):
            parts.append(Variable(found[0], quoted))
            self.at = found.end()
        elif behind and behind in "0123456789@*#?$!-":
            parts.append(Variable(behind, quoted))
            self.at += 2
        elif behind == "[":
            self.at += 2
            parts.append(Arithmetic(self._until("]", _IN_SUBSCRIPT)))
        elif behind == "\\" and text.startswith("\n", at + 2):
            self.at += 1
            parts.append(Arithmetic([]))  # the name or parenthesis is on the next line
        else:
            self.at += 1
            parts.append(Quoted("$") if quoted else "$")

    def _substitution(self, parts: list[Part], *, quoted: bool) -> None:
        if self.text.startswith("(", self.at + 2):
            found = self.arithmetic(self.at + 3)
            if found is not None:
                parts.append(Arithmetic(found))
                return
        self.at += 2
        parts.append(Substitution(self.enclosed(), quoted))

    def _process(self, parts: list[Part], *, feeds: bool) -> None:
        self.at += 2
        parts.append(ProcessSubstitution(self.enclosed(), feeds))

    def enclosed(self) -> Sequence:
        """The commands up to the closing parenthesis, whose opening one is just behind us."""
        self.deeper()
        document, self.document = self.document, False
        body = self.sequence(frozenset(")"))
        self.document = document
        self.depth -= 1
        if self.at < self.size and self.text[self.at] == ")":
            self.at += 1
        else:
            self.budget.note("a parenthesis is not closed")
        return body

    def arithmetic(self, start: int) -> list[Part] | None:
        """The parts of an arithmetic expression up to its `))`, or None if this is a parenthesis in a parenthesis."""
        if start in self._no_arithmetic:
            return None
        before, self.at = self.at, start
        pending, size, notes = len(self.pending), self.size, len(self.budget.reasons)
        parts: list[Part] = []
        open = 0
        self.deeper()
        while self.at < self.size:
            found = _IN_ARITHMETIC.match(self.text, self.at)
            if found is not None:
                parts.append(found[0])
                self.at = found.end()
                continue
            character = self.text[self.at]
            if character == ")" and not open:
                if self.text.startswith("))", self.at):
                    self.at += 2
                    self.depth -= 1
                    return parts
                break
            if character in "()'":
                open += {"(": 1, ")": -1}.get(character, 0)
                parts.append(character)
                self.pay()
                self.at += 1
            else:
                self._special(character, parts, quoted=True)
        self.depth -= 1
        self._no_arithmetic.add(start)
        self.at = min(before, self.size)
        del self.pending[pending:]
        if self.size == size:
            del self.budget.reasons[notes:]  # what was wrong with it as arithmetic
        return None

    def subscript(self) -> list[Part]:
        """The parts up to the `]` of a subscript, whose `[` is just behind us."""
        return self._until("]", _IN_SUBSCRIPT)

    def _until(self, closer: str, run: re.Pattern[str], *, single: bool = True, quoted: bool = True) -> list[Part]:
        """The parts up to a closing bracket, which is stepped over."""
        parts: list[Part] = []
        self.deeper()
        while self.at < self.size:
            found = run.match(self.text, self.at)
            if found is not None:
                parts.append(found[0])
                self.at = found.end()
                continue
            character = self.text[self.at]
            if character == closer:
                self.at += 1
                self.depth -= 1
                return parts
            if character in "<>" and not quoted and self.text.startswith("(", self.at + 1):
                self._process(parts, feeds=character == "<")
            elif character == "$" and closer == "}" and not self.document and self._quoted_in_braces(parts):
                continue
            elif character in "<>[]" or (character == "'" and not single):
                self.pay()
                parts.append(character)
                self.at += 1
            else:
                self._special(character, parts, quoted=quoted)
        self.depth -= 1
        self.budget.note("a brace is not closed")
        return parts

    def _quoted_in_braces(self, parts: list[Part]) -> bool:
        """Read `$'…'` or `$"…"`, which are quotes in `"${a-…}"` as well, and whether it was one."""
        behind = self.text[self.at + 1 : self.at + 2]
        if behind == "'":
            self.pay()
            self._ansi(parts)
        elif behind == '"':
            self.at += 1
        return behind in ("'", '"')

    def _parameter(self, parts: list[Part], *, quoted: bool) -> None:
        """`${…}`."""
        self.at += 2
        if self.text[self.at : self.at + 1] in (" ", "\t", "\n", "|"):
            self._in_braces(parts, quoted=quoted)
            return
        found = _PARAMETER.match(self.text, self.at)
        if found is None:
            self.budget.note("an expansion that cannot be read")
            parts.append(Arithmetic(self._until("}", _IN_BRACE, quoted=quoted)))
            return
        self.at = found.end()
        variable = Variable(found[2], quoted, prefix=found[1])
        if found[1] == "#" and found[2] in "@*?$!#-" and self.text[self.at : self.at + 1] not in ("}", "["):
            variable = Variable("#", quoted)  # `${##1}`: the number of parameters, without a 1 before it
            self.at -= 1
        if self.text.startswith("[", self.at):
            self.at += 1
            start = self.at
            inner = self._until("]", _IN_SUBSCRIPT)
            variable.index = self.text[start : self.at - 1]
            if any(not isinstance(part, str) for part in inner):
                variable.index, variable.subscript = "?", inner
        if self.text.startswith("}", self.at):
            self.at += 1
        else:
            operator = _OPERATOR.match(self.text, self.at)
            variable.op = operator[0] if operator else "?!"
            self.at += len(operator[0]) if operator else 0
            single = not quoted or variable.op[0] in "#%/^,"
            rest = self._until("}", _IN_BRACE, single=single, quoted=quoted)
            variable.arg = rest
        parts.append(variable)

    def _in_braces(self, parts: list[Part], *, quoted: bool) -> None:
        """`${ …; }` and `${| …; }`, which are substitutions."""
        if self.text.startswith("|", self.at):
            self.at += 1
        self.deeper()
        body = self.sequence(frozenset("}"))
        self.depth -= 1
        if self.text.startswith("}", self.at):
            self.at += 1
        else:
            self.budget.note("a brace is not closed")
        parts.append(Substitution(body, quoted))

    def _ansi(self, parts: list[Part]) -> None:
        """`$'…'`."""
        found = ansi_at(self.text, self.at, self.size)
        if found is None:
            self.budget.note("a quote is not closed")
            parts.append(Arithmetic([]))
            self.at = self.size
            return
        text, self.at = found
        parts.append(Quoted(text))

    def _backtick(self, parts: list[Part], *, quoted: bool) -> None:
        start = at = self.at + 1
        while found := _IN_BACKTICK.match(self.text, at):
            at = found.end()
            self.pay()
            if self.at >= self.size:
                return
        if at >= self.size:
            self.budget.note("a backtick is not closed")
        inner = self.text[start:at]
        span = self.place(start - 1, min(at + 1, self.size))
        if "\\" in inner:
            inner = re.sub(r'\\([\\`$"])' if quoted else r"\\([\\`$])", r"\1", inner)
            body = self._inner(inner, 0, span)
        else:
            body = self._inner(inner, span[0] + 1, self.span)
        parts.append(Substitution(body, quoted))
        self.at = min(at + 1, self.size)

    def _inner(self, text: str, base: int, span: tuple[int, int] | None) -> Sequence:
        """The commands of a text that has to be read by itself."""
        if not self.deeper():
            self.depth -= 1
            return self.sequence(frozenset())
        self.pay(8 + len(text) // 64)
        inner = self.inside(text, base, span)
        body = inner.sequence(frozenset())
        self.depth -= 1
        return body

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of this text stands in the line."""
        return self.span or (self.base + start, self.base + end)

    def _extended_pattern(self, parts: list[Part]) -> None:
        """`@(a|b)`: a pattern, whose parentheses and bars are text."""
        parts.append("(")
        self.at += 1
        if _RUNS_IN_PATTERN.match(self.text, self.at):
            self.budget.note("a pattern that may run a text")
        self.deeper()
        while self.at < self.size and self.text[self.at] != ")":
            inner = self.word(pattern=True)
            parts.extend([inner] if isinstance(inner, str) else inner)
            if self.at < self.size and self.text[self.at] != ")":
                parts.append(self.text[self.at])
                self.at += 1
        self.depth -= 1
        if self.at < self.size:
            parts.append(")")
            self.at += 1
        else:
            self.budget.note("a parenthesis is not closed")

    # Here-documents.

    def await_heredoc(self, opening: Opening, *, strip: bool) -> None:
        """Note a here-document whose lines come after this one."""
        self.pay(3)
        self.blanks()
        found = delimiter_at(self.text, self.at, self.size)
        if found is None:
            self.budget.note("a here-document without a delimiter")
            return
        self.pay((found.end - self.at) // 64)
        self.at = found.end
        if not found.certain:
            self.budget.note("a here-document whose end is not known")
        self.pending.append((opening, found.text, found.quoted, strip))

    def _heredoc(self, delimiter: str, *, plain: bool, strip: bool) -> Heredoc:
        """The lines up to the delimiter, or up to the end as a shell takes it."""
        start = self.at
        end = self._end_of_heredoc(delimiter, strip=strip)
        self.pay(4 + (end - start) // 256)
        body = self.text[start:end]
        if strip:
            body = re.sub(r"^\t+", "", body, flags=re.MULTILINE)
        if plain or not any(character in body for character in "$`\\"):
            return Heredoc([Quoted(body)])
        base, span = (0, self.place(start, end)) if strip else (self.base + start, self.span)
        self.deeper()
        inner = self.inside(body, base, span)
        inner.document = True
        parts: list[Part] = []
        while inner.at < inner.size:
            text = _IN_HEREDOC.match(body, inner.at)
            if text is not None:
                parts.append(Quoted(text[0]))
                inner.at = text.end()
            else:
                inner._expand(body[inner.at], parts, escapes="$`\\")
        self.depth -= 1
        return Heredoc(parts)

    def _end_of_heredoc(self, delimiter: str, *, strip: bool) -> int:
        """Step behind the line that is the delimiter; where it begins."""
        text, start = self.text, self.at
        line = start
        while line < self.size:
            found = text.find(delimiter, line, self.size) if delimiter else line
            if found < 0:
                break
            line = text.rfind("\n", line, found) + 1 or line
            before, end = text[line:found], found + len(delimiter)
            if (not before or (strip and not before.strip("\t"))) and (end >= self.size or text[end] == "\n"):
                self.at = min(end + 1, self.size)
                return line
            self.pay()
            line = text.find("\n", found, self.size) + 1 or self.size
        self.at = self.size
        return self.size
