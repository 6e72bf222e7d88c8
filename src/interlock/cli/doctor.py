"""`interlock doctor`: check whether this project is really guarded."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, quiet_option, reporting, say, verbose_option, visible
from interlock.cli.host_setup import ALL, FIRST, chosen_hosts, host_option, in_words
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
from interlock.doctor import hosts as others
from interlock.doctor.finding import Finding, first_command, settle
from interlock.doctor.hosts import Drive, HostReport
from interlock.doctor.live import try_agent
from interlock.hosts.base.installing import HostSpot
from interlock.hosts.claude_code.encode import TITLE

__all__ = ["doctor"]

_MARKS = {"ok": ("ok  ", "green"), "note": ("note", "yellow"), "problem": ("BAD ", "red")}
_INDENT = " " * 7


@click.command()
@host_option("Check only these agents; `all`: every one. Without it, those that have entries here.")
@click.option("--live", is_flag=True, help="Also start each agent, with a scripted model in a temporary home.")
@click.option("--client", "client_file", type=click.Path(path_type=Path), help="The Claude Code to check.")
@click.option("--no-canary", is_flag=True, help="Do not send a call that must be denied through the installed entries.")
@quiet_option("Show only problems.")
@verbose_option("Show whole paths.")
@json_option
def doctor(
    hosts: tuple[str, ...],
    live: bool,
    client_file: Path | None,
    no_canary: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Check whether a session started in this folder is really guarded.

    Checks the settings of every agent that asks Interlock here, the policies, the daemon, where Interlock itself is
    installed and the folders around this one. A known-bad call is sent through each installed entry as its agent would
    send it, and the answer is read as that agent reads it.

    With --live, the agents are started as well: in a temporary home that has nothing but their entries, with a model on
    this machine that plays a script. Your own settings, keys and sessions are not used.

    \b
    Examples:
      interlock doctor
      interlock doctor --host codex --live
      interlock doctor --json
      interlock doctor --client ~/.local/bin/claude

    Exits with 1 if there is a problem.
    """
    if live and no_canary:
        raise click.UsageError("--live and --no-canary cannot be used together")
    with reporting():
        start = Path.cwd()
        root = project_root(start)
        everyone = not hosts or ALL in hosts
        names = None if everyone else chosen_hosts(hosts)
        drive = _with_progress(try_agent) if live else None
        agents = list(others.look(root, Path.home(), names, tries=not no_canary, drive=drive))
        guarded = [agent for agent in agents if agent.is_guarded]
        if hosts:
            first = everyone or FIRST in chosen_hosts(hosts)
        else:
            first = client_file is not None or settings.is_meant(start, others=any(agent.scope for agent in agents))
        found = [*client.look(client_file), *settings.look(start, root)] if first else []
        found += policies.look(root)
        # The canary comes before the daemon: it starts one, whose status is then shown.
        found += canary.look(start) if first and not no_canary else []
        found += [finding for agent in agents for finding in agent.findings]
        found += client.without_entries() if everyone and not first else []
        found += [*daemon.look(), *runtime.look(root), *sessions.look(), *hooks.look(), *neighbours.look(start, root)]
        found += [*other_hooks.look(root), *outreach.look()]
        found = settle(found)
        bad = sum(finding.level == "problem" for finding in found)
        if as_json:
            about = {"folder": visible(str(start)), "project": visible(str(root)), "good": not bad}
            listed = [_for_programs(agent) for agent in agents]
            say(to_json({**about, "agents": listed, "findings": found, "first": first_command(found)}))
        else:
            shown = [finding for finding in found if finding.level == "problem" or not quiet]
            say("\n".join(_report(start, shown, verbose=verbose)))
            titles = [*([TITLE] if first else []), *dict.fromkeys(agent.title for agent in guarded)]
            unsure = dict.fromkeys(agent.title for agent in guarded if agent.unsure)
            say(_conclusion(start, found, bad, titles, list(unsure)))
        sys.exit(1 if bad else 0)


def _with_progress(drive: Drive) -> Drive:
    """Say which agent is being started, while it is: that takes a few seconds each."""
    if not sys.stderr.isatty():
        return drive

    def driving(spot: HostSpot) -> Finding:
        click.echo(f"starting {spot.host.title} …", nl=False, err=True)
        try:
            return drive(spot)
        finally:
            click.echo("\r\x1b[K", nl=False, err=True)

    return driving


def _for_programs(agent: HostReport) -> dict[str, Any]:
    """What was found about an agent, without the findings, which are listed with all others."""
    about = {"host": agent.host, "title": agent.title, "scope": agent.scope, "state": agent.state}
    return {**about, "files": list(agent.files), "guarded": agent.is_guarded, "unsure": agent.unsure}


def _report(start: Path, found: list[Finding], *, verbose: bool) -> Iterator[str]:
    width = terminal_width()

    def display_text(text: str) -> str:
        return visible(text if verbose else _with_short_paths(text, start))

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


def _with_short_paths(text: str, start: Path) -> str:
    return text.replace(f"{start}/", "").replace(f"{Path.home()}/", "~/")


def _conclusion(start: Path, found: list[Finding], bad: int, guarded: Sequence[str], unsure: Sequence[str]) -> str:
    if not bad:
        whole = f"This project is guarded: {in_words(guarded)} ask Interlock." if len(guarded) > 1 else ""
        one = "This project is guarded." if guarded == [TITLE] else f"{in_words(guarded)} asks Interlock here."
        runs = "run" if len(unsure) > 1 else "runs"
        doubt = f" It is not known whether {in_words(unsure)} {runs} the entries." if unsure else ""
        return click.style(whole or one, fg="yellow" if unsure else "green") + doubt
    first = next((finding.help for finding in found if finding.level == "problem" and finding.help), "")
    # What it is good for is said where the problem is.
    begin = f" First, {visible(_with_short_paths(first.partition(': ')[0], start))}." if first else ""
    return click.style(f"{bad} problem{'s' * (bad != 1)} found.", fg="red") + begin
