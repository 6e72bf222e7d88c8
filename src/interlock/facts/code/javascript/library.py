"""What calls into libraries do: files, programs, addresses, code."""

from __future__ import annotations

import re
from collections.abc import Callable

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.modules import (
    ACTING,
    AGENTS,
    CLIENTS,
    EVALUATES,
    FILES,
    HARMLESS,
    LISTENS,
    PARTS,
    QUIET,
    REGISTRIES,
    SOCKETS,
    globals_of,
    module_name,
)
from interlock.facts.code.javascript.on_files import JsRunner
from interlock.facts.code.javascript.on_network import WEB, OnNetwork
from interlock.facts.code.javascript.on_programs import FETCHED, is_set
from interlock.facts.code.javascript.parse import parse_javascript
from interlock.facts.code.javascript.pure import PURE, decode
from interlock.facts.code.javascript.scan import ParseFailure, TooDeep
from interlock.facts.code.javascript.values import (
    ANY,
    ENVIRONMENT,
    FILE,
    NETWORK,
    UNDEFINED,
    Closure,
    Either,
    Foreign,
    JsScope,
    LibraryPart,
    List,
    Num,
    Obj,
    Settle,
    TextValue,
    Value,
    WordValue,
    each,
    either,
    origin,
    text_of,
)
from interlock.facts.code.shell_words import quoted
from interlock.facts.code.sql import effects_of_sql
from interlock.facts.code.words import AGENT_CALLS, DROPS, QUERIES, RISKY_MODULES, RUNS_TEXT
from interlock.facts.effects import CodeEffects
from interlock.facts.limits import EVALUATED, JS_PARTS
from interlock.facts.shell import UNKNOWN

__all__ = ["Library"]

_UNKNOWN_TEXT = "evaluates a text that is not known before it runs"
_CHANGES_DATA = re.compile(r"(?i)\s*(?:drop|truncate|delete|alter|update|grant|revoke)\s")
_HOMES = frozenset({"HOME", "USERPROFILE"})
_EVERYTHING = frozenset({"globalThis", "global", "window", "self"})


class Library(OnNetwork):
    """The libraries' calls, and their effects."""

    def __init__(self, effects: CodeEffects, runner: JsRunner) -> None:
        super().__init__(effects, runner)
        self._evaluated = 0
        self._set: dict[str, Value] = {}

    # --- names ---

    def module(self, written: str) -> Value:
        """A module that is taken in."""
        effects = self.effects
        if UNKNOWN in written:
            effects.opaque = effects.opaque or "loads a module that is not known before it runs"
            return Foreign("a module that is not known")
        name = module_name(written)
        if name is not None:
            return LibraryPart(name)
        if written in AGENTS:
            return LibraryPart("agent-sdk")
        if written.partition("/")[0] in RISKY_MODULES:
            effects.opaque = effects.opaque or f"uses {written}"
        if written.startswith("data:"):
            return self._data_module(written)
        if WEB.match(written):
            effects.traits.add("network")
            effects.urls.append(written)
            if not written.startswith(REGISTRIES):
                effects.traits.add("executes-download")
            return Foreign("")
        if written.endswith(".json"):
            if written.startswith(("/", "~", "..")):
                effects.reads.append(self._place(written))
            return TextValue(UNKNOWN, FILE)
        if written.startswith(("/", "~", "..", "file:")) and "/node_modules/" not in written:
            self._shell(f"node {quoted(written.removeprefix('file://'))}")
        return Foreign("")

    def _data_module(self, written: str) -> Value:
        head, _, body = written[5:].partition(",")
        if ";base64" in head:
            body = decode(body, "base64")
        else:
            from_url = PURE["decodeURIComponent"]([TextValue(body)])
            body = text_of(from_url)
        self.evaluate(TextValue(body))
        return ANY

    def member(self, name: str, key: str, top: JsScope) -> Value:
        """A part of a library."""
        if name in _EVERYTHING:
            if key in _EVERYTHING:
                return LibraryPart("globalThis")
            found = top.names.get(key) or globals_of(key)
            return Foreign("a part of all that there is") if UNKNOWN in key else ANY if found is None else found
        if UNKNOWN in key:
            if name == "process.env":
                return TextValue(UNKNOWN, ENVIRONMENT)
            root = name.partition(".")[0]
            return Foreign(f"a part of {name}") if root in ACTING or root in CLIENTS else ANY
        if key == "default":
            return LibraryPart(name)
        full = f"{name}.{key}"
        if full in self._set:
            return self._set[full]
        if name in ("process.env", "Bun.env"):
            return TextValue("~") if key in _HOMES else TextValue(UNKNOWN, ENVIRONMENT)
        known = _CONSTANTS.get(full)
        if known is not None:
            return known
        return LibraryPart(PARTS.get(full, full))

    def set(self, name: str, value: Value) -> None:
        """Give a part of a library a value: what is called by that name is then something else."""
        if isinstance(value, (Closure, LibraryPart, Obj)):
            self._set[name] = either(value, LibraryPart(name)) if not name.startswith("module.exports") else value

    # --- calls ---

    def call(self, name: str, args: list[Value], *, new: bool = False) -> Value:
        """What a call into a library gives. `new`: it makes an object."""
        root, _, rest = name.partition(".")
        last = name.rpartition(".")[2]
        special = _CALLS.get(name)
        if special is not None:
            return special(self, args)
        if name in PURE or (root == "path" and name.removesuffix("Sync") in PURE):
            found = PURE[name](args)
            if name == "Array.from" and len(args) > 1:
                return self._runner.call_method(found, "map", args[1:2])
            return found
        if name in EVALUATES:
            return self.evaluate(args[-1] if args else UNDEFINED, [text_of(arg) for arg in args[:-1]], name)
        if root in ("fs", "Deno") and (role := FILES.get(last.removesuffix("Sync"))) is not None:
            return self._file(role, last, args)
        if name in SOCKETS or (root == "net" and last == "connect"):
            return self._connect(args)
        if root in CLIENTS and name not in LISTENS and not rest.startswith(("STATUS_CODES", "METHODS", "Agent")):
            return self._request(root, last, args)
        if name in LISTENS:
            self.effects.traits.add("network/listens")
            self._run_functions(args)
            return Obj(kind="server", open=True)
        if root in _RUNS and (run := _RUNS[root].get(rest.removesuffix("Sync"))) is not None:
            return run(self, args)
        if root == "agent-sdk":
            if last in AGENT_CALLS:
                self.effects.traits.update(("agent/starts", "agent/unguarded"))
            else:
                self.effects.modules = True
            return ANY
        return self._other(name, root, args, new=new)

    def _other(self, name: str, root: str, args: list[Value], *, new: bool) -> Value:
        two = ".".join(name.split(".")[:2])
        if root in ACTING and two not in HARMLESS:
            self.effects.opaque = self.effects.opaque or f"calls {name}"
            self._run_functions(args)
            return Foreign(name)
        self._run_functions(args)
        if name not in QUIET and any(self._could_act(arg) for arg in args):
            return Foreign(f"what {name} gives")
        if new and name in ("Map", "WeakMap"):
            return Obj(kind=name, open=True)
        return TextValue(UNKNOWN, self._origin(args))

    def acts(self, name: str) -> bool:
        """Whether part of a library may do something when it is called."""
        root = name.partition(".")[0]
        if name.startswith("process.env") or ".".join(name.split(".")[:2]) in HARMLESS:
            return False
        return name in EVALUATES or root in ACTING or root in CLIENTS or root in _RUNS or name in ("require", "import")

    def _could_act(self, value: Value, depth: int = 2) -> bool:
        """Whether part of a library that acts may be in a value."""
        if isinstance(value, LibraryPart):
            return self.acts(value.name)
        if not depth:
            return False
        if isinstance(value, List):
            return len(value.items) > JS_PARTS.most or any(self._could_act(one, depth - 1) for one in value.items)
        if isinstance(value, Either):
            return any(self._could_act(one, depth - 1) for one in value.values)
        if isinstance(value, Obj):
            parts = [*value.props.values(), value.base or ANY]
            return len(parts) > JS_PARTS.most or any(self._could_act(one, depth - 1) for one in parts)
        return False

    def call_foreign(self, callee: Foreign, args: list[Value]) -> None:
        """A call of what is not read."""
        if callee.why:
            self.effects.opaque = self.effects.opaque or f"calls {callee.why}"
        else:
            self.effects.modules = True
        self._runner.hand_on(args, ANY, at_once=True)
        self._run_functions(args)

    def method(self, of: Value, name: str, args: list[Value]) -> bool:
        """A method whose name tells what it does, whatever it is of; whether that is so."""
        effects = self.effects
        first = text_of(args[0]) if args else ""
        if name == "pipe" and args and isinstance(args[0], Obj) and args[0].kind == "connection":
            self._sends([of])
            return True
        if isinstance(of, (Foreign, Obj)) or (isinstance(of, TextValue) and of.text == UNKNOWN):
            if name in DROPS or (name == "sync" and args and is_set(args[0], "force")):
                effects.traits.add("database/drops")
                return True
            if name in ("deleteMany", "destroy") and _matches_all(args) and not isinstance(of, TextValue):
                effects.traits.add("database/drops")
                return True
            if name in QUERIES and _CHANGES_DATA.match(first):
                self._sql(first)
                return True
        if isinstance(of, Foreign) and not of.why and name in RUNS_TEXT and " " in first:
            self._shell(first)
        return False

    def _sql(self, text: str) -> None:
        found = effects_of_sql(text)
        self.effects.traits |= found.traits
        self.effects.reads += found.reads
        self.effects.writes += found.writes

    def object_method(self, of: Obj, name: str, args: list[Value]) -> Value:
        """A method of something that a library made."""
        if of.kind in ("Map", "WeakMap"):
            key = text_of(args[0]) if args else UNKNOWN
            if name == "set" and len(args) > 1:
                of.props[key] = args[1]
                return of
            if name == "get":
                return of.props.get(key) or either(ANY, *of.props.values())
        elif of.kind == "connection":
            given = [arg for arg in args if not isinstance(arg, Closure)]
            if given and name in ("write", "end", "send", "pipe", "emit", "sendto"):
                self._sends(args)
            self._run_functions(args, TextValue(UNKNOWN, NETWORK))
            return of
        elif of.kind == "child":
            self._run_functions(args)
            return of if name in ("on", "once") else ANY
        elif of.kind == "child.stdin" and name in ("write", "end") and args:
            line = text_of(of.props["line"])
            self._shell(f"printf %s {quoted(text_of(args[0]))} | {line}")
            return of
        elif of.kind == "file":
            return self._stored_file(of, name, args)
        elif of.kind == "server":
            self._run_functions(args, TextValue(UNKNOWN, NETWORK))
            if name == "listen":
                self.effects.traits.add("network/listens")
                if args and "/" in text_of(args[0]):
                    self._write(args[0])
            return of
        elif of.kind == "Deno.Command":
            return Obj({"stdin": of}, kind="child", open=True)
        self._run_functions(args)
        return ANY

    # --- code ---

    def evaluate(self, code: Value, params: list[str] | None = None, by: str = "eval") -> Value:
        """A text that is run as code, and what it gives."""
        found: Value = ANY
        for one in each(code):
            if isinstance(one, (Num, WordValue, List, Closure)) or (isinstance(one, Obj) and not one.open):
                found = one  # what is no text is given back
                continue
            if not isinstance(one, TextValue) or UNKNOWN in one.text:
                fetched = origin(one) & NETWORK
                self.effects.opaque = self.effects.opaque or (FETCHED if fetched else _UNKNOWN_TEXT)
                if fetched:
                    self.effects.traits.add("network")
                found = Foreign("what was evaluated")
                continue
            found = self._evaluate(one.text, params or [], by)
        return found

    def _evaluate(self, text: str, params: list[str], by: str) -> Value:
        self._evaluated += 1
        if self._evaluated > EVALUATED.most or self._runner.depth > EVALUATED.most * 3:
            self.effects.reach(EVALUATED)
            return ANY
        if by == "Function":
            text = f"(function anonymous({','.join(params)}\n) {{\n{text}\n}})"
        try:
            body = parse_javascript(text)
        except TooDeep as deep:
            self.effects.reach(deep.limit)
            return ANY
        except ParseFailure:
            self.effects.opaque = self.effects.opaque or _UNKNOWN_TEXT
            return ANY
        if not body:
            return UNDEFINED
        self._runner.block(body[:-1], self._runner.top)
        last = self._runner.value(body[-1], self._runner.top)
        return Obj({"runInThisContext": Closure(_EMPTY, self._runner.top)}, open=True) if by == "vm.Script" else last

    def _worker(self, args: list[Value]) -> Value:
        if len(args) > 1 and is_set(args[1], "eval"):
            return self.evaluate(args[0])
        text = text_of(args[0]) if args else UNKNOWN
        if text.startswith("data:"):
            return self._data_module(text)
        self.effects.modules = True
        if text.startswith(("/", "~", "..")):
            self._shell(f"node {quoted(text)}")
        return Obj(kind="worker", open=True)

    def _later(self, args: list[Value]) -> Value:
        """`setTimeout`: a function, or a text that is run as code."""
        if args and isinstance(args[0], TextValue) and args[0].text != UNKNOWN:
            return self.evaluate(args[0])
        if args and isinstance(args[0], (Foreign, TextValue)):
            self._runner.call(args[0] if isinstance(args[0], Foreign) else Foreign("a function that is not known"), [])
        for one in each(args[0]) if args else ():
            if isinstance(one, Closure):
                self._runner.hand_on([one], args[2] if len(args) > 2 else ANY)
        return ANY

    def _require(self, args: list[Value]) -> Value:
        return either(*(self.module(text_of(one)) for one in each(args[0] if args else ANY)))

    def _promise(self, args: list[Value]) -> Value:
        settled: list[Value] = []
        if args:
            self._runner.call(args[0], [Settle(settled), Settle([])])
        return either(*settled) if settled else ANY

    def _apply(self, args: list[Value]) -> Value:
        given = args[-1] if args else ANY
        return self._runner.call(args[0] if args else ANY, list(given.items) if isinstance(given, List) else [ANY])

    def _get(self, args: list[Value]) -> Value:
        return self._runner.member(args[0], text_of(args[1])) if len(args) > 1 else ANY

    def _binding(self, args: list[Value]) -> Value:
        self.effects.opaque = self.effects.opaque or "reaches below the libraries"
        return Foreign("a part of the runtime")

    def _environment(self, args: list[Value]) -> Value:
        name = text_of(args[0]) if args else UNKNOWN
        return TextValue("~") if name in _HOMES else TextValue(UNKNOWN, ENVIRONMENT)


_EMPTY = tree.FunctionNode("", [], [])
_TEXTS = {
    "os.EOL": "\n", "path.sep": "/", "path.delimiter": ":", "process.execPath": "node", "process.argv0": "node",
    "process.pid": "$$", "Deno.pid": "$$", "os.devNull": "/dev/null", "import.meta.dirname": ".",
    "import.meta.dir": ".", "import.meta.url": "file://./script", "import.meta.path": "./script",
    "import.meta.filename": "./script",
}  # fmt: skip
_CONSTANTS: dict[str, Value] = {
    **{name: TextValue(text) for name, text in _TEXTS.items()},
    **dict.fromkeys((
        "process.platform", "process.arch", "process.ppid", "process.exitCode", "process.version", "process.versions",
        "process.title", "process.config", "process.release", "process.features", "Deno.version", "Deno.build",
        "Bun.version", "Bun.main", "worker_threads.workerData",
    ), ANY),
    **dict.fromkeys(("process.argv", "Bun.argv"), List([TextValue("node"), TextValue("script")], open=True)),
    **dict.fromkeys(("Deno.args", "module.builtinModules", "module.paths"), List([], open=True)),
    "Bun.env": LibraryPart("process.env"), "module.exports": Obj(open=True),
}  # fmt: skip
_Call = Callable[[Library, list[Value]], Value]
_CALLS: dict[str, _Call] = {
    "require": Library._require, "import": Library._require, "createRequire": lambda _, __: LibraryPart("require"),
    "require.resolve": lambda _, args: args[0] if args else ANY, "load": Library._run_file,
    "import.meta.resolve": lambda _, args: args[0] if args else ANY,
    "fs.open": Library._open, "fs.openSync": Library._open, "Deno.open": Library._open, "Deno.openSync": Library._open,
    **dict.fromkeys(("fs.readdir", "fs.readdirSync", "Deno.readDir", "Deno.readDirSync"), Library._list_folder),
    **dict.fromkeys(("glob", "glob.sync", "glob.glob", "glob.globSync", "glob.globby", "fs.glob", "fs.globSync"),
                    Library._glob),
    **dict.fromkeys(("rimraf", "rimraf.sync", "rimraf.rimraf", "rimraf.rimrafSync", "rimraf.native", "del", "del.sync",
                     "del.deleteAsync", "del.deleteSync", "trash", "shelljs.rm"), Library._delete_all),
    "Bun.file": Library._bun_file, "Bun.write": Library._bun_write, "Bun.$": Library._dollar,
    "execa.$": Library._dollar,
    "process.chdir": Library._move, "Deno.chdir": Library._move, "shelljs.cd": Library._move,
    "process.kill": Library._kill, "Deno.kill": Library._kill, "Worker": Library._worker,
    **dict.fromkeys(("setTimeout", "setInterval", "setImmediate", "queueMicrotask", "process.nextTick"),
                    Library._later),
    "Promise": Library._promise, "Reflect.apply": Library._apply, "Reflect.construct": Library._apply,
    "Reflect.get": Library._get, "process.binding": Library._binding, "process._linkedBinding": Library._binding,
    "process.dlopen": Library._binding, "Bun.dlopen": Library._binding, "Deno.dlopen": Library._binding,
    "Deno.env.get": Library._environment, "Deno.env.toObject": lambda _, __: LibraryPart("process.env"),
}  # fmt: skip
_SPAWNS: dict[str, _Call] = {
    "exec": Library._run_text, "spawn": Library._run_words, "execFile": Library._run_words, "fork": Library._run_file,
}  # fmt: skip
# By the library, its calls that run programs.
_RUNS: dict[str, dict[str, _Call]] = {
    "child_process": _SPAWNS,
    "cluster": {"fork": lambda _, __: ANY, "setupPrimary": lambda _, __: ANY},
    "cross-spawn": {"": Library._run_words, "sync": Library._run_words, "spawn": Library._run_words},
    "node-pty": {"spawn": Library._run_words},
    "execa": {"": Library._run_words, "execa": Library._run_words, "sync": Library._run_words,
              "execaCommand": Library._run_text, "command": Library._run_text, "execaNode": Library._run_file},
    "shelljs": {"exec": Library._run_text},
    "Deno": {"run": Library._deno_run, "Command": Library._deno_run},
    "Bun": {"spawn": Library._deno_run},
}  # fmt: skip


def _matches_all(args: list[Value]) -> bool:
    """Whether what a query is given leaves nothing out."""
    first = args[0] if args else None
    if first is None:
        return True
    where = first.props.get("where", first) if isinstance(first, Obj) else first
    return isinstance(where, Obj) and not where.props and not where.open
