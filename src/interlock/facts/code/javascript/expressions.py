"""Expressions of JavaScript as trees: operators by strength, chains of calls, functions, and patterns as written."""

from __future__ import annotations

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.scan import NAME, NUMBER, SIGN, TEXT, ParseFailure, TooDeep
from interlock.facts.code.javascript.types import TypeSkipper
from interlock.facts.limits import JS_NESTING

__all__ = ["JsExpressions"]

_STRENGTH = {
    "??": 1, "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "===": 6, "!==": 6, "<": 7, ">": 7, "<=": 7,
    ">=": 7, "instanceof": 7, "in": 7, "<<": 8, ">>": 8, ">>>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
}  # fmt: skip
_ASSIGNS = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??="}
)
_BEFORE = frozenset({"!", "~", "+", "-", "++", "--", "typeof", "void", "delete"})
_WORDS = frozenset({"true", "false", "null", "undefined", "this", "super"})
_RESERVED = frozenset({
    "break", "case", "catch", "const", "continue", "debugger", "default", "do", "else", "enum", "export", "extends",
    "finally", "for", "if", "in", "instanceof", "return", "switch", "throw", "try", "var", "while", "with",
})  # fmt: skip
_MODIFIERS = frozenset({
    "static", "async", "get", "set", "public", "private", "protected", "readonly", "abstract", "declare", "override",
    "accessor",
})  # fmt: skip
_BEFORE_KEY = frozenset({"async", "get", "set"})
_AFTER_MODIFIER = ("(", "=", ";", "}", ",", ":", "?", "!", "<", "")


class JsExpressions(TypeSkipper):
    """The part of the parser that reads expressions."""

    def __init__(self, text: str) -> None:
        self.depth = 0
        self.choosing = 0  # in `a ? (b) : c`, the `:` is no type
        self.without_in = False  # in the head of a `for`
        self.arrow: tree.JsNode | None = None  # the last one, on which nothing is called before parentheses close
        super().__init__(text)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > JS_NESTING.most:
            raise TooDeep(JS_NESTING)

    def expression(self) -> tree.JsNode:
        first = self.assignment()
        if not self.is_sign(","):
            return first
        items = [first]
        while self.skip(","):
            items.append(self.assignment())
        return tree.SequenceNode(items)

    def assignment(self) -> tree.JsNode:
        self.deeper()
        try:
            return self._assignment()
        finally:
            self.depth -= 1

    def _assignment(self) -> tree.JsNode:
        if self.is_name("yield") and self.peek() not in ("=", ".", ":"):
            self.advance()
            self.skip("*")
            if self.ends_statement() or self.value in (")", "]", ",", ":"):
                return tree.WordNode("undefined")
            return tree.Await(self.assignment())
        left = self._binary(0)
        if self.is_sign("?"):
            left = self._conditional(left)
        if self.kind == SIGN and self.value in _ASSIGNS:
            sign = self.value
            self.advance()
            return tree.Assign(sign, left, self.assignment())
        return left

    def _conditional(self, test: tree.JsNode) -> tree.JsNode:
        if self.peek() in (",", ")", ":", "="):
            return test  # `(a?: T) =>`
        self.advance()
        before, self.without_in = self.without_in, False
        self.choosing += 1
        yes = self.assignment()
        self.choosing -= 1
        self.without_in = before
        self.expect(":")
        return tree.Conditional(test, yes, self.assignment())

    def _operator(self) -> int:
        if self.kind == SIGN or (self.kind == NAME and self.value in ("instanceof", "in")):
            if self.value == "in" and self.without_in:
                return 0
            return _STRENGTH.get(self.value, 0)
        return 0

    def _binary(self, least: int) -> tree.JsNode:
        left = self.unary()
        while True:
            if self.kind == NAME and not self.fresh and self.value in ("as", "satisfies"):
                self.advance()
                if not self.skip("const"):
                    self.skip_type()
                continue
            strength = self._operator()
            if strength <= least:
                return left
            rest: list[tuple[str, tree.JsNode]] = []
            while self._operator() == strength:
                sign = self.value
                self.advance()
                self.deeper()
                rest.append((sign, self._binary(strength)))
                self.depth -= 1
            left = tree.Binary(left, rest)

    def unary(self) -> tree.JsNode:
        signs: list[str] = []
        while self.kind in (SIGN, NAME):
            value = self.value
            waits = value == "await" and self.peek() not in ("", ",", ")", ";", "=", ".", ":", "}", "]")
            if not waits and value not in _BEFORE:
                break
            signs.append(value)
            self.advance()
        found = self._postfix()
        for sign in reversed(signs[-JS_NESTING.most :]):
            found = _with_prefix(sign, found)
        return found

    def _postfix(self) -> tree.JsNode:
        found = self._chain()
        while self.kind == SIGN and self.value in ("++", "--", "!") and not self.fresh:
            if self.value != "!":
                found = _with_prefix(self.value, found)
            self.advance()
        return found

    # --- chains ---

    def _chain(self) -> tree.JsNode:
        base = self._new() if self.is_name("new") else self._operand()
        return self._links(base, calls=True)

    def _links(self, base: tree.JsNode, *, calls: bool) -> tree.JsNode:
        links: list[tree.Link] = []
        while self.kind == SIGN and base is not self.arrow:
            value = self.value
            if value == ".":
                self.advance()
                links.append(tree.MemberLink(self.take_name()))
            elif value == "[":
                self.advance()
                links.append(tree.IndexLink(self._inside("]")))
            elif value == "`":
                links.append(tree.CallLink([], self._template()))
            elif value == "(" and calls:
                links.append(tree.CallLink(self._arguments()))
                if len(links) == 1 and base == tree.Name("async") and self._before_arrow():
                    return self._arrow(links[0].args if isinstance(links[0], tree.CallLink) else [])
            elif value == "?." and calls:
                self.advance()
                if self.is_sign("("):
                    links.append(tree.CallLink(self._arguments()))
                elif self.skip("["):
                    links.append(tree.IndexLink(self._inside("]")))
                elif not self.is_sign("`"):
                    links.append(tree.MemberLink(self.take_name()))
            elif value == "!" and not self.fresh and self.peek() in (".", "[", "(", ")", ";", ","):
                self.advance()
            elif value == "<" and self.has_type_arguments():
                self.skip_angles()
            else:
                break
        return tree.ChainNode(base, links) if links else base

    def _inside(self, close: str) -> tree.JsNode:
        before, self.without_in = self.without_in, False
        chosen, self.choosing = self.choosing, 0
        found = self.expression()
        self.without_in, self.choosing = before, chosen
        self.expect(close)
        return found

    def _new(self) -> tree.JsNode:
        self.advance()
        if self.skip("."):
            self.take_name()
            return tree.WordNode("undefined")  # `new.target`
        self.deeper()
        callee = self._new() if self.is_name("new") else self._operand()
        self.depth -= 1
        callee = self._links(callee, calls=False)
        return tree.New(callee, self._arguments() if self.is_sign("(") else [])

    def _arguments(self) -> list[tree.JsNode]:
        self.expect("(")
        return self._items(")")

    def _items(self, close: str) -> list[tree.JsNode]:
        """What is between brackets, with commas; also the parameters of a function."""
        before, self.without_in = self.without_in, False
        chosen, self.choosing = self.choosing, 0
        items: list[tree.JsNode] = []
        while not self.is_sign(close):
            if self.skip(","):
                items.append(tree.WordNode("undefined"))
                continue
            while self.is_sign("@"):
                self._decorator()
            items.append(self._item(typed=close == ")"))
            if not self.is_sign(close):
                self.expect(",")
        self.advance()
        self.without_in, self.choosing = before, chosen
        return items

    def _item(self, *, typed: bool) -> tree.JsNode:
        if self.skip("..."):
            found: tree.JsNode = tree.Spread(self.assignment())
            if typed:
                self.skip_annotation()
            return found
        found = self.assignment()
        if typed and self.kind == NAME and isinstance(found, tree.Name) and found.name in _MODIFIERS:
            found = self.assignment()  # `constructor(private a: T)`
        if typed and self.kind == SIGN and self.value in ("?", ":"):
            self.skip_annotation()
            if self.skip("="):
                found = tree.Assign("=", found, self.assignment())
        return found

    # --- operands ---

    def _operand(self) -> tree.JsNode:
        kind, value = self.kind, self.value
        if kind == TEXT:
            return tree.String(self.take_text())
        if kind == NUMBER:
            return tree.Number(self.take_number())
        if kind == NAME:
            return self._name_operand(value)
        if kind != SIGN:
            raise ParseFailure
        if value == "(":
            return self._parens()
        if value == "[":
            self.advance()
            return tree.ArrayNode(self._items("]"))
        if value == "{":
            return self._object()
        if value == "`":
            return self._template()
        if value in ("/", "/="):
            return tree.Regex(self.take_regex())
        if value == "@":
            self._decorator()
            return self._operand()
        if value == "<" and self.has_type_arguments():
            self.skip_angles()
            return self._parens()
        raise ParseFailure

    def _name_operand(self, name: str) -> tree.JsNode:
        if name == "function":
            return self.function()
        if name == "class":
            return self.class_()
        if name in _RESERVED:
            raise ParseFailure
        self.advance()
        if name == "async" and not self.fresh:
            if self.is_name("function"):
                return self.function()
            if self.kind == NAME and self.value not in ("in", "of", "instanceof", "as"):
                param = tree.Name(self.take_name())
                if self.is_sign("=>"):
                    return self._arrow([param])
                raise ParseFailure
        if self.is_sign("=>") and not self.fresh:
            return self._arrow([tree.Name(name)])
        if name == "import":
            if self.skip("."):
                self.take_name()
                return tree.Name("import.meta")
            return tree.Name("import")
        return tree.WordNode(name) if name in _WORDS else tree.Name(name)

    def _parens(self) -> tree.JsNode:
        self.advance()
        items = self._items(")")
        if self._before_arrow():
            return self._arrow(items)
        if not items:
            raise ParseFailure
        self.arrow = None
        return items[0] if len(items) == 1 else tree.SequenceNode(items)

    def _before_arrow(self) -> bool:
        """Whether what was in parentheses are the parameters of an arrow; the type of its result is passed over."""
        if self.is_sign(":") and not self.choosing and self.has_return_type():
            self.advance()
            self.skip_type()
        return self.is_sign("=>") and not self.fresh

    def _arrow(self, params: list[tree.JsNode]) -> tree.JsNode:
        self.expect("=>")
        if self.is_sign("{"):
            self.arrow = None
            found = tree.FunctionNode("", params, self.braces(), arrow=True)
        else:
            found = tree.FunctionNode("", params, [], self.assignment(), arrow=True)
        self.arrow = found
        return found

    def braces(self) -> list[tree.JsNode]:
        """The statements between braces."""
        raise NotImplementedError

    def _template(self) -> tree.Template:
        strings: list[str] = []
        parts: list[tree.JsNode] = []
        at = self.start + 1
        while True:
            text, goes_on = self.take_chunk(at)
            strings.append(text)
            if not goes_on:
                return tree.Template(strings, parts)
            before, self.without_in = self.without_in, False
            chosen, self.choosing = self.choosing, 0
            parts.append(self.expression())
            self.without_in, self.choosing = before, chosen
            if not self.is_sign("}"):
                raise ParseFailure
            at = self.end

    def _object(self) -> tree.JsNode:
        self.advance()
        before, self.without_in = self.without_in, False
        chosen, self.choosing = self.choosing, 0
        props: list[tree.Prop] = []
        while not self.is_sign("}"):
            if self.skip("..."):
                props.append(tree.Prop(None, self.assignment()))
            else:
                props.append(self._prop())
            if not self.is_sign("}"):
                self.expect(",")
        self.advance()
        self.without_in, self.choosing = before, chosen
        return tree.Object(props)

    def _prop(self) -> tree.Prop:
        accessor = False
        while self.kind == NAME and self.value in _BEFORE_KEY and self.peek() not in (",", ":", "(", "}", "="):
            accessor = accessor or self.value != "async"
            self.advance()
        generator = self.skip("*")
        written = self.value if self.kind == NAME else ""
        key = self.key()
        if self.is_sign("(") or self.is_sign("<"):
            return tree.Prop(key, self.method(generator=generator), accessor)
        if self.skip(":"):
            return tree.Prop(key, self.assignment())
        if not written:
            raise ParseFailure
        value: tree.JsNode = tree.WordNode(written) if written in _WORDS else tree.Name(written)
        if self.skip("="):
            value = tree.Assign("=", value, self.assignment())
        return tree.Prop(key, value)

    def key(self) -> tree.JsNode:
        """The name of a property; only one in brackets is worked out."""
        if self.kind == NAME:
            return tree.String(self.take_name())
        if self.kind == TEXT:
            return tree.String(self.take_text())
        if self.kind == NUMBER:
            return tree.Number(self.take_number())
        self.expect("[")
        return self._inside("]")

    # --- functions and classes ---

    def function(self) -> tree.FunctionNode:
        self.expect("function")
        generator = self.skip("*")
        name = self.take_name() if self.kind == NAME else ""
        found = self.method(generator=generator)
        found.name = name
        return found

    def method(self, *, generator: bool = False) -> tree.FunctionNode:
        """Parameters and a body; TypeScript may declare one without a body."""
        if self.is_sign("<"):
            self.skip_angles()
        params = self._arguments()
        if self.skip(":"):
            self.skip_type()
        body = self.braces() if self.is_sign("{") else []
        return tree.FunctionNode("", params, body, generator=generator)

    def _decorator(self) -> tree.JsNode:
        self.expect("@")
        return self._chain()

    def class_(self) -> tree.ClassNode:
        self.expect("class")
        name = self.take_name() if self.kind == NAME and self.value not in ("extends", "implements") else ""
        if self.is_sign("<"):
            self.skip_angles()
        base: tree.JsNode | None = None
        if self.skip("extends"):
            base = self._chain()
            if self.is_sign("<"):
                self.skip_angles()
        if self.skip("implements"):
            self.skip_type()
            while self.skip(","):
                self.skip_type()
        self.expect("{")
        members: list[tree.Prop] = []
        while not self.is_sign("}"):
            if not self.skip(";"):
                members.append(self._class_member())
        self.advance()
        return tree.ClassNode(name, base, members)

    def _class_member(self) -> tree.Prop:
        while self.is_sign("@"):
            self._decorator()
        static = accessor = False
        while self.kind == NAME and self.value in _MODIFIERS and self.peek() not in _AFTER_MODIFIER:
            static = static or self.value == "static"
            accessor = accessor or self.value in ("get", "set")
            self.advance()
            if static and self.is_sign("{"):
                return tree.Prop(tree.String(""), tree.FunctionNode("", [], self.braces()), accessor=True, static=True)
        generator = self.skip("*")
        key = self.key()
        if self.value in ("?", "!") and self.kind == SIGN and self.peek() in ("(", ":", ";", "="):
            self.advance()
        if self.is_sign("(") or self.is_sign("<"):
            found = tree.Prop(key, self.method(generator=generator), accessor, static)
            self.skip(";")
            return found
        if self.skip(":"):
            self.skip_type()
        value: tree.JsNode = tree.WordNode("undefined")
        if self.skip("="):
            value = self.assignment()
        if not self.ends_statement():
            raise ParseFailure
        return tree.Prop(key, value, static=static)


def _with_prefix(sign: str, value: tree.JsNode) -> tree.JsNode:
    if sign == "await":
        return tree.Await(value)
    if sign in ("++", "--"):
        return tree.Assign(sign[0] + "=", value, tree.Number(1))
    return tree.Unary(sign, value)
