"""The rows of `interlock lint`: a thousand hooks of the tests' corpus, and files that are not hooks."""

from __future__ import annotations

import ast
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import scratch_folder
from bench.rows import Part, Row, Run, Values
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks
from tests.hook_lint.figures import judge

_HOOKS = 1_000
_LIBRARY = Path(sysconfig.get_path("stdlib"))
ROWS = {
    "hooks": Row("lint of 1,000 hook files", 10, "s"),
    "hook": Row("  one of them", unit="ms"),
    "python": Row("  those in Python / ast.parse of the same texts", 15),
    "other": Row("lint of other files / ast.parse of the same texts", 1),
}


@contextmanager
def _opens() -> Iterator[Run]:
    with scratch_folder() as folder:
        scripts = 0
        for copy in range(_HOOKS):
            judge(folder / str(copy))
            scripts = len(_programs(folder))
            if scripts >= _HOOKS:
                break
        alone = [path for path in _programs(folder) if path.suffix == ".py"]
        others = sorted(_LIBRARY.glob("*.py"))
        yield lambda: _run(folder, scripts, alone, others)


def _programs(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in (".py", ".sh", ".js", ".mjs", ".ts")]


def _run(folder: Path, scripts: int, alone: list[Path], others: list[Path]) -> Values:
    whole = _seconds(lambda: _lint([folder])) / scripts
    return {
        "hooks": whole * _HOOKS,
        "hook": whole * 1e3,
        "python": _seconds(lambda: _lint(alone)) / _seconds(lambda: _parse(alone)),
        "other": _seconds(lambda: _lint(others)) / _seconds(lambda: _parse(others)),
    }


def _lint(paths: list[Path]) -> None:
    lint_hooks(gather(paths))


def _parse(paths: list[Path]) -> None:
    for path in paths:
        ast.parse(path.read_bytes())


def _seconds(task: Callable[[], object]) -> float:
    """What this thread computes, on one core; the least of several, since other work only adds to it."""
    found: list[float] = []
    for _ in range(3):
        start = time.thread_time()
        task()
        found.append(time.thread_time() - start)
    return min(found)


PART = Part("lint", ROWS, _opens)
