"""The table of hosts: one room for each, with its dialect and what else Interlock must know about it."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.errors import InterlockError, suggest
from interlock.hosts.amp.host import AMP
from interlock.hosts.base.host import Host
from interlock.hosts.base.reply import Dialect, Reply
from interlock.hosts.claude_code.host import CLAUDE_CODE
from interlock.hosts.cline.host import CLINE
from interlock.hosts.codex.host import CODEX
from interlock.hosts.copilot.host import COPILOT
from interlock.hosts.cursor.host import CURSOR
from interlock.hosts.droid.host import DROID
from interlock.hosts.flat.host import FLAT
from interlock.hosts.gemini.host import GEMINI
from interlock.hosts.kiro.host import KIRO
from interlock.hosts.mcp.host import MCP
from interlock.hosts.opencode.host import OPENCODE
from interlock.hosts.qwen.host import QWEN
from interlock.hosts.vscode.host import VSCODE
from interlock.hosts.windsurf.host import WINDSURF

__all__ = ["HOSTS", "Dialect", "Host", "Reply", "dialect_of", "hook_dialect", "host_of", "in_envelope"]

_ALL = (
    AMP,
    CLAUDE_CODE,
    CLINE,
    CODEX,
    COPILOT,
    CURSOR,
    DROID,
    FLAT,
    GEMINI,
    KIRO,
    MCP,
    OPENCODE,
    QWEN,
    VSCODE,
    WINDSURF,
)
HOSTS: dict[str, Host] = {host.name: host for host in _ALL}


def host_of(name: str) -> Host:
    """The host with this name. Raises InterlockError if there is none."""
    found = HOSTS.get(name.replace("_", "-"))
    if found is None:
        raise _unknown(name)
    return found


def dialect_of(name: str) -> Dialect:
    """The dialect that a host speaks."""
    return host_of(name).dialect


def hook_dialect(name: str) -> Dialect:
    """The dialect in which a program answers as a hook of a host. Raises InterlockError if no program does."""
    found = HOSTS.get(name.replace("_", "-"))
    if found is None or not found.adopts:
        raise _unknown(name, [host.name for host in HOSTS.values() if host.adopts])
    return found.dialect


def in_envelope(name: str, raw: bytes, words: Sequence[str]) -> bytes:
    """The event of what a host sends to a program, and of the words that it starts it with.

    Raises InterlockError if there is no such host, or if one that says everything in the event says more.
    """
    host = host_of(name)
    if host.envelope is not None:
        return host.envelope(raw, words)
    if words:
        raise InterlockError(f"{host.title} sends nothing on its command line")
    return raw


def _unknown(name: str, speaking: Sequence[str] | None = None) -> InterlockError:
    # Only hosts that programs speak to: a person who misspells one of them does not mean the proxy.
    speaking = speaking or [host.name for host in HOSTS.values() if host.spawns]
    meant = suggest(name, speaking)
    known = ", ".join(f"`{known}`" for known in speaking)
    return InterlockError(
        f"unknown host `{name}`; expected one of {known}",
        help=f"did you mean `{meant}`?" if meant else None,
    )
