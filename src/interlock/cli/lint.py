"""`interlock lint`: find mistakes in the hooks that people have already, explain them, and correct what is safe."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from interlock.cli import problems as forms
from interlock.cli.common import as_json, reporting, say
from interlock.cli.lint_text import explanation_text, finding_text
from interlock.cli.policy_lint import lint_policies
from interlock.cli.problems import CheckProblem
from interlock.config.places import project_root
from interlock.errors import InterlockError, did_you_mean
from interlock.event import EVENTS
from interlock.files.edit import FileChange, apply_changes
from interlock.hook_lint.check import LintCheck
from interlock.hook_lint.checks import CHECKS, GROUPS
from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.fixing import FixPlan, make_executable, plan_fixes
from interlock.hook_lint.gather import GatheredHooks, gather
from interlock.hook_lint.ignores import without_ignored
from interlock.hook_lint.proving import Proof, prove
from interlock.hook_lint.run import lint_hooks
from interlock.hook_lint.run_output import read_stdout
from interlock.hook_lint.usual_places import usual_places
from interlock.hosts.claude_code.places import backup_folder

__all__ = ["lint"]

_BY_CODE = {check.code: check for check in CHECKS}
_CODES = (*_BY_CODE, *forms.KINDS)


def _codes(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> frozenset[str]:
    """Codes, or the beginnings of codes: `IL2` is every code of that group. Of policies: kinds of problems."""
    words = [word.strip().lower() for text in given for word in text.split(",") if word.strip()]
    for word in words:
        if not any(code.lower().startswith(word) for code in _CODES):
            help = did_you_mean(word, [*_CODES, *GROUPS], otherwise="`interlock lint --list` shows them all")
            raise click.BadParameter(f"there is no check `{word.upper()}`; {help}")
    return frozenset(code for code in _CODES if any(code.lower().startswith(word) for word in words))


def _event(context: click.Context, option: click.Parameter, given: str) -> str:
    if given and given not in EVENTS:
        help = did_you_mean(given, EVENTS, otherwise=f"there are {', '.join(EVENTS)}")
        raise click.BadParameter(f"there is no event `{given}`; {help}")
    return given


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True, allow_dash=True))
@click.option("--fix", is_flag=True, help="Correct what can be corrected safely; earlier versions are kept.")
@click.option("--diff", "shows_diff", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option(
    "--select", callback=_codes, multiple=True, metavar="CODES", help="Only these: IL201, or IL2 for a group."
)
@click.option("--ignore", callback=_codes, multiple=True, metavar="CODES", help="All checks but these.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="How to print what was found: for people, as JSON, as GitHub workflow commands, or as SARIF 2.1.0.",
)
@click.option(
    "--output",
    "event",
    callback=_event,
    default="",
    metavar="EVENT",
    help="PATHS, or else stdin, are what a hook printed when it was run for this event.",
)
@click.option("--prove", "proves", is_flag=True, help="Run the hooks against made-up events, in a scratch folder.")
@click.option("--explain", metavar="CODE", help="Explain one check: what it finds, why, an example, and the fix.")
@click.option("--list", "lists", is_flag=True, help="List all checks.")
def lint(
    paths: tuple[Path, ...],
    fix: bool,
    shows_diff: bool,
    select: frozenset[str],
    ignore: frozenset[str],
    form: str,
    event: str,
    proves: bool,
    explain: str | None,
    lists: bool,
) -> None:
    """Find mistakes in hooks: denials that have no effect, fields that do not exist, hooks that never run.

    Looks at PATHS, or else at this project and your own settings: hook settings, the scripts that they start, and
    callbacks of the Agent SDK in Python, shell, JavaScript and TypeScript, and policies. Only --prove runs anything.

    A comment `# interlock: ignore[IL201] why` on a line, or on the line above it, accepts the finding.

    \b
    Examples:
      interlock lint
      interlock lint .claude/hooks/guard.py
      interlock lint --diff
      interlock lint --fix --select IL4,IL5
      interlock lint --format sarif > lint.sarif
      interlock lint --explain IL203
      interlock lint --prove
      ./guard.sh < event.json | interlock lint --output PreToolUse

    Exits with 1 if something was found, and with 0 otherwise.
    """
    with reporting():
        if explain is not None:
            say(explanation_text(_check_named(explain)))
            return
        if lists:
            say(_list())
            return
        gathered = _gather(paths, event)
        if proves:
            _prove(gathered, as_data=form == "json")
            return
        checks = [one for one in CHECKS if (not select or one.code in select) and one.code not in ignore]
        policies = lint_policies(gathered.policies) if not select or select & {*forms.KINDS} else []
        kinds = [one for one in policies if (not select or one.code in select) and one.code not in ignore]
        found = without_ignored([*lint_hooks(gathered, checks), *kinds], _line_of)
        plan = plan_fixes(found)
        if shows_diff:
            modes = [f"chmod +x {_display_path(str(path))}\n" for path in plan.executable]
            say("".join([*map(_diff, plan.changes), *modes]).rstrip("\n") or "nothing to correct")
            sys.exit(1 if found else 0)
        if fix:
            found = _correct(plan, found)
        _print(form, found, gathered)
        sys.exit(1 if found else 0)


def _gather(paths: Sequence[Path], event: str) -> GatheredHooks:
    _lines.cache_clear()
    _stdin.cache_clear()
    if not event and _DASH in paths:
        raise click.UsageError("say with --output which event the output on stdin is for")
    if not event:
        return gather(paths or usual_places(project_root(Path.cwd())))
    gathered = gather([path for path in paths if path != _DASH], event)
    if not paths or _DASH in paths:
        gathered.outputs.append(read_stdout(str(_DASH), _stdin(), event))
    return gathered


_DASH = Path("-")


@cache
def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace")


# --- reports -----------------------------------------------------------------------------------------------


def _print(form: str, found: Sequence[LintFinding], gathered: GatheredHooks) -> None:
    problems = [_problem(one) for one in found]
    match form:
        case "json":
            say(as_json({"ok": not found, "findings": [_data(one) for one in found], "looked_at": _counts(gathered)}))
        case "github":
            say(forms.github(problems, "lint"))
        case "sarif":
            say(as_json(forms.sarif(problems, {check.code: f"{check.title}." for check in CHECKS} | forms.KINDS)))
        case _:
            for one in found:
                line = _line_of(one.source.file, one.source.line)
                say(finding_text(one, _display_path(one.source.file), line) + "\n")
            for file, why in gathered.skipped:
                say(f"not looked at: {file}: {why}")
            for file, why in gathered.unfinished:
                say(f"too large to follow to its end: {_display_path(file)}: {why}")
            say(_summary(found, gathered))


def _summary(found: Sequence[LintFinding], gathered: GatheredHooks) -> str:
    counts = _counts(gathered)
    kinds = {"hooks": "hook", "settings": "settings file", "outputs": "captured output", "policies": "policy file"}
    parts = [_many(counts[kind], name) for kind, name in kinds.items() if counts[kind]]
    if not parts:
        return "no hooks were found here"
    looked = " and ".join(part for part in [", ".join(parts[:-1]), parts[-1]] if part)
    if not found:
        return f"nothing to complain about in {looked}"
    fixes = sum(1 for one in found if one.fix is not None)
    offer = f"; `interlock lint --fix` corrects {fixes}" if fixes else ""
    return f"{_many(len(found), 'problem')} in {looked}{offer}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _counts(gathered: GatheredHooks) -> dict[str, int]:
    return {
        "hooks": len(gathered.hooks),
        "settings": len(gathered.settings),
        "outputs": len(gathered.outputs),
        "policies": len(gathered.policies),
        "skipped": len(gathered.skipped),
        "unfinished": len(gathered.unfinished),
    }


def _data(finding: LintFinding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": _BY_CODE[finding.code].name if finding.code in _BY_CODE else finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "file": finding.source.file,
        "line": finding.source.line,
        "column": finding.source.column,
        "length": finding.length,
        "help": finding.help or None,
        "fix": finding.fix.what if finding.fix is not None else None,
    }


def _problem(finding: LintFinding) -> CheckProblem:
    line = _line_of(finding.source.file, finding.source.line) or None
    return CheckProblem(finding.code, finding.severity, finding.message, finding.source, finding.help, line)


def _display_path(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


@cache
def _lines(file: str) -> list[str]:
    if file == str(_DASH):
        return _stdin().splitlines()
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _line_of(file: str, number: int) -> str:
    lines = _lines(file)
    return lines[number - 1] if 0 < number <= len(lines) else ""


# --- proof -------------------------------------------------------------------------------------------------


def _prove(gathered: GatheredHooks, *, as_data: bool) -> None:
    """Run every hook that has an entry, and show what the client would do with each answer."""
    found: list[Proof] = []
    for subject in gathered.hooks:
        if not as_data and subject.wires:
            click.echo(f"running {_display_path(subject.program.file)} …", err=True)
        found += prove(subject)
    if as_data:
        say(as_json([to_builtins(one) for one in found]))
        return
    titles = dict.fromkeys((one.hook, one.event) for one in found)
    for hook, event in titles:
        say(f"{hook}  {event}")
        mine = [one for one in found if (one.hook, one.event) == (hook, event)]
        width = max(len(one.given) for one in mine)
        for one in mine:
            say(f"  {one.given:{width}}  {one.does}" if one.given else f"  {one.does}")
        say()
    played = sum(1 for one in found if one.given)
    say("no hook with an entry was found here" if not found else f"{_many(played, 'event')}, made up and played")


# --- correcting -----------------------------------------------------------------------------------------------


def _correct(plan: FixPlan, found: Sequence[LintFinding]) -> list[LintFinding]:
    """Write the fixes, and return what is left."""
    kept = apply_changes(list(plan.changes), backup_folder)
    for path in plan.executable:
        make_executable(path)
    for one in plan.fixed:
        if one.fix is not None:
            click.echo(
                f"corrected {_display_path(one.source.file)}:{one.source.line} {one.code}: {one.fix.what}", err=True
            )
    for copy in kept:
        click.echo(f"the earlier version is kept in {copy}", err=True)
    _lines.cache_clear()
    return [one for one in found if one not in plan.fixed]


def _diff(change: FileChange) -> str:
    before, after = (
        (part or b"").decode("utf-8", "replace").splitlines(keepends=True) for part in (change.before, change.after)
    )
    name = _display_path(str(change.path))
    lines = difflib.unified_diff(before, after, name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


# --- explanations ------------------------------------------------------------------------------------------


def _check_named(word: str) -> LintCheck:
    named: dict[str, LintCheck] = _BY_CODE | {check.name: check for check in CHECKS}
    found = named.get(word.upper()) or named.get(word.lower().replace("_", "-"))
    if found is None:
        help = did_you_mean(word, named, otherwise="see `interlock lint --list`")
        raise InterlockError(f"there is no check `{word}`", help=help)
    return found


def _list() -> str:
    lines: list[str] = []
    for start, about in GROUPS.items():
        listed = [check for check in CHECKS if check.code.startswith(start)]
        if listed:
            lines += [f"{start}  {about}", *(f"  {one.code} {one.name:24} {one.title}" for one in listed), ""]
    return "\n".join(lines).rstrip()
