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
from interlock.hook_lint.read.shell.machine import End, Machine
from interlock.hook_lint.read.shell.record import Places
from interlock.hook_lint.read.shell.state import Condition, State, Write
from interlock.hook_lint.read.shell.walk import Walk

__all__ = ["FindFile", "read_text"]

FindFile: TypeAlias = Callable[[str], str | None]
"""The text of a file whose name is known as far as a program gives it; None if there is none."""

_NAMES = re.compile(r"\^?\(?([A-Za-z_]\w*(?:\|[A-Za-z_]\w*)*)\)?\$?")
_NO_MATTER = frozenset({"a pattern that may run a text"})  # which no shell does that a hook is written for
_MOST_WHEN = 16
_MOST_NEEDED = 3
_MOST_STEPS = 1_500  # a program that takes more is not walked once more
_MOST_ENDINGS = 200
_ASIDE = frozenset({("tool_name",), ("hook_event_name",)})


class _Source(Struct):
    """A program that has been parsed, and what it takes to walk it."""

    file: str
    text: str
    find_file: FindFile
    places: Places
    body: Sequence

    def walk(self, missing: frozenset[str] = frozenset()) -> Walk:
        walk = Walk(self.file, self.text, self.places, find_file=self.find_file, missing=missing)
        try:
            walk.program(self.body)
        except RecursionError:
            walk.unread("it is nested too deeply")
        return walk


def read_text(file: str, text: str, find_file: FindFile) -> HookProgram:
    """The program that a text is."""
    budget = Budget()
    body = parse(text, budget)
    source = _Source(file, text, find_file, Places(text), body)
    walk = source.walk()
    endings = _endings(walk)
    record = walk.record
    noted = [reason for reason in budget.reasons if reason not in _NO_MATTER]
    unread = [*noted, *budget.incomplete, *([record.unread] if record.unread else [])]
    return HookProgram(
        file=file,
        text=text,
        language="shell",
        reads_event=record.reads_event,
        reads=record.all_reads(),
        names=record.all_names(),
        comparisons=tuple(record.comparisons.values()),
        patterns=tuple(record.patterns.values()),
        endings=endings,
        uses=_uses(source, walk, endings),
        shell=shell_of(text),
        beyond_posix=forms_beyond_posix(text, body, source.places),
        unread=unread[0] if unread else "",
    )


def _uses(source: _Source, walk: Machine, endings: tuple[Ending, ...]) -> tuple[ProgramUse, ...]:
    """The programs that are used, and what becomes of the calls without them."""
    uses = walk.record.all_uses()
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
    """Whether a hook that ends so refuses the call, whatever the event is."""
    return ending.code == 2 or any(_says_deny(said.value) for said in ending.on("stdout"))


def _says_deny(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    inner = value.get("hookSpecificOutput")
    return value.get("decision") == "block" or (isinstance(inner, dict) and inner.get("permissionDecision") == "deny")


# --- endings ----------------------------------------------------------------------------------------------------------


def _endings(walk: Machine) -> tuple[Ending, ...]:
    found: dict[Any, Ending] = {}
    said: dict[tuple[Write, ...], tuple[OutputPart, ...]] = {}
    for ended in walk.ended:
        writes = ended.state.writes
        if writes not in said:
            said[writes] = tuple(_said(walk, writes))
        one = _ending(walk, ended, said[writes])
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


def _ending(walk: Machine, ended: End, said: tuple[OutputPart, ...]) -> Ending:
    state = ended.state
    conditions = (*state.conditions, *state.some)
    return Ending(
        how=ended.how,  # type: ignore[arg-type]
        span=ended.span,
        code=ended.code,
        said=said,
        when=tuple(_as_written(walk, ask, holds) for ask, holds in state.conditions[-_MOST_WHEN:]),
        on_error=state.error,
        is_default=_is_default(state),
        paths=_paths(conditions),
        tools=_tools(walk, conditions),
        found=tuple(dict.fromkeys(span for ask, holds in conditions for span in _found(ask, holds))),
    )


def _as_written(walk: Machine, ask: Ask, holds: bool) -> str:
    text = walk.holes.shown(ask.text)
    if holds:
        return text
    return text[2:] if text.startswith("! ") else f"! {text}"


def _paths(conditions: tuple[Condition, ...]) -> tuple[Path, ...]:
    """The values of the event that the conditions look at, if the innermost looks at one."""
    if conditions and not conditions[-1][0].paths:
        return ()
    return tuple(dict.fromkeys(path for ask, _ in conditions for path in ask.paths if path))


def _tools(walk: Machine, conditions: tuple[Condition, ...]) -> tuple[str, ...]:
    """The tools that the conditions on a way name."""
    spans = {span for ask, holds in conditions if ("tool_name",) in ask.paths for span in _found(ask, holds)}
    if not spans:
        return ()
    record = walk.record
    named = [value for one in record.comparisons.values() if one.span in spans and one.path == ("tool_name",)
             for value in one.values]  # fmt: skip
    for use in record.patterns.values():
        if use.span in spans and use.path == ("tool_name",) and (alternatives := _NAMES.fullmatch(use.text)):
            named += alternatives[1].split("|")
    return tuple(dict.fromkeys(named))


def _found(ask: Ask, holds: bool) -> Iterable[Span]:
    """The patterns and comparisons that hold if this one does, or does not."""
    return (atom.span for atom in ask.atoms if atom.kind == "match" and atom.sign == holds)


def _is_default(state: State) -> bool:
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


def _said(walk: Machine, writes: tuple[Write, ...]) -> Iterable[OutputPart]:
    """What is written, with texts that make one document together put together."""
    at = 0
    while at < len(writes):
        write = writes[at]
        if write.stream == "stdout":
            one, size = _document(walk, writes, at)
            if one is not None:
                walk.decides(*(part.text for part in writes[at : at + size]))
                yield one
                at += size
                continue
            walk.decides(write.text)
        stream = write.stream if write.stream in ("stdout", "stderr") else "log"
        text = walk.holes.shown(write.text)
        if text.strip():
            yield OutputPart(stream=stream, span=write.span, text=text)  # type: ignore[arg-type]
        at += 1


def _document(walk: Machine, writes: tuple[Write, ...], start: int) -> tuple[OutputPart | None, int]:
    """The document that begins at a write, and over how many it goes."""
    text = ""
    for size, write in enumerate(writes[start : start + 60], 1):
        if write.stream != "stdout":
            if not text.strip():
                return None, 0
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
        return OutputPart(stream="stdout", span=span, value=value, text=walk.holes.shown(text), by_parts=by_parts), size
    return None, 0
