"""Cursor as a host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interlock.hosts.base.host import Host
from interlock.hosts.cursor.dialect import DIALECT, TITLE, denied, sample
from interlock.hosts.cursor.events import EVENTS
from interlock.hosts.cursor.setup import SETUP
from interlock.hosts.cursor.tools import TOOLS

__all__ = ["CURSOR"]

_EDITOR = re.compile(r"(?:.*/)?cursor(?: helper \([^)]*\))?", re.IGNORECASE | re.DOTALL)
_REMOTE = "/.cursor-server/"


def _is_headless(argv: Sequence[str], has_terminal: bool | None) -> bool:
    """Whether it is not the editor. In programs that use the SDK, every prompt answers itself with yes."""
    if not argv:
        return True
    program = argv[0].partition(" --")[0]  # some of its processes have their whole command line in one word
    if _REMOTE in program:
        return "--type=extensionHost" not in " ".join(argv)
    return _EDITOR.fullmatch(program) is None


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    return "cursor_version" in payload or ("CURSOR_VERSION" in environ and "conversation_id" in payload)


CURSOR = Host(
    name="cursor",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="protocol",
    is_headless=_is_headless,
    ends_event="CURSOR_HOOK_EOF",
    setup=SETUP,
    sample=sample,
    denied=denied,
    unseen=(
        "what a search or a fetch found",
        "input that is typed into a running shell, which is denied",
    ),
    recognises=_recognises,
)
