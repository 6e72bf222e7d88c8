"""One thing that a check found."""

from __future__ import annotations

from msgspec import Struct

from interlock.errors import Source

__all__ = ["PolicyFinding"]


class PolicyFinding(Struct, frozen=True):
    """A rule, where it is, what is wrong with it, and what to do if the message does not say so."""

    rule: str
    source: Source
    message: str
    help: str = ""
