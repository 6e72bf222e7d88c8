"""`interlock doctor`: check whether this project is really guarded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, quiet_option, reporting, say, verbose_option, visible
from interlock.cli.layout import terminal_width, wrap_lines
from interlock.config.places import project_root
from interlock.doctor import (
    canary,
    client,
    daemon,
    hooks,
    neighbours,
    other_hooks,
    outreach,
    policies,
    runtime,
    sessions,
    settings,
)
from interlock.doctor.finding import Finding, first_command, settle

__all__ = ["doctor"]

_MARKS = {"ok": ("ok  ", "green"), "note": ("note", "yellow"), "problem": ("BAD ", "red")}
_INDENT = " " * 7


@click.command()
@click.option("--client", "client_file", type=click.Path(path_type=Path), help="The Claude Code to check.")
@click.option("--no-canary", is_flag=True, help="Do not send a known-bad call through the installed entries.")
@quiet_option("Show only problems.")
@verbose_option("Show whole paths.")
@json_option
def doctor(client_file: Path | None, no_canary: bool, quiet: bool, verbose: bool, as_json: bool) -> None:
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
        found += [*other_hooks.look(root), *outreach.look()]
        found = settle(found)
        bad = sum(finding.level == "problem" for finding in found)
        if as_json:
            about = {"folder": visible(str(start)), "project": visible(str(root)), "good": not bad}
            say(to_json({**about, "findings": found, "first": first_command(found)}))
        else:
            shown = [finding for finding in found if finding.level == "problem" or not quiet]
            say("\n".join(_report(start, shown, verbose=verbose)))
            say(_conclusion(found, bad))
        sys.exit(1 if bad else 0)


def _report(start: Path, found: list[Finding], *, verbose: bool) -> Iterator[str]:
    width = terminal_width()

    def display_text(text: str) -> str:
        return visible(text if verbose else text.replace(f"{start}/", "").replace(f"{Path.home()}/", "~/"))

    def wrap(text: str, first: str, rest: str) -> Iterator[str]:
        # Only at a terminal: programs that search the text find whole sentences.
        lines = [text] if width is None else wrap_lines(text, max(width - len(rest), 20))
        for number, line in enumerate(lines):
            yield (first if number == 0 else rest) + line

    yield visible(str(start))
    for finding in found:
        mark, colour = _MARKS[finding.level]
        yield from wrap(display_text(f"{finding.about}: {finding.text}"), f"  {click.style(mark, fg=colour)} ", _INDENT)
        for detail in finding.details:
            yield from wrap(display_text(detail), f"{_INDENT}· ", f"{_INDENT}  ")
        if finding.help:
            yield from wrap(display_text(finding.help), f"{_INDENT}→ ", f"{_INDENT}  ")


def _conclusion(found: list[Finding], bad: int) -> str:
    if not bad:
        return click.style("This project is guarded.", fg="green")
    first = next((finding.help for finding in found if finding.level == "problem" and finding.help), "")
    begin = f" First, {visible(first)}." if first else ""
    return click.style(f"{bad} problem{'s' * (bad != 1)} found.", fg="red") + begin
