"""`interlock init`: guard this project with a policy to start from and entries in the host's settings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.config.layers import candidates
from interlock.config.places import project_root, socket_path
from interlock.config.trust import Trust
from interlock.daemon.control import stop as stop_daemon
from interlock.doctor.client import find_client, version_of
from interlock.errors import InterlockError
from interlock.hosts.claude_code.address import (
    Address,
    choose_address,
    client_problem,
    keep_address,
    proxy_problem,
    read_address,
)
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.installer import Plan, apply, plan_install
from interlock.hosts.claude_code.places import SCOPES, Scope, client_file, config_folder, policy_file, python
from interlock.hosts.claude_code.settings_state import label, settings_state

__all__ = ["READY", "STARTER", "agree", "describe", "init", "scope_option", "show", "starter"]

READY = {
    "guarded": "disasters are denied, risky calls are asked about",
    "strict": "calls that are not provably harmless are asked about",
    "autonomous": "no questions: calls are denied or left to the host",
}

_STARTER = """\
# What agents may do in this project. Check it with `interlock check`, try it with `interlock explain "git push -f"`.
version: 1

packs: [%s]    # %s

rules:
  - id: generated-files
    about: Only the build writes generated files.
    kind: edit
    path: {write: [dist/, build/, "*.lock"]}
    deny: "${match.path} is generated. Change its source and run the build."
    cases:
      catch: [{Write: dist/app.js}, {Edit: package.lock}]
      pass: [{Write: src/app.js}, {Read: dist/app.js}]
"""


def starter(ready: str) -> str:
    """A policy to start from that uses one of the ready ones."""
    return _STARTER % (ready, READY[ready])


STARTER = starter("guarded")

RACING = "other hooks run beside Interlock; if two change a call, the last one wins (--adopt moves those of --scope):"

scope_option = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="local",
    show_default=True,
    help="Whose settings: yours in this project, everyone's in this project, yours in all projects, the machine's.",
)


@click.command()
@scope_option
@click.option("--adopt", is_flag=True, help="Move the hooks in those settings into the policy.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--policy",
    "policy",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the policy to this file instead of the usual place.",
)
@click.option(
    "--transport",
    type=click.Choice(["auto", "spawn", "http"]),
    default="auto",
    show_default=True,
    help="How calls reach Interlock: a process each, HTTP on this machine (faster), or HTTP where that is as safe.",
)
@click.option("--client", "client", type=click.Path(path_type=Path), help="The Claude Code that will use the entries.")
@click.option(
    "--start",
    "ready",
    type=click.Choice(list(READY)),
    default="guarded",
    show_default=True,
    help="The ready policy to start from: " + "; ".join(f"{name}, {what}" for name, what in READY.items()) + ".",
)
@click.option("--force", is_flag=True, help="Start a new policy; the existing one is kept beside it as *.before.")
@json_option
def init(
    scope: Scope,
    adopt: bool,
    yes: bool,
    dry_run: bool,
    policy: Path | None,
    transport: str,
    client: Path | None,
    ready: str,
    force: bool,
    as_json: bool,
) -> None:
    """Guard this project: write a policy if there is none, and add Interlock's entries to Claude Code's settings.

    Shows every change first and asks. Everything else in the settings stays as it is, byte for byte.

    \b
    Examples:
      interlock init
      interlock init --dry-run
      interlock init --adopt
      interlock init --start strict
      interlock init --scope user --yes
      interlock init --transport spawn
    """
    with reporting():
        root = project_root(Path.cwd())
        file = policy or policy_file(scope, root)
        address, how = _choose_transport(transport, root, scope, client)
        planned = partial(
            plan_install, root, scope, adopt=adopt, policy=file.absolute(), starter=starter(ready), start_over=force
        )
        plan = planned(address=address)
        if transport == "auto" and address is not None and plan.hindered:
            # A setting such as `allowedHttpHookUrls` may keep entries over HTTP from running; others would run.
            address, how = None, tuple(f"each call starts a process: {why}" for why in plan.hindered)
            plan = planned(address=None)
        notes = [*_hosts(root), *how, *plan.notices, *_remarks(root, scope, plan)]
        if as_json:
            goes_on = not dry_run and (plan.is_empty or yes)
            if goes_on and not plan.is_empty:  # JSON is for programs, and a program cannot be asked: it must say --yes
                _write(plan, address)
            say(to_json({**describe(plan), "policy": str(file), "notices": notes, "written": goes_on}))
            if not goes_on and not dry_run:
                raise InterlockError("nothing was written", help="look at the change and add --yes")
            if goes_on:
                _check_runs(plan)
            return
        show(plan, notes)
        if plan.is_empty:
            say("everything is in place")
        elif not dry_run:
            agree(yes)
            _report(plan, root, _write(plan, address))
        if not dry_run:  # even if nothing was to be written: another file may keep the entries from running
            _check_runs(plan)


def _choose_transport(
    transport: str, root: Path, scope: Scope, client: Path | None
) -> tuple[Address | None, tuple[str, ...]]:
    """Where calls are sent over HTTP, or None if each starts a process; and a word about it if nobody chose it."""
    if transport == "spawn":
        return None, ()
    try:
        address = _address(root, scope, client)
    except InterlockError as error:
        if transport == "http":
            raise
        # Spawning is always safe, so it is what is left; the reason is only worth a line if somebody could change it.
        quiet = scope == "project" or find_client(client) is None
        return None, () if quiet else (f"each call starts a process: {error.message}",)
    if transport == "http":
        return address, ()
    return address, ("calls go over HTTP on this machine, which saves a process each (`--transport spawn` does not)",)


def _address(root: Path, scope: Scope, client: Path | None) -> Address:
    """Where calls are sent over HTTP. Refused if the client would let calls through on a failure, or uses a proxy."""
    if scope == "project":
        raise InterlockError(
            "a port and a token of this machine do not belong in a shared file", help="use another --scope"
        )
    if not Path("/proc/net/tcp").exists():
        raise InterlockError("this system does not say which process sent an HTTP request", help="use spawn")
    found = find_client(client)
    version = version_of(found) if found is not None else None
    if version is None:
        raise InterlockError("the version of Claude Code is not known", help="name the program with --client")
    environment: dict[str, str] = {}
    # The files are in order of precedence, so the strongest is read last and its variables win.
    for file in reversed(settings_state(root).files):
        environment |= file.settings.env if file.settings is not None else {}
    problem = client_problem(".".join(map(str, version))) or proxy_problem(os.environ, environment)
    if problem is not None:
        raise InterlockError(problem, help="use `--transport spawn`")
    return read_address(socket_path().parent) or choose_address()


def _write(plan: Plan, address: Address | None) -> list[Path]:
    """Write the plan. A running daemon is stopped, so that the next one listens at the new address."""
    if address is not None and read_address(socket_path().parent) != address:
        keep_address(socket_path().parent, address)
        stop_daemon(socket_path())
    return list(apply(plan))


def _report(plan: Plan, root: Path, kept: Iterable[Path]) -> None:
    for change in plan.changes:
        say(f"wrote {change.path}")
    for copy in kept:
        say(f"kept the previous version in {copy}")
    if plan.adopted and plan.scope in ("local", "project"):
        say("The policy is trusted as it was shown; otherwise the adopted hooks would not run.")
    waiting = any(
        file.is_file() and not Trust().holds(file) for layer, file in candidates(root) if layer in ("local", "project")
    )
    say(f"next: interlock check, then {'interlock trust, then ' if waiting else ''}interlock doctor")


def _check_runs(plan: Plan) -> None:
    """Fail if the entries would not run: they are in the file, but the project is not guarded."""
    if plan.hindered:
        why = "; ".join(plan.hindered)
        raise InterlockError(
            f"Interlock's entries would not all run: {why}", help="correct that, then run `interlock doctor`"
        )


def show(plan: Plan, notes: Iterable[str]) -> None:
    """Show a person the plan: the change, and what they should know about it."""
    for line in plan.diff().splitlines():
        click.echo(click.style(visible(line), fg={"+": "green", "-": "red"}.get(line[:1])))
    if plan.installs:
        _print_list("adopted into the policy:", lines_of_moves(plan))
        _print_list("not adopted:", plan.stays)
        _print_list(RACING, [str(hook) for hook in plan.afterwards.beside])
    else:
        _print_list("put back:", lines_of_moves(plan))
    for note in notes:
        say(visible(f"note: {note}"))
    for why in plan.hindered:
        say(visible(f"note: Interlock's entries would not all run: {why}"))


def lines_of_moves(plan: Plan) -> list[str]:
    """The hooks that move, one on each line."""
    return [f"{hook.event}: {label(hook.handler)}" for hook in plan.adopted]


def _print_list(title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        say(title)
        for line in found:
            say(visible(f"  {line}"))


def agree(yes: bool) -> None:
    """Ask a person whether to write the change. Raises InterlockError unless they agree."""
    if yes:
        return
    if not _at_terminal():
        raise InterlockError(
            "nothing was written: there is no terminal to ask at", help="look at the change and add --yes"
        )
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
        "events": [event for event in WIRED if event in plan.afterwards.running],
        "missing": list(plan.afterwards.missing),
        "beside": [str(hook) for hook in plan.afterwards.beside],
        "adopted": lines_of_moves(plan),
        "stays": list(plan.stays),
        "problems": [*plan.hindered, *plan.afterwards.problems],
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
    return ["Claude Code was not found: no program `claude`, no folder .claude; the entries work once it is installed"]


def _remarks(root: Path, scope: Scope, plan: Plan) -> list[str]:
    """What a person should know about where things are."""
    found = []
    if scope == "project":
        found.append("everyone who works here needs `interlock` on their PATH, or every call is denied")
    elif client_file().is_relative_to(root) or python().is_relative_to(root):
        found.append(f"Interlock is installed inside {root}, where an agent may write; install it elsewhere")
    if scope == "local" and _is_seen_by_git(root, plan.settings):
        found.append(f"git does not ignore {plan.settings}, which contains paths of this machine")
    return found


def _is_seen_by_git(root: Path, file: Path) -> bool:
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return False
    # GIT_* variables could make git look at another repository than this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = [git, "-C", str(root), "check-ignore", "-q", str(file)]
    ran = subprocess.run(command, capture_output=True, check=False, timeout=10, env=environment)  # noqa: S603
    return ran.returncode == 1
