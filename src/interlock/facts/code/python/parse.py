"""A Python text as its syntax tree: also one with unknown parts, in a newer grammar, or for Python 2."""

from __future__ import annotations

import ast
import re
import warnings

from interlock.facts.shell import UNKNOWN

__all__ = ["MARK", "UnreadableError", "parse"]

# A letter that stands for what only the shell will put there, in names and in texts alike.
MARK = "ꙮ"
# A file may say how its characters are written, and so become another text.
_CODING = re.compile(r"(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_CODINGS = frozenset(
    {"utf-8", "utf8", "ascii", "us-ascii", "latin-1", "iso-8859-1", "iso-8859-15", "cp1252", "utf-8-sig"}
)
_STRING = re.compile(r"(?i)(?<!\w)(?P<prefix>[rubf]{0,2})(?P<quote>\"{3}|'{3}|[\"'])|#[^\n]*")
_BODY = {
    quote: re.compile(rf"(?s)(?:\\.|(?!{quote})[^\\{'' if len(quote) == 3 else chr(10)}])*+{quote}")
    for quote in ('"', "'", '"""', "'''")
}
_STARTS = frozenset("rRuUbBfF\"'#")
_DEPTH = 5  # of f-strings in f-strings
# Statements of Python 2 that take what follows them without brackets.
_OLD_STATEMENT = re.compile(r"(?m)(^|[;:])([ \t]*)(print|exec)[ \t]+(?![=(.\[,)])(?:>>[^,\n;]*,)?([^\n;#]*)")
_OLD_EXCEPT = re.compile(r"(?m)^([ \t]*except[ \t]+[\w.() \t]+?),[ \t]*(\w+)[ \t]*:")


class UnreadableError(Exception):
    """A text that is not Python, or nested too deeply to be read."""

    def __init__(self, why: str, *, nested: bool = False) -> None:
        super().__init__(why)
        self.nested = nested


def parse(text: str) -> ast.Module:
    """The tree of a text, whose unknown parts are `MARK`."""
    coding = _CODING.match(text)
    if coding is not None and coding[1].lower().replace("_", "-") not in _CODINGS:
        raise UnreadableError(f"not read: Python in {coding[1]}")
    text = text.replace(UNKNOWN, MARK).lstrip("\ufeff")
    try:
        return _tree(text)
    except SyntaxError as error:
        first = error
    for repair in (_under_condition, _new_strings, _old_statements):
        other = repair(text)
        if other != text:
            try:
                return _tree(other)
            except SyntaxError:
                continue
    raise UnreadableError(f"not Python: {first.msg}", nested="too many" in str(first.msg))


def _tree(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about how it is written
            return ast.parse(text)
    except (ValueError, MemoryError, RecursionError) as error:
        if isinstance(error, SyntaxError):
            raise
        raise UnreadableError("nested too deeply to be read", nested=True) from error


def _under_condition(text: str) -> str:
    """A text that is indented as a whole: `-c` of newer versions takes it."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return f"if 1:\n{text}" if first[:1] in (" ", "\t") else text


def _old_statements(text: str) -> str:
    text = _OLD_EXCEPT.sub(r"\1 as \2:", text)
    return _OLD_STATEMENT.sub(lambda one: f"{one[1]}{one[2]}{one[3]}(({one[4].strip().rstrip(',')}))", text)


def _new_strings(text: str) -> str:
    """The text with f-strings, in which newer versions take any quotes, as texts that are added up."""
    parts: list[str] = []
    at = 0
    for _ in range(len(text)):
        found = _STRING.search(text, at)
        if found is None:
            break
        made = _string(text, found, 0)
        if made is None:
            return text
        parts += [text[at : found.start()], made[0]]
        at = made[1]
    return "".join([*parts, text[at:]])


def _string(text: str, found: re.Match[str], depth: int) -> tuple[str, int] | None:
    """A text or comment that begins here, as every version takes it, and where it ends."""
    quote, prefix = found["quote"], (found["prefix"] or "").lower()
    if quote is None:
        return found[0], found.end()
    if "f" in prefix:
        return _format_body(text, found.end(), prefix.replace("f", "") + quote, depth)
    body = _BODY[quote].match(text, found.end())
    return None if body is None else (text[found.start() : body.end()], body.end())


def _format_body(text: str, at: int, opening: str, depth: int) -> tuple[str, int] | None:
    """An f-string's body as `("…" + str(…))`, and where the text goes on."""
    quote = opening.lstrip("r")
    parts: list[str] = []
    plain = at

    def constant() -> str:
        return opening + text[plain:at].replace("{{", "{").replace("}}", "}") + quote

    while at < len(text) and depth < _DEPTH:
        if text.startswith(quote, at):
            return f"({' + '.join([*parts, constant()])})", at + len(quote)
        if text[at] == "\\" or text.startswith(("{{", "}}"), at):
            at += 2
        elif text[at] == "{":
            field = _field(text, at + 1, depth)
            if field is None:
                return None
            parts += [constant(), field[0]]
            plain = at = field[1]
        else:
            at += 1
    return None


def _field(text: str, at: int, depth: int) -> tuple[str, int] | None:
    """One `{…}` as `str(…)`, and where the text goes on."""
    parts: list[str] = []
    start, level = at, 0
    while at < len(text):
        sign = text[at]
        found = _STRING.match(text, at) if sign in _STARTS else None
        if found is not None:
            made = _string(text, found, depth + 1)
            if made is None:
                return None
            parts += [text[start:at], made[0]]
            start = at = made[1]
            continue
        if level == 0 and (sign == "}" or (sign in ":!" and text[at + 1 : at + 2] != "=")):
            end = text.find("}", at)
            expression = "".join([*parts, text[start:at]]).strip().removesuffix("=")
            nested = text.count("{", at, end)  # `{a:{width}}`
            return (f"str({expression})", end + 1 + nested) if end >= 0 else None
        level += (sign in "([{") - (sign in ")]}")
        at += 1
    return None
