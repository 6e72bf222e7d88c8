"""Where in a line a command stands: what it is run by, in which pipeline, and what it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from interlock.facts.limits import FEEDS, Limit
from interlock.facts.programs.draft import inside
from interlock.facts.programs.readers.find import roots_of
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.outputs import output

__all__ = ["PIPED", "TOP", "Context", "Feed"]


# Programs that print some of the lines that they read.
_PASSES_NAMES = frozenset({"sort", "uniq", "head", "tail", "grep", "egrep", "fgrep", "tac", "shuf"})
_PRINTS_OTHER = frozenset({"-printf", "-ls", "-exec", "-execdir", "-ok", "-okdir"})


class Feed(Struct, frozen=True):
    """What comes out of a command, or goes into one: a text, the output of a program, a file, or nobody knows."""

    text: str | None = None
    name: str = ""
    args: tuple[str, ...] = ()
    before: Feed | None = None
    file: str = ""
    depth: int = 0
    found: list[str | None] = field(default_factory=list)  # what it was found to be, so that it is worked out once

    def read(self, reach: Callable[[Limit], None]) -> str | None:
        """The text, if it is certain; `reach` is told if it would be, but for a limit."""
        if self.text is not None:
            return self.text
        if not self.name:
            return None
        if not self.found:
            self.found.append(self._worked_out(reach))
        return self.found[0]

    def _worked_out(self, reach: Callable[[Limit], None]) -> str | None:
        if self.depth > FEEDS.most:
            reach(FEEDS)
            return None
        before = self.before
        return output(self.name, self.args, (lambda: before.read(reach)) if before is not None else _nothing, reach)

    def names(self) -> str | None:
        """A name that stands for each line, where all that is known of them is the folder that they lie in."""
        one: Feed | None = self
        for _ in range(FEEDS.most):
            if one is None or one.name not in _PASSES_NAMES:
                break
            one = one.before
        if one is None or one.name != "find" or not _PRINTS_OTHER.isdisjoint(one.args):
            return None
        roots = roots_of(one.args)
        return inside(roots[0]) if len(roots) == 1 and UNKNOWN not in roots[0] else None


def _nothing() -> str | None:
    return None


PIPED = Feed()


class Context(Struct, frozen=True):
    """What is around a command."""

    nested: tuple[str, ...] = ()
    pipeline: int = -1  # none yet
    stage: int = 0
    feed: Feed | None = None  # what it would read; None: what the line itself reads
    span: tuple[int, int] | None = None  # the place of what the text was made from
    active: frozenset[int | str] = frozenset()  # functions, by their identity, and aliases being walked
    depth: int = 0
    plain: bool = False  # functions and aliases are not looked for
    away: bool = False  # it runs on another machine or in a container
    aside: bool = False  # it is run by a program that is for something else
    rounds: int = 1  # how often the loops around it are walked

    def apart(self, how: str) -> Context:
        """In a substitution: a pipeline of its own."""
        return replace(self, nested=(*self.nested, how), pipeline=-1, stage=0, depth=self.depth + 1, plain=False)

    def at(self, pipeline: int, stage: int, feed: Feed | None) -> Context:
        return replace(self, pipeline=pipeline, stage=stage, feed=feed)

    def within(self, how: str, **changes: Any) -> Context:
        """In something that a command runs."""
        return replace(self, nested=(*self.nested, how), depth=self.depth + 1, **changes)


TOP = Context()
