"""What imports do: names of libraries, and the files of the project, which are read as a run would read them."""

from __future__ import annotations

import ast
from pathlib import Path

from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.names import ALIASES, KNOWN_MODULES
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import Known, Lib, Module, PyValue

__all__ = ["do_import", "do_importfrom"]

_MOST_MODULES = 12


def do_import(m: HookReader, node: ast.Import, state: WayState) -> list[WayState]:
    states = [state]
    for name in node.names:
        whole = name.name if name.asname else name.name.partition(".")[0]
        file = _file_of(m, name.name, 0) if whole == name.name else None
        frame = _frame_of(m, file)
        states = [after for one in states for after in (_run(m, file, node, one) if file and frame else [one])]
        for one in states:
            m.assign(name.asname or whole, Module(whole, frame) if frame else Lib(_library(whole)), one)
    return states


def do_importfrom(m: HookReader, node: ast.ImportFrom, state: WayState) -> list[WayState]:
    module = "." * node.level + (node.module or "")
    file = _file_of(m, node.module or "", node.level)
    frame = _frame_of(m, file)
    states = _run(m, file, node, state) if file and frame else [state]
    for name in node.names:
        if name.name == "*":
            if frame:
                for one in states:
                    for key, value in list(one.frames.get(frame, {}).items()):
                        if not key.startswith("_"):
                            m.assign(key, value, one)
            elif module.partition(".")[0] not in KNOWN_MODULES:
                m.notes.unread = m.notes.unread or f"it takes every name from `{module}`"
            continue
        states = [after for one in states for after in _take(m, node, name, module, frame, one)]
    return states


def _take(
    m: HookReader, node: ast.ImportFrom, name: ast.alias, module: str, frame: int, state: WayState
) -> list[WayState]:
    """Take one name from a module: something in it, or a module below it."""
    found: PyValue | None = state.frames.get(frame, {}).get(name.name) if frame else None
    states = [state]
    if found is None:
        below = _file_of(m, f"{node.module}.{name.name}" if node.module else name.name, node.level)
        inner = _frame_of(m, below)
        if below is not None and inner:
            states, found = _run(m, below, node, state), Module(name.name, inner)
    if found is None:
        found = Lib(_library("sys.stdin" if (module, name.name) == ("sys", "stdin") else f"{module}.{name.name}"))
    for one in states:
        m.assign(name.asname or name.name, found, one)
    return states


def _library(name: str) -> str:
    first, dot, rest = name.partition(".")
    return f"{ALIASES[first]}{dot}{rest}" if first in ALIASES else name


# --- files of the project ----------------------------------------------------------------------------------------


def _file_of(m: HookReader, name: str, level: int) -> Path | None:
    if m.files is None or (not name and not level):
        return None
    here = m.module_files.get(m.root_frame())
    return m.files.find(name, level, here.parent if here is not None else None)


def _frame_of(m: HookReader, file: Path | None) -> int:
    """The frame of what is in a file; 0 if it cannot be read."""
    if file is None:
        return 0
    if file not in m.modules:
        tree = None
        if len(m.modules) < _MOST_MODULES:
            try:
                tree = m.source.take_in(file.read_text(encoding="utf-8", errors="replace"))
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                tree = None  # what is called in it is in another file, and noted there
        m.modules[file] = tree
    tree = m.modules[file]
    if tree is None:
        return 0
    frame = m.frames.setdefault((tree, -1), len(m.frames) + 1)
    m.module_files[frame] = file
    return frame


def _run(m: HookReader, file: Path, node: ast.stmt, state: WayState) -> list[WayState]:
    """Run a file for the first time on a way: it makes its functions, and does what is not in any."""
    frame, tree = _frame_of(m, file), m.modules[file]
    if tree is None or frame in state.frames:
        return [state]
    state.open_frame(frame)
    state.assign(frame, "__name__", Known(file.stem))
    if m.source.is_own(node):
        m.source.site = m.source.span(node)
    outer = m.frame, m.given
    m.frame, m.given = frame, {}
    try:
        return m.block(tree.body, [state])
    finally:
        m.frame, m.given = outer
