"""How often something may be done: so many at once, and then so many a second."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

__all__ = ["ANSWERS", "REQUESTS", "SIGN_INS", "Allowance", "Rates"]

_MOST_NAMES = 200


class Allowance(Struct, frozen=True):
    """`burst` at once, and `each_second` from then on."""

    burst: int
    each_second: float


SIGN_INS = Allowance(10, 0.5)  # wrong links and passphrases, of everybody together
ANSWERS = Allowance(60, 4.0)  # of one browser; an answer to many calls is one
REQUESTS = Allowance(400, 100.0)  # of one browser, and of everybody who has not signed in


class Rates:
    """Counts per name. Signed-in browsers have names of their own, so that strangers cannot use up what is theirs."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # name → what is left, and when that was

    def take(self, name: str = "") -> float:
        """Use one. 0 if there was one, or else the seconds after which there will be."""
        with self._lock:
            left = self._now_left(name)
            if left < 1:
                return (1 - left) / self._allowance.each_second
            self._left[name] = (left - 1, self._clock())
            self._left.move_to_end(name)
            if len(self._left) > _MOST_NAMES:
                self._left.popitem(last=False)
        return 0.0

    def wait(self, name: str = "") -> float:
        """The same without using one."""
        with self._lock:
            left = self._now_left(name)
        return 0.0 if left >= 1 else (1 - left) / self._allowance.each_second

    def _now_left(self, name: str) -> float:
        left, at = self._left.get(name, (float(self._allowance.burst), self._clock()))
        return min(float(self._allowance.burst), left + (self._clock() - at) * self._allowance.each_second)
