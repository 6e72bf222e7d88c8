"""What came of a mutation run, as text or as JSON."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.mutate.operators import Mutant
from tools.mutate.run import Outcome, Tried

__all__ = ["as_json", "as_text", "diff_of", "kill_rate", "place_of"]

_COLUMNS: tuple[Outcome, ...] = ("killed", "survived", "timeout", "skipped")


def diff_of(mutant: Mutant, checkout: Path) -> str:
    """The mutant as a unified diff, which `git apply` takes."""
    source = (checkout / mutant.file).read_bytes()
    before, after = source.decode().splitlines(keepends=True), mutant.apply(source).decode().splitlines(keepends=True)
    return "".join(difflib.unified_diff(before, after, f"a/{mutant.file}", f"b/{mutant.file}", n=2))


def kill_rate(tried: Sequence[Tried]) -> float:
    """The share of mutants that were noticed: a test failed, or ran for much longer than before."""
    counts = Counter(one.outcome for one in tried)
    judged = len(tried) - counts["skipped"]
    return (counts["killed"] + counts["timeout"]) / judged if judged else 1.0


def place_of(one: Tried) -> str:
    mutant = one.chosen.mutant
    return f"{mutant.file}:{mutant.line} ({mutant.operator})"


def as_text(tried: Sequence[Tried], checkout: Path, together: Tried | None) -> str:
    """A row per room, then the survivors."""
    lines = [f"{'room':10}" + "".join(f"{column:>10}" for column in _COLUMNS) + f"{'noticed':>10}"]
    groups: dict[str, Sequence[Tried]] = {
        room: [one for one in tried if one.chosen.room == room] for room in _rooms_in(tried)
    }
    groups["all"] = tried
    for name, inside in groups.items():
        counts = Counter(one.outcome for one in inside)
        lines.append(f"{name:10}" + "".join(f"{counts[c]:10}" for c in _COLUMNS) + f"{kill_rate(inside):10.0%}")
    for one in tried:
        if one.outcome == "survived":
            lines += ["", f"survived: {place_of(one)}", diff_of(one.chosen.mutant, checkout).rstrip()]
    if together is not None:
        noticed = f"noticed by {together.noticed_by}" if together.outcome == "killed" else together.outcome
        lines += ["", f"all survivors together: {noticed}"]
    return "\n".join(lines)


def _rooms_in(tried: Sequence[Tried]) -> list[str]:
    return list(dict.fromkeys(one.chosen.room for one in tried))


def as_json(tried: Sequence[Tried], checkout: Path, together: Tried | None, seed: int) -> str:
    """Everything, for a program to read."""
    return json.dumps(
        {
            "seed": seed,
            "noticed": round(kill_rate(tried), 4),
            "mutants": [_row(one, checkout) for one in tried],
            "together": together and {"outcome": together.outcome, "noticed_by": together.noticed_by},
        },
        indent=2,
    )


def _row(one: Tried, checkout: Path) -> dict[str, Any]:
    mutant = one.chosen.mutant
    return {
        "room": one.chosen.room,
        "file": mutant.file,
        "line": mutant.line,
        "operator": mutant.operator,
        "outcome": one.outcome,
        "noticed_by": one.noticed_by,
        "seconds": round(one.seconds, 1),
        "diff": diff_of(mutant, checkout),
    }
