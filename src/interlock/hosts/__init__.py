"""The table of hosts: one room for each, with its dialect and what else Interlock must know about it."""

from __future__ import annotations

from interlock.errors import InterlockError, suggest
from interlock.hosts.base.host import Host
from interlock.hosts.base.reply import Dialect, Reply
from interlock.hosts.claude_code.host import CLAUDE_CODE
from interlock.hosts.flat.host import FLAT
from interlock.hosts.mcp.host import MCP

__all__ = ["HOSTS", "Dialect", "Host", "Reply", "dialect_of", "host_of"]

HOSTS: dict[str, Host] = {host.name: host for host in (CLAUDE_CODE, FLAT, MCP)}


def host_of(name: str) -> Host:
    """The host of this name. Raises InterlockError if there is none."""
    found = HOSTS.get(name.replace("_", "-"))
    if found is None:
        meant = suggest(name, list(HOSTS))
        known = ", ".join(f"`{known}`" for known in HOSTS)
        raise InterlockError(
            f"unknown host `{name}`; expected one of {known}",
            help=f"did you mean `{meant}`?" if meant else None,
        )
    return found


def dialect_of(name: str) -> Dialect:
    """The dialect that a host speaks."""
    return host_of(name).dialect
