"""Find the callbacks that a file gives to the Agent SDK, and read each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from interlock.event import EVENTS
from interlock.hook_lint.program import Ending, HookProgram, Language, OutputPart, Registration
from interlock.hook_lint.read.javascript.grammar import GRAMMAR
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.members import element
from interlock.hook_lint.read.javascript.source import FUNCTIONS, ScriptSource, SyntaxNode, Tree, walk
from interlock.hook_lint.read.python.endings import ending_of, raises_of, together
from interlock.hook_lint.read.python.machine import Flow, Fork, TooManyWays
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.rendering import json_of
from interlock.hook_lint.read.python.source import PythonSource
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    DictBox,
    EventPart,
    Known,
    OwnFunction,
    PyValue,
    Some,
    alternatives,
)

__all__ = ["read_callbacks", "seems_to_use_sdk"]

_PERMISSION = "canUseTool"
_ARGUMENTS: dict[str, tuple[PyValue, ...]] = {
    "callback": (EventPart(), Some(key=1), Some(key=2)),
    "permission": (EventPart(("tool_name",)), EventPart(("tool_input",)), Some(key=2)),
}


class GivenFunc(Struct):
    """A callback, the state in which it was given to the SDK, and under what."""

    func: OwnFunction
    state: WayState
    mode: str
    registered: list[Registration]


Found = dict[SyntaxNode, GivenFunc]


def seems_to_use_sdk(text: str) -> bool:
    return "claude-agent-sdk" in text or "@anthropic-ai/claude-code" in text or _PERMISSION in text


def read_callbacks(
    file: str, text: str, language: Language, source: ScriptSource, tree: SyntaxNode
) -> list[HookProgram]:
    """Each callback of a file, with the events and matchers that it is registered for."""
    machine = ScriptReader(source, Notes(source), GRAMMAR)
    machine.mode = "callback"
    found: Found = {}
    with suppress(TooManyWays, RecursionError):
        _look(machine, tree, found)
    return [_read(machine, one, file, text, language) for one in found.values()]


def _look(machine: ScriptReader, tree: SyntaxNode, found: Found) -> None:
    """Run the file, and each function of it that makes options and that it does not run itself."""
    start = WayState()
    with suppress(Fork):
        after = machine.block(tree.kids, [start.fork()])
        start = after[0] if after else start
    if not start.frames[0]:
        machine.tables.hoist(machine, tree.kids, start)
    for node in tree.kids:
        function: Tree
        for function in walk(node):
            if function.kind in FUNCTIONS and function not in machine.called and _makes_options(machine, function):
                machine.flow = Flow()
                with suppress(Fork):
                    machine.run_function(OwnFunction(function, 0), (), {}, start.fork(), function)
    for node, value, state in machine.given_hooks:
        _take(machine, node, value, state, found)


def _makes_options(machine: ScriptReader, function: SyntaxNode) -> bool:
    code = machine.source.code(function)
    return "hooks" in code or _PERMISSION in code


def _take(machine: ScriptReader, node: Tree, value: PyValue, state: WayState, found: Found) -> None:
    box = machine.box(value, state)
    if not isinstance(box, DictBox):
        return
    hooks = machine.box(box.items.get("hooks", Some()), state)
    for event, entries in hooks.items.items() if isinstance(hooks, DictBox) else ():
        if event in EVENTS:
            for entry in _elements(machine, entries, node, state):
                _register(machine, str(event), entry, node, state, found)
    for func in alternatives(box.items.get(_PERMISSION, Some())):
        if isinstance(func, OwnFunction):
            allowed = json_of(box.items.get("allowedTools", Known(None)), state)
            mode = json_of(box.items.get("permissionMode", Known(None)), state)
            one = Registration(
                span=machine.source.span(_place_of(machine, node)),
                allowed_tools=tuple(name for name in allowed if isinstance(name, str))
                if isinstance(allowed, list)
                else (),
                permission_mode=mode if isinstance(mode, str) else "",
            )
            _add(found, func, state, "permission", one)


def _place_of(machine: ScriptReader, node: Tree) -> Tree:
    """Where options say what is allowed beside `canUseTool`."""
    pairs = {machine.source.code(kid["key"]): kid for kid in node.kids if kid["key"] is not None}
    return pairs.get("allowedTools") or pairs.get("permissionMode") or node


def _elements(machine: ScriptReader, value: PyValue, node: Tree, state: WayState) -> Iterator[PyValue]:
    known, one = element(machine, value, node, state)
    yield from known if known is not None else (one,)


def _register(
    machine: ScriptReader,
    event: str,
    entry: PyValue,
    node: Tree,
    state: WayState,
    found: Found,
) -> None:
    box = machine.box(entry, state)
    if not isinstance(box, DictBox):
        return
    matcher = json_of(box.items.get("matcher", Known(None)), state)
    seconds = json_of(box.items.get("timeout", Known(None)), state)
    failure = json_of(box.items.get("onFailure", Known(None)), state)
    for func in _elements(machine, box.items.get("hooks", Known(None)), node, state):
        for one in alternatives(func):
            if isinstance(one, OwnFunction):
                registration = Registration(
                    span=machine.source.span(node),
                    event=event,
                    matcher=matcher if isinstance(matcher, str) else None,
                    timeout=seconds if isinstance(seconds, int | float) else None,
                    on_failure=failure if isinstance(failure, str) else "",
                )
                _add(found, one, state, "callback", registration)


def _add(found: Found, func: OwnFunction, state: WayState, mode: str, one: Registration) -> None:
    node: Tree = func.node
    entry = found.setdefault(node, GivenFunc(func, state, mode, []))
    if one not in entry.registered:
        entry.registered.append(one)


# --- one callback ------------------------------------------------------------------------------------------------


def _read(machine: ScriptReader, found: GivenFunc, file: str, text: str, language: Language) -> HookProgram:
    source, func = machine.source, found.func
    node: Tree = func.node
    notes = machine.notes = Notes(source)
    machine.mode = "permission" if found.mode == "permission" else "callback"
    machine.flow, machine.steps, machine.waiting = Flow(), 0, []
    state = found.state.fork()
    state.said, state.conditions, state.passed, state.asked = (), (), (), ()
    state.found = frozenset()
    state.hit = state.missed = state.on_error = False
    endings: list[Ending] = []
    try:
        returns, after = machine.run_callback(func, _ARGUMENTS[found.mode], state)
        for value, one, place in returns:
            endings += _endings_of_return(machine, value, one, place)
        last = node["body"].kids[-1] if node["body"].kids else node
        endings += [ending_of("end", source.span(last), one) for one in after]
    except Fork:
        pass
    except TooManyWays:
        notes.unread = notes.unread or "it has too many ways to follow"
    except RecursionError:
        notes.unread = "it is nested too deeply"
    endings += raises_of(machine.flow)
    return HookProgram(
        file=file,
        text=text,
        language=language,
        mode=machine.mode,
        name=_name_of(source, node),
        entry=source.head(node),
        is_async=node.is_async,
        registered=tuple(found.registered),
        reads_event=bool(notes.reads),
        reads=notes.all_reads(),
        names=notes.all_names(),
        comparisons=tuple(notes.comparisons.values()),
        patterns=tuple(notes.patterns.values()),
        endings=together(endings),
        uses=notes.all_runs(),
        blocking=tuple(sorted(notes.blocking.values(), key=lambda span: span.start)),
        unread=notes.unread,
    )


def _name_of(source: PythonSource, node: Tree) -> str:
    if node["name"] is not None:
        return source.code(node["name"])
    return "function"


def _endings_of_return(machine: ScriptReader, value: PyValue, state: WayState, place: Tree) -> Iterator[Ending]:
    shown = place.kids[0] if place.kind == "return_statement" and place.kids else place
    for one in alternatives(value):
        if isinstance(one, Known) and one.value is None:
            yield ending_of("return", machine.source.span(place), state)
            continue
        said = OutputPart(stream="return", span=machine.source.span(shown), value=json_of(one, state))
        yield ending_of("return", machine.source.span(place), state, said=(said,))
