"""Find the callbacks that a file gives to the Agent SDK, and read each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from interlock.event import EVENTS
from interlock.hook_lint.program import Ending, HookProgram
from interlock.hook_lint.read.python.attributes import member_of
from interlock.hook_lint.read.python.endings import ending_of, raises_of, together
from interlock.hook_lint.read.python.grammar import GRAMMAR
from interlock.hook_lint.read.python.machine import Flow, Fork, HookReader, TooManyWays, up_to_limits
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
    Klass,
    Known,
    Lib,
    ListBox,
    Matcher,
    ObjectBox,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyValue,
    Seq,
    alternatives,
)

__all__ = ["read_callbacks", "seems_to_use_sdk"]

_WORDS = ("HookMatcher", "can_use_tool", "tool_use_id", "PermissionResult", "ToolPermissionContext", "HookContext")
_BUILDERS = frozenset({"HookMatcher", "can_use_tool", "ClaudeAgentOptions", "ClaudeCodeOptions"})
_SECOND = frozenset({"tool_use_id", "toolUseID", "tool_use_ID", "_tool_use_id", "tool_id"})
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def seems_to_use_sdk(text: str) -> bool:
    return any(word in text for word in _WORDS)


def read_callbacks(file: str, text: str, source: PythonSource, tree: ast.Module) -> list[HookProgram]:
    """Each callback of a file, with the events and matchers that it is registered for."""
    machine = HookReader(source, Notes(source), GRAMMAR)
    machine.mode = "callback"
    finder = _Finder(machine, tree)
    with suppress(TooManyWays, RecursionError):
        finder.look()
    return [_read(machine, one, file, text) for one in finder.found.values()]


class _Finder:
    """What of a file is run to find its callbacks: the module, and each function that makes options."""

    def __init__(self, machine: HookReader, tree: ast.Module) -> None:
        self.machine = machine
        self.tree = tree
        self.found: FoundCallbacks = {}
        self.events: dict[ast.AST, list[tuple[str, Matcher, WayState]]] = {}
        self.start = WayState()

    def look(self) -> None:
        try:
            after = self.machine.block(self.tree.body, [self.start])
        except Fork:
            after = []
        self.start = after[0] if after else self.start
        self._link(after)
        functions = list(_functions(self.tree))
        for node, klass, outer in functions:
            if outer is None and node not in self.machine.called and _makes_options(node):
                self._run(node, klass)
        for matcher, state in self.machine.matchers:
            if isinstance(matcher, Matcher):
                self._register(matcher, state)
        for place, keywords, state in self.machine.options:
            self._permit(place, keywords, state)
        for node, klass, outer in functions:
            mode = _mode_by_signature(node)
            if mode is not None and node not in self.found and not _is_handled(node):
                self._take(node, klass, outer, mode)

    def _run(self, node: FunctionNode, klass: ast.ClassDef | None) -> list[tuple[PyValue, WayState]]:
        func = self._function(node, klass)
        if func is None:
            return []
        machine = self.machine
        machine.flow = Flow()
        try:
            outcomes = machine.run_function(func, (), {}, self.start.fork(), node)
        except Fork as fork:
            outcomes = list(fork.outcomes)
        self._link([state for _, state in outcomes])
        self._link([one.state for one in (*machine.flow.ends, *machine.flow.raises)])
        return outcomes

    def _function(self, node: FunctionNode, klass: ast.ClassDef | None) -> OwnFunction | None:
        """The function that a node has defined in the module, or in a class of it."""
        state = self.start
        if klass is None:
            found = state.frames[0].get(node.name)
            return found if isinstance(found, OwnFunction) and found.node is node else None
        kind = state.frames[0].get(klass.name)
        found = member_of(kind, node.name, state) if isinstance(kind, Klass) else None
        if not isinstance(found, OwnFunction) or not isinstance(kind, Klass):
            return None
        return OwnFunction(
            found.node, found.frame, self.machine.fresh(klass, ObjectBox(kind), state), (), (), found.is_wrapped
        )

    def _link(self, states: list[WayState]) -> None:
        """Note under which event each matcher lies."""
        for state in states:
            for box in state.heap.values():
                if not isinstance(box, DictBox):
                    continue
                for key, value in box.items.items():
                    for matcher in _matchers_in(value, state) if key in EVENTS else ():
                        self.events.setdefault(matcher.node, []).append((str(key), matcher, state))

    def _register(self, matcher: Matcher, state: WayState) -> None:
        events = dict.fromkeys(event for event, _, _ in self.events.get(matcher.node, [])) or {"": None}
        span = self.machine.source.span(matcher.node)
        options = {"matcher": matcher.matcher, "timeout": matcher.timeout, "on_failure": matcher.on_failure}
        for func in _callbacks_in(matcher.hooks, state):
            for event in events:
                register(self.found, func, state, "callback", hook_registration(span, event, state, **options))

    def _permit(self, place: ast.AST, keywords: object, state: WayState) -> None:
        given: dict[str, PyValue] = dict(keywords) if isinstance(keywords, dict) else {}
        one = permission_registration(
            self.machine.source.span(_place_of_permissions(place)),
            state,
            allowed_tools=given.get("allowed_tools", Known(None)),
            permission_mode=given.get("permission_mode", Known(None)),
        )
        for func in _callbacks_in(given["can_use_tool"], state):
            register(self.found, func, state, "permission", one)

    def _take(self, node: FunctionNode, klass: ast.ClassDef | None, outer: FunctionNode | None, mode: str) -> None:
        """A function that looks like a callback, wherever it may be registered."""
        if outer is None:
            func = self._function(node, klass)
            if func is not None:
                self.found[node] = SdkCallback(func, self.start, mode, [])
            return
        for value, state in self._run(outer, klass):
            if isinstance(value, OwnFunction) and value.node is node:
                self.found[node] = SdkCallback(value, state, mode, [])


def _functions(tree: ast.Module) -> Iterator[tuple[FunctionNode, ast.ClassDef | None, FunctionNode | None]]:
    """The functions of a module, each with the class and the function that it is in."""
    for node in tree.body:
        if isinstance(node, FunctionNode):
            yield from _with_inner(node, None)
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, FunctionNode):
                    yield from _with_inner(method, node)


def _with_inner(
    node: FunctionNode, klass: ast.ClassDef | None
) -> Iterator[tuple[FunctionNode, ast.ClassDef | None, FunctionNode | None]]:
    yield node, klass, None
    for inner in node.body:
        if isinstance(inner, FunctionNode):
            yield inner, klass, node


def _makes_options(node: FunctionNode) -> bool:
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str() as name):
                if name in _BUILDERS:
                    return True
    return False


def _mode_by_signature(node: FunctionNode) -> str | None:
    """What a function seems to be registered as, by its parameters."""
    names = [one for one in node.args.args if one.arg not in ("self", "cls")]
    types = " ".join(ast.unparse(one) for one in (*(one.annotation for one in names), node.returns) if one is not None)
    if "ToolPermissionContext" in types or "PermissionResult" in types:
        return "permission" if len(names) == 3 else None
    if len(names) == 3 and (names[1].arg in _SECOND or "HookContext" in types or "HookJSONOutput" in types):
        return "callback"
    return None


def _is_handled(node: FunctionNode) -> bool:
    """Whether a decorator that is not in the file does something with it."""
    return bool(node.decorator_list)


def _matchers_in(value: PyValue, state: WayState) -> Iterator[Matcher]:
    for one in alternatives(value):
        box = state.heap.get(one.id) if isinstance(one, ObjectRef) else None
        items = box.items if isinstance(box, ListBox) else one.values if isinstance(one, Seq) else (one,)
        for item in items:
            yield from (found for found in alternatives(item) if isinstance(found, Matcher))


def _callbacks_in(value: PyValue, state: WayState) -> Iterator[OwnFunction]:
    """The functions of the file in a list, or by themselves; an object that can be called is its method."""
    for one in alternatives(value):
        match one:
            case OwnFunction():
                yield one
            case Seq(values=values):
                for item in values:
                    yield from _callbacks_in(item, state)
            case ObjectRef(id=id):
                match state.heap.get(id):
                    case ListBox(items=items):
                        for item in items:
                            yield from _callbacks_in(item, state)
                    case ObjectBox(klass=Klass() as klass):
                        found = member_of(klass, "__call__", state)
                        if isinstance(found, OwnFunction):
                            yield OwnFunction(found.node, found.frame, one)


def _place_of_permissions(place: ast.AST) -> ast.AST:
    """Where a call says what is allowed beside its `can_use_tool`."""
    keywords = {one.arg: one for one in place.keywords} if isinstance(place, ast.Call) else {}
    return keywords.get("allowed_tools") or keywords.get("permission_mode") or place


# --- one callback ------------------------------------------------------------------------------------------------


def _read(machine: HookReader, found: SdkCallback, file: str, text: str) -> HookProgram:
    source, func = machine.source, found.func
    state = start_callback(machine, found)
    notes, machine.is_async = machine.notes, func.is_async
    endings: list[Ending] = []
    is_async = func.is_async or func.is_wrapped
    with up_to_limits(notes):
        returns, after = machine.run_callback(func, ARGUMENTS[found.mode], state)
        last = func.node.body if isinstance(func.node, ast.Lambda) else func.node.body[-1]
        for value, one, place in returns:
            shown = place.value if isinstance(place, ast.Return) and place.value is not None else place
            endings += endings_of_return(machine, value, one, place, shown)
        endings += [ending_of("end", source.span(last), one) for one in after]
        is_async = is_async or _gives_awaitables(machine, returns, after)
    endings += raises_of(machine.flow)
    machine.is_async = False
    program = HookProgram(
        file=file,
        text=text,
        language="python",
        mode=machine.mode,
        name=getattr(func.node, "name", "lambda"),
        entry=source.head(func.node),
        is_async=is_async,
        registered=tuple(found.registered),
        reads_event=bool(notes.reads),
        endings=together(endings),
    )
    return notes.complete(program)


def _gives_awaitables(
    machine: HookReader, returns: list[tuple[PyValue, WayState, ast.AST]], after: list[WayState]
) -> bool:
    """Whether a function that is not `async` may give back what can be awaited: the call of one that is."""
    if after:
        return False
    for value, state, place in returns:
        node = place.value if isinstance(place, ast.Return) else place
        called = node.func if isinstance(node, ast.Call) else None
        callee = machine.lookup(called.id, state) if isinstance(called, ast.Name) else None
        if isinstance(callee, OwnFunction) and callee.is_async:
            continue
        if isinstance(value, Known | ObjectRef | Seq | OneOf | Lib):
            return False
    return bool(returns)
