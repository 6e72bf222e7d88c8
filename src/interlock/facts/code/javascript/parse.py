"""A JavaScript text as a tree: its statements. What is not JavaScript raises `ParseFailure`."""

from __future__ import annotations

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.expressions import JsExpressions
from interlock.facts.code.javascript.scan import END, NAME, TEXT, ParseFailure

__all__ = ["parse_javascript"]

_DECLARES = frozenset({"var", "let", "const", "using"})
_NOTHING = tree.Block([])


def parse_javascript(text: str) -> list[tree.JsNode]:
    """The statements of a text."""
    parser = _Parser(text)
    found: list[tree.JsNode] = []
    while parser.kind != END:
        found.append(parser.statement())
    return found


class _Parser(JsExpressions):
    def statement(self) -> tree.JsNode:
        self.deeper()
        try:
            if self.kind == NAME:
                read = _STATEMENTS.get(self.value)
                if read is not None:
                    found = read(self)
                    if found is not None:
                        return found
                elif self.peek() == ":" and self.text[self.end - 1] != "#":
                    self.advance()
                    self.expect(":")
                    return self.statement()
            elif self.is_sign("{"):
                return tree.Block(self.braces())
            elif self.is_sign(";"):
                self.advance()
                return _NOTHING
            elif self.is_sign("@"):
                decorator = self._decorator()
                return tree.Block([decorator, self.statement()])
            found = self.expression()
            self.finish()
            return found
        finally:
            self.depth -= 1

    def finish(self) -> None:
        """The end of a statement, which a new line or a brace may stand for."""
        if not self.ends_statement():
            raise ParseFailure
        self.skip(";")

    def braces(self) -> list[tree.JsNode]:
        self.expect("{")
        before, self.without_in = self.without_in, False
        chosen, self.choosing = self.choosing, 0
        found: list[tree.JsNode] = []
        while not self.is_sign("}"):
            if self.kind == END:
                raise ParseFailure
            found.append(self.statement())
        self.advance()
        self.without_in, self.choosing = before, chosen
        return found

    def block(self) -> tree.Block:
        return tree.Block(self.braces())

    def test(self) -> tree.JsNode:
        self.expect("(")
        return self._inside(")")

    # --- declarations ---

    def declare(self) -> tree.JsNode | None:
        kind = self.value
        if kind in ("let", "using") and not (self.peek() in "{[_$" or self.peek().isalnum()):
            return None  # a name
        if kind == "const" and self.text[self.end : self.end + 6].split()[:1] == ["enum"]:
            self.advance()
            return self.enum()
        found = self.declaration()
        self.finish()
        return found

    def declaration(self) -> tree.Declare:
        kind = self.value
        self.advance()
        pairs: list[tuple[tree.JsNode, tree.JsNode | None]] = []
        while True:
            target = self._operand()
            self.skip_annotation()
            pairs.append((target, self.assignment() if self.skip("=") else None))
            if not self.skip(","):
                return tree.Declare(kind, pairs)

    def declared_function(self) -> tree.JsNode:
        found = self.function()
        return tree.Declare("function", [(tree.Name(found.name), found)])

    def async_function(self) -> tree.JsNode | None:
        if not self.text[self.end : self.end + 20].lstrip(" \t").startswith("function"):
            return None
        self.advance()
        return self.declared_function()

    def declared_class(self) -> tree.JsNode:
        found = self.class_()
        return tree.Declare("class", [(tree.Name(found.name), found)])

    # --- control ---

    def if_(self) -> tree.JsNode:
        branches: list[tuple[tree.JsNode, tree.JsNode]] = []
        while True:
            self.expect("if")
            test = self.test()
            branches.append((test, self.statement()))
            if not self.skip("else"):
                return tree.If(branches, None)
            if not self.is_name("if"):
                return tree.If(branches, self.statement())

    def for_(self) -> tree.JsNode:
        self.advance()
        self.skip("await")
        self.expect("(")
        self.without_in = True
        start: tree.JsNode | None = None
        kind = ""
        if not self.is_sign(";"):
            if self.kind == NAME and self.value in _DECLARES and self.peek() not in (".", "=", ";", "("):
                kind = self.value
                start = self.declaration()
            else:
                start = self.expression()
        self.without_in = False
        if start is not None and self.kind == NAME and self.value in ("of", "in"):
            keys = self.value == "in"
            self.advance()
            over = self._inside(")")
            target = start.pairs[0][0] if isinstance(start, tree.Declare) else start
            return tree.ForEach(keys, kind, target, over, self.statement())
        self.expect(";")
        test = None if self.is_sign(";") else self.expression()
        self.expect(";")
        step = None if self.is_sign(")") else self.expression()
        self.expect(")")
        return tree.LoopNode(start, test, step, self.statement())

    def while_(self) -> tree.JsNode:
        self.advance()
        test = self.test()
        return tree.LoopNode(None, test, None, self.statement())

    def do(self) -> tree.JsNode:
        self.advance()
        body = self.statement()
        self.expect("while")
        test = self.test()
        self.skip(";")
        return tree.LoopNode(None, test, None, body, first=True)

    def return_(self) -> tree.JsNode:
        self.advance()
        value = None if self.ends_statement() else self.expression()
        self.finish()
        return tree.Return(value)

    def throw(self) -> tree.JsNode:
        self.advance()
        value = self.expression()
        self.finish()
        return tree.Raise(value)

    def leave(self) -> tree.JsNode:
        self.advance()
        if not self.ends_statement():
            self.take_name()
        self.finish()
        return tree.Raise(None)

    def try_(self) -> tree.JsNode:
        self.advance()
        body = self.block()
        caught: tree.JsNode | None = None
        handler = last = None
        if self.skip("catch"):
            if self.skip("("):
                caught = self._operand()
                self.skip_annotation()
                self.expect(")")
            handler = self.block()
        if self.skip("finally"):
            last = self.block()
        return tree.Try(body, caught, handler, last)

    def switch(self) -> tree.JsNode:
        self.advance()
        value = self.test()
        self.expect("{")
        cases: list[tuple[tree.JsNode | None, list[tree.JsNode]]] = []
        while not self.skip("}"):
            test: tree.JsNode | None = None
            if not self.skip("default"):
                self.expect("case")
                self.choosing += 1
                test = self.expression()
                self.choosing -= 1
            self.expect(":")
            body: list[tree.JsNode] = []
            while not (self.is_sign("}") or self.is_name("case") or (self.is_name("default") and self.peek() == ":")):
                body.append(self.statement())
            cases.append((test, body))
        return tree.Switch(value, cases)

    def with_(self) -> tree.JsNode:
        raise ParseFailure  # every name in it may mean something else

    def debugger(self) -> tree.JsNode:
        self.advance()
        self.finish()
        return _NOTHING

    # --- modules ---

    def import_(self) -> tree.JsNode | None:
        if self.peek() in ("(", "."):
            return None
        self.advance()
        names: list[tree.ImportEntry] = []
        is_type = self.is_name("type") and self.peek() not in (",", "f", "=")
        if is_type:
            self.advance()
        if self.kind != TEXT:
            if self.kind == NAME:
                names.append(tree.ImportEntry("default", self.take_name()))
                if self.skip("="):  # `import a = require('a')`
                    value = self.assignment()
                    self.finish()
                    return tree.Declare("const", [(tree.Name(names[0].called), value)])
                self.skip(",")
            if self.skip("*"):
                self.expect("as")
                names.append(tree.ImportEntry("*", self.take_name()))
            elif self.is_sign("{"):
                names += self._entries()
            self.expect("from")
        if self.kind != TEXT:
            raise ParseFailure
        module = self.take_text()
        self._attributes()
        self.finish()
        return _NOTHING if is_type else tree.ImportNode(module, names)

    def _entries(self) -> list[tree.ImportEntry]:
        found: list[tree.ImportEntry] = []
        self.advance()
        while not self.is_sign("}"):
            if self.is_name("type") and self.peek() not in (",", "}", "a"):
                self.advance()
            name = self.take_text() if self.kind == TEXT else self.take_name()
            called = name
            if self.skip("as"):
                called = self.take_text() if self.kind == TEXT else self.take_name()
            found.append(tree.ImportEntry(name, called))
            if not self.is_sign("}"):
                self.expect(",")
        self.advance()
        return found

    def _attributes(self) -> None:
        if self.kind == NAME and self.value in ("with", "assert") and not self.fresh:
            self.advance()
            self.skip_group()

    def export(self) -> tree.JsNode | None:
        self.advance()
        if self.skip("default"):
            if self.kind == NAME and self.value in ("function", "class", "async", "abstract", "interface"):
                return self.statement() if self.value != "function" or self.peek() != "(" else self._nameless()
            found = self.assignment()
            self.finish()
            return found
        if self.skip("="):
            found = self.assignment()
            self.finish()
            return found
        if self.skip("*"):
            if self.skip("as"):
                self.advance()
            self.expect("from")
            return self._from([tree.ImportEntry("*", "")])
        if self.is_sign("{") or (self.is_name("type") and self.peek() == "{"):
            self.skip("type")
            entries = self._entries()
            if self.skip("from"):
                return self._from(entries)
            self.finish()
            return _NOTHING
        return self.statement()

    def _nameless(self) -> tree.JsNode:
        return self.function()

    def _from(self, entries: list[tree.ImportEntry]) -> tree.JsNode:
        if self.kind != TEXT:
            raise ParseFailure
        module = self.take_text()
        self._attributes()
        self.finish()
        return tree.ImportNode(module, [tree.ImportEntry(entry.name, "") for entry in entries])

    # --- TypeScript ---

    def _before_name(self) -> bool:
        """Whether a name follows on the same line, which no word of JavaScript's own is followed by."""
        rest = self.text[self.end : self.end + 80].lstrip(" \t")
        return rest[:1].isalpha() or rest[:1] in ("_", "$")

    def type_(self) -> tree.JsNode | None:
        if not self._before_name():
            return None
        self.advance()
        self.take_name()
        if self.is_sign("<"):
            self.skip_angles()
        self.expect("=")
        self.skip_type()
        self.finish()
        return _NOTHING

    def interface(self) -> tree.JsNode | None:
        if not self._before_name():
            return None
        self.advance()
        self.take_name()
        if self.is_sign("<"):
            self.skip_angles()
        if self.skip("extends"):
            self.skip_type()
            while self.skip(","):
                self.skip_type()
        if not self.is_sign("{"):
            raise ParseFailure
        self.skip_group()
        return _NOTHING

    def enum(self) -> tree.JsNode:
        self.advance()
        name = self.take_name()
        self.expect("{")
        props: list[tree.Prop] = []
        while not self.skip("}"):
            key = self.key()
            props.append(tree.Prop(key, self.assignment() if self.skip("=") else tree.WordNode("undefined")))
            if not self.is_sign("}"):
                self.expect(",")
        return tree.Declare("const", [(tree.Name(name), tree.Object(props))])

    def namespace(self) -> tree.JsNode | None:
        if not self._before_name():
            return None
        self.advance()
        self.take_name()
        return self.block()

    def with_modifier(self) -> tree.JsNode | None:
        """`abstract class`, `declare …`."""
        if not self._before_name():
            return None
        declared = self.value == "declare"
        self.advance()
        if self.is_name("module") and self.peek() in ("'", '"'):
            self.advance()
            self.advance()
            self.skip_group()
            return _NOTHING
        found = self.statement()
        return _NOTHING if declared else found


_STATEMENTS = {
    **dict.fromkeys(_DECLARES, _Parser.declare),
    "function": _Parser.declared_function,
    "async": _Parser.async_function,
    "class": _Parser.declared_class,
    "if": _Parser.if_,
    "for": _Parser.for_,
    "while": _Parser.while_,
    "do": _Parser.do,
    "return": _Parser.return_,
    "throw": _Parser.throw,
    "break": _Parser.leave,
    "continue": _Parser.leave,
    "try": _Parser.try_,
    "switch": _Parser.switch,
    "with": _Parser.with_,
    "debugger": _Parser.debugger,
    "import": _Parser.import_,
    "export": _Parser.export,
    "type": _Parser.type_,
    "interface": _Parser.interface,
    "enum": _Parser.enum,
    "namespace": _Parser.namespace,
    "declare": _Parser.with_modifier,
    "abstract": _Parser.with_modifier,
}
