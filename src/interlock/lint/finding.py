"""One thing that a check found."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from interlock.errors import Source

__all__ = ["PolicyFinding", "Severity"]

Severity: TypeAlias = Literal["error", "warning"]


class PolicyFinding(Struct, frozen=True):
    """A rule, where it is, what is wrong with it, and what to do if the message does not say so.

    An error is something that cannot work as it is written; a warning may be meant.
    """

    rule: str
    source: Source
    message: str
    help: str = ""
    severity: Severity = "warning"
