"""Reads YAML so that every value knows where it was written, and refuses what YAML would silently misread.

YAML 1.2 core values; no anchors, tags, merge keys, directives or second documents. The parser's events are read, not
its tree: an alias is never followed, and reading goes on past most errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import isinf
from typing import Any

import yaml
from msgspec import Struct

from interlock.errors import InterlockError, Source
from interlock.policy import traps
from interlock.policy.traps import Fault, Trap

__all__ = ["Document", "LocatedErrors", "Node", "read_with_errors", "read_yaml"]

MOST_BYTES = 1024 * 1024
MOST_NESTING = 64
MOST_VALUES = 200_000
MOST_ERRORS = 50
# Each repair of a syntax error reads the text again, so together they may cost what one more megabyte would.
MOST_REPAIRS = 20

_WIDEST = 240
_BREAK = re.compile(r"\r\n|\r|\n")
_WORDS = {"": None, "~": None} | {
    spelt: value
    for word, value in (("null", None), ("true", True), ("false", False))
    for spelt in (word, word.capitalize(), word.upper())
}
_FORMER = {
    spelt: word in ("yes", "on", "y")
    for word in ("yes", "no", "on", "off", "y", "n")
    for spelt in (word, word.capitalize(), word.upper())
}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_BLANK = frozenset(" \t")
_NUMERIC = frozenset("+-.0123456789")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_STYLES = {"'": "quoted", '"': "quoted", "|": "block", ">": "block"}
_NO_KEYS: dict[str, Source] = {}
_DROPPED = "\0"  # a key that was refused; told from a key of that text by identity


class Node(Struct, frozen=True, gc=False):  # a tree has no cycles to collect
    """One value of the file and where it stands: plain Python for a scalar, else a list or dict of nodes."""

    value: Any
    source: Source
    style: str = ""
    keys: dict[str, Source] = {}
    lines: tuple[str, ...] = ()

    def plain(self) -> Any:
        """The whole tree as ordinary Python values."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def offset(self, n: int) -> Source:
        """Where character `n` of a text stands; its start if escapes or folding hide that."""
        if not isinstance(self.value, str) or not 0 <= n <= len(self.value) or self.source.line > len(self.lines):
            return self.source
        line, column = self.source.line - 1, self.source.column - 1
        header = self.lines[line][column : column + 1] if self.style == "block" else ""
        spot = _in_literal(self, n) if header == "|" else _in_folded(self, n, header)
        return self.source if spot is None else Source(self.source.file, spot[0] + 1, spot[1] + 1)

    def __repr__(self) -> str:
        return f"Node({self.value!r} at {self.source})"


def _in_literal(node: Node, n: int) -> tuple[int, int] | None:
    """A literal block keeps its lines; what a line has in front of its text is indentation."""
    before = node.value[:n].split("\n")
    line = node.source.line - 1 + len(before)
    start = n - len(before[-1])
    text = node.value[start:].partition("\n")[0]
    raw = node.lines[line] if line < len(node.lines) else ""
    if not raw.endswith(text) or (not text and n == len(node.value)):
        return None
    return line, len(raw) - len(text) + len(before[-1])


def _in_folded(node: Node, n: int, header: str) -> tuple[int, int] | None:
    """Walk the text and the lines side by side; a line break was folded into a space or one newline less."""
    line, column = node.source.line - 1, node.source.column - 1
    quote = node.lines[line][column : column + 1] if node.style == "quoted" else ""
    spot = _next_text(node.lines, line) if header else (line, column + len(quote))
    folded = False
    for char in node.value[:n]:
        if spot is None:
            return None
        line, column = spot
        raw = node.lines[line]
        here = raw[column : column + 1]
        if char in " \n" and column >= len(raw.rstrip(" \t")):
            spot, folded = _next_text(node.lines, line), True
        elif quote == '"' and here == "\\":
            if _ESCAPES.get(raw[column + 1 : column + 2]) != char:
                return None
            spot, folded = (line, column + 2), False
        elif here == char:
            spot, folded = (line, column + (2 if here == quote == "'" else 1)), False
        elif not (folded and char == "\n"):
            return None
    return spot


def _next_text(lines: tuple[str, ...], line: int) -> tuple[int, int] | None:
    for at in range(line + 1, len(lines)):
        if text := lines[at].lstrip(" \t"):
            return at, len(lines[at]) - len(text)
    return None


class Document(Struct, frozen=True):
    """A file as it was read: its values, and its lines for pointing at them."""

    root: Node
    lines: tuple[str, ...]
    file: str

    def error(self, message: str, source: Source, help: str | None = None) -> InterlockError:
        """An error that shows its line of this file."""
        return _error(self.lines, message, source, help)


class LocatedErrors(InterlockError):  # noqa: N818 - it is several
    """Everything that is wrong, file by file in the order of its lines."""

    def __init__(self, errors: Iterable[InterlockError], stopped: bool = False) -> None:
        listed = list(errors)
        files = list(dict.fromkeys(error.source.file for error in listed if error.source))
        self.errors = tuple(sorted(listed, key=lambda error: _place(error, files)))
        self.stopped = stopped
        first = self.errors[0]
        super().__init__(first.message, first.source, first.help, first.line)

    def render(self) -> str:
        parts = [error.render() for error in self.errors]
        if len(parts) > 1:
            cut = "not all of the file could be read; " if self.stopped else ""
            parts.append(f"{cut}{len(parts)} errors")
        return "\n\n".join(parts)

    def in_one_line(self) -> str:
        more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
        return super().in_one_line() + more


def _place(error: InterlockError, files: list[str]) -> tuple[int, ...]:
    if error.source is None:
        return (-1, 0, 0)
    return (files.index(error.source.file), error.source.line, error.source.column)


def read_yaml(text: bytes | str, file: str) -> Document:
    """Read one YAML document, or raise LocatedErrors with all that is wrong with it."""
    document, errors = read_with_errors(text, file)
    if errors is not None:
        raise errors
    assert document is not None  # noqa: S101 - there is one where there are no errors
    return document


def read_with_errors(text: bytes | str, file: str) -> tuple[Document | None, LocatedErrors | None]:
    """One YAML document as far as it can be read, and what is wrong with it: more may be wrong with what it says."""
    if not yaml.__with_libyaml__:
        cure = "run `pip install --force-reinstall --only-binary :all: PyYAML`"
        raise LocatedErrors([InterlockError("PyYAML was installed without its C parser", help=cure)])
    decoded = _decode(text, file)
    lines = tuple(_BREAK.split(decoded))
    lines = lines[:-1] if len(lines) > 1 and not lines[-1] else lines
    clean, found = _clean(lines, decoded=isinstance(text, bytes))
    root, more, stopped = _read(clean, lines, file)
    # A byte order mark was taken off the first line, since no letter could stand for it before a key.
    shift = int(lines[0].startswith("\ufeff"))
    found += [trap._replace(column=trap.column + shift) if trap.line == 0 else trap for trap in more]
    if (root is None or root.value is None) and not found:
        found = [Trap(0, 0, "the file is empty", "write at least `version: 1`")]
    if found or root is None:
        errors = [
            _error(lines, trap.message, Source(file, trap.line + 1, trap.column + 1), trap.help) for trap in found
        ]
        problem = LocatedErrors(errors[:MOST_ERRORS], stopped or len(errors) > MOST_ERRORS)
        whole = root is not None and not problem.stopped
        return (Document(root, lines, file) if whole and root is not None else None), problem
    return Document(root, lines, file), None


def _error(lines: tuple[str, ...], message: str, source: Source, help: str | None) -> InterlockError:
    text = lines[source.line - 1] if 0 < source.line <= len(lines) else None
    if text is None or source.column > _WIDEST:
        return InterlockError(message, source, help)  # a caret that far to the right helps nobody
    shown = text if len(text) <= _WIDEST else text[:_WIDEST] + "…"
    # What may not stand in the file must not reach a terminal either.
    return InterlockError(message, source, help, line=traps.FORBIDDEN.sub("\ufffd", shown))


def _decode(text: bytes | str, file: str) -> str:
    size = len(text)
    if isinstance(text, str) and size <= MOST_BYTES and not text.isascii():
        size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        help = "split it: a pack is a file of its own, named under `packs`"
        raise LocatedErrors([InterlockError("the file is larger than 1 MiB", Source(file, 1, 1), help)])
    if isinstance(text, str):
        return text
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise LocatedErrors([InterlockError("the file is UTF-16", Source(file, 1, 1), "save it as UTF-8")])
    # What is no UTF-8 becomes lone surrogates, which the scan for forbidden characters then reports.
    return text.decode("utf-8", "surrogateescape")


def _clean(lines: tuple[str, ...], decoded: bool) -> tuple[list[str], list[Trap]]:
    """The lines as the parser may see them, and what had to be covered up; one error a line is enough."""
    text = "\n".join(lines)
    if not traps.FORBIDDEN.search(text):
        return list(lines), []
    found: list[Trap] = []
    for number, line in enumerate(lines):
        if len(found) < MOST_ERRORS and (bad := traps.FORBIDDEN.search(line)):
            why, help = traps.forbidden(bad[0], first=number + bad.start() == 0, decoded=decoded)
            found.append(Trap(number, bad.start(), why, help))
    return traps.FORBIDDEN.sub("x", text.removeprefix("\ufeff")).split("\n"), found


def _read(clean: list[str], lines: tuple[str, ...], file: str) -> tuple[Node | None, list[Trap], bool]:
    """Read as far as it goes, covering up faults that do not spread and reading again."""
    directive, clean = traps.without_directives(clean)
    found: list[Trap] = []
    if directive is not None:
        found.append(traps.directive_trap(directive))
    left = min(MOST_REPAIRS, MOST_BYTES // max(sum(map(len, clean)) + len(clean), 1))
    while True:
        reader = _Reader(clean, lines, file)
        fault = reader.read()
        if fault is None:
            return reader.root, found + reader.found, reader.stopped
        found.append(fault)
        left -= 1
        if fault.mended is None or fault.mended == clean or left < 0:
            return None, found + reader.found, True
        clean = fault.mended


class _Open(Struct):
    """A list or map that is being read."""

    items: Any
    node: Node
    keyed: bool
    in_flow: bool
    key: str | None = None


class _Reader:
    """Builds nodes from the parser's events, and notes what the grammar permits and we do not."""

    def __init__(self, clean: list[str], lines: tuple[str, ...], file: str) -> None:
        self.clean, self.lines, self.file = clean, lines, file
        self.found: list[Trap] = []
        self.root: Node | None = None
        self.stopped = False
        self._open: list[_Open] = []
        self._documents = 0
        self._quote: tuple[int, int] | None = None
        self._last = len(clean) - 1

    def read(self) -> Trap | None:
        """Read to the end, to the first syntax error (which is returned), or until it is enough."""
        count = 0
        try:
            for event in yaml.parse("\n".join(self.clean), Loader=yaml.CSafeLoader):
                count += 1
                _HANDLERS[type(event)](self, event)
                if count > MOST_VALUES:
                    self._trap(event, f"the file holds more than {MOST_VALUES:,} keys and values", "split it")
                    self.stopped = True
                if self.stopped or len(self.found) >= MOST_ERRORS:
                    self.stopped = True
                    return None
        except yaml.MarkedYAMLError as error:
            return traps.explain(self._fault(error))
        return None

    def _fault(self, error: yaml.MarkedYAMLError) -> Fault:
        at = error.problem_mark or error.context_mark
        since = error.context_mark or at
        context = error.context or ("flow" if self._open and self._open[-1].in_flow else "")
        beyond = at is None or at.line >= len(self.clean)
        return Fault(error.problem or "", context, self._spot(at), self._spot(since), self.clean, beyond, self._quote)

    def _spot(self, mark: Any) -> tuple[int, int]:
        """A mark, drawn back into the text: the parser also knows a line after the last."""
        if mark is None or mark.line > self._last:
            return self._last, len(self.clean[self._last])
        return mark.line, mark.column

    def _source(self, spot: tuple[int, int]) -> Source:
        return Source(self.file, spot[0] + 1, spot[1] + 1)

    def _trap(self, event: Any, message: str, help: str) -> None:
        self.found.append(Trap(*self._spot(event.start_mark), message, help))

    def document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            self.found.append(traps.second_document(*self._spot(event.start_mark)))
            self.stopped = True

    def alias(self, event: Any) -> None:
        spot = self._spot(event.start_mark)
        self.found.append(traps.property_trap(self.clean, *spot, in_flow=self._in_flow()))
        if self._wants_key():
            self._open[-1].key = _DROPPED
        else:
            self._put(Node(None, self._source(spot)))

    def scalar(self, event: Any) -> None:
        """The path nearly every event takes, and so written for speed."""
        spot = self._spot(event.start_mark)
        style = _STYLES.get(event.style, "plain")
        if style == "quoted":
            self._quote = spot
        if event.tag is not None or event.anchor is not None:
            self._property(spot)
        top = self._open[-1] if self._open else None
        if top is not None and top.keyed and top.key is None:
            self._key(top, event.value, style, spot)
            return
        value = self._resolve(event) if style == "plain" and event.tag is None else event.value
        node = Node(value, Source(self.file, spot[0] + 1, spot[1] + 1), style, _NO_KEYS, self.lines)
        if top is not None and not top.keyed:
            top.items.append(node)
        else:
            self._put(node)

    def start(self, event: Any) -> None:
        spot = self._spot(event.start_mark)
        if event.tag is not None or event.anchor is not None:
            self._property(spot)
        if self._wants_key():
            self._trap(event, "a list or map cannot be a key", "quote it if it is text")
        elif self._in_flow() and event.flow_style and self.clean[spot[0]][spot[1] : spot[1] + 1] not in ("[", "{"):
            self.found.append(traps.paired(self.clean, *spot))
        keyed = isinstance(event, yaml.MappingStartEvent)
        items: Any = {} if keyed else []
        self._open.append(_Open(items, Node(items, self._source(spot)), keyed, bool(event.flow_style)))
        if len(self._open) > MOST_NESTING:
            self._trap(event, f"lists and maps are nested more than {MOST_NESTING} deep", "use fewer levels")
            self.stopped = True

    def end(self, event: Any) -> None:
        self._put(self._open.pop().node)

    def nothing(self, event: Any) -> None:
        """Where the stream or a document starts or ends says nothing about a value."""

    def _in_flow(self) -> bool:
        return bool(self._open) and self._open[-1].in_flow

    def _wants_key(self) -> bool:
        return bool(self._open) and self._open[-1].keyed and self._open[-1].key is None

    def _property(self, spot: tuple[int, int]) -> None:
        self.found.append(traps.property_trap(self.clean, *spot, in_flow=self._in_flow()))

    def _key(self, top: _Open, text: str, style: str, spot: tuple[int, int]) -> None:
        top.key = text
        if text == "<<" and style == "plain":
            self.found.append(Trap(*spot, "merge keys (`<<`) are not read", "write the keys out"))
            top.key = _DROPPED
        elif first := top.node.keys.get(text):
            message = f"duplicate key `{traps.short(text)}`: it already stands on line {first.line}"
            self.found.append(Trap(*spot, message, "remove one of the two"))
            top.key = _DROPPED
        else:
            top.node.keys[text] = self._source(spot)

    def _put(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        if not top.keyed:
            top.items.append(node)
        elif top.key is None:  # a list or map as a key, refused where it started
            top.key = _DROPPED
        else:
            if top.key is not _DROPPED:
                top.items[top.key] = node
            top.key = None

    def _resolve(self, event: Any) -> Any:
        """What a plain scalar means in YAML 1.2, and whether its author meant that."""
        text: str = event.value
        value: Any = text
        if text in _WORDS:
            value = _WORDS[text]
        elif text in _FORMER:
            top = self._open[-1] if self._open else None
            help = traps.former_help(text, _FORMER[text], top.key if top is not None and top.keyed else None)
            self._trap(event, f"`{text}` is text in YAML 1.2", help)
        elif text[0] in _NUMERIC:
            value = self._number(event, text)
        if value is text or not text:
            self._check_cut(event.end_mark, empty=not text)
        return value

    def _check_cut(self, end: Any, empty: bool) -> None:
        line, column = self._spot(end)
        if self.clean[line][column : column + 1] in _BLANK:
            cut = traps.cut_off(self.clean, line, column, in_flow=self._in_flow(), empty=empty)
            self.found += [cut] if cut else []

    def _number(self, event: Any, text: str) -> int | float | str:
        help = "quote it if it is text"
        if _INT.fullmatch(text):
            base = {"0o": 8, "0x": 16}.get(text[:2], 10)
            number = int(text, base) if len(text) < 100 else 2**63
            if not -(2**63) <= number < 2**63:
                self._trap(event, "the number does not fit into 64 bits", help)
            return number
        if _FLOAT.fullmatch(text):
            real = float(text)
            if isinf(real):
                self._trap(event, "the number is too large", help)
            return real
        if _NO_NUMBER.fullmatch(text):
            self._trap(event, f"`{traps.short(text)}` is not a number a policy can use", help)
        return text


_HANDLERS: dict[type, Callable[[_Reader, Any], None]] = {
    yaml.StreamStartEvent: _Reader.nothing,
    yaml.StreamEndEvent: _Reader.nothing,
    yaml.DocumentStartEvent: _Reader.document,
    yaml.DocumentEndEvent: _Reader.nothing,
    yaml.AliasEvent: _Reader.alias,
    yaml.ScalarEvent: _Reader.scalar,
    yaml.SequenceStartEvent: _Reader.start,
    yaml.SequenceEndEvent: _Reader.end,
    yaml.MappingStartEvent: _Reader.start,
    yaml.MappingEndEvent: _Reader.end,
}
