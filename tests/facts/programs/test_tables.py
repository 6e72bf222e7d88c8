"""The shipped descriptions: well formed, in one vocabulary, each program once, and compiled as they stand."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import interlock
from interlock.facts.programs import TRAITS, known_programs, readers, use_of_program
from interlock.facts.programs.compiled import ENTRIES, INDEX
from interlock.facts.programs.interpret import make_form
from interlock.facts.programs.lexicon import entries, entry_of
from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.shell import read_shell
from interlock.policy.programs.cases import case_errors
from interlock.policy.programs.families import module_of, read_families, reading
from tools.programs import COMPILED

ALL = list(entries())
FOLDER = Path(interlock.__file__).parent / "programs"
FILES = {file.name: file.read_bytes() for file in FOLDER.glob("*.yaml")}


@pytest.fixture(scope="module")
def descriptions():
    return read_families(FILES)


def every(program: Program) -> list[Program]:
    return [program, *(found for sub in program.subs.values() for found in every(sub))]


@pytest.mark.parametrize("entry", ALL, ids=[f"{entry.family}: {entry.names.split()[0]}" for entry in ALL])
def test_a_description_can_be_read_and_uses_known_traits(entry):
    for form in map(make_form, every(entry.program)):
        options = [*form.long.values(), *form.short.values()]
        used = set(form.traits).union(*(option.traits for option in options))
        assert used <= set(TRAITS)


def test_what_is_compiled_is_what_the_families_say(descriptions):
    assert COMPILED.read_text() == module_of(descriptions), "run `make programs`"


def test_every_case_holds(descriptions):
    use_of = reading(descriptions)
    assert [str(error) for one in descriptions for case in one.cases for error in case_errors(case, use_of)] == []


# What decides what a command does; paths change their parts when words are added.
HEAVY = {
    "cloud/deletes", "cloud/deploys", "cluster/deletes", "database/drops", "database/deletes", "database/restores",
    "infra/applies", "infra/destroys", "container/removes", "container/prunes", "forge/deletes", "publishes-package",
    "installs-package", "removes-package", "formats-disk", "shreds", "reboots", "users", "firewall", "security-off",
    "git/publishes", "git/force-publishes", "git/deletes-remote", "git/discards-work", "kernel", "agent/starts",
    "virtual-machine", "writes-secret", "cluster/changes", "cloud/changes", "network/deletes",
}  # fmt: skip
# With more words these are other commands, which the programs refuse or which do less.
OTHERWISE = {"aws", "bmaptool", "bundle", "cpan", "yarn", "yay", "vercel", "puppet"}


def test_a_word_behind_the_end_of_options_excuses_nothing(descriptions):
    """`heroku apps:destroy web -- --dry-run` destroys: behind `--` there are no options."""
    milder = []
    for one in descriptions:
        for case in one.cases:
            (command, *_) = read_shell(case.command).commands
            acts = command.use.traits & HEAVY
            if not acts or "--" in command.args or command.name in OTHERWISE:
                continue
            for word in ("--help", "--dry-run", "--list", "-n", "-l", "-h", "--version", "--check"):
                found = use_of_program(command.program, (*command.args, "--", word))
                if acts - found.traits and not found.traits & HEAVY:
                    milder.append((case.command, word, sorted(acts)))
    assert milder == []


def test_a_program_stands_in_one_place():
    names = Counter(name for entry in ALL for name in entry.names.split())
    assert [name for name, count in names.items() if count > 1] == []


def test_subcommands_stand_once():
    for entry in ALL:
        for form in every(entry.program):
            names = Counter(sub for names in form.subs for sub in names.split())
            assert [sub for sub, count in names.items() if count > 1] == [], entry.names


def test_every_name_leads_to_its_own_entry():
    for entry in ALL:
        for name in entry.names.split():
            assert entry_of(name) == entry


@pytest.mark.parametrize("name", ["", " ", "no-such-program", "ls 1", "\n", "ls\n", "\0", "1", "\udc80"])
def test_what_is_no_name_leads_nowhere(name):
    assert entry_of(name) is None


def test_there_are_enough_of_them():
    assert len(known_programs()) > 1000
    assert INDEX.count(b"\n") == len(known_programs()) + 1
    assert ENTRIES.count(b"\n") == len(ALL) + 1


def test_what_is_harmless_is_in_the_vocabulary():
    assert set(TRAITS) >= HARMLESS


def test_every_program_answers():
    for name in sorted(known_programs()):
        for args in ((), ("--help",), ("x",), ("-x",), ("x", "y", "-z", "--", "w"), ("\0",), ("",)):
            found = use_of_program(name, args)
            assert found.traits <= set(TRAITS), (name, args)


def test_readers_are_imported_when_a_program_needs_them():
    """What is read first decides how long the first call of a session takes."""
    code = (
        "import sys; from interlock.facts.shell import read_shell\n"
        "read_shell('cd src && git status | grep -c x; ls -la; npm test; python3 -m pytest; sed -n 1p a; cat <<< b')\n"
        "print('interlock.facts.programs.readers.infrastructure' in sys.modules)\n"
        "read_shell('terraform plan; ansible-playbook x.yml')\n"
        "print('interlock.facts.programs.readers.infrastructure' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_every_reader_is_used_by_a_description():
    """A reader that nobody names is dead; a name without a reader is an error of the compiler."""
    named = {
        name
        for entry in ALL
        for form in every(entry.program)
        for name in (form.reader, form.parser, form.rewrite)
        if name
    }
    folder = Path(readers.__file__).parent
    there = set()
    for file in folder.glob("[!_]*.py"):
        module = __import__(f"interlock.facts.programs.readers.{file.stem}", fromlist=["READERS"])
        for table in ("READERS", "REWRITES"):
            there |= {f"{file.stem}.{key}" for key in getattr(module, table, {})}
    assert there == named
