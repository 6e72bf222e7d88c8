"""`interlock init`: guard this project. A policy to start from, and our entries in the host's settings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.config import project_root
from interlock.install.claude_code import Plan, apply, plan_install
from interlock.install.entries import WIRED
from interlock.install.places import SCOPES, Scope, client_file, config_folder, policy_file, python
from interlock.install.standing import label
from interlock.source import InterlockError

__all__ = ["STARTER", "agree", "describe", "init", "scope_option", "show"]

STARTER = """\
# What agents may do in this project. Look at it with `interlock check`, try it with `interlock explain "git push -f"`.
version: 1

packs: [secrets, git]            # shipped rules; git takes `with: {protected: [main, release/*]}`

rules:
  - id: generated-files
    about: Generated files are made by the build.
    path: {write: [dist/, build/, "*.lock"]}
    deny: "${match.path} is generated. Change what it is generated from, and run the build."
    cases:
      catch: [{Write: dist/app.js}, {Edit: package.lock}]
      pass: [{Write: src/app.js}, {Read: dist/app.js}]

  - id: publish
    about: Publishing is decided by a person.
    command: [npm publish, twine upload, cargo publish, gh release create]
    ask: "Run `${match.command.text}`?"
    cases:
      catch: [npm publish --access public]
      pass: [npm test]
"""

RACING = "other hooks run beside ours; of two that change a call, the last to finish wins (--adopt moves them):"

scope_option = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="local",
    show_default=True,
    help="Which settings: this project on this machine, this project for everybody, this person, this machine.",
)


@click.command()
@scope_option
@click.option("--adopt", is_flag=True, help="Move the hooks that stand in those settings into the policy.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--policy",
    "policy",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the policy there instead of beside what it guards.",
)
@click.option("--force", is_flag=True, help="Start a new policy; the one that is there is kept beside it as *.before.")
@json_option
def init(scope: Scope, adopt: bool, yes: bool, dry_run: bool, policy: Path | None, force: bool, as_json: bool) -> None:
    """Guard this project: write a policy to start from if there is none, and our entries into Claude Code's settings.

    Shows every change first and asks. What else is in the settings stays as it is, byte for byte.

    \b
    Examples:
      interlock init
      interlock init --dry-run
      interlock init --adopt
      interlock init --scope user --yes
    """
    with reporting():
        root = project_root(Path.cwd())
        file = policy or policy_file(scope, root)
        plan = plan_install(root, scope, adopt=adopt, policy=file.absolute(), starter=STARTER, start_over=force)
        notes = [*_hosts(root), *plan.notices, *_remarks(root, scope, plan)]
        if as_json:
            goes_on = not dry_run and (plan.is_empty or yes)
            if goes_on and not plan.is_empty:
                apply(plan)
            say(to_json({**describe(plan), "policy": str(file), "notices": notes, "written": goes_on}))
            if not goes_on and not dry_run:
                raise InterlockError("nothing was written", help="look at the change and add --yes")
            return
        show(plan, notes)
        if plan.is_empty:
            say("everything is in place")
        elif not dry_run:
            agree(yes)
            kept = apply(plan)
            _done(plan, kept)


def _done(plan: Plan, kept: Iterable[Path]) -> None:
    for change in plan.changes:
        say(f"wrote {change.path}")
    for copy in kept:
        say(f"kept what was there in {copy}")
    if plan.adopted and plan.scope in ("local", "project"):
        say("The policy is trusted as it was shown: the adopted hooks would not run otherwise.")
        say("next: interlock check, then interlock doctor")
    else:
        say("next: interlock check, then interlock trust, then interlock doctor")


def show(plan: Plan, notes: Iterable[str]) -> None:
    """The plan for a person: the change, and what they should know."""
    for line in plan.diff().splitlines():
        click.echo(click.style(visible(line), fg={"+": "green", "-": "red"}.get(line[:1])))
    if plan.installs:
        _listed("adopted into the policy:", adopted_in(plan))
        _listed("not adopted:", plan.stays)
        _listed(RACING, [str(hook) for hook in plan.standing.beside])
    else:
        _listed("put back:", adopted_in(plan))
    for note in notes:
        say(visible(f"note: {note}"))


def adopted_in(plan: Plan) -> list[str]:
    """The hooks that move, each in a line."""
    return [f"{hook.event}: {label(hook.handler)}" for hook in plan.adopted]


def _listed(title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        say(title)
        for line in found:
            say(visible(f"  {line}"))


def agree(yes: bool) -> None:
    """Go on if a person says so."""
    if yes:
        return
    if not _at_terminal():
        raise InterlockError("nothing was written: nobody is at a terminal", help="look at the change and add --yes")
    if not click.confirm("Write this?"):
        raise InterlockError("nothing was written")


def _at_terminal() -> bool:
    return sys.stdin.isatty()


def describe(plan: Plan) -> dict[str, Any]:
    """The plan for a program."""
    return {
        "scope": plan.scope,
        "settings": str(plan.settings),
        "changes": [str(change.path) for change in plan.changes],
        "diff": plan.diff(),
        "events": [event for event in WIRED if event in plan.standing.running],
        "missing": list(plan.standing.missing),
        "beside": [str(hook) for hook in plan.standing.beside],
        "adopted": adopted_in(plan),
        "stays": list(plan.stays),
        "problems": list(plan.standing.problems),
    }


def _hosts(root: Path) -> list[str]:
    """Where Claude Code was found."""
    program = shutil.which("claude")
    signs = [
        *([f"the program {program}"] if program else []),
        *(str(folder) for folder in (root / ".claude", config_folder()) if folder.is_dir()),
    ]
    if signs:
        return [f"found Claude Code: {', '.join(signs)}"]
    return ["found no Claude Code: no program `claude`, no folder .claude; the entries hold as soon as it is here"]


def _remarks(root: Path, scope: Scope, plan: Plan) -> list[str]:
    """What a person should know about where things are."""
    found = []
    if scope == "project":
        found.append("everybody who works here needs `interlock` on their path, or every call is denied")
    elif client_file().is_relative_to(root) or python().is_relative_to(root):
        found.append(f"Interlock is installed inside {root}, where an agent may write; install it elsewhere")
    if scope == "local" and _is_seen_by_git(root, plan.settings):
        found.append(f"git does not ignore {plan.settings}, which holds paths of this machine")
    return found


def _is_seen_by_git(root: Path, file: Path) -> bool:
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return False
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = [git, "-C", str(root), "check-ignore", "-q", str(file)]
    ran = subprocess.run(command, capture_output=True, check=False, timeout=10, env=environment)  # noqa: S603
    return ran.returncode == 1
