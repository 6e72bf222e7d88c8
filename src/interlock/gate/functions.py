"""Plain functions as tools: their arguments, by name, are the input, and they are called with the input as changed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

from interlock.errors import InterlockError, Source

__all__ = ["Tool"]

JsonObject: TypeAlias = dict[str, Any]
_POSITIONAL = inspect.Parameter.POSITIONAL_ONLY
_REST = inspect.Parameter.VAR_KEYWORD


class Tool:
    """A function with a tool's name."""

    def __init__(self, function: Callable[..., Any], name: str | None) -> None:
        self.function = function
        self.name: str = name or str(getattr(function, "__name__", ""))
        where = _where(function)
        if not self.name:
            raise InterlockError("a tool needs a name", where, help='write @gate.tool(name="…")')
        self.is_async = inspect.iscoroutinefunction(function)
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise InterlockError(f"`{self.name}` yields its results; a tool returns one", where)
        self._signature = _signature(function, self.name, where)

    def input_of(self, args: tuple[Any, ...], kwargs: JsonObject) -> JsonObject:
        """The arguments of a call by name, including defaults: what is judged is what runs."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        rest = next((name for name, one in self._signature.parameters.items() if one.kind is _REST), None)
        more = given.pop(rest) if rest is not None else {}
        for name in more:
            if name in given:
                raise InterlockError(f"`{self.name}` was given two arguments that are called `{name}`")
        return {**given, **more}

    def call(self, given: JsonObject) -> Any:
        """Call the function with an input. Raises InterlockError if the input does not fit its parameters."""
        left = dict(given)
        places = [name for name, one in self._signature.parameters.items() if one.kind is _POSITIONAL and name in left]
        args = [left.pop(name) for name in places]
        try:
            self._signature.bind(*args, **left)
        except TypeError as error:
            raise InterlockError(f"the input as it was changed does not fit `{self.name}`: {error}") from error
        return self.function(*args, **left)


def _signature(function: Callable[..., Any], name: str, where: Source | None) -> inspect.Signature:
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise InterlockError(f"the arguments of `{name}` cannot be determined: {error}", where) from error
    names = list(found.parameters)
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in found.parameters.values()):
        raise InterlockError(f"`{name}` takes *args, which have no names to be judged by", where)
    if names and names[0] in ("self", "cls") and "." in getattr(function, "__qualname__", ""):
        raise InterlockError(
            f"`{name}` is a method, and its object cannot be input",
            where,
            help="wrap the bound one: gate.tool(it.method)",
        )
    return found


def _where(function: Any) -> Source | None:
    code = getattr(function, "__code__", None)
    return Source(code.co_filename, code.co_firstlineno) if code is not None else None
