"""Whether agents other than Claude Code are guarded: what is in their files, and whether they deny a bad call."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.doctor.known_bad import BAD, LOUD, PATIENCE, complaint, why_cut_short, why_not_denied
from interlock.errors import InterlockError
from interlock.hosts.base.host import Host
from interlock.hosts.base.installing import HostSpot, Level, SetupState
from interlock.hosts.base.setup import EntryStart, HostScope
from interlock.hosts.base.setup_notes import read_setup_note
from interlock.hosts.base.starting import sample_for, starts_of
from interlock.hosts.base.trusting import can_grant
from interlock.hosts.discovery import FoundAgent, agents_here, hosts_with_setup, setups_here
from interlock.process import run_program

__all__ = ["Drive", "HostReport", "look"]

Drive: TypeAlias = Callable[[HostSpot], Finding]
"""Starts the agent itself, and says what became of the known-bad call."""


class HostReport(Struct, frozen=True, kw_only=True):
    """One agent, and whether it asks Interlock in one place: in this project, or wherever this person works."""

    host: str
    title: str
    scope: HostScope | None = None  # None: it has no entries
    state: Level = "none"
    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    unsure: bool = False  # whether the agent runs its entries could not be found out

    @property
    def is_guarded(self) -> bool:
        levels = {finding.level for finding in self.findings}
        return self.scope is not None and "ok" in levels and "problem" not in levels


def look(
    root: Path,
    home: Path,
    names: Collection[str] | None = None,
    *,
    asks: bool = True,
    tries: bool = True,
    drive: Drive | None = None,
) -> Iterator[HostReport]:
    """The agents with entries here, then those without. `names`: only these, which a person asked about.

    `asks`: find out whether the agents run what is in their files, of themselves if need be. `tries`: send a known-bad
    call through the entries.
    """
    found = {agent.host.name: agent for agent in agents_here(root, home)}
    states = [state for state in setups_here(root, home) if names is None or state.spot.host.name in names]
    states = [state for state in states if names is not None or _is_used(state, found)]
    for state in states:
        report = _report(state, asks=asks, tries=tries, drive=drive)
        yield report if names is not None or _is_its_own(state) else _as_notes(report)
    there = {state.spot.host.name for state in states}
    for host in hosts_with_setup():
        if host.name not in there and (host.name in found if names is None else host.name in names):
            yield _without_entries(host, found.get(host.name), asked=names is not None)


def _is_used(state: SetupState, found: Collection[str]) -> bool:
    """Whether a person uses the agent of entries that several run: it is here, or they were written for it."""
    return state.spot.host.name in found or _is_its_own(state)


def _is_its_own(state: SetupState) -> bool:
    """Whether entries are for this agent, and not only for another one that runs the same."""
    if not state.spot.setup.entries_with:
        return True
    notes = (read_setup_note(file.path) for file in state.files)
    return any(note is not None and state.spot.holder in note.holders for note in notes)


def _as_notes(report: HostReport) -> HostReport:
    """A report on an agent that nobody has set up: what is wrong there is worth knowing, and not a problem."""
    return replace(report, findings=tuple(replace(one, level="note") if one.level == "problem" else one
                                          for one in report.findings))  # fmt: skip


def _without_entries(host: Host, agent: FoundAgent | None, *, asked: bool) -> HostReport:
    where = f"it is used here ({agent.by})" if agent is not None else "it was not found here"
    command = f"`interlock init --host {host.name}`"
    if asked:
        finding = problem(host.title, f"{where} and has no Interlock entries", f"run {command}")
    else:
        finding = note(host.title, f"{where} and does not ask Interlock; {command} guards it")
    return HostReport(host=host.name, title=host.title, findings=(finding,))


def _report(state: SetupState, *, asks: bool, tries: bool, drive: Drive | None) -> HostReport:
    spot, title = state.spot, state.spot.host.title
    found, unknown = list(_incomplete(state)), ""
    if asks and not found:
        try:
            found = list(_hindrances(spot))
        except InterlockError as error:
            unknown = f"Interlock could not find out whether {title} runs them: {error.message}"
    tried = list(_try_entry(spot)) if tries else []
    if tries and not tried and state.level == "complete":
        tried = [problem(title, f"{LOUD}: no entry in {_places(state)} would be run for a call")]
    holds = bool(tried) and all(finding.level == "ok" for finding in tried)
    driven = drive(spot) if drive is not None and holds else None
    bad = [finding for finding in (*tried, *([driven] if driven is not None else [])) if finding.level == "problem"]
    # What is not as it should be in the files is why, and not a problem of its own.
    found = [_with_causes(one, found) for one in bad] or found
    if not bad:
        said = f"the entries in {_places(state)} {f'deny `{BAD}`' if holds else 'are complete'}"
        said += f", and {driven.text}" if driven is not None and driven.level == "ok" else ""
        if found:
            found[0] = replace(found[0], details=(*found[0].details, *([f"run by `doctor`, {said}"] if holds else [])))
        else:
            found = [replace(ok(title, said), details=(unknown,) if unknown else ())]
    found += [driven] if driven is not None and driven.level == "note" else []
    return HostReport(
        host=spot.host.name, title=title, scope=spot.scope, state=state.level,
        files=tuple(str(file.path) for file in state.files), findings=tuple(found), unsure=bool(unknown),
    )  # fmt: skip


def _with_causes(finding: Finding, causes: Sequence[Finding]) -> Finding:
    details = [line for cause in causes for line in (cause.text, *cause.details)]
    return replace(finding, details=(*finding.details, *details), help=next((cause.help for cause in causes), ""))


def _places(state: SetupState) -> str:
    """The file with entries; if there are several, their folders."""
    paths = [file.path for file in state.files]
    return str(paths[0]) if len(paths) == 1 else " and ".join(dict.fromkeys(str(path.parent) for path in paths))


# --- what is in the files ----------------------------------------------------------------------------------------


def _incomplete(state: SetupState) -> Iterator[Finding]:
    if state.level == "complete":
        return
    wrong = [file for file in state.files if file.level != "complete"]
    texts = [f"{file.path}: {file.why}" for file in wrong]
    unreadable = next((file.path for file in wrong if file.level == "unreadable"), None)
    first = f"correct {unreadable}, then run" if unreadable is not None else "run"
    yield problem(state.spot.host.title, texts[0], f"{first} {_init(state.spot)}", texts[1:])


def _init(spot: HostSpot) -> str:
    scope = "" if spot.scope == spot.setup.scopes[0] else f" --scope {spot.scope}"
    return f"`interlock init --host {spot.host.name}{scope}`"


def _hindrances(spot: HostSpot) -> Iterator[Finding]:
    """What keeps the host from running entries that are in its files. Raises InterlockError if nobody knows."""
    setup, where = spot.setup, (spot.scope, spot.root, spot.home)
    # A project as a whole is trusted by a person.
    grants = can_grant(spot) and spot.scope == "user"
    steps = f"run {_init(spot)}" if grants else "; ".join(setup.steps(spot.scope, spot.root))
    for one in setup.switched_off(*where):
        yield problem(spot.host.title, str(one), f"change `{one.key}` in {one.file}")
    for why in setup.trust.hindrances(*where) if setup.trust is not None else ():
        yield problem(spot.host.title, why, steps)


# --- a known-bad call --------------------------------------------------------------------------------------------


def _try_entry(spot: HostSpot) -> Iterator[Finding]:
    """Send it through each entry for calls, as the host would. Anything but its denial is loud."""
    try:
        started = starts_of(spot, sample_for(spot, "Bash", {"command": BAD}, f"doctor-{secrets.token_hex(8)}"))
    except InterlockError:
        return  # the file cannot be read, which was said
    for entry in started:
        try:
            why = _let_through(spot, entry)
        except InterlockError as error:
            why = error.in_one_line()
        if why:
            yield problem(spot.host.title, complaint(entry.file, why))
        else:
            yield ok(spot.host.title, f"the entry in {entry.file} denied `{BAD}`")


def _let_through(spot: HostSpot, entry: EntryStart) -> str:
    """What an entry did instead of denying; an empty text if it denied."""
    assert spot.host.denied is not None  # noqa: S101 - every host with entries has it
    seconds = spot.host.events["PreToolUse"].seconds
    patience = min(seconds or PATIENCE, PATIENCE)
    environ = {**os.environ, **entry.environ}
    ran = run_program(entry.words, stdin=entry.stdin, cwd=str(spot.root), env=environ, timeout=patience)
    return why_cut_short(ran, patience) or why_not_denied(spot.host.denied, ran.stdout, ran.stderr, ran.code)
