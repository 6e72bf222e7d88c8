"""What a trap does to what follows it."""

from __future__ import annotations

from msgspec import Struct

from interlock.facts.shell.context import Context
from interlock.facts.shell.state import State
from interlock.facts.shell.tree import Simple

__all__ = ["TrapText", "comes_at_any_time", "signals_of"]

# Signals that the shell gives itself while it runs; the others come from somebody, or when it ends.
_ANY_TIME = frozenset({"DEBUG", "ERR", "RETURN", "CHLD", "17"})
_AT_THE_END = frozenset({"EXIT", "0"})


class TrapText(Struct):
    """A text that runs at another time: how things stood when it was set, and whose state will have changed then."""

    text: str
    signals: frozenset[str]
    state: State
    before: State
    context: Context
    node: Simple


def signals_of(args: tuple[str, ...]) -> frozenset[str]:
    """The signals that `trap` is given a text for, in capitals and without `SIG`."""
    words = [word for word in args if word != "--"]
    return frozenset(word.upper().removeprefix("SIG") for word in words[1:])


def comes_at_any_time(signals: frozenset[str], *, killed: bool) -> bool:
    """Whether a trap may run between two commands of the line. `killed`: the line sends signals."""
    return bool(signals & _ANY_TIME) or (killed and bool(signals - _AT_THE_END))
