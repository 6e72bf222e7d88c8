"""Patterns for what a call contains: commands, paths, URLs and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from interlock.facts.gather import PathUse
from interlock.facts.paths import Places, glob_regex
from interlock.facts.shell import Command
from interlock.facts.urls import Url, url_regex
from interlock.policy.names import regex
from interlock.source import InterlockError

__all__ = ["SORTS", "CommandPattern", "PathPattern", "TextPattern", "UrlPattern", "glob_pattern"]

_Test: TypeAlias = Callable[[str], bool]
SORTS = ("read", "write", "create", "delete")

# Options before the subcommand that take a word with them, so that the word is not taken for the subcommand.
_TAKES_WORD: dict[str, frozenset[str]] = {
    "git": frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"}),
    "kubectl": frozenset({"-n", "--namespace", "--context", "--cluster", "--kubeconfig"}),
    "docker": frozenset({"-H", "--host", "--context", "-c", "--config"}),
    "terraform": frozenset(),
    "npm": frozenset({"--prefix", "-C"}),
    "make": frozenset({"-C", "-f"}),
}


class CommandPattern:
    """One way of writing a command: its first words, options skipped, and the flags it must have.

    `git push --force|-f` is `git … push …` with either flag anywhere, bundled or not. `*` is one word, `a|b` either.
    `/regex/` searches the command's text.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._search: _Test | None = None
        self.words: list[frozenset[str]] = []
        self.flags: list[frozenset[str]] = []
        self.pipes = False
        if pattern.startswith("/") and len(pattern) > 1 and re.search(r"/i?$", pattern[1:]):
            self._search = _regex(pattern)
            return
        self.pipes = " | " in pattern
        self._read(pattern.split(" | ", maxsplit=1)[0] if self.pipes else pattern)

    def _read(self, pattern: str) -> None:
        for word in pattern.split():
            choices = frozenset(word.split("|"))
            if "" in choices:
                raise InterlockError(f"`{word}` in the command `{self.pattern}` has an empty alternative")
            if any(choice != "*" and re.search(r"[*?'\"]", choice) for choice in choices):
                help = "`*` is one whole word; for parts of words write a /regex/"
                raise InterlockError(f"`{word}` in the command `{self.pattern}` would match nothing", help=help)
            (self.flags if word.startswith("-") else self.words).append(choices)
        if not self.words:
            raise InterlockError(f"the command `{self.pattern}` names no program", help="start with the program's name")
        if any("/" in program for program in self.words[0]):
            raise InterlockError(f"the command `{self.pattern}` names a path", help="programs go by their base name")

    @property
    def programs(self) -> frozenset[str] | None:
        """The programs it can match, or None for any."""
        if self._search is not None or self.pipes or "*" in self.words[0]:
            return None
        return self.words[0]

    def matches(self, command: Command, *, trusting: bool = False) -> bool:
        """Whether the command is meant. `trusting`, for an allow or an excuse: only as plainly as it is written."""
        if self._search is not None:
            return self._search(command.text)
        if self.pipes or not _is_one(command.name, self.words[0]):
            return False  # a pipe needs more than one command, and this is one
        if trusting and "/" in command.program:
            return False  # a program of that name somewhere else is another program
        follows = _follows_plainly if trusting else _follows
        if not follows(command, self.words[1:]):
            return False
        has = _has_plain_flag if trusting else _has_flag
        return all(any(has(command.args, flag) for flag in choices) for choices in self.flags)


def _is_one(word: str, choices: frozenset[str]) -> bool:
    return "*" in choices or word in choices


def _follows_plainly(command: Command, words: list[frozenset[str]]) -> bool:
    """Whether the words come first, with no option before them."""
    return len(command.args) >= len(words) and all(
        _is_one(word, choices) for word, choices in zip(command.args, words, strict=False)
    )


def _follows(command: Command, words: list[frozenset[str]]) -> bool:
    """Whether the words come in order, options skipped; a word behind an option may be the option's."""
    takes = _TAKES_WORD.get(command.name, frozenset())
    place, optional = 0, False
    for word in command.args:
        if place == len(words):
            return True
        if word.startswith("-") and word != "-":
            optional = "=" not in word
            if word in takes:
                optional = True
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


def _has_flag(args: Sequence[str], flag: str) -> bool:
    if flag in args:
        return True
    if flag.startswith("--"):
        # With a value, or shortened as most programs let one.
        return any(_is_long(word.partition("=")[0], flag) for word in args)
    letters = flag[1:]
    if not letters.isalpha() or len(letters) > 4:
        return False
    shorts = [found[1] for word in args if (found := re.match(r"-([A-Za-z]+)", word)) and not word.startswith("--")]
    return set(letters) <= {letter for bundle in shorts for letter in bundle}


def _is_long(word: str, flag: str) -> bool:
    return word == flag or (len(word) > 4 and word.startswith("--") and flag.startswith(word))


class TextPattern:
    """Texts that must be contained, or /regexes/ that must be found; any of them."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._tests = [_regex(p) if len(p) > 1 and p.startswith("/") else _contains(p) for p in self.patterns]

    def matches(self, text: str) -> bool:
        return any(test(text) for test in self._tests)


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

    def matches(self, url: Url) -> bool:
        return any(test(url.host if host else url.address or url.url) for host, test in self._tests)


class PathPattern(Struct, frozen=True):
    """Path globs for one sort of use, or for any: resolved only when it is known where the project lies."""

    globs: dict[str, tuple[str, ...]]  # sort, or "" for any → globs, any of which may match

    def matches(self, use: PathUse, places: Places) -> bool:
        return any(
            (not sort or getattr(use, sort)) and any(_path_test(glob, places)(use.path) for glob in globs)
            for sort, globs in self.globs.items()
        )


def glob_pattern(glob: str, places: Places) -> str:
    """The regular expression of a path glob, now that it is known where the project lies."""
    return glob_regex(glob, places)


@lru_cache(maxsize=16_384)
def _path_test(glob: str, places: Places) -> _Test:
    if glob in ("/**", "**"):
        return lambda path: True
    return regex(glob_pattern(glob, places))
