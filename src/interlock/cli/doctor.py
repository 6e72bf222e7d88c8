"""`interlock doctor`: check whether this project is really guarded."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.config.places import project_root
from interlock.doctor import canary, client, daemon, hooks, neighbours, policies, runtime, sessions, settings
from interlock.doctor.finding import Finding

__all__ = ["doctor"]

_MARKS = {"ok": "ok  ", "note": "note", "problem": "BAD "}


@click.command()
@click.option("--client", "client_file", type=click.Path(path_type=Path), help="The Claude Code to check.")
@click.option("--no-canary", is_flag=True, help="Do not send a known-bad call through the installed entries.")
@json_option
def doctor(client_file: Path | None, no_canary: bool, as_json: bool) -> None:
    """Check whether a session started in this folder is really guarded.

    Checks the client, the settings, the policies, the daemon, where Interlock itself is installed and the folders
    around this one, and sends a known-bad call.

    \b
    Examples:
      interlock doctor
      interlock doctor --json
      interlock doctor --client ~/.local/bin/claude

    Exits with 1 if there is a problem.
    """
    with reporting():
        start = Path.cwd()
        root = project_root(start)
        found = [*client.look(client_file), *settings.look(start, root), *policies.look(root)]
        # The canary comes before the daemon: it starts one, whose status is then shown.
        found += [] if no_canary else canary.look(start)
        found += [*daemon.look(), *runtime.look(root), *sessions.look(), *hooks.look(), *neighbours.look(start, root)]
        bad = sum(finding.level == "problem" for finding in found)
        say(
            to_json({"folder": visible(str(start)), "project": visible(str(root)), "good": not bad, "findings": found})
            if as_json
            else _report(start, found, bad)
        )
        sys.exit(1 if bad else 0)


def _report(start: Path, found: list[Finding], bad: int) -> str:
    lines = [visible(str(start))]
    for finding in found:
        lines.append(f"  {_MARKS[finding.level]} {finding.about}: {visible(finding.text)}")
        lines += [f"       → {visible(finding.help)}"] if finding.help else []
    lines.append(f"{bad} problem{'s' * (bad != 1)} found." if bad else "This project is guarded.")
    return "\n".join(lines)
