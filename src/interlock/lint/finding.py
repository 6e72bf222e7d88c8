"""One thing a check found."""

from __future__ import annotations

from msgspec import Struct

from interlock.errors import Source

__all__ = ["PolicyFinding"]


class PolicyFinding(Struct, frozen=True):
    """A rule, where it stands, what is odd about it, and what to do if that is not in the message."""

    rule: str
    source: Source
    message: str
    help: str = ""
