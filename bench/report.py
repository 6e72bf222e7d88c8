"""What is printed of a part: its rows against their targets, or against another checkout."""

from __future__ import annotations

from typing import Any

from bench.drive import Measured
from bench.rows import Row, Spread

__all__ = ["as_json", "lines", "verdict_of"]

_WIDTH = 60
_SLOWER = 1.1  # a thing measured against itself varies by about this much


def verdict_of(row: Row, spread: Spread) -> str:
    """SHORT if even the lower quartile is over the target."""
    if row.target is None:
        return "-"
    return "SHORT" if spread.low > row.target else "ok"


def lines(found: Measured, *, compared: bool) -> list[str]:
    """A line for each row."""
    return [_line(found, key, row, compared=compared) for key, row in found.rows.items()]


def _line(found: Measured, key: str, row: Row, *, compared: bool) -> str:
    now = Spread.of(found.now[key]) if key in found.now else None
    target = "-" if row.target is None else f"≤ {row.target:.3g}{_unit(row)}"
    verdict = "-" if now is None else verdict_of(row, now)
    words = [f"{row.name:{_WIDTH}}"]
    if compared:
        base = Spread.of(found.base[key]) if key in found.base else None
        ratio = _ratio(found, key)
        words += [f"base {_text(base, row):24}", f"now {_text(now, row):24}", f"ratio {ratio or '-'!s:20}"]
        words.append(f"{'SLOWER' if _is_slower(row, ratio) else '-':6}")
    else:
        words.append(f"{_text(now, row):26}")
    return "  ".join([*words, f"{target:9}", verdict])


def _text(spread: Spread | None, row: Row) -> str:
    return "-" if spread is None else f"{spread}{_unit(row)}"


def _unit(row: Row) -> str:
    return {"x": "", "": ""}.get(row.unit, f" {row.unit}")


def _ratio(found: Measured, key: str) -> Spread | None:
    """The runs now against those of the base beside them; None where one was not measured, or a difference is lost."""
    now, base = found.now.get(key, []), found.base.get(key, [])
    if not now or len(now) != len(base) or min(*now, *base) <= 0:
        return None
    return Spread.of([after / before for after, before in zip(now, base, strict=True)])


def _is_slower(row: Row, ratio: Spread | None) -> bool:
    return not row.reference and ratio is not None and ratio.low > _SLOWER


def as_json(found: Measured) -> list[dict[str, Any]]:
    """Every row with the value of every run."""
    rows = []
    for key, row in found.rows.items():
        now, ratio = found.now.get(key), _ratio(found, key)
        rows.append(
            {
                "part": found.part, "row": key, "name": row.name.strip(), "unit": row.unit, "target": row.target,
                "now": now, "base": found.base.get(key), "verdict": verdict_of(row, Spread.of(now)) if now else "-",
                "slower": _is_slower(row, ratio),
            }
        )  # fmt: skip
    return rows
