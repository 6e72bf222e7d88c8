"""Run a part in one checkout or in two, their runs interleaved, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.checkouts import Checkout
from bench.measure import progress
from bench.rows import Row

__all__ = ["Measured", "NotMeasured", "measure"]


class NotMeasured(Exception):  # noqa: N818 - said of a part, with the reason
    """Why a part has no values."""

    def __init__(self, why: str, *, is_fault: bool) -> None:
        super().__init__(why)
        self.is_fault = is_fault


@dataclass
class Measured:
    """The values of every run of a part: `now`, and `base` where another checkout was measured beside it."""

    part: str
    rows: Mapping[str, Row]
    now: dict[str, list[float]] = field(default_factory=dict)
    base: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class _Child:
    """A process that measures one part."""

    def __init__(self, python: Path, folder: Path, part: str, options: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [str(python), "-m", "bench.child", part, *options],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip
        try:
            self.about = self._answer()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> _Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self) -> dict[str, float]:
        assert self._process.stdin is not None
        self._process.stdin.write("run\n")
        self._process.stdin.flush()
        values: dict[str, float] = self._answer()["values"]
        return values

    def close(self) -> None:
        """Let it tidy up what it started."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise NotMeasured(f"its process ended with {self._process.wait()}", is_fault=True)
        answer: dict[str, Any] = json.loads(line)
        if "skipped" in answer:
            raise NotMeasured(f"skipped: {answer['skipped']}", is_fault=False)
        if "failed" in answer:
            raise NotMeasured(answer["failed"], is_fault=True)
        return answer


def measure(part: str, runs: int, now: Checkout, base: Checkout | None = None) -> Measured:
    """Every row of a part, `runs` times. Raises NotMeasured if this checkout cannot be measured."""
    with ExitStack() as stack:
        ours = stack.enter_context(_open(now, part))
        found = Measured(part, {key: Row(**row) for key, row in ours.about["rows"].items()})
        sides = {"now": ours}
        if base is not None:
            try:
                sides["base"] = stack.enter_context(_open(base, part))
            except NotMeasured as why:
                found.faults.append(f"{part} cannot be measured on the base: {why}")
        for number in range(1 if ours.about["once"] else runs):
            _run(found, sides, number)
    return found


def _run(found: Measured, sides: dict[str, _Child], number: int) -> None:
    """One run on each side, the other one first every second time."""
    for name in sorted(sides, reverse=bool(number % 2)):
        progress(f"{found.part}, run {number + 1}" + (f", {name}" if len(sides) > 1 else ""))
        try:
            values = sides[name].run()
        except NotMeasured as why:
            if name == "now":
                raise
            found.faults.append(f"{found.part} cannot be measured on the base: {why}")
            found.base.clear()
            del sides[name]
            continue
        for key, value in values.items():
            (found.now if name == "now" else found.base).setdefault(key, []).append(value)


def _open(checkout: Checkout, part: str) -> _Child:
    """A child that measures this checkout: by the checkout's own bench if that works, else by this one."""
    whys: list[NotMeasured] = []
    for folder, options in checkout.benches:
        try:
            child = _Child(checkout.python, folder, part, options)
        except NotMeasured as why:
            whys.append(why)
            continue
        if Path(child.about["package"]).samefile(checkout.package):
            return child
        child.close()
        raise NotMeasured(f"{child.about['package']} would be measured, not {checkout.package}", is_fault=True)
    raise whys[-1]
