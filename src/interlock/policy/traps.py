"""The words for what YAML's grammar refuses or silently misreads, and the cure; it never parses a whole file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

__all__ = [
    "FORBIDDEN",
    "Fault",
    "Trap",
    "cut_off",
    "directive_trap",
    "explain",
    "forbidden",
    "former_help",
    "paired",
    "property_trap",
    "quoted",
    "second_document",
    "short",
    "without_directives",
]

# YAML 1.1 and so our parser also break lines at U+0085, U+2028 and U+2029; editors do not, and a key could hide there.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_SEPARATORS = "\x85\u2028\u2029"

# Beyond this a line is not searched for its key: the search is quadratic at worst, and nobody reads such a line.
_LONGEST = 1000
_LONGEST_CURE = 100
_MOST_PERCENT = 50
_HEAD = re.compile(
    r"""\s*(?:[-?][ ]+)*
        (?:(?:"(?:[^"\\]|\\.)*" | '[^']*' | (?:[^\s:#'"\[\]{},]|:(?=\S))(?:[^:]|:(?=\S))*?)\s*:[ \t]+)?""",
    re.VERBOSE,
)
_GLUED = re.compile(r"([\w.-]+):(\S.*)")
_CUT = re.compile(r"[ \t]+(#\S+)")
_COMMENT = re.compile(r"[ \t]+#[ \t].*")
_STARTS = {
    "*": "an alias",
    "&": "an anchor",
    "!": "a tag",
    "|": "a block of text",
    ">": "a folded text",
    "?": "a key",
    "-": "a list item",
}


class Trap(NamedTuple):
    """What is wrong at a place (counted from 0), and the lines with the fault covered up, so that reading can go on."""

    line: int
    column: int
    message: str
    help: str | None = None
    mended: list[str] | None = None


class Fault(NamedTuple):
    """What the parser said, and where: `at` the problem, `since` the construct it is in."""

    problem: str
    context: str
    at: tuple[int, int]
    since: tuple[int, int]
    lines: list[str]
    at_end: bool
    quote: tuple[int, int] | None  # where the last quoted text that was read starts

    @property
    def line(self) -> str:
        return self.lines[self.at[0]]

    @property
    def char(self) -> str:
        return self.line[self.at[1] : self.at[1] + 1]


def quoted(text: str) -> str:
    """The text as YAML would take it in quotes."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


# Keys whose value is a sentence for somebody: for these, `no` was not meant as a text, and `false` is not a cure.
_SENTENCES = {
    "deny": 'say why in quotes: `deny: "Use the staging copy."`',
    "ask": 'ask in quotes: `ask: "Push to main?"`',
    "context": 'write a sentence in quotes: `context: "Tests live in tests/."`',
    "notify": 'write a sentence in quotes: `notify: "Done."`',
    "about": 'write a sentence in quotes: `about: "Never push over shared history."`',
}


def former_help(text: str, truth: bool, key: str | None) -> str:
    """What to write instead of a word that was true or false in YAML 1.1."""
    if key in _SENTENCES:
        return _SENTENCES[key]
    if key in ("allow", "defer") and not truth:
        return f"remove `{key}`, or write `{key}: true`"
    return f'write `{"true" if truth else "false"}`, or quote it: `"{text}"`'


def forbidden(char: str, first: bool, decoded: bool) -> tuple[str, str]:
    """Why a character may not stand in the file, and what to do; `decoded` bytes that are no UTF-8 show as halves."""
    code = ord(char)
    if char == "\ufeff" and first:
        return "the file starts with a byte order mark", "save it as UTF-8 without BOM (VS Code: `UTF-8`)"
    if decoded and 0xDC80 <= code <= 0xDCFF:
        return f"the byte 0x{code - 0xDC00:02x} is not UTF-8", "save the file as UTF-8"
    if 0xD800 <= code <= 0xDFFF:
        return f"U+{code:04X} is half a character", "delete it"
    kind = "line separator" if char in _SEPARATORS else "control character" if code < 0xA0 else "invisible character"
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return (
        f"the {kind} U+{code:04X} may not stand in the file",
        f"delete it, or write `{escape}` in a double-quoted text",
    )


def without_directives(lines: list[str]) -> tuple[int | None, list[str]]:
    """The first line that is a directive, and the lines without them: the parser takes quadratic time on many."""
    first, kept, open_ = None, list(lines), True
    # So many lines of a text cannot start with `%` by chance.
    everywhere = sum(line.startswith("%") for line in lines) > _MOST_PERCENT
    for number, line in enumerate(lines):
        if (open_ or everywhere) and line.startswith("%"):
            first = number if first is None else first
            kept[number] = ""
        elif line.startswith("..."):
            open_ = True
        elif line.strip() and not line.lstrip().startswith("#"):
            open_ = False
    return first, kept


def cut_off(lines: list[str], line: int, end: int, in_flow: bool, empty: bool) -> Trap | None:
    """What follows a plain text as a comment, though it does not look like one: prose loses its end at ` #`."""
    text = lines[line]
    found = _CUT.match(text, end)
    if found is None:
        return None
    start = _entry(text, end if not empty else found.start(1))
    cure = "put the text in quotes" if in_flow else _cure(text, start, len(text.rstrip()))
    message = f"YAML reads `{short(found[1])}` as a comment" + (", so the value is empty" if empty else "")
    return Trap(line, found.start(1), message, f"{cure}, or put a space after the `#` of a comment")


def paired(lines: list[str], line: int, column: int) -> Trap:
    """A list item between brackets that `: ` made a map of one key."""
    start, end = _span(lines[line], column, in_flow=True)
    at = lines[line].find(": ", start, end)
    cure = f"{_cure(lines[line], start, end)}, or write `{{key: value}}` for a map"
    return Trap(line, max(at, start), "`: ` inside a plain text makes this list item a map", cure)


def property_trap(lines: list[str], line: int, column: int, in_flow: bool) -> Trap:
    """A value that starts with `!`, `&` or `*`, which was read as a tag, an anchor or an alias."""
    char, text = lines[line][column], lines[line]
    start, end = _span(text, column, in_flow, until_colon=True)
    name = re.compile(r"\S[^\s,\[\]{}]*").match(text, column)
    shown = short(name[0].rstrip(":")) if name else char
    if char == "!" and shown.startswith(("!!", "!<")):
        return Trap(line, column, f"`{shown}` is a tag, and tags are not read", "remove it; quotes make a value text")
    if char == "&" and re.fullmatch(r"&[\w-]+", shown):
        message = f"`{shown}` is an anchor, and anchors are not read"
        return Trap(line, column, message, "write the value out where it is used, or quote it if it is text")
    message = f"a plain text cannot start with `{char}`: YAML reads `{shown}` as {_STARTS[char]}"
    return Trap(line, column, message, _cure(text, start, end), _cover(lines, line, start, end))


def explain(fault: Fault) -> Trap:
    """The parser's complaint in our words."""
    line, start = fault.since[0], _entry(fault.lines[fault.since[0]], fault.since[1])
    if fault.context in _PROPERTIES and fault.lines[line][start : start + 1] == "!":
        return property_trap(fault.lines, line, start, in_flow=False)
    explainer = _EXPLAINERS.get(fault.problem) or _PROPERTIES.get(fault.context) or _unknown
    return explainer(fault)


def _entry(line: str, column: int) -> int:
    """Where the value starts that holds `column`: behind the list dashes and the key."""
    found = _HEAD.match(line[:_LONGEST])
    start = found.end() if found else 0
    return start if start <= column else len(line[:column]) - len(line[:column].lstrip())


def _span(line: str, column: int, in_flow: bool, until_colon: bool = False) -> tuple[int, int]:
    """Start and end of the text a person meant as one value, or as a key if it starts there."""
    start = _entry(line, column)
    if not in_flow and line[start : start + 1] not in ("[", "{"):
        head = _HEAD.match(line[:_LONGEST])
        if until_colon and head and head.end() > column:
            return start, len(line[: head.end()].rstrip()) - 1
        comment = _COMMENT.search(line, column, column + _LONGEST)
        return start, len(line[: comment.start() if comment else None].rstrip())
    before = max(line.rfind(mark, start, column) for mark in (",", "[", "{", ": "))
    colon = ": " if until_colon and line[before : before + 1] != ":" else ","
    start = before + 1 + len(line[before + 1 : column]) - len(line[before + 1 : column].lstrip())
    ends = [at for mark in (",", "]", "}", colon) if (at := line.find(mark, column + 1)) > 0]
    return start, len(line[: min(ends, default=len(line))].rstrip())


def _cure(line: str, start: int, end: int) -> str:
    """The value in quotes, behind its key where that is on the line."""
    text = line[start:end]
    if len(text) > _LONGEST_CURE or end > _LONGEST:
        return "put the text in quotes"
    head = line[_entry_of_key(line) : start]
    whole = head.count("[") + head.count("{") == 0 and head.rstrip().endswith(":")
    return f"quote it: `{head if whole else ''}{quoted(text)}`"


def _entry_of_key(line: str) -> int:
    found = re.compile(r"\s*(?:[-?] +)*").match(line)
    return found.end() if found else 0


def _cover(lines: list[str], line: int, start: int, end: int) -> list[str]:
    """The lines with a span made into letters: same length, so every other place keeps its column."""
    text = lines[line]
    return [*lines[:line], text[:start] + "x" * (end - start) + text[end:], *lines[line + 1 :]]


def short(text: str) -> str:
    """User text as a message may hold it: one line, not too long, nothing a terminal would act on."""
    text = FORBIDDEN.sub("\ufffd", " ".join(text[:200].split()))
    return text if len(text) <= 40 else text[:39] + "…"


def _in_flow(fault: Fault) -> bool:
    return "flow" in fault.context


def _bad_start(fault: Fault) -> Trap:
    """A value whose first character means something else, or nothing, to YAML."""
    (line, column), char = fault.at, fault.char
    if fault.at_end or not char:
        return Trap(line, column, "the file ends inside a list or map", "close its bracket")
    if char == "\t":
        return _tab(fault)
    if column == 0 and fault.line.startswith("..."):
        return Trap(line, column, "`...` ends a document that has not begun", "remove the line")
    reading = f": YAML reads it as {_STARTS[char]}" if char in _STARTS else ""
    shown = "a backtick" if char == "`" else f"`{char}`"
    start, end = _span(fault.line, column, _in_flow(fault), until_colon=True)
    if char == "-" and not _in_flow(fault):
        return Trap(
            line,
            column,
            "a list cannot start on its key's line",
            "put each `- ` on a line of its own, or quote the text",
        )
    covered = _cover(fault.lines, line, column, max(end, column + 1) if start == column else column + 1)
    return Trap(
        line, column, f"a plain text cannot start with {shown}{reading}", _cure(fault.line, start, end), covered
    )


def _tab(fault: Fault) -> Trap:
    """Indentation by tabs cannot be mended: how many spaces a tab stands for is anyone's guess."""
    (line, column), text = fault.at, fault.line
    help = "use spaces: YAML takes no tabs there"
    if not text[:column].strip():
        return Trap(line, column, "a tab indents this line", help)
    spaced = [*fault.lines[:line], text.replace("\t", " "), *fault.lines[line + 1 :]]
    return Trap(line, column, "a tab stands where YAML wants a space", help, spaced)


def _second_colon(fault: Fault) -> Trap:
    """`: ` where no key can stand: inside a text, or on a line that is indented under a finished value."""
    line, column = fault.at
    start = _entry(fault.line, column)
    before = fault.line[start:column].strip()
    if fault.line[:start].rstrip().endswith(":") and before:
        if before[-1] in "\"']}" and before[0] in "\"'[{":
            return _after_value(fault)
        end = _span(fault.line, column, in_flow=False)[1]
        covered = _cover(fault.lines, line, start, end)
        return Trap(line, column, "`: ` inside a plain text starts a new key", _cure(fault.line, start, end), covered)
    above = next((at for at in range(line - 1, -1, -1) if fault.lines[at].strip()), None)
    if above is not None and not re.search(r":(\s|$)|^\s*(#|-)", fault.lines[above]):
        return _keyless(fault.lines, above)
    key = short(fault.line[_entry_of_key(fault.line) : column].strip())
    message = f"`{key}:` cannot stand here: the value above it is not finished"
    indent = _entry_of_key(fault.line)
    return Trap(line, indent, message, "indent it like the keys around it, or quote the text above if it goes on here")


def _keyless(lines: list[str], line: int) -> Trap:
    text = lines[line][:_LONGEST]
    column, text = len(text) - len(text.lstrip()), text.strip()
    if glued := _GLUED.fullmatch(text.removeprefix("- ")):
        return Trap(line, column, f"a space is missing after `{glued[1]}:`", f"write `{glued[1]}: {short(glued[2])}`")
    message = f"`{short(text)}` is neither a key nor a list item"
    return Trap(line, column, message, f"write `{short(text)}:`, or indent it deeper if it continues the text above")


def _no_colon(fault: Fault) -> Trap:
    return _keyless(fault.lines, fault.since[0])


def _stray(fault: Fault) -> Trap:
    """Something stands where only a key or a list item may."""
    line, column = fault.at
    if fault.line[:column].strip().strip("-?").strip():
        return _after_value(fault)
    if fault.char and fault.char in "]}":
        return Trap(line, column, f"`{fault.char}` closes nothing", "remove it, or quote it if it is text")
    word = short(fault.line[column:].strip())
    if not word:
        return _unknown(fault)
    if fault.since[1] == column:
        kind = "list items" if "collection" in fault.context else "keys"
        help = f"indent it deeper, or make it one of the {kind} that start on line {fault.since[0] + 1}"
        return Trap(line, column, f"`{word}` stands among {kind} but is none", help)
    return Trap(
        line, column, f"`{word}` does not line up with the lines above it", "indent it exactly like one of them"
    )


def _after_document(fault: Fault) -> Trap:
    line, column = fault.at
    for at in range(line, -1, -1):
        if fault.lines[at].startswith("%"):
            return directive_trap(at)
        if fault.lines[at].startswith("..."):
            return second_document(line, column)
    return _stray(fault)


def second_document(line: int, column: int) -> Trap:
    help = "keep one document in a file: remove the `---` or `...`"
    return Trap(line, column, "a second document starts here", help)


def _after_value(fault: Fault) -> Trap:
    """Text behind a value that is already complete: a closing quote or bracket, or an alias."""
    (line, column), text = fault.at, fault.line
    if fault.quote is not None and fault.quote[0] < line:
        message = f"the quote opened here closes only on line {line + 1}, before other text"
        return Trap(*fault.quote, message, "close it where its text ends")
    start, end = _span(text, column, _in_flow(fault))
    if text[start : start + 1] == "*":
        return property_trap(fault.lines, line, start, _in_flow(fault))
    last = text[:column].rstrip()[-1:]
    if last in ('"', "'"):
        return Trap(
            line,
            column,
            "text goes on after the closing quote",
            _requote(text, start, end),
            _cover(fault.lines, line, start, end),
        )
    if last in ("]", "}"):
        cure = _cure(text, start, end) if _entry(text, column) == start else "quote it if it is text"
        mended = [*fault.lines[:line], text[:column], *fault.lines[line + 1 :]]
        return Trap(line, column, f"text goes on after the closing `{last}`", cure, mended)
    return Trap(
        line, column, f"`{short(text[column:].strip())}` does not belong to the value before it", "quote the text"
    )


def _requote(line: str, start: int, end: int) -> str:
    text = line[start:end]
    if len(text) > 2 and text[0] == text[-1] == "'":
        return _cure(line[:start] + text[1:-1], start, end - 2)
    return _cure(line, start, end)


def _in_brackets(fault: Fault) -> Trap:
    """A flow list or map that does not go on as one."""
    (line, column), text, char = fault.at, fault.line, fault.char
    opened = fault.lines[fault.since[0]][fault.since[1] : fault.since[1] + 1]
    if char == "{" and column and text[column - 1] == "$":
        return _placeholder(fault)
    if char and char in "]}" and not fault.at_end:
        return Trap(
            line,
            column,
            f"`{char}` closes the `{opened}` of line {fault.since[0] + 1}",
            f"close it with `{'}' if opened == '{' else ']'}`",
        )
    if fault.at_end or fault.since[0] < line:
        return Trap(
            *fault.since,
            f"the `{opened}` opened here is not closed",
            f"close it with `{'}' if opened == '{' else ']'}`",
        )
    start, end = _span(text, column, in_flow=True)
    if char == ":":
        start = _span(text, max(column - 1, 0), in_flow=True)[0]
        return Trap(
            line,
            column,
            "`: ` inside a plain text starts a new key",
            _cure(text, start, end),
            _cover(fault.lines, line, column, column + 1),
        )
    if char in ("{", "["):
        return Trap(
            line,
            column,
            f"`{char}` inside a plain text starts a new {'map' if char == '{' else 'list'}",
            "put the text in quotes",
        )
    return _after_value(fault)


def _placeholder(fault: Fault) -> Trap:
    """`${…}` unquoted between brackets, whose own brackets YAML takes for its own."""
    (line, column), text = fault.at, fault.line
    depth, end = 0, column
    for end in range(column, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            break
    start = _span(text, column - 1, in_flow=True)[0]
    after = re.compile(r"[^,\[\]{}]*").match(text, end + 1)
    end = len(text[: after.end() if after else end + 1].rstrip())
    message = "`${…}` unquoted between brackets: YAML takes its `{` for a map"
    return Trap(line, column - 1, message, _cure(text, start, end), _cover(fault.lines, line, start, end))


def _open_quote(fault: Fault) -> Trap:
    mark = fault.lines[fault.since[0]][fault.since[1] : fault.since[1] + 1]
    return Trap(*fault.since, "the quote opened here is never closed", f"close it with `{mark}`")


def _escape(fault: Fault) -> Trap:
    line, column = fault.at
    start = max(fault.line.rfind("\\", 0, column + 1), 0)
    message = f"`{fault.line[start : start + 2]}` does not start an escape that YAML knows"
    if fault.problem != "found unknown escape character":
        message = f"`{short(fault.line[start : start + 6])}` is not the code of a character"
    covered = _cover(fault.lines, line, start, min(start + 2, len(fault.line)))
    return Trap(line, start, message, "double the backslash, or use single quotes, where it means itself", covered)


def _property(fault: Fault) -> Trap:
    line, column = fault.since
    char = fault.lines[line][column : column + 1]
    if char and char in "*&!":
        return property_trap(fault.lines, line, column, _in_flow(fault))
    return _bad_start(fault._replace(at=fault.since)) if char and char in "|>" else _unknown(fault)


def directive_trap(line: int) -> Trap:
    return Trap(line, 0, "directives (`%…`) are not read", "remove the line: the file is YAML 1.2")


def _directive(fault: Fault) -> Trap:
    return directive_trap(fault.since[0])


def _unknown(fault: Fault) -> Trap:
    return Trap(*fault.at, "YAML cannot read this", "quote the text, or look for a missing bracket or quote above")


_Explainer: TypeAlias = Callable[[Fault], Trap]
_PROPERTIES: dict[str, _Explainer] = {
    "while scanning an alias": _property,
    "while scanning an anchor": _property,
    "while scanning a tag": _property,
    "while parsing a tag": _property,
    "while parsing a node": _property,
    "while scanning a block scalar": _property,
    "while scanning a directive": _directive,
    "while scanning a %YAML directive": _directive,
    "while scanning a tag directive": _directive,
}
_EXPLAINERS: dict[str, _Explainer] = {
    "found character that cannot start any token": _bad_start,
    "block sequence entries are not allowed in this context": _bad_start,
    "mapping keys are not allowed in this context": _bad_start,
    "did not find expected node content": _bad_start,
    "mapping values are not allowed in this context": _second_colon,
    "found unexpected ':'": _in_brackets,
    "found incompatible YAML document": _directive,
    "could not find expected ':'": _no_colon,
    "did not find expected key": _stray,
    "did not find expected '-' indicator": _stray,
    "did not find expected <document start>": _after_document,
    "did not find expected ',' or ']'": _in_brackets,
    "did not find expected ',' or '}'": _in_brackets,
    "found unexpected end of stream": _open_quote,
    "found unexpected document indicator": _open_quote,
    "found unknown escape character": _escape,
    "did not find expected hexdecimal number": _escape,
    "found invalid Unicode character escape code": _escape,
    "found a tab character that violates indentation": _tab,
    "found a tab character where an indentation space is expected": _tab,
}
