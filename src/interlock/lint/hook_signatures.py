"""The hooks of a file that is read and not run: whether their events, tools and arguments exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType, FunctionType

from interlock.errors import InterlockError, Source
from interlock.hooks.registry import hook

__all__ = ["check_signatures"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def check_signatures(text: bytes, file: str) -> None:
    """Register the hooks of a file without running it. Raises InterlockError as loading the file would.

    Only what is written out can be checked: functions at the top level, and decorators whose arguments are literals.
    """
    tree = ast.parse(text, file)
    codes = {(code.co_name, code.co_firstlineno): code for code in _functions_in(compile(tree, file, "exec"))}
    for function in tree.body:
        if isinstance(function, _Function):
            first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
            code = codes.get((function.name, first))  # with type parameters, it is inside another
            for decorator in function.decorator_list:
                if code is not None and isinstance(decorator, ast.Call) and _name_of(decorator.func) == "hook":
                    _register(decorator, function, code)


def _functions_in(module: CodeType) -> Iterator[CodeType]:
    return (found for found in module.co_consts if isinstance(found, CodeType))


def _name_of(expression: ast.expr) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def _register(decorator: ast.Call, function: _Function, code: CodeType) -> None:
    try:
        given = [ast.literal_eval(argument) for argument in decorator.args]
        named = {one.arg: ast.literal_eval(one.value) for one in decorator.keywords if one.arg is not None}
    except (ValueError, TypeError):
        return  # computed: only loading the file tells
    if len(named) < len(decorator.keywords):
        return  # `**options`
    # A function made of its code, which is not run. The values of its defaults do not matter, only that they exist.
    made = FunctionType(code, {}, function.name, tuple(None for _ in function.args.defaults))
    optional = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    made.__kwdefaults__ = {argument.arg: None for argument, default in optional if default is not None}
    try:
        register = hook(*given, **named)
    except TypeError as error:
        place = Source(code.co_filename, decorator.lineno)
        raise InterlockError(f"@hook: {error}", place, help='write @hook("PreToolUse", tool="Bash")') from error
    register(made)
