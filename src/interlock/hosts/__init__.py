"""The table of hosts: one room for each, with its dialect and what else Interlock must know of it."""

from __future__ import annotations

import interlock.hosts.claude_code.dialect
import interlock.hosts.flat.dialect
from interlock.errors import InterlockError, suggest
from interlock.hosts.base.reply import Dialect, Reply

__all__ = ["DIALECTS", "Dialect", "Reply", "dialect_of"]

DIALECTS: dict[str, Dialect] = {
    "claude-code": interlock.hosts.claude_code.dialect,
    "flat": interlock.hosts.flat.dialect,
}


def dialect_of(host: str) -> Dialect:
    """The dialect a host speaks."""
    found = DIALECTS.get(host.replace("_", "-"))
    if found is None:
        meant = suggest(host, list(DIALECTS))
        known = ", ".join(f"`{name}`" for name in DIALECTS)
        raise InterlockError(
            f"unknown host `{host}`; expected one of {known}",
            help=f"did you mean `{meant}`?" if meant else None,
        )
    return found
