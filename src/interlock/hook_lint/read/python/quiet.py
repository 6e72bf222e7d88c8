"""Tell functions that only do something on the side: they log, save or notify, give nothing back and end nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable

from interlock.hook_lint.read.python.values import Klass, Known, Lib, OwnFunction, PyValue

__all__ = ["is_quiet"]

_LOUD = frozenset({"exit", "_exit", "quit", "abort", "print", "stdin", "stdout", "stderr", "input", "exec", "eval",
                   "error"})  # fmt: skip
_CHANGING = frozenset(
    {"append", "extend", "insert", "add", "update", "pop", "setdefault", "clear", "remove", "discard"}
)
_LOUD_NODES = ast.Raise | ast.Assert | ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await


def is_quiet(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    lookup: Callable[[str], PyValue | None],
    is_known: Callable[[str], bool],
    seen: tuple[ast.AST, ...] = (),
) -> bool:
    """Whether nothing that counts comes of a call. `is_known`: whether a library's function is known to be harmless."""
    if not isinstance(node, ast.FunctionDef) or node in seen or len(seen) > 3:
        return False
    own = {one.id for part in node.body for one in ast.walk(part)
           if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}  # fmt: skip
    parameters = {one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    own -= parameters
    for part in node.body:
        for one in ast.walk(part):
            if isinstance(one, _LOUD_NODES) or (isinstance(one, ast.Attribute) and one.attr in _LOUD):
                return False
            if isinstance(one, ast.Return) and not _gives_none(one):
                return False
            is_stored = isinstance(one, ast.Attribute | ast.Subscript) and not isinstance(one.ctx, ast.Load)
            if is_stored and isinstance(one, ast.expr) and _root(one) not in own:
                return False
            if isinstance(one, ast.Call) and not _is_quiet_call(one, own, lookup, is_known, (*seen, node)):
                return False
    return True


def _gives_none(node: ast.Return) -> bool:
    return node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_quiet_call(
    node: ast.Call,
    own: set[str],
    lookup: Callable[[str], PyValue | None],
    is_known: Callable[[str], bool],
    seen: tuple[ast.AST, ...],
) -> bool:
    name = _root(node.func)
    if isinstance(node.func, ast.Attribute):
        found = lookup(name)
        if isinstance(found, Lib):
            return is_known(found.name)
        return node.func.attr not in _CHANGING or name in own
    if not isinstance(node.func, ast.Name) or name in _LOUD:
        return False
    match lookup(name):
        case OwnFunction(node=inner):
            return is_quiet(inner, lookup, is_known, seen)
        case Lib(name=library):
            return is_known(library)
        case None:
            return True  # a builtin
        case Klass() | Known():
            return False
    return False
