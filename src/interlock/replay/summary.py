"""What a policy would have done lately, in one line, for commands that want to say so within a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic

from msgspec import Struct

from interlock.config.bundles import PACKS
from interlock.policy.load import Policy
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Scene, play
from interlock.replay.sources import PastSession, find_sessions, newest_first, own_folder, transcripts_folder
from interlock.replay.tally import Example, ReplayTally

__all__ = ["Catch", "caught_by", "last_calls", "line_for"]

_READY = ("guarded", "strict", "autonomous")
_MOST_EXAMPLES = 5
_SECONDS_FOR_RULE = 10.0


class Catch(Struct, frozen=True):
    """What one policy's rules would have caught."""

    calls: int  # that were judged
    caught: int  # calls and prompts on which a rule had an opinion
    examples: tuple[Example, ...] = ()
    errors: tuple[str, ...] = ()  # of rules that failed


class _TimeIsUp(Exception):  # noqa: N818 - not an error: enough was read
    pass


def line_for(project: Path, policies: Sequence[Policy], most: int = 3000, seconds: float = 3.0) -> str | None:
    """What the policies would have done with the last calls, in one line; None if there are none. Never raises.

    These are the last calls in the project, or, if it has no transcripts, the last calls in all projects.
    """
    try:
        tally, is_own = last_calls(project, policies, most, seconds)
    except Exception:  # noqa: BLE001 - a line that somebody would like to see; it must not make the command fail
        return None
    if not tally.calls:
        return None
    asked, denied = tally.effects["asked"], tally.effects["denied"]
    done = f"asked about {asked:,} and denied {denied:,}" if tally.stops else "stopped none"
    where = " in this project" if is_own else ""
    calls = f"{tally.calls:,} calls" if tally.calls > 1 else "call"
    return f"Of your last {calls}{where}, {_title(policies)} would have {done}: interlock replay"


def last_calls(project: Path, policies: Sequence[Policy], most: int, seconds: float) -> tuple[ReplayTally, bool]:
    """Count what the policies would have done with the last calls, and say whether these are all of this project."""
    end = monotonic() + seconds
    tally = ReplayTally()
    for is_own, folder in ((True, own_folder(project)), (False, transcripts_folder())):
        if not folder.is_dir():
            continue
        sessions = newest_first(find_sessions([folder], Faults()))
        for scene in _until(sessions, [PastJudge(policies)], end):
            tally.add(scene)
            if tally.calls >= most:
                break
        if tally.calls:
            return tally, is_own
    return tally, False


def caught_by(policy: Policy, project: Path, most: int = 20_000) -> Catch:
    """What the rules of one policy alone would have caught of the last calls in a project, or else in all projects."""
    end = monotonic() + _SECONDS_FOR_RULE
    for folder in (own_folder(project), transcripts_folder()):
        if not folder.is_dir():
            continue
        caught = 0
        tally = ReplayTally()
        for scene in _until(newest_first(find_sessions([folder], Faults())), [PastJudge([policy])], end):
            caught += any(verdict.opinions for verdict in scene.said[0].verdicts)
            tally.add(scene)
            if tally.calls >= most:
                break
        if tally.calls:
            shapes = [shape for rule in tally.rules.values() for shape in rule.most_frequent()]
            shapes.sort(key=lambda shape: -shape.count)
            errors = tuple(rule.error for rule in tally.rules.values() if rule.error)
            return Catch(tally.calls, caught, tuple(shape.example for shape in shapes[:_MOST_EXAMPLES]), errors)
    return Catch(0, 0)


def _until(sessions: Iterable[PastSession], judges: Sequence[PastJudge], end: float) -> Iterator[Scene]:
    """Play sessions until the time is up."""

    def check(read: int) -> None:
        if monotonic() > end:
            raise _TimeIsUp

    try:
        for scene in play(sessions, judges, Faults(), progress=check):
            yield scene
            check(0)
    except _TimeIsUp:
        return


def _title(policies: Sequence[Policy]) -> str:
    """What a person calls these policies: the ready policy that they use, if they use one."""
    for name in _READY:
        file = str(PACKS / f"{name}.yaml")
        if any(rule.source.file == file for policy in policies for rule, _ in policy.rules):
            return f"`{name}`"
    return "this policy"
