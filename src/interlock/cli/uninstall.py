"""`interlock uninstall`: remove Interlock's entries from the host's settings, and put back adopted hooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.cli.init import agree, describe, show
from interlock.config.layers import Layer, candidates
from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.entry_notes import drop_note, notes_locked
from interlock.hosts.claude_code.installer import Plan, apply, plan_uninstall
from interlock.hosts.claude_code.places import SCOPES, Scope, policy_file, settings_file
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.judging.versions import earlier_versions, forget, forget_command

__all__ = ["uninstall"]

_EVERYWHERE: tuple[Scope, ...] = ("user", "managed")  # scopes whose policies apply in every project


@click.command()
@click.option("--scope", type=click.Choice(get_args(Scope)), help="Only these settings; by default the project's.")
@click.option("--all", "everywhere", is_flag=True, help="The settings of every scope.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@json_option
def uninstall(scope: Scope | None, everywhere: bool, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Remove from Claude Code's settings what `interlock init` added, and put back the hooks that it adopted.

    The policy, the record and trust stay. With `--scope user` or `managed`, the last good version of a policy whose
    file you have removed is dropped too.

    \b
    Examples:
      interlock uninstall
      interlock uninstall --scope user
      interlock uninstall --all --yes
    """
    if scope and everywhere:
        raise click.UsageError("--scope and --all cannot be used together")
    with reporting():
        root = project_root(Path.cwd())
        scopes = SCOPES if everywhere else (scope,) if scope else ("local", "project")
        plans = [plan_uninstall(root, one) for one in scopes]
        plans = [plan for plan in plans if not plan.is_empty]
        goes_on = not dry_run and (yes or not plans)
        gone = _gone_policies(root, scopes)
        if goes_on and not plans:
            # Someone has removed the entries by hand; without this, the daemon would put them back.
            _stop_watching(root, scopes)
        if as_json:
            for plan in plans if goes_on else []:
                _take_out(plan, gone)
            listed = [{**describe(plan), "notices": [*plan.notices, *_policy_notes(plan, gone)]} for plan in plans]
            say(to_json({"plans": listed, "written": goes_on}))
            if not goes_on and not dry_run:
                raise InterlockError("nothing was written", help="look at the change and add --yes")
            return
        if not plans:
            say("Interlock has no entries here")
            for other, file in _elsewhere(root, scopes):
                say(visible(f"{file} has entries of Interlock; `interlock uninstall --scope {other}` removes them"))
            for layer, policy in gone.items():
                why = f"{policy} is gone, and its last good version is still in force"
                say(visible(f"{why}; `{forget_command(layer, policy)}` drops it"))
            return
        for plan in plans:
            show(plan, [*plan.notices, *_policy_notes(plan, gone)])
        if dry_run:
            return
        agree(yes)
        for plan in plans:
            kept = _take_out(plan, gone)
            for change in plan.changes:
                say(f"{'removed' if change.after is None else 'wrote'} {change.path}")
            for copy in kept:
                say(f"kept the previous version in {copy}")
        say("Interlock is no longer asked. Sessions that are running may need a restart.")


def _gone_policies(root: Path, scopes: Sequence[Scope]) -> dict[Layer, Path]:
    """The policies of these scopes that apply everywhere, whose file is gone and of which a version is kept."""
    found = {layer: file for layer, file in candidates(root) if layer in scopes and layer in _EVERYWHERE}
    return {layer: file for layer, file in found.items() if not file.is_file() and earlier_versions(file)}


def _stop_watching(root: Path, scopes: Sequence[Scope]) -> None:
    """Stop reporting entries that are gone already."""
    with notes_locked():
        for scope in scopes:
            drop_note(settings_file(scope, root))


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
