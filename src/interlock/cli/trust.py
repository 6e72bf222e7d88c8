"""`interlock trust`: a person says that a project's policy may act in full."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, reporting, say, visible
from interlock.config import LOCAL_NAME, POLICY_NAME, Trust, bundle_of, project_root
from interlock.inforce import forget
from interlock.source import InterlockError

__all__ = ["trust"]


@click.command()
@policy_option
@json_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--forget", "drop", is_flag=True, help="Drop the last good version of a policy that is gone.")
def trust(policy_file: Path | None, as_json: bool, yes: bool, drop: bool) -> None:
    """Trust the policy of this project as it is now. Shows what changed since it was last trusted.

    \b
    Examples:
      interlock trust
      interlock trust --yes

    Until then a project's policy contributes deny and ask, no allow and no code. A later change needs trust again.
    """
    with reporting():
        if drop:
            for name in (POLICY_NAME, LOCAL_NAME):
                file = project_root(Path.cwd()) / name
                forget(file)
                _done(file, "forgotten", as_json)
            return
        files = [policy_file] if policy_file else _here()
        known = Trust()
        for file in files:
            now = bundle_of(file)  # read once: what is shown is what is trusted
            before = known.kept(file)
            if now == before:
                _done(file, "trusted already", as_json)
                continue
            _show(file, before.text() if before is not None else "", now.text())
            if not yes and not _confirm(file):
                raise InterlockError(f"`{file}` is not trusted")
            known.keep(now)
            _done(file, "trusted", as_json)


def _here() -> list[Path]:
    root = project_root(Path.cwd())
    found = [root / name for name in (POLICY_NAME, LOCAL_NAME) if (root / name).is_file()]
    if not found:
        raise InterlockError(f"there is no {POLICY_NAME} in {root}", help="start one with `interlock init`")
    return found


def _confirm(file: Path) -> bool:
    if not sys.stdin.isatty():
        raise InterlockError("trust is given by a person at a terminal", help="look at the change and add --yes")
    return click.confirm(f"Let {file} act in full?", err=True)


def _show(file: Path, old: str, new: str) -> None:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "trusted before", str(file), lineterm="")
    for line in lines:
        colour = {"+": "green", "-": "red"}.get(line[:1])
        click.echo(click.style(visible(line), fg=colour), err=True)


def _done(file: Path, what: str, as_json: bool) -> None:
    say(to_json({"file": str(file), "status": what}) if as_json else f"{file}: {what}")
