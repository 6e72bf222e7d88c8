"""`interlock check`: find mistakes in a policy before they matter."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import as_json, json_option, policies, policy_option, reporting, rules_in, say, show_error
from interlock.config.layers import PolicyLayer
from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.lint import PolicyFinding, lint
from interlock.lint.waits import find_short_waits
from interlock.policy.positions import LocatedErrors
from interlock.testing.cases import CaseResult, run_cases

__all__ = ["check"]


@click.command()
@policy_option
@json_option
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
def check(policy_file: Path | None, as_json: bool, strict: bool) -> None:
    """Load the policies that apply here, run the cases of their rules, and look for rules that do nothing.

    \b
    Examples:
      interlock check
      interlock check --policy team.yaml
      interlock check --json

    Exits with 0 if everything is in order, and with 1 if a file has errors or a case fails.
    """
    with reporting():
        try:
            layers = policies(policy_file)
        except InterlockError as error:
            _report_errors(error, as_json)
            sys.exit(1)
        results = [result for layer in layers for result in run_cases(layer.policy)]
        findings = [finding for layer in layers for finding in lint(layer.policy)]
        root = project_root(Path.cwd())
        findings += [finding for layer in layers for finding in find_short_waits(layer.policy, root)]
        ok = all(result.ok for result in results) and not (strict and findings)
        _report(layers, results, findings, as_json, ok)
        sys.exit(0 if ok else 1)


def _report_errors(error: InterlockError, as_json_: bool) -> None:
    # All errors of a file at once, so that a person can correct them in one go.
    if as_json_:
        listed = error.errors if isinstance(error, LocatedErrors) else (error,)
        say(as_json({"ok": False, "errors": [_error(one) for one in listed]}))
    else:
        show_error(error)


def _error(error: InterlockError) -> dict[str, Any]:
    source = error.source
    return {
        "message": error.message,
        "file": source.file if source else None,
        "line": source.line if source else None,
        "column": source.column if source else None,
        "help": error.help,
    }


def _finding(finding: PolicyFinding) -> dict[str, Any]:
    told = {"rule": finding.rule, "at": str(finding.source), "message": finding.message}
    return {**told, "help": finding.help} if finding.help else told


def _report(
    layers: list[PolicyLayer], results: list[CaseResult], findings: list[PolicyFinding], as_json_: bool, ok: bool
) -> None:
    failed = [result for result in results if not result.ok]
    if as_json_:
        say(
            as_json(
                {
                    "ok": ok,
                    "layers": [
                        {
                            "layer": one.layer,
                            "file": one.policy.file,
                            "trusted": one.trusted,
                            "rules": rules_in(one, layers),
                        }
                        for one in layers
                    ],
                    "cases": len(results),
                    "failed": [{"rule": one.rule, "at": str(one.source), "message": one.message} for one in failed],
                    "findings": [_finding(one) for one in findings],
                }
            )
        )
        return
    for one in layers:
        trust = (
            ""
            if one.trusted
            else click.style("  not trusted: only its deny and ask apply (interlock trust)", fg="yellow")
        )
        say(f"{one.layer:8} {one.policy.file}  {rules_in(one, layers)} rules{trust}")
    for result in failed:
        say(f"{click.style('case', fg='red')}     {result.source}: {result.message}")
    for finding in findings:
        say(f"{click.style('warning', fg='yellow')}  {finding.source}: {finding.message}")
        if finding.help:
            say(f"         help: {finding.help}")
    held = len(results) - len(failed)
    warned = f", {len(findings)} warning{'s' * (len(findings) != 1)}" if findings else ""
    say(f"{held} of {len(results)} cases pass{warned}")
