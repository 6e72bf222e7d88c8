"""Whether our entries would run, what would run beside them, and what keeps them from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.install.entries import WIRED
from interlock.install.standing import Standing, standing

__all__ = ["look"]

_INIT = "run `interlock init`"
# Variables a person's own shell may hold, and what the client does with them.
_SWITCHES = {"CLAUDE_CODE_SIMPLE": "runs no hooks (`--bare`)", "CLAUDE_CODE_SAFE_MODE": "runs managed hooks only"}


def look(project: Path) -> Iterator[Finding]:
    """All that the settings files and this environment say."""
    found = standing(project)
    yield from _wired(found)
    for off in found.off:
        yield problem("settings", off.why, "take it out, or have who manages this machine do it")
    for text in found.problems:
        yield problem("settings", f"a client may drop this: {text}", "correct it")
    for stale in found.stale:
        yield problem("settings", f"an entry of another installation stands there: {stale}", _INIT)
    for other in found.beside:
        help = "`interlock init --adopt` runs it in order with the policy"
        yield note("settings", f"another hook races with ours: {other}", help)
    for text in found.notices:
        yield note("settings", text)
    for name, effect in _SWITCHES.items():
        if os.environ.get(name, "").lower() not in ("", "0", "false", "no", "off"):
            yield problem("environment", f"`{name}` is set, with which the client {effect}", f"unset {name}")


def _wired(found: Standing) -> Iterator[Finding]:
    if not found.running:
        yield problem("settings", "no entry of ours would run in this project", _INIT)
    elif found.missing:
        listed = ", ".join(found.missing)
        yield problem("settings", f"{len(found.missing)} of {len(WIRED)} events are not wired: {listed}", _INIT)
    else:
        files = sorted({path for paths in found.running.values() for path in paths})
        yield ok("settings", f"all {len(WIRED)} events are wired, in {', '.join(files)}")
