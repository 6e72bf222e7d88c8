"""Block any change to the host's settings after which not all of Interlock's entries would run.

A live session applies changed settings within a second, and a single line in them can switch every hook off.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from interlock.daemon.peers import Process
from interlock.fold import Answers, Round
from interlock.hosts.claude_code.settings_state import SettingsState, cannot_tell, settings_state, would_stay_on
from interlock.policy.situation import Panel, Situation
from interlock.verdict import Opinion

__all__ = ["SettingsWatch", "config_folder_of"]

_MOST_HOSTS = 256
_CONFIG_DIR = b"CLAUDE_CONFIG_DIR="


class _Block(Struct, frozen=True):
    """Refuses a change, and gives every reason."""

    text: str

    def ask(self, situation: Situation, round_: Round) -> Answers:
        return {0: (Opinion(by="core/staying-on", decision="deny", reason=self.text, notice=self.text),)}


class SettingsWatch:
    """Interlock's entries that ran in each host when they were last found in order."""

    def __init__(self) -> None:
        self._before: OrderedDict[tuple[Process | None, Path], SettingsState] = OrderedDict()
        self._lock = threading.Lock()

    def beside(self, event: str, project: Path, host: Process | None) -> Sequence[Panel]:
        """The panels asked about an event besides the policies. `project` is the folder the host was started in."""
        if event not in ("SessionStart", "ConfigChange"):
            return ()
        now, key = settings_state(project, config_dir=config_folder_of(host)), (host, project)
        with self._lock:
            before = self._before.get(key)
            # A host that merely begins another session has not thereby applied what it refused before.
            why = None if before is None and event == "SessionStart" else _why_not(before or SettingsState(), now)
            if why is None:
                self._before[key] = now
                self._before.move_to_end(key)
                if len(self._before) > _MOST_HOSTS:
                    self._before.popitem(last=False)
        return (_Block(why),) if why is not None and event == "ConfigChange" else ()


def _why_not(before: SettingsState, now: SettingsState) -> str | None:
    """Why a change must not be applied, for a person to read."""
    if reasons := would_stay_on(before, now):
        why = "; ".join(reasons)
        return f"This change to the settings would switch Interlock off, so this session does not apply it: {why}."
    if reasons := cannot_tell(before, now):
        why = "; ".join(reasons)
        return (
            "Interlock cannot tell whether this change to the settings would switch it off, so this session does not "
            f"apply it: {why}. A new session does. To apply it in this one, a person must run `interlock pause` and "
            "save the settings again."
        )
    return None


def config_folder_of(host: Process | None) -> Path | None:
    """Where the host keeps the person's settings: the daemon's own environment may say something different."""
    if host is None:
        return None
    try:
        lines = Path(f"/proc/{host.pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    named = next((line.removeprefix(_CONFIG_DIR) for line in lines if line.startswith(_CONFIG_DIR)), b"")
    return Path(os.fsdecode(named)) if named.startswith(b"/") else None
