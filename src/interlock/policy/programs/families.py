"""The shipped families: read them, try their cases, and write them as the one module that facts look programs up in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import json

from interlock.errors import InterlockError
from interlock.facts.programs import use_of_program
from interlock.facts.programs.interpret import Form, interpret, make_form
from interlock.facts.programs.lexicon import ProgramEntry
from interlock.facts.programs.names import candidates
from interlock.facts.programs.table import Program
from interlock.facts.programs.use import Use
from interlock.policy.expressions import Language
from interlock.policy.positions import LocatedErrors, read_yaml
from interlock.policy.programs.cases import UseOf
from interlock.policy.programs.entries import Description, EntryReader
from interlock.policy.reader import Reader

__all__ = ["module_of", "read_families", "reading"]

_HEAD = '''"""Every shipped description, compiled from the families by `make programs`. Do not edit it by hand."""

'''


def read_families(files: Mapping[str, bytes]) -> list[Description]:
    """The descriptions of all families, by the names of their files. Raises LocatedErrors with every error."""
    errors: list[InterlockError] = []
    readers: list[tuple[str, EntryReader, Reader]] = []

    def find(name: str) -> Program | None:
        return next((found for _, one, _ in readers if (found := one.find(name)) is not None), None)

    for file, text in sorted(files.items()):
        document = read_yaml(text, file)
        reader = Reader(document.lines, Language({}, {}), {})
        entries = EntryReader(document.root, reader, shipped=True, find=find)
        readers.append((file.removesuffix(".yaml"), entries, reader))
    found: list[Description] = []
    places: dict[str, Description] = {}
    for family, entries, reader in readers:
        for one in entries.read(family):
            found.append(one)
            for name in one.names:
                if name in places:
                    message = f"`{name}` is described in {places[name].source} too"
                    reader.complain(message, one.source, "put both descriptions together")
                places[name] = one
        errors += reader.errors
    if errors:
        raise LocatedErrors(errors)
    return found


def reading(descriptions: list[Description]) -> UseOf:
    """How commands are read by these descriptions, and by no others."""
    forms: dict[str, Form] = {}
    programs = {name: one.program for one in descriptions for name in one.names}

    def use_of(name: str, args: tuple[str, ...]) -> Use:
        for candidate in candidates(name) if "\0" not in name else ():
            form = forms.get(candidate)
            if form is None and candidate in programs:
                form = forms[candidate] = make_form(programs[candidate], top=True)
            if form is not None:
                return interpret(form, candidate, args)
        return use_of_program(name, args)

    return use_of


def module_of(descriptions: list[Description]) -> str:
    """The module that holds descriptions: lines of JSON, and where each name's line begins."""
    lines = []
    index: dict[str, int] = {}
    place = 1  # behind the line end that the text begins with
    for one in sorted(descriptions, key=lambda one: (one.family, one.names)):
        entry = ProgramEntry(" ".join(one.names), one.family, one.program, one.about, len(one.cases))
        line = json.encode(entry)
        index |= dict.fromkeys(one.names, place)
        place += len(line) + 1
        lines.append(line.decode("ascii"))
    listed = "\n".join(f"{name} {start}" for name, start in sorted(index.items()))
    whole = "\n".join(lines)
    assert "'''" not in whole + listed  # noqa: S101 - it would end the text
    return f"{_HEAD}INDEX = rb'''\n{listed}\n'''\nENTRIES = rb'''\n{whole}\n'''\n"
