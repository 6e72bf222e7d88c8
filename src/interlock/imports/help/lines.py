"""A help text as lines, sections and entries, whatever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = ["HelpEntry", "HelpLine", "HelpSection", "clean_lines", "entries_in", "looks_like_option", "sections_of"]

Kind: TypeAlias = Literal["", "usage", "commands", "options", "arguments", "aside"]

_MOST_LINES = 20_000
_MOST_WIDE = 400
_MOST_TITLE = 3  # words of a heading in small letters
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_OVERSTRIKE = re.compile(r".\x08")
_FRAME = re.compile(r"[\u2500-\u257f]")  # boxes that typer draws around its sections
_OPTION = re.compile(r"(?:\* +)?\[?--?(?:\[no-?\])?[A-Za-z0-9?#@]")
_USAGE = re.compile(r"(?i)(?:usage|synopsis)\b(?: of [^:]{1,60})?\s*(?::|$)\s*")
_INTRODUCTION = re.compile(r"[A-Z]+ is one of the following")
_GAP = re.compile(r" {2,}| ?\t")
# What a heading's words say about its section. The first that fits counts.
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "aside",
        re.compile(r"(?i)^(?:\w+ )?(?:examples?|exit|environment|see also|authors?|bugs?|copyright|learn|notes?)\b"),
    ),
    ("usage", re.compile(r"(?i)^(?:usage|synopsis)\b")),
    ("options", re.compile(r"(?i)\b(?:options?|flags?|switch(?:es)?)\b")),
    (
        "commands",
        re.compile(r"(?i)\b(?:sub-?)?commands?\b|\b(?:topics|groups|actions|verbs|tasks|operations)(?: \(.*\))?$"),
    ),
    ("arguments", re.compile(r"(?i)\b(?:arguments?|args|positionals?|operands?|parameters?)\b")),
)


class HelpLine(Struct, frozen=True):
    """A line and how far it is indented; `boxed` if it stood in a frame, where columns are set apart by spaces."""

    indent: int
    body: str
    boxed: bool = False


class HelpSection(Struct):
    """Lines below one heading."""

    title: str
    kind: Kind
    lines: list[HelpLine]


class HelpEntry(Struct):
    """Something that is explained, as it is written, and the explanation."""

    indent: int
    body: str  # the whole first line
    head: str  # what stands before the gap
    text: str  # the explanation, joined
    below: str = ""  # what of the explanation is on the lines below
    boxed: bool = False


def clean_lines(text: str) -> list[HelpLine]:
    """The lines of a text without colours, bold type and frames; empty ones are kept."""
    found = []
    for raw in text.splitlines()[:_MOST_LINES]:
        line = _OVERSTRIKE.sub("", _ESCAPE.sub("", raw[: _MOST_WIDE * 4])).replace("\xa0", " ").expandtabs(8)
        line = "".join(char if char.isprintable() else " " for char in line)[:_MOST_WIDE].rstrip()
        boxed = bool(_FRAME.search(line))
        if boxed:
            inner = _FRAME.sub(" ", line)
            line = inner.strip() + ":" if line.strip()[0] in "╭┌┏╔" and inner.strip() else inner.rstrip()
        body = line.lstrip()
        found.append(HelpLine(len(line) - len(body), body, boxed))
    return found


def looks_like_option(body: str) -> bool:
    """Whether a line begins with an option: `-n, --name`, `[--name]`, `* --name`; a dash as a bullet does not."""
    return _OPTION.match(body) is not None


def usage_of(line: HelpLine) -> str | None:
    """What a line says behind `usage:`, which may be nothing; None if it is no such line."""
    found = _USAGE.match(line.body) if line.indent < 4 else None
    return None if found is None else line.body[found.end() :]


def kind_of_title(title: str) -> Kind:
    """What a section contains, by its heading."""
    kind: Kind = next((kind for kind, pattern in _KINDS if pattern.search(title)), "")
    is_sentence = title[:1].islower() and len(title.split()) > _MOST_TITLE
    return "" if kind == "commands" and is_sentence else kind  # `use one of these commands`


def sections_of(lines: list[HelpLine]) -> list[HelpSection]:
    """The lines below their headings; those before the first heading are a section without a title."""
    found = [HelpSection("", "", [])]
    for at, line in enumerate(lines):
        if usage_of(line) is not None:
            found.append(HelpSection("usage", "usage", [HelpLine(line.indent, usage_of(line) or "")]))
        elif _is_heading(lines, at):
            title = line.body.rstrip(":").strip()
            found.append(HelpSection(title, kind_of_title(title), []))
        elif found[-1].kind == "usage" and _ends_usage([one.body for one in found[-1].lines if one.body], line):
            found.append(HelpSection("", "", [line]))
        else:
            found[-1].lines.append(line)
    return found


def _ends_usage(usage: list[str], line: HelpLine) -> bool:
    """Usage ends with its paragraph, or with a sentence that is not indented."""
    if not usage or (line.indent and line.body):
        return False
    return not line.body or (not line.body.lower().startswith("or") and line.body.split()[0] != usage[0].split()[0])


def _is_heading(lines: list[HelpLine], at: int) -> bool:
    line = lines[at]
    body = line.body
    if not body or looks_like_option(body) or len(body) > 80 or line.indent > 3:
        return False
    if body.endswith(":") and " " * 2 not in body:
        return line.indent < 2 or line.boxed or body[:1].isupper()
    if body.isupper() and body[:1].isalpha() and len(body.split()) < 5:
        return line.indent == 0 or (at > 0 and not lines[at - 1].body and _next_is_deeper(lines, at))
    first = line.indent == 0 and at > 0 and not lines[at - 1].body and " " * 2 not in body
    if first and len(body.split()) < 5 and body[-1:].isalnum() and kind_of_title(body) not in ("", "aside"):
        return True
    # `start a working area`: a line of its own, with indented ones below it.
    alone = line.indent == 0 and " " * 2 not in body and body[-1:] not in (".", ",")
    return alone and len(body.split()) > 1 and _next_is_deeper(lines, at)


def _next_is_deeper(lines: list[HelpLine], at: int) -> bool:
    return at + 1 < len(lines) and bool(lines[at + 1].body) and lines[at + 1].indent > lines[at].indent


def entries_in(lines: list[HelpLine]) -> Iterator[HelpEntry]:
    """What a section explains: each entry with the lines that belong to it."""
    entry: HelpEntry | None = None
    column: int | None = None
    for line in lines:
        if not line.body or _INTRODUCTION.match(line.body):
            continue
        if entry is not None and _continues(entry, column, line):
            entry.text = f"{entry.text} {line.body}".strip()
            entry.below = f"{entry.below} {line.body}".strip()
            column = line.indent if column is None else column
            continue
        if entry is not None:
            yield entry
        head, gap, text = _split(line.body)
        entry = HelpEntry(line.indent, line.body, head, text, boxed=line.boxed)
        column = line.indent + len(head) + gap if text else None
    if entry is not None:
        yield entry


def _continues(entry: HelpEntry, column: int | None, line: HelpLine) -> bool:
    """Whether a line goes on with the explanation of the entry above it."""
    if line.indent == entry.indent and looks_like_option(line.body) and not looks_like_option(entry.body):
        return len(entry.head.split()) > 3 and not entry.text  # a sentence that happens to break before an option
    if line.indent <= entry.indent:
        return False
    if column is not None and line.indent >= column:
        return True
    if looks_like_option(line.body) or entry.body.startswith("{"):
        return False
    return looks_like_option(entry.body) or not _split(line.body)[2]


def _split(body: str) -> tuple[str, int, str]:
    """What stands before the first gap, the width of the gap, and what is behind it."""
    for found in _GAP.finditer(body):
        if body[found.start() - 1] != "," and not looks_like_option(body[found.end() :]):  # `-t,  --tries`
            return body[: found.start()], found.end() - found.start(), body[found.end() :]
    return body, 0, ""
