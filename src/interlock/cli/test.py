"""`interlock test`: run the scenarios of `*.test.yaml` files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interlock.cli.common import as_json, json_option, policy_option, reporting, say
from interlock.config.bundles import load_file
from interlock.errors import InterlockError
from interlock.policy.positions import LocatedErrors, read_yaml
from interlock.testing.scenarios import ScenarioResult, policy_named_in, run_scenarios

__all__ = ["test"]


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@policy_option
@json_option
def test(files: tuple[Path, ...], policy_file: Path | None, as_json: bool) -> None:
    """Run the scenarios of FILES, or of every *.test.yaml here and below.

    \b
    Examples:
      interlock test
      interlock test refunds.test.yaml
      interlock test --json examples/policies

    Nothing is executed: files, time and checks are as the scenario says.
    """
    with reporting():
        found = _files(files)
        if not found:
            raise InterlockError(
                "no *.test.yaml here", help="name a file, or write one: see `interlock docs scenarios`"
            )
        results: list[tuple[Path, ScenarioResult]] = []
        errors: list[InterlockError] = []  # of every file, so that a person can correct them in one go
        with click.progressbar(found, label="running", file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
            for file in shown:
                try:
                    results += [(file, result) for result in _run(file, policy_file)]
                except LocatedErrors as error:
                    errors += error.errors
        if errors:
            raise LocatedErrors(errors)
        _report(results, as_json)
        sys.exit(0 if all(result.ok for _, result in results) else 1)


def _files(named: tuple[Path, ...]) -> list[Path]:
    folders = named or (Path(),)
    found: list[Path] = []
    for one in folders:
        found += sorted(one.rglob("*.test.yaml")) if one.is_dir() else [one]
    return found


def _run(file: Path, policy_file: Path | None) -> list[ScenarioResult]:
    document = read_yaml(file.read_bytes(), str(file))
    # The policy's path starts at the test file, so that the tests run from any folder.
    policy = load_file(policy_file or file.parent / policy_named_in(document))
    return list(run_scenarios(document, policy))


def _report(results: list[tuple[Path, ScenarioResult]], as_json_: bool) -> None:
    if as_json_:
        say(
            as_json(
                [
                    {"file": str(file), "name": one.name, "ok": one.ok, "at": str(one.source), "message": one.message}
                    for file, one in results
                ]
            )
        )
        return
    for _, one in results:
        mark = click.style("ok    ", fg="green") if one.ok else click.style("failed", fg="red")
        say(f"{mark} {one.name}" + ("" if one.ok else f"\n       {one.source}: {one.message}"))
    passed = sum(1 for _, one in results if one.ok)
    say(f"{passed} of {len(results)} scenarios pass")
