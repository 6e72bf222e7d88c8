"""From a walk to the model of a hook program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from interlock.facts.shell.grammar import parse
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.tree import Sequence
from interlock.hook_lint.program import UNKNOWN, Ending, HookProgram, OutputPart, Path, ProgramUse, Span
from interlock.hook_lint.read.shell.dialect import forms_beyond_posix, shell_of
from interlock.hook_lint.read.shell.holes import Ask
from interlock.hook_lint.read.shell.machine import End, ShellReader
from interlock.hook_lint.read.shell.notes import LineTable
from interlock.hook_lint.read.shell.state import Condition, ShellState, Write
from interlock.hook_lint.read.shell.walk import ShellWalk

__all__ = ["FindFile", "read_text"]

FindFile: TypeAlias = Callable[[str], str | None]
"""The text of a file whose name is known as far as a program gives it; None if no file has it."""

_NAMES = re.compile(r"\^?\(?([A-Za-z_]\w*(?:\|[A-Za-z_]\w*)*)\)?\$?")
_NO_MATTER = frozenset({"a pattern that may run a text"})  # no shell that hooks are written for does this
_MOST_WHEN = 16
_MOST_NEEDED = 3
_MOST_STEPS = 1_500  # a longer walk is not repeated
_MOST_ENDINGS = 200
_ASIDE = frozenset({("tool_name",), ("hook_event_name",)})


class _Source(Struct):
    """A parsed program, and what a walk needs besides."""

    file: str
    text: str
    find_file: FindFile
    lines: LineTable
    body: Sequence

    def walk(self, missing: frozenset[str] = frozenset()) -> ShellWalk:
        walk = ShellWalk(self.file, self.text, self.lines, find_file=self.find_file, missing=missing)
        try:
            walk.program(self.body)
        except RecursionError:
            walk.unread("it is nested too deeply")
        return walk


def read_text(file: str, text: str, find_file: FindFile) -> HookProgram:
    """Walk a text, and make its `HookProgram`."""
    budget = Budget()
    body = parse(text, budget)
    source = _Source(file, text, find_file, LineTable(text), body)
    walk = source.walk()
    endings = _endings(walk)
    notes = walk.notes
    noted = [reason for reason in budget.reasons if reason not in _NO_MATTER]
    unread = [*noted, *budget.incomplete, *([notes.unread] if notes.unread else [])]
    return HookProgram(
        file=file,
        text=text,
        language="shell",
        reads_event=notes.reads_event,
        reads=notes.all_reads(),
        names=notes.all_names(),
        comparisons=tuple(notes.comparisons.values()),
        patterns=tuple(notes.patterns.values()),
        endings=endings,
        uses=_uses(source, walk, endings),
        shell=shell_of(text),
        beyond_posix=forms_beyond_posix(text, body, source.lines),
        unread=unread[0] if unread else "",
    )


def _uses(source: _Source, walk: ShellReader, endings: tuple[Ending, ...]) -> tuple[ProgramUse, ...]:
    """The programs that the hook uses, and whether it refuses every call without them."""
    uses = walk.notes.all_uses()
    if walk.steps > _MOST_STEPS or not any(map(_refuses, endings)):
        return uses
    needed = dict.fromkeys(use.name for use in uses if use.decides and not use.is_checked)
    closing = {name for name in list(needed)[:_MOST_NEEDED] if _closes(source, name)}
    return tuple(replace(use, closes=use.name in closing) for use in uses)


def _closes(source: _Source, name: str) -> bool:
    """Whether every call is refused if a program is missing."""
    endings = _endings(source.walk(frozenset({name})))
    return bool(endings) and all(map(_refuses, endings))


def _refuses(ending: Ending) -> bool:
    """Whether an ending refuses the call, whatever the event is."""
    return ending.code == 2 or any(_says_deny(said.value) for said in ending.on("stdout"))


def _says_deny(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    inner = value.get("hookSpecificOutput")
    return value.get("decision") == "block" or (isinstance(inner, dict) and inner.get("permissionDecision") == "deny")


# --- endings ----------------------------------------------------------------------------------------------------------


def _endings(walk: ShellReader) -> tuple[Ending, ...]:
    found: dict[Any, Ending] = {}
    said: dict[tuple[Write, ...], tuple[OutputPart, ...]] = {}
    for end in walk.ends:
        writes = end.state.writes
        if writes not in said:
            said[writes] = tuple(_output_of(walk, writes))
        one = _ending(walk, end, said[writes])
        key = (
            one.how,
            one.span,
            one.code,
            one.on_error,
            tuple((said.stream, said.span, said.text) for said in one.said),
        )
        before = found.get(key)
        found[key] = one if before is None else _both(before, one)
    return tuple(found.values())[:_MOST_ENDINGS]


def _both(one: Ending, other: Ending) -> Ending:
    """Two ways that end in the same way, as one."""
    return replace(
        one,
        when=tuple(text for text in one.when if text in other.when),
        is_default=one.is_default or other.is_default,
        paths=tuple(dict.fromkeys((*one.paths, *other.paths))),
        found=tuple(dict.fromkeys((*one.found, *other.found))),
    )


def _ending(walk: ShellReader, end: End, said: tuple[OutputPart, ...]) -> Ending:
    state = end.state
    conditions = (*state.conditions, *state.some)
    return Ending(
        how=end.how,  # type: ignore[arg-type]
        span=end.span,
        code=end.code,
        said=said,
        when=tuple(_as_written(walk, ask, holds) for ask, holds in state.conditions[-_MOST_WHEN:]),
        on_error=state.error,
        is_default=_is_default(state),
        paths=_paths(conditions),
        tools=_tools(walk, conditions),
        found=tuple(dict.fromkeys(span for ask, holds in conditions for span in _found(ask, holds))),
        lost=state.lost,
    )


def _as_written(walk: ShellReader, ask: Ask, holds: bool) -> str:
    text = walk.holes.display(ask.text)
    if holds:
        return text
    return text[2:] if text.startswith("! ") else f"! {text}"


def _paths(conditions: tuple[Condition, ...]) -> tuple[Path, ...]:
    """The values of the event that the conditions look at, if the innermost looks at one."""
    if conditions and not conditions[-1][0].paths:
        return ()
    return tuple(dict.fromkeys(path for ask, _ in conditions for path in ask.paths if path))


def _tools(walk: ShellReader, conditions: tuple[Condition, ...]) -> tuple[str, ...]:
    """The tools that the conditions name."""
    spans = {span for ask, holds in conditions if ("tool_name",) in ask.paths for span in _found(ask, holds)}
    if not spans:
        return ()
    notes = walk.notes
    named = [value for one in notes.comparisons.values() if one.span in spans and one.path == ("tool_name",)
             for value in one.values]  # fmt: skip
    for use in notes.patterns.values():
        if use.span in spans and use.path == ("tool_name",) and (alternatives := _NAMES.fullmatch(use.text)):
            named += alternatives[1].split("|")
    return tuple(dict.fromkeys(named))


def _found(ask: Ask, holds: bool) -> Iterable[Span]:
    """The patterns and comparisons that hold if this one does, or does not."""
    return (atom.span for atom in ask.atoms if atom.kind == "match" and atom.sign == holds)


def _is_default(state: ShellState) -> bool:
    """Whether nothing that the program looks for has been found on this way.

    That it is for one tool or one event makes no difference if it goes on to look at something else.
    """
    if state.some or state.blurred or state.error:
        return False
    aside = judged = False
    for ask, holds in state.conditions:
        for atom in ask.atoms:
            if atom.kind == "match":
                is_aside = bool(ask.paths) and _ASIDE.issuperset(ask.paths)
                if atom.sign == holds and not is_aside:
                    return False
                aside = aside or (atom.sign == holds and is_aside)
                judged = judged or not is_aside
            elif atom.kind == "result" or (atom.kind in ("flag", "world") and atom.sign == holds):
                return False
            elif atom.kind in ("flag", "world"):
                judged = True
    return judged or not aside


# --- what is said -----------------------------------------------------------------------------------------------------


def _output_of(walk: ShellReader, writes: tuple[Write, ...]) -> Iterable[OutputPart]:
    """What is written, in parts: writes that make one document together are one part."""
    at = 0
    while at < len(writes):
        write = writes[at]
        if write.stream == "stdout":
            one, size = _document(walk, writes, at)
            if one is not None:
                walk.judge_by(*(part.text for part in writes[at : at + size]))
                yield one
                at += size
                continue
            walk.judge_by(write.text)
        stream = write.stream if write.stream in ("stdout", "stderr") else "log"
        text = walk.holes.display(write.text)
        if text.strip():
            yield OutputPart(stream=stream, span=write.span, text=text)  # type: ignore[arg-type]
        at += 1


def _document(walk: ShellReader, writes: tuple[Write, ...], start: int) -> tuple[OutputPart | None, int]:
    """The document that begins at a write, and over how many it goes."""
    text = ""
    for size, write in enumerate(writes[start : start + 60], 1):
        if write.stream != "stdout":
            return None, 0
        text += write.text
        if not text.strip() or (text.lstrip()[0] not in "{[" and walk.holes.sole(text.strip()) is None):
            return None, 0
        found = walk.holes.json_in(text)
        if found is None or found[0] is UNSET:
            continue
        value, by_parts = found
        if value is UNKNOWN and start + size < len(writes) and not text.rstrip().endswith("}"):
            continue
        last = writes[start + size - 1].span
        span = Span(writes[start].span.start, max(last.end, writes[start].span.end), writes[start].span.line,
                    writes[start].span.column)  # fmt: skip
        return OutputPart(
            stream="stdout", span=span, value=value, text=walk.holes.display(text), by_parts=by_parts
        ), size
    return None, 0
