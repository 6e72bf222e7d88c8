"""Which forms of descriptions act, and which of those no case tries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import json
from msgspec.structs import replace

from interlock.facts.programs.interpret import ACTING_ROLES
from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.shell import read_shell
from interlock.policy.programs.cases import UseOf
from interlock.policy.programs.entries import Description

__all__ = ["forms_without_cases"]


def forms_without_cases(descriptions: Iterable[Description], use_of: UseOf) -> Iterator[tuple[Description, str]]:
    """Forms that act and that no case reaches.

    What an entry takes over from another is tried there, and forms of one program that mean the same are tried in one.
    """
    listed = list(descriptions)
    tried: set[int] = set()  # a form that is taken over is the same object
    meanings: dict[tuple[str, ...], set[bytes]] = {}
    for one in listed:
        known = meanings[one.names] = set()
        for case in one.cases:
            for command in read_shell(case.command, use_of=use_of).commands:
                if command.name in one.names or command.name.lower() in one.names:
                    form = _form_at(one.program, list(command.use.operands))
                    tried.add(id(form))
                    known.add(_meaning(form))
    for one in listed:
        for path, form in _forms(one.program):
            if _acts(form) and id(form) not in tried and _meaning(form) not in meanings[one.names]:
                meanings[one.names].add(_meaning(form))
                yield one, path


def _meaning(form: Program) -> bytes:
    """What a form says of itself, without its subcommands."""
    return json.encode(replace(form, subs={}))


def _forms(program: Program, path: str = "") -> Iterator[tuple[str, Program]]:
    yield path, program
    for key, sub in program.subs.items():
        yield from _forms(sub, f"{path} / {key}" if path else key)


def _acts(program: Program) -> bool:
    if program.service is not None:
        return True
    roles = [role.removesuffix("*") for role in program.operands.split()]
    return not HARMLESS.issuperset(program.traits.split()) or not ACTING_ROLES.isdisjoint(roles)


def _form_at(program: Program, words: list[str]) -> Program:
    """The form that a command's words lead to."""
    while program.subs and words:
        key = _key(program, words.pop(0))
        if not key:
            break
        program = program.subs[key]
    return program


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
