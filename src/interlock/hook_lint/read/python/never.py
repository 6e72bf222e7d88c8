"""Find the function that a file does its work in, if nothing in the file calls it."""

from __future__ import annotations

import ast
from collections.abc import Container
from pathlib import PurePath

from interlock.hook_lint.program import Span
from interlock.hook_lint.read.python.source import PythonSource

__all__ = ["MAIN", "OF_HOOKS", "never_run"]

OF_HOOKS = frozenset({"permissionDecision", "hookSpecificOutput", "tool_input", "tool_name"})
_TESTING = frozenset({"pytest", "unittest"})
MAIN = ("main", "run", "hook", "handle")


def never_run(file: str, source: PythonSource, tree: ast.Module, called: Container[ast.AST]) -> Span | None:
    """Where that function begins. None if the file runs it, or is a part of something else: a test, a package."""
    if _is_part(file, tree):
        return None
    idle = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node not in called
        and not node.decorator_list
        and _does_work(node)
    ]
    mentioned = {
        part.id
        for node in ast.walk(tree)
        for part in ([node] if isinstance(node, ast.Name) else [])
        if isinstance(part.ctx, ast.Load)
    }
    # A function that another idle one calls is not the one to call.
    tops = [node for node in idle if node.name not in mentioned]
    named = [node for node in tops if node.name.startswith(MAIN)]
    chosen = (named or tops)[:1]
    return source.head(chosen[0]) if chosen else None


def _is_part(file: str, tree: ast.Module) -> bool:
    name = PurePath(file).stem
    if name.startswith(("test_", "_", "conftest")) or name.endswith(("_test", "_tests")):
        return True
    for node in tree.body:
        match node:
            case ast.Import(names=names) if any(one.name.partition(".")[0] in _TESTING for one in names):
                return True
            case ast.ImportFrom(level=level) if level:
                return True
            case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.If():
                return True  # it says what others take, or it runs something after all
            case ast.Expr(value=ast.Call()) | ast.For() | ast.While() | ast.With() | ast.Try():
                if not _prepares(node):
                    return True
    return False


def _prepares(node: ast.stmt) -> bool:
    """Whether a statement only makes the rest ready: imports that may be missing, the search path, the log."""
    if isinstance(node, ast.Try):
        return all(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)
    text = ast.unparse(node)
    return text.startswith(("sys.path.", "logging.", "load_dotenv", "warnings."))


def _does_work(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function reads the event, is given it, or makes an answer."""
    for part in ast.walk(node):
        match part:
            case ast.Attribute(attr="stdin"):
                return True
            case ast.Call(func=ast.Name(id="input")):
                return True
            case ast.Constant(value=str() as text) if text in OF_HOOKS:
                return True
    return False
