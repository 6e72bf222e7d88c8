"""One module per host dialect: bytes to events, verdicts to bytes."""

from __future__ import annotations

from interlock.source import InterlockError, suggest
from interlock.wire import claude_code, flat
from interlock.wire.reply import Dialect, Reply

__all__ = ["DIALECTS", "Dialect", "Reply", "dialect_of"]

DIALECTS: dict[str, Dialect] = {
    "claude-code": claude_code,
    "flat": flat,
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
