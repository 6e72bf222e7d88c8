"""Whom a piece of state, a firing or a grant belongs to."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Scope"]


class Scope(NamedTuple):
    """The owner of a piece of state."""

    kind: str  # session, agent, project or user
    id: str
