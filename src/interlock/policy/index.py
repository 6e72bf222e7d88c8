"""Find the rules that could apply to a call without trying the others.

Those about commands are found by program and first word, by one automaton for all their regexes, or by what is done;
those about paths by one automaton for all their globs; those about addresses, texts, or lists that most calls leave
empty, by whether there are any. Conditions that stand alone are asked about together. The rest are tried one by one.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import re2
from msgspec import Struct

from interlock.facts.gather import Facts, PathUse
from interlock.facts.paths import Places, anchor_of
from interlock.facts.shell import Command
from interlock.policy.expressions import AnyOf, ExpressionError, Language, history
from interlock.policy.moment import PARTS, Moment
from interlock.policy.patterns import FOUND, SimplePattern, glob_pattern, may_mean
from interlock.policy.rule import Rule

__all__ = ["Index", "RuleInPlace"]

_MEMORY = 256 * 1024 * 1024
_MOST_PLACES = 64
_MOST_TOGETHER = 32  # conditions in one expression
_FEWEST_TOGETHER = 2
_LIST_OF = {"url": "urls", "content": "texts"}  # the items of a key that nothing else is found by


class RuleInPlace(Struct, frozen=True):
    """A rule in its place. `widened`: it means this tool only by a short name, so nothing may be trusted on it.

    `late` are the names that are looked at only when the rule is tried, since they cost something to know. `as_shell`:
    it means this tool only because such tools carry a shell command.
    """

    number: int
    rule: Rule
    language: Language
    widened: bool = False
    late: tuple[str, ...] = ()
    as_shell: bool = False


class Index:
    """The rules of one event and tool.

    `whole` is for those who want to know what becomes of each rule: none is left out because a list is empty, or since
    it holds for no call like this.
    """

    def __init__(self, placed: Sequence[RuleInPlace], *, whole: bool = False) -> None:
        self._whole = whole
        self._always: dict[int, RuleInPlace] = {}
        self._together: list[tuple[AnyOf, list[RuleInPlace]]] = []
        self._lists: dict[tuple[str, ...], list[RuleInPlace]] = {}  # lists that must not be empty
        self._by_word: dict[str, dict[str | None, list[tuple[SimplePattern | None, RuleInPlace]]]] = {}
        self._by_trait: dict[str, list[RuleInPlace]] = {}
        self._by_push: list[RuleInPlace] = []
        self._by_regex: list[tuple[str, RuleInPlace]] = []
        self._regexes: _RuleSet | None = None
        self._by_path: dict[str, list[tuple[str, RuleInPlace]]] = {}  # glob → the sorts of use, and the rules
        self._paths: dict[Places, _PathSet] = {}
        for one in placed:
            self._add(one)
        self._asks_commands = bool(self._by_word or self._by_trait or self._by_push or self._by_regex)
        self._by_list = [(PARTS[lists[0]], lists, some) for lists, some in self._lists.items()]
        if not whole:
            self._put_together()

    def _add(self, one: RuleInPlace) -> None:
        condition = one.rule.condition
        if condition.command and _names_programs(one.rule):
            self._add_commands(one)
        elif condition.does is not None:
            for trait in condition.does.traits:
                self._by_trait.setdefault(trait, []).append(one)
        elif condition.push is not None and condition.command is None:
            self._by_push.append(one)
        elif condition.path is not None:
            for sort, globs in condition.path.globs.items():
                for glob in globs:
                    self._by_path.setdefault(glob, []).append((sort, one))
        elif lists := _lists_of(one.rule, whole=self._whole):
            self._lists.setdefault(lists, []).append(one)
        else:
            self._always[one.number] = one

    def _add_commands(self, one: RuleInPlace) -> None:
        for pattern in one.rule.condition.command or ():
            if pattern.regex:
                self._by_regex.append((pattern.regex, one))
                continue
            seconds = pattern.words[1] if len(pattern.words) > 1 else frozenset({"*"})
            # An allow reads a command more narrowly, and a trace says of a rule that is tried why it does not hold.
            test = None if self._whole or one.rule.decision == "allow" else pattern.simple
            for program in pattern.programs or ():
                words = self._by_word.setdefault(program, {})
                for second in (None,) if "*" in seconds else seconds:
                    words.setdefault(second, []).append((test, one))

    def _put_together(self) -> None:
        """Take conditions that stand alone out of those that are always tried, and ask about several at once."""
        alone: dict[int, list[RuleInPlace]] = {}
        for one in self._always.values():
            if one.rule.stands_alone and not one.late:
                alone.setdefault(id(one.language), []).append(one)
        for group in alone.values():
            for start in range(0, len(group), _MOST_TOGETHER):
                some = group[start : start + _MOST_TOGETHER]
                if len(some) < _FEWEST_TOGETHER:
                    continue
                found = some[0].language.any_of([one.rule.condition.when for one in some if one.rule.condition.when])
                if found is not None:
                    self._together.append((found, some))
                    for one in some:
                        del self._always[one.number]

    def candidates(self, moment: Moment) -> list[RuleInPlace]:
        """The rules that could fire, in order."""
        found = self._always.copy()
        for part, lists, some in self._by_list:
            if (not part or getattr(moment.facts, part)) and not moment.lacks(lists):
                for one in some:
                    found[one.number] = one
        if self._asks_commands:
            for command in moment.facts.all_commands:
                self._by_command(command, found)
        if self._by_path and moment.facts.all_paths:
            self._by_paths(moment.facts, moment.situation.places, found)
        for question, some in self._together:
            if _may_hold(question, some, moment):
                for one in some:
                    found[one.number] = one
        return [found[number] for number in sorted(found)] if found else []

    def _by_command(self, command: Command, found: dict[int, RuleInPlace]) -> None:
        words = self._by_word.get(command.name)
        if words is not None:
            for key in _keys_of(command, words):
                for test, one in words[key]:
                    if one.number not in found and (test is None or test.matches(command)):
                        found[one.number] = one
        if self._by_trait:
            for trait in command.use.traits:
                for one in self._by_trait.get(trait, ()):
                    found[one.number] = one
        if self._by_push and command.use.push is not None:
            for one in self._by_push:
                found[one.number] = one
        if self._by_regex:
            if self._regexes is None:
                self._regexes = _RuleSet([(pattern, (one,)) for pattern, one in self._by_regex])
            text, read = command.text, command.words
            for one in self._regexes.matching(text):
                found[one.number] = one
            if read != text:
                for one in self._regexes.matching(read):
                    found[one.number] = one

    def _by_paths(self, facts: Facts, places: Places, found: dict[int, RuleInPlace]) -> None:
        if facts.lost:
            found.update((one.number, one) for some in self._by_path.values() for _, one in some)
            return
        paths = self._path_set(places)
        for use in facts.all_paths:
            if use.glob or FOUND in use.path:  # an automaton knows what it stands for as little as we do
                found.update(
                    (one.number, one)
                    for glob, some in self._by_path.items()
                    if may_mean(glob, use, places, facts)
                    for sort, one in some
                    if not sort or getattr(use, sort)
                )
            else:
                for one in paths.meaning(use, facts):
                    found[one.number] = one

    def _path_set(self, places: Places) -> _PathSet:
        found = self._paths.get(places)
        if found is None:
            if len(self._paths) >= _MOST_PLACES:
                self._paths.clear()
            found = self._paths[places] = _PathSet(self._by_path, places)
        return found


class _RuleSet:
    """One automaton for the regular expressions of many rules."""

    def __init__(self, patterns: Sequence[tuple[str, Sequence[RuleInPlace]]]) -> None:
        options = re2.Options()
        options.log_errors, options.max_mem = False, _MEMORY
        self._rules = [some for _, some in patterns]
        self._set = re2.Set.SearchSet(options)
        for pattern, _ in patterns:
            self._set.Add(pattern)
        # Matches everything: its absence tells a search that ran out of memory from one that found nothing.
        self._always = self._set.Add("")
        try:
            self._set.Compile()
        except re2.error:
            self._set = None

    def matching(self, text: str) -> Sequence[RuleInPlace]:
        numbers = self._set.Match(text) if self._set is not None else None
        if numbers is None or self._always not in numbers:
            return [one for some in self._rules for one in some]  # try them all, rather than none
        if len(numbers) == 1:
            return ()
        return [one for number in numbers if number != self._always for one in self._rules[number]]


class _PathSet(_RuleSet):
    """One automaton for the path globs of many rules, and what lies in the folders that they name."""

    def __init__(self, globs: Mapping[str, Sequence[tuple[str, RuleInPlace]]], places: Places) -> None:
        super().__init__([(glob_pattern(glob, places), tuple(one for _, one in some)) for glob, some in globs.items()])
        self._inside: dict[str, list[RuleInPlace]] = {}  # a folder → the rules about something that lies in it
        self._anywhere = False
        for glob, some in globs.items():
            anchor = anchor_of(glob, places)
            if anchor is None:
                self._anywhere = True
            else:
                for folder in _folders_of(anchor):
                    self._inside.setdefault(folder, []).extend(one for _, one in some)

    def meaning(self, use: PathUse, facts: Facts) -> Sequence[RuleInPlace]:
        """The rules that a use of a path may be about: by the path, or by what lies in it."""
        found = self.matching(use.path)
        if not use.below:
            return found
        found = [*found, *self._inside.get(use.path, ())]
        for name in facts.entries(use.path) if self._anywhere else ():
            found += self.matching(f"{use.path.rstrip('/')}/{name}")
        return found


def _folders_of(path: str) -> Iterator[str]:
    """A path, and every folder that it lies in."""
    while path != "/":
        yield path
        path = path.rpartition("/")[0] or "/"
    yield path


def _keys_of(command: Command, words: Container[str | None]) -> list[str | None]:
    """What a command may be listed under: nothing, or a word of it that is no option."""
    args = command.args
    keys: list[str | None] = [None] if None in words else []
    for word in args:
        if word in words and not word.startswith("-"):
            keys.append(word)
    for word in command.use.operands:
        if word in words and word not in args:
            keys.append(word)
    return keys


def _names_programs(rule: Rule) -> bool:
    """Whether every way the rule's command is written is a regex or names its programs."""
    return all(pattern.regex or pattern.programs is not None for pattern in rule.condition.command or ())


def _lists_of(rule: Rule, *, whole: bool) -> tuple[str, ...]:
    """Lists of a call of which none may be empty, or the rule does not hold. Only for rules that cannot fail before."""
    condition = rule.condition
    needs = condition.when.needs if condition.when is not None else ()
    if whole:
        return ("incomplete",) if "incomplete" in needs else ()
    if condition.command is not None:
        return ()
    return (*(_LIST_OF[key] for key in condition.items), *needs)


def _may_hold(question: AnyOf, some: Sequence[RuleInPlace], moment: Moment) -> bool:
    """Whether one of several conditions may hold. If that cannot be told, each is tried by itself."""
    language = some[0].language
    history.policy = language.policy
    try:
        return question.holds(moment.activation(language, question.names))
    except ExpressionError:
        return True
