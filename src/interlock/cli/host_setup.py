"""The other agents in `init` and `uninstall`: which are meant, what is shown of them, and what is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct, json
from msgspec.structs import replace

from interlock.cli.common import say, visible
from interlock.cli.screen import Row, say_kept, short, show_list, show_rows, with_short_paths
from interlock.errors import InterlockError, suggest
from interlock.files.edit import FileChange
from interlock.files.git import is_ignored
from interlock.hosts import HOSTS
from interlock.hosts.base.host import Host
from interlock.hosts.base.installing import HostSpot, SetupPlan, apply_setup, plan_removal, plan_setup
from interlock.hosts.base.setup import EntryFile, HostScope
from interlock.hosts.base.trusting import can_grant, grant_trust, trust_file, was_granted, withdraw_trust
from interlock.hosts.claude_code.places import Scope
from interlock.hosts.discovery import agents_here, hosts_with_setup, setups_everywhere, setups_here

__all__ = [
    "ALL",
    "FIRST",
    "HostsPart",
    "chosen_hosts",
    "host_option",
    "in_words",
    "show_steps",
    "spots_for",
    "spots_to_remove",
    "titles",
]

FIRST = "claude-code"
ALL = "all"
F = TypeVar("F", bound=Callable[..., Any])


def host_option(help: str) -> Callable[[F], F]:
    """`--host`, repeated or with commas."""
    return click.option("--host", "hosts", multiple=True, metavar="NAME[,NAME]", help=help)


def chosen_hosts(named: Sequence[str]) -> list[str]:
    """The names of the hosts that a person chose. Raises InterlockError for an unknown one, or if none is named."""
    known = [FIRST, *(host.name for host in hosts_with_setup())]
    found: list[str] = []
    for name in (part.strip().replace("_", "-") for text in named for part in text.split(",")):
        if name == ALL:
            found += known
        elif name in known:
            found.append(name)
        elif name:
            meant = suggest(name, known)
            listed = ", ".join(f"`{one}`" for one in [*known, ALL])
            raise InterlockError(
                f"unknown agent `{name}`; expected {listed}", help=f"did you mean `{meant}`?" if meant else None
            )
    if named and not found:  # as by `--host "$AGENT"` without a value: nothing would be done, and nothing said
        raise InterlockError("--host names no agent", help=f"name one, or `{ALL}`")
    return list(dict.fromkeys(found))


def titles(hosts: Iterable[Host]) -> str:
    """Their names in a sentence."""
    return in_words([host.title for host in hosts])


def in_words(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def spots_for(hosts: Iterable[Host], scope: Scope | None, root: Path, home: Path) -> tuple[list[HostSpot], list[str]]:
    """Where each host is set up, and what is to be said about that. `scope`: the one that a person chose."""
    found, said = [], []
    for host in hosts:
        scopes = host.setup.scopes if host.setup is not None else ()
        if not scopes:
            continue
        wanted: HostScope | None = None if scope is None else "user" if scope == "user" else "project"
        if scope == "managed":
            raise InterlockError(f"{host.title} is not set up for the whole machine", help="use --scope user")
        taken = wanted if wanted in scopes else scopes[0]
        if wanted is not None and taken != wanted:
            where = "for all your projects" if taken == "user" else "for this project"
            said.append(f"{host.title} can only be set up {where}")
        found.append(HostSpot(host=host, scope=taken, root=root, home=home))
    return found, said


def spots_to_remove(
    hosts: Sequence[str] | None, scope: Scope | None, root: Path, home: Path, *, everywhere: bool
) -> list[HostSpot]:
    """The setups that are there and are meant. `hosts`: their names; None means all."""
    found = setups_everywhere(root, home) if everywhere else [state.spot for state in setups_here(root, home)]
    wanted = {None: ("project", "user"), "user": ("user",), "managed": ()}.get(scope, ("project",))
    return [one for one in found if (hosts is None or one.host.name in hosts) and one.scope in wanted]


def offer(named: Sequence[str], scope: Scope | None, root: Path, *, asks: bool) -> HostsPart:
    """What `init` does for other agents: those that are named, or those that are found if a person is asked."""
    home = Path.home()
    if named:
        chosen = [HOSTS[name] for name in chosen_hosts(named) if name != FIRST]
        spots, said = spots_for(chosen, scope, root, home)
        return HostsPart.install(spots, said)
    found = [agent.host for agent in agents_here(root, home)]
    if scope == "managed" or not found:
        return HostsPart()
    if asks:
        spots, said = spots_for(found, scope, root, home)
        return HostsPart.install(spots, said, leave_out=True)
    there = {state.spot.host.name for state in setups_here(root, home) if state.level == "complete"}
    new = [host for host in found if host.name not in there]
    names = ",".join(host.name for host in new)
    note = f"{titles(new)} can be guarded too: interlock init --host {names}"
    return HostsPart(notes=(note,) if new else ())


class HostsPart(Struct, frozen=True, kw_only=True):
    """What `init` or `uninstall` does for agents other than Claude Code."""

    plan: SetupPlan = SetupPlan(spots=(), installs=True)
    notes: tuple[str, ...] = ()
    trusting: tuple[HostSpot, ...] = ()  # hosts that are told to run the entries, or to forget that they were

    @classmethod
    def install(cls, spots: Sequence[HostSpot], notes: Iterable[str] = (), *, leave_out: bool = False) -> HostsPart:
        """`leave_out`: a host whose files cannot be edited is left out with a note, since nobody named it."""
        said = list(notes)
        if leave_out:
            fit = []
            for spot in spots:
                try:
                    plan_setup([spot])
                except InterlockError as error:
                    said.append(f"{spot.host.title} is left out: {error.message}")
                else:
                    fit.append(spot)
            spots = fit
        plan = plan_setup(spots)
        changed = {change.path for change in plan.changes}
        return cls(plan=plan, notes=(*said, *plan.notices, *_git_notes(plan)), trusting=_to_trust(plan, changed))

    @classmethod
    def remove(cls, spots: Sequence[HostSpot], *, goes_on: bool = False) -> HostsPart:
        """`goes_on`: a file that cannot be edited is named in `plan.left`, and the others are still planned."""
        fit, left = list(spots), []
        if goes_on:
            fit = []
            for spot in spots:
                try:
                    plan_removal([spot])
                except InterlockError as error:
                    left.append(error.message)
                else:
                    fit.append(spot)
        plan = plan_removal(fit)
        return cls(plan=replace(plan, left=(*left, *plan.left)), trusting=tuple(filter(was_granted, fit)))

    @property
    def hosts(self) -> list[Host]:
        return list({spot.host.name: spot.host for spot in self.plan.spots}.values())

    @property
    def is_empty(self) -> bool:
        return self.plan.is_empty and not self.trusting

    @property
    def only_keeps(self) -> bool:
        """Whether all that would be taken out stays for another agent."""
        return bool(self.plan.shared) and not self.plan.changes and not self.trusting

    def whom(self) -> str:
        """The agents, and where."""
        parts = []
        for scope, where in (("project", "in this project"), ("user", "in all your projects")):
            there = [spot.host for spot in self.plan.spots if spot.scope == scope]
            parts += [f"{titles(there)} {where}"] if there else []
        return ", and of ".join(parts)

    def rows(self, root: Path) -> list[Row]:
        """What is shown before the question."""
        rows = [_row_of(change, self.plan, root) for change in self.plan.changes]
        rows += [("kept", with_short_paths(text, root)) for text in self._texts_of_shared()]
        for spot in self.trusting:
            file = short(trust_file(spot) or "", root)
            if self.plan.installs:
                rows.append(("trust", f"{spot.host.title} is told to trust them, and records that in {file}"))
            else:
                rows.append(("trust", f"what {spot.host.title} recorded about them in {file} is removed too"))
        return rows + [("note", with_short_paths(note, root)) for note in self.notes]

    def _texts_of_shared(self) -> list[str]:
        """The files that stay for another agent, and what follows from that."""
        found = []
        for spot, note in self.plan.shared:
            whose = titles(HOSTS[name] for name, _, _ in note.holders if name in HOSTS)
            found.append(f"{note.file}: {whose} runs it too, so it stays, and {spot.host.title} still asks Interlock")
        return found

    def show_details(self) -> None:
        for line in self.plan.diff().splitlines():
            click.echo(click.style(visible(line), fg={"+": "green", "-": "red"}.get(line[:1])))
        for note in self.notes:
            say(visible(f"note: {note}"))

    def write(self, root: Path, *, quiet: bool = False) -> tuple[list[str], list[str]]:
        """Write it. Returns the steps that are left to a person, and what could not be taken back."""
        if not self.plan.installs:
            stuck = _withdraw(self.trusting)
            self._apply(root, quiet)
            return [], stuck
        self._apply(root, quiet)
        steps: list[str] = []
        for spot in self.plan.spots:
            steps += _trust_or_steps(spot, tell=spot in self.trusting, quiet=quiet)
        return steps, []

    def show(self, lead: str, root: Path) -> None:
        """Print what is shown before the question, if there is anything."""
        rows = self.rows(root)
        if rows:
            show_rows(f"{lead} {self.whom()}:" if self.plan.spots else "", rows)

    def _apply(self, root: Path, quiet: bool) -> None:
        copies = apply_setup(self.plan)
        if quiet:
            return
        for change in self.plan.changes:
            say(visible(f"{'removed' if change.after is None else 'wrote'} {short(change.path, root)}"))
        say_kept(copies, root)

    def describe(self) -> dict[str, Any]:
        """For a program."""
        return {
            "hosts": [
                {
                    "host": spot.host.name,
                    "scope": spot.scope,
                    "files": [str(file.path) for file in spot.files()],
                    "steps": list(spot.setup.steps(spot.scope, spot.root)) if self.plan.installs else [],
                }
                for spot in self.plan.spots
            ],
            "changes": [str(change.path) for change in self.plan.changes],
            "diff": self.plan.diff(),
            "notices": [*self.notes, *self._texts_of_shared()],
        }


def _to_trust(plan: SetupPlan, changed: set[Path]) -> tuple[HostSpot, ...]:
    """The hosts that would not run the entries unless they are told to, and can be told."""
    found = []
    for spot in plan.spots:
        trust = can_grant(spot)
        if trust is None or _program(spot.host) is None:
            continue
        try:
            new = any(file.path in changed for file in spot.files())
            if new or trust.hindrances(spot.scope, spot.root, spot.home):
                found.append(spot)
        except InterlockError:
            continue  # it cannot be asked, so it cannot be told
    return tuple(found)


def _program(host: Host) -> str | None:
    import shutil  # noqa: PLC0415 - only where a host is told to trust

    programs = host.setup.programs if host.setup is not None else ()
    return next((path for program in programs if (path := shutil.which(program)) is not None), None)


def _trust_or_steps(spot: HostSpot, *, tell: bool, quiet: bool) -> list[str]:
    """What is left to a person so that the host runs the entries, once it was told to, if it can be."""
    title, setup, where = spot.host.title, spot.setup, (spot.scope, spot.root, spot.home)
    steps = [f"{title}: {step}" for step in setup.steps(spot.scope, spot.root)]
    trust = setup.trust
    try:
        off = [
            f"{title}: change `{one.key}` in {one.file}: it switches off {one.what}"
            for one in setup.switched_off(*where)
        ]
        if trust is None:
            return steps + off
        if tell:
            grant_trust(spot)
            if not quiet:
                say(f"{title} trusts the entries")
            return off
        return [*(steps if trust.hindrances(*where) else []), *off]
    except InterlockError as error:
        if tell and not quiet:
            say(visible(f"{title} could not be told to trust the entries: {error.message}"))
        return steps


def _withdraw(spots: Iterable[HostSpot]) -> list[str]:
    stuck = []
    for spot in spots:
        try:
            withdraw_trust(spot)
        except InterlockError as error:
            file = trust_file(spot)
            stuck.append(f"what {spot.host.title} recorded about the entries stays in {file}: {error.message}")
    return stuck


def _row_of(change: FileChange, plan: SetupPlan, root: Path) -> Row:
    name = short(change.path, root)
    owners = [one for one in plan.spots if any(file.path == change.path for file in one.files())]
    whose = titles(list({one.host.name: one.host for one in owners}.values()))
    listed = [
        entry
        for one in owners
        for file in one.files()
        if file.path == change.path and isinstance(file, EntryFile)
        for entry in file.entries
    ]
    number = len({json.encode(entry) for entry in listed})
    entries = f"{number} {'entry' if number == 1 else 'entries'}" if number else "Interlock's own file"
    if change.after is None:
        return "removed", f"{name}: it contains nothing else"
    if change.before is None:
        return "new", f"{name}: {entries} for {whose}"
    if change.before == change.after:
        return "changed", f"{name}: made executable"
    if not plan.installs:
        return "changed", f"{name}: without the entries for {whose}; the rest stays as it is"
    rest = "the rest stays as it is" if number else "written anew"
    return "changed", f"{name}: {entries} for {whose}; {rest}"


def _git_notes(plan: SetupPlan) -> list[str]:
    """A project's files name paths of this machine, which no colleague can use."""
    seen = [
        file.path
        for spot in plan.spots
        if spot.scope == "project"
        for file in spot.files()
        if not is_ignored(spot.root, file.path)
    ]
    names = [str(path) for path in dict.fromkeys(seen)]
    contain, them = ("contains", "it") if len(names) == 1 else ("contain", "them")
    said = f"git does not ignore {in_words(names)}, which {contain} paths of this machine: do not commit {them}"
    return [said] if names else []


def show_steps(steps: Sequence[str]) -> None:
    """What is left to a person, numbered."""
    if steps:
        show_list("Before these agents ask Interlock, do this:", steps)
