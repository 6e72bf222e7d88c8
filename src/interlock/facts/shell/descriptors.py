"""What the descriptors of a line are open for, as far as something reads and runs it: `exec 5<<< …; bash <&5`.

The table holds for the whole line: a descriptor that is opened for two things may be either, and nobody knows which.
"""

from __future__ import annotations

import posixpath
import re

from interlock.facts.shell.context import PIPED, Feed

__all__ = ["Descriptors", "descriptor_of"]

_COPY = re.compile(r"([0-9]+)-?|-")
_FILE = re.compile(r"/dev/std(in|out|err)|/(?:dev|proc/(?:self|thread-self|[0-9]+|\0))/fd/([0-9]+)")
_STANDARD = {"in": "0", "out": "1", "err": "2"}


def descriptor_of(file: str) -> str | None:
    """The descriptor that a path stands for: `/dev/stdin`, `/dev/fd/5`."""
    found = _FILE.fullmatch(posixpath.normpath(file)) if file[:1] == "/" else None
    if found is None:
        return None
    return found[2] or _STANDARD[found[1]]


class Descriptors:
    """What was opened in a line, by descriptor, and what `exec` gave to the commands behind it to read."""

    def __init__(self) -> None:
        self._open: dict[str, Feed | None] = {}
        self._moved: dict[int, tuple[Feed | None, Feed | None]] = {}  # with what was read before, so that it lives on

    def open(self, descriptor: str, feed: Feed | None) -> None:
        """Note that a descriptor other than the input is opened."""
        known = self._open.get(descriptor, feed)
        self._open[descriptor] = feed if known is feed else PIPED

    def copy_of(self, word: str, read: Feed | None) -> tuple[bool, Feed | None]:
        """Whether a word names a descriptor, and what is read from that; `read`: what is read from the input."""
        found = _COPY.fullmatch(word)
        if found is None:
            return False, None
        if found[1] is None:
            return True, Feed(text="")  # closed
        return True, read if found[1] == "0" else self.of(found[1])

    def of(self, descriptor: str) -> Feed | None:
        """What is read from a descriptor; one that the line does not open comes from outside."""
        return self._open.get(descriptor, PIPED)

    def move(self, before: Feed | None, feed: Feed | None) -> None:
        """Note that commands which would read the one now read the other, since an `exec` changed the input."""
        if before is not PIPED:
            known = self._moved.get(id(before))
            self._moved[id(before)] = (before, feed if known is None or known[1] is feed else PIPED)

    def read_instead(self, feed: Feed | None) -> Feed | None:
        """What a command reads that would read this, but for an `exec`."""
        if not self._moved:
            return feed
        known = self._moved.get(id(feed))
        return feed if known is None else known[1]
