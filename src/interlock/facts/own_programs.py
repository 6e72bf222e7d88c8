"""Programs that policies describe themselves, and how their commands are read.

A program that Interlock does not know is read by its description; every word that may be a path stays one that may be
a path, so that no description hides it. A program that Interlock knows is read as always, and then once more by the
description, which can only add: what it does, what it touches, what it runs. So is a described name with a path in
front of it, since another file may have that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from interlock.errors import Source
from interlock.facts.programs import is_known, use_of_program
from interlock.facts.programs.interpret import Form, interpret, make_form
from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.programs.use import Use

__all__ = ["OwnProgram", "OwnPrograms", "ProgramReader", "ProgramWatch", "spellings"]

_SUFFIXES = (".exe", ".com", ".cmd", ".bat")
# They say that something is not done, or not here; a description of a program that is known can only add.
_EXCUSES = frozenset({"read-only", "only-runs", "elsewhere"})
_PATHS = ("reads", "writes", "creates", "deletes", "executable", "sent")
_ADDED = (*_PATHS, "urls", "hosts", "runs")


class OwnProgram(Protocol):
    """A program that a policy describes, and where."""

    @property
    def program(self) -> Program: ...
    @property
    def source(self) -> Source: ...


class ProgramReader(Protocol):
    """How the commands of a call are read, where policies describe programs."""

    def use_of(self, name: str, args: tuple[str, ...]) -> Use:
        """What a command does."""

    def beside(self, name: str, args: tuple[str, ...], use: Use) -> Sequence[Use]:
        """What descriptions add to what a command does."""


class OwnPrograms:
    """The descriptions that the rules of a layer know: its own, and those of the layers above, the highest first."""

    def __init__(self, layers: Sequence[Mapping[str, OwnProgram]]) -> None:
        self.names = frozenset(name for layer in layers for name in layer)
        self._layers = layers
        self._spelling = spellings(self.names)
        self._forms: dict[str, list[tuple[Form, Source]]] = {}

    def use_of(self, name: str, args: tuple[str, ...]) -> Use:
        use = use_of_program(name, args)
        if not self._speaks_for(name):
            return use
        form, source = self._forms_of(name)[0]
        found = interpret(form, name, args)
        # A word with an unknown part may stand for several files, not all of which play the role.
        placed = {word for field in _PATHS for word in getattr(found, field) if "\0" not in word}
        mentions = (*found.mentions, *(word for word in use.mentions if word not in placed))
        return replace(
            found,
            mentions=tuple(dict.fromkeys(mentions)),
            urls=tuple(dict.fromkeys((*found.urls, *(word for word in mentions if "://" in word)))),
            flags=tuple(dict.fromkeys((*found.flags, *_other_names(form, found.flags)))),
            traits=found.traits - {"elsewhere"},
            cd=None,  # no program moves the shell that runs it
            described=source,
        )

    def beside(self, name: str, args: tuple[str, ...], use: Use) -> Sequence[Use]:
        called = called_as(name, self._spelling)
        if not called:
            return ()
        forms = self._forms_of(called)
        found: list[Use] = []
        if self._speaks_for(name):
            forms = forms[1:]
            if use.base:  # what may be a path may be one here, and not where the description looks for it
                found.append(replace(_without_effects(use), mentions=use_of_program(name, args).mentions))
        for form, source in forms:
            more = _addition(use, interpret(form, called, args), source)
            found += [more] if more is not None else []
        return found

    def _speaks_for(self, name: str) -> bool:
        """Whether what a program does is known by its description alone."""
        return name in self.names and not is_known(name)

    def _forms_of(self, name: str) -> list[tuple[Form, Source]]:
        """The descriptions of a program, made ready for use."""
        found = self._forms.get(name)
        if found is None:
            owns = [layer[name] for layer in self._layers if name in layer]
            found = self._forms[name] = [(make_form(one.program, top=True), one.source) for one in owns]
        return found


class ProgramWatch:
    """Reads commands without any description, and notes which described programs they run."""

    def __init__(self, spelling: Mapping[str, str]) -> None:
        """`spelling`: the described programs, as `spellings` has them."""
        self.met: set[str] = set()
        self._spelling = spelling

    def use_of(self, name: str, args: tuple[str, ...]) -> Use:
        called = called_as(name, self._spelling)
        if called:
            self.met.add(called)
        return use_of_program(name, args)

    def beside(self, name: str, args: tuple[str, ...], use: Use) -> Sequence[Use]:
        return ()


def spellings(names: frozenset[str]) -> dict[str, str]:
    """Names by how they may be written, where upper case is nothing to a file system."""
    return {**{name.lower(): name for name in names}, **{name: name for name in names}}


def called_as(name: str, spelling: Mapping[str, str]) -> str:
    """The described name that a program is called by: with a path, in other case, with a suffix. Else nothing."""
    found = spelling.get(name)
    if found is None:
        base = name.rpartition("/")[2].rpartition("\\")[2]
        low = base.lower()
        found = spelling.get(base) or spelling.get(low)
        if found is None and low.endswith(_SUFFIXES):
            found = spelling.get(low[:-4])
    return found or ""


def _addition(use: Use, found: Use, source: Source) -> Use | None:
    """What a description adds to what is known of a command; None if that is nothing."""
    if not found.known:
        return None  # it does not describe this form
    traits = found.traits - _EXCUSES
    adds = (
        not traits <= use.traits
        or found.stdin != "data"
        or (found.sends and not use.sends)
        or any(not set(getattr(found, field)) <= set(getattr(use, field)) for field in _ADDED)
    )
    if not adds:
        return None
    acts = found.writes or found.creates or found.deletes or found.executable or found.sends
    every = use.traits | traits
    return replace(
        use,  # its words are those of the first reading, so that nothing is known of them otherwise than there
        **{field: getattr(found, field) for field in _ADDED},
        mentions=found.mentions,
        sends=found.sends,
        stdin=found.stdin,
        reached=found.reached,
        cd=None,
        base=found.base or use.base,
        push=None if found.base else use.push,
        traits=every - {"read-only"} if acts or not HARMLESS.issuperset(traits) else every,
        described=source,
    )


def _without_effects(use: Use) -> Use:
    """The same command, as if it touched, reached and ran nothing."""
    return Use(
        flags=use.flags,
        operands=use.operands,
        traits=use.traits,
        known=use.known,
        unknown=use.unknown,
        described=use.described,
    )


def _other_names(form: Form, flags: Sequence[str]) -> Iterator[str]:
    """The other names of the options that a command has, so that a pattern may be written with any of them."""
    for names, dashes in ((form.long, "--"), (form.short, "-")):
        yield from (dashes + name for name, option in names.items() if option.name in flags)
    for inner in form.forms.values():
        yield from _other_names(inner, flags)
