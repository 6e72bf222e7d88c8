"""`interlock init`: guard this project with a policy to start from and entries in the host's settings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from msgspec import Struct

from interlock.cli.agreement import agree, at_terminal, dry_run_option, show_diff_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.cli.host_setup import FIRST, HostsPart, chosen_hosts, host_option, offer, show_steps
from interlock.cli.init_others import init_others
from interlock.cli.screen import (
    MOST_LINES,
    Row,
    beside_row,
    lines_of_moves,
    rows_of,
    say_kept,
    short,
    show_details,
    show_rows,
    with_short_paths,
)
from interlock.config.layers import candidates, layers_of
from interlock.config.places import project_root, socket_path
from interlock.config.trust import Trust
from interlock.daemon.control import stop as stop_daemon
from interlock.doctor.client import find_client, version_of
from interlock.doctor.other_hooks import mistakes_in_hooks
from interlock.errors import InterlockError, Source
from interlock.files.git import is_ignored
from interlock.hosts.base.launcher import write_launcher
from interlock.hosts.claude_code.address import (
    Address,
    choose_address,
    client_problem,
    keep_address,
    proxy_problem,
    read_address,
)
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.installer import Plan, apply, plan_install, plan_policy
from interlock.hosts.claude_code.places import SCOPES, Scope, client_file, policy_file, python
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.policy.positions import read_yaml

__all__ = ["READY", "STARTER", "describe", "init", "starter"]

_MOST_CALLS, _SECONDS = 3000, 3.0  # of the past: a person waits for the line that it becomes
READY = {
    "guarded": "disasters are denied, risky calls are asked about",
    "strict": "calls that are not provably harmless are asked about",
    "autonomous": "no questions: calls are denied or left to the host",
}

_STARTER = """\
# What agents may do in this project. Check it with `interlock check`, try it with `interlock explain "git push -f"`.
version: 1

packs: [%s]    # %s
%s
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


# Shorter than the entries tell the host to wait for an answer.
_WAIT = """\
inbox: {wait: 8m}    # how long a call waits for your answer where the agent shows no prompts; see `interlock inbox`
"""


def starter(ready: str) -> str:
    """A policy to start from that uses one of the ready ones."""
    return _STARTER % (ready, READY[ready], "" if ready == "autonomous" else _WAIT)


STARTER = starter("guarded")

scope_option = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="local",
    show_default=True,
    help="Whose settings: yours in this project, everyone's in this project, yours in all projects, the machine's.",
)


@click.command()
@host_option("Guard these agents; `all`: every one. Without it, Claude Code, and the others you agree to when asked.")
@scope_option
@click.option("--adopt", is_flag=True, help="Move the hooks in those settings into the policy.")
@yes_option
@dry_run_option
@show_diff_option
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
@click.pass_context
def init(
    context: click.Context,
    hosts: tuple[str, ...],
    scope: Scope,
    adopt: bool,
    yes: bool,
    dry_run: bool,
    show_diff: bool,
    policy: Path | None,
    transport: str,
    client: Path | None,
    ready: str,
    force: bool,
    as_json: bool,
) -> None:
    """Guard this project: write a policy if there is none, and add Interlock's entries to the settings of agents.

    Says what will change, and asks. Everything else in the settings stays as it is, byte for byte. Without --host,
    Claude Code is set up; at a terminal, the other agents that are found are offered too.

    \b
    Examples:
      interlock init
      interlock init --host codex,gemini
      interlock init --show-diff --dry-run
      interlock init --adopt
      interlock init --start strict
      interlock init --scope user --yes
      interlock init --transport spawn
    """
    with reporting():
        root = project_root(Path.cwd())
        file = (policy or policy_file(scope, root)).absolute()
        if context.get_parameter_source("ready") == ParameterSource.COMMANDLINE and not force:
            _check_starts(file, ready)
        chose = context.get_parameter_source("scope") == ParameterSource.COMMANDLINE
        others = offer(hosts, scope if chose else None, root, asks=at_terminal() and not (yes or dry_run or as_json))
        if hosts and FIRST not in chosen_hosts(hosts):
            alone = plan_policy(root, scope, file, starter(ready), start_over=force)
            about = f"pack `{ready}`, {READY[ready]}"
            init_others(others, alone, root, about, yes=yes, dry_run=dry_run, show_diff=show_diff, as_json=as_json)
            return
        found = _client(client, asked=transport != "spawn")
        address, how = _choose_transport(transport, root, scope, found)
        planned = partial(plan_install, root, scope, adopt=adopt, policy=file, starter=starter(ready), start_over=force)
        plan = planned(address=address)
        if transport == "auto" and address is not None and plan.hindered:
            # A setting such as `allowedHttpHookUrls` may keep entries over HTTP from running; others would run.
            address, how = None, "; ".join(f"each call starts a process: {why}" for why in plan.hindered)
            plan = planned(address=None)
        client_row = ("client", f"{found.text(root)}{'; ' if how else ''}{how}")
        notes = [*plan.notices, *_remarks(root, scope, plan)]
        is_empty = plan.is_empty and others.is_empty
        if as_json:
            goes_on = not dry_run and (is_empty or yes)
            if goes_on and not plan.is_empty:  # JSON is for programs, and a program cannot be asked: it must say --yes
                _write(plan, address)
            steps = others.write(root, quiet=True)[0] if goes_on else []
            told = {"policy": str(policy or file), "client": client_row[1], "notices": notes, "written": goes_on}
            say(to_json({**describe(plan), **told, "others": {**others.describe(), "steps": steps}}))
            if not goes_on and not dry_run:
                raise InterlockError("nothing was written", help="look at the change and add --yes")
            if goes_on:
                _check_runs(plan)
            return
        if is_empty:
            say("everything is in place")
            rows = [*rows_of(plan, root), *beside_row(plan, adopt), *_note_rows(notes, root)]
            show_rows("", [*rows, *others.rows(root)])
        else:
            details = partial(_show_everything, plan, [client_row[1], *notes], others)
            if show_diff:
                details()
            rows = [
                *rows_of(plan, root, f"pack `{ready}`, {READY[ready]}"),
                *_policy_row(plan, file, root),
                *beside_row(plan, adopt),
                client_row,
            ]
            asks = not yes and not dry_run
            show_rows(_headline(scope, root), [*rows, *_note_rows(notes, root)], most=MOST_LINES if asks else None)
            others.show("And every call of", root)
            if not dry_run:
                agree(yes, details=None if show_diff else details)
                _say_written(plan, root, _write(plan, address))
                steps = others.write(root)[0]
                _say_next(root)
                show_steps(steps)
        if not dry_run:  # even if nothing was to be written: another file may keep the entries from running
            _check_runs(plan)


def _show_everything(plan: Plan, notes: Iterable[str], others: HostsPart) -> None:
    show_details(plan, notes)
    others.show_details()


def _headline(scope: Scope, root: Path) -> str:
    where = {
        "local": f"in {short(root, root)}",
        "project": f"in {short(root, root)}, for everyone who works there",
        "user": "in all your projects",
        "managed": "on this machine, for every user",
    }
    return f"Interlock will judge every call of Claude Code {where[scope]}:"


def _note_rows(notes: Iterable[str], root: Path) -> list[Row]:
    return [("note", with_short_paths(note, root)) for note in notes]


def _policy_row(plan: Plan, file: Path, root: Path) -> Iterator[Row]:
    """The policy that is there and stays."""
    if file.is_file() and all(change.path != file for change in plan.changes):
        yield "policy", f"{short(file, root)} stays as it is"


def _check_starts(file: Path, ready: str) -> None:
    """Refuse to start with a ready policy where there is a policy that does not use it: nothing would change."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        raise InterlockError(f"cannot read `{file}`: {error}") from error
    top = read_yaml(text, str(file)).root.value
    packs = top.get("packs") if isinstance(top, dict) else None
    named = packs.plain() if packs is not None else None
    if ready in (named if isinstance(named, list) else [named]):
        return
    place = Source(str(file), packs.source.line) if packs is not None else None
    instead = "change that line to" if packs is not None else "add the line"
    raise InterlockError(
        f"`{file}` is there already, so `--start {ready}` changes nothing",
        place,
        f"{instead} `packs: [{ready}]`, or start a new policy with --force",
    )


class _Client(Struct, frozen=True):
    """The Claude Code that will use the entries, as far as it was found."""

    path: Path | None
    version: tuple[int, ...] | None = None

    def text(self, root: Path) -> str:
        if self.path is None:
            return "Claude Code was not found; the entries wait until it is installed"
        version = f" {'.'.join(map(str, self.version))}" if self.version is not None else ""
        return f"Claude Code{version} ({short(self.path, root)})"


def _client(named: Path | None, *, asked: bool) -> _Client:
    """Find the client; `asked` for its version too, which takes a moment."""
    found = find_client(named)
    if found is None and named is not None:
        raise InterlockError(
            f"there is no program `{named}`", help="give the path of Claude Code, or leave out --client"
        )
    return _Client(found, version_of(found) if found is not None and asked else None)


def _choose_transport(transport: str, root: Path, scope: Scope, client: _Client) -> tuple[Address | None, str]:
    """Where calls are sent over HTTP, or None if each starts a process; and a word about it if nobody chose it."""
    if transport == "spawn":
        return None, ""
    try:
        address = _address(root, scope, client)
    except InterlockError as error:
        if transport == "http":
            raise
        # Spawning is always safe, so it is what is left; the reason is only worth a line if somebody could change it.
        quiet = scope == "project" or client.path is None
        return None, "" if quiet else f"each call starts a process: {error.message}"
    return address, "calls go over HTTP on this machine"


def _address(root: Path, scope: Scope, client: _Client) -> Address:
    """Where calls are sent over HTTP. Refused if the client would let calls through on a failure, or uses a proxy."""
    if scope == "project":
        raise InterlockError(
            "a port and a token of this machine do not belong in a shared file", help="use another --scope"
        )
    if not Path("/proc/net/tcp").exists():
        raise InterlockError("this system does not say which process sent an HTTP request", help="use spawn")
    if client.version is None:
        raise InterlockError("the version of Claude Code is not known", help="name the program with --client")
    environment: dict[str, str] = {}
    # The files are in order of precedence, so the strongest is read last and its variables win.
    for file in reversed(settings_state(root).files):
        environment |= file.settings.env if file.settings is not None else {}
    problem = client_problem(".".join(map(str, client.version))) or proxy_problem(os.environ, environment)
    if problem is not None:
        raise InterlockError(problem, help="use `--transport spawn`")
    return read_address(socket_path().parent) or choose_address()


def _write(plan: Plan, address: Address | None) -> list[Path]:
    """Write the plan. A running daemon is stopped, so that the next one listens at the new address."""
    if address is not None and read_address(socket_path().parent) != address:
        keep_address(socket_path().parent, address)
        stop_daemon(socket_path())
    return list(apply(plan))


def _say_written(plan: Plan, root: Path, kept: Iterable[Path]) -> None:
    trusted = {policy for policy in plan.trusted if Trust().holds(policy)}
    for change in plan.changes:
        say(f"wrote {short(change.path, root)}{' and trusted it' if change.path in trusted else ''}")
    say_kept(kept, root)


def _say_next(root: Path) -> None:
    waiting = any(
        file.is_file() and not Trust().holds(file) for layer, file in candidates(root) if layer in ("local", "project")
    )
    if waiting:
        show_rows("Your policy can only deny and ask until you trust it. Next: interlock trust", [])
    else:
        show_rows("Every call is judged from the next session on. To see it work: interlock doctor", [])
    if mistakes := mistakes_in_hooks(root):
        show_rows(f"There may be {mistakes} in your other hooks. To see them: interlock lint", [])
    if (line := _past(root)) is not None:
        show_rows(line, [])


def _past(root: Path) -> str | None:
    """What the policies that hold now would have done with the last calls, in one line."""
    from interlock.replay.summary import line_for  # noqa: PLC0415 - only here, and only once something was written

    try:
        policies = [layer.in_force for layer in layers_of(root)]
    except InterlockError:  # `interlock check` says what is wrong with a policy
        return None
    return line_for(root, policies, _MOST_CALLS, _SECONDS)


def _check_runs(plan: Plan) -> None:
    """Fail if the entries would not run: they are in the file, but the project is not guarded."""
    if plan.scope != "project":
        write_launcher()  # it may have been lost since they were written
    if plan.hindered:
        why = "; ".join(plan.hindered)
        raise InterlockError(
            f"Interlock's entries would not all run: {why}", help="correct that, then run `interlock doctor`"
        )


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


def _remarks(root: Path, scope: Scope, plan: Plan) -> list[str]:
    """What a person should know about where things are."""
    found = []
    if scope == "project":
        found.append("everyone who works here needs `interlock` on their PATH, or every call is denied")
    elif client_file().is_relative_to(root) or python().is_relative_to(root):
        found.append(f"Interlock is installed inside {root}, where an agent may write; install it elsewhere")
    if scope == "local" and not is_ignored(root, plan.settings):
        found.append(f"git does not ignore {plan.settings}, which contains paths of this machine")
    return found
