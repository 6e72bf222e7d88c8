"""What comparisons ask."""

from __future__ import annotations

from typing import Any

from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.source import Tree
from interlock.hook_lint.read.python import comparing as python_comparing
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import AskedOf, Known, Lib, PyValue, Raw, Some, roots_of

__all__ = ["INDEX", "compare", "is_among", "is_equal", "negation_of", "opaque"]

is_among = python_comparing.is_among
negation_of = python_comparing.negation_of
opaque = python_comparing.opaque
INDEX = "index"  # the tag of what `indexOf` gives
# By these a file asks whether it was started itself, and not imported. A hook is.
_SELF = frozenset({"require.main", "module", "import.meta.url", "import.meta.main", "process.argv.1", "module.parent"})
_ANY: dict[tuple[str, Any], bool] = {(">", 0): True, (">=", 1): True, ("<", 1): False, ("<=", 0): False}
_FOUND: dict[tuple[str, Any], bool] = {(">", -1): True, (">=", 0): True, ("<", 0): False, ("<=", -1): False}


def is_equal(m: ScriptReader, left: PyValue, right: PyValue, node: Tree, state: WayState, *, sense: bool) -> PyValue:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Raw) and other == Known(None):
            return Known(not sense)  # the event always comes
        if isinstance(one, Lib) and one.name in _SELF:
            return Known(sense)
        if isinstance(one, Some) and one.tag == INDEX and isinstance(other, Known) and other.value == -1:
            return _found(one, sense=not sense)
    return python_comparing.is_equal(m, left, right, node, state, sense=sense)


def compare(m: ScriptReader, operator: str, left: PyValue, right: PyValue, node: Tree, state: WayState) -> PyValue:
    """What an operator of order gives."""
    if isinstance(left, Known) and isinstance(right, Known):
        one, two = left.value, right.value
        if isinstance(one, int | float) and isinstance(two, int | float):
            return Known({"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[operator])
        return m.unknown(node)
    number = right.value if isinstance(right, Known) else None
    if isinstance(left, Some) and left.tag == INDEX and (operator, number) in _FOUND:
        return _found(left, sense=_FOUND[operator, number])
    if (operator, number) in _ANY:
        question = m.question(left, state, node)
        sense = _ANY[operator, number]
        if isinstance(question, bool):
            return Known(question is sense)
        return question if sense else negation_of(question)
    return opaque(m, node, left, right)


def _found(value: Some, *, sense: bool) -> AskedOf:
    return AskedOf(value, sense=sense, is_hit=sense, roots=roots_of(value))
