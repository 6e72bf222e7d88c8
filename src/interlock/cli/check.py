"""`interlock check`: find mistakes in a policy before they matter."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from interlock.cli import problems as forms
from interlock.cli.common import as_json as to_json
from interlock.cli.common import in_colour, json_option, policy_option, reporting, rules_in, say
from interlock.cli.elsewhere import HostTrial, differing, try_in
from interlock.cli.host_setup import chosen_hosts, host_option
from interlock.cli.problems import CheckProblem
from interlock.cli.weaker_text import say_weaker, weaker_data
from interlock.config.bundles import core_policy, load_file
from interlock.config.layers import PolicyLayer, candidates
from interlock.config.places import project_root
from interlock.config.trust import Trust
from interlock.errors import InterlockError
from interlock.hosts import HOSTS
from interlock.lint import PolicyFinding, lint
from interlock.lint.hook_files import find_hook_problems
from interlock.lint.waits import find_short_waits
from interlock.policy.load import Policy
from interlock.policy.positions import Document, read_yaml
from interlock.testing.cases import CaseResult, run_cases
from interlock.testing.scenarios import ScenarioResult, policy_named_in, run_scenarios

__all__ = ["CheckReport", "check", "look_at"]

TEST_FILE = ".test.yaml"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@policy_option
@json_option
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "sarif"]),
    default="text",
    show_default=True,
    help="How to print problems: for people, as GitHub workflow commands, or as SARIF 2.1.0.",
)
@host_option("Try the cases as these agents send them, and say which rules are weaker there; `all`: every one.")
def check(
    files: tuple[Path, ...],
    policy_file: Path | None,
    as_json: bool,
    strict: bool,
    form: str,
    hosts: tuple[str, ...],
) -> None:
    """Load the policies that apply here, run the cases of their rules and programs, and look for rules that do nothing.

    With FILES, check these policies and *.test.yaml files instead. Hook files of trusted policies, and of policies that
    you name, are loaded in a worker process as the guard would load them. External programs are looked for and not run.

    \b
    Examples:
      interlock check
      interlock check team.yaml refunds.test.yaml
      interlock check --json
      interlock check --format github
      interlock check --host codex

    Exits with 0 if everything is in order, and with 1 if a file has errors or a case fails.
    """
    with reporting():
        named = [HOSTS[name] for name in chosen_hosts(hosts)]
        found = look_at([*files, *([policy_file] if policy_file is not None else [])])
        if named and not found.errors:
            found.trials = try_in(named, found.policies, found.tests)
        ok = not found.errors and not found.problems("error") and not (strict and found.findings)
        if as_json:
            data = _data(found, ok)
            say(to_json({**data, "hosts": weaker_data(found.policies, named, found.trials)} if named else data))
        elif form == "sarif":
            say(to_json(forms.sarif(found.everything())))
        elif form == "github":
            say(forms.github(found.everything()))
        else:
            _report(found)
            if not found.errors:
                say_weaker(found.policies, named, found.trials)
        sys.exit(0 if ok else 1)


class CheckReport(Struct):
    """Everything that was looked at, and what is wrong with it."""

    layers: list[PolicyLayer] = []
    errors: list[InterlockError] = []
    cases: list[CaseResult] = []
    scenarios: list[ScenarioResult] = []
    findings: list[tuple[PolicyFinding, tuple[str, ...]]] = []
    tests: list[tuple[Document, Policy]] = []
    trials: list[HostTrial] = []

    @property
    def policies(self) -> list[Policy]:
        return [layer.policy for layer in self.layers]

    def problems(self, severity: str) -> list[CheckProblem]:
        """What is wrong with files that load, and is this bad."""
        found = [forms.of_case(one) for one in self.cases if not one.ok]
        found += [forms.of_scenario(one) for one in self.scenarios if not one.ok]
        found += [forms.of_finding(finding, lines) for finding, lines in self.findings]
        found += differing(self.trials, {one.file: one.lines for one in self.policies})
        return [problem for problem in found if problem.severity == severity]

    def everything(self) -> list[CheckProblem]:
        load = [problem for error in self.errors for problem in forms.of_error(error)]
        return [*load, *self.problems("error"), *self.problems("warning")]


def look_at(files: Sequence[Path], *, runs_hooks: bool = True) -> CheckReport:
    """Look at the files that were named, or at the policies that apply here; one that is broken hides no other.

    `runs_hooks`: the hook files of the policies that were named are loaded, and not only read.
    """
    found = CheckReport()
    for file in files:
        try:
            if file.name.endswith(TEST_FILE):
                _look_at_tests(file, found)
            else:
                found.layers.append(PolicyLayer("given", load_file(file), trusted=runs_hooks))
        except InterlockError as error:
            found.errors.append(error)
    if not files:
        _find_layers(found)
    if not files or any(layer.layer == "given" for layer in found.layers):
        found.layers.append(PolicyLayer("core", core_policy(), trusted=True))
    root = project_root(Path.cwd())
    for layer in found.layers:
        policy = layer.policy
        found.cases += run_cases(policy)
        listed = [*lint(policy), *find_short_waits(policy, root), *find_hook_problems(policy, trusted=layer.trusted)]
        found.findings += [(finding, policy.lines if finding.source.file == policy.file else ()) for finding in listed]
    return found


def _find_layers(found: CheckReport) -> None:
    trust = Trust()
    for layer, file in candidates(project_root(Path.cwd())):
        if file.is_file():
            try:
                trusted = layer in ("user", "managed") or trust.holds(file)
                found.layers.append(PolicyLayer(layer, load_file(file), trusted=trusted))
            except InterlockError as error:
                found.errors.append(error)


def _look_at_tests(file: Path, found: CheckReport) -> None:
    try:
        text = file.read_bytes()
    except OSError as error:
        raise InterlockError(f"cannot read `{file}`: {error.strerror}", help="correct the name") from error
    document = read_yaml(text, str(file))
    policy = load_file(file.parent / policy_named_in(document))
    found.tests.append((document, policy))
    found.scenarios += run_scenarios(document, policy)


# --- reports ------------------------------------------------------------------------------------------------


def _data(found: CheckReport, ok: bool) -> dict[str, Any]:
    if found.errors:
        errors = [problem for error in found.errors for problem in forms.of_error(error)]
        return {"ok": False, "errors": [_problem(problem) for problem in errors]}
    layers = [
        {"layer": one.layer, "file": one.policy.file, "trusted": one.trusted, "rules": rules_in(one, found.layers)}
        for one in found.layers
    ]
    data: dict[str, Any] = {
        "ok": ok,
        "layers": layers,
        "cases": len(found.cases),
        "failed": [_failure(one) for one in found.cases if not one.ok],
        "findings": [_finding(finding) for finding, _ in found.findings],
    }
    if found.scenarios:
        data["scenarios"] = [
            {"name": one.name, "ok": one.ok, "at": str(one.source), "message": one.message} for one in found.scenarios
        ]
    return data


def _problem(problem: CheckProblem) -> dict[str, Any]:
    source = problem.source
    return {
        "message": problem.message,
        "file": source.file if source else None,
        "line": source.line if source else None,
        "column": source.column if source else None,
        "help": problem.help or None,
    }


def _failure(result: CaseResult) -> dict[str, Any]:
    data = {"rule": result.rule, "at": str(result.source), "message": result.message}
    return {**data, "help": result.help} if result.help else data


def _finding(finding: PolicyFinding) -> dict[str, Any]:
    data = {"rule": finding.rule, "at": str(finding.source), "message": finding.message, "severity": finding.severity}
    return {**data, "help": finding.help} if finding.help else data


def _report(found: CheckReport) -> None:
    if found.errors:
        load = found.everything()  # a file that is broken hides nothing of the others
        for number, problem in enumerate(load):
            _complain(("\n" if number else "") + forms.text(problem))
        if any(getattr(error, "stopped", False) for error in found.errors):
            _complain("\nnot all of the file could be read")
        number = sum(1 for problem in load if problem.severity == "error")
        if number > 1:
            _complain(f"\n{number} errors")
        return
    for one in found.layers:
        trust = "" if one.trusted else "  not trusted: only its deny and ask apply (interlock trust)"
        say(f"{one.layer:8} {one.policy.file}  {rules_in(one, found.layers)} rules{click.style(trust, fg='yellow')}")
    problems = [*found.problems("error"), *found.problems("warning")]
    for problem in problems:
        say("\n" + "\n".join(in_colour(line) for line in forms.text(problem).split("\n")))
    if problems:
        say()
    say(_summary(found))


def _complain(text: str) -> None:
    click.echo("\n".join(in_colour(line) for line in text.split("\n")), err=True)


def _summary(found: CheckReport) -> str:
    parts = [_pass_count(found.cases, "case")] if found.layers else []
    parts += [_pass_count(found.scenarios, "scenario")] if found.scenarios else []
    for severity in ("error", "warning"):
        number = sum(1 for finding, _ in found.findings if finding.severity == severity)
        parts += [f"{number} {severity}{'s' * (number != 1)}"] if number else []
    return ", ".join(parts)


def _pass_count(results: Sequence[CaseResult] | Sequence[ScenarioResult], what: str) -> str:
    held = sum(1 for result in results if result.ok)
    return f"{held} of {len(results)} {what}s pass"
