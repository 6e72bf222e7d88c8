"""One direction of a connection: messages keep their order, although some of them wait for a verdict."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

__all__ = ["Lane", "Place"]


class Place:
    """The place in line of a message that is being judged."""

    __slots__ = ("data", "done", "lane", "since")

    def __init__(self, lane: Lane, since: float) -> None:
        self.lane = lane
        self.since = since
        self.data = b""
        self.done = False

    def fill(self, data: bytes) -> None:
        """Release the message, as it is now: in its place, or behind the others if it has lost its place."""
        self.data, self.done = data, True
        self.lane.filled(self)

    def drop(self) -> None:
        """Nothing goes in this place."""
        self.fill(b"")


class Lane:
    """Messages in order. A message that waits for a person, or for a long time, lets the others pass."""

    def __init__(self, send: Callable[[bytes], None], patience: float) -> None:
        self._send = send
        self._patience = patience
        self._line: deque[Place] = deque()
        self._left: set[Place] = set()

    def push(self, data: bytes) -> None:
        """Pass a message on behind those that wait."""
        if not self._line:
            self._send(data)
            return
        place = Place(self, 0.0)
        place.data, place.done = data, True
        self._line.append(place)

    def hold(self, now: float) -> Place:
        """A place for a message that is not ready."""
        place = Place(self, now)
        self._line.append(place)
        return place

    def leave(self, place: Place) -> None:
        """Let those behind pass."""
        if place in self._left or place.done:
            return
        self._line.remove(place)
        self._left.add(place)
        self._flush()

    def filled(self, place: Place) -> None:
        if place in self._left:
            self._left.discard(place)
            if place.data:
                self.push(place.data)
            return
        self._flush()

    def wait(self, now: float) -> float | None:
        """Let messages pass those that take too long, and return how long to wait until the next can be passed."""
        while self._line:
            left = self._line[0].since + self._patience - now
            if left > 0:
                return left
            self.leave(self._line[0])
        return None

    @property
    def is_empty(self) -> bool:
        """Whether every message that kept its place has been sent."""
        return not self._line

    @property
    def is_idle(self) -> bool:
        """Whether every message has been sent."""
        return not self._line and not self._left

    def _flush(self) -> None:
        while self._line and self._line[0].done:
            data = self._line.popleft().data
            if data:
                self._send(data)
