"""Where in a line a command stands: what it is run by, in which pipeline, and what it reads."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.shell.outputs import output

__all__ = ["PIPED", "TOP", "Context", "Feed"]


_DEEPEST = 16  # programs that feed each other, up to which their output is worked out


class Feed(Struct, frozen=True):
    """What comes out of a command, or goes into one: a text, the output of a program, a file, or nobody knows."""

    text: str | None = None
    name: str = ""
    args: tuple[str, ...] = ()
    before: Feed | None = None
    file: str = ""
    depth: int = 0

    def read(self) -> str | None:
        """The text, if it is certain."""
        if self.text is not None:
            return self.text
        if not self.name or self.depth > _DEEPEST:
            return None
        before = self.before
        return output(self.name, self.args, before.read if before is not None else _nothing)


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

    def apart(self, how: str) -> Context:
        """In a substitution: a pipeline of its own."""
        return replace(self, nested=(*self.nested, how), pipeline=-1, stage=0, depth=self.depth + 1, plain=False)

    def at(self, pipeline: int, stage: int, feed: Feed | None) -> Context:
        return replace(self, pipeline=pipeline, stage=stage, feed=feed)

    def within(self, how: str, **changes: Any) -> Context:
        """In something that a command runs."""
        return replace(self, nested=(*self.nested, how), depth=self.depth + 1, **changes)


TOP = Context()
