"""What `check` and `lint` found, in the forms that people and programs read: text, GitHub's commands, SARIF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from interlock import __version__
from interlock.errors import InterlockError, Source
from interlock.lint.finding import PolicyFinding, Severity
from interlock.policy.positions import LocatedErrors
from interlock.testing.cases import CaseResult
from interlock.testing.scenarios import ScenarioResult

__all__ = ["KINDS", "CheckProblem", "github", "of_case", "of_error", "of_finding", "of_scenario", "sarif", "text"]

KINDS = {
    "policy": "A policy file, a test file or a hook file has an error.",
    "case": "A case of a rule or of a program does not hold.",
    "scenario": "A scenario of a test file does not hold.",
    "lint": "A rule does nothing, or not what it seems to do.",
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class CheckProblem(Struct, frozen=True):
    """One thing that is wrong, and where."""

    kind: str  # of KINDS
    severity: Severity
    message: str
    source: Source | None = None
    help: str = ""
    line: str | None = None
    rule: str = ""


def of_error(error: InterlockError) -> list[CheckProblem]:
    """Every error of a file that does not load."""
    listed = error.errors if isinstance(error, LocatedErrors) else (error,)
    return [CheckProblem("policy", "error", one.message, one.source, one.help or "", one.line) for one in listed]


def of_case(result: CaseResult) -> CheckProblem:
    return CheckProblem("case", "error", result.message, result.source, result.help, result.line or None, result.rule)


def of_scenario(result: ScenarioResult) -> CheckProblem:
    message = f"{result.name}: {result.message}"
    return CheckProblem("scenario", "error", message, result.source, result.help, result.line or None)


def of_finding(finding: PolicyFinding, lines: Iterable[str]) -> CheckProblem:
    listed = list(lines)
    number = finding.source.line - 1
    line = listed[number] if 0 <= number < len(listed) else None
    return CheckProblem("lint", finding.severity, finding.message, finding.source, finding.help, line, finding.rule)


def text(problem: CheckProblem) -> str:
    """The problem as a person reads it."""
    error = InterlockError(problem.message, problem.source, problem.help or None, problem.line)
    label = problem.kind if problem.kind in ("case", "scenario") else problem.severity
    return label + error.render().removeprefix("error")


def github(problems: Iterable[CheckProblem], command: str = "check") -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    return "\n".join(_command(problem, command) for problem in problems)


def _command(problem: CheckProblem, command: str) -> str:
    place = ""
    if problem.source is not None:
        column = f",col={problem.source.column}" if problem.source.column else ""
        place = f"file={_property(_relative(problem.source.file))},line={problem.source.line}{column},"
    body = problem.message + (f"\nhelp: {problem.help}" if problem.help else "")
    title = f"interlock {command}" + ("" if problem.kind in KINDS else f" {problem.kind}")
    return f"::{problem.severity} {place}title={title}::{_data(body)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _relative(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def sarif(problems: Iterable[CheckProblem], about: Mapping[str, str] = KINDS) -> dict[str, Any]:
    """The Static Analysis Results Interchange Format, version 2.1.0. `about`: each kind of problem, in a sentence."""
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in about.items()]
    places = {name: number for number, name in enumerate(about)}
    driver = {
        "name": "interlock",
        "version": __version__,
        "informationUri": "https://pypi.org/project/interlock/",
        "rules": rules,
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(one, places) for one in problems]}],
    }


def _result(problem: CheckProblem, places: Mapping[str, int]) -> dict[str, Any]:
    body = problem.message + (f"\nhelp: {problem.help}" if problem.help else "")
    found: dict[str, Any] = {
        "ruleId": problem.kind,
        "ruleIndex": places[problem.kind],
        "level": problem.severity,
        "message": {"text": body},
    }
    if problem.source is not None:
        region = {"startLine": max(problem.source.line, 1)}
        if problem.source.column:
            region["startColumn"] = problem.source.column
        artifact = {"uri": _uri(problem.source.file)}
        found["locations"] = [{"physicalLocation": {"artifactLocation": artifact, "region": region}}]
    return found


def _uri(file: str) -> str:
    relative = _relative(file)
    path = Path(relative)
    return path.as_uri() if path.is_absolute() else path.as_posix().replace(" ", "%20")
