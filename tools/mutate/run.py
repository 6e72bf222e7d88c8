"""Apply mutants one at a time, each in a copy of the checkout, and see whether its tests notice."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Literal, NamedTuple, TypeAlias

from tools.mutate.copies import Copy, make_copy
from tools.mutate.operators import apply_all
from tools.mutate.rooms import Room, mapped_tests
from tools.mutate.sample import Chosen

__all__ = ["Laboratory", "NotGreenError", "Outcome", "Tried"]

Outcome: TypeAlias = Literal["killed", "survived", "timeout", "skipped"]
_GREEN, _FAILED, _BROKEN = 0, 1, 2  # exit codes of pytest; a mutant that cannot be imported ends with the last
_SLACK = 3.0
_LEAST_SECONDS = 30.0


class NotGreenError(Exception):
    """Tests fail without any mutant, so they can say nothing about one."""


class Tried(NamedTuple):
    """A mutant and what became of it."""

    chosen: Chosen
    outcome: Outcome
    noticed_by: str = ""  # the first test that failed
    seconds: float = 0.0


class Laboratory:
    """Copies of a checkout, one per process."""

    def __init__(
        self, checkout: Path, rooms: Mapping[str, Room], folder: Path, processes: int, options: Sequence[str] = ()
    ) -> None:
        self._checkout = checkout
        self._rooms = rooms
        self._options = list(options)
        self._processes = processes
        self._copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(processes):
            self._copies.put(make_copy(checkout, folder / f"copy-{number}"))
        self._limits: dict[str, float] = {}

    def check_green(self, rooms: Sequence[str]) -> None:
        """Run the tests of the rooms on the unchanged code, and time them. Raises NotGreenError."""
        with ThreadPoolExecutor(self._processes) as pool:
            for room, (code, output, seconds) in zip(rooms, pool.map(self._run_plain, rooms), strict=True):
                if code != _GREEN:
                    raise NotGreenError(f"the tests of `{room}` fail without any mutant:\n{output[-3000:]}")
                self._limits[room] = max(_LEAST_SECONDS, seconds * _SLACK)

    def try_all(self, chosen: Sequence[Chosen], until: float, report: Callable[[Tried], None]) -> list[Tried]:
        """Try every mutant; those that are not begun by `until` are skipped."""

        def attempt(one: Chosen) -> Tried:
            tried = self._try(one) if time.monotonic() < until else Tried(one, "skipped")
            report(tried)
            return tried

        with ThreadPoolExecutor(self._processes) as pool:
            return list(pool.map(attempt, chosen))

    def try_together(self, survivors: Sequence[Chosen]) -> Tried:
        """Apply several mutants at once and run the tests of all their rooms. The first mutant stands for all."""
        files: dict[str, list[Chosen]] = defaultdict(list)
        for one in survivors:
            files[one.mutant.file].append(one)
        rooms = list(dict.fromkeys(one.room for one in survivors))
        tests = list(dict.fromkeys(test for room in rooms for test in mapped_tests(self._rooms[room], "")))
        changed = {
            file: apply_all((self._checkout / file).read_bytes(), [one.mutant for one in inside])
            for file, inside in files.items()
        }
        limit = sum(self._limits.get(room, _LEAST_SECONDS) for room in rooms)
        return self._run_changed(survivors[0], changed, tests, limit)

    def _run_plain(self, room: str) -> tuple[int | None, str, float]:
        copy = self._copies.get()
        started = time.monotonic()
        try:
            code, output = copy.run_tests(mapped_tests(self._rooms[room], ""), 3600, self._options)
        finally:
            self._copies.put(copy)
        return code, output, time.monotonic() - started

    def _try(self, one: Chosen) -> Tried:
        source = (self._checkout / one.mutant.file).read_bytes()
        tests = mapped_tests(self._rooms[one.room], one.mutant.file)
        return self._run_changed(one, {one.mutant.file: one.mutant.apply(source)}, tests, self._limits[one.room])

    def _run_changed(self, one: Chosen, changed: Mapping[str, bytes], tests: list[str], limit: float) -> Tried:
        copy = self._copies.get()
        started = time.monotonic()
        try:
            for file, source in changed.items():
                copy.write(file, source)
            code, output = copy.run_tests(tests, limit, self._options)
        finally:
            for file in changed:
                copy.write(file, (self._checkout / file).read_bytes())
            self._copies.put(copy)
        seconds = time.monotonic() - started
        if code is None:
            return Tried(one, "timeout", "", seconds)
        if code == _GREEN:
            return Tried(one, "survived", "", seconds)
        # Whatever else ended the tests, they did not pass.
        return Tried(one, "killed", _first_failure(output), seconds)


def _first_failure(output: str) -> str:
    for line in output.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line.split(" - ")[0].split(" ", 1)[1]
    return "the tests could not be run"
