"""Read Python hooks in tests, and write down what was read in a line each."""

from __future__ import annotations

import json
from textwrap import dedent
from typing import Any

from msgspec import UNSET

from interlock.hook_lint.program import UNKNOWN, Ending, HookProgram, OutputPart
from interlock.hook_lint.read.python import read_python

HEAD = "import json, os, re, subprocess, sys\n"


def read(text: str) -> HookProgram:
    """The only program in a file."""
    [program] = read_python("hook.py", HEAD + dedent(text))
    return program


def callbacks(text: str) -> dict[str, HookProgram]:
    return {program.name: program for program in read_python("agent.py", dedent(text))}


def ways(text: str) -> list[str]:
    """How a hook ends, in the order of the places where it does."""
    return lines_of(read(text))


def lines_of(program: HookProgram) -> list[str]:
    """The endings in the order of their places, and the end of the file last."""
    endings = sorted(program.endings, key=lambda one: (one.how == "end", one.span.start, _line(one)))
    return [_line(ending) for ending in endings]


def _line(ending: Ending) -> str:
    marks = [name for name, holds in (("error", ending.on_error), ("default", ending.is_default)) if holds]
    how = f"{ending.how} {ending.code}" if ending.how == "exit" else ending.how
    said = [_said(one) for one in ending.said]
    return " | ".join([f"{how} ({', '.join(marks)})" if marks else how, *said])


def _said(said: OutputPart) -> str:
    shown = said.text.strip() if said.value is UNSET else json.dumps(said.value, default=_unknown, ensure_ascii=False)
    return f"{said.stream}{' by parts' if said.by_parts else ''}: {shown}"


def _unknown(value: Any) -> str:
    assert value is UNKNOWN
    return "?"


def paths_read(text: str) -> list[str]:
    return [".".join(one.path) for one in read(text).reads]
