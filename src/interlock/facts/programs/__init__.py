"""What each program does with its arguments: tables as data, one file a family, and how they are read."""

from __future__ import annotations

from interlock.facts.programs import (
    build,
    coreutils,
    find,
    git,
    interpreters,
    packages_node,
    packages_python,
    shells_and_wrappers,
    text,
)
from interlock.facts.programs.interpret import Form, compiled, interpret
from interlock.facts.programs.names import candidates
from interlock.facts.programs.table import Program, Table
from interlock.facts.programs.traits import TRAITS
from interlock.facts.programs.use import Nested, Use

__all__ = ["TRAITS", "Nested", "Use", "is_known", "known_programs", "use_of_program", "usual_name"]

# Programs that most sessions meet. The other families are read when a program is met that these do not have.
COMMON: dict[str, Table] = {
    "build": build.TABLE,
    "coreutils": coreutils.TABLE,
    "find": find.TABLE,
    "git": git.TABLE,
    "interpreters": interpreters.TABLE,
    "packages_node": packages_node.TABLE,
    "packages_python": packages_python.TABLE,
    "shells_and_wrappers": shells_and_wrappers.TABLE,
    "text": text.TABLE,
}
_PROGRAMS: dict[str, Program] = {}
_rare_are_known = False


def _learn(families: dict[str, Table]) -> None:
    for table in families.values():
        for names, program in table.items():
            for name in names.split():
                _PROGRAMS.setdefault(name, program)


def _table_of(name: str) -> Program | None:
    """A program's table, from whichever family has it."""
    global _rare_are_known
    found = _PROGRAMS.get(name)
    if found is None and not _rare_are_known:
        from interlock.facts.programs.rare import RARE  # noqa: PLC0415 four times as long to read as the common ones

        _learn(RARE)
        _rare_are_known = True
        found = _PROGRAMS.get(name)
    return found


_learn(COMMON)
_FORMS: dict[str, Form] = {}


def known_programs() -> frozenset[str]:
    """Every program that has a table."""
    _table_of("")
    return frozenset(_PROGRAMS)


def is_known(name: str) -> bool:
    """Whether a program, by its name or path, has a table."""
    return "\0" not in name and any(_table_of(candidate) is not None for candidate in candidates(name))


def usual_name(name: str) -> str:
    """A program's name as its table has it, where a file system without upper case would find it: `GIT`, `git.exe`."""
    if _table_of(name):
        return name
    low = name.lower()
    low = low if _table_of(low) else low.removesuffix(".exe")
    return low if _table_of(low) else name


def use_of_program(name: str, args: tuple[str, ...]) -> Use:
    """What a command does: its program by name or path, and its arguments. Says so where it does not know.

    Flags of a pattern can be put into the same words: `use_of_program("git", ("push", "-f")).flags`.
    """
    form = _FORMS.get(name)
    if form is not None:
        return interpret(form, name, args)
    for candidate in candidates(name) if "\0" not in name else ():
        form = _FORMS.get(candidate)
        if form is None and (table := _table_of(candidate)) is not None:
            form = _FORMS[candidate] = compiled(table, top=True)
        if form is not None:
            return interpret(form, candidate, args)
    if len(args) == 1 and args[0] in _PAGES and "/" not in name and "\0" not in name:
        return Use(flags=args, traits=_LOOKS, known=False)
    return _of_nobody(name, args)


# Installed programs answer these alone with a page of text; a script that lies about may not look at its words.
_PAGES = frozenset({"--help", "--version"})
_LOOKS = frozenset({"read-only"})


_TOLD = frozenset({"told-to-delete"})
_TAKES_AWAY = frozenset({"delete", "destroy", "purge", "wipe", "nuke", "drop", "terminate", "unpublish", "erase"})


def _told_to_delete(operands: list[str]) -> bool:
    """`tool delete x`, `tool app destroy`, `tool sites:delete`, `tool delete-all`: said among the first words."""
    for word in operands[:3]:
        head, _, tail = word.replace(":", "-").partition("-")
        if head in _TAKES_AWAY or (":" in word and tail.rpartition("-")[2] in _TAKES_AWAY):
            return True
    return False


def _of_nobody(name: str, args: tuple[str, ...]) -> Use:
    """What can be said of a program without a table: its words, and that nothing is known."""
    flags: list[str] = []
    operands: list[str] = []
    mentions: list[str] = []
    for at, word in enumerate(args):
        if word == "--":
            operands += args[at + 1 :]
            mentions += args[at + 1 :]
            break
        if len(word) > 1 and word[0] == "-":
            flag, mark, value = word.partition("=")
            flags.append(flag)
            if mark:
                mentions.append(value)
        else:
            operands.append(word)
            mentions.append(word)
    told = "/" not in name and _told_to_delete(operands) and not {"--dry-run", "--help", "-h"} & set(flags)
    return Use(
        mentions=tuple(mentions),
        flags=tuple(flags),
        operands=tuple(operands),
        traits=_TOLD if told else frozenset(),
        known=False,
    )
