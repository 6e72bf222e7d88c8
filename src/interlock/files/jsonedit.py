"""Read JSON with the place of every value, and insert or remove a value without touching any other byte.

`jsonc`: the file may have comments, and a comma after the last value, as some hosts allow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError, Source

__all__ = ["JsonNode", "Step", "insert_item", "insert_member", "read", "remove"]

Step: TypeAlias = str | int
MOST_NESTING = 200  # the reader is recursive, and Python's own recursion limit must not be reached
BOM = "\ufeff"

_COMMENTS = ("//", "/*", "#")  # what other dialects of JSON allow
_NO_KEY, _NO_VALUE = "a key in double quotes is missing", "a value is missing"
_AFTER_COMMA = {"}": _NO_KEY, "]": _NO_VALUE}
_BLANK = re.compile(r"[ \t\r\n]*")
_BLANK_OR_COMMENT = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


class JsonNode(Struct, frozen=True):
    """A value and its place: `text[start:end]`. The value of an object or array consists of nodes."""

    value: Any
    start: int
    end: int
    line: int
    column: int
    key_start: int = -1  # of the key, if it is a member of an object

    def plain(self) -> Any:
        """The whole tree as ordinary Python values."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def source(self, file: str) -> Source:
        return Source(file, self.line, self.column)

    @property
    def children(self) -> list[JsonNode]:
        if isinstance(self.value, dict):
            return list(self.value.values())
        return self.value if isinstance(self.value, list) else []

    @property
    def first(self) -> int:
        """Where it begins, including its key if it has one."""
        return self.start if self.key_start < 0 else self.key_start


def read(text: str, file: str = "", *, jsonc: bool = False) -> JsonNode:
    """The value in a JSON text. Raises InterlockError with line and column."""
    return _Reader(text, file, jsonc).document()


class _Reader:
    """One strict reading from left to right."""

    def __init__(self, text: str, file: str, jsonc: bool) -> None:
        self._text = text
        self._file = file
        self._jsonc = jsonc
        self._blank = _BLANK_OR_COMMENT if jsonc else _BLANK
        self._at = len(BOM) if text.startswith(BOM) else 0
        self._depth = 0
        self._line_start = self._at
        self._line = 1
        self._counted = self._at

    def document(self) -> JsonNode:
        self._skip()
        node = self._value()
        self._skip()
        if self._at < len(self._text):
            self._fail("there is more text after the end of the value")
        return node

    def _value(self, key_start: int = -1) -> JsonNode:
        start, (line, column) = self._at, self._place(self._at)
        value = self._read()
        return JsonNode(value, start, self._at, line, column, key_start)

    def _read(self) -> Any:
        sign = self._text[self._at : self._at + 1]
        if sign == "{":
            return self._one_deeper(self._members)
        if sign == "[":
            return self._one_deeper(self._items)
        if sign == '"':
            return self._string()
        for word, value in _WORDS.items():
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return value
        return self._number()

    def _number(self) -> float:
        found = _NUMBER.match(self._text, self._at)
        if found is None:
            self._fail(_NO_VALUE if self._at < len(self._text) else "it ends too early")
        try:
            number: float = json.loads(found[0])
        except ValueError:
            self._fail("a number has too many digits")
        self._at = found.end()
        return number

    def _one_deeper(self, inside: Callable[[], Any]) -> Any:
        self._depth += 1
        if self._depth > MOST_NESTING:
            self._fail(f"values are nested more than {MOST_NESTING} deep")
        self._at += 1
        self._skip()
        value = inside()
        self._depth -= 1
        return value

    def _members(self) -> dict[str, JsonNode]:
        found: dict[str, JsonNode] = {}
        if self._took("}"):
            return found
        while True:
            start = self._at
            if self._text[start : start + 1] != '"':
                self._fail(_NO_KEY if self._text[start : start + 1] else "it ends too early")
            key = self._string()
            if key in found:
                # Programs disagree on which one counts, so an edit could mean one thing here and another to the host.
                self._fail(f"the key `{key}` appears twice in one object", start)
            self._skip()
            self._expect(":")
            self._skip()
            found[key] = self._value(start)
            self._skip()
            if self._took("}"):
                return found
            self._expect(",")
            self._skip()
            if self._jsonc and self._took("}"):
                return found

    def _items(self) -> list[JsonNode]:
        found: list[JsonNode] = []
        if self._took("]"):
            return found
        while True:
            found.append(self._value())
            self._skip()
            if self._took("]"):
                return found
            self._expect(",")
            self._skip()
            if self._jsonc and self._took("]"):
                return found

    def _string(self) -> str:
        found = _STRING.match(self._text, self._at)
        if found is None:
            self._fail("a string is not closed, or contains a raw control character or an unknown escape")
        self._at = found.end()
        return str(json.loads(found[0]))

    def _skip(self) -> None:
        found = self._blank.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _took(self, sign: str) -> bool:
        if self._text[self._at : self._at + 1] != sign:
            return False
        self._at += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self._took(sign):
            self._fail(f"`{sign}` is missing" if self._at < len(self._text) else "it ends too early")

    def _place(self, at: int) -> tuple[int, int]:
        # Counted onward from the last place, so that finding all places takes one pass over the text.
        for found in _LINE_END.finditer(self._text, self._counted, at):
            self._line += 1
            self._line_start = found.end()
        self._counted = max(self._counted, at)
        return self._line, at - self._line_start + 1

    def _fail(self, why: str, at: int | None = None) -> NoReturn:
        at = self._at if at is None else at
        left = self._text[:at].rstrip()
        help = "correct it by hand"
        if self._text.startswith(_COMMENTS, at):
            why, help = "it contains a comment, which JSON does not allow", "remove the comment"
        elif (close := self._text[at : at + 1]) and _AFTER_COMMA.get(close) == why and left.endswith(","):
            why, help = f"there is a comma before the closing `{close}`", "remove that comma"
            at = len(left) - 1
        before = self._text[len(BOM) if self._text.startswith(BOM) else 0 : at]
        lines = _LINE_END.split(before)
        shown = lines[-1] + _LINE_END.split(self._text[at:])[0]
        raise InterlockError(f"not valid JSON: {why}", Source(self._file, len(lines), len(lines[-1]) + 1), help, shown)


_LINE_END = re.compile(r"\r\n|\r|\n")


# --- editing -----------------------------------------------------------------------------------------------


def insert_member(text: str, path: Sequence[Step], key: str, value: Any, *, jsonc: bool = False) -> str:
    """The text with a member added after the last one of the object at `path`."""
    root = read(text, jsonc=jsonc)
    holder = _find(root, path)
    if not isinstance(holder.value, dict) or key in holder.value:
        raise InterlockError(f"`{key}` cannot be added at {_path_text(path)}")
    return _append(text, root, holder, f"{_text_of(key)}: {_text_of(value)}")


def insert_item(text: str, path: Sequence[Step], value: Any, index: int | None = None, *, jsonc: bool = False) -> str:
    """The text with an item added to the array at `path`: before the one at `index`, or else after the last."""
    root = read(text, jsonc=jsonc)
    holder = _find(root, path)
    if not isinstance(holder.value, list):
        raise InterlockError(f"{_path_text(path)} is not an array")
    if index is None or index >= len(holder.value):
        return _append(text, root, holder, _text_of(value))
    there: JsonNode = holder.value[index]
    return f"{text[: there.start]}{_text_of(value)},{_gap(text, holder)}{text[there.start :]}"


def remove(text: str, path: Sequence[Step], *, jsonc: bool = False) -> str:
    """The text without the value at `path`, its key and its comma: exactly what inserting it had added.

    A comment that has been written beside it since stays.
    """
    holder = _find(read(text, jsonc=jsonc), path[:-1])
    gone = _find(holder, path[-1:])
    children = holder.children
    place = children.index(gone)
    if place + 1 < len(children):
        between = text[gone.end : children[place + 1].first]
        return text[: gone.first] + _comments_in(between) + text[children[place + 1].first :]
    if place:
        before = children[place - 1].end
        return text[:before] + _comments_in(text[before : gone.first]) + text[gone.end :]
    lead, rest = text[holder.start + 1 : gone.first], _comments_in(text[gone.end : holder.end - 1], whole=True)
    opened = text[: holder.start + 1] + (lead if lead.strip() else "")
    rest = rest if rest.strip() else rest.removesuffix(_line(text, holder))  # a comment ends with its line
    return opened + rest + text[holder.end - 1 :]


def _comments_in(between: str, *, whole: bool = False) -> str:
    """A text between two values without its comma; without its white space too if there are no comments in it."""
    if not whole and between.strip() in ("", ","):
        return ""
    found = _BLANK_OR_COMMENT.match(between)
    comma = found.end() if found else 0
    return between[:comma] + between[comma + 1 :] if between[comma : comma + 1] == "," else between


def _append(text: str, root: JsonNode, holder: JsonNode, written: str) -> str:
    if holder.children:
        end = holder.children[-1].end
        return f"{text[:end]},{_gap(text, holder)}{written}{text[end:]}"
    opened, inside, closed = (
        text[: holder.start + 1],
        text[holder.start + 1 : holder.end - 1],
        text[holder.end - 1 :],
    )
    # A file on one line stays on one line; an empty file gets lines, as a person would write it.
    whole = text[root.start : root.end]
    if not _LINE_END.search(whole) and whole.strip("{}[] "):
        return opened + written + inside + closed
    line = _line(text, holder)
    return opened + line + _unit(text, root) + written + inside + line + closed


def _gap(text: str, holder: JsonNode) -> str:
    """What comes before a further child: a new line with its indentation, or a space if they share a line."""
    lead = text[holder.start + 1 : holder.children[0].first]
    lead = lead[len(lead.rstrip()) :]  # without comments
    ends = list(_LINE_END.finditer(lead))
    return lead[ends[-1].start() :] if ends else " "


def _line(text: str, holder: JsonNode) -> str:
    """A line ending, and the indentation of the line on which `holder` begins."""
    ends = _LINE_END.findall(text)
    start = max(text.rfind("\n", 0, holder.start), text.rfind("\r", 0, holder.start)) + 1
    indentation = re.match(r"[ \t]*", text[start:].removeprefix(BOM))
    return (ends[0] if ends else "\n") + (indentation[0] if indentation else "")


def _unit(text: str, root: JsonNode) -> str:
    """One step of indentation, as the top level has it."""
    if root.children:
        lead = re.search(r"[\r\n]([ \t]+)$", text[root.start + 1 : root.children[0].first])
        if lead:
            return lead[1]
    return "  "


def _find(node: JsonNode, path: Sequence[Step]) -> JsonNode:
    for step in path:
        node = node.value[step]
    return node


def _text_of(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Half a surrogate pair can only be written as an escape.
    return json.dumps(value) if re.search("[\ud800-\udfff]", text) else text


def _path_text(path: Sequence[Step]) -> str:
    return "`" + ".".join(str(step) for step in path) + "`" if path else "the top"
