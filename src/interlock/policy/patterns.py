"""Patterns for what a call contains: commands, paths, URLs and texts.

`trusting` is for an allow or an excuse: what is meant must then be all that there is, as plainly as it is written.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError, did_you_mean
from interlock.facts.gather import Facts, PathUse
from interlock.facts.paths import (
    PATH_GROUPS,
    PATH_KINDS,
    UNKNOWN,
    Places,
    anchor_of,
    below,
    glob_regex,
    is_glob,
    sample_of,
)
from interlock.facts.programs import Use, use_of_program
from interlock.facts.programs.traits import HARMLESS, TRAITS
from interlock.facts.shell import Command
from interlock.facts.urls import Url, url_regex
from interlock.policy.names import NamePattern, regex

__all__ = [
    "FOUND", "SORTS", "CommandPattern", "DoesPattern", "PathPattern", "SimplePattern", "TextPattern", "UrlPattern",
    "glob_pattern", "globs_of", "may_mean",
]  # fmt: skip

_Test: TypeAlias = Callable[[str], bool]
_EVERYTHING = frozenset({"/**", "**"})
FOUND = "/…/"  # somewhere below: in a path of what a search finds
_TELLING = 3  # letters with which a shell's pattern begins, before it stands for a certain name
SORTS = ("read", "write", "create", "delete", "send")


class CommandPattern:
    """One way of writing a command: its first words, options skipped, and the flags it must have.

    `git push --force|-f` is `git … push …` with either flag anywhere, bundled or not. `*` is one word, `a|b` either.
    `curl | sh` is a pipe: the first feeds the second, perhaps through others. `/regex/` searches the command's text.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.regex = ""  # its regular expression, if it is one
        self._search: _Test | None = None
        self._stages: list[SimplePattern] = []
        self._only: SimplePattern | None = None
        if pattern.startswith("/") and len(pattern) > 1 and re.search(r"/i?$", pattern[1:]):
            self._search = _regex(pattern)
            self.regex = f"(?i){pattern[1:-2]}" if pattern.endswith("/i") else pattern[1:-1]
            return
        self._stages = [SimplePattern(part, pattern) for part in pattern.split(" | ")]
        self._only = self._stages[0] if len(self._stages) == 1 else None

    @property
    def programs(self) -> frozenset[str] | None:
        """The programs it can match, or None for any."""
        words = self.words
        return None if not words or "*" in words[0] else words[0]

    @property
    def words(self) -> list[frozenset[str]]:
        """The words of a command that it is about, the first stage of a pipe."""
        return self._stages[0].words if self._stages else []

    @property
    def simple(self) -> SimplePattern | None:
        """What the command must be, where nothing else is needed: it is no regex and no pipe."""
        return self._only

    def matches(self, command: Command, commands: Sequence[Command] = (), *, trusting: bool = False) -> bool:
        """Whether the command is meant, among the commands of the call."""
        if self._only is not None:
            return self._only.matches(command, trusting=trusting)
        if self._search is not None:
            # Quotes and tricks may hide from one what they show the other.
            text, read = command.text, command.words
            if trusting:
                return self._search(text) and (read == text or self._search(read)) and command.plain
            return self._search(text) or (read != text and self._search(read))
        if not trusting:
            return self._stages[0].matches(command) and self._goes_on(command, commands, 1)
        return any(
            stage.matches(command, trusting=True)
            and self._goes_on(command, commands, place + 1, trusting=True)
            and self._comes_from(command, commands, place - 1)
            for place, stage in enumerate(self._stages)
        )

    def _goes_on(self, command: Command, commands: Sequence[Command], place: int, *, trusting: bool = False) -> bool:
        """Whether the stages from `place` on come behind a command."""
        if place == len(self._stages):
            return True
        return any(
            one.pipeline == command.pipeline
            and one.stage > command.stage
            and self._stages[place].matches(one, trusting=trusting)
            and self._goes_on(one, commands, place + 1, trusting=trusting)
            for one in commands
        )

    def _comes_from(self, command: Command, commands: Sequence[Command], place: int) -> bool:
        if place < 0:
            return True
        return any(
            one.pipeline == command.pipeline
            and one.stage < command.stage
            and self._stages[place].matches(one, trusting=True)
            and self._comes_from(one, commands, place - 1)
            for one in commands
        )


class SimplePattern:
    """One command of a pattern."""

    def __init__(self, part: str, pattern: str) -> None:
        self.words: list[frozenset[str]] = []
        self.flags: list[frozenset[str]] = []
        self._named: dict[str, _Names] = {}
        for word in part.split():
            choices = frozenset(word.split("|"))
            if "" in choices:
                raise InterlockError(f"`{word}` in the command `{pattern}` has an empty alternative")
            if any(choice != "*" and re.search(r"[*?'\"]", choice) for choice in choices):
                help = "`*` is one whole word; for parts of words write a /regex/"
                raise InterlockError(f"`{word}` in the command `{pattern}` would match nothing", help=help)
            (self.flags if word.startswith("-") else self.words).append(choices)
        if not self.words:
            raise InterlockError(f"the command `{pattern}` names no program", help="start with the program's name")
        if any("/" in program for program in self.words[0]):
            raise InterlockError(f"the command `{pattern}` names a path", help="programs go by their base name")
        self._programs, self._rest = self.words[0], self.words[1:]

    def matches(self, command: Command, *, trusting: bool = False) -> bool:
        if command.name not in self._programs and "*" not in self._programs:
            return False
        rest, use = self._rest, command.use
        if trusting:
            # A program of that name somewhere else is another program.
            if "/" in command.program or not command.plain or not _are_first(command.args, rest):
                return False
            if not self.flags:
                return True
            plain = all(any(_has_plain_flag(command.args, flag) for flag in choices) for choices in self.flags)
            if not use.known:
                return plain
            names = self._names(command.name)
            if names.are_in(use.flags):
                # A description says which words are options and which are what an option takes, if it knows them all.
                return plain or (names.complete and not use.unknown)
            return plain and use.described is not None and self._are_described(use)
        if rest and not _are_first(use.operands, rest) and not _follows(command, rest):
            return False
        if not self.flags:
            return True
        if use.known:
            names = self._named.get(command.name) or self._names(command.name)
            if names.are_in(use.flags) or (use.described is not None and self._are_described(use)):
                return True
            if names.complete and not use.unknown:
                return False
        written = _written_flags(command.args)
        return all(any(written.have(flag) for flag in choices) for choices in self.flags)

    def _are_described(self, use: Use) -> bool:
        """Whether a command has the flags by a policy's description, which lists each of them by all its names."""
        return all(not choices.isdisjoint(use.flags) for choices in self.flags)

    def _names(self, program: str) -> _Names:
        """The flags by the names that a program has for them."""
        found = self._named.get(program)
        if found is None:
            words = [min(choices) for choices in self.words[1:] if "*" not in choices]
            found = _Names([[_names_of(program, words, flag) for flag in sorted(choices)] for choices in self.flags])
            if len(self._named) < 256:
                self._named[program] = found
        return found


class _Names:
    """Flags of a pattern by their program's names: the choices for each, empty where the program has no such flag."""

    def __init__(self, flags: list[list[frozenset[str]]]) -> None:
        self.complete = all(all(choices) for choices in flags)
        self._flags = [[choice for choice in choices if choice] for choices in flags]
        self._possible = all(self._flags)

    def are_in(self, flags: tuple[str, ...]) -> bool:
        if not self._possible:
            return False
        for choices in self._flags:
            for choice in choices:
                if choice.issubset(flags):
                    break
            else:
                return False
        return True


def _names_of(program: str, words: list[str], flag: str) -> frozenset[str]:
    use = use_of_program(program, (*words, flag))
    return frozenset() if not use.known or use.unknown else frozenset(use.flags)


def _is_one(word: str, choices: frozenset[str]) -> bool:
    return "*" in choices or word in choices


def _are_first(given: Sequence[str], words: list[frozenset[str]]) -> bool:
    """Whether the words come first, with nothing before them."""
    if len(given) < len(words):
        return False
    for place, choices in enumerate(words):  # noqa: SIM110 - on the way of every event
        if given[place] not in choices and "*" not in choices:
            return False
    return True


def _follows(command: Command, words: list[frozenset[str]]) -> bool:
    """Whether the words come in order, options skipped; a word behind an option may be the option's."""
    place, optional = 0, False
    for word in command.args:
        if place == len(words):
            return True
        if word.startswith("-") and word != "-":
            optional = "=" not in word
        elif _is_one(word, words[place]):
            place, optional = place + 1, False
        elif optional:
            optional = False
        else:
            return False
    return place == len(words)


def _has_plain_flag(args: Sequence[str], flag: str) -> bool:
    """Whether the flag stands there by itself, and not as what another option takes."""
    return any(word == flag and (place == 0 or not args[place - 1].startswith("-")) for place, word in enumerate(args))


class _WrittenFlags:
    """The flags of a command whose program nobody has described, as they are written."""

    def __init__(self, args: tuple[str, ...]) -> None:
        self._words = frozenset(args)
        self._long = [word.partition("=")[0] for word in args if word.startswith("--")]
        bundles = (re.match(r"-[A-Za-z]+", word) for word in args if not word.startswith("--"))
        self._letters = frozenset("".join(found[0][1:] for found in bundles if found))

    def have(self, flag: str) -> bool:
        if flag in self._words:
            return True
        if flag.startswith("--"):
            # With a value, or shortened as most programs let one.
            return any(word == flag or (len(word) > 4 and flag.startswith(word)) for word in self._long)
        letters = flag[1:]
        return letters.isalpha() and len(letters) <= 4 and self._letters.issuperset(letters)


_written_flags = lru_cache(maxsize=64)(_WrittenFlags)


class DoesPattern:
    """Kinds of thing that a command does: their names, or globs for them; any of them."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        found: set[str] = set()
        for pattern in self.patterns:
            test = NamePattern([pattern])
            meant = {trait for trait in TRAITS if test.matches(trait)}
            if not meant:
                help = did_you_mean(pattern, list(TRAITS), "`interlock docs does` lists what commands do")
                raise InterlockError(f"nothing that a command does is called `{pattern}`", help=help)
            found |= meant
        self.traits = frozenset(found)

    def matches(self, command: Command, *, trusting: bool = False) -> bool:
        """Whether the command does one of these; `trusting`: and nothing else that matters."""
        use = command.use
        if self.traits.isdisjoint(use.traits):
            return False
        return not trusting or (
            command.plain
            and use.known
            and not use.unknown
            and "/" not in command.program
            and use.traits - HARMLESS <= self.traits
        )


class TextPattern:
    """Texts that must be contained, or /regexes/ that must be found; any of them."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._tests = [_regex(p) if len(p) > 1 and p.startswith("/") else _contains(p) for p in self.patterns]

    def matches(self, text: str) -> bool:
        for test in self._tests:  # noqa: SIM110 - on the way of every event, where a generator costs more than the tests
            if test(text):
                return True
        return False


def _contains(part: str) -> _Test:
    if not part:
        raise InterlockError("an empty text is contained in everything")
    return lambda text: part in text


def _regex(pattern: str) -> _Test:
    parsed = re.fullmatch(r"/(.+)/(i?)", pattern, re.DOTALL)
    if parsed is None:
        raise InterlockError(f"`{pattern}` starts a regex and does not end it", help=f"write `{pattern}/`")
    return regex(parsed[1], ignore_case=bool(parsed[2]))


class UrlPattern:
    """Hosts (`example.com`, `*.example.com`, `*`) or whole URLs (with `://`); any of them."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._tests: list[tuple[bool, _Test]] = []
        for pattern in self.patterns:
            if len(pattern) > 1 and pattern.startswith("/"):
                self._tests.append((False, _regex(pattern)))
                continue
            part, expression = url_regex(pattern)
            self._tests.append((part == "host", regex(expression)))

    def matches(self, url: Url, *, trusting: bool = False) -> bool:
        if trusting and UNKNOWN in url.host:
            return False
        return any(test(url.host if host else url.address or url.url) for host, test in self._tests)


# --- paths ---------------------------------------------------------------------------------------------------------


def globs_of(text: str) -> tuple[str, ...]:
    """The globs that one entry of a path pattern means: itself, or those of a kind of place (`@secret`)."""
    if not re.fullmatch(r"@[\w-]+", text):
        return (text,)
    found = PATH_KINDS.get(text[1:]) or PATH_GROUPS.get(text[1:])
    if found is None:
        names = [f"@{name}" for name in (*PATH_KINDS, *PATH_GROUPS)]
        raise InterlockError(
            f"`{text}` is no kind of path", help=did_you_mean(text, names, f"for a file of that name write `./{text}`")
        )
    return found


class PathPattern(Struct, frozen=True):
    """Path globs for one sort of use, or for any: resolved only when it is known where the project lies."""

    globs: dict[str, tuple[str, ...]]  # sort, or "" for any → globs, any of which may match

    def matches(self, use: PathUse, places: Places, facts: Facts | None = None) -> bool:
        """Whether a rule that restricts is about this use of a path, or of something that lies in it."""
        return any(
            (not sort or getattr(use, sort)) and any(may_mean(glob, use, places, facts) for glob in globs)
            for sort, globs in self.globs.items()
        )

    def covers(self, use: PathUse, places: Places) -> bool:
        """Whether every way of this use is meant, of the path and of everything that lies in it."""
        return all(
            any(_covers(glob, use, places) for sort in ("", *sorts) for glob in self.globs.get(sort, ()))
            for sorts in _sorts_needed(use)
        )


def _sorts_needed(use: PathUse) -> list[tuple[str, ...]]:
    """For each way in which a path is used, the sorts of pattern that stand for it."""
    if not use.write:
        return [("send",)] if use.send else [("read",)]
    found: list[tuple[str, ...]] = [("create", "write")] if use.create else []
    if use.delete:
        found.append(("delete", "write"))
    return found or [("write",)]


def may_mean(glob: str, use: PathUse, places: Places, facts: Facts | None) -> bool:
    """Whether a glob of a rule that restricts may mean a path, or something that lies in it."""
    path = use.path
    anchor = anchor_of(glob, places)
    if use.write and anchor is not None and FOUND in path and _may_be_found(glob, anchor, path):
        return True
    if anchor is not None and not path.startswith(anchor):
        # Everything that the glob means lies elsewhere, unless the path, or a pattern of the shell's, leads there.
        inside = use.below and below(anchor, path)
        if not inside and not (use.glob and anchor.startswith(_literal_start(path))):
            return False
    if path.startswith(f"/{UNKNOWN}") and anchor is not None and glob not in _EVERYTHING:
        return False  # it may be anywhere; that it is there in particular is nobody's guess
    if _path_test(glob, places)(path):
        return True
    if use.glob:
        return _may_stand_for(use, glob, anchor, places)
    if use.below:
        if anchor is not None:
            return below(anchor, path)
        names = facts.entries(path) if facts is not None else ()
        return any(_path_test(glob, places)(f"{path}/{name}") for name in names)
    return False


def _may_be_found(glob: str, anchor: str, path: str) -> bool:
    """Whether a search for names below a folder comes upon the one file that a glob means: `find /opt -name 'py*'`."""
    folder, _, name = path.partition(FOUND)
    inside = anchor != folder and below(anchor, folder) and not is_glob(glob)
    return inside and "/" not in name and _is_step(name, posixpath.basename(anchor))


@lru_cache(maxsize=256)
def _literal_start(path: str) -> str:
    """What every file begins with that a shell's pattern stands for."""
    return re.split(r"[*?\[]", path, maxsplit=1)[0]


def _may_stand_for(use: PathUse, glob: str, anchor: str | None, places: Places) -> bool:
    """Whether a shell's pattern, of whose files nothing is known, could well stand for what a glob means."""
    folder, name = posixpath.split(use.path)
    if anchor is None and not re.search(r"[^*?.]", re.sub(r"\[[^\]]*\]", "", name)):
        return False  # `*` may be anything, and mostly is nothing special
    if anchor is None and glob[0] not in "*.[" and len(_literal_start(name)) < _TELLING:
        return False  # `*.php` and `t*` are mostly other files than the one that the glob names
    sample = sample_of(glob, places, folder)
    steps, wanted = use.path.split("/"), sample.split("/")
    if len(wanted) < len(steps) or (len(wanted) > len(steps) and not use.below):
        return False
    return all(map(_is_step, steps, wanted))


@lru_cache(maxsize=4096)
def _is_step(step: str, name: str) -> bool:
    """Whether one part of a shell's pattern fits a name: hidden ones must be asked for."""
    if name.startswith(".") and not step.startswith("."):
        return False
    try:
        return step == name or bool(regex(glob_regex(step, Places()))(name))
    except InterlockError:
        return False


def _covers(glob: str, use: PathUse, places: Places) -> bool:
    if UNKNOWN in use.path:
        return glob in _EVERYTHING
    test = _path_test(glob, places)
    if not test(use.path):
        return False
    # Names that nobody has: only a glob for whatever lies there means them.
    return not use.below or (test(f"{use.path}/\1") and test(f"{use.path}/\1/\1"))


def glob_pattern(glob: str, places: Places) -> str:
    """The regular expression of a path glob, now that it is known where the project lies."""
    return glob_regex(glob, places)


@lru_cache(maxsize=16_384)
def _path_test(glob: str, places: Places) -> _Test:
    if glob in _EVERYTHING:
        return lambda path: True
    return regex(glob_pattern(glob, places))
