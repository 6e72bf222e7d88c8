"""Calls of JavaScript that touch files."""

from __future__ import annotations

from typing import Protocol

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.values import (
    ANY,
    FILE,
    UNDEFINED,
    Either,
    JsScope,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    WordValue,
    each,
    text_of,
)
from interlock.facts.effects import CodeEffects
from interlock.facts.shell import UNKNOWN

__all__ = ["JsRunner", "OnFiles"]

_WRITES = frozenset("wax+")


class JsRunner(Protocol):
    """What follows the text, and is asked to go on with functions that calls are given."""

    top: JsScope
    depth: int

    def value(self, node: tree.JsNode, scope: JsScope) -> Value: ...
    def block(self, body: list[tree.JsNode], scope: JsScope) -> str: ...
    def call(self, callee: Value, args: list[Value]) -> Value: ...
    def call_method(self, of: Value, name: str, args: list[Value]) -> Value: ...
    def member(self, of: Value, key: str) -> Value: ...
    def hand_on(self, args: list[Value], given: Value, *, at_once: bool = False) -> None: ...


class OnFiles:
    """What is done to files, from the folder on that the text has gone to."""

    def __init__(self, effects: CodeEffects, runner: JsRunner) -> None:
        self.effects = effects
        self._runner = runner
        self._folder = ""  # where the text has gone to
        self._written: list[tuple[str, str]] = []

    def _run_functions(self, args: list[Value], given: Value = ANY) -> None:
        self._runner.hand_on(args, given)

    def _place(self, path: str) -> str:
        path = path.removeprefix("file://") if path.startswith("file://") else path
        if not self._folder or path.startswith(("/", "~", UNKNOWN)):
            return path
        return f"{self._folder.rstrip('/')}/{path}"

    def _paths(self, value: Value) -> list[str]:
        """The paths that a value may stand for."""
        found: list[str] = []
        for one in each(value):
            if isinstance(one, List):
                found += [text_of(item) for item in one.items] + ([UNKNOWN] if one.open else [])
            elif not (isinstance(one, WordValue) and isinstance(value, Either)):
                found.append(text_of(one))
        return [self._place(path) for path in found]

    def _write(self, path: Value) -> None:
        self.effects.writes += self._paths(path)

    def _file(self, role: str, name: str, args: list[Value]) -> Value:
        effects = self.effects
        targets = args[:2]
        if role in ("d", "w", "r"):
            found = self._paths(targets[0] if targets else ANY)
            {"d": effects.deletes, "w": effects.writes, "r": effects.reads}[role].extend(found)
            if role == "w" and len(args) > 1 and isinstance(args[0], TextValue) and isinstance(args[1], TextValue):
                self._written.append((args[0].text, args[1].text))
        elif role != "-" and targets:
            source = self._paths(targets[0])
            effects.reads += source
            if role == "mw":
                effects.deletes += source
            elif role == "lw":
                effects.writes += source
            self._write(targets[1] if len(targets) > 1 else ANY)
        given: Value = TextValue(UNKNOWN, FILE) if role == "r" else ANY
        self._run_functions(args, given)
        if name.startswith("mkdtemp"):
            return args[0] if args else ANY
        return given

    def _open(self, args: list[Value]) -> Value:
        mode = text_of(args[1]) if len(args) > 1 and isinstance(args[1], (TextValue, Num)) else "r"
        if len(args) > 1 and isinstance(args[1], Obj):  # Deno's
            mode = "w" if {"write", "append", "create", "truncate", "createNew"} & args[1].props.keys() else "r"
        if UNKNOWN in mode or set(mode) & _WRITES or (mode.isdigit() and int(mode) & 0o1103):
            self._write(args[0] if args else ANY)
        else:
            self.effects.reads += self._paths(args[0] if args else ANY)
        self._run_functions(args)
        return TextValue(UNKNOWN, FILE)

    def _list_folder(self, args: list[Value]) -> Value:
        """The names in a folder: nobody knows them, but they lie there."""
        found = List([TextValue("*")], open=False)
        if len(args) > 1 and isinstance(args[1], Obj):
            folder = args[0] if args else TextValue(".")
            name = TextValue("*") if "withFileTypes" not in args[1].props else Obj(
                {"name": TextValue("*"), "parentPath": folder, "path": folder}, open=True)  # fmt: skip
            found = List([name], open=False)
        self._run_functions(args, found)
        return found

    def _glob(self, args: list[Value]) -> Value:
        patterns = args[0] if args else ANY
        items: list[Value] = list(patterns.items) if isinstance(patterns, List) else [patterns]
        return List([one for one in items if not text_of(one).startswith("!")])

    def _delete_all(self, args: list[Value]) -> Value:
        self.effects.deletes += self._paths(args[0] if args else ANY)
        self._run_functions(args)
        return ANY

    def _bun_file(self, args: list[Value]) -> Value:
        return Obj({"path": args[0] if args else ANY}, kind="file")

    def _bun_write(self, args: list[Value]) -> Value:
        target = args[0] if args else ANY
        self._write(target.props["path"] if isinstance(target, Obj) and target.kind == "file" else target)
        if len(args) > 1 and isinstance(args[1], Obj) and args[1].kind == "file":
            self.effects.reads += self._paths(args[1].props["path"])
        return ANY

    def _move(self, args: list[Value]) -> Value:
        self._folder = self._place(text_of(args[0])) if args else UNKNOWN
        return UNDEFINED

    def _stored_file(self, of: Obj, name: str, args: list[Value]) -> Value:
        path = of.props["path"]
        if name in ("delete", "unlink"):
            self.effects.deletes.append(self._place(text_of(path)))
        elif name in ("write", "writer"):
            self._write(path)
        elif name not in ("exists", "stat", "slice"):
            self.effects.reads.append(self._place(text_of(path)))
            return TextValue(UNKNOWN, FILE)
        return ANY
