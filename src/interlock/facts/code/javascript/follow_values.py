"""What expressions of JavaScript give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.calls import Calls
from interlock.facts.code.javascript.operators import reckon
from interlock.facts.code.javascript.pure import whole
from interlock.facts.code.javascript.values import (
    ANY,
    FALSE,
    NULL,
    TRUE,
    UNDEFINED,
    Closure,
    Either,
    Foreign,
    JsScope,
    LibraryPart,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    WordValue,
    each,
    either,
    joined,
    origin,
    text_of,
    truth,
)
from interlock.facts.limits import JS_ITEMS
from interlock.facts.shell import UNKNOWN

__all__ = ["Values"]

_WORDS: dict[str, Value] = {"true": TRUE, "false": FALSE, "null": NULL, "undefined": UNDEFINED}


class Values(Calls):
    """The part of the reader that follows expressions."""

    def value(self, node: tree.JsNode, scope: JsScope) -> Value:
        """What an expression gives."""
        self.steps += 1
        run = _EXPRESSIONS.get(type(node))
        if run is None:
            self.statement(node, scope)
            return UNDEFINED
        self.depth += 1
        found = run(self, node, scope)
        self.depth -= 1
        return found

    def _word(self, node: Any, scope: JsScope) -> Value:
        if node.name == "this":
            return scope.this or ANY
        return _WORDS.get(node.name, ANY)

    def _name(self, node: Any, scope: JsScope) -> Value:
        return self.look_up(node.name, scope)

    def _template(self, node: Any, scope: JsScope) -> Value:
        found: Value = TextValue(node.strings[0])
        for part, text in zip(node.parts, node.strings[1:], strict=True):
            found = self.add(self.add(found, self.value(part, scope)), TextValue(text))
        return found

    def add(self, left: Value, right: Value) -> Value:
        if isinstance(left, Either) or isinstance(right, Either):
            return either(*(joined(one, other) for one in each(left) for other in each(right)))
        return joined(left, right)

    def _array(self, node: Any, scope: JsScope) -> Value:
        return List(*self.spread(node.items, scope))

    def spread(self, nodes: list[tree.JsNode], scope: JsScope) -> tuple[list[Value], bool]:
        """The values of some expressions, and whether there may be more."""
        found: list[Value] = []
        more = False
        for node in nodes:
            if not isinstance(node, tree.Spread):
                found.append(self.value(node, scope))
                continue
            value = self.value(node.value, scope)
            if isinstance(value, List):
                found += value.items
                more = more or value.open
            elif isinstance(value, TextValue) and UNKNOWN not in value.text:
                found += [TextValue(sign, value.origin) for sign in value.text[: JS_ITEMS.most]]
                more = more or len(value.text) > JS_ITEMS.most
            else:
                foreign = isinstance(value, (LibraryPart, Foreign))
                found.append(Foreign("a part of a library") if foreign else TextValue(UNKNOWN, origin(value)))
                more = True
        return found[: JS_ITEMS.most], more or len(found) > JS_ITEMS.most

    def _object(self, node: Any, scope: JsScope) -> Value:
        made = Obj()
        for prop in node.props:
            value = self.value(prop.value, scope)
            if prop.key is None:
                self._take_in(made, value)
                continue
            key = text_of(self.value(prop.key, scope))
            if isinstance(value, Closure) and not value.node.arrow and isinstance(prop.value, tree.FunctionNode):
                value = Closure(value.node, value.scope, made)
            if prop.accessor and isinstance(value, Closure):
                value = self.call(value, [ANY])
            self.set_member(made, key, value)
        return made

    def _take_in(self, made: Obj, value: Value) -> None:
        if isinstance(value, Obj):
            made.props.update(value.props)
            made.open = made.open or value.open
            made.base = value.base or made.base
        elif isinstance(value, (LibraryPart, Foreign)):
            made.base = value
        elif not isinstance(value, (WordValue, Num)):
            made.open = True

    def _function(self, node: Any, scope: JsScope) -> Value:
        found = Closure(node, scope, scope.this if node.arrow else None)
        if node.name:
            inner = JsScope({}, scope, self.level, scope.this)
            found = Closure(node, inner)
            inner.names[node.name] = found
        self.known.append(found)
        return found

    def _class(self, node: Any, scope: JsScope) -> Value:
        made = Obj(kind="class")
        if node.base is not None:
            base = self.value(node.base, scope)
            if isinstance(base, Obj):
                made.props.update(base.props)
            else:
                made.base = base
        inner = JsScope({node.name: made} if node.name else {}, scope, self.level, made)
        for member in node.members:
            key = text_of(self.value(member.key, inner)) if member.key is not None else ""
            value = self.value(member.value, inner)
            if isinstance(value, Closure) and isinstance(member.value, tree.FunctionNode):
                value = Closure(value.node, value.scope, made)
                if member.accessor:
                    value = self.call(value, [ANY])
            self.set_member(made, key, value)
        return made

    def _new(self, node: Any, scope: JsScope) -> Value:
        callee = self.value(node.callee, scope)
        args, more = self.spread(node.args, scope)
        if more:
            args.append(ANY)
        return either(*(self.make(one, args) for one in each(callee)))

    def _unary(self, node: Any, scope: JsScope) -> Value:
        value = self.value(node.value, scope)
        if node.sign == "-" and isinstance(value, Num):
            return Num(-value.value)
        if node.sign == "+" and isinstance(value, (Num, TextValue)):
            return self.library.call("Number", [value]) if isinstance(value, TextValue) else value
        if node.sign == "~" and (number := whole(value)) is not None:
            return Num(~number)
        if node.sign == "!" and (sure := truth(value)) is not None:
            return FALSE if sure else TRUE
        return UNDEFINED if node.sign == "void" else TextValue(UNKNOWN)

    def _await(self, node: Any, scope: JsScope) -> Value:
        return self.value(node.value, scope)

    def _spread(self, node: Any, scope: JsScope) -> Value:
        return self.value(node.value, scope)

    def _binary(self, node: Any, scope: JsScope) -> Value:
        found = self.value(node.first, scope)
        for sign, right in node.rest:
            if sign in ("&&", "||", "??"):
                self.level += 1
                other = self.value(right, scope)
                self.level -= 1
                found = _choice(sign, found, other)
                continue
            other = self.value(right, scope)
            if sign == "+" and not (isinstance(found, Num) and isinstance(other, Num)):
                found = self.add(found, other)
            else:
                found = reckon(sign, found, other)
        return found

    def _conditional(self, node: Any, scope: JsScope) -> Value:
        sure = truth(self.value(node.test, scope))
        self.level += 1
        yes, no = self.value(node.yes, scope), self.value(node.no, scope)
        self.level -= 1
        if sure is not None and isinstance(node.test, (tree.WordNode, tree.Number, tree.String)):
            return yes if sure else no
        return either(yes, no)

    def _assign(self, node: Any, scope: JsScope) -> Value:
        value = self.value(node.value, scope)
        if node.sign != "=":
            old = self.value(node.target, scope)
            sign = node.sign[:-1]
            if sign in ("&&", "||", "??"):
                value = either(old, value)
            elif self.level and not isinstance(old, Num) and sign == "+":
                value = self._grown(node.target, old, value, scope)
            elif sign == "+" and not (isinstance(old, Num) and isinstance(value, Num)):
                value = self.add(old, value)
            else:
                value = reckon(sign, old, value)
                if self.level and isinstance(node.target, tree.Name):
                    found = scope.find(node.target.name)
                    value = ANY if found is not None and self.level > found.level else value
        self.assign_to(node.target, value, scope)
        return value

    def _grown(self, target: tree.JsNode, old: Value, value: Value, scope: JsScope) -> Value:
        """What a text may be that is added to in a branch or a loop: nobody knows how often."""
        found = scope.find(target.name) if isinstance(target, tree.Name) else None
        once = self.add(old, value)
        if found is None or self.level <= found.level:
            return once
        return either(once, TextValue(text_of(each(old)[0]) + UNKNOWN, origin(old) | origin(value)))

    def _sequence(self, node: Any, scope: JsScope) -> Value:
        found: Value = UNDEFINED
        for item in node.items:
            found = self.value(item, scope)
        return found

    def _chain(self, node: Any, scope: JsScope) -> Value:
        found = self.value(node.base, scope)
        links, at = node.links, 0
        while at < len(links):
            link = links[at]
            at += 1
            if isinstance(link, tree.CallLink):
                found = self.call(found, self._given(link, scope))
                continue
            key = link.name if isinstance(link, tree.MemberLink) else self._key(link.key, scope)
            following = links[at] if at < len(links) else None
            if isinstance(following, tree.CallLink):
                at += 1
                found = self.call_method(found, key, self._given(following, scope))
            else:
                found = self.member(found, key)
        return found

    def _key(self, node: tree.JsNode, scope: JsScope) -> str:
        return text_of(self.value(node, scope))

    def _given(self, call: tree.CallLink, scope: JsScope) -> list[Value]:
        if call.template is not None:
            parts: list[Value] = [self.value(part, scope) for part in call.template.parts]
            return [List([TextValue(text) for text in call.template.strings]), *parts]
        args, more = self.spread(call.args, scope)
        return [*args, ANY] if more else args


def _choice(sign: str, left: Value, right: Value) -> Value:
    if sign == "??":
        if isinstance(left, WordValue):
            return right if left.name in ("undefined", "null") else left
        return left if isinstance(left, (Num, List, Closure)) else either(left, right)
    sure = truth(left)
    if sure is None or (isinstance(left, TextValue) and UNKNOWN in left.text):
        return either(left, right)
    return right if sure is (sign == "&&") else left


_Run = Callable[[Values, Any, JsScope], Value]
_EXPRESSIONS: dict[type[tree.JsNode], _Run] = {
    tree.String: lambda _, node, __: TextValue(node.text),
    tree.Number: lambda _, node, __: Num(node.value),
    tree.Regex: lambda _, node, __: Obj(kind="RegExp"),
    tree.WordNode: Values._word,
    tree.Name: Values._name,
    tree.Template: Values._template,
    tree.ArrayNode: Values._array,
    tree.Object: Values._object,
    tree.FunctionNode: Values._function,
    tree.ClassNode: Values._class,
    tree.New: Values._new,
    tree.Unary: Values._unary,
    tree.Await: Values._await,
    tree.Spread: Values._spread,
    tree.Binary: Values._binary,
    tree.Conditional: Values._conditional,
    tree.Assign: Values._assign,
    tree.SequenceNode: Values._sequence,
    tree.ChainNode: Values._chain,
}
