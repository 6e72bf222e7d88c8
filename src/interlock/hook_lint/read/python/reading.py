"""Read a Python file: the program that it is, and the callbacks that it registers with the Agent SDK."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from interlock.hook_lint.program import HookProgram, Span
from interlock.hook_lint.read.python.callbacks import read_callbacks, seems_to_use_sdk
from interlock.hook_lint.read.python.endings import endings_of, together
from interlock.hook_lint.read.python.grammar import GRAMMAR
from interlock.hook_lint.read.python.machine import Flow, HookReader, up_to_limits
from interlock.hook_lint.read.python.modules import ModuleFiles
from interlock.hook_lint.read.python.names import BUILTINS
from interlock.hook_lint.read.python.never import never_run
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.source import PythonSource
from interlock.hook_lint.read.python.state import WayState

__all__ = ["read_python"]

_MOST_CHARACTERS = 400_000
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AnnAssign)


def read_python(file: str, text: str) -> list[HookProgram]:
    """The program in a file, and each callback that it registers."""
    source = PythonSource(text)
    try:
        tree = _parse(source, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return [HookProgram(file=file, text=text, language="python", unread=_why_not(error))]
    callbacks = read_callbacks(file, text, source, tree) if seems_to_use_sdk(text) else []
    if (callbacks or "claude_agent_sdk" in text or "claude_code_sdk" in text) and "stdin" not in text:
        return callbacks
    return [_program(file, text, source, tree), *callbacks]


def _parse(source: PythonSource, text: str) -> ast.Module:
    if len(text) > _MOST_CHARACTERS:
        raise ValueError("it is too long")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes in texts of other people's programs
        return source.parse()


def _why_not(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}" if error.lineno else error.msg
    return "it is nested too deeply" if isinstance(error, RecursionError | MemoryError) else str(error)


def _program(file: str, text: str, source: PythonSource, tree: ast.Module) -> HookProgram:
    files = ModuleFiles(file, text) if _runs_something(tree) and Path(file).is_file() else None
    program = _follow(file, text, source, tree, files)
    if program.unread and source.others and not program.unread.startswith("it calls"):
        return _follow(file, text, PythonSource(text), tree, None)  # too much, with all that it imports
    return program


def _runs_something(tree: ast.Module) -> bool:
    """Whether a file does anything by itself. A module that only defines things says nothing, whatever it imports."""
    return any(not isinstance(one, _DEFINITIONS) and not _is_harmless(one) for one in tree.body)


def _is_harmless(node: ast.stmt) -> bool:
    """Whether a statement only tries to import something, gives a name to a value, or is a text."""
    if isinstance(node, ast.Assign):
        called = (one.func for one in ast.walk(node.value) if isinstance(one, ast.Call))
        return all(not isinstance(func, ast.Name) or func.id in BUILTINS for func in called)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Try) and all(isinstance(one, _DEFINITIONS) for one in node.body)


def _follow(file: str, text: str, source: PythonSource, tree: ast.Module, files: ModuleFiles | None) -> HookProgram:
    notes = Notes(source)
    machine = HookReader(source, notes, GRAMMAR, files)
    flow = machine.flow = Flow()
    after: list[WayState] = []
    with up_to_limits(notes):
        after = machine.block(tree.body, [WayState()])
    last = source.span(tree.body[-1]) if tree.body else Span(0, 0, 1, 1)
    endings = together(endings_of(flow, after, last))
    is_idle = not notes.reads_event and not notes.runs and not any(one.said or one.how != "end" for one in endings)
    program = HookProgram(
        file=file,
        text=text,
        language="python",
        never_run=never_run(file, source, tree, machine.called) if is_idle and not notes.unread else None,
        reads_event=notes.reads_event,
        endings=endings,
        imported=tuple(one.text for one in source.others.values()),
        borrowed=tuple(source.borrowed),
    )
    return notes.complete(program)
