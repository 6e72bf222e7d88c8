"""Find the rules that could apply to a call without trying the others.

Those about commands are found by program and first word, those about paths by one automaton for all their globs;
the rest are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2
from msgspec import Struct

from interlock.facts.paths import Places
from interlock.facts.shell import Command
from interlock.policy.expressions import Language
from interlock.policy.moment import Moment
from interlock.policy.patterns import glob_pattern
from interlock.policy.rule import Rule

__all__ = ["Index", "Placed"]

_MEMORY = 256 * 1024 * 1024
_MOST_PLACES = 64


class Placed(Struct, frozen=True):
    """A rule in its place. `widened`: it means this tool only by a short name, so nothing may be trusted on it."""

    number: int
    rule: Rule
    language: Language
    widened: bool = False


class Index:
    """The rules of one event and tool."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self._always: list[Placed] = []
        self._by_word: dict[tuple[str, str | None], list[Placed]] = {}
        self._by_path: list[tuple[str, Placed]] = []
        self._paths: dict[Places, _PathSet] = {}
        self.changes = any(one.rule.changes for one in placed)
        for one in placed:
            self._add(one)

    def _add(self, one: Placed) -> None:
        keys = _command_keys(one.rule)
        if keys is not None:
            for key in keys:
                self._by_word.setdefault(key, []).append(one)
        elif one.rule.condition.path is not None:
            self._by_path += [(glob, one) for globs in one.rule.condition.path.globs.values() for glob in globs]
        else:
            self._always.append(one)

    def candidates(self, moment: Moment) -> list[Placed]:
        """The rules that could fire, in order."""
        if not self._by_word and not self._by_path:
            return self._always
        found = {one.number: one for one in self._always}
        if self._by_word:
            for command in moment.facts.commands:
                for key in _keys_of(command):
                    for one in self._by_word.get(key, ()):
                        found[one.number] = one
        if self._by_path and moment.facts.paths:
            paths = self._path_set(moment.situation.places)
            for use in moment.facts.paths:
                found.update((one.number, one) for one in paths.matching(use.path))
        return [found[number] for number in sorted(found)]

    def _path_set(self, places: Places) -> _PathSet:
        found = self._paths.get(places)
        if found is None:
            if len(self._paths) >= _MOST_PLACES:
                self._paths.clear()
            found = self._paths[places] = _PathSet(self._by_path, places)
        return found


class _PathSet:
    """One automaton for the path globs of many rules."""

    def __init__(self, globs: Sequence[tuple[str, Placed]], places: Places) -> None:
        options = re2.Options()
        options.log_errors, options.max_mem = False, _MEMORY
        self._rules = [one for _, one in globs]
        self._set = re2.Set.SearchSet(options)
        for glob, _ in globs:
            self._set.Add(glob_pattern(glob, places))
        # Matches everything: its absence tells a search that ran out of memory from one that found nothing.
        self._always = self._set.Add("")
        try:
            self._set.Compile()
        except re2.error:
            self._set = None

    def matching(self, path: str) -> Iterator[Placed]:
        numbers = self._set.Match(path) if self._set is not None else None
        if numbers is None or self._always not in numbers:
            return iter(self._rules)  # try them all, rather than none
        return (self._rules[number] for number in numbers if number != self._always)


def _command_keys(rule: Rule) -> list[tuple[str, str | None]] | None:
    """Program and first word of every way the rule's command is written, or None if it may be anything."""
    keys: list[tuple[str, str | None]] = []
    for pattern in rule.condition.command or ():
        if pattern.programs is None:
            return None
        seconds = pattern.words[1] if len(pattern.words) > 1 else frozenset({"*"})
        for program in pattern.programs:
            keys += [(program, None)] if "*" in seconds else [(program, second) for second in seconds]
    return keys or None


def _keys_of(command: Command) -> Iterator[tuple[str, str | None]]:
    yield command.name, None
    for word in command.args:
        if not word.startswith("-"):
            yield command.name, word
