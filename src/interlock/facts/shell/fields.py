"""Splitting values into fields, and joining fields into values, by IFS."""

from __future__ import annotations

import re
from functools import lru_cache

from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.state import State

__all__ = ["SPACE", "join", "separators", "split"]

SPACE = " \t\n"
_SPACES = re.compile(r"[ \t\n]+")


def separators(state: State) -> str | None:
    """The characters that part fields; None if they are not known."""
    if "IFS" not in state.variables:
        return SPACE
    value = state.variables["IFS"]
    return value if isinstance(value, str) or value is None else value[0] if value else SPACE


def split(value: str, between: str | None) -> list[str]:
    """The fields of a value."""
    if between == SPACE:
        return _SPACES.split(trimmed) if (trimmed := value.strip(SPACE)) else []
    if not value:
        return []
    if between is None or UNKNOWN in between:
        return [UNKNOWN]
    if not between:
        return [value]
    spaces, ends = _ends(between)
    fields = ends.split(value.strip(spaces) if spaces else value)
    if fields[-1] == "":
        fields.pop()
    return fields


@lru_cache(64)
def _ends(between: str) -> tuple[str, re.Pattern[str]]:
    """The separators that are white space, which part fields together, and where a field ends."""
    spaces = "".join(one for one in between if one in SPACE)
    others = "".join(re.escape(one) for one in between if one not in SPACE)
    around = f"[{spaces}]*" if spaces else ""
    ends = [f"{around}[{others}]{around}"] if others else []
    return spaces, re.compile("|".join([*ends, f"[{spaces}]+"] if spaces else ends))


def join(items: tuple[str, ...], state: State) -> str:
    """The one text that `"$*"` is."""
    between = separators(state)
    return UNKNOWN if between is None else between[:1].join(items)
