"""Note the programs that a hook runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePath

from interlock.hook_lint.program import ProgramUse
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.source import Tree
from interlock.hook_lint.read.python.rendering import HOLE, text_of
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NOTHING,
    DictBox,
    Known,
    Lib,
    ListBox,
    PyValue,
    Root,
    Run,
    Some,
    one_of,
    roots_of,
)

__all__ = ["note_run"]

_SETTING = re.compile(r"\w+=\S*\s+")


def note_run(m: ScriptReader, args: Sequence[PyValue], node: Tree, state: WayState, *, is_line: bool) -> PyValue:
    """A program that is started: with a line of the shell, or with its name and a list of arguments."""
    words = _words(m, args, state, is_line=is_line)
    if words and HOLE not in words[0]:
        use = ProgramUse(
            name=PurePath(words[0]).name,
            span=m.source.span(node),
            is_checked=bool(m.handlers),
            arguments=tuple(words[1:]),
        )
        m.notes.runs.setdefault(id(node), use)
    if any(one == Lib("process.stdin") for one in args):
        m.notes.reads_event = True
    roots = frozenset[Root]([Run(id(node))]).union(*(_roots(m, one, state) for one in args))
    return Some(roots, m.key(node), tag="process")


def _words(m: ScriptReader, args: Sequence[PyValue], state: WayState, *, is_line: bool) -> list[str]:
    first = args[0] if args else NOTHING
    box = m.box(first, state)
    if isinstance(box, ListBox):
        return [text_of(one, state) for one in box.items]
    text = text_of(first, state)
    if is_line:
        try:
            return shlex.split(_SETTING.sub("", text, count=1) if _SETTING.match(text) else text)
        except ValueError:
            return text.split()
    rest = m.box(args[1], state) if len(args) > 1 else None
    return [text, *(text_of(one, state) for one in rest.items)] if isinstance(rest, ListBox) else [text]


def _roots(m: ScriptReader, value: PyValue, state: WayState) -> frozenset[Root]:
    match m.box(value, state):
        case ListBox(items=items) if items:
            return roots_of(one_of(items))
        case DictBox(items=items):
            return roots_of(items.get("input", Known(None)))
    return roots_of(value)
