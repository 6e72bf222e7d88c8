"""Mutants of one source file: each replaces a few characters of it, found by their place in the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

__all__ = ["Mutant", "apply_all", "is_another_program", "mutants_of"]

_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
}
_FUNCTIONS = {"any": "all", "all": "any", "min": "max", "max": "min"}
_METHODS = {"startswith": "endswith", "endswith": "startswith", "partition": "rpartition", "rpartition": "partition"}
_MOST_COUNTED = 16
# Parts of statements that decide nothing when the program runs.
_NOT_RUN = ("annotation", "returns", "decorator_list", "targets", "target", "type_params", "bases")
_Placed: TypeAlias = ast.expr | ast.stmt | ast.pattern


class Mutant(NamedTuple):
    """One change: the bytes from `start` to `end` of a file become `text`."""

    file: str
    line: int  # of the statement's own line, for people
    statement: int  # the first line of the statement that it is in, to spread a sample
    operator: str
    start: int
    end: int
    text: str

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def apply_all(source: bytes, mutants: Iterable[Mutant]) -> bytes:
    """The source with several mutants of one file; of those that overlap, the first counts."""
    last = len(source) + 1
    for one in sorted(mutants, key=lambda one: one.start, reverse=True):
        if one.end <= last:
            source = one.apply(source)
            last = one.start
    return source


def mutants_of(file: str, source: bytes) -> list[Mutant]:
    """Every mutant of a file, also those that are no programs: see `is_another_program`."""
    return list(dict.fromkeys(_Finder(file, source).find(ast.parse(source))))


def is_another_program(mutant: Mutant, source: bytes) -> bool:
    """Whether the mutant parses, and as something else. This is slow, so it is asked only about a sample."""
    try:
        changed = ast.parse(mutant.apply(source))
    except (SyntaxError, ValueError):
        return False
    return ast.dump(changed) != ast.dump(ast.parse(source))


class _Finder:
    """Walks a tree and knows where each node is in the bytes of the file."""

    def __init__(self, file: str, source: bytes) -> None:
        self._file = file
        self._source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._statement = 1

    def find(self, tree: ast.Module) -> Iterator[Mutant]:
        for statement in tree.body:
            yield from self._statements(statement)

    # --- places ------------------------------------------------------------------------------------------------

    def _start(self, node: _Placed) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: _Placed) -> int:
        if node.end_lineno is None or node.end_col_offset is None:
            raise ValueError("a node without an end")
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: _Placed) -> str:
        return self._source[self._start(node) : self._end(node)].decode()

    def _mutant(self, operator: str, start: int, end: int, text: str) -> Mutant:
        line = self._source.count(b"\n", 0, start) + 1
        return Mutant(self._file, line, self._statement, operator, start, end, text)

    def _replace(self, operator: str, node: _Placed, text: str) -> Mutant:
        return self._mutant(operator, self._start(node), self._end(node), text)

    def _between(self, operator: str, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Mutant]:
        """Replace a word that is between two nodes: operators have no place of their own in a tree."""
        start, end = self._end(left), self._start(right)
        at = self._source.find(old.encode(), start, end)
        if at >= 0:
            yield self._mutant(operator, at, at + len(old), new)

    # --- statements --------------------------------------------------------------------------------------------

    def _statements(self, node: ast.stmt) -> Iterator[Mutant]:
        if _is_declaration(node):
            return
        self._statement = node.lineno
        yield from self._removed(node)
        for name, value in ast.iter_fields(node):
            if name in _NOT_RUN or (name == "keywords" and isinstance(node, ast.ClassDef)):
                continue
            yield from self._parts(value, node)

    def _parts(self, value: object, parent: ast.AST) -> Iterator[Mutant]:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.stmt):
                yield from self._statements(one)
                self._statement = parent.lineno if isinstance(parent, ast.stmt) else self._statement
            elif isinstance(one, ast.expr):
                yield from self._expressions(one)
            elif isinstance(one, ast.arguments):
                for default in (*one.defaults, *(d for d in one.kw_defaults if d is not None)):
                    yield from self._default(default)
            elif isinstance(one, ast.match_case):
                yield from self._case(one)
            elif isinstance(one, ast.AST):
                for _, inner in ast.iter_fields(one):
                    yield from self._parts(inner, one)

    def _removed(self, node: ast.stmt) -> Iterator[Mutant]:
        """Statements that are left out, and ways that are taken or not taken."""
        match node:
            case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()):
                yield self._replace("statement", node, "pass")
            case ast.AugAssign() | ast.Delete() | ast.Raise():
                yield self._replace("statement", node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield self._replace("statement", node, "pass")
            case ast.Return(value=ast.expr() as value) if self._text(value) != "None":
                yield self._replace("return", node, "return None")
                if isinstance(value, ast.Compare | ast.BoolOp | ast.UnaryOp):
                    yield self._replace("return", value, f"not ({self._text(value)})")
            case ast.Continue():
                yield self._replace("loop", node, "break")
                yield self._replace("loop", node, "pass")
            case ast.Break():
                yield self._replace("loop", node, "continue")
                yield self._replace("loop", node, "pass")
            case ast.If(test=test) | ast.While(test=test):
                yield from self._condition(test, forever=isinstance(node, ast.While))

    def _case(self, case: ast.match_case) -> Iterator[Mutant]:
        if case.guard is not None:
            yield from self._condition(case.guard)
        if isinstance(case.pattern, ast.MatchOr):
            for first, second in zip(case.pattern.patterns, case.pattern.patterns[1:], strict=False):
                yield self._mutant("case", self._start(first), self._start(second), "")
        for part in (case.guard, *case.body):
            yield from self._parts(part, case)

    def _condition(self, test: ast.expr, *, forever: bool = False) -> Iterator[Mutant]:
        yield self._replace("condition", test, "False")
        if not forever:
            yield self._replace("condition", test, "True")
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield self._replace("condition", test, f"not ({self._text(test)})")

    # --- expressions -------------------------------------------------------------------------------------------

    def _default(self, node: ast.expr) -> Iterator[Mutant]:
        for one in self._expressions(node):
            yield one._replace(operator="default")

    def _expressions(self, node: ast.expr) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr):
            return  # a text for people
        yield from self._changed(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "ctx"):
                continue
            yield from self._parts(value, node)

    def _changed(self, node: ast.expr) -> Iterator[Mutant]:
        match node:
            case ast.Compare():
                yield from self._compared(node)
            case ast.BoolOp():
                yield from self._joined(node)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self._replace("not", node, f"({self._text(operand)})")
            case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
                old, new = _ARITHMETIC[type(op)]
                yield from self._between("arithmetic", node.left, node.right, old, new)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                swapped = f"({self._text(orelse)}) if {self._text(test)} else ({self._text(body)})"
                yield self._replace("branches", node, swapped)
            case ast.Constant():
                yield from self._constant(node)
            case ast.Tuple() | ast.Set() | ast.List() if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                yield from self._dropped(node.elts)
            case ast.Dict():
                yield from self._dropped_pairs(node)
            case ast.Call():
                yield from self._called(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                for test in (one for generator in node.generators for one in generator.ifs):
                    yield from self._condition(test)

    def _compared(self, node: ast.Compare) -> Iterator[Mutant]:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            old, news = _COMPARISONS[type(op)]
            for new in news:
                yield from self._between("comparison", left, right, old, new)
            left = right

    def _joined(self, node: ast.BoolOp) -> Iterator[Mutant]:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from self._between("and/or", left, right, old, new)
        for dropped in node.values:
            kept = [f"({self._text(one)})" for one in node.values if one is not dropped]
            yield self._replace("and/or", node, f" {old} ".join(kept))

    def _constant(self, node: ast.Constant) -> Iterator[Mutant]:
        match node.value:
            case bool():
                yield self._replace("constant", node, str(not node.value))
            case int() if abs(node.value) <= _MOST_COUNTED:  # one more or less of a limit is nobody's business
                yield self._replace("constant", node, str(node.value + 1))
                yield self._replace("constant", node, f"({node.value - 1})")

    def _dropped(self, elements: list[ast.expr]) -> Iterator[Mutant]:
        """The literal without one of its elements; an element's comma goes with it."""
        for at, element in enumerate(elements if len(elements) > 1 else []):
            if at + 1 < len(elements):
                yield self._mutant("element", self._start(element), self._start(elements[at + 1]), "")
            else:
                left = "," if len(elements) == 2 else ""  # a tuple of one needs its comma
                yield self._mutant("element", self._end(elements[at - 1]), self._end(element), left)

    def _dropped_pairs(self, node: ast.Dict) -> Iterator[Mutant]:
        keys = [key for key in node.keys if key is not None]
        if len(keys) == len(node.keys):
            for at, key in enumerate(keys[:-1]):
                yield self._mutant("element", self._start(key), self._start(keys[at + 1]), "")

    def _called(self, node: ast.Call) -> Iterator[Mutant]:
        match node.func:
            case ast.Name(id=name) if name in _FUNCTIONS:
                yield self._replace("function", node.func, _FUNCTIONS[name])
            case ast.Attribute(value=value, attr=name) if name in _METHODS:
                start = self._end(value)
                yield self._mutant("function", start, self._end(node.func), f".{_METHODS[name]}")
        if len(node.args) + len(node.keywords) > 1:
            for keyword in node.keywords:
                if keyword.arg is not None:
                    yield from self._dropped_keyword(node, keyword)

    def _dropped_keyword(self, node: ast.Call, keyword: ast.keyword) -> Iterator[Mutant]:
        start = self._lines[keyword.lineno - 1] + keyword.col_offset
        end = self._end(keyword.value)
        behind = self._source[end : self._end(node)]
        if behind.lstrip().startswith(b","):
            end += behind.index(b",") + 1
        yield self._mutant("argument", start, end, "")


def _is_declaration(node: ast.stmt) -> bool:
    """Nothing of it is run, or only for tools: imports, docstrings, type aliases and `__all__`."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
    return False
