"""What is known of the libraries that hooks use: how they read, speak, end and run programs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.members import EXIT_CODE, element
from interlock.hook_lint.read.javascript.names import is_input
from interlock.hook_lint.read.javascript.running import note_run
from interlock.hook_lint.read.javascript.source import Tree
from interlock.hook_lint.read.python.names import LOG_LIKE
from interlock.hook_lint.read.python.rendering import Stream, json_of, value_of_json
from interlock.hook_lint.read.python.saying import say
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    AskedOf,
    Box,
    DictBox,
    EventPart,
    Json,
    Known,
    Lib,
    ListBox,
    ObjectRef,
    OwnFunction,
    Path,
    PyFault,
    PyValue,
    Raw,
    RegexValue,
    Root,
    Some,
    alternatives,
)

__all__ = ["LIBRARY", "foreign", "of_input"]

Args = Sequence[PyValue]
_INPUT_FILES = ("/dev/stdin", "/proc/self/fd/0", "/dev/fd/0")
_PREPARING = frozenset({
    "setEncoding", "resume", "ref", "unref", "pause", "removeAllListeners", "close", "destroy", "setRawMode",
})  # fmt: skip
_READERS = ("read", "get", "load", "parse", "receive", "fetch")
_EVENTS = ("hook", "stdin", "input", "event", "payload", "context")


# --- standard input ----------------------------------------------------------------------------------------------


def of_input(m: ScriptReader, name: str, args: Args, node: Tree, state: WayState) -> PyValue:
    """A method of standard input."""
    verb = name.rpartition(".")[2]
    if verb in ("on", "once", "addListener", "addEventListener") and len(args) > 1:
        if isinstance(args[1], OwnFunction):
            m.called.add(args[1].node)
            if isinstance(args[0], Known) and args[0].value != "error":
                m.notes.reads_event = True
                m.waiting.append((str(args[0].value), args[1]))
        return Lib(name.rpartition(".")[0])
    if verb in (
        "setEncoding",
        "resume",
        "ref",
        "unref",
        "pause",
        "removeAllListeners",
        "close",
        "destroy",
        "setRawMode",
    ):
        return Lib(name.rpartition(".")[0])
    m.notes.reads_event = True
    return EventPart() if verb == "json" else Raw()


def _read_file(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    first = args[0] if args else NOTHING
    if isinstance(first, Lib) and is_input(first.name):
        m.notes.reads_event = True
        return Raw()
    for one in alternatives(first):
        if isinstance(one, Known) and (one.value in _INPUT_FILES or (one.value == 0 and one.value is not False)):
            m.notes.reads_event = True
            return Raw()
    return m.unknown(node, *args[:1])


def _read_sync(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    """`fs.readSync(0, buffer)` fills a buffer, which is unknown otherwise."""
    if args and isinstance(args[0], Known) and args[0].value == 0:
        m.notes.reads_event = True
        m.notes.unread = m.notes.unread or "it reads standard input into a buffer"
    return m.unknown(node)


def _interface(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    box = m.box(args[0], state) if args else None
    source = box.items.get("input", NOTHING) if isinstance(box, DictBox) else NOTHING
    if isinstance(source, Lib) and is_input(source.name):
        return Lib("readline.interface")
    return m.unknown(node, source)


def _parse(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    count = itertools.count(1)

    def fresh(box: Box) -> ObjectRef:
        return m.fresh(node, box, state, next(count))

    match args[0] if args else NOTHING:
        case Raw():
            return EventPart()
        case EventPart(path=path, beside=beside):
            return EventPart(path, beside)
        case Json(value=value):
            return value_of_json(value, fresh)
        case other:
            return m.unknown(node, other)


def _stringify(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    first = args[0] if args else NOTHING
    if isinstance(first, EventPart | Some):
        return m.unknown(node, first)
    return Json(json_of(first, state))


# --- saying ------------------------------------------------------------------------------------------------------


def _as_text(value: PyValue) -> str | PyValue:
    match value:
        case Known(value=None):
            return "undefined"
        case Known(value=bool() as flag):
            return str(flag).lower()
        case PyFault(args=args):
            return args[0] if args else NOTHING
    return value


def _console(stream: Stream) -> Callable[[ScriptReader, Args, Tree, WayState], PyValue]:
    def speak(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
        parts: list[str | PyValue] = []
        for one in args:
            parts += [" ", _as_text(one)] if parts else [_as_text(one)]
        say(m, stream, parts, node, state)
        return NONE

    return speak


def _write(stream: Stream) -> Callable[[ScriptReader, Args, Tree, WayState], PyValue]:
    def speak(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
        say(m, stream, [_as_text(one) for one in args[:1]], node, state)
        for one in args[1:]:
            if isinstance(one, OwnFunction):
                return m.call(one, (), node, state)
        return NONE

    return speak


def _write_to(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    """What is written to a number, a file or a stream."""
    target = args[0] if args else NOTHING
    stream: Stream = "log"
    if target in (Known(1), Known("/dev/stdout"), Lib("process.stdout.fd"), Lib("Bun.stdout"), Lib("process.stdout")):
        stream = "stdout"
    elif target in (Known(2), Known("/dev/stderr"), Lib("process.stderr.fd"), Lib("Bun.stderr"), Lib("process.stderr")):
        stream = "stderr"
    say(m, stream, [_as_text(one) for one in args[1:2]], node, state)
    return NONE


# --- ending ------------------------------------------------------------------------------------------------------


def _exit(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    code = args[0] if args else state.frames[0].get(EXIT_CODE, Known(0))
    raise m.end(code, node, state)


def _on_process(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    if len(args) > 1 and isinstance(args[1], OwnFunction):
        m.called.add(args[1].node)
        if isinstance(args[0], Known) and args[0].value in ("uncaughtException", "unhandledRejection"):
            m.last_resort = args[1]
    return Lib("process")


def _timer(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    if args and isinstance(args[0], OwnFunction):
        m.called.add(args[0].node)
    return m.unknown(node)


# --- the rest ----------------------------------------------------------------------------------------------------


def _run_line(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    return _start_program(m, args, node, state, is_line=True)


def _run_list(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    return _start_program(m, args, node, state, is_line=False)


def _start_program(m: ScriptReader, args: Args, node: Tree, state: WayState, *, is_line: bool) -> PyValue:
    found = note_run(m, args, node, state, is_line=is_line)
    for one in args[1:]:
        if isinstance(one, OwnFunction):
            outcomes = m.run_function(one, (m.unknown(node, found), found, found), {}, state, node)
            m.settle(node, outcomes, state)
    return found


def _same_path(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    """A path that is made absolute or shorter remains what it was; one that is put together does not."""
    known = [one for one in args if not isinstance(one, Lib)]
    for one in args:
        if isinstance(one, Lib) and one.name in ("import.meta.url", "process.argv.1"):
            return one
    events = [one for one in known if isinstance(one, EventPart | Raw)]
    return events[0] if len(events) == 1 and known[-1:] == events else m.unknown(node, *args)


def _same(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    return args[0] if args else NONE


def _number(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    return m.unknown(node, *args)


def _boolean(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    question = m.question(args[0], state, node) if args else False
    return Known(question) if isinstance(question, bool) else question


def _values(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    box = m.box(args[0], state) if args else None
    if isinstance(box, DictBox) and box.base is None:
        return m.fresh(node, ListBox(tuple(box.items.values()), box.is_open), state)
    return m.unknown(node, *args)


def _keys(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    box = m.box(args[0], state) if args else None
    if isinstance(box, DictBox) and box.base is None:
        return m.fresh(node, ListBox(tuple(Known(key) for key in box.items), box.is_open), state)
    return m.unknown(node, *args)


def _entries(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    box = m.box(args[0], state) if args else None
    if isinstance(box, DictBox) and box.base is None:
        rows = tuple(m.fresh(node, ListBox((Known(key), value)), state, place + 1)
                     for place, (key, value) in enumerate(box.items.items()))  # fmt: skip
        return m.fresh(node, ListBox(rows, box.is_open), state)
    return m.unknown(node, *args)


def _assign(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    items: dict[object, PyValue] = {}
    is_open, base = False, None
    for one in args:
        box = m.box(one, state)
        if isinstance(box, DictBox):
            items.update(box.items)
            is_open |= box.is_open
            base = base or box.base
        elif isinstance(one, EventPart):
            is_open, base = True, one
        else:
            is_open = True
    made = DictBox(items, is_open, base)
    if args and isinstance(args[0], ObjectRef):
        state.put(args[0].id, made)
        return args[0]
    return m.fresh(node, made, state)


def _list(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    box = m.box(args[0], state) if args else None
    if isinstance(box, ListBox) and len(args) == 1:
        return args[0]
    return m.unknown(node, *args)


def _together(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    """`Buffer.concat`: pieces of the event are the event."""
    if any(isinstance(one, Raw) for one in args):
        return Raw()
    known, one = element(m, args[0], node, state) if args else (None, NOTHING)
    if any(isinstance(part, Raw) for part in alternatives(one)):
        return Raw()
    return m.unknown(node, *args) if known else Raw() if m.notes.reads_event else m.unknown(node)


def _first(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    known, one = element(m, args[0], node, state) if args else (None, NOTHING)
    return known[0] if known else one


def _pattern(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    first = args[0] if args else NOTHING
    return first if isinstance(first, RegexValue) else RegexValue(first)


def _error(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    return PyFault(("Error",), tuple(args))


def _is_list(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    return Known(True) if args and isinstance(m.box(args[0], state), ListBox) else m.unknown(node, *args)


def _own(m: ScriptReader, args: Args, node: Tree, state: WayState) -> PyValue:
    if len(args) > 1 and isinstance(args[0], EventPart) and isinstance(args[1], Known):
        path: Path = (*args[0].path, str(args[1].value))
        return AskedOf(EventPart(path), None, roots=frozenset[Root]((path,)))
    return m.unknown(node, *args)


def foreign(m: ScriptReader, name: str, args: Args, node: Any, state: WayState) -> PyValue:
    """A call of what another file defines."""
    last = name.rpartition(".")[2].rpartition("/")[2].lower()
    m.notes.unread = m.notes.unread or f"it calls `{name.lstrip('./')}`, which is in another file"
    if last.startswith(_READERS) and any(word in last for word in _EVENTS):
        m.notes.reads_event = True
        return Some(frozenset[Root]([()]), m.key(node), tag="foreign")
    if m.discarded is not None and node is m.discarded and not any(word in last for word in LOG_LIKE):
        place: Any = node
        say(m, "stdout", [NOTHING], place, state)
    found = m.unknown(node, *args)
    return Some(found.roots, found.key, tag="foreign")


LIBRARY: dict[str, Callable[[ScriptReader, Args, Tree, WayState], PyValue]] = {
    "*.createInterface": _interface,
    "Array.from": _list,
    "Array.isArray": _is_list,
    "Boolean": _boolean,
    "Buffer.concat": _together,
    "Buffer.from": _same,
    "Bun.file": _read_file,
    "Bun.spawn": _run_list,
    "Bun.spawnSync": _run_list,
    "Bun.write": _write_to,
    "Deno.exit": _exit,
    "Deno.readTextFile": _read_file,
    "Deno.readTextFileSync": _read_file,
    "Deno.stderr.write": _write("stderr"),
    "Deno.stderr.writeSync": _write("stderr"),
    "Deno.stdout.write": _write("stdout"),
    "Deno.stdout.writeSync": _write("stdout"),
    "Error": _error,
    "JSON.parse": _parse,
    "JSON.stringify": _stringify,
    "Number": _number,
    "Object.assign": _assign,
    "Object.entries": _entries,
    "Object.freeze": _same,
    "Object.hasOwn": _own,
    "Object.keys": _keys,
    "Object.values": _values,
    "Promise.all": _same,
    "Promise.race": _first,
    "Promise.resolve": _same,
    "RegExp": _pattern,
    "String": _same,
    "String.raw": _same,
    "child_process.exec": _run_line,
    "child_process.execFile": _run_list,
    "child_process.execFileSync": _run_list,
    "child_process.execSync": _run_line,
    "child_process.fork": _run_list,
    "child_process.spawn": _run_list,
    "child_process.spawnSync": _run_list,
    "console.debug": _console("stdout"),
    "console.error": _console("stderr"),
    "console.info": _console("stdout"),
    "console.log": _console("stdout"),
    "console.trace": _console("stderr"),
    "console.warn": _console("stderr"),
    "execa": _run_list,
    "execa.execa": _run_list,
    "execa.execaSync": _run_list,
    "fs.appendFile": _write_to,
    "fs.appendFileSync": _write_to,
    "fs.promises.readFile": _read_file,
    "fs.readFile": _read_file,
    "fs.readFileSync": _read_file,
    "fs.readSync": _read_sync,
    "fs.realpathSync": _same_path,
    "fs.writeFile": _write_to,
    "fs.writeFileSync": _write_to,
    "fs.writeSync": _write_to,
    "get-stdin": lambda m, args, node, state: of_input(m, "process.stdin.text", args, node, state),
    "path.normalize": _same_path,
    "path.posix.normalize": _same_path,
    "path.resolve": _same_path,
    "process.abort": lambda m, args, node, state: _exit(m, (Known(1),), node, state),
    "process.exit": _exit,
    "process.on": _on_process,
    "process.once": _on_process,
    "process.reallyExit": _exit,
    "process.stderr.write": _write("stderr"),
    "process.stdout.write": _write("stdout"),
    "setInterval": _timer,
    "setTimeout": _timer,
    "structuredClone": _same,
    "url.fileURLToPath": _same_path,
    "url.pathToFileURL": _same_path,
}
