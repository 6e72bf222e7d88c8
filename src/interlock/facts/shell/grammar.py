"""Reading commands: lists, pipelines, compound commands, redirections, assignments. Never fails: see `scan.py`."""

from __future__ import annotations

import re
from collections.abc import Callable

from interlock.facts.limits import WORDS
from interlock.facts.shell.scan import Budget, Scanner
from interlock.facts.shell.tree import (
    Arithmetic,
    Array,
    Assignment,
    Background,
    Branches,
    Chain,
    Function,
    Group,
    Heredoc,
    Loop,
    Node,
    Opening,
    Pipeline,
    Sequence,
    Simple,
    Test,
    Word,
)

__all__ = ["Grammar", "parse"]

_KEYWORD = re.compile(
    r"(?:if|then|elif|else|fi|for|select|while|until|do|done|case|esac|function|time|coproc|\[\[|[{}])"
    r"(?=[ \t\n;&|()<>\\]|\Z)"
    r"|!(?=[ \t\n;&|()\\]|\Z)"
)
_REDIRECTION = re.compile(r"([0-9]+|\{[A-Za-z_]\w*\})?(<<<|<<-?|<>|<&|<(?!\()|>>|>&|>\||>(?!\()|&>>?)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)(?:\+?=|\[)")
_CALL = re.compile(r"\([ \t\n]*\)")
# Words behind the first in which nothing is special, up to one that is not so. Some at a time: where there are more
# than may be read, they are looked at once more.
_PLAIN_WORDS = re.compile(r"(?:[ \t]+[A-Za-z0-9_./:=,@%+-]+(?=[ \t\n;&|)]|\Z)){1,64}")
_PLAIN_NAME = re.compile(r"[^ \t\n'\"\\$`;&|<>()]+")
_TIME_OPTION = re.compile(r"(?:[ \t]+-p)?(?:[ \t]+--)?(?=[ \t\n]|\Z)")
_TIMES_NOTHING = re.compile(r"[ \t]*(?:[-\n;|&]|\Z)")
_NUMBER = re.compile(r"[0-9]+-?|-")
_TEST_OPERATOR = re.compile(r"&&|\|\||[()<>!](?=[ \t\n(]|\Z)|[()<>]")
_END_OF_TEST = re.compile(r"\]\](?=[ \t\n;&|()<>]|\Z)")
_KEPT_COPIES = frozenset({"", "0", "1"})  # of the input, and of what is printed
_BEHIND_ARRAY = frozenset(" \t\n;&|)<>")
_NOTHING: frozenset[str] = frozenset()
_DONE = frozenset({"done"})
_BRACE = frozenset({"}"})
_DECLARES = frozenset({"declare", "typeset", "local", "export", "readonly"})


class Grammar(Scanner):
    """A scanner that knows how commands are put together."""

    def inside(self, text: str, base: int, span: tuple[int, int] | None) -> Grammar:
        return Grammar(text, self.budget, self.depth, base, span)

    def sequence(self, closers: frozenset[str]) -> Sequence:
        """Commands up to one of the closing words, which is left where it is."""
        nodes: list[Node] = []
        lines: list[int] = []
        behind_last = self.at
        while self._to_command():
            if closers and self._closes(closers):
                break
            before = self.at
            if not closers and nodes and "\n" in self.text[behind_last:before]:
                lines.append(len(nodes))
            node = self._chain()
            if self.at <= before:
                self._skip_unexpected()
                continue
            behind = self.blanks()
            if behind == "&" and node is not None:
                node = Background(node)
                self.at += 1
            if node is not None:
                nodes.append(node)
            behind_last = self.at
        return Sequence(nodes, tuple(lines))

    def _skip_unexpected(self) -> None:
        """Step over what cannot stand here."""
        self.pay()
        if self.at < self.size:
            keyword = _KEYWORD.match(self.text, self.at)
            found = keyword[0] if keyword else self.text[self.at]
            self.budget.note(f"unexpected {found!r}")
            self.at += len(found)

    def _to_command(self) -> bool:
        """Skip blanks, newlines, comments and lone semicolons; whether anything is left."""
        while character := self.blanks():
            if character == "\n":
                self.newline()
            elif character == "#":
                self._comment()
            elif character == ";" and not self.text.startswith((";;", ";&"), self.at):
                self.at += 1
            else:
                return True
        return False

    def _comment(self) -> None:
        end = self.text.find("\n", self.at, self.size)
        self.at = self.size if end < 0 else end

    def _to_next(self) -> None:
        """Skip blanks, newlines and comments, as behind `|` and `&&`."""
        while character := self.blanks():
            if character == "\n":
                self.newline()
            elif character == "#":
                self._comment()
            else:
                return

    def _closes(self, closers: frozenset[str]) -> bool:
        if self.text[self.at] in ");":
            return self.text[self.at : self.at + 1] in closers or self.text[self.at : self.at + 2] in closers
        found = _KEYWORD.match(self.text, self.at)
        return found is not None and found[0] in closers

    def _takes(self, keyword: str) -> bool:
        """Step over a word that has to stand here."""
        self._to_command()
        found = _KEYWORD.match(self.text, self.at)
        if found is not None and found[0] == keyword:
            self.at = found.end()
            return True
        self.budget.note(f"`{keyword}` is missing")
        return False

    # Lists and pipelines.

    def _chain(self) -> Node | None:
        first = self._pipeline()
        if first is None:
            return None
        links: list[tuple[str, Node]] | None = None
        if self.at < self.size and self.text[self.at] in ";\n)":
            return first
        while (character := self.blanks()) and character in "&|":
            op = self.text[self.at : self.at + 2]
            if op not in ("&&", "||"):
                break
            self.at += 2
            self._to_next()
            link = self._pipeline()
            if link is None:
                self.budget.note(f"nothing behind `{op}`")
                break
            if links is None:
                links = [("", first)]
            links.append((op, link))
        return first if links is None else Chain(links)

    def _pipeline(self) -> Node | None:
        first = self._command()
        if first is None:
            return None
        stages: list[Node] | None = None
        # A simple command ends behind the blanks, so that most of the time there is nothing to skip.
        while self.at < self.size and self.blanks() == "|" and not self.text.startswith("||", self.at):
            self.at += 2 if self.text.startswith("|&", self.at) else 1
            self._to_next()
            stage = self._command()
            if stage is None:
                self.budget.note("nothing behind `|`")
                break
            if stages is None:
                stages = [first]
            stages.append(stage)
        return first if stages is None else Pipeline(stages)

    def _command(self) -> Node | None:
        while self.at < self.size:
            character = self.text[self.at]
            if character in " \t\\" and not (character := self.blanks()):
                break
            found = _KEYWORD.match(self.text, self.at) if character in "itefswduc![{}" else None
            if found is None:
                return self._parenthesis() if character == "(" else self._simple()
            keyword = found[0]
            if keyword == "!":
                self.at += 1
            elif keyword == "time":
                option = _TIME_OPTION.match(self.text, found.end())
                if option is None or _TIMES_NOTHING.match(self.text, option.end(), self.size):
                    return self._simple()
                self.at = option.end()
            else:
                read = _COMPOUND.get(keyword)
                return None if read is None else self._compound(keyword, read)
        return None

    def _compound(self, keyword: str, read: Callable[[Grammar], Node]) -> Node:
        start = self.at
        self.at += len(keyword)
        self.pay()
        self.deeper()
        node = read(self)
        self.depth -= 1
        end = min(self.at, self.size)
        if isinstance(node, Function):
            node.text, (node.start, node.end) = self.text[start:end], self.place(start, end)
            return node
        if isinstance(node, Branches | Loop | Test):
            node.start, node.end = self.place(start, end)
        return self._with_openings(node, start, apart=False)

    def _with_openings(self, node: Node, start: int, *, apart: bool) -> Node:
        """A compound command with the files that are opened for it."""
        openings: list[Opening] = []
        while (character := self.blanks()) and (found := self._redirection(character)):
            self._opening(found, openings)
        if not openings and not apart:
            return node
        end = min(self.at, self.size)
        return Group(node, openings, apart, self.text[start:end], *self.place(start, end))

    # Compound commands.

    def _parenthesis(self) -> Node:
        start = self.at
        self.pay()
        if self.text.startswith("((", start):
            parts = self.arithmetic(start + 2)
            if parts is not None:
                return self._with_openings(Test("((", [parts], *self.place(start, self.at)), start, apart=False)
        self.at += 1
        return self._with_openings(self.enclosed(), start, apart=True)

    def _braces(self) -> Node:
        body = self.sequence(_BRACE)
        self._takes("}")
        return body

    def _if(self) -> Node:
        heads: list[Sequence] = []
        bodies: list[Sequence] = []
        while True:
            heads.append(self.sequence(frozenset({"then"})))
            self._takes("then")
            bodies.append(self.sequence(frozenset({"elif", "else", "fi"})))
            found = _KEYWORD.match(self.text, self.at)
            if found is None or found[0] != "elif":
                break
            self.at = found.end()
        whole = found is not None and found[0] == "else"
        if found is not None and whole:
            self.at = found.end()
            bodies.append(self.sequence(frozenset({"fi"})))
        self._takes("fi")
        return Branches(heads, [], bodies, whole)

    def _while(self) -> Node:
        head = self.sequence(frozenset({"do"}))
        return Loop(head, self._do())

    def _do(self) -> Sequence:
        self._takes("do")
        body = self.sequence(_DONE)
        self._takes("done")
        return body

    def _for(self) -> Node:
        if self.blanks() == "(" and self.text.startswith("((", self.at):
            parts = self.arithmetic(self.at + 2)
            if parts is not None:
                return Loop(Sequence([Test("((", [parts])]), self._body_of_for())
        name = self.word()
        words: list[Word] | None = None
        self._to_next()
        if re.compile(r"in(?=[ \t\n;\\]|\Z)").match(self.text, self.at):
            self.at += 2
            words = []
            while (character := self.blanks()) and character not in ";\n":
                before = self.at
                if character == "#":
                    self._comment()
                    break
                words.append(self.word())
                if self.at == before:
                    break
        return Loop(None, self._body_of_for(), name if isinstance(name, str) else "?", words)

    def _body_of_for(self) -> Sequence:
        self._to_command()
        if self.text.startswith("{", self.at):
            self.at += 1
            body = self.sequence(_BRACE)
            self._takes("}")
            return body
        return self._do()

    def _case(self) -> Node:
        self.blanks()
        words: list[Word] = [self.word()]
        bodies: list[Sequence] = []
        arms: list[int] = []
        falls = False
        self._to_next()
        if re.compile(r"in(?=[ \t\n\\]|\Z)").match(self.text, self.at):
            self.at += 2
        else:
            self.budget.note("`in` is missing")
        while True:
            self._to_next()
            found = _KEYWORD.match(self.text, self.at)
            if self.at >= self.size or (found is not None and found[0] == "esac"):
                break
            before, known = self.at, len(words)
            self._case_patterns(words)
            arms.append(len(words) - known)
            bodies.append(self.sequence(frozenset({";;", ";&", "esac"})))
            end = re.compile(r";;&|;;|;&").match(self.text, self.at)
            if end is not None:
                self.at = end.end()
                falls = falls or end[0] != ";;"
            elif self.at == before:
                break
        self._takes("esac")
        return Branches([], words, bodies, whole=False, falls=falls, arms=arms)

    def _case_patterns(self, words: list[Word]) -> None:
        if self.blanks() == "(":
            self.at += 1
        while (character := self.blanks()) and character not in ")\n":
            before = self.at
            if character == "|":
                self.at += 1
            else:
                words.append(self.word())
            if self.at == before:
                break
        if self.text.startswith(")", self.at):
            self.at += 1
        else:
            self.budget.note("a `case` pattern is not closed")

    def _function(self) -> Node:
        self.blanks()
        name = self.word()
        self.blanks()
        if call := _CALL.match(self.text, self.at):
            self.at = call.end()
        return self._function_body(name)

    def _function_body(self, name: Word) -> Node:
        self._to_next()
        body = self._command()
        if body is None:
            self.budget.note("a function without a body")
        return Function(name if isinstance(name, str) else "?", body or Sequence([]), "", 0, 0)

    def _coproc(self) -> Node:
        self.blanks()
        found = _PLAIN_NAME.match(self.text, self.at)
        if found is not None and _KEYWORD.match(self.text, self.at) is None:
            at = found.end()
            behind = self.text[at : self.size].lstrip(" \t")
            if behind != self.text[at : self.size] and (behind[:1] == "(" or _KEYWORD.match(behind)):
                self.at = at  # the name of the coprocess
        return Background(self._command() or Sequence([]), talks=True)

    def _double_bracket(self) -> Node:
        words: list[Word] = []
        matching = False
        while self.at < self.size:
            self._to_next()
            if end := _END_OF_TEST.match(self.text, self.at):
                self.at = end.end()
                return Test("[[", words)
            process = self.text.startswith(("<(", ">("), self.at)
            operator = None if matching or process else _TEST_OPERATOR.match(self.text, self.at)
            if operator is not None:
                self.at = operator.end()
                self.pay()
                continue
            before = self.at
            word = self.word(pattern=matching)
            matching = word == "=~"
            if self.at == before:  # what is special elsewhere is text in a pattern
                word = self.text[self.at : self.at + 1]
                self.at += 1
                matching = True
            words.append(word)
        self.budget.note("`]]` is missing")
        return Test("[[", words)

    # Simple commands.

    def _simple(self) -> Node | None:
        start = self.at
        fuel = self.budget.fuel
        fuel.words -= 2
        if fuel.words < 0:
            self.cut(WORDS)
        words: list[Word] = []
        assignments: list[Assignment] = []
        openings: list[Opening] = []
        declares = False
        end = start
        while self.at < self.size:
            if words and not declares and (plain := _PLAIN_WORDS.match(self.text, self.at)):
                some = plain[0].split()
                if len(some) <= fuel.words:
                    fuel.words -= len(some)
                    words += some
                    self.at = end = plain.end()
            character = self.blanks()
            if not character or character in ";\n|)":
                break
            if character in "<>&0123456789{":
                redirection = self._redirection(character)
                if redirection is not None:
                    self._opening(redirection, openings)
                    end = self.at
                    continue
                if character == "&":
                    break
            elif character == "#":
                self._comment()
                break
            elif character == "(":
                if len(words) == 1 and not assignments and (call := _CALL.match(self.text, self.at)):
                    self.at = call.end()
                    self.deeper()
                    node = self._function_body(words[0])
                    self.depth -= 1
                    end = min(self.at, self.size)
                    if isinstance(node, Function):
                        node.text, (node.start, node.end) = self.text[start:end], self.place(start, end)
                    return node
                if words or assignments or openings:
                    self.budget.note("unexpected '('")
                break
            if (not words or declares) and (found := _ASSIGNMENT.match(self.text, self.at)):
                assignment = self._assignment(found)
                if assignment is not None:
                    assignments.append(assignment)
                    end = self.at
                    continue
            before = self.at
            word = self.word()
            if self.at == before:
                break
            words.append(word)
            end = self.at
            if len(words) == 1 and isinstance(word, str) and word in _DECLARES:
                declares = True
        if not words and not assignments and not openings:
            return None
        return Simple(words, assignments, openings, self.text[start:end], *self.place(start, min(end, self.size)))

    def _assignment(self, found: re.Match[str]) -> Assignment | None:
        before, index = self.at, None
        self.at = found.end()
        name = found[1]
        adds = False
        if found[0].endswith("["):
            inner = self.subscript()
            behind = re.compile(r"\+?=").match(self.text, self.at)
            if behind is None:
                self.at = min(before, self.size)
                return None
            index, self.at, adds = inner, behind.end(), len(behind[0]) > 1
        else:
            adds = found[0].endswith("+=")
        value: Word | Array = ""
        if self.text.startswith("(", self.at):
            self.at += 1
            value = self._array()
            if self.at < self.size and self.text[self.at] not in _BEHIND_ARRAY:
                self.word()
                value = [Arithmetic([])]  # no array after all, but a text that begins with a parenthesis
        elif self.at < self.size:
            value = self.word()
        return Assignment(name, value, adds, index)

    def _array(self) -> Array:
        words: list[Word] = []
        self.deeper()
        while self.at < self.size:
            self._to_next()
            before = self.at
            if self.text.startswith(")", self.at):
                self.at += 1
                self.depth -= 1
                return Array(words)
            words.append(self.word())
            if self.at == before:
                self.budget.note("an array that cannot be read")
                self.at += 1
        self.depth -= 1
        self.budget.note("a parenthesis is not closed")
        return Array(words)

    # Redirections.

    def _redirection(self, character: str) -> re.Match[str] | None:
        return _REDIRECTION.match(self.text, self.at) if character in "<>&0123456789{" else None

    def _opening(self, found: re.Match[str], openings: list[Opening]) -> None:
        self.at = found.end()
        self.pay()
        op = found[2]
        opening = Opening(op, "", found[1] or "")
        if op in ("<<", "<<-"):
            opening.target = Heredoc("")
            self.await_heredoc(opening, strip=op == "<<-")
            openings.append(opening)
            return
        self.blanks()
        before = self.at
        word = self.word() if self.at < self.size else ""
        if self.at == before:
            self.budget.note(f"nothing behind `{op}`")
        if op == ">&" and opening.descriptor not in _KEPT_COPIES and isinstance(word, str) and _NUMBER.fullmatch(word):
            return
        opening.target = Heredoc(word) if op == "<<<" else word
        openings.append(opening)


_COMPOUND: dict[str, Callable[[Grammar], Node]] = {
    "{": Grammar._braces,
    "if": Grammar._if,
    "while": Grammar._while,
    "until": Grammar._while,
    "for": Grammar._for,
    "select": Grammar._for,
    "case": Grammar._case,
    "function": Grammar._function,
    "coproc": Grammar._coproc,
    "[[": Grammar._double_bracket,
}


def parse(text: str, budget: Budget, depth: int = 0, base: int = 0, span: tuple[int, int] | None = None) -> Sequence:
    """Every command of a text."""
    return Grammar(text, budget, depth, base, span).sequence(_NOTHING)
