"""What a command does, by the description of its program."""

from __future__ import annotations

from interlock.facts.programs.interpret import Form, interpret, make_form
from interlock.facts.programs.lexicon import known_programs, program_of
from interlock.facts.programs.names import candidates
from interlock.facts.programs.traits import TRAITS
from interlock.facts.programs.use import Nested, Use

__all__ = ["TRAITS", "Nested", "Use", "is_known", "known_programs", "program_of", "use_of_program", "usual_name"]

_FORMS: dict[str, Form] = {}


def is_known(name: str) -> bool:
    """Whether a program, by its name or path, is described."""
    return "\0" not in name and any(program_of(candidate) is not None for candidate in candidates(name))


def usual_name(name: str) -> str:
    """A program's name as it is described, where a file system without upper case would find it: `GIT`, `git.exe`."""
    if program_of(name):
        return name
    low = name.lower()
    low = low if program_of(low) else low.removesuffix(".exe")
    return low if program_of(low) else name


def use_of_program(name: str, args: tuple[str, ...]) -> Use:
    """What a command does: its program by name or path, and its arguments. Says so where it does not know.

    Flags of a pattern can be put into the same words: `use_of_program("git", ("push", "-f")).flags`.
    """
    form = _FORMS.get(name)
    if form is not None:
        return interpret(form, name, args)
    for candidate in candidates(name) if "\0" not in name.rpartition("/")[2] else ():  # `$DIR/rm` is one
        form = _FORMS.get(candidate)
        if form is None and (program := program_of(candidate)) is not None:
            form = _FORMS[candidate] = make_form(program, top=True)
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
    """What can be said of a program without a description: its words, and that nothing is known."""
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
