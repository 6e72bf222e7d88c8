"""The known-bad call made by the agent itself: started once without a person, against a model on this machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.doctor.known_bad import ARGUMENTS, BAD, LOUD, PATIENCE, is_by_built_in
from interlock.driving.drive import DriveResult, drive
from interlock.errors import InterlockError
from interlock.hosts.base.driving import HostInquiry
from interlock.hosts.base.installing import HostSpot

__all__ = ["try_agent"]

_MOST = 200  # characters of what a model was told that are shown


def try_agent(spot: HostSpot) -> Finding:
    """What an agent did with the known-bad call, in a home of its own that has nothing but Interlock's entries."""
    title, how = spot.host.title, spot.host.drive
    if how is None:
        return note(
            title, "it cannot be started without a person or its maker's servers, so only its entries were tried"
        )
    programs = spot.setup.programs
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        return note(title, f"`{programs[0]}` is not on the PATH, so only its entries were tried")
    try:
        driven = drive(
            spot, str(Path(program).absolute()), ARGUMENTS, path=os.environ.get("PATH", os.defpath), limit=PATIENCE
        )
    except InterlockError as error:
        return note(title, f"it could not be started: {error.in_one_line()}")
    return _finding(title, driven, inquired=isinstance(how, HostInquiry))


def _finding(title: str, driven: DriveResult, *, inquired: bool) -> Finding:
    if driven.ran:
        what = "asked about it, it says that it would run" if inquired else "started with these entries, it ran"
        return problem(title, f"{LOUD}: {what} `{BAD}`")
    if driven.told is None:
        late = f" within {PATIENCE:g} s" if driven.late else ""
        said = f": {driven.said}" if driven.said else ""
        return note(title, f"started with these entries, it made no call{late}, so this shows nothing{said}")
    if not is_by_built_in(driven.told):
        told = " ".join(driven.told.split())[:_MOST]
        return problem(title, f"started with these entries, it did not run `{BAD}`, but told its model: {told}")
    return ok(title, f"so does {title} itself")
