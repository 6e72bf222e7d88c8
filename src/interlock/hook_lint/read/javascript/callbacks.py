"""Find the callbacks that a file gives to the Agent SDK, and read each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from interlock.event import EVENTS
from interlock.hook_lint.program import Ending, HookProgram, Language
from interlock.hook_lint.read.javascript.grammar import GRAMMAR
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.members import element
from interlock.hook_lint.read.javascript.source import FUNCTIONS, ScriptSource, SyntaxNode, Tree, walk
from interlock.hook_lint.read.python.endings import ending_of, raises_of, together
from interlock.hook_lint.read.python.machine import Flow, Fork, TooManyWays, up_to_limits
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.sdk import (
    ARGUMENTS,
    FoundCallbacks,
    SdkCallback,
    endings_of_return,
    hook_registration,
    permission_registration,
    register,
    start_callback,
)
from interlock.hook_lint.read.python.source import PythonSource
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    DictBox,
    Known,
    OwnFunction,
    PyValue,
    Some,
    alternatives,
)

__all__ = ["read_callbacks", "seems_to_use_sdk"]

_PERMISSION = "canUseTool"
# How the SDK's own declarations call a callback, and what one gives back.
_CALLBACK = re.compile(r"\b(?:HookCallback|CanUseTool)\b")
_GIVES = re.compile(r"\bPromise<\s*(?:(?:Sync)?HookJSONOutput|PermissionResult)\b")


def seems_to_use_sdk(text: str) -> bool:
    return "claude-agent-sdk" in text or "@anthropic-ai/claude-code" in text or _PERMISSION in text


def read_callbacks(
    file: str, text: str, language: Language, source: ScriptSource, tree: SyntaxNode
) -> list[HookProgram]:
    """Each callback of a file, with the events and matchers that it is registered for."""
    machine = ScriptReader(source, Notes(source), GRAMMAR)
    machine.mode = "callback"
    found: FoundCallbacks = {}
    start = _look(machine, tree, found)
    _add_by_shape(machine, tree, start, found)
    return [_read(machine, one, file, text, language) for one in found.values()]


def _look(machine: ScriptReader, tree: SyntaxNode, found: FoundCallbacks) -> WayState:
    """Run the file, and each function of it that makes options and that it does not run itself."""
    start = WayState()
    with suppress(Fork, TooManyWays, RecursionError):
        after = machine.block(tree.kids, [start.fork()])
        start = after[0] if after else start
    if not start.frames[0]:
        machine.tables.hoist(machine, tree.kids, start)
    function: Tree
    for function in walk(tree):
        if function.kind in FUNCTIONS and function not in machine.called and _makes_options(machine, function):
            machine.flow, machine.calls, machine.frame, machine.steps = Flow(), [], 0, 0
            with suppress(Fork, TooManyWays, RecursionError):
                machine.run_function(OwnFunction(function, 0), (), {}, start.fork(), function)
    for node, value, state in machine.given_hooks:
        _take(machine, node, value, state, found)
    return start


def _add_by_shape(machine: ScriptReader, tree: SyntaxNode, start: WayState, found: FoundCallbacks) -> None:
    """The functions that are callbacks by their name or their type, wherever they may be registered."""
    around: dict[Tree, Tree] = {}
    node: Tree
    for node in walk(tree):
        around |= dict.fromkeys(node.kids, node)
        mode = _mode_by_shape(machine.source, node, around) if node.kind in FUNCTIONS and node not in found else None
        if mode is not None and node["body"] is not None:
            found[node] = SdkCallback(OwnFunction(node, 0), start, mode, [])


def _mode_by_shape(source: PythonSource, node: Tree, around: dict[Tree, Tree]) -> str | None:
    outer = around.get(node)
    given = node["parameters"].kids if node["parameters"] is not None else []
    name, kind = node["name"], None
    if outer is not None and outer.kind in ("pair", "assignment_expression", "variable_declarator"):
        name, kind = outer["key"] or outer["left"] or outer["name"], outer["type"]
    elif outer is not None and (maker := _returned_by(outer, around)) is not None:
        kind = maker["return_type"]
    if not given:
        return None
    if name is not None and source.code(name).rpartition(".")[2] == _PERMISSION:
        return "permission"
    types = source.code(kind) if kind is not None else ""
    gives = source.code(node["return_type"]) if node["return_type"] is not None else ""
    found = _CALLBACK.search(types) or _GIVES.search(gives)
    if found is None:
        return None
    return "callback" if "Hook" in found[0] else "permission" if len(given) > 1 else None


def _returned_by(outer: Tree, around: dict[Tree, Tree]) -> Tree | None:
    """The function that gives this one back, if `outer` is its `return`, or it is all that it gives."""
    if outer.kind != "return_statement":
        return outer if outer.kind == "arrow_function" else None
    while outer is not None and outer.kind not in FUNCTIONS:
        outer = around.get(outer)
    return outer


def _makes_options(machine: ScriptReader, function: SyntaxNode) -> bool:
    code = machine.source.code(function)
    return "hooks" in code or _PERMISSION in code


def _take(machine: ScriptReader, node: Tree, value: PyValue, state: WayState, found: FoundCallbacks) -> None:
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
            one = permission_registration(
                machine.source.span(_place_of(machine, node)),
                state,
                allowed_tools=box.items.get("allowedTools", Known(None)),
                permission_mode=box.items.get("permissionMode", Known(None)),
            )
            register(found, func, state, "permission", one)


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
    found: FoundCallbacks,
) -> None:
    box = machine.box(entry, state)
    if not isinstance(box, DictBox):
        return
    registration = hook_registration(
        machine.source.span(node),
        event,
        state,
        matcher=box.items.get("matcher", Known(None)),
        timeout=box.items.get("timeout", Known(None)),
        on_failure=box.items.get("onFailure", Known(None)),
    )
    for func in _elements(machine, box.items.get("hooks", Known(None)), node, state):
        for one in alternatives(func):
            if isinstance(one, OwnFunction):
                register(found, one, state, "callback", registration)


# --- one callback ------------------------------------------------------------------------------------------------


def _read(machine: ScriptReader, found: SdkCallback, file: str, text: str, language: Language) -> HookProgram:
    source, func = machine.source, found.func
    node: Tree = func.node
    state = start_callback(machine, found)
    notes, machine.waiting = machine.notes, []
    endings: list[Ending] = []
    with up_to_limits(notes):
        returns, after = machine.run_callback(func, ARGUMENTS[found.mode], state)
        for value, one, place in returns:
            shown = place.kids[0] if place.kind == "return_statement" and place.kids else place
            endings += endings_of_return(machine, value, one, place, shown)
        last = node["body"].kids[-1] if node["body"].kids else node
        endings += [ending_of("end", source.span(last), one) for one in after]
    endings += raises_of(machine.flow)
    program = HookProgram(
        file=file,
        text=text,
        language=language,
        mode=machine.mode,
        name=_name_of(source, node),
        entry=source.head(node),
        is_async=node.is_async,
        registered=tuple(found.registered),
        reads_event=bool(notes.reads),
        endings=together(endings),
    )
    return notes.complete(program)


def _name_of(source: PythonSource, node: Tree) -> str:
    if node["name"] is not None:
        return source.code(node["name"])
    return "function"
