"""Note what a program writes, and where to."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.names import REFUSALS
from interlock.hook_lint.read.python.rendering import Stream, join_text, said_of, text_of
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import Known, Lib, PyValue, roots_of

__all__ = ["say", "stream_of"]

_MOST_SAID = 24
_MOST_LOG_LINES = 3


def stream_of(value: PyValue | None) -> Stream:
    """The stream that a file object is."""
    match value:
        case None | Known(value=None) | Lib(name="sys.stdout"):
            return "stdout"
        case Lib(name="sys.stderr"):
            return "stderr"
    return "log"


def say(m: HookReader, stream: Stream, parts: Sequence[str | PyValue], node: ast.AST, state: WayState) -> None:
    """Note that this is written. Text that a callback prints is not its answer, so it counts as stderr."""
    if m.mode != "command" and stream == "stdout":
        stream = "stderr"
    if len(state.said) >= _MOST_SAID:
        return
    m.notes.decide(root for part in parts if not isinstance(part, str) for root in roots_of(part))
    written = join_text(list(parts))
    if stream == "log":
        text = text_of(written, state)
        if text.count("\n") > _MOST_LOG_LINES or not REFUSALS.search(text):
            return  # a whole document is not a log entry
    state.say(said_of(stream, written, m.source.span(node), state))
