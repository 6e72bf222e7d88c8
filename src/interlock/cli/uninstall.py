"""`interlock uninstall`: remove Interlock's entries from the host's settings, and put back adopted hooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import click
from msgspec import Struct

from interlock.cli.agreement import agree, dry_run_option, show_diff_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.cli.host_setup import FIRST, HostsPart, chosen_hosts, host_option, spots_to_remove, titles
from interlock.cli.init import describe
from interlock.cli.screen import MOST_LINES, rows_of, say_kept, short, show_details, show_rows, with_short_paths
from interlock.config.layers import Layer, candidates
from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.files.edit import read_bytes
from interlock.hosts.base.installing import HostSpot
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.entry_notes import drop_note, notes_locked, read_notes
from interlock.hosts.claude_code.installer import Plan, apply, plan_uninstall, read_manifests
from interlock.hosts.claude_code.places import SCOPES, Scope, policy_file, settings_file
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.judging.versions import earlier_versions, forget, forget_command

__all__ = ["uninstall"]

_EVERYWHERE: tuple[Scope, ...] = ("user", "managed")  # scopes whose policies apply in every project


_MARKS = (b"interlock/client.py", b'"interlock"', b"http://127.0.0.1:")  # one of these is in every entry


class _Place(Struct, frozen=True):
    """A settings file from which entries are removed."""

    scope: Scope
    file: Path

    @property
    def project(self) -> Path:
        return self.file.parent.parent


@click.command()
@host_option("Only these agents; `all`: every one. Without it, Claude Code; with --all, every agent.")
@click.option("--scope", type=click.Choice(get_args(Scope)), help="Only these settings; by default the project's.")
@click.option("--all", "everywhere", is_flag=True, help="Every settings file that is known to contain entries.")
@yes_option
@dry_run_option
@show_diff_option
@json_option
def uninstall(
    hosts: tuple[str, ...],
    scope: Scope | None,
    everywhere: bool,
    yes: bool,
    dry_run: bool,
    show_diff: bool,
    as_json: bool,
) -> None:
    """Remove from the settings of agents what `interlock init` added, and put back the hooks that it adopted.

    A file that nobody has changed since is afterwards, byte for byte, as it was. The policy, the record and trust
    stay. With `--scope user` or `managed`, the last good version of a policy whose file you have removed is dropped
    too. `--all` does what it can, in every project where `init` was run, and exits with 1 if entries are left.

    \b
    Examples:
      interlock uninstall
      interlock uninstall --host codex
      interlock uninstall --scope user
      interlock uninstall --all --yes
    """
    if scope and everywhere:
        raise click.UsageError("--scope and --all cannot be used together")
    with reporting():
        root = project_root(Path.cwd())
        named = chosen_hosts(hosts) if hosts else None
        with_claude_code = named is None or FIRST in named
        scopes = SCOPES if everywhere else (scope,) if scope else ("local", "project")
        places = [_Place(one, settings_file(one, root)) for one in scopes] if with_claude_code else []
        if everywhere and with_claude_code:
            places = list(dict.fromkeys((*places, *_known_places())))
        plans, left = _plans(places, root, goes_on=everywhere)
        setups = spots_to_remove(named, scope, root, Path.home(), everywhere=everywhere)
        others = HostsPart.remove(setups if named or everywhere else [], goes_on=everywhere)
        left += others.plan.left
        nothing_goes = not plans and (others.is_empty or others.only_keeps)
        goes_on = not dry_run and (yes or nothing_goes)
        gone = _gone_policies(root, scopes)
        if goes_on and not plans:
            # Someone has removed the entries by hand; without this, the daemon would put them back.
            _stop_watching(place.file for place in places)
        if as_json:
            if goes_on:
                left += _take_out_all(plans, gone, root, quiet=True)
                left += others.write(root, quiet=True)[1]
            listed = [{**describe(plan), "notices": [*plan.notices, *_policy_notes(plan, gone)]} for plan in plans]
            say(to_json({"plans": listed, "others": others.describe(), "left": left, "written": goes_on}))
            if not goes_on and not dry_run:
                raise InterlockError("nothing was written", help="look at the change and add --yes")
        elif not plans and others.is_empty:
            if not left:
                say("Interlock has no entries here")
            if with_claude_code:
                _say_what_is_elsewhere(root, scopes, gone)
            if named is None and setups:
                _say_whose_else(setups)
        elif nothing_goes:
            show_rows("Nothing is taken out:", others.rows(root))
            if not dry_run:
                others.write(root)
        else:
            notes = {plan.settings: [*plan.notices, *_policy_notes(plan, gone)] for plan in plans}
            details = partial(_show_all, plans, notes, others)
            if show_diff:
                details()
            rows = [row for plan in plans for row in rows_of(plan, root)]
            rows += others.rows(root)
            rows += [("left", with_short_paths(text, root)) for text in left]
            rows += [("note", with_short_paths(note, root)) for found in notes.values() for note in found]
            asks = not yes and not dry_run
            show_rows("Interlock will no longer be asked:", rows, most=MOST_LINES if asks else None)
            if dry_run:
                return
            agree(yes, details=None if show_diff else details)
            left += _take_out_all(plans, gone, root)
            left += others.write(root)[1]
            say("Interlock is no longer asked. Sessions that are running may need a restart.")
        if left:
            raise InterlockError(
                f"entries of Interlock are left: {'; '.join(left)}", help="correct that, then run this again"
            )


def _known_places() -> list[_Place]:
    """The settings files into which entries were written, or in which they were seen."""
    noted = [_Place(note.scope, Path(note.file)) for note in read_notes().values() if note.entries]
    return noted + [_Place(one.scope, Path(one.file)) for one in read_manifests()]


def _plans(places: Iterable[_Place], root: Path, *, goes_on: bool) -> tuple[list[Plan], list[str]]:
    """What would be written, and, if one that cannot be changed is no reason to stop, which files are left and why."""
    plans, left = [], []
    for place in places:
        try:
            plan = plan_uninstall(
                place.project if place.scope in ("local", "project") else root, place.scope, place.file
            )
        except InterlockError as error:
            if not goes_on:
                raise
            if _may_contain_entries(place):
                left.append(error.message)
            continue
        if not plan.is_empty:
            plans.append(plan)
        if goes_on and plan.others_left:
            left.append(f"those of another installation in {short(plan.settings, root)}")
    return plans, left


def _may_contain_entries(place: _Place) -> bool:
    """Whether a file that cannot be edited contains entries, as far as its text shows; unreadable, it may."""
    try:
        raw = read_bytes(place.file)
    except InterlockError:
        return True
    return raw is not None and (place in _known_places() or any(mark in raw for mark in _MARKS))


def _take_out_all(plans: Sequence[Plan], gone: Mapping[Layer, Path], root: Path, *, quiet: bool = False) -> list[str]:
    """Write each plan. Returns what could not be written."""
    left, copies = [], []
    for plan in plans:
        try:
            kept = _take_out(plan, gone)
        except InterlockError as error:
            if len(plans) == 1:
                raise
            left.append(error.message)
            continue
        for change in plan.changes if not quiet else ():
            say(visible(f"{'removed' if change.after is None else 'wrote'} {short(change.path, root)}"))
        copies += kept
    if not quiet:
        say_kept(copies, root)
    return left


def _show_all(plans: Sequence[Plan], notes: Mapping[Path, Sequence[str]], others: HostsPart) -> None:
    for plan in plans:
        show_details(plan, notes[plan.settings])
    others.show_details()


def _say_whose_else(setups: Sequence[HostSpot]) -> None:
    """Other agents stay guarded: their entries are taken out by name."""
    hosts = list({spot.host.name: spot.host for spot in setups}.values())
    names = ",".join(host.name for host in hosts)
    verb = "asks" if len(hosts) == 1 else "ask"
    say(f"{titles(hosts)} still {verb} Interlock; `interlock uninstall --host {names}` ends that")


def _say_what_is_elsewhere(root: Path, scopes: Sequence[Scope], gone: Mapping[Layer, Path]) -> None:
    for other, file in _elsewhere(root, scopes):
        say(visible(f"{file} has entries of Interlock; `interlock uninstall --scope {other}` removes them"))
    for layer, policy in gone.items():
        why = f"{policy} is gone, and its last good version is still in force"
        say(visible(f"{why}; `{forget_command(layer, policy)}` drops it"))


def _gone_policies(root: Path, scopes: Sequence[Scope]) -> dict[Layer, Path]:
    """The policies of these scopes that apply everywhere, whose file is gone and of which a version is kept."""
    found = {layer: file for layer, file in candidates(root) if layer in scopes and layer in _EVERYWHERE}
    return {layer: file for layer, file in found.items() if not file.is_file() and earlier_versions(file)}


def _stop_watching(files: Iterable[Path]) -> None:
    """Stop reporting entries that are gone already."""
    with notes_locked():
        for file in files:
            drop_note(file)


def _take_out(plan: Plan, gone: Mapping[Layer, Path]) -> list[Path]:
    """Write a plan, and drop the kept version of a policy whose file is gone."""
    kept = apply(plan)
    if (policy := gone.get(plan.scope)) is not None:
        forget(policy)
    return kept


def _policy_notes(plan: Plan, gone: Mapping[Layer, Path]) -> Iterator[str]:
    """Notes about the policy of a scope that reaches beyond this project."""
    if plan.scope not in _EVERYWHERE:
        return
    policy = policy_file(plan.scope, Path())
    if plan.scope in gone:
        yield f"{policy} is gone; its last good version, which is still in force, is dropped too"
    elif policy.is_file():
        end = f"to end that, remove it and run `{forget_command(plan.scope, policy)}`"
        yield f"{policy} stays in force in projects that have their own entries; {end}"


def _elsewhere(root: Path, looked: Sequence[Scope]) -> Iterator[tuple[Scope, str]]:
    """The scopes that were not searched, and their files that contain entries."""
    for file in settings_state(root).files:
        hooks = file.settings.hooks if file.settings is not None else ()
        there = any(is_entry(hook.event, hook.handler) for hook in hooks)
        if there and file.scope not in looked and file.path == str(settings_file(file.scope, root)):
            yield file.scope, file.path
