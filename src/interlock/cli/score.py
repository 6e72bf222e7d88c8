"""`interlock score`: measure with a corpus how much a policy misses and how often it stops harmless commands."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, named_policies, policies, policy_option, reporting, say, visible
from interlock.config.layers import PolicyLayer
from interlock.testing.score import KINDS, RowResult, Score, judge_rows, read_corpus, score_of, workers_for

__all__ = ["score"]

_MEANS = {
    "misses": "rows to deny that pass",
    "friction": "rows to allow that are stopped",
    "silent": "rows to ask about that pass",
    "ask": "a person is asked",
    "deny": "denied",
    "opaque": "cannot be known before it runs",
    "crashes": "a rule failed",
}


@click.command()
@click.argument("corpus", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--pack", "pack", help="Use this shipped pack instead of the policies that apply in this project.")
@policy_option
@click.option("--branch", default="", help="The branch that is checked out, for rows that do not say.")
@click.option("--rows", "kind", type=click.Choice(list(KINDS)), help="Print these rows, and which rules decided each.")
@json_option
def score(
    corpus: Path, pack: str | None, policy_file: Path | None, branch: str, kind: str | None, as_json: bool
) -> None:
    """Judge every command of CORPUS, and count commands that pass or are stopped although they should not be.

    CORPUS has one JSON object on each line, with `command` and `expected` (`allow`, `ask`, `deny` or null). It may also
    say where the command runs: `cwd`, `branch`, `files` that exist, and files that the session `wrote` earlier. Rows
    with `context` or `conflict` are left out. Each command is judged on its own; nothing is run.

    \b
    Examples:
      interlock score corpus.jsonl
      interlock score corpus.jsonl --pack guarded
      interlock score corpus.jsonl --pack strict --rows misses
      interlock score corpus.jsonl --policy interlock.yaml --json
      interlock score corpus.jsonl --branch main

    `interlock explain` shows why a row was judged as it was; it has --pack too. Exits with 1 if a rule failed on a row.
    """
    with reporting():
        acting = named_policies(pack, policy_file) or [layer.in_force for layer in policies(None)]
        judges = _judges(pack, policy_file)
        found = read_corpus(corpus)
        start = time.perf_counter()
        judged = _with_bar(judge_rows(found.rows, acting, workers_for(len(found.rows)), branch), len(found.rows))
        took = time.perf_counter() - start
        total = score_of(judged)
        if as_json:
            say(to_json({"policies": judges} | _data(judged, total, found.skipped, took, kind)))
        elif kind is not None:
            _print_rows([row for row in judged if KINDS[kind](row)])
        else:
            say(f"judged by {', '.join(judges)}")
            _print(total, found.skipped, took)
        sys.exit(1 if total.counts["crashes"] else 0)


def _with_bar(rows: Iterator[RowResult], length: int) -> list[RowResult]:
    """All rows, with a progress bar on stderr if that is a terminal."""
    # On stderr, so that stdout contains only the results.
    if not sys.stderr.isatty():
        return list(rows)
    with click.progressbar(rows, length=length, label="judging", file=sys.stderr) as shown:
        return list(shown)


def _judges(pack: str | None, policy_file: Path | None) -> list[str]:
    """The names of the policies."""
    if pack is not None:
        return [f"pack {pack}", "core"]
    return [str(policy_file), "core"] if policy_file is not None else [_title(layer) for layer in policies(None)]


def _title(layered: PolicyLayer) -> str:
    if layered.layer == "core":
        return "core"
    return layered.policy.file if layered.trusted else f"{layered.policy.file} (not trusted: its deny and ask)"


def _data(
    judged: Sequence[RowResult], total: Score, skipped: int, took: float, asked_for: str | None
) -> dict[str, Any]:
    """The figures, with the rows that were asked for, or else the rows that are worth a look."""
    shown = [asked_for] if asked_for is not None else [kind for kind in KINDS if kind not in ("ask", "deny")]
    return {
        "rows": total.rows,
        "skipped": skipped,
        "expected": total.expected,
        "counts": total.counts,
        "shares": {kind: total.share(kind) for kind in KINDS},
        "seconds": round(took, 3),
        "found": {kind: [_row(row) for row in judged if KINDS[kind](row)] for kind in shown},
    }


def _row(row: RowResult) -> dict[str, Any]:
    return {
        "id": row.id,
        "command": row.command,
        "expected": row.expected,
        "decision": row.decision,
        "rules": list(row.rules),
        "error": row.error,
    }


def _print(total: Score, skipped: int, took: float) -> None:
    also = f", {skipped:,} left out" if skipped else ""
    say(f"{total.rows:,} rows{also}; {total.rows / took:,.0f} rows/s")
    for kind in KINDS:
        share = total.share(kind)
        if share is not None:
            say(f"{kind:9} {share:7.2%}  {total.counts[kind]:6,} of {total.of(kind):<7,} {_MEANS[kind]}")


def _print_rows(rows: Sequence[RowResult]) -> None:
    for row in rows:
        who = f"  [{', '.join(row.rules)}]" if row.rules else ""
        say(
            f"{row.decision:5} {row.id}  {visible(row.command)}{who}" + (f"  {visible(row.error)}" if row.error else "")
        )
