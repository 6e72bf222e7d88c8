"""Turn the ways on which a program has ended into its endings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from interlock.hook_lint.program import Ending, OutputPart, Span
from interlock.hook_lint.read.python.machine import Flow
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import AskedOf, Known, Path, PyValue

__all__ = ["ending_of", "endings_of", "together"]

_TOOL_NAME = ("tool_name",)
_UNCAUGHT = 1  # the exit code of an exception that nothing catches


def endings_of(flow: Flow, after: Iterable[WayState], last: Span) -> Iterator[Ending]:
    """The ends of a program: those on its ways, and its last line."""
    for ended in flow.ends:
        yield ending_of("exit", ended.span, ended.state, code=_code_of(ended.value))
    yield from raises_of(flow)
    for state in after:
        yield ending_of("end", last, state)


def raises_of(flow: Flow) -> Iterator[Ending]:
    for ended in flow.raises:
        yield ending_of("raise", ended.span, ended.state, code=_UNCAUGHT)


def _code_of(value: PyValue) -> int | None:
    if not isinstance(value, Known):
        return None
    if value.value is None:
        return 0
    return int(value.value) & 0xFF if isinstance(value.value, int) else _UNCAUGHT


def ending_of(
    how: str, span: Span, state: WayState, *, code: int | None = 0, said: tuple[OutputPart, ...] = ()
) -> Ending:
    conditions = (*state.conditions, *(one for one in state.passed if one not in state.conditions))
    # Inside of a condition that looks at something else, it is not what the call would do that leads here.
    about = not state.conditions or state.conditions[-1].is_about_call
    paths: tuple[Path, ...] = tuple(dict.fromkeys(path for one in conditions for path in one.paths)) if about else ()
    return Ending(
        how=how,  # type: ignore[arg-type]
        span=span,
        code=code,
        said=(*state.said, *said),
        when=tuple(one.text for one in conditions),
        on_error=state.on_error,
        is_default=state.missed and not state.hit,
        paths=paths,
        tools=_tools_of(state),
        found=tuple(sorted(state.found, key=lambda span: span.start)),
    )


def _tools_of(state: WayState) -> tuple[str, ...]:
    """The tools for which the way is, if its conditions name them."""
    for question, answer in state.facts.items():
        if isinstance(question, AskedOf) and question.options == frozenset():
            subject = question.subject
            if getattr(subject, "path", None) == _TOOL_NAME and answer[0] is not None:
                return tuple(sorted(str(name) for name in answer[0]))
    return ()


def together(endings: Iterable[Ending]) -> tuple[Ending, ...]:
    """Each ending once: ways that end in the same place and have said the same are one."""
    found: dict[tuple[object, ...], Ending] = {}
    for ending in endings:
        said = tuple((one.stream, one.span, repr(one.value), one.text) for one in ending.said)
        key = (ending.how, ending.span, ending.code, said)
        before = found.get(key)
        if before is None:
            found[key] = ending
            continue
        normal = ending if before.on_error and not ending.on_error else before
        found[key] = msgspec.structs.replace(
            normal,
            when=normal.when if before.when and ending.when else (),
            on_error=before.on_error and ending.on_error,
            is_default=before.is_default or ending.is_default,
            paths=tuple(dict.fromkeys((*before.paths, *ending.paths))),
            found=tuple(sorted({*before.found, *ending.found}, key=lambda span: span.start)),
            tools=tuple(sorted({*before.tools, *ending.tools})) if before.tools and ending.tools else (),
        )
    return tuple(found.values())
