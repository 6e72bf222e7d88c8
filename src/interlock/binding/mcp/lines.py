"""Split a stream of bytes into lines of bounded length."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Lines", "TooLong"]

_KEPT = 1024  # bytes at each end of a line that was too long: enough to find the id of its request


class TooLong(Struct, frozen=True):
    """What is left of a line that was longer than a line may be."""

    head: bytes
    tail: bytes
    size: int


class Lines:
    """Takes bytes as they come, and gives whole lines with their line ends. A line that is too long is skipped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = 0
        self._head: bytes | None = None  # of a line that is being skipped
        self._tail = b""

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """The lines that end in this chunk."""
        found: list[bytes | TooLong] = []
        start = 0
        while (end := chunk.find(b"\n", start) + 1) > 0:
            self._take(chunk[start:end])
            found.append(self._line())
            start = end
        if start < len(chunk):
            self._take(chunk[start:])
        return found

    def end(self) -> list[bytes | TooLong]:
        """What follows the last line end."""
        return [self._line()] if self._size else []

    def _take(self, part: bytes) -> None:
        self._size += len(part)
        if self._head is not None:
            self._tail = (self._tail + part)[-_KEPT:]
        elif self._size <= self._most:
            self._parts.append(part)
        else:
            whole = b"".join([*self._parts, part])
            self._head, self._tail = whole[:_KEPT], whole[-_KEPT:]
            self._parts = []

    def _line(self) -> bytes | TooLong:
        line = b"".join(self._parts) if self._head is None else TooLong(self._head, self._tail, self._size)
        self._parts, self._size, self._head, self._tail = [], 0, None, b""
        return line
