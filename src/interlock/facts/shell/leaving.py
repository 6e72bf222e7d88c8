"""What a loop or function leaves behind: it may be left before its end, and it may have read what comes next."""

from __future__ import annotations

from interlock.facts.shell.conditions import Tester
from interlock.facts.shell.context import Feed
from interlock.facts.shell.state import State

__all__ = ["LEAVES", "Leaver"]

LEAVES = frozenset({"break", "continue", "return"})


class Leaver(Tester):
    """Keeps how things stand where a loop or function may be left."""

    def __init__(self) -> None:
        self.inside = 0  # how many loops and calls are being walked,
        self.left: State | None = None  # and how things stand where they may be left
        self.taken: dict[int, Feed] = {}  # by its identity, what a `read` has read from

    def read(self, feed: Feed | None) -> str | None:
        """The text of a feed, if it is certain."""
        raise NotImplementedError

    def next_line(self, feed: Feed | None) -> str | None:
        """What a `read` finds in a feed: all of it, or nobody knows what if another one has read it before."""
        if feed is None or id(feed) in self.taken:
            return None
        self.taken[id(feed)] = feed
        return self.read(feed)

    def leave(self, state: State) -> None:
        """Note how things stand where a loop or function may be left. One state stands for all of them."""
        if self.inside and self.left is None:
            self.left = state.copy()
        elif self.left is not None:
            self.left.doubt(state)

    def rejoin(self, state: State) -> None:
        """Go on behind a loop or function."""
        self.inside -= 1
        if self.left is not None:
            state.doubt(self.left)
            if not self.inside:
                self.left = None
