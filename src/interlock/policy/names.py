"""Patterns for names: a plain name, a glob, or a /regex/.

A name widens only what restricts: `process_refund` also catches `mcp__payments__process_refund`, and `Bash` every
tool that carries a shell command, but such a match is marked `widened` and no allow may rest on it. Nor on a glob or
a regex that an MCP tool's name happens to fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

import re2

from interlock.errors import InterlockError
from interlock.facts.tools import known_tools, names_of, shell_tools, short_names
from interlock.policy.bounds import check_pattern, check_replacing

__all__ = ["NOTHING", "Match", "NamePattern", "ToolPattern", "regex", "replacing"]

NOTHING = r"/[^\x00-\x{10FFFF}]/"  # the pattern of an empty list: no name has such a character

# By its own name; by a glob or regex that an MCP tool's full name fits; or by a short name or a family.
Match: TypeAlias = Literal["exact", "pattern", "widened"]
_Test: TypeAlias = Callable[[str], bool]

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False


def regex(pattern: str, ignore_case: bool = False) -> _Test:
    """A linear-time search for `pattern`, since the text it meets was written by a model."""
    options = _OPTIONS
    if ignore_case:
        options = re2.Options()
        options.log_errors, options.case_sensitive = False, False
    try:
        search = re2.compile(pattern, options=options).search
    except re2.error as error:
        raise InterlockError(f"`/{pattern}/` is not a valid RE2 expression: {_message(error)}") from error
    return lambda text: search(text) is not None


def _message(error: Exception) -> str:
    text = error.args[0] if error.args else error
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


class NamePattern:
    """One or several names, globs or regexes, any of which may match."""

    def __init__(self, patterns: str | Iterable[str]) -> None:
        listed = [patterns] if isinstance(patterns, str) else list(patterns)
        if not listed:
            raise InterlockError("a list of names is empty, so it would match nothing")
        self.patterns = tuple(listed)
        self._tests = [_test_of(pattern) for pattern in listed]

    def matches(self, name: str) -> bool:
        for test in self._tests:  # noqa: SIM110 - on the way of every event, where a generator costs more than the tests
            if test(name):
                return True
        return False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.patterns)})"


class ToolPattern(NamePattern):
    """Names of tools: renamed tools keep matching, short names and families widen."""

    def __init__(self, patterns: str | Iterable[str]) -> None:
        super().__init__(patterns)
        for pattern in self.patterns:
            _check_tool(pattern)
        # A regex says exactly what it means; only names and globs have a short form.
        self._short = [t for p, t in zip(self.patterns, self._tests, strict=True) if not _is_regex(p)]
        self.means_shells = self.matches("Bash")  # and so every tool that carries a shell command

    def match(self, tool: str) -> Match | None:
        """How the tool is meant: by its own name, by widening, or not at all."""
        names = names_of(tool)
        if not names.isdisjoint(self.patterns):
            return "exact"
        if any(self.matches(name) for name in names):
            # Trust goes by provenance: of an MCP tool, only its full name says who is meant.
            return "pattern" if short_names(tool) else "exact"
        if any(test(name) for name in short_names(tool) for test in self._short):
            return "widened"
        return "widened" if self.means_shells and tool in shell_tools() else None


def _check_tool(pattern: str) -> None:
    """Refuse what could never match a tool, since a guard that never fires looks like one that has nothing to do."""
    if _is_regex(pattern):
        return
    if ".*" in pattern or not re.fullmatch(r"[\w.:@*?!\[\]-]+", pattern):
        raise InterlockError(
            f"`{pattern}` can match no tool: it is no name and no glob",
            help="write one name, a list of names, a glob such as mcp__pay__*, or a /regex/",
        )
    if re.fullmatch(r"mcp__(?:(?!__)\w)+", pattern):
        raise InterlockError(
            f"`{pattern}` names a server and no tool", help=f"write `{pattern}__*` for all of its tools"
        )
    known = next((name for name in known_tools() if name.lower() == pattern.lower()), pattern)
    if known != pattern:
        raise InterlockError(f"`{pattern}` is no tool", help=f"did you mean `{known}`?")


def _is_regex(pattern: str) -> bool:
    return len(pattern) > 1 and pattern.startswith("/")


def _test_of(pattern: str) -> _Test:
    if not isinstance(pattern, str) or not pattern or pattern != pattern.strip():
        raise InterlockError(f"`{pattern}` is not a name, a glob or a /regex/")
    if _is_regex(pattern):
        parsed = re.fullmatch(r"/(.+)/(i?)", pattern, re.DOTALL)
        if parsed is None:
            raise InterlockError(f"`{pattern}` starts a regex and does not end it", help=f"write `{pattern}/`")
        return regex(parsed[1], ignore_case=bool(parsed[2]))
    if set(pattern) & set("*?["):
        return regex(_glob(pattern))
    if "|" in pattern:
        fixed = ", ".join(part.strip() for part in pattern.split("|"))
        raise InterlockError(f"`{pattern}` holds a `|`, which no name has", help=f"write a list: [{fixed}]")
    return pattern.__eq__


def _glob(pattern: str) -> str:
    """A glob as a regex: `*` any run, `?` one character, `[…]` one of a set."""
    out = ""
    rest = pattern
    while rest:
        if chosen := re.match(r"\[(!?)([^\]\\]+)\]", rest):
            out += f"[{'^' if chosen[1] else ''}{re.escape(chosen[2]).replace(chr(92) + '-', '-')}]"
            rest = rest[chosen.end() :]
            continue
        if rest[0] == "[":
            raise InterlockError(f"`{pattern}` opens a `[` that is not closed")
        out += {"*": ".*", "?": "."}.get(rest[0], re.escape(rest[0]))
        rest = rest[1:]
    return rf"(?s)\A{out}\z"


def replacing(value: Any, pattern: str, to: str) -> Any:
    """`value` with `pattern` replaced in every string of it, in linear time; groups are \\1 … \\9."""
    check_pattern(pattern)
    try:
        compiled = re2.compile(pattern, options=_OPTIONS)
    except re2.error as error:
        raise InterlockError(f"`{pattern}` is not a valid RE2 expression: {_message(error)}") from error

    def replace(text: str) -> str:
        check_replacing(compiled, text, to)
        # As bytes: given texts, the library takes the bytes of a replacement for characters, so `…` becomes three.
        replaced = compiled.sub(to.encode("utf-8", "surrogatepass"), text.encode("utf-8", "surrogatepass"))
        return bytes(replaced).decode("utf-8", "surrogatepass")

    return _in_strings(value, replace)


def _in_strings(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_in_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _in_strings(item, change) for key, item in value.items()}
    return value
