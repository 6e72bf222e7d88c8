"""What functions of builtins and of the standard library do that matters to a hook."""

from __future__ import annotations

import ast
import shlex
import textwrap
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from interlock.hook_lint.program import ProgramUse
from interlock.hook_lint.read.python.attributes import element, read_field
from interlock.hook_lint.read.python.calls import Called, call_value
from interlock.hook_lint.read.python.machine import Fork, Machine
from interlock.hook_lint.read.python.notes import is_useful
from interlock.hook_lint.read.python.rendering import json_of, lifted, text_of
from interlock.hook_lint.read.python.saying import say, stream_of
from interlock.hook_lint.read.python.state import State
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    DictBox,
    Event,
    Fault,
    Func,
    Json,
    Known,
    Lib,
    ListBox,
    Matcher,
    Named,
    ObjectBox,
    OneOf,
    Pattern,
    Raw,
    Ref,
    Root,
    Run,
    Seq,
    Some,
    Test,
    Text,
    Value,
    alternatives,
    one_of,
    roots_of,
)

__all__ = ["LIBRARY"]

Reader = Callable[[Machine, Called, State], Value]
_OBJECTS = ((), ("tool_input",))


# --- ends and words ----------------------------------------------------------------------------------------------


def _exit(m: Machine, called: Called, state: State) -> Value:
    code = called.arg(0, "status") or called.arg(0, "code") or Known(0)
    if (isinstance(code, Known) and isinstance(code.value, str)) or isinstance(code, Text | Json):
        say(m, "stderr", [code], called.node, state)
        code = Known(1)
    raise m.end(code, called.node, state)


def _exit_with_two(m: Machine, called: Called, state: State) -> Value:
    raise m.end(Known(2), called.node, state)


def _print(m: Machine, called: Called, state: State) -> Value:
    separator, last = called.keywords.get("sep", Known(" ")), called.keywords.get("end", Known("\n"))
    parts: list[str | Value] = []
    for place, one in enumerate(called.args):
        parts += [separator, one] if place else [one]
    for file in alternatives(called.keywords.get("file", NONE))[:1]:
        say(m, stream_of(file), [*parts, last], called.node, state)
    return NONE


def _write(stream: str) -> Reader:
    def write(m: Machine, called: Called, state: State) -> Value:
        say(m, stream_of(Lib(stream)), called.args[:1], called.node, state)
        return NONE

    return write


def _dump(m: Machine, called: Called, state: State) -> Value:
    file = called.arg(1, "fp")
    said = Json(json_of(called.args[0], state)) if called.args else NOTHING
    say(m, stream_of(file or NOTHING), [said], called.node, state)
    return NONE


def _traceback(m: Machine, called: Called, state: State) -> Value:
    say(m, stream_of(called.keywords.get("file", Lib("sys.stderr"))), ["Traceback …"], called.node, state)
    return NONE


def _os_write(m: Machine, called: Called, state: State) -> Value:
    streams = {1: Lib("sys.stdout"), 2: Lib("sys.stderr")}
    number = called.args[0].value if called.args and isinstance(called.args[0], Known) else 0
    say(m, stream_of(streams.get(number, NOTHING)), called.args[1:2], called.node, state)
    return NONE


# --- input -------------------------------------------------------------------------------------------------------


def _stdin(m: Machine, called: Called, state: State) -> Value:
    _note_fallback(m, state)
    return Raw()


def _note_fallback(m: Machine, state: State) -> None:
    """Standard input is read: a variable that is empty on this way is done without."""
    m.notes.reads_event = True
    for value, answer in state.facts.items():
        if answer is False and isinstance(value, Named):
            m.notes.with_default.add((value.kind, value.name))


def _read_fd(m: Machine, called: Called, state: State) -> Value:
    is_stdin = bool(called.args) and called.args[0] in (Known(0), Lib("sys.stdin.fileno"))
    return _stdin(m, called, state) if is_stdin else m.unknown(called.node, *called.all)


def _load(m: Machine, called: Called, state: State) -> Value:
    file = called.arg(0, "fp")
    if file in (Lib("sys.stdin"), Raw()):
        _note_fallback(m, state)
        return Event()
    return m.unknown(called.node, *(called.args[:1]))


def _loads(m: Machine, called: Called, state: State) -> Value:
    text = called.arg(0, "s")
    match text:
        case Raw():
            m.notes.reads_event = True
            return Event()
        case Json(value=value):
            places = iter(range(1, 1000))
            return lifted(value, lambda box: m.fresh(called.node, box, state, next(places)))
        case Named():
            m.notes.judge_by(text)
        case Event(path=path) if path:
            return m.unknown(called.node, text)
        case OneOf(values=values) if Raw() in values:
            m.notes.reads_event = True
            return Event()
        case Some(roots=roots) if () in roots:
            return Event()
    return m.unknown(called.node, *(called.args[:1]))


def _dumps(m: Machine, called: Called, state: State) -> Value:
    value = called.arg(0, "obj")
    if value is None or isinstance(value, Event | Raw | Some | Named):
        return Some(roots_of(value), m.key(called.node)) if value is not None else NOTHING
    if isinstance(value, OneOf) and len(value.values) <= 4:
        return one_of([Json(json_of(one, state)) for one in value.values])
    return Json(json_of(value, state))


def _environment(m: Machine, called: Called, state: State) -> Value:
    names = called.arg(0, "key")
    found: list[Value] = []
    default = called.arg(1, "default")
    for name in alternatives(names) if names is not None else ():
        if isinstance(name, Known) and isinstance(name.value, str):
            named = Named("environment", name.value)
            found.append(m.notes.name(named, name.node or called.node, has_default=is_useful(default)))
    return one_of(found) if found else m.unknown(called.node)


def _open(m: Machine, called: Called, state: State) -> Value:
    if called.args and called.args[0] in (Known(0), Known("/dev/stdin"), Lib("sys.stdin.fileno")):
        m.notes.reads_event = True
        return Lib("sys.stdin")
    return Some(frozenset(), m.key(called.node), tag="file")


def _parsed_arguments(m: Machine, called: Called, state: State) -> Value:
    return Some(frozenset(), m.key(called.node), tag="arguments")


# --- patterns ----------------------------------------------------------------------------------------------------


def _matching(how: str) -> Reader:
    def search(m: Machine, called: Called, state: State) -> Value:
        pattern, text = called.arg(0, "pattern"), called.arg(1, "string")
        roots: frozenset[Root] = frozenset()
        for one in alternatives(pattern) if pattern is not None else ():
            texts = one.texts if isinstance(one, Pattern) else one
            roots |= m.notes.search(text or NOTHING, texts, how, called.node)
        return m.unknown(called.node, *([text] if text is not None else []), roots=roots)

    return search


def _substituted(m: Machine, called: Called, state: State) -> Value:
    return m.unknown(called.node, *(called.args[2:3] or called.args))


def _compiled(m: Machine, called: Called, state: State) -> Value:
    found = called.arg(0, "pattern")
    texts: list[Value] = []
    for one in alternatives(found) if found is not None else ():
        texts.append(one.texts if isinstance(one, Pattern) else one)
    return Pattern(one_of(texts))


def _globbed(m: Machine, called: Called, state: State) -> Value:
    text, pattern = called.arg(0, "name"), called.arg(1, "pat")
    roots = m.notes.search(text or NOTHING, pattern or NOTHING, "glob", called.node)
    found = m.unknown(called.node, *([text] if text is not None else []), roots=roots)
    return Test(found, roots=found.roots)


# --- programs ----------------------------------------------------------------------------------------------------


def _run(m: Machine, called: Called, state: State) -> Value:
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


def _roots_in(value: Value | None, state: State) -> frozenset[Root]:
    box = state.heap.get(value.id) if isinstance(value, Ref) else None
    return roots_of(one_of(box.items)) if isinstance(box, ListBox) and box.items else frozenset()


def _words(value: Value | None, state: State) -> list[str]:
    """The words of a command line; `…` for one that is not known."""
    if value is None:
        return []
    box = state.heap.get(value.id) if isinstance(value, Ref) else None
    if isinstance(box, ListBox) and box.items and isinstance(box.items[0], Known):
        return [text_of(one, state) for one in box.items]
    text = text_of(value, state) if isinstance(value, Known | Text) else ""
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    return [] if not words or "…" in words[0] or "=" in words[0] else words


def _which(m: Machine, called: Called, state: State) -> Value:
    for one in alternatives(called.args[0]) if called.args else ():
        if isinstance(one, Known):
            m.notes.checked.add(str(one.value))
    return m.unknown(called.node)


# --- values ------------------------------------------------------------------------------------------------------


def _same(m: Machine, called: Called, state: State) -> Value:
    """A function that gives back what it was given, or nearly."""
    if len(called.args) > 1:
        return m.unknown(called.node, *called.all)
    return called.args[0] if called.args else Known("")


def _first(m: Machine, called: Called, state: State) -> Value:
    return called.args[0] if called.args else NOTHING


def _second(m: Machine, called: Called, state: State) -> Value:
    return called.args[1] if len(called.args) > 1 else NOTHING


def _text(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else Known("")
    match value:
        case Known(value=one, node=node):
            return Known(str(one), node)
        case Fault(args=(only,)):
            return only if isinstance(only, Text | Known | Some) else Text((only,))
        case Event() | Raw() | Text() | Json() | Named():
            return value
        case Ref() | Seq():
            return Text((text_of(value, state),))
    return m.unknown(called.node, *called.args)


def _path(m: Machine, called: Called, state: State) -> Value:
    return called.args[0] if len(called.args) == 1 else m.unknown(called.node, *called.all)


def _int(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else Known(0)
    if isinstance(value, Known) and isinstance(value.value, int | float | bool):
        return Known(int(value.value), value.node)
    return value if isinstance(value, Test) else m.unknown(called.node, *called.all)


def _bool(m: Machine, called: Called, state: State) -> Value:
    question = m.question(called.args[0], state, called.node) if called.args else False
    return Known(question) if isinstance(question, bool) else question


def _length(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else NOTHING
    if value == Lib("sys.argv"):
        m.notes.counts_arguments = True
        return m.unknown(called.node)
    if isinstance(value, Known) and isinstance(value.value, str):
        return Known(len(value.value))
    known, _ = element(m, value, called.node, state)
    if known is not None:
        return Known(len(known))
    if isinstance(value, Ref) and isinstance(box := state.heap.get(value.id), ListBox):
        return Some(box.roots, m.key(called.node))
    return m.unknown(called.node, value)


def _any(m: Machine, called: Called, state: State) -> Value:
    """`any` and `all` of things that are asked."""
    value = called.args[0] if called.args else NOTHING
    known, one = element(m, value, called.node, state)
    is_all = isinstance(called.node.func, ast.Name) and called.node.func.id == "all"
    roots: frozenset[Root] = roots_of(value)
    box = state.heap.get(value.id) if isinstance(value, Ref) else None
    items = box.items if isinstance(box, ListBox) else known or (one,)
    questions = [m.question(item, state, called.node) for item in items]
    if known is not None and all(isinstance(question, bool) for question in questions):
        return Known(all(questions) if is_all else any(questions))
    roots = roots.union(*(question.roots for question in questions if isinstance(question, Test)))
    hits = [question.is_hit for question in questions if isinstance(question, Test)]
    if isinstance(box, ListBox):
        roots |= box.roots
    return Test(Some(roots, m.key(called.node)), is_hit=hits[0] if hits else True, roots=roots)


def _next(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else NOTHING
    _, one = element(m, value, called.node, state)
    box = state.heap.get(value.id) if isinstance(value, Ref) else None
    roots = roots_of(one) | (box.roots if isinstance(box, ListBox) else roots_of(value))
    return Some(roots, m.key(called.node))


def _listed(m: Machine, called: Called, state: State) -> Value:
    """A new list, set or tuple with the same things in it."""
    if not called.args:
        return m.fresh(called.node, ListBox(), state)
    known, one = element(m, called.args[0], called.node, state)
    if known is not None:
        return m.fresh(called.node, ListBox(known), state)
    box = state.heap.get(called.args[0].id) if isinstance(called.args[0], Ref) else None
    if isinstance(box, ListBox):
        return m.fresh(called.node, box, state)
    return Some(roots_of(called.args[0]), m.key(called.node), items=one)


def _pairs(m: Machine, called: Called, state: State) -> Value:
    """`enumerate` and `zip`."""
    is_zip = isinstance(called.node.func, ast.Name) and called.node.func.id == "zip"
    ones = [element(m, arg, called.node, state)[1] for arg in called.args[: None if is_zip else 1]]
    pair = Seq(tuple(ones)) if is_zip else Seq((m.unknown(called.node), *ones))
    return m.fresh(called.node, ListBox((pair,), is_open=True, roots=roots_of(pair)), state)


def _mapped(m: Machine, called: Called, state: State) -> Value:
    """`map` and `filter`: the function is read once, for any of the things."""
    if len(called.args) < 2:
        return m.unknown(called.node, *called.all)
    _, one = element(m, called.args[1], called.node, state)
    inner = Called(called.node, (one,))
    try:
        made = call_value(m, called.args[0], inner, state.fork()) if called.args[0] != NONE else one
    except Fork as fork:
        made = one_of([value for value, _ in fork.outcomes])
    is_filter = isinstance(called.node.func, ast.Name) and called.node.func.id == "filter"
    roots = roots_of(made) | roots_of(one)
    return m.fresh(called.node, ListBox((one if is_filter else made,), is_open=True, roots=roots), state)


def _chained(m: Machine, called: Called, state: State) -> Value:
    items = [element(m, arg, called.node, state)[1] for arg in called.args]
    return m.fresh(called.node, ListBox((one_of(items),), is_open=True, roots=roots_of(one_of(items))), state)


def _dict(m: Machine, called: Called, state: State) -> Value:
    known: dict[Any, Value] = {}
    is_open, base = False, called.event
    for one in called.args[:1]:
        box = state.heap.get(one.id) if isinstance(one, Ref) else None
        if isinstance(box, DictBox):
            known, is_open, base = dict(box.items), box.is_open, box.base
        else:
            is_open, base = True, one if isinstance(one, Event) else None
    known.update(called.keywords)
    return m.fresh(called.node, DictBox(known, is_open or base is not None, base), state)


def _defaultdict(m: Machine, called: Called, state: State) -> Value:
    return m.fresh(called.node, DictBox({}, is_open=True), state)


def _copied(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else NOTHING
    if isinstance(value, Event):
        return m.fresh(called.node, DictBox({}, is_open=True, base=value), state)
    box = state.heap.get(value.id) if isinstance(value, Ref) else None
    return m.fresh(called.node, box, state) if box is not None else value


def _isinstance(m: Machine, called: Called, state: State) -> Value:
    value, kind = (*called.args, NOTHING, NOTHING)[:2]
    kinds = {one.name for one in (kind.values if isinstance(kind, Seq) else (kind,)) if isinstance(one, Lib)}
    if isinstance(value, Event) and kinds:
        if value.path in _OBJECTS:
            return Known("dict" in kinds or bool(kinds & {"Mapping", "collections.abc.Mapping", "typing.Mapping"}))
        if "str" in kinds:
            return Known(True)
    found = m.unknown(called.node, value)
    return Test(Some(frozenset(), found.key))  # of what kind it is says nothing about the call


def _getattr(m: Machine, called: Called, state: State) -> Value:
    owner, name = (*called.args, NOTHING, NOTHING)[:2]
    if isinstance(owner, Event) and isinstance(name, Known):
        return read_field(m, owner, name, called.node, state)
    box = state.heap.get(owner.id) if isinstance(owner, Ref) else None
    if isinstance(box, ObjectBox) and isinstance(name, Known) and name.value in box.items:
        return box.items[name.value]
    return m.unknown(called.node, *called.all)


def _asdict(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else NOTHING
    box = state.heap.get(value.id) if isinstance(value, Ref) else None
    if isinstance(box, ObjectBox):
        return box.base or m.fresh(called.node, DictBox(dict(box.items)), state)
    return value


def _namespace(m: Machine, called: Called, state: State) -> Value:
    if called.event is not None:
        return called.event
    return m.fresh(called.node, ObjectBox(None, dict(called.keywords)), state)


def _partial(m: Machine, called: Called, state: State) -> Value:
    if not called.args:
        return NOTHING
    func, *args = called.args
    if isinstance(func, Func):
        keywords = (*func.keywords, *called.keywords.items())
        return Func(func.node, func.frame, func.owner, (*func.args, *args), keywords, func.is_wrapped)
    return func


def _awaited(m: Machine, called: Called, state: State) -> Value:
    """A function that runs what it is given; a function that it is given off the event loop, with its arguments."""
    if not called.args:
        return NOTHING
    if isinstance(called.args[0], Func):
        outer, m.is_async = m.is_async, m.is_async and not _is_thread(called.node)
        try:
            inner = Called(called.node, called.args[1:], called.keywords)
            return call_value(m, called.args[0], inner, state)
        finally:
            m.is_async = outer
    return called.args[0]


def _is_thread(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("to_thread", "run_sync")


def _dedent(m: Machine, called: Called, state: State) -> Value:
    value = called.args[0] if called.args else NOTHING
    if isinstance(value, Known) and isinstance(value.value, str):
        return Known(textwrap.dedent(value.value), value.node)
    return value


def _nothing(m: Machine, called: Called, state: State) -> Value:
    return NONE


def _unread(m: Machine, called: Called, state: State) -> Value:
    m.notes.unread = m.notes.unread or "it runs code that it makes at run time"
    return m.unknown(called.node, *called.all)


def _false(m: Machine, called: Called, state: State) -> Value:
    return Known(False)


def _super(m: Machine, called: Called, state: State) -> Value:
    return Lib("super()")


# --- the Agent SDK -----------------------------------------------------------------------------------------------


def _matcher(m: Machine, called: Called, state: State) -> Value:
    found = Matcher(
        called.node,
        called.arg(0, "matcher") or NONE,
        called.arg(1, "hooks") or NOTHING,
        called.arg(2, "timeout") or NONE,
        called.arg(3, "on_failure") or NONE,
    )
    m.matchers.append((found, state.fork()))
    return found


def _permission(behaviour: str) -> Reader:
    def result(m: Machine, called: Called, state: State) -> Value:
        known: dict[Any, Value] = {"behavior": Known(behaviour)}
        names = {"message": "message", "interrupt": "interrupt", "updated_input": "updatedInput",
                 "updated_permissions": "updatedPermissions"}  # fmt: skip
        known.update({names.get(name, name): value for name, value in called.keywords.items()})
        for value in called.args[:1]:
            known["message" if behaviour == "deny" else "updatedInput"] = value
        return m.fresh(called.node, DictBox(known), state)

    return result


LIBRARY: dict[str, Reader] = {
    **dict.fromkeys(("sys.exit", "exit", "quit", "os._exit", "SystemExit"), _exit),
    "os.abort": _exit_with_two,
    "print": _print,
    "sys.stdout.write": _write("sys.stdout"),
    "sys.stdout.writelines": _write("sys.stdout"),
    "sys.stderr.write": _write("sys.stderr"),
    "sys.stderr.writelines": _write("sys.stderr"),
    "os.write": _os_write,
    "json.dump": _dump,
    "traceback.print_exc": _traceback,
    "traceback.print_exception": _traceback,
    **dict.fromkeys(
        ("sys.stdin.read", "sys.stdin.readline", "sys.stdin.readlines", "input", "fileinput.input",
         "sys.stdin.readall"),
        _stdin,
    ),
    "os.read": _read_fd,
    "io.open": _open,
    "open": _open,
    "os.fdopen": _open,
    "io.TextIOWrapper": _first,
    "codecs.getreader": _first,
    "sys.stdin.isatty": _false,
    "json.load": _load,
    "json.loads": _loads,
    "json.dumps": _dumps,
    "os.environ.get": _environment,
    "os.getenv": _environment,
    "re.search": _matching("regex"),
    "re.findall": _matching("regex"),
    "re.finditer": _matching("regex"),
    "re.match": _matching("match"),
    "re.fullmatch": _matching("whole"),
    "re.sub": _substituted,
    "re.subn": _substituted,
    "re.compile": _compiled,
    "fnmatch.fnmatch": _globbed,
    "fnmatch.fnmatchcase": _globbed,
    **dict.fromkeys(
        ("subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
         "subprocess.getoutput", "subprocess.getstatusoutput", "os.system", "os.popen",
         "asyncio.create_subprocess_shell"),
        _run,
    ),
    "shutil.which": _which,
    "str": _text,
    "repr": _text,
    **dict.fromkeys(
        ("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PosixPath", "os.fspath"), _path
    ),
    **dict.fromkeys(
        ("os.path.normpath", "os.path.realpath", "os.path.abspath", "os.path.expanduser", "os.path.expandvars",
         "os.path.normcase", "html.unescape", "unicodedata.normalize"),
        _same,
    ),
    "typing.cast": _second,
    "int": _int,
    "bool": _bool,
    "len": _length,
    "any": _any,
    "all": _any,
    "next": _next,
    **dict.fromkeys(("list", "set", "frozenset", "tuple", "sorted", "reversed", "iter"), _listed),
    "enumerate": _pairs,
    "zip": _pairs,
    "map": _mapped,
    "filter": _mapped,
    "itertools.chain": _chained,
    "dict": _dict,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _defaultdict,
    "copy.copy": _copied,
    "copy.deepcopy": _copied,
    "isinstance": _isinstance,
    "getattr": _getattr,
    "dataclasses.asdict": _asdict,
    "vars": _asdict,
    "types.SimpleNamespace": _namespace,
    "argparse.Namespace": _namespace,
    "functools.partial": _partial,
    **dict.fromkeys(
        ("asyncio.run", "anyio.run", "asyncio.wait_for", "asyncio.create_task", "asyncio.ensure_future",
         "asyncio.shield", "asyncio.to_thread", "anyio.to_thread.run_sync", "asyncio.gather"),
        _awaited,
    ),
    "textwrap.dedent": _dedent,
    "sys.stdout.flush": _nothing,
    "sys.stderr.flush": _nothing,
    "exec": _unread,
    "eval": _unread,
    "runpy.run_path": _unread,
    "runpy.run_module": _unread,
    "super": _super,
    "claude_agent_sdk.HookMatcher": _matcher,
    "claude_agent_sdk.types.HookMatcher": _matcher,
    "HookMatcher": _matcher,
    **{f"claude_agent_sdk.{part}PermissionResultAllow": _permission("allow") for part in ("", "types.")},
    **{f"claude_agent_sdk.{part}PermissionResultDeny": _permission("deny") for part in ("", "types.")},
}  # fmt: skip
