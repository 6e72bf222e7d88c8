"""Whether Copilot runs hooks here: those of a project need trust, and a project that has it can switch off all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.places import host_folder
from interlock.hosts.base.setup import HostScope, HostTrust, OffSwitch
from interlock.hosts.base.switches import first_with, settings_in

__all__ = ["TRUST", "switched_off"]

_SWITCH = "disableAllHooks"
# In a project that it trusts, these reach a person's own hooks too. Those in a person's home were ignored.
_SETTINGS = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
)


def _trusts(root: Path, home: Path) -> bool:
    folders = settings_in(host_folder("COPILOT_HOME", home, ".copilot") / "config.json").get("trustedFolders")
    listed = [Path(folder) for folder in folders if isinstance(folder, str)] if isinstance(folders, list) else []
    return any(root.resolve().is_relative_to(folder.resolve()) for folder in listed)


def _hindrances(scope: HostScope, root: Path, home: Path) -> Sequence[str]:
    if scope == "user" or _trusts(root, home):
        return []
    return ["Copilot does not trust this folder, so it runs none of the project's hooks"]


def switched_off(scope: HostScope, root: Path, home: Path) -> Sequence[OffSwitch]:
    """Settings by which Copilot runs no hooks."""
    if not _trusts(root, home):
        return []
    found = (first_with([root / name], _SWITCH) for name in _SETTINGS)
    return [OffSwitch(file=one[0], key=_SWITCH, what="all hooks of Copilot") for one in found if one and one[1] is True]


TRUST = HostTrust(hindrances=_hindrances)
