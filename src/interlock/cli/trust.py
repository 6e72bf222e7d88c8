"""`interlock trust`: let a project's policy act in full."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

from interlock.cli.agreement import dry_run_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, reporting, say, visible
from interlock.config.bundles import bundle_of
from interlock.config.layers import candidates
from interlock.config.places import LOCAL_NAME, POLICY_NAME, project_root, user_policy
from interlock.config.trust import Trust
from interlock.errors import InterlockError
from interlock.judging.versions import earlier_versions, forget, forget_command

__all__ = ["trust"]


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@policy_option
@json_option
@yes_option
@dry_run_option
@click.option(
    "--forget", "drop", is_flag=True, help="Drop the kept version of FILE, or of policies that are gone from here."
)
@click.option("--user", is_flag=True, help="With --forget: your own policy, which applies in every project.")
def trust(
    file: Path | None, policy_file: Path | None, as_json: bool, yes: bool, dry_run: bool, drop: bool, user: bool
) -> None:
    """Trust the policy of this project, or FILE, as it is now. Shows what changed since it was last trusted.

    \b
    Examples:
      interlock trust
      interlock trust --yes
      interlock trust --forget
      interlock trust --forget --user
      interlock trust --forget ../shop/interlock.yaml

    Until it is trusted, a project's policy can only deny and ask: no allow, no code. A later change needs trust again.

    If the file of a policy is deleted, its last good version stays in force. `--forget` shows that version, asks, and
    drops it. If the file still exists, `--forget FILE` withdraws its trust.
    """
    if file and policy_file:
        raise click.UsageError("FILE and --policy mean the same; give one of them")
    if user and not drop:
        raise click.UsageError("--user needs --forget: your own policy applies without being trusted")
    if user and (file or policy_file):
        raise click.UsageError("--user and FILE cannot be used together")
    named = _place_of(file or policy_file)
    with reporting():
        if drop:
            _forget(user_policy() if user else named, yes, dry_run, as_json)
        else:
            _trust([named] if named else _here(), yes, dry_run, as_json)


def _place_of(file: Path | None) -> Path | None:
    """The file under the name by which trust is kept: without `..` and links in its folder, as in a project's root."""
    return None if file is None else file.parent.resolve() / file.name


def _trust(files: list[Path], yes: bool, dry_run: bool, as_json: bool) -> None:
    known = Trust()
    for file in files:
        now = bundle_of(file)  # read only once, so that what is trusted is what was shown
        before = known.kept(file)
        if now == before:
            _report(file, "trusted already", as_json)
            continue
        _show(file, before.text() if before is not None else "", now.text())
        if dry_run:
            _report(file, "would be trusted", as_json)
            continue
        if not yes and not _confirm(f"Let {file} act in full?"):
            raise InterlockError(f"`{file}` is not trusted")
        known.keep(now)
        _report(file, "trusted", as_json)


def _forget(named: Path | None, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Drop the kept versions of one file, or of this project's files that are gone."""
    for file in [named] if named else _gone_from_here():
        kept = earlier_versions(file)
        if not kept:
            _report(file, "nothing is kept of it", as_json)
            continue
        if file.is_file():
            _check_revocable(file)
            question = f"Withdraw the trust in {file}? Until you trust it again, it can only deny and ask."
        else:
            for version in kept:
                _show(file, version.text(), "", "still in force", "(the file is gone)")
            question = f"Drop the last good version of {file}? None of its rules will apply any more."
        if dry_run:
            _report(file, "would be forgotten", as_json)
            continue
        if not yes and not _confirm(question):
            raise InterlockError(f"nothing was dropped for `{file}`")
        forget(file)
        _report(file, "forgotten", as_json)


def _gone_from_here() -> list[Path]:
    """The files of this project that are gone and still in force."""
    root = project_root(Path.cwd())
    found = [
        file for name in (POLICY_NAME, LOCAL_NAME) if not (file := root / name).is_file() and earlier_versions(file)
    ]
    if not found:
        others = [
            f"`{forget_command(layer, file)}` drops {file}"
            for layer, file in candidates(root)
            if layer in ("user", "managed") and not file.is_file() and earlier_versions(file)
        ]
        named = "name the file whose trust you want to withdraw: `interlock trust --forget FILE`"
        raise InterlockError(f"no policy that is gone from {root} is in force", help="; ".join(others) or named)
    return found


def _check_revocable(file: Path) -> None:
    """Refuse a policy that applies without trust: the next event would keep it again."""
    if any(file == place for layer, place in candidates(file.parent) if layer in ("user", "managed")):
        raise InterlockError(
            f"`{file}` still exists, and applies without being trusted", help="remove the file first, then run this"
        )


def _here() -> list[Path]:
    root = project_root(Path.cwd())
    found = [root / name for name in (POLICY_NAME, LOCAL_NAME) if (root / name).is_file()]
    if not found:
        raise InterlockError(f"there is no {POLICY_NAME} in {root}", help="start one with `interlock init`")
    return found


def _confirm(question: str) -> bool:
    if not sys.stdin.isatty():
        raise InterlockError(
            "only a person at a terminal can give or withdraw trust", help="look at the change and add --yes"
        )
    return click.confirm(question, err=True)


def _show(file: Path, old: str, new: str, was: str = "trusted before", now: str = "") -> None:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), was, now or str(file), lineterm="")
    for line in lines:
        colour = {"+": "green", "-": "red"}.get(line[:1])
        # On stderr: with --json, stdout must contain nothing but JSON.
        click.echo(click.style(visible(line), fg=colour), err=True)


def _report(file: Path, what: str, as_json: bool) -> None:
    say(to_json({"file": str(file), "status": what}) if as_json else f"{file}: {what}")
