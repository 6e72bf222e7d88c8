"""The tables themselves: well formed, in one vocabulary, each program once."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from interlock.facts import programs
from interlock.facts.programs import COMMON, TRAITS, known_programs, use_of_program
from interlock.facts.programs.interpret import compiled
from interlock.facts.programs.rare import RARE
from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS

FAMILIES = {**COMMON, **RARE}
FORMS = [
    (f"{family}: {names.split()[0]}", program) for family, table in FAMILIES.items() for names, program in table.items()
]


def every(program: Program) -> list[Program]:
    return [program, *(found for sub in program.subs.values() for found in every(sub))]


@pytest.mark.parametrize(("name", "program"), FORMS, ids=[name for name, _ in FORMS])
def test_a_table_can_be_read_and_uses_known_traits(name, program):
    for form in map(compiled, every(program)):
        options = [*form.long.values(), *form.short.values()]
        used = set(form.traits).union(*(option.traits for option in options))
        assert used <= set(TRAITS)


def test_a_program_stands_in_one_place():
    names = Counter(name for table in FAMILIES.values() for names in table for name in names.split())
    assert [name for name, count in names.items() if count > 1] == []


def test_subcommands_stand_once():
    for name, program in FORMS:
        for form in every(program):
            names = Counter(sub for names in form.subs for sub in names.split())
            assert [sub for sub, count in names.items() if count > 1] == [], name


def test_there_are_enough_of_them():
    assert len(known_programs()) > 1000


def test_what_is_harmless_is_in_the_vocabulary():
    assert set(TRAITS) >= HARMLESS


def test_every_program_answers():
    for name in sorted(known_programs()):
        for args in ((), ("--help",), ("x",), ("-x",), ("x", "y", "-z", "--", "w"), ("\0",), ("",)):
            found = use_of_program(name, args)
            assert found.traits <= set(TRAITS), (name, args)


def test_a_program_of_every_session_is_known_without_the_rest():
    """What is read first decides how long the first call of a session takes."""
    code = (
        "import sys; from interlock.facts.shell import read_shell\n"
        "read_shell('cd src && git status | grep -c x; ls -la; npm test; python3 -m pytest; sed -n 1p a; cat <<< b')\n"
        "print('interlock.facts.programs.rare' in sys.modules)\n"
        "read_shell('terraform plan')\n"
        "print('interlock.facts.programs.rare' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_every_family_is_read():
    """A module that nobody lists would leave its programs unknown, and nobody would notice."""
    folder = Path(programs.__file__).parent
    tables = {file.stem for file in folder.glob("*.py") if "\nTABLE: Table = {" in file.read_text()}
    assert tables - FAMILIES.keys() == set()
    assert len(tables) > 40
