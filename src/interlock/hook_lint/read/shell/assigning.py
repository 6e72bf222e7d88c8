"""Assignments, and the files that a command opens."""

from __future__ import annotations

import re
from typing import Any

from interlock.facts.shell.tree import Array, Assignment, Heredoc, Opening, ProcessSubstitution, Word
from interlock.hook_lint.read.shell.machine import ShellReader
from interlock.hook_lint.read.shell.state import ShellState

__all__ = ["assign", "open_file"]

_KEY = re.compile(r"\[([^\]]*)\]=")


def assign(walk: ShellReader, one: Assignment, state: ShellState) -> None:
    """`name=value`, `name+=value`, `name=(…)`, `name[key]=value`."""
    if isinstance(one.value, Array):
        _assign_array(walk, one, one.value, state)
        return
    value = walk.text(one.value, state)
    hole = walk.holes.sole(value)
    if hole is not None and hole.origins and hole.change != "other":
        walk.notes.group(one.name, hole.origins)
    before = state.variables.get(one.name, "")
    if one.index is not None:
        _assign_item(walk, one, value, state)
    elif one.adds:
        state.set(one.name, (*before, value) if isinstance(before, tuple) else before + value)
    else:
        state.set(one.name, value)


def _assign_array(walk: ShellReader, one: Assignment, array: Array, state: ShellState) -> None:
    values: list[str] = []
    keys: list[str] = []
    for word in array.words:
        keyed = _key_of(word)
        if keyed is None:
            values += walk.fields(word, state)
        else:
            keys.append(keyed[0])
            values.append(walk.text(keyed[1], state))
    before = state.variables.get(one.name) if one.adds else None
    start: tuple[str, ...] = before if isinstance(before, tuple) else (before,) if before else ()
    state.set(one.name, (*start, *values))
    if keys:
        state.set(f"{one.name}!", tuple(keys))


def _assign_item(walk: ShellReader, one: Assignment, value: str, state: ShellState) -> None:
    before = state.variables.get(one.name, ())
    items = before if isinstance(before, tuple) else (before,)
    key = walk.text(one.index or "", state)
    keys = state.variables.get(f"{one.name}!", ())
    if isinstance(keys, tuple) and not key.isdigit():
        state.set(f"{one.name}!", (*keys, key))
    state.set(one.name, (*items, value))


def _key_of(word: Word) -> tuple[str, Word] | None:
    """The key and the value of `[key]=value` in an array."""
    if isinstance(word, str):
        found = _KEY.match(word)
        return None if found is None else (found[1], word[found.end() :])
    if not word or not isinstance(word[0], str) or not word[0].startswith("["):
        return None
    found = _KEY.match("".join(part if isinstance(part, str) else getattr(part, "text", "…") for part in word))
    return None if found is None else (found[1], _behind_key(word))


def _behind_key(word: list[Any]) -> Word:
    for place, part in enumerate(word):
        if isinstance(part, str) and "]=" in part:
            rest = part.partition("]=")[2]
            return [*([rest] if rest else []), *word[place + 1 :]]
    return word


def open_file(walk: ShellReader, opening: Opening, state: ShellState) -> None:
    """Do a redirection."""
    op, descriptor, target = opening.op, opening.descriptor, opening.target
    if isinstance(target, Heredoc):
        text = walk.text(target, state)
        state.stdin = text + "\n" if op == "<<<" else text
    elif op == "<" and isinstance(target, list) and isinstance(target[0], ProcessSubstitution):
        state.stdin, _ = walk.capture(target[0].body, state)
        state.settle()
    elif op in ("<", "<>"):
        if descriptor in ("", "0"):
            state.stdin = _content(walk, walk.text(target, state), state)
    elif op != "<&":
        _write_to(walk, walk.text(target, state), op, descriptor, state)


def _content(walk: ShellReader, name: str, state: ShellState) -> str:
    """What is in a file that is read."""
    if name in ("/dev/stdin", "-"):
        return state.stdin
    if name == "/dev/null":
        return ""
    hole = walk.holes.sole(name)
    return name if hole is not None and hole.paths else walk.holes.mark()


def _write_to(walk: ShellReader, name: str, op: str, descriptor: str, state: ShellState) -> None:
    out = state.out
    number = int(descriptor) if descriptor.isdigit() else 1
    if op == ">&" and (name.isdigit() or name == "-"):
        kept = f"{name}>&1" in walk.source  # the copy that `exec 3>&1` has made of stdout
        state.out = {**out, number: out.get(int(name), "stdout" if kept else "log") if name.isdigit() else "null"}
        return
    files = {
        "/dev/null": "null", "/dev/stderr": out.get(2, "log"), "/dev/stdout": out.get(1, "log"),
        "/dev/fd/1": out.get(1, "log"), "/dev/fd/2": out.get(2, "log"),
    }  # fmt: skip
    sink = files.get(name, "log")
    both = op in ("&>", "&>>") or (op == ">&" and not descriptor)
    state.out = {**out, 1: sink, 2: sink} if both else {**out, number: sink}
