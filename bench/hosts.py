"""The rows of other hosts: what the entry of each costs for one call, against a hook that does nothing.

Most hosts run an entry's command with a shell, so that is what is measured, from the start of the shell to its end.
OpenCode's plugin starts the client itself, and Amp a program of Interlock's.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.daemons import Home
from bench.measure import scratch_folder, shuffled
from bench.rows import Part, Row, Run, Values
from interlock.config.places import socket_path
from interlock.hosts import HOSTS
from interlock.hosts.amp.delegate import PERMISSIONS, delegate_text
from interlock.hosts.base.commands import client_words, hook_command
from interlock.spawn.exchange import WHY

_TIMES = 25
_SHELL = ["/bin/bash", "-c"]
_AMP = {"AGENT": "amp", "AGENT_TOOL_NAME": "Bash", "AMP_THREAD_ID": "T-bench"}
MEASURED = [name for name, host in HOSTS.items() if host.sample is not None]
ROWS = {
    **{name: Row(f"one call of {HOSTS[name].title} / a `true` hook", 15) for name in MEASURED},
    "bare": Row("  an interpreter that does nothing / a `true` hook", reference=True),
    "true": Row("  a `true` hook", unit="ms", reference=True),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with scratch_folder() as folder:
        home = Home(folder, transport="spawn")
        try:
            tasks = {name: _task(home, name) for name in MEASURED}
            tasks["true"] = _Spawn([*_SHELL, "true"], b"{}", folder / "true")
            tasks["bare"] = _Spawn([*_SHELL, f"'{sys.executable}' -I -S -c pass"], b"{}", folder / "bare")
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
    """A program that is run, and what a host sends to it."""

    def __init__(self, words: Sequence[str], raw: bytes, stdin: Path, cwd: Path | None = None) -> None:
        self._words = words
        self._stdin = stdin
        self._cwd = cwd
        stdin.write_bytes(raw)

    def once(self) -> float:
        with self._stdin.open("rb") as stdin:
            start = time.perf_counter()
            ran = subprocess.run(
                self._words, stdin=stdin, cwd=self._cwd, env={**os.environ, **_AMP}, capture_output=True, check=False
            )
            took = time.perf_counter() - start
        assert ran.returncode == 0, ran.stderr
        assert WHY.encode() not in ran.stdout + ran.stderr  # or nobody has judged it
        return took


def _task(home: Home, name: str) -> _Spawn:
    stdin = home.folder / f"{name}.json"
    if name == "amp":
        return _Spawn([str(_delegate(home))], b'{"cmd": "ls src"}', stdin, home.project)
    made = HOSTS[name].sample
    assert made is not None
    raw = made("Bash", {"command": "ls src"}, str(home.project))
    assert raw is not None
    if name == "opencode":
        return _Spawn(_at(home, [*client_words(name, "PreToolUse"), str(home.project)]), raw, stdin)
    return _Spawn(_at(home, [*_SHELL, hook_command(name, "PreToolUse", refuses=True)]), raw, stdin)


def _at(home: Home, words: Sequence[str]) -> list[str]:
    """The words with the socket of this home's daemon."""
    return [word.replace(str(socket_path()), str(home.socket_path)) for word in words]


def _delegate(home: Home) -> Path:
    """The program that Amp asks, beside settings that let everything run about which no rule says anything."""
    program = home.folder / "interlock-delegate"
    program.write_text(delegate_text(program).replace(str(socket_path()), str(home.socket_path)), encoding="utf-8")
    program.chmod(0o755)
    allowed = {PERMISSIONS: [{"tool": "*", "action": "allow"}]}
    program.with_name("settings.json").write_text(json.dumps(allowed), encoding="utf-8")
    return program


PART = Part("hosts", ROWS, _opens)
