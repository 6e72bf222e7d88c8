"""`interlock uninstall`: take our entries out of the host's settings, and put back what was adopted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.cli.init import agree, describe, show
from interlock.config import project_root
from interlock.install.claude_code import apply, plan_uninstall
from interlock.install.entries import is_entry
from interlock.install.places import SCOPES, Scope, settings_file
from interlock.install.standing import standing
from interlock.source import InterlockError

__all__ = ["uninstall"]


@click.command()
@click.option("--scope", type=click.Choice(get_args(Scope)), help="Only these settings; without it, those of here.")
@click.option("--all", "everywhere", is_flag=True, help="The settings of every scope.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@json_option
def uninstall(scope: Scope | None, everywhere: bool, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Take out of Claude Code's settings what `interlock init` put in, and put back the hooks it adopted.

    The policy, the record and what is trusted stay.

    \b
    Examples:
      interlock uninstall
      interlock uninstall --scope user
      interlock uninstall --all --yes
    """
    if scope and everywhere:
        raise click.UsageError("--scope and --all exclude each other")
    with reporting():
        root = project_root(Path.cwd())
        scopes = SCOPES if everywhere else (scope,) if scope else ("local", "project")
        plans = [plan_uninstall(root, one) for one in scopes]
        plans = [plan for plan in plans if not plan.is_empty]
        goes_on = not dry_run and (yes or not plans)
        if as_json:
            for plan in plans if goes_on else []:
                apply(plan)
            say(to_json({"plans": [{**describe(plan), "notices": plan.notices} for plan in plans], "written": goes_on}))
            if not goes_on and not dry_run:
                raise InterlockError("nothing was written", help="look at the change and add --yes")
            return
        if not plans:
            say("nothing of ours is there")
            for other, file in _elsewhere(root, scopes):
                say(visible(f"entries of ours stand in {file}; `interlock uninstall --scope {other}` takes them out"))
            return
        for plan in plans:
            show(plan, plan.notices)
        if dry_run:
            return
        agree(yes)
        for plan in plans:
            kept = apply(plan)
            for change in plan.changes:
                say(f"{'removed' if change.after is None else 'wrote'} {change.path}")
            for copy in kept:
                say(f"kept what was there in {copy}")
        say("Interlock is no longer asked. Sessions that are running may need a restart.")


def _elsewhere(root: Path, looked: Sequence[Scope]) -> Iterator[tuple[Scope, str]]:
    """The scopes that were not looked at, and the files of them in which entries stand."""
    for file in standing(root).files:
        hooks = file.settings.hooks if file.settings is not None else ()
        there = any(is_entry(hook.event, hook.handler) for hook in hooks)
        if there and file.scope not in looked and file.path == str(settings_file(file.scope, root)):
            yield file.scope, file.path
