"""Find the rules that could apply to a call without trying the others.

Those about commands are found by program and first word, by one automaton for all their regexes, or by what is done;
those about paths by one automaton for all their globs; the rest are tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2
from msgspec import Struct

from interlock.facts.gather import Facts, PathUse
from interlock.facts.paths import Places, anchor_of
from interlock.facts.shell import Command
from interlock.policy.expressions import Language
from interlock.policy.moment import Moment
from interlock.policy.patterns import FOUND, glob_pattern, may_mean
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
        self._incomplete: list[Placed] = []  # about calls that were not read to their end
        self._by_word: dict[tuple[str, str | None], list[Placed]] = {}
        self._by_trait: dict[str, list[Placed]] = {}
        self._by_regex: list[tuple[str, Placed]] = []
        self._regexes: _RuleSet | None = None
        self._by_path: list[tuple[str, str, Placed]] = []  # the sort of use, the glob, the rule
        self._paths: dict[Places, _PathSet] = {}
        for one in placed:
            self._add(one)

    def _add(self, one: Placed) -> None:
        condition = one.rule.condition
        keys = _command_keys(one.rule)
        if keys is not None:
            for key in keys:
                self._by_word.setdefault(key, []).append(one)
            self._by_regex += [(pattern.regex, one) for pattern in condition.command or () if pattern.regex]
        elif condition.does is not None:
            for trait in condition.does.traits:
                self._by_trait.setdefault(trait, []).append(one)
        elif condition.path is not None:
            self._by_path += [(sort, glob, one) for sort, globs in condition.path.globs.items() for glob in globs]
        elif condition.when is not None and "incomplete" in condition.when.needs:
            self._incomplete.append(one)
        else:
            self._always.append(one)

    def candidates(self, moment: Moment) -> list[Placed]:
        """The rules that could fire, in order."""
        found = {one.number: one for one in self._always}
        if self._incomplete and moment.facts.incomplete:
            found.update((one.number, one) for one in self._incomplete)
        if self._by_word or self._by_trait or self._by_regex:
            for command in moment.facts.all_commands:
                self._by_command(command, found)
        if self._by_path and moment.facts.all_paths:
            self._by_paths(moment.facts, moment.situation.places, found)
        return [found[number] for number in sorted(found)] if len(found) > len(self._always) else self._always

    def _by_command(self, command: Command, found: dict[int, Placed]) -> None:
        for key in _keys_of(command) if self._by_word else ():
            for one in self._by_word.get(key, ()):
                found[one.number] = one
        for trait in command.use.traits if self._by_trait else ():
            for one in self._by_trait.get(trait, ()):
                found[one.number] = one
        if self._by_regex:
            if self._regexes is None:
                self._regexes = _RuleSet(self._by_regex)
            for text in dict.fromkeys((command.text, command.words)):
                found.update((one.number, one) for one in self._regexes.matching(text))

    def _by_paths(self, facts: Facts, places: Places, found: dict[int, Placed]) -> None:
        if facts.lost:
            found.update((one.number, one) for _, _, one in self._by_path)
            return
        paths = self._path_set(places)
        for use in facts.all_paths:
            if use.glob or FOUND in use.path:  # an automaton knows what it stands for as little as we do
                found.update(
                    (one.number, one)
                    for sort, glob, one in self._by_path
                    if (not sort or getattr(use, sort)) and may_mean(glob, use, places, facts)
                )
            else:
                found.update((one.number, one) for one in paths.meaning(use, facts))

    def _path_set(self, places: Places) -> _PathSet:
        found = self._paths.get(places)
        if found is None:
            if len(self._paths) >= _MOST_PLACES:
                self._paths.clear()
            found = self._paths[places] = _PathSet(self._by_path, places)
        return found


class _RuleSet:
    """One automaton for the regular expressions of many rules."""

    def __init__(self, patterns: Sequence[tuple[str, Placed]]) -> None:
        options = re2.Options()
        options.log_errors, options.max_mem = False, _MEMORY
        self._rules = [one for _, one in patterns]
        self._set = re2.Set.SearchSet(options)
        for pattern, _ in patterns:
            self._set.Add(pattern)
        # Matches everything: its absence tells a search that ran out of memory from one that found nothing.
        self._always = self._set.Add("")
        try:
            self._set.Compile()
        except re2.error:
            self._set = None

    def matching(self, text: str) -> Iterator[Placed]:
        numbers = self._set.Match(text) if self._set is not None else None
        if numbers is None or self._always not in numbers:
            return iter(self._rules)  # try them all, rather than none
        return (self._rules[number] for number in numbers if number != self._always)


class _PathSet(_RuleSet):
    """One automaton for the path globs of many rules, and what lies in the folders that they name."""

    def __init__(self, globs: Sequence[tuple[str, str, Placed]], places: Places) -> None:
        super().__init__([(glob_pattern(glob, places), one) for _, glob, one in globs])
        self._inside: dict[str, list[Placed]] = {}  # a folder → the rules about something that lies in it
        self._anywhere = False
        for _, glob, one in globs:
            anchor = anchor_of(glob, places)
            if anchor is None:
                self._anywhere = True
            else:
                for folder in _folders_of(anchor):
                    self._inside.setdefault(folder, []).append(one)

    def meaning(self, use: PathUse, facts: Facts) -> Iterator[Placed]:
        """The rules that a use of a path may be about: by the path, or by what lies in it."""
        yield from self.matching(use.path)
        if use.below:
            yield from self._inside.get(use.path, ())
            for name in facts.entries(use.path) if self._anywhere else ():
                yield from self.matching(f"{use.path.rstrip('/')}/{name}")


def _folders_of(path: str) -> Iterator[str]:
    """A path, and every folder that it lies in."""
    while path != "/":
        yield path
        path = path.rpartition("/")[0] or "/"
    yield path


def _command_keys(rule: Rule) -> list[tuple[str, str | None]] | None:
    """Program and first word of every way the rule's command is written, or None if it may be anything."""
    keys: list[tuple[str, str | None]] = []
    for pattern in rule.condition.command or ():
        if pattern.regex:
            continue
        if pattern.programs is None:
            return None
        seconds = pattern.words[1] if len(pattern.words) > 1 else frozenset({"*"})
        for program in pattern.programs:
            keys += [(program, None)] if "*" in seconds else [(program, second) for second in seconds]
    return keys if rule.condition.command else None


def _keys_of(command: Command) -> Iterator[tuple[str, str | None]]:
    yield command.name, None
    for word in command.args:
        if not word.startswith("-"):
            yield command.name, word
    for word in command.use.operands:
        if word not in command.args:
            yield command.name, word
