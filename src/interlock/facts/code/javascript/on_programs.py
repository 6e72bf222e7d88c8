"""Calls of JavaScript that run programs."""

from __future__ import annotations

from interlock.facts.code.javascript.on_files import OnFiles
from interlock.facts.code.javascript.values import (
    ANY,
    NETWORK,
    LibraryPart,
    List,
    Obj,
    TextValue,
    Value,
    WordValue,
    each,
    origin,
    text_of,
)
from interlock.facts.code.shell_words import line_for_shell, quoted
from interlock.facts.limits import PROGRAM
from interlock.facts.shell import UNKNOWN
from interlock.facts.shell.run import SPLICED

__all__ = ["FETCHED", "OnPrograms", "is_set"]

FETCHED = "evaluates a text that comes from the network"
_UNKNOWN_PROGRAM = "runs a program that is not known before it runs"
_SELF = "$$"  # the text's own process


class OnPrograms(OnFiles):
    """Which lines a shell is given, and what runs without one."""

    def _shell(self, line: str, options: Value | None = None, marks: int = 0) -> Value:
        """A line for a shell, in the folder where it would start."""
        effects = self.effects
        folder = self._folder
        if isinstance(options, Obj):
            if "cwd" in options.props:
                folder = self._place(text_of(options.props["cwd"]))
            if "input" in options.props:
                line = f"printf %s {quoted(text_of(options.props['input']))} | {line}"
        for path, text in self._written[-8:]:
            if path and path in line and UNKNOWN not in path + text and len(text) <= PROGRAM.most:
                line = f"printf %s {quoted(text)} > {quoted(path)} && {line}"
        if marks & NETWORK:
            effects.traits.add("network")
            effects.opaque = effects.opaque or FETCHED
        known = line.strip(UNKNOWN + " ")
        line = line_for_shell(line)
        if known:
            effects.shell.append(f"cd {quoted(folder)} && {line}" if folder and folder != "." else line)
        return Obj({"stdin": Obj({"line": TextValue(line)}, kind="child.stdin")}, kind="child", open=True)

    def _run_text(self, args: list[Value]) -> Value:
        """`exec`: a line for a shell."""
        found: Value = ANY
        for one in each(args[0] if args else ANY):
            line = text_of(one)
            if UNKNOWN in line:
                spliced = SPLICED if line.replace(UNKNOWN, "").strip() else _UNKNOWN_PROGRAM
                self.effects.opaque = self.effects.opaque or (FETCHED if origin(one) & NETWORK else spliced)
            found = self._shell(line, args[1] if len(args) > 1 else None, origin(one) if UNKNOWN in line else 0)
        self._run_functions(args)
        return found

    def _run_words(self, args: list[Value]) -> Value:
        """`spawn`: a program and its arguments; with an option, all of it is for a shell."""
        options = next((arg for arg in args[1:] if isinstance(arg, Obj)), None)
        given = next((arg for arg in args[1:] if isinstance(arg, (List, TextValue))), None)
        found: Value = ANY
        for program in each(args[0] if args else ANY):
            name = text_of(program)
            if isinstance(program, List):  # Bun's
                words = [text_of(one) for one in program.items] + ([UNKNOWN] if program.open else [])
            else:
                words = [name, *self._words(given)]
            if not words or UNKNOWN in words[0]:
                why = FETCHED if origin(program) & NETWORK else _UNKNOWN_PROGRAM
                self.effects.opaque = self.effects.opaque or why
            if options is not None and is_set(options, "shell"):
                line = " ".join(words)
            else:
                line = " ".join(quoted(word) for word in words)
            found = self._shell(line, options)
        self._run_functions(args)
        return found

    def _words(self, given: Value | None) -> list[str]:
        if given is None:
            return []
        if isinstance(given, List):
            return [text_of(one) for one in given.items] + ([UNKNOWN] if given.open else [])
        return [UNKNOWN]

    def _run_file(self, args: list[Value]) -> Value:
        """`fork`: a file of JavaScript."""
        more = args[1] if len(args) > 1 else None
        words: list[Value] = [args[0] if args else ANY, *(more.items if isinstance(more, List) else [])]
        return self._run_words([TextValue("node"), List(words), *args[2:]])

    def _deno_run(self, args: list[Value]) -> Value:
        first = args[0] if args else ANY
        if isinstance(first, Obj):  # `Deno.run({cmd: […]})`, `Bun.spawn({cmd: […]})`
            return self._run_words([first.props.get("cmd", ANY), first])
        options = next((arg for arg in args[1:] if isinstance(arg, Obj)), None)
        if options is not None and "args" in options.props:
            return self._run_words([first, options.props["args"], options])
        return self._run_words([first, *([options] if options is not None else [])])

    def _dollar(self, args: list[Value]) -> Value:
        """A tagged template that is a line for a shell; values are quoted by it."""
        first = args[0] if args else ANY
        if not isinstance(first, List) or not all(isinstance(one, TextValue) for one in first.items):
            return LibraryPart("Bun.$") if isinstance(first, Obj) else self._run_text(args)
        line = text_of(first.items[0]) if first.items else ""
        for value, text in zip(args[1:], first.items[1:], strict=False):
            if isinstance(value, Obj) and "raw" in value.props:
                line += text_of(value.props["raw"])
            else:
                given = value.items if isinstance(value, List) else [value]
                line += " ".join(quoted(text_of(one)) for one in given)
            line += text_of(text)
        if UNKNOWN in line.split(" ")[0]:
            self.effects.opaque = self.effects.opaque or _UNKNOWN_PROGRAM
        self._shell(line)
        return TextValue(UNKNOWN)

    def _kill(self, args: list[Value]) -> Value:
        if not (len(args) > 1 and text_of(args[1]) == "0") and (not args or text_of(args[0]) != _SELF):
            self.effects.traits.add("kills")
        return ANY


def is_set(options: Value, key: str) -> bool:
    """Whether an option is given and not false."""
    if not isinstance(options, Obj):
        return False
    value = options.props.get(key)
    return value is not None and not (isinstance(value, WordValue) and value.name != "true")
