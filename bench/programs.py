"""The rows of the descriptions: how long it takes until a fresh process knows what programs do."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import interlock
from bench.measure import shuffled
from bench.rows import Part, Row, Run, Values

_TIMES = 7
_SOURCE = str(Path(interlock.__file__).parents[1])
_START = f"import sys; sys.path.insert(0, {_SOURCE!r}); "
_IMPORT = "from interlock.facts.programs import use_of_program as use"
# Programs from common families and rare ones, some with readers and some without.
_FIRST = "; use('git', ('push', '-f')); use('kubectl', ('get', 'pods')); use('mkfs.ext4', ('/dev/sda1',))"
_MANY = (
    "; [use(name, ('x',)) for name in 'ls cd grep npm python3 sed cat docker aws psql curl find tar ssh make'.split()]"
)
# The tables that were Python took 11, 22 and 21 on the machine that the targets are from.
ROWS = {
    "import": Row("importing the descriptions / python -I -S -c pass", 10),
    "first": Row("  and meeting three programs", 20),
    "many": Row("  and fifteen more", 20),
    "import ms": Row("  importing", unit="ms"),
    "many ms": Row("  all of it", unit="ms"),
}


@contextmanager
def _opens() -> Iterator[Run]:
    _run_code(_START + _IMPORT + _FIRST + _MANY)  # its bytecode is compiled, and the disk has been read
    yield _run


def _run() -> Values:
    codes = {"import": _IMPORT, "first": _IMPORT + _FIRST, "many": _IMPORT + _FIRST + _MANY}
    tasks = {name: lambda code=code: _run_code(_START + code) for name, code in codes.items()}
    median = shuffled({"bare": lambda: _run_code("pass"), **tasks}, _TIMES)
    bare = median["bare"]
    return {
        **{name: median[name] / bare for name in codes},
        "import ms": (median["import"] - bare) * 1e3,
        "many ms": (median["many"] - bare) * 1e3,
    }


def _run_code(code: str) -> float:
    alone = ["-I", "-S"] if code == "pass" else []
    start = time.perf_counter()
    subprocess.run([sys.executable, *alone, "-c", code], check=True)
    return time.perf_counter() - start


PART = Part("programs", ROWS, _opens)
