"""Methods of texts and lists, and functions that only reckon: what they give for constants."""

from __future__ import annotations

import base64
import binascii
import posixpath
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from msgspec import DecodeError, json

from interlock.facts.code.javascript.scan import character
from interlock.facts.code.javascript.values import (
    ANY,
    FALSE,
    NULL,
    TRUE,
    UNDEFINED,
    WHOLE_ENVIRONMENT,
    Either,
    Foreign,
    LibraryPart,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    either,
    listed,
    origin,
    text_of,
)
from interlock.facts.limits import JS_ITEMS, VALUE
from interlock.facts.shell import UNKNOWN

__all__ = ["LIST_CALLS", "PURE", "decode", "join_paths", "list_method", "text_method", "whole"]

LIST_CALLS = frozenset({
    "forEach", "map", "filter", "flatMap", "find", "findLast", "findIndex", "some", "every", "reduce", "reduceRight",
    "sort", "toSorted",
})  # fmt: skip


def whole(value: Value) -> int | None:
    """A number without a fraction, if it is one."""
    if isinstance(value, Num) and value.value == value.value and abs(value.value) < 1e9:
        return int(value.value)
    return None


def _cut(text: str, args: list[Value], *, substring: bool = False) -> str:
    numbers = [whole(arg) for arg in args[:2]]
    if None in numbers:
        return UNKNOWN
    first = numbers[0] if numbers else 0
    last = numbers[1] if len(numbers) > 1 else None
    if substring:
        ends = sorted((max(0, first or 0), len(text) if last is None else max(0, last)))
        return text[ends[0] : ends[1]]
    return text[first:last]


def _new_text(name: str, text: str, args: list[Value]) -> str | None:
    """A text made of another; None if the method is not known here."""
    given = [text_of(arg) for arg in args]
    first = given[0] if given else ""
    if name in ("toString", "valueOf", "normalize", "toWellFormed", "text"):
        return text
    if name in ("trim", "trimStart", "trimEnd"):
        return {"trim": text.strip, "trimStart": text.lstrip, "trimEnd": text.rstrip}[name]()
    if name in ("toUpperCase", "toLocaleUpperCase"):
        return text.upper()
    if name in ("toLowerCase", "toLocaleLowerCase"):
        return text.lower()
    if name in ("slice", "substring"):
        return UNKNOWN if UNKNOWN in text else _cut(text, args, substring=name == "substring")
    if name == "substr":
        numbers = [whole(arg) for arg in args[:2]]
        if None in numbers or not numbers or UNKNOWN in text:
            return UNKNOWN
        start = numbers[0] or 0
        start = max(0, len(text) + start) if start < 0 else start
        return text[start:] if len(numbers) < 2 else text[start : start + (numbers[1] or 0)]
    if name in ("charAt", "at"):
        place = whole(args[0]) if args else 0
        if place is None or UNKNOWN in text:
            return UNKNOWN
        return text[place] if -len(text) <= place < len(text) else ""
    if name == "concat":
        return text + "".join(given)
    if name == "repeat":
        times = whole(args[0]) if args else None
        return UNKNOWN if times is None or times < 0 or len(text) * times > VALUE.most else text * times
    if name in ("replace", "replaceAll") and len(args) > 1:
        if not isinstance(args[0], TextValue) or not isinstance(args[1], TextValue) or UNKNOWN in text + first:
            return UNKNOWN
        return text.replace(first, given[1], 1 if name == "replace" else -1) if first else UNKNOWN
    if name in ("padStart", "padEnd"):
        return UNKNOWN
    return None


def text_method(of: TextValue, name: str, args: list[Value]) -> Value:
    """What a method of a text gives."""
    text = of.text
    if name == "toString" and args and text_of(args[0]) in ("base64", "hex", "base64url"):
        return TextValue(UNKNOWN, of.origin)
    changed = _new_text(name, text, args)
    if changed is not None:
        return TextValue(changed if len(changed) <= VALUE.most else UNKNOWN, of.origin | origin(List(args)))
    if UNKNOWN in text:
        return TextValue(UNKNOWN, of.origin)
    if name == "split" and args and isinstance(args[0], TextValue) and UNKNOWN not in args[0].text:
        by = args[0].text
        return _texts(text.split(by, JS_ITEMS.most) if by else list(text[: JS_ITEMS.most + 1]), of.origin)
    if name in ("charCodeAt", "codePointAt"):
        place = whole(args[0]) if args else 0
        return Num(ord(text[place])) if place is not None and 0 <= place < len(text) else ANY
    if name in ("indexOf", "lastIndexOf") and len(args) == 1:
        return Num(text.find(text_of(args[0])) if name == "indexOf" else text.rfind(text_of(args[0])))
    return TextValue(UNKNOWN, of.origin)


def list_method(of: List, name: str, args: list[Value]) -> Value | None:
    """What a method of a list gives; None if it is not known here."""
    items = of.items
    if name == "join":
        between = text_of(args[0]) if args and args[0] != UNDEFINED else ","
        text = between.join(text_of(one) for one in items[: JS_ITEMS.most])
        text += UNKNOWN if of.open or len(items) > JS_ITEMS.most else ""
        return TextValue(text if len(text) <= VALUE.most else UNKNOWN, origin(of))
    if name in ("push", "unshift"):
        if len(items) + len(args) > JS_ITEMS.most:
            of.open = True
        else:
            of.items = [*items, *args] if name == "push" else [*args, *items]
        return ANY
    if name in ("pop", "shift"):
        return items.pop(-1 if name == "pop" else 0) if items else ANY
    if name in ("reverse", "toReversed"):
        turned = items[::-1]
        if name == "reverse":
            of.items = turned
        return List(turned, of.open)
    if name == "slice":
        numbers = [whole(arg) for arg in args[:2]]
        if None in numbers:
            return List(list(items), open=True)
        start, end = [*numbers, None, None][:2]
        return List(items[start:end], of.open)
    if name == "concat":
        more = [one for arg in args for one in (arg.items if isinstance(arg, List) else [arg])]
        return listed([*items, *more], more=of.open or any(isinstance(arg, List) and arg.open for arg in args))
    if name in ("at",) and args:
        place = whole(args[0])
        return items[place] if place is not None and -len(items) <= place < len(items) else either(ANY, *items)
    if name in ("flat", "values", "toString", "fill", "splice", "keys", "entries"):
        if name == "flat":
            inner = [two for one in items for two in (one.items if isinstance(one, List) else [one])]
            return listed(inner, more=of.open)
        if name == "entries":
            return List([List([Num(place), one]) for place, one in enumerate(items)], of.open)
        if name == "fill":
            of.items = [args[0] if args else UNDEFINED for _ in items]
            return of
        return TextValue(text_of(of), origin(of)) if name == "toString" else List(list(items), open=True)
    if name in ("includes", "indexOf", "lastIndexOf", "keys"):
        return ANY
    return None


# --- functions -----------------------------------------------------------------------------------------------------


def decode(text: str, by: str) -> str:
    """What an encoded text says."""
    if UNKNOWN in text:
        return UNKNOWN
    try:
        if by in ("base64", "base64url"):
            plain = text.replace("-", "+").replace("_", "/").rstrip("=")
            raw = base64.b64decode(plain + "=" * (-len(plain) % 4))
        elif by == "hex":
            raw = binascii.unhexlify(text)
        else:
            return text
    except (binascii.Error, ValueError):
        return UNKNOWN
    return raw.decode("utf-8", "replace")


def join_paths(parts: list[str], *, resolve: bool = False) -> str:
    """A path of parts; one that is resolved begins anew at each that begins at the root."""
    found = ""
    for part in parts:
        if part == "":
            continue
        if not found or (resolve and part.startswith(("/", "~"))):
            found = part
        else:
            found = f"{found.rstrip('/')}/{part.lstrip('/')}"
    if not found:
        return "."
    return found if found.startswith(("~", UNKNOWN)) else posixpath.normpath(found)


def _characters(args: list[Value]) -> Value:
    if len(args) > JS_ITEMS.most:
        return ANY
    numbers = [whole(arg) for arg in args]
    return TextValue("".join(UNKNOWN if one is None else character(one) for one in numbers))


def _buffer(args: list[Value]) -> Value:
    if args and isinstance(args[0], List):
        numbers = [whole(one) for one in args[0].items]
        if None in numbers or args[0].open:
            return ANY
        return TextValue(bytes((one or 0) & 0xFF for one in numbers).decode("utf-8", "replace"))
    by = text_of(args[1]).lower() if len(args) > 1 else "utf8"
    return TextValue(decode(text_of(args[0]), by), origin(args[0])) if args else ANY


def _number(args: list[Value]) -> Value:
    text = text_of(args[0]).strip() if args else ""
    base = whole(args[1]) if len(args) > 1 else 10
    try:
        return Num(int(text, base or 10)) if text.isalnum() else Num(float(text)) if text else ANY
    except ValueError:
        return ANY


def _from_json(args: list[Value]) -> Value:
    text = text_of(args[0]) if args else UNKNOWN
    marks = origin(args[0]) if args else 0
    if UNKNOWN in text or len(text) > VALUE.most:
        return TextValue(UNKNOWN, marks)
    try:
        return _value(json.decode(text), 20)
    except (DecodeError, UnicodeError, RecursionError):
        return ANY


def _value(found: Any, depth: int) -> Value:
    if isinstance(found, str):
        return TextValue(found)
    if isinstance(found, bool):
        return TRUE if found else FALSE
    if isinstance(found, (int, float)):
        return Num(found)
    if found is None:
        return NULL
    if not depth:
        return ANY
    if isinstance(found, list):
        return List([_value(one, depth - 1) for one in found])
    return Obj({key: _value(one, depth - 1) for key, one in found.items()})


def _texts(parts: list[str], marks: int) -> List:
    return List([TextValue(part, marks) for part in parts[: JS_ITEMS.most]], len(parts) > JS_ITEMS.most)


def _blank(many: int) -> List:
    return List([UNDEFINED] * max(0, min(many, JS_ITEMS.most)), many > JS_ITEMS.most)


def _items(args: list[Value]) -> List:
    value = args[0] if args else UNDEFINED
    if isinstance(value, List):
        return List(list(value.items), value.open)
    if isinstance(value, TextValue) and UNKNOWN not in value.text:
        return _texts(list(value.text[: JS_ITEMS.most + 1]), value.origin)
    if isinstance(value, Obj) and "length" in value.props and (many := whole(value.props["length"])) is not None:
        return _blank(many)
    return List([TextValue(UNKNOWN, origin(value))], open=True)


def _pairs(what: str) -> Callable[[list[Value]], Value]:
    def of(args: list[Value]) -> Value:
        value = args[0] if args else UNDEFINED
        if isinstance(value, LibraryPart) and value.name == "process.env":
            return List([TextValue(UNKNOWN, WHOLE_ENVIRONMENT)], open=True)
        if isinstance(value, List):
            value = Obj({str(place): one for place, one in enumerate(value.items)}, open=value.open)
        if not isinstance(value, Obj) or value.kind:
            if isinstance(value, (LibraryPart, Either)) and what != "keys":
                return Foreign("a part of a library")  # which one is taken is not known
            return List([TextValue(UNKNOWN, origin(value))], open=True)
        found: list[Value] = []
        for key, one in value.props.items():
            found.append(TextValue(key) if what == "keys" else one if what == "values" else List([TextValue(key), one]))
        return List(found, value.open or value.base is not None)

    return of


def _text(args: list[Value]) -> Value:
    return TextValue(text_of(args[0]), origin(args[0])) if args else TextValue("")


def _same(args: list[Value]) -> Value:
    return args[0] if args else UNDEFINED


def _list(args: list[Value]) -> Value:
    many = whole(args[0]) if len(args) == 1 else None
    return List(list(args)) if many is None else _blank(many)


def _folder(args: list[Value]) -> Value:
    text = text_of(args[0]) if args else UNKNOWN
    return TextValue(UNKNOWN if UNKNOWN in text else posixpath.dirname(text.rstrip("/")) or ".")


def _base(args: list[Value]) -> Value:
    return TextValue(posixpath.basename(text_of(args[0]).rstrip("/")) if args else UNKNOWN)


def _url(args: list[Value]) -> Value:
    texts = [text_of(arg) for arg in args[:2]]
    href = texts[0] if texts else UNKNOWN
    if len(texts) > 1 and "://" not in href:
        href = f"{texts[1].rstrip('/')}/{href.lstrip('/')}"
    marks = origin(List(args))
    return Obj({"href": TextValue(href, marks), "searchParams": Obj(open=True)}, open=True)


def _merge(args: list[Value]) -> Value:
    """`Object.assign`: the first object, with what the others have."""
    first = args[0] if args else ANY
    if not isinstance(first, Obj):
        return first
    for more in args[1:]:
        if isinstance(more, Obj):
            first.props.update(more.props)
            first.open = first.open or more.open
            first.base = more.base or first.base
        elif isinstance(more, LibraryPart):
            first.base = more
        else:
            first.open = True
    return first


def _all(args: list[Value]) -> Value:
    return args[0] if args and isinstance(args[0], List) else List([*args], open=True)


PURE: dict[str, Callable[[list[Value]], Value]] = {
    "String": _text, "String.raw": _text, "Number": _number, "parseInt": _number, "parseFloat": _number,
    "String.fromCharCode": _characters, "String.fromCodePoint": _characters, "Boolean": lambda args: ANY,
    "Buffer.from": _buffer, "Buffer": _buffer, "JSON.parse": _from_json, "Array.from": _items, "Array": _list,
    "Array.of": lambda args: List(list(args)), "Set": _items, "Uint8Array": _buffer, "Uint8Array.from": _buffer,
    "atob": lambda args: TextValue(decode(text_of(args[0]), "base64"), origin(args[0])) if args else ANY,
    "unescape": lambda args: TextValue(unquote(text_of(args[0])), origin(args[0])) if args else ANY,
    "decodeURIComponent": lambda args: TextValue(unquote(text_of(args[0])), origin(args[0])) if args else ANY,
    "decodeURI": lambda args: TextValue(unquote(text_of(args[0])), origin(args[0])) if args else ANY,
    "Object.keys": _pairs("keys"), "Object.values": _pairs("values"), "Object.entries": _pairs("entries"),
    "Object.getOwnPropertyNames": _pairs("keys"), "Object.freeze": _same, "Object.seal": _same, "Object": _same,
    "Object.assign": _merge, "Object.create": lambda args: Obj(base=args[0] if args else None),
    "Object.setPrototypeOf": _same, "structuredClone": _same,
    "path.join": lambda args: TextValue(join_paths([text_of(arg) for arg in args])),
    "path.resolve": lambda args: TextValue(join_paths([text_of(arg) for arg in args], resolve=True)),
    "path.normalize": lambda args: TextValue(join_paths([text_of(arg) for arg in args[:1]])),
    "path.dirname": _folder, "path.basename": _base, "path.toNamespacedPath": _text,
    "os.homedir": lambda args: TextValue("~"), "os.tmpdir": lambda args: TextValue("/tmp"),  # noqa: S108 nothing is written there
    "process.cwd": lambda args: TextValue("."), "Deno.cwd": lambda args: TextValue("."),
    "url.fileURLToPath": lambda args: TextValue(text_of(args[0]).removeprefix("file://")) if args else ANY,
    "url.pathToFileURL": lambda args: TextValue("file://" + text_of(args[0])) if args else ANY,
    "URL": _url, "url.URL": _url, "Request": lambda args: List(list(args)),
    "util.promisify": _same, "util.callbackify": _same, "util.format": lambda args: TextValue(
        text_of(args[0]) if len(args) == 1 else UNKNOWN) if args else ANY,
    "Promise.resolve": _same, "Promise.all": _all, "Promise.allSettled": _all, "Promise.race": lambda args: (
        either(*args[0].items) if args and isinstance(args[0], List) and args[0].items else ANY),
}  # fmt: skip
PURE["Promise.any"] = PURE["Promise.race"]
PURE["fs.realpath"] = PURE["fs.realpathSync"] = _same
