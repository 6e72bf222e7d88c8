"""Patterns for names: a plain name, a glob, or a /regex/.

A name widens only what restricts: `process_refund` also catches `mcp__payments__process_refund`, and `Bash` every
tool that carries a shell command, but such a match is marked `widened` and no allow may rest on it. Nor on a glob or
a regex that an MCP tool's name happens to fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, Literal, TypeAlias

import re2

from interlock.errors import InterlockError, misspelt
from interlock.facts.tools import known_tools, names_of, shell_tools, short_names
from interlock.policy.bounds import check_pattern, check_replacing
from interlock.policy.traps import quoted

__all__ = ["NOTHING", "Match", "NamePattern", "ToolPattern", "regex", "regex_error", "replacing"]

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
        raise regex_error(f"/{pattern}/", _message(error)) from error
    return lambda text: search(text) is not None


# What RE2 says → what is wrong with the regex, and the cure.
_REGEX_FAULTS = (
    (r"invalid perl operator: \(\?<?[=!]", "a regex here cannot look ahead or behind",
     "match what is wanted, and put the exception under `unless`"),
    (r"invalid escape sequence: \\[1-9]", "a regex here cannot refer back to a group", "write the alternatives out"),
    (r"invalid escape sequence: (.*)", "`{}` means nothing in a regex",
     "a backslash goes before a mark, or before d, w, s, b"),
    (r"missing closing \)|missing \)", "a `(` is not closed", "close it, or write `\\(` for the mark itself"),
    (r"unexpected \)", "a `)` closes nothing", "remove it, or write `\\)` for the mark itself"),
    (r"missing (closing )?\]", "a `[` is not closed", "close it, or write `\\[` for the mark itself"),
    (r"(no argument for repetition operator|bad repetition operator): (.*)", "`{}` repeats nothing",
     "put what it repeats before it, or a backslash for the mark itself"),
    (r"invalid (?:character class range|repetition size): (.*)", "`{}` is not a range",
     "write the smaller one first"),
    (r"trailing \\", "it ends in a backslash", "write `\\\\` for the mark itself"),
    (r"invalid perl operator: (.*)|invalid named capture group: (.*)", "`{}` cannot be in a regex here",
     "use a plain group `(…)`, or `(?i)` at the start"),
    (r"too large|exceeds", "it is too large", "write several, in a list"),
)  # fmt: skip


def regex_error(pattern: str, message: str) -> InterlockError:
    """RE2's complaint in our words."""
    for said, why, help in _REGEX_FAULTS:
        if found := re.search(said, message):
            part = next((group for group in reversed(found.groups()) if group), "")
            return InterlockError(f"`{pattern}` is not a regex: {why.format(part)}", help=help)
    return InterlockError(f"`{pattern}` is not a regex", help="put a backslash before marks that mean themselves")


def _message(error: Exception) -> str:
    text = error.args[0] if error.args else error
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


class NamePattern:
    """One or several names, globs or regexes, any of which may match."""

    def __init__(self, patterns: str | Iterable[str]) -> None:
        listed = [patterns] if isinstance(patterns, str) else list(patterns)
        if not listed:
            raise InterlockError("a list of names is empty, so it would match nothing", help="name one")
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

    def __init__(self, patterns: str | Iterable[str], own: Collection[str] = ()) -> None:
        """`own`: names that a policy declares, which misspell nothing."""
        listed = [patterns] if isinstance(patterns, str) else list(patterns)
        for pattern in listed:
            if pattern not in own:
                _check_tool(pattern)
        super().__init__(listed)
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


_PERMISSION = re.compile(r"(\w+)\((.*)\)")


def _check_tool(pattern: str) -> None:
    """Refuse what could never match a tool, since a guard that never fires looks like one that has nothing to do."""
    if (
        not isinstance(pattern, str)
        or not pattern
        or pattern != pattern.strip()
        or _is_regex(pattern)
        or "|" in pattern
    ):
        return  # read by the pattern itself
    if permission := _PERMISSION.fullmatch(pattern):
        raise InterlockError(
            f"`{pattern}` is written as Claude Code's permissions are",
            help=_permission_help(permission[1], permission[2]),
        )
    if ".*" in pattern or not re.fullmatch(r"[\w.:@*?!\[\]-]+", pattern):
        listed = re.split(r"\s*,\s*|\s+", pattern)
        help = "write one name, a list of names, a glob such as `mcp__pay__*`, or a `/regex/`"
        if len(listed) > 1 and all(re.fullmatch(r"[A-Za-z]\w+", name) for name in listed):
            help = f"write a list: `[{', '.join(listed)}]`"
        elif ".*" in pattern and re.fullmatch(r"[\w.*]+", pattern):
            help = f"write `{pattern.replace('.*', '*')}`"
        raise InterlockError(f"`{pattern}` can match no tool: it is neither a name nor a glob", help=help)
    if re.fullmatch(r"mcp__(?:(?!__)\w)+", pattern):
        raise InterlockError(
            f"`{pattern}` names a server and no tool", help=f"write `{pattern}__*` for all of its tools"
        )
    if not set(pattern) & set("*?[") and pattern not in known_tools() and (meant := misspelt(pattern, known_tools())):
        own = "" if meant.lower() == pattern.lower() else f" A tool of your own goes under `tools`: `{pattern}: {{}}`."
        raise InterlockError(f"there is no tool called `{pattern}`", help=f"did you mean `{meant}`?{own}")


def _permission_help(tool: str, given: str) -> str:
    """`Bash(git push:*)` as the keys of a rule."""
    given = given.strip()
    if tool in shell_tools():
        words = re.sub(r"[:\s]*\*?$", "", given)
        return f"write `command: {words}`" if words else "write `tool: Bash`"
    if given.startswith("domain:"):
        return f"write `url: {given.removeprefix('domain:').strip()}`"
    return f"write `tool: {tool}` and `path: {quoted(given.removeprefix('//') if given else '**')}`"


def _is_regex(pattern: str) -> bool:
    return len(pattern) > 1 and pattern.startswith("/")


def _test_of(pattern: str) -> _Test:
    if not isinstance(pattern, str) or not pattern or pattern != pattern.strip():
        raise InterlockError(f"`{pattern}` is not a name, a glob or a /regex/", help="write one such as `Bash`")
    if _is_regex(pattern):
        parsed = re.fullmatch(r"/(.+)/(i?)", pattern, re.DOTALL)
        if parsed is None:
            raise InterlockError(f"`{pattern}` starts a regex and does not end it", help=f"write `{pattern}/`")
        return regex(parsed[1], ignore_case=bool(parsed[2]))
    if set(pattern) & set("*?["):
        return regex(_glob(pattern))
    if "|" in pattern:
        fixed = ", ".join(part.strip() for part in pattern.split("|"))
        raise InterlockError(f"`{pattern}` holds a `|`, which no name has", help=f"write a list: `[{fixed}]`")
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
            raise InterlockError(f"`{pattern}` opens a `[` that is not closed", help="close it, or write a /regex/")
        out += {"*": ".*", "?": "."}.get(rest[0], re.escape(rest[0]))
        rest = rest[1:]
    return rf"(?s)\A{out}\z"


def replacing(value: Any, pattern: str, to: str) -> Any:
    """`value` with `pattern` replaced in every string of it, in linear time; groups are \\1 … \\9."""
    check_pattern(pattern)
    try:
        compiled = re2.compile(pattern, options=_OPTIONS)
    except re2.error as error:
        raise regex_error(pattern, _message(error)) from error

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
