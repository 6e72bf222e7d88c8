"""Whether Gemini runs hooks here: those of a project need its trust, and a setting can switch off all or some."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.setup import HostScope, HostTrust, OffSwitch
from interlock.hosts.base.switches import first_with, settings_in

__all__ = ["NAME", "TRUST", "switched_off"]

NAME = "interlock"  # of the entries: hooks can be switched off by name
_SWITCH = "hooksConfig"


def _trusts(root: Path, home: Path) -> bool:
    """Whether Gemini trusts a folder: of the rules for folders above it, the longest counts."""
    asks = first_with([home / ".gemini" / "settings.json"], "security", "folderTrust", "enabled")
    if asks is not None and asks[1] is False:
        return True
    rules = settings_in(_trusted_folders(home))
    place, best, level = root.resolve(), -1, None
    for rule, trust in rules.items():
        folder = Path(rule).parent if trust == "TRUST_PARENT" else Path(rule)
        if place.is_relative_to(folder.resolve()) and len(rule) > best:
            best, level = len(rule), trust
    return level in ("TRUST_FOLDER", "TRUST_PARENT")


def _trusted_folders(home: Path) -> Path:
    named = os.environ.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    return Path(named) if named and home == Path.home() else home / ".gemini" / "trustedFolders.json"


def _hindrances(scope: HostScope, root: Path, home: Path) -> Sequence[str]:
    if scope == "user" or _trusts(root, home):
        return []
    return ["Gemini does not trust this folder, so it runs none of the project's hooks"]


def switched_off(scope: HostScope, root: Path, home: Path) -> Sequence[OffSwitch]:
    """Settings by which Gemini runs no hooks, or not Interlock's. Those of a project it trusts come first."""
    files = [home / ".gemini" / "settings.json"]
    if _trusts(root, home):
        files.insert(0, root / ".gemini" / "settings.json")
    found = []
    enabled = first_with(files, _SWITCH, "enabled")
    if enabled is not None and enabled[1] is False:
        found.append(OffSwitch(file=enabled[0], key=f"{_SWITCH}.enabled", what="all hooks of Gemini"))
    for file in files:
        named = first_with([file], _SWITCH, "disabled")
        if named is not None and isinstance(named[1], list) and NAME in named[1]:
            found.append(OffSwitch(file=file, key=f"{_SWITCH}.disabled", what="Interlock's hooks in Gemini"))
    return found


TRUST = HostTrust(hindrances=_hindrances)
