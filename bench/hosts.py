"""The rows of other hosts: what the entry of each costs for one call, against a hook that does nothing.

Every host runs an entry's command with a shell, so that is what is measured, from the start of the shell to its end.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.daemons import Home
from bench.measure import scratch_folder, shuffled
from bench.rows import Part, Row, Run, Values
from interlock.config.places import socket_path
from interlock.hosts import HOSTS
from interlock.hosts.base.commands import hook_command

_TIMES = 25
_SHELL = ["/bin/bash", "-c"]
# Hosts that send everything to the entry's standard input.
BY_COMMAND = [name for name, host in HOSTS.items() if host.sample is not None and host.envelope is None]
ROWS = {
    **{name: Row(f"one call of {HOSTS[name].title} / a `true` hook", 15) for name in BY_COMMAND},
    "bare": Row("  an interpreter that does nothing / a `true` hook", reference=True),
    "true": Row("  a `true` hook", unit="ms", reference=True),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with scratch_folder() as folder:
        home = Home(folder, transport="spawn")
        try:
            tasks = {name: _task(home, name) for name in BY_COMMAND}
            tasks["true"] = _spawns("true", folder / "true")
            tasks["bare"] = _spawns(f"'{sys.executable}' -I -S -c pass", folder / "bare")
            for task in tasks.values():
                task.once()

            def run() -> Values:
                median = shuffled({name: task.once for name, task in tasks.items()}, _TIMES)
                ratios = {name: median[name] / median["true"] for name in median if name != "true"}
                return {**ratios, "true": median["true"] * 1e3}

            yield run
        finally:
            home.stop()


class _Spawn:
    """A command that is run with what a file contains."""

    def __init__(self, command: str, stdin: Path) -> None:
        self._words = [*_SHELL, command]
        self._stdin = stdin

    def once(self) -> float:
        with self._stdin.open("rb") as stdin:
            start = time.perf_counter()
            ran = subprocess.run(self._words, stdin=stdin, capture_output=True, check=False)
            took = time.perf_counter() - start
        assert ran.returncode == 0, ran.stderr
        return took


def _spawns(command: str, stdin: Path) -> _Spawn:
    stdin.write_bytes(b"{}")
    return _Spawn(command, stdin)


def _task(home: Home, name: str) -> _Spawn:
    made = HOSTS[name].sample
    assert made is not None
    raw = made("Bash", {"command": "ls src"}, str(home.project))
    assert raw is not None
    file = home.folder / f"{name}.json"
    file.write_bytes(raw)
    command = hook_command(name, "PreToolUse", refuses=True)
    return _Spawn(command.replace(str(socket_path()), str(home.socket_path)), file)


PART = Part("hosts", ROWS, _opens)
