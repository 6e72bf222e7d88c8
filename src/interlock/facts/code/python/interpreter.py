"""What actions may ask of the reading of a Python text; how it is done is said by those who go through it."""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from interlock.facts.code.python.state import ReadingState
from interlock.facts.code.python.values import Value
from interlock.facts.effects import CodeEffects

__all__ = ["Interpreter"]


class Interpreter(ReadingState):
    """The names of all that can be done with values."""

    table: ClassVar[dict[str, Any]] = {}  # what calls of known functions do, by their full names

    def value(self, node: ast.AST) -> Value:
        """What is known of an expression's value."""
        raise NotImplementedError

    def block(self, body: list[ast.stmt]) -> None:
        """Go through statements."""
        raise NotImplementedError

    def apply(self, value: Value, args: list[Value], named: dict[str, Value], *, open: bool = False) -> Value:
        """Call a value."""
        raise NotImplementedError

    def hand_on(self, args: list[Value], named: dict[str, Value]) -> None:
        """Note that functions are given to somebody who may call them."""
        raise NotImplementedError

    def map_over(self, function: Value, lists: list[Value]) -> Value:
        """Call a function with the items of lists."""
        raise NotImplementedError

    def attribute(self, value: Value, name: str) -> Value:
        """What stands behind a dot."""
        raise NotImplementedError

    def set_attribute(self, of: Value, name: str, value: Value) -> None:
        """Give something an attribute."""
        raise NotImplementedError

    def assign(self, target: ast.AST, value: Value) -> None:
        """Give a target a value."""
        raise NotImplementedError

    def item(self, value: Value, key: Value) -> Value:
        """What stands in brackets behind a value."""
        raise NotImplementedError

    def joined_path(self, parts: list[Value]) -> Value:
        """The paths that parts make."""
        raise NotImplementedError

    def module(self, name: str) -> Value:
        """A module, or a value of one."""
        raise NotImplementedError

    def take_in(self, module: str) -> None:
        """Note that a module is loaded."""
        raise NotImplementedError

    def evaluate(self, value: Value, *, expression: bool = False) -> Value:
        """Go through a text that the program evaluates."""
        raise NotImplementedError

    def runs_fed(self, line: str, given: Value) -> None:
        """Note that a program is given something to read."""
        raise NotImplementedError

    def reads_more(self, found: CodeEffects) -> None:
        """Take over what a text in another language does."""
        raise NotImplementedError
