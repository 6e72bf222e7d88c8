"""Which forms of a description act, and which of those no case tries."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.facts.programs.interpret import ACTING_ROLES
from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.shell import read_shell
from interlock.policy.programs.cases import UseOf
from interlock.policy.programs.entries import Description

__all__ = ["acting_forms", "forms_without_cases"]


def acting_forms(program: Program, path: str = "") -> Iterator[str]:
    """The forms that change, send or run something, by their subcommands as the description has them."""
    if _acts(program):
        yield path
    for key, sub in program.subs.items():
        yield from acting_forms(sub, f"{path} / {key}" if path else key)


def _acts(program: Program) -> bool:
    if program.service is not None:
        return True
    roles = [role.removesuffix("*") for role in program.operands.split()]
    # Of a program with subcommands, what it does without one may be nothing.
    return not HARMLESS.issuperset(program.traits.split()) or not ACTING_ROLES.isdisjoint(roles)


def forms_without_cases(one: Description, use_of: UseOf) -> list[str]:
    """Forms that act and that no case of the description reaches."""
    tried = set()
    for case in one.cases:
        for command in read_shell(case.command, use_of=use_of).commands:
            if command.name in one.names:
                tried.add(_path(one.program, list(command.use.operands)))
    return [path for path in acting_forms(one.program) if path not in tried]


def _path(program: Program, words: list[str]) -> str:
    """The form that a command's words lead to."""
    path: list[str] = []
    while program.subs and words:
        key = _key(program, words.pop(0))
        if not key:
            break
        path.append(key)
        program = program.subs[key]
    return " / ".join(path)


def _key(program: Program, word: str) -> str:
    names = [(name, key) for key in program.subs for name in key.split()]
    for name, key in names:
        if name == word:
            return key
    if program.brief:
        for name, key in names:
            if name.startswith(word):
                return key
    begun = [(name, key) for name, key in names if name.endswith("*") and word.startswith(name[:-1])]
    return max(begun, key=lambda one: len(one[0]))[1] if begun else ""
