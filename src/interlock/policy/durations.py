"""Durations as people write them: 90s, 5m, 1h30m."""

from __future__ import annotations

import re

__all__ = ["seconds_of"]

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(text: str) -> float | None:
    """A duration in seconds, or None if the text is none."""
    if not re.fullmatch(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+", text):
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)", text))
