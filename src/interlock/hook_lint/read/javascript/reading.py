"""Read a file in JavaScript or TypeScript: the program that it is, and the callbacks that it gives to the Agent SDK."""

from __future__ import annotations

from interlock.hook_lint.program import HookProgram, Language
from interlock.hook_lint.read.javascript.callbacks import read_callbacks, seems_to_use_sdk
from interlock.hook_lint.read.javascript.endings import endings_of
from interlock.hook_lint.read.javascript.grammar import GRAMMAR
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.never import never_run
from interlock.hook_lint.read.javascript.source import ScriptSource, SyntaxNode
from interlock.hook_lint.read.python.endings import together
from interlock.hook_lint.read.python.machine import Flow, up_to_limits
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.state import WayState

__all__ = ["read_javascript"]

_MOST_CHARACTERS = 400_000


def read_javascript(file: str, text: str, *, typescript: bool = False) -> list[HookProgram]:
    """The program in a file, and each callback that it registers."""
    language: Language = "typescript" if typescript else "javascript"
    if len(text) > _MOST_CHARACTERS:
        return [HookProgram(file=file, text=text, language=language, unread="it is too long")]
    source = ScriptSource(text)
    try:
        tree = _tree(source, typescript=typescript)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return [HookProgram(file=file, text=text, language=language, unread=why)]
    callbacks = read_callbacks(file, text, language, source, tree) if seems_to_use_sdk(text) else []
    if callbacks and "stdin" not in text:
        return callbacks
    return [_program(file, text, language, source, tree), *callbacks]


def _tree(source: ScriptSource, *, typescript: bool) -> SyntaxNode:
    """The tree of a file. Node runs TypeScript too, and the first line does not say which of the two it is."""
    try:
        return source.tree(typescript=typescript)
    except ValueError as error:
        try:
            return source.tree(typescript=not typescript)
        except ValueError:
            raise error from None


def _program(file: str, text: str, language: Language, source: ScriptSource, tree: SyntaxNode) -> HookProgram:
    notes = Notes(source)
    machine = ScriptReader(source, notes, GRAMMAR)
    flow = machine.flow = Flow()
    after: list[WayState] = []
    with up_to_limits(notes):
        after = machine.run_waiting(machine.block(tree.kids, [WayState()]), tree)
        after += machine.after_last_resort(tree)
    last = source.span(tree.kids[-1] if tree.kids else tree)
    endings = together(endings_of(flow, after, last))
    is_idle = not notes.reads_event and not notes.runs and not any(one.said or one.how != "end" for one in endings)
    program = HookProgram(
        file=file,
        text=text,
        language=language,
        never_run=never_run(file, source, tree, machine.called) if is_idle and not notes.unread else None,
        reads_event=notes.reads_event,
        endings=endings,
    )
    return notes.complete(program)
