"""`interlock import`: turn another tool's configuration into a policy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.imports.draft import Import, NotCarried
from interlock.imports.files import KINDS, Kind, import_files
from interlock.imports.write import append_rules, new_policy

__all__ = ["import_"]


@click.command("import")
@click.argument("places", nargs=-1, type=click.Path(path_type=Path))
@click.option("--from", "kind", type=click.Choice(KINDS), help="What the files are, if their names do not say it.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the rules to this policy file.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@json_option
def import_(
    places: tuple[Path, ...], kind: Kind | None, out: Path | None, yes: bool, dry_run: bool, as_json: bool
) -> None:
    """Turn a .conclaude.yaml, the permissions of Claude Code settings, or hookify rules into a policy with cases.

    \b
    Examples:
      interlock import
      interlock import .conclaude.yaml --out interlock.yaml
      interlock import .claude --from hookify

    Without PLACES it looks in this folder. The policy goes to stdout, and the list of what could not be carried to
    stderr. With --out it is written to that file, after a question; a policy that exists gets the rules whose ids are
    new behind its own.
    """
    with reporting():
        found = import_files(list(places) or [Path()], kind)
        text, kept, before = _text_for(found, out)
        if as_json:
            say(to_json(_data(found, text, kept)))
        elif out is None or dry_run:
            click.echo(text, nl=False)
        _report(found, kept, quiet=as_json)
        if out is not None and not dry_run:
            _write(out, text, before, len(found.rules) - len(kept), yes=yes, quiet=as_json)
        sys.exit(0 if found.rules else 1)


def _text_for(found: Import, out: Path | None) -> tuple[str, list[str], str | None]:
    """The policy, the ids that it has already, and what the file contains now."""
    if out is None or not out.exists():
        return new_policy(found), [], None
    try:
        before = out.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InterlockError(f"cannot read `{out}`: {error}") from error
    text, kept = append_rules(before, str(out), found)
    return text, kept, before


def _data(found: Import, text: str, kept: list[str]) -> dict[str, Any]:
    return {
        "policy": text,
        "rules": [{"id": rule.id, "from": str(rule.source), "what": rule.what} for rule in found.rules],
        "kept": kept,
        "not_carried": [_one(one) for one in found.left],
        "remarks": [_one(one) for one in found.remarks],
    }


def _one(one: NotCarried) -> dict[str, Any]:
    return {"file": one.source.file, "line": one.source.line, "what": one.what, "why": one.why}


def _report(found: Import, kept: list[str], *, quiet: bool) -> None:
    if quiet:
        return
    rules, left = len(found.rules), len(found.left)
    click.echo(f"{rules} rule{'s' * (rules != 1)}, {left} not carried", err=True)
    for name in kept:
        click.echo(f"  kept as it is: `{visible(name)}`, which the policy has already", err=True)
    for one in found.left:
        click.echo(f"  {click.style('not carried', fg='yellow')} {visible(str(one))}", err=True)
    for one in found.remarks:
        click.echo(f"  note {visible(str(one))}", err=True)


def _write(out: Path, text: str, before: str | None, new: int, *, yes: bool, quiet: bool) -> None:
    if text == before or (not new and before is not None):
        click.echo(f"{out} has all of them already; nothing was written", err=True)
        return
    what = f"add {new} rule{'s' * (new != 1)} to {out}" if before is not None else f"write {out} with {new} rules"
    if not yes and not click.confirm(f"{what[0].upper()}{what[1:]}?", err=True):
        raise InterlockError("nothing was written", help="give --yes to write without a question")
    write_atomically(out, text.encode("utf-8"), mode=0o644)
    if not quiet:
        click.echo(f"{out} is written. Next: `interlock check`, then `interlock trust`.", err=True)
