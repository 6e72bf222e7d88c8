"""Stay on: block a change of the host's settings after which our entries would not all run.

A live session takes up changed settings within a second, and one line in them switches every hook off.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from interlock.daemon.peers import Process
from interlock.hooks.run import Asked, Panel
from interlock.install.standing import Standing, standing, would_stay_on
from interlock.verdict import Answers, Opinion, Round

__all__ = ["Staying"]

_MOST_PROJECTS = 256
_CONFIG_DIR = b"CLAUDE_CONFIG_DIR="


class _Blocked(Struct, frozen=True):
    """Refuses a change, with every reason."""

    reasons: tuple[str, ...]

    def ask(self, asked: Asked, round_: Round) -> Answers:
        why = "; ".join(self.reasons)
        text = f"This change of the settings would switch Interlock off, so this session does not take it up: {why}."
        return {0: (Opinion(by="core/staying-on", decision="deny", reason=text, notice=text),)}


class Staying:
    """What ran of ours in each project when it was last seen to be well."""

    def __init__(self) -> None:
        self._before: OrderedDict[Path, Standing] = OrderedDict()
        self._lock = threading.Lock()

    def beside(self, event: str, project: Path, host: Process | None) -> Sequence[Panel]:
        """Who has a say about an event besides the policies."""
        if event not in ("SessionStart", "ConfigChange"):
            return ()
        now = standing(project, config_dir=_config_folder(host))
        with self._lock:
            before = self._before.get(project, Standing())
            reasons = would_stay_on(before, now) if event == "ConfigChange" else []
            if not reasons:
                self._before[project] = now
                self._before.move_to_end(project)
                if len(self._before) > _MOST_PROJECTS:
                    self._before.popitem(last=False)
        return (_Blocked(tuple(reasons)),) if reasons else ()


def _config_folder(host: Process | None) -> Path | None:
    """Where the host itself keeps a person's settings: a daemon cannot go by its own environment."""
    if host is None:
        return None
    try:
        lines = Path(f"/proc/{host.pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    named = next((line.removeprefix(_CONFIG_DIR) for line in lines if line.startswith(_CONFIG_DIR)), b"")
    return Path(os.fsdecode(named)) if named.startswith(b"/") else None
