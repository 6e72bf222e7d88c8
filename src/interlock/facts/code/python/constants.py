"""Working out constants: texts that are joined, cut, formatted, decoded. What could take long or much room is not."""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import operator
import re
import warnings
import zlib
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from interlock.facts.code.python.values import ANY, Choice, Items, PathText, Value, combine, path_text, text_of
from interlock.facts.limits import PYTHON_ITEMS, VALUE
from interlock.facts.shell import UNKNOWN

__all__ = ["FUNCTIONS", "arithmetic", "call_constant", "format_percent", "format_text", "subscript", "text_method"]

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*(?:\{[^{}]*\})*[^{}]*)\}")
_DIRECTIVE = re.compile(r"%(?:\((\w+)\))?([-+ #0]*(?:\d+|\*)?(?:\.\d+)?)([a-zA-Z%])")
# Methods that only make another text of one: what they are called on and given is known, so is what they give.
_PURE = frozenset(
    [
        "upper",
        "lower",
        "strip",
        "lstrip",
        "rstrip",
        "replace",
        "split",
        "rsplit",
        "splitlines",
        "encode",
        "decode",
        "title",
        "capitalize",
        "swapcase",
        "removeprefix",
        "removesuffix",
        "partition",
        "rpartition",
        "translate",
        "casefold",
        "hex",
        "startswith",
        "endswith",
        "find",
        "index",
        "count",
        "isdigit",
        "fromhex",
        "maketrans",
    ]
)
_SAME_SHAPE = frozenset(["strip", "rstrip", "lstrip", "encode", "decode"])  # so do these with parts that are not known
_LISTS = frozenset(["split", "rsplit", "splitlines", "partition", "rpartition"])
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitXor: operator.xor, ast.BitOr: operator.or_, ast.BitAnd: operator.and_,
    ast.RShift: operator.rshift, ast.Div: operator.truediv,
}  # fmt: skip
_BITS = 256  # of a number that is worked out
_CODINGS = frozenset(
    [
        "utf_8",
        "utf8",
        "ascii",
        "latin_1",
        "latin1",
        "iso_8859_1",
        "cp1252",
        "utf_16",
        "utf_32",
        "utf_16_le",
        "utf_16_be",
        "rot13",
        "rot_13",
        "hex",
        "hex_codec",
        "base64",
        "base64_codec",
        "unicode_escape",
        "raw_unicode_escape",
    ]
)
_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})
_WRONG = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, binascii.Error)


def text_method(value: str | bytes, name: str, args: list[Value], lost: Callable[[], object]) -> Value:
    """What a method of a text gives."""
    if name == "format" and type(value) is str:
        return format_text(value, args, {}, lost)
    if name == "join":
        return _join_items(value, args[0] if args else ANY, lost)
    if name not in _PURE:
        return ANY
    if any(type(arg) not in _PLAIN for arg in args):
        return Items(ANY) if name in _LISTS else ANY
    unknown = UNKNOWN in value if type(value) is str else False
    if unknown and (name not in _SAME_SHAPE or type(value) is not str):
        return Items(ANY) if name in _LISTS else UNKNOWN
    if unknown and name in ("encode", "decode"):
        return value
    if (
        name == "replace"
        and len(value) * (1 + max(len(arg) if type(arg) in (str, bytes) else 0 for arg in args[1:2] or [""]))
        > VALUE.most * 5
    ):
        lost()
        return ANY
    if name in ("encode", "decode") and args and not _is_coding(args[0]):
        return ANY
    try:
        found = getattr(value, name)(*args)
    except _WRONG:
        return ANY
    return list(found) if type(found) is tuple else found


def _join_items(value: str | bytes, items: Value, lost: Callable[[], object]) -> Value:
    if type(value) is bytes:
        known = type(items) is list and all(type(one) is bytes for one in items)
        return value.join(items) if known else ANY
    if type(items) is str and UNKNOWN not in items:
        items = list(items)
    if type(items) in (list, tuple):
        parts: list[Value] = []
        for number, one in enumerate(items):
            parts += [value, one] if number else [one]
        return combine(parts, lost, path_text)
    return UNKNOWN


def format_text(text: str, args: list[Value], named: dict[str, Value], lost: Callable[[], object]) -> Value:
    """What `format` makes of a text."""
    parts: list[Value] = []
    at = number = 0
    for field in _FIELD.finditer(text):
        parts.append(text[at : field.start()])
        at = field.end()
        if field[1] is None:
            parts.append(field[0][0])
            continue
        name, _, how = field[1].partition(":")
        name, number = (str(number), number + 1) if name == "" else (name.partition("!")[0], number)
        value: Value = ANY
        if name.isdigit():
            value = {str(place): arg for place, arg in enumerate(args)}.get(name, ANY)
        elif name in named:
            value = named[name]
        parts.append(UNKNOWN if how and type(value) not in (str, Choice) else value)
    return combine([*parts, text[at:]], lost)


def format_percent(text: str | bytes, given: Value, lost: Callable[[], object]) -> Value:
    """What `%` makes of a text."""
    if isinstance(text, bytes):
        return ANY
    values = list(given) if type(given) in (list, tuple) else [given]
    parts: list[Value] = []
    at = 0
    for found in _DIRECTIVE.finditer(text):
        parts.append(text[at : found.start()])
        at = found.end()
        if found[3] == "%":
            parts.append("%")
        elif found[1]:
            value = given.get(found[1], ANY) if type(given) is dict else ANY
            parts.append(value if not found[2] else UNKNOWN)
        else:
            value = values.pop(0) if values else ANY
            parts.append(value if not found[2] and found[3] in "sdi" else UNKNOWN)
    return combine([*parts, text[at:]], lost)


def arithmetic(kind: type[ast.operator], left: Value, right: Value, lost: Callable[[], object]) -> Value:
    """What an operator makes of two constants."""
    of, other = type(left), type(right)
    if kind is ast.Mult and {of, other} & {str, bytes, list}:
        if of is int:
            left, right, of, other = right, left, other, of
        if other is not int or of not in (str, bytes, list):
            return ANY
        if len(left) * max(right, 0) > (PYTHON_ITEMS if of is list else VALUE).most:
            lost()
            return ANY
        return left * right
    compute = _OPERATORS.get(kind)
    if compute is None or of not in (int, float, bool, bytes) or other not in (int, float, bool, bytes):
        return ANY
    if any(type(one) is int and one.bit_length() > _BITS for one in (left, right)):
        return ANY
    try:
        return compute(left, right)
    except _WRONG:
        return ANY


def subscript(value: Value, key: Value) -> Value:
    """A part of a text, a list or a dict; ANY if it is not known."""
    of = type(value)
    if of is dict:
        try:
            return value.get(key, ANY)
        except TypeError:
            return ANY
    if of is str and UNKNOWN in value:
        return UNKNOWN
    if (of is str or of is bytes or of is list or of is tuple) and type(key) in (int, slice, bool):
        try:
            return value[key]
        except _WRONG:
            return ANY
    return ANY


# --- functions of modules --------------------------------------------------------------------------------------------


def _plain_bytes(value: Any) -> bytes:
    return value if type(value) is bytes else value.encode("latin-1")


def _inflate(data: bytes, bits: int) -> bytes:
    found = zlib.decompressobj(bits).decompress(data, VALUE.most)
    if len(found) >= VALUE.most:
        raise ValueError("more than is worked out")
    return found


def _decode(value: Any, coding: str = "utf-8", *_: Any) -> Any:
    if coding.lower().replace("-", "_") in ("zlib", "zlib_codec", "zip"):
        return _inflate(value, 15)
    return codecs.decode(value, coding) if _is_coding(coding) else ANY


def _is_coding(name: object) -> bool:
    return type(name) is str and name.lower().replace("-", "_") in _CODINGS


def _range_items(*args: int) -> list[int]:
    found = range(*args)
    if len(found) > PYTHON_ITEMS.most:
        raise ValueError("more than is worked out")
    return list(found)


def _text(value: Any, *how: Any) -> Any:
    return value.decode(*how) if type(value) is bytes and how else text_of(value)


def _bytes(value: Any = b"", *how: Any) -> Any:
    if type(value) is str:
        return value.encode(*how)
    return bytes(value) if type(value) in (bytes, list) else ANY


def _literal(value: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ast.literal_eval(value)
    return found if type(found) in _PLAIN else ANY


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "base64.b64decode": lambda value, *_: base64.b64decode(value),
    "base64.standard_b64decode": base64.b64decode,
    "base64.decodebytes": base64.decodebytes,
    "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "base64.b32decode": base64.b32decode,
    "base64.b16decode": base64.b16decode,
    "base64.b85decode": base64.b85decode,
    "base64.a85decode": base64.a85decode,
    "base64.b64encode": lambda value, *_: base64.b64encode(value),
    "binascii.unhexlify": binascii.unhexlify,
    "binascii.a2b_hex": binascii.unhexlify,
    "binascii.a2b_base64": binascii.a2b_base64,
    "bytes.fromhex": bytes.fromhex,
    "bytearray.fromhex": bytes.fromhex,
    "bytes.decode": lambda value, *how: value.decode(*how),
    "str.encode": lambda value, *how: value.encode(*how),
    "codecs.decode": _decode,
    "codecs.encode": lambda value, coding="utf-8", *_: codecs.encode(value, coding) if _is_coding(coding) else ANY,
    "zlib.decompress": lambda value, *_: _inflate(value, 15),
    "gzip.decompress": lambda value: _inflate(value, 31),
    "urllib.parse.unquote": unquote,
    "urllib.parse.quote": lambda value, *_: quote(value),
    "chr": chr, "ord": ord, "int": int, "str": _text, "bytes": _bytes, "bytearray": _bytes, "hex": hex, "len": len,
    "range": _range_items, "repr": repr, "abs": abs,
    "os.fsencode": lambda value: value.encode(), "os.fsdecode": lambda value: path_text(value),
    "os.path.basename": lambda value: path_text(value).rpartition("/")[2],
    "os.path.dirname": lambda value: path_text(value).rpartition("/")[0],
    "os.path.splitext": lambda value: list(path_text(value).rpartition(".")[::2]),
    "textwrap.dedent": lambda value: value,
    "shlex.quote": lambda value: "'" + value.replace("'", "'\"'\"'") + "'",
    "html.unescape": lambda value: value,
    "ast.literal_eval": _literal, "json.dumps": lambda value, *_: ANY,
}  # fmt: skip
_KINDS = frozenset({str, bytes, int, bool, list, PathText})


def call_constant(name: str, args: list[Value]) -> Value:
    """What a function that only computes gives for constants."""
    for arg in args:
        kind = type(arg)
        if kind not in _KINDS or (kind is str and (UNKNOWN in arg or len(arg) > VALUE.most)):
            return ANY
        if kind is list and any(type(one) is not int for one in arg):
            return ANY
    try:
        return FUNCTIONS[name](*args)
    except (*_WRONG, zlib.error, MemoryError, OverflowError, RecursionError, SyntaxError):
        return ANY
