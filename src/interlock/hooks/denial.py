"""Decide whether the text of a hook that gave no answer says no.

A hook that prints "Blocked delete_account!" and returns nothing lets the call run, although its author believes that
it was blocked. Many ordinary logs contain the same words, so a line denies only if it begins with a denial or names
this call. A line that merely sounds like a denial is worth a notice; counts, lists and negated denials are ignored.
"""

from __future__ import annotations

import json
import re
import unicodedata
from ast import literal_eval
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.facts.tools import names_of, parse_mcp
from interlock.hooks import denial_words as words

__all__ = ["NO_CALL", "CallNames", "SaidNo", "names_in_call", "said_no"]

JsonObject: TypeAlias = dict[str, Any]

_MOST = 64 * 1024  # characters read at each end of a text
_LONGEST_LINE = 2_000
_SHOWN = 80


class SaidNo(Struct, frozen=True):
    """The line that says no, and whether it may be taken as a denial of this call."""

    line: str
    denies: bool


class CallNames(Struct, frozen=True):
    """The names by which a line may refer to a call. The program it runs counts only in a phrase that denies it."""

    full: tuple[re.Pattern[str], ...] = ()
    program: re.Pattern[str] | None = None


NO_CALL = CallNames()

_MOST_PREFIXES = 24
_ALWAYS_STATED = ("you", "wont", "verdict")
_STATED_BY_THE_REST = ("done", "doing", "passive", "violation", "code")
_DECISION_KEYS = ("decision", "permissionDecision", "behavior", "action", "status", "result", "verdict", "outcome")
_MESSAGE_KEYS = ("message", "msg", "event", "text", "reason", "log")


def said_no(text: str, call: CallNames = NO_CALL, *, own: bool = False) -> SaidNo | None:
    """The line of a text that says no, if any: the first that denies, else the first that is worth a notice.

    `own`: a Python hook printed the text on its own stdout, where everything that sounds like a denial is one.
    """
    if len(text) > 2 * _MOST:
        text = text[:_MOST] + "\n" + text[-_MOST:]
    faint: SaidNo | None = None
    if _is_decision(_object_in(text)):
        return SaidNo(words.LINES.split(text.strip())[0][:_SHOWN], denies=True)
    for line in _lines_of(text):
        found = _judge(line, call, own)
        if found is None:
            continue
        if found or own:
            return SaidNo(_excerpt(line), denies=True)
        faint = faint or SaidNo(_excerpt(line), denies=False)
    return faint


def _lines_of(text: str) -> Iterator[str]:
    for raw in words.LINES.split(words.ANSI.sub("", text)):
        line = _plain(raw[:_LONGEST_LINE])
        if not line:
            continue
        document = _object_in(line)
        if isinstance(document, dict) and not _is_decision(document):
            yield from (_plain(found) for key in _MESSAGE_KEYS if isinstance(found := document.get(key), str))
        else:
            yield line


def _plain(line: str) -> str:
    """The line in plain letters: full-width and bold letters become ordinary ones, invisible ones are removed."""
    if not line.isascii():
        line = "".join(char for char in unicodedata.normalize("NFKC", line) if unicodedata.category(char) != "Cf")
    return line.replace("’", "'").strip()


def _excerpt(line: str) -> str:
    return "".join(char for char in line if char.isprintable())[:_SHOWN]


def _object_in(text: str) -> Any:
    """The object that a text consists of, written in JSON or as Python prints it."""
    text = text.strip()
    if not text.startswith("{") or not text.endswith("}"):
        return None
    for read in (json.loads, literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    return None


def _is_decision(document: Any) -> bool:
    """Whether an object is a denying answer that the hook printed instead of returning it."""
    if not isinstance(document, dict):
        return False
    inner = document.get("hookSpecificOutput")
    parts = [document, *([inner] if isinstance(inner, dict) else [])]
    said = [part.get(key) for part in parts for key in _DECISION_KEYS]
    flags = document.get("blocked") is True, document.get("denied") is True, document.get("allowed") is False
    return any(flags) or document.get("allow") is False or any(word in words.DENIED_WORDS for word in said if word)


def _judge(line: str, call: CallNames, own: bool) -> bool | None:
    """True if the line denies this call, False if it only sounds like a denial, None if it does neither."""
    if words.ROUTINE.search(line):
        return None
    others = bool(words.OTHERS.search(line))
    if not others and _begins(line):
        return True
    named = any(name.search(line) for name in call.full) or bool(call.program and call.program.search(line))
    sounds = _sounds(line, orders=named or own)
    if others:
        return True if named and sounds else None
    if sounds is None:
        return True if named and words.FAINT.search(line) and not _is_progress(line) else None
    return named and sounds and (not _is_progress(line) or bool(words.LAST_WORD.search(line)))


def _begins(line: str) -> bool:
    """Whether the line begins with a denial, after any time, level, logger name and symbols."""
    place = 0
    for _ in range(_MOST_PREFIXES):
        if line[place] == "{":
            return _is_decision(_object_in(line[place:]))
        tag = words.TAG.match(line, place)
        if tag and words.BEGINNING.fullmatch(tag[1]) and not words.REPORT.match(line, tag.end()):
            return True
        found = words.BEGINNING.match(line, place)
        if found:
            return _is_stated(line, found)
        prefix = words.PREFIX.match(line, place)
        if prefix is None or prefix.end() == len(line):
            return False
        place = prefix.end()
    return False


def _is_stated(line: str, found: re.Match[str]) -> bool:
    """Whether a denial at the beginning of a line is a statement, and not the label of a number or a list."""
    group = found.lastgroup or ""
    if group in _ALWAYS_STATED:
        return True
    if _is_negated(line, found.start(group)) or words.REPORT.match(line, found.end()):
        return False
    return group not in _STATED_BY_THE_REST or bool(words.STATED.match(line, found.end()))


def _is_negated(line: str, place: int) -> bool:
    return bool(words.NEGATED.search(line, max(0, place - 60), place))


def _is_progress(line: str) -> bool:
    """Whether the line, after its prefixes, says what is being done rather than what was decided."""
    place = 0
    for _ in range(_MOST_PREFIXES):
        if words.PROGRESS.match(line, place):
            return True
        prefix = words.PREFIX.match(line, place)
        if prefix is None or prefix.end() == len(line):
            return False
        place = prefix.end()
    return False


def _sounds(line: str, *, orders: bool) -> bool | None:
    """True if the line states a denial somewhere, False if it only supposes or counts denials, else None.

    `orders`: whether words such as "deny" count; in most lines they are the names of rules.
    """
    weak: bool | None = None
    for found in words.ANYWHERE.finditer(line):
        before = max(0, found.start() - 60), found.start()
        if (found["order"] and not orders) or _is_negated(line, found.start()):
            continue
        if words.IN_QUESTION.search(line, *before):
            continue
        if words.REPORT.match(line, found.end()):
            weak = False if found["done"] and words.COUNTED.match(line, found.end()) else weak
        elif words.SUPPOSED.search(line, *before) or _is_allowed(line, found.start()):
            weak = False
        else:
            return True
    return weak


def _is_allowed(line: str, place: int) -> bool:
    """Whether the line says, before this place, that something is allowed."""
    return any(not _is_negated(line, found.start()) for found in words.ALLOWED.finditer(line, 0, place))


# --- the call ----------------------------------------------------------------------------------------------

_PATHS = ("file_path", "notebook_path", "path")
_IDENTIFIER = re.compile(r"[\w.@:/+-]{4,200}")
_TELLING = re.compile(r"[\d_./@:-]")


def names_in_call(tool: str, given: JsonObject) -> CallNames:
    """The names by which a line may refer to this call: its tool, its command or file, and distinctive values."""
    mcp = parse_mcp(tool)
    full = [_tool_name(name) for name in (*names_of(tool), *([mcp.tool] if mcp else []))]
    full += [_word_pattern(re.escape(name)) for name in _values_of(given)]
    command = given.get("command")
    parts = command.split() if isinstance(command, str) else []
    if len(parts) > 1:
        full.append(_word_pattern(r"\s+".join(map(re.escape, parts[:2]))))
    return CallNames(tuple(full), _as_subject(parts[0]) if parts else None)


def _values_of(given: JsonObject) -> Iterable[str]:
    for key, value in given.items():
        if not isinstance(value, str) or not (first := next(iter(value.strip().splitlines()), "").strip()):
            continue
        if key == "command":
            yield first[:60]
        elif key in _PATHS:
            yield first
            if len(last := first.rstrip("/").rpartition("/")[2]) > 3:
                yield last
        elif _IDENTIFIER.fullmatch(first) and _TELLING.search(first):
            yield first


def _tool_name(name: str) -> re.Pattern[str]:
    # `Read` and `Write` are ordinary words in any log; `delete_account` and `WebFetch` are not.
    telling = not name[1:].isalpha() or not name[1:].islower()
    return _word_pattern(re.escape(name), re.IGNORECASE if telling else 0)


def _word_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    # A file name with a line number is where a linter found something, not what a hook decides about.
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-]|:\d|\(\d)", flags)


def _as_subject(program: str) -> re.Pattern[str]:
    word = rf"[`'\"]?{re.escape(program)}[`'\"]?"
    return re.compile(
        rf"(?<![\w./-]){word}\s+(?:command\s+)?{words.IS}{words.DONE}|{words.DONE}\s+(?:command\s+)?{word}(?![\w./-])",
        re.IGNORECASE,
    )
