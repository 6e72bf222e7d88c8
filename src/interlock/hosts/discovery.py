"""Which agents are on this machine, and which of Interlock's setups are in place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from interlock.hosts import HOSTS
from interlock.hosts.base.host import Host
from interlock.hosts.base.installing import HostSpot, SetupState
from interlock.hosts.base.setup_notes import read_setup_notes

__all__ = ["FoundAgent", "agents_here", "hosts_with_setup", "setups_everywhere", "setups_here"]


class FoundAgent(Struct, frozen=True):
    """An agent that seems to be used on this machine, and by what that shows."""

    host: Host
    by: str  # the path of a program or of a folder


def hosts_with_setup() -> list[Host]:
    """The hosts into whose files Interlock puts entries, Claude Code aside, which has an installer of its own."""
    return [host for host in HOSTS.values() if host.setup is not None]


def agents_here(root: Path, home: Path) -> list[FoundAgent]:
    """The agents whose program is on the PATH, or that have a folder in the person's home or in the project."""
    found = []
    for host in hosts_with_setup():
        by = _trace(host, root, home)
        if by is not None:
            found.append(FoundAgent(host, by))
    return found


def _trace(host: Host, root: Path, home: Path) -> str | None:
    setup = host.setup
    if setup is None:
        return None
    for program in setup.programs:
        if (path := shutil.which(program)) is not None:
            return path
    folders = (base / folder for folder in setup.folders for base in (home, root))
    return next((str(folder) for folder in folders if folder.is_dir()), None)


def setups_here(root: Path, home: Path) -> Iterator[SetupState]:
    """Every setup of which anything is in place: in this project, or for this person."""
    for host in hosts_with_setup():
        for scope in host.setup.scopes if host.setup is not None else ():
            state = SetupState.of(HostSpot(host=host, scope=scope, root=root, home=home))
            if state.level != "none":
                yield state


def setups_everywhere(root: Path, home: Path) -> list[HostSpot]:
    """The setups here, and those that are noted of other projects."""
    found = [state.spot for state in setups_here(root, home)]
    for note in read_setup_notes():
        for name, scope, folder in note.holders:
            host = HOSTS.get(name)
            if host is not None and host.setup is not None and scope in host.setup.scopes:
                place = Path(folder) if folder else root
                found.append(
                    HostSpot(host=host, scope="project" if scope == "project" else "user", root=place, home=home)
                )
    return list({spot.holder: spot for spot in found}.values())
