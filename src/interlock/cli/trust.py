"""`interlock trust`: a person says that a project's policy may act in full."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

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
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--forget", "drop", is_flag=True, help="Drop what is kept of a policy: of FILE, or of those gone from here."
)
@click.option("--user", is_flag=True, help="With --forget: your own policy, which holds in every project.")
def trust(file: Path | None, policy_file: Path | None, as_json: bool, yes: bool, drop: bool, user: bool) -> None:
    """Trust the policy of this project, or FILE, as it is now. Shows what changed since it was last trusted.

    \b
    Examples:
      interlock trust
      interlock trust --yes
      interlock trust --forget
      interlock trust --forget --user
      interlock trust --forget ../shop/interlock.yaml

    Until then a project's policy contributes deny and ask, no allow and no code. A later change needs trust again.

    The last good version of a policy stays in force when its file is deleted. `--forget` shows that version, asks, and
    drops it. If the file is still there, `--forget FILE` takes its trust back.
    """
    if file and policy_file:
        raise click.UsageError("FILE and --policy are the same thing; give one of them")
    if user and not drop:
        raise click.UsageError("--user goes with --forget: your own policy holds without being trusted")
    if user and (file or policy_file):
        raise click.UsageError("--user and FILE exclude each other")
    named = _place_of(file or policy_file)
    with reporting():
        if drop:
            _forget(user_policy() if user else named, yes, as_json)
        else:
            _trust([named] if named else _here(), yes, as_json)


def _place_of(file: Path | None) -> Path | None:
    """The file by the name that trust is kept under: without `..` and links on the way, as a project's root has it."""
    return None if file is None else file.parent.resolve() / file.name


def _trust(files: list[Path], yes: bool, as_json: bool) -> None:
    known = Trust()
    for file in files:
        now = bundle_of(file)  # read once: what is shown is what is trusted
        before = known.kept(file)
        if now == before:
            _report(file, "trusted already", as_json)
            continue
        _show(file, before.text() if before is not None else "", now.text())
        if not yes and not _confirm(f"Let {file} act in full?"):
            raise InterlockError(f"`{file}` is not trusted")
        known.keep(now)
        _report(file, "trusted", as_json)


def _forget(named: Path | None, yes: bool, as_json: bool) -> None:
    """Drop what is kept of one file, or of this project's files that are gone."""
    for file in [named] if named else _gone_from_here():
        kept = earlier_versions(file)
        if not kept:
            _report(file, "nothing is kept of it", as_json)
            continue
        if file.is_file():
            _check_revocable(file)
            question = f"Take back the trust in {file}? Until you trust it again it can only deny and ask."
        else:
            for version in kept:
                _show(file, version.text(), "", "still in force", "(the file is gone)")
            question = f"Drop the last good version of {file}? Nothing of it will hold any more."
        if not yes and not _confirm(question):
            raise InterlockError(f"nothing was forgotten of `{file}`")
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
        named = "name the file whose trust you want to take back: `interlock trust --forget FILE`"
        raise InterlockError(f"no policy that is gone from {root} is in force", help="; ".join(others) or named)
    return found


def _check_revocable(file: Path) -> None:
    """Policies that hold without trust would be kept again at the next event."""
    if any(file == place for layer, place in candidates(file.parent) if layer in ("user", "managed")):
        raise InterlockError(
            f"`{file}` is still there, and holds without being trusted", help="remove the file first, then run this"
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
            "trust is given and taken back by a person at a terminal", help="look at the change and add --yes"
        )
    return click.confirm(question, err=True)


def _show(file: Path, old: str, new: str, was: str = "trusted before", now: str = "") -> None:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), was, now or str(file), lineterm="")
    for line in lines:
        colour = {"+": "green", "-": "red"}.get(line[:1])
        click.echo(click.style(visible(line), fg=colour), err=True)


def _report(file: Path, what: str, as_json: bool) -> None:
    say(to_json({"file": str(file), "status": what}) if as_json else f"{file}: {what}")
