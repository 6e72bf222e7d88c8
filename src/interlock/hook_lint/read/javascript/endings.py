"""Turn the ways on which a program has ended into its endings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interlock.hook_lint.program import Ending, Span
from interlock.hook_lint.read.javascript.members import EXIT_CODE
from interlock.hook_lint.read.python import endings as python_endings
from interlock.hook_lint.read.python.endings import ending_of
from interlock.hook_lint.read.python.machine import Flow
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import Known

__all__ = ["endings_of"]


def endings_of(flow: Flow, after: Iterable[WayState], last: Span) -> Iterator[Ending]:
    """The ends of a program: those on its ways, and its last line, which ends with `process.exitCode`."""
    yield from python_endings.endings_of(flow, (), last)
    for state in after:
        code = state.frames[0].get(EXIT_CODE, Known(0))
        number = code.value if isinstance(code, Known) and isinstance(code.value, int) else None
        yield ending_of("end", last, state, code=0 if code == Known(None) else number)
