"""The JSON answers of a program, each with the way on which it is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interlock.hook_lint.intent import is_for_another_agent
from interlock.hook_lint.program import Ending, HookProgram, OutputPart

__all__ = ["answers_of", "updated_input"]


def answers_of(program: HookProgram) -> Iterator[tuple[Ending, OutputPart]]:
    """Every object on stdout, or that a callback returns, once at each place for each kind of way that leads to it."""
    seen: set[tuple[object, ...]] = set()
    for ending in program.endings:
        for said in ending.on("stdout", "return"):
            if not isinstance(said.value, dict):
                continue
            way = (ending.code, ending.is_default, ending.on_error, bool(ending.paths))
            key = (said.span, repr(said.value), *way)  # one line of a function gives many answers
            if key not in seen and not is_for_another_agent(program, said.span):
                seen.add(key)
                yield ending, said


def updated_input(said: Mapping[str, Any]) -> Any:
    """The changed input in an answer, wherever it is; None without one."""
    part = said.get("hookSpecificOutput")
    inner = part if isinstance(part, dict) else {}
    prompt = inner.get("decision")
    return inner.get("updatedInput", prompt.get("updatedInput") if isinstance(prompt, dict) else None)
