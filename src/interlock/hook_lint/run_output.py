"""Read captured output: what a hook printed once, in a file of its own, in a record of a run, or in a transcript.

An output becomes a program that has one way, on which it says just that. So the checks of answers judge it like any
other program; the others have nothing to say about it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.event import EVENTS
from interlock.files import jsonedit
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.fate import TOP_KEYS
from interlock.hook_lint.places import span_inside, span_of
from interlock.hook_lint.program import Ending, HookProgram, OutputPart, Span
from interlock.hook_lint.wiring import HookSubject, HookWire

__all__ = ["CODES", "read_captured", "read_stdout", "said_in"]

CODES = frozenset({
    "IL201", "IL203", "IL204", "IL205", "IL206", "IL207", "IL208", "IL209", "IL210", "IL211", "IL214",
})  # fmt: skip
"""The checks that judge an output: those that need to know nothing but what was said, and how the hook ended."""

PlaceOf: TypeAlias = Callable[[int, int], Span]
"""Where a part of what was printed is written in the file."""

_EVENT = ("hook_event", "hookEvent", "hook_event_name", "event")
_CODE = ("exit_code", "exitCode", "returncode")
_ANSWER = TOP_KEYS | {"permissionDecision", "permissionDecisionReason", "updatedInput"}
_SURE = frozenset({"hookSpecificOutput", "permissionDecision"})  # no other JSON has these
_TEXTS = (".json", ".txt", ".log", ".out", "")
_MOST_OBJECTS = 50
_decode = json.JSONDecoder(parse_constant=int).raw_decode  # which refuses `NaN`, as the client does


def read_stdout(file: str, text: str, event: str = "") -> HookSubject:
    """A file that is what a hook wrote to stdout. How it ended is not known, nor the event if it is not given."""
    said = tuple(said_in(text, lambda start, end: span_of(text, start, end)))
    ending = Ending(how="exit", span=span_of(text, 0, len(text)), code=None, said=said)
    return _subject(file, text, event or _event_in(said), ending)


def read_captured(path: Path, text: str, event: str = "", *, is_named: bool) -> list[HookSubject]:
    """The outputs in a file that seems to hold some. More is taken for one if a person has named the file."""
    file = str(path)
    is_answer = any(f'"{key}"' in text for key in _SURE)
    if path.suffix in (".jsonl", ".ndjson"):
        return _transcript(file, text, event) if is_named else []
    if not (is_named or path.suffix == ".json") or not (is_answer or '"stdout"' in text):
        return []
    try:
        root = jsonedit.read(text)
    except InterlockError:
        is_text = is_named and path.suffix in _TEXTS
        return [read_stdout(file, text, event)] if is_text and is_answer else []
    record = _record(file, text, root, event)
    if record is not None:
        return [record]
    keys = root.value.keys() if isinstance(root.value, dict) else set()
    return [read_stdout(file, text, event)] if keys & _SURE and (is_named or keys <= _ANSWER) else []


def _subject(file: str, text: str, event: str, ending: Ending) -> HookSubject:
    """The program that says this. If its event is not known, a guard's is taken, and less is complained about."""
    wires = (HookWire(event=event, holder="none", file=file),) if event else ()
    program = HookProgram(file=file, text=text, language="output", reads_event=True, endings=(ending,))
    return HookSubject(program=program, wires=wires, events=(event or "PreToolUse",))


def _event_in(said: Iterable[OutputPart]) -> str:
    """The event that an answer is for, if it says so."""
    for one in said:
        part = one.value.get("hookSpecificOutput") if isinstance(one.value, dict) else None
        if isinstance(part, dict):
            named = part.get("hookEventName")
            return named if named in EVENTS else "PreToolUse" if "permissionDecision" in part else ""
    return ""


# --- records of a run ------------------------------------------------------------------------------------------------


def _transcript(file: str, text: str, event: str) -> list[HookSubject]:
    """The records in the lines of a transcript, or of what a client streams; of equal ones the first."""
    found: dict[object, HookSubject] = {}
    start = 0
    for number, line in enumerate(text.split("\n")):
        record = _record_in(line, file, text, event, (start, number)) if '"stdout"' in line else None
        if record is not None:
            [ending] = record.program.endings
            said = [(one.stream, repr(one.value), one.text) for one in ending.said]
            found.setdefault((record.events, ending.code, *said), record)
        start += len(line) + 1
    return list(found.values())


def _record_in(line: str, file: str, text: str, event: str, begin: tuple[int, int]) -> HookSubject | None:
    try:
        root = jsonedit.read(line)
    except InterlockError:
        return None
    inner = root.value.get("attachment") if isinstance(root.value, dict) else None
    return _record(file, text, inner if inner is not None else root, event, line, begin)


def _record(
    file: str, text: str, root: JsonNode, event: str, own: str = "", begin: tuple[int, int] = (0, 0)
) -> HookSubject | None:
    """The record that an object is: an event, what was printed, and how the hook ended; None if it is something else.

    `own` is the text of the JSON if it is only one line of the file, and `begin` where in the file that line begins.
    """
    members: dict[str, JsonNode] = root.value if isinstance(root.value, dict) else {}
    named = next((str(members[key].value) for key in _EVENT if key in members), event)
    stdout, stderr = _text(members, "stdout"), _text(members, "stderr")
    is_part = "subtype" in members and members["subtype"].value == "hook_progress"
    if stdout is None or named not in EVENTS or is_part:
        return None

    def place(node: JsonNode, start: int, end: int) -> Span:
        span = span_inside(Span(start, end, 1, 1), own or text, node)
        return Span(span.start + begin[0], span.end + begin[0], span.line + begin[1], span.column)

    said = [*said_in(stdout.value, lambda start, end: place(stdout, start, end))]
    if stderr is not None and stderr.value:
        said.append(OutputPart(stream="stderr", span=place(stderr, 0, len(stderr.value)), text=stderr.value))
    code = next((members[key] for key in _CODE if key in members), None)
    ended = code.value if code is not None and isinstance(code.value, int) else None
    ending = Ending(how="exit", span=place(code or stdout, -1, -1), code=ended, said=tuple(said))
    return _subject(file, text, named, ending)


def _text(members: Mapping[str, JsonNode], key: str) -> JsonNode | None:
    return members[key] if key in members and isinstance(members[key].value, str) else None


# --- what is on stdout -----------------------------------------------------------------------------------------------


def said_in(stdout: str, place: PlaceOf) -> Iterator[OutputPart]:
    """The objects in a text, and what is written before, between and after them."""
    at = 0
    for start, end, value in _objects(stdout):
        yield from _plain(stdout, at, start, place)
        yield OutputPart(stream="stdout", span=place(start, end), value=value)
        at = end
    yield from _plain(stdout, at, len(stdout), place)


def _objects(stdout: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The text as a whole, or else whatever in it has the keys of an answer."""
    at = stdout.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = _decode(stdout, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
        if isinstance(value, dict) and (_ANSWER & value.keys() or not stdout[:at].strip()):
            yield at, end, value
        at = stdout.find("{", end)


def _plain(stdout: str, start: int, end: int, place: PlaceOf) -> Iterator[OutputPart]:
    text = stdout[start:end]
    if text.strip():
        begin = start + len(text) - len(text.lstrip())
        yield OutputPart(stream="stdout", span=place(begin, start + len(text.rstrip())), text=text)
