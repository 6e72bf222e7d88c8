"""What functions do that end the program, write, read its input, search, or start other programs."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from interlock.hook_lint.program import ProgramUse
from interlock.hook_lint.read.python.calls import CallArguments
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.notes import is_useful
from interlock.hook_lint.read.python.rendering import json_of, text_of, value_of_json
from interlock.hook_lint.read.python.saying import say, stream_of
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    AskedOf,
    DictBox,
    EventPart,
    Json,
    Known,
    Lib,
    ListBox,
    Matcher,
    NamedInput,
    ObjectRef,
    OneOf,
    PyText,
    PyValue,
    Raw,
    RegexValue,
    Root,
    Run,
    Some,
    alternatives,
    one_of,
    roots_of,
)

__all__ = [
    "do_dump",
    "do_dumps",
    "do_environment",
    "do_exit",
    "do_exit_with_two",
    "do_glob",
    "do_load",
    "do_loads",
    "do_matcher",
    "do_matching",
    "do_open",
    "do_os_write",
    "do_permission",
    "do_print",
    "do_read_fd",
    "do_regex_of",
    "do_run",
    "do_stdin",
    "do_substitution",
    "do_traceback",
    "do_which",
    "do_write",
]

Reader = Callable[[HookReader, CallArguments, WayState], PyValue]
_OBJECTS = ((), ("tool_input",))
_BLANKS = (Known(r"\s+"), Known(r"\s{2,}"), Known(" +"), Known(r"[ \t]+"))


def do_exit(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    code = called.arg(0, "status") or called.arg(0, "code") or Known(0)
    if (isinstance(code, Known) and isinstance(code.value, str)) or isinstance(code, PyText | Json):
        say(m, "stderr", [code], called.node, state)
        code = Known(1)
    raise m.end(code, called.node, state)


def do_exit_with_two(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    raise m.end(Known(2), called.node, state)


def do_print(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    separator, last = called.keywords.get("sep", Known(" ")), called.keywords.get("end", Known("\n"))
    parts: list[str | PyValue] = []
    for place, one in enumerate(called.args):
        parts += [separator, one] if place else [one]
    for file in alternatives(called.keywords.get("file", NONE))[:1]:
        say(m, stream_of(file), [*parts, last], called.node, state)
    return NONE


def do_write(stream: str) -> Reader:
    def write(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
        say(m, stream_of(Lib(stream)), called.args[:1], called.node, state)
        return NONE

    return write


def do_dump(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    file = called.arg(1, "fp")
    said = Json(json_of(called.args[0], state)) if called.args else NOTHING
    say(m, stream_of(file or NOTHING), [said], called.node, state)
    return NONE


def do_traceback(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    say(m, stream_of(called.keywords.get("file", Lib("sys.stderr"))), ["Traceback …"], called.node, state)
    return NONE


def do_os_write(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    streams = {1: Lib("sys.stdout"), 2: Lib("sys.stderr")}
    number = called.args[0].value if called.args and isinstance(called.args[0], Known) else 0
    say(m, stream_of(streams.get(number, NOTHING)), called.args[1:2], called.node, state)
    return NONE


# --- input -------------------------------------------------------------------------------------------------------


def do_stdin(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    _note_fallback(m, state)
    return Raw()


def _note_fallback(m: HookReader, state: WayState) -> None:
    """Standard input is read: a variable that is empty on this way is done without."""
    m.notes.reads_event = True
    for value, answer in state.facts.items():
        if answer is False and isinstance(value, NamedInput):
            m.notes.with_default.add((value.kind, value.name))


def do_read_fd(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    is_stdin = bool(called.args) and called.args[0] in (Known(0), Lib("sys.stdin.fileno"))
    return do_stdin(m, called, state) if is_stdin else m.unknown(called.node, *called.all)


def do_load(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    file = called.arg(0, "fp")
    if file in (Lib("sys.stdin"), Raw()):
        _note_fallback(m, state)
        return EventPart()
    return m.unknown(called.node, *(called.args[:1]))


def do_loads(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    text = called.arg(0, "s")
    match text:
        case Raw():
            m.notes.reads_event = True
            return EventPart()
        case Json(value=value):
            places = iter(range(1, 1000))
            return value_of_json(value, lambda box: m.fresh(called.node, box, state, next(places)))
        case NamedInput():
            m.notes.judge_by(text)
        case EventPart(path=path) if path:
            return m.unknown(called.node, text)
        case OneOf(values=values) if Raw() in values:
            m.notes.reads_event = True
            return EventPart()
        case Some(roots=roots) if () in roots:
            return EventPart()
    return m.unknown(called.node, *(called.args[:1]))


def do_dumps(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.arg(0, "obj")
    if value is None or isinstance(value, EventPart | Raw | Some | NamedInput):
        return Some(roots_of(value), m.key(called.node)) if value is not None else NOTHING
    if isinstance(value, OneOf) and len(value.values) <= 4:
        return one_of([Json(json_of(one, state)) for one in value.values])
    return Json(json_of(value, state))


def do_environment(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    names = called.arg(0, "key")
    found: list[PyValue] = []
    default = called.arg(1, "default")
    for name in alternatives(names) if names is not None else ():
        if isinstance(name, Known) and isinstance(name.value, str):
            named = NamedInput("environment", name.value)
            found.append(m.notes.name(named, name.node or called.node, has_default=is_useful(default)))
    return one_of(found) if found else m.unknown(called.node)


def do_open(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    if called.args and called.args[0] in (Known(0), Known("/dev/stdin"), Lib("sys.stdin.fileno")):
        m.notes.reads_event = True
        return Lib("sys.stdin")
    return Some(frozenset(), m.key(called.node), tag="file")


# --- patterns ----------------------------------------------------------------------------------------------------


def do_matching(how: str) -> Reader:
    def search(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
        pattern, text = called.arg(0, "pattern"), called.arg(1, "string")
        roots: frozenset[Root] = frozenset()
        for one in alternatives(pattern) if pattern is not None else ():
            compiled = one if isinstance(one, RegexValue) else RegexValue(one, called.arg(2, "flags") is None)
            roots |= m.notes.search(text or NOTHING, compiled.texts, how, called.node, is_exact=compiled.is_exact)
        return m.unknown(called.node, *([text] if text is not None else []), roots=roots)

    return search


def do_substitution(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    pattern, by = called.arg(0, "pattern"), called.arg(1, "repl")
    if pattern in _BLANKS and by == Known(" ") and len(called.args) == 3:
        return called.args[2]
    return m.unknown(called.node, *(called.args[2:3] or called.args))


def do_regex_of(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    found = called.arg(0, "pattern")
    texts: list[PyValue] = []
    is_exact = called.arg(1, "flags") is None
    for one in alternatives(found) if found is not None else ():
        texts.append(one.texts if isinstance(one, RegexValue) else one)
        is_exact &= not isinstance(one, RegexValue) or one.is_exact
    return RegexValue(one_of(texts), is_exact)


def do_glob(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    text, pattern = called.arg(0, "name"), called.arg(1, "pat")
    roots = m.notes.search(text or NOTHING, pattern or NOTHING, "glob", called.node)
    found = m.unknown(called.node, *([text] if text is not None else []), roots=roots)
    return AskedOf(found, roots=found.roots)


# --- programs ----------------------------------------------------------------------------------------------------


def do_run(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    node = called.node
    words = _words(called.arg(0, "args"), state)
    if words:
        caught = frozenset().union(*m.handlers) if m.handlers else frozenset()
        use = ProgramUse(
            name=PurePath(words[0]).name,
            span=m.source.span(node),
            is_checked=bool(caught & {"FileNotFoundError", "OSError", "Exception", "BaseException"}),
            arguments=tuple(words[1:]),
        )
        m.notes.runs.setdefault(id(node), use)
    made = m.unknown(node, *(called.args[:1]), *([called.keywords["input"]] if "input" in called.keywords else []))
    in_list = _roots_in(called.arg(0, "args"), state)
    return Some(made.roots | in_list | frozenset[Root]([Run(id(node))]), made.key, tag="process")


def _roots_in(value: PyValue | None, state: WayState) -> frozenset[Root]:
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    return roots_of(one_of(box.items)) if isinstance(box, ListBox) and box.items else frozenset()


def _words(value: PyValue | None, state: WayState) -> list[str]:
    """The words of a command line; `…` for one that is not known."""
    if value is None:
        return []
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    if isinstance(box, ListBox) and box.items and isinstance(box.items[0], Known):
        return [text_of(one, state) for one in box.items]
    text = text_of(value, state) if isinstance(value, Known | PyText) else ""
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    return [] if not words or "…" in words[0] or "=" in words[0] else words


def do_which(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    for one in alternatives(called.args[0]) if called.args else ():
        if isinstance(one, Known):
            m.notes.checked.add(str(one.value))
    return m.unknown(called.node)


# --- the Agent SDK -----------------------------------------------------------------------------------------------


def do_matcher(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    found = Matcher(
        called.node,
        called.arg(0, "matcher") or NONE,
        called.arg(1, "hooks") or NOTHING,
        called.arg(2, "timeout") or NONE,
        called.arg(3, "on_failure") or NONE,
    )
    m.matchers.append((found, state.fork()))
    return found


def do_permission(behaviour: str) -> Reader:
    def result(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
        known: dict[Any, PyValue] = {"behavior": Known(behaviour)}
        names = {"message": "message", "interrupt": "interrupt", "updated_input": "updatedInput",
                 "updated_permissions": "updatedPermissions"}  # fmt: skip
        known.update({names.get(name, name): value for name, value in called.keywords.items()})
        for value in called.args[:1]:
            known["message" if behaviour == "deny" else "updatedInput"] = value
        return m.fresh(called.node, DictBox(known), state)

    return result
