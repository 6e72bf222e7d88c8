"""`interlock replay`: judge past sessions again, and show what a policy would have done."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import click

from interlock.cli.common import (
    INTERRUPTED,
    json_option,
    named_policies,
    policies,
    policy_option,
    reporting,
    say,
    time_of,
)
from interlock.cli.replay_report import Report, report_json, report_text
from interlock.config.bundles import core_policy, find_pack
from interlock.config.places import POLICY_NAME, project_root
from interlock.errors import InterlockError
from interlock.judging.in_force import policies_in_force
from interlock.policy.load import Policy, load_policy
from interlock.replay.compare import Comparison
from interlock.replay.faults import Faults
from interlock.replay.habits import HabitSuggestion, habits_of, suggestions_from
from interlock.replay.judge import PastJudge
from interlock.replay.limits import unknown_parts
from interlock.replay.lines import Progress, no_progress
from interlock.replay.other import other_policies
from interlock.replay.playback import Scene, play
from interlock.replay.record import play_record
from interlock.replay.sources import check_places, find_sessions, in_order, of_project, transcripts_folder
from interlock.replay.suggest import Exceptions, suggest
from interlock.replay.tally import ReplayTally
from interlock.store.place import read_store, store_file

__all__ = ["replay"]


@click.command()
@click.argument("places", nargs=-1, metavar="[TRANSCRIPT]...", type=click.Path(path_type=Path))
@click.option("--pack", "pack", help="Judge by this shipped pack instead of the policies that apply in this project.")
@policy_option
@click.option("--against", metavar="OTHER", help="Show only what differs from this policy file, pack or git revision.")
@click.option("--suggest", "wants_advice", is_flag=True, help="Propose changes to rules that ask often, as measured.")
@click.option("--rule", help="Show every call that this rule would have caught.")
@click.option("--since", help="Count only calls of the last 30d, 12h, …, or from a time on (2026-11-16T10:00).")
@click.option(
    "--project", type=click.Path(path_type=Path, file_okay=False), help="Read only sessions that began in this folder."
)
@click.option("--log", "from_record", is_flag=True, help="Read Interlock's own record instead of transcripts.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress bar.")
@json_option
def replay(
    places: tuple[Path, ...],
    pack: str | None,
    policy_file: Path | None,
    against: str | None,
    wants_advice: bool,
    rule: str | None,
    since: str | None,
    project: Path | None,
    from_record: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Judge the calls of past sessions, and show what this policy would have denied, asked about or changed.

    Reads the transcripts of Claude Code in all projects, or the files and folders that are given. Each session is
    judged in its own folder, with its own state, time and branch. Nothing is run or recorded.

    \b
    Examples:
      interlock replay
      interlock replay --pack strict --since 30d --project .
      interlock replay --rule git/hard-reset
      interlock replay --against HEAD~1
      interlock replay --suggest
      interlock replay session.jsonl --policy interlock.yaml --json

    ^C ends it early, and shows what was found so far.
    """
    with reporting():
        if from_record and places:
            raise InterlockError("--log reads no transcripts", help="leave out --log, or the transcripts")
        if wants_advice and against is not None:
            raise InterlockError("--suggest and --against cannot be used together", help="give one of them")
        titles, acting = _acting(pack, policy_file, wants_advice)
        report = Report(titles=titles, tally=ReplayTally(1 if against else 0, keep=rule), rule=rule)
        judges = [PastJudge(acting)]
        if against is not None:
            file = policy_file or project_root(Path.cwd()) / POLICY_NAME
            report.other, other, compared = other_policies(against, file, acting)
            if compared is not acting:  # a revision is that of one file
                report.titles, acting = [str(file)], compared
            judges = [PastJudge(other), PastJudge(acting)]
            report.comparison = Comparison()
        _check_rule(rule, acting)
        past = (
            _Record(project, time_of(since) or 0.0)
            if from_record
            else _Transcripts(places, project, time_of(since) or 0.0)
        )
        report.source = past.source
        exceptions = Exceptions()
        try:
            with _bar(past.size, quiet=quiet) as progress:
                for scene in past.play(judges, progress):
                    report.add(scene)
                    if wants_advice:
                        exceptions.add(scene)
            if wants_advice:
                report.suggestions = []
                if not quiet and sys.stderr.isatty():
                    click.echo("measuring suggestions; ^C shows those that were found so far", err=True)
                for one in suggest(acting, report.tally, exceptions, past.play_again):
                    report.suggestions.append(one)
                own = pack is None and policy_file is None
                for habit in _from_habits(acting, project_root(Path.cwd()) if own else None, time_of(since) or 0.0):
                    report.habits.append(habit)
        except KeyboardInterrupt:
            report.interrupted = True
        report.unknown = unknown_parts(acting, judges[-1])
        report.faults = past.faults.all()
        say(report_json(report) if as_json else report_text(report))
        sys.exit(INTERRUPTED if report.interrupted else 0)


def _from_habits(acting: Sequence[Policy], project: Path | None, since: float) -> Iterator[HabitSuggestion]:
    """What people approve again and again, whatever was replayed: their answers are only in Interlock's record."""
    if not store_file().is_file():
        return
    with closing(read_store()) as store:
        habits = habits_of(store, since, None if project is None else str(project))
        yield from suggestions_from(store, acting, habits)


class _Transcripts:
    """Sessions that Claude Code has written down."""

    def __init__(self, places: Sequence[Path], project: Path | None, since: float) -> None:
        check_places(places)
        self.faults = Faults()
        folder = transcripts_folder()
        if not places and not folder.is_dir():
            help = "give transcripts, or folders with transcripts"
            raise InterlockError(f"there are no transcripts: `{folder}` does not exist", help=help)
        found = in_order(find_sessions(list(places) or [folder], self.faults, since))
        self._sessions = [one for one in found if project is None or of_project(one, project.resolve())]
        self._since = since
        self.source = ", ".join(map(str, places)) if places else f"the transcripts in {folder}"
        self.size = sum(session.size for session in self._sessions)

    def play(self, judges: Sequence[PastJudge], progress: Progress) -> Iterator[Scene]:
        return play(self._sessions, judges, self.faults, progress=progress, since=self._since)

    def play_again(self, judges: Sequence[PastJudge], sessions: frozenset[str]) -> Iterator[Scene]:
        return play([one for one in self._sessions if one.id in sessions], judges, Faults(), since=self._since)


class _Record:
    """Sessions that Interlock has recorded."""

    source = "Interlock's record"
    size = 0  # not known

    def __init__(self, project: Path | None, since: float) -> None:
        self.faults = Faults()
        self._project = None if project is None else project.resolve()
        self._since = since

    def play(self, judges: Sequence[PastJudge], progress: Progress) -> Iterator[Scene]:
        with closing(read_store()) as store:
            for scene in play_record(store, judges, self.faults, since=self._since):
                if self._project is None or Path(scene.project).is_relative_to(self._project):
                    yield scene

    def play_again(self, judges: Sequence[PastJudge], sessions: frozenset[str]) -> Iterator[Scene]:
        return (scene for scene in self.play(judges, no_progress) if scene.session in sessions)


def _acting(pack: str | None, policy_file: Path | None, wants_advice: bool) -> tuple[list[str], Sequence[Policy]]:
    """The policies with their names for a person."""
    if pack is not None and wants_advice:
        named_policies(pack, policy_file)  # raises if there is no such pack, or both are given
        # As a policy that uses the pack: that is where a person would write a change.
        text = f"version: 1\npacks: [{pack}]\n"
        return [f"pack {pack}"], [load_policy(text, POLICY_NAME, find_pack), core_policy()]
    named = named_policies(pack, policy_file)
    if named is not None:
        return [f"pack {pack}" if pack is not None else str(policy_file)], named
    shown = [layer.policy.file for layer in policies(None) if layer.layer != "core"]  # raises if a file is broken
    return shown, policies_in_force(project_root(Path.cwd()), remember=False).policies


def _check_rule(rule: str | None, acting: Sequence[Policy]) -> None:
    known = [one.id for policy in acting for one, _ in policy.rules]
    if rule is not None and rule not in known:
        near = [name for name in known if name.rpartition("/")[2] == rule.rpartition("/")[2]]
        help = f"did you mean `{near[0]}`?" if near else "`interlock replay` lists the rules that would have acted"
        raise InterlockError(f"these policies have no rule `{rule}`", help=help)


@contextmanager
def _bar(total: int, *, quiet: bool) -> Iterator[Progress]:
    """A progress bar on stderr, if that is a terminal."""
    if quiet or not total or not sys.stderr.isatty():
        yield no_progress
        return
    with click.progressbar(length=total, label="reading", file=sys.stderr) as bar:
        yield bar.update
