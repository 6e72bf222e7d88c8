"""A host that Interlock guards: the policy, the installation, the daemon and the record of one world."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from interlock.config.places import socket_path
from interlock.driving.model import Turn
from interlock.store.base import StoredRecord
from interlock.store.sqlite import SqliteStore
from tests.live.drive import CHECKOUT, Host, run
from tests.live.world import Run, World
from tests.waiting import until


@dataclass
class Installation:
    """Interlock in one world, with its entries for one host at the level of the person."""

    name: str  # of the host
    world: World

    def guard(self, *rules: str, top: str = "inbox: {wait: 1s}\n") -> None:
        """Put the project under a policy of these rules, and install."""
        self.policy(*rules, top=top)
        self._python("-m", "tests.live.entries", self.name, str(self.world.project), cwd=CHECKOUT)

    def policy(self, *rules: str, top: str) -> None:
        """The project's policy: rules that are each written on one line as a YAML map."""
        self.world.write("interlock.yaml", f"version: 1\n{top}rules:\n" + "".join(f"  - {rule}\n" for rule in rules))
        self.interlock("trust", "--yes")

    def interlock(self, *arguments: str) -> str:
        """A command of Interlock, as a person would run it here, and what it said."""
        return self._python("-m", "interlock", *arguments, cwd=self.world.project)

    def _python(self, *arguments: str, cwd: Path) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=cwd, env=self.world.env(), capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def store(self) -> Path:
        return self.world.home / ".local" / "state" / "interlock" / "store" / "interlock.db"

    def records(self, event: str, tool: str | None = None) -> list[StoredRecord]:
        """What Interlock recorded of these events, the oldest first."""
        with closing(SqliteStore(self.store)) as store:
            return [one for one in store.records() if one.event == event and tool in (None, one.tool)]

    # --- what breaks -------------------------------------------------------------------------------------------

    def daemons(self) -> list[int]:
        """The processes that serve this home: their command line names its socket."""
        socket = os.fsencode(self.world.home / socket_path().relative_to(Path.home()))
        found = []
        for process in self.world.processes():
            with suppress(OSError):
                words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
                if socket in words and not any(word.endswith(b"/client.py") for word in words):
                    found.append(process)
        return found

    def clients(self) -> list[int]:
        """The processes that wait for the daemon's answer."""
        found = []
        for process in self.world.processes():
            with suppress(OSError):
                words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
                if any(word.endswith(b"/interlock/client.py") for word in words):
                    found.append(process)
        return found

    def signal_daemon(self, number: signal.Signals) -> None:
        (daemon,) = until(self.daemons)
        os.kill(daemon, number)
        if number == signal.SIGKILL:
            until(lambda: has_ended(daemon))

    def replace_in_entries(self, old: str, new: str) -> None:
        """Spoil the installation: another word in the files that the host reads."""
        files = [file for folder in (self.world.home, self.world.project) for file in _files_in(folder)]
        changed = 0
        for file in files:
            text = file.read_text(encoding="utf-8", errors="replace")
            if "interlock/client.py" in text and old in text:
                file.write_text(text.replace(old, new), encoding="utf-8")
                changed += 1
        assert changed, f"no entry contains {old}"


def has_ended(process: int) -> bool:
    """Whether nothing of a process is left but its exit code: its memory goes first, and its sockets after that."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


class Guarded(Installation):
    """A host that is run with a scripted model in a world where Interlock is installed."""

    def __init__(self, host: Host, world: World) -> None:
        super().__init__(host.name, world)
        self.host = host

    def run(self, *turns: Turn, helper: Sequence[Turn] = ()) -> Run:
        return run(self.host, self.world, *turns, helper=helper)


def _files_in(folder: Path) -> list[Path]:
    return [file for kind in ("*.json", "*.js", "*.toml") for file in folder.rglob(kind) if file.is_file()]
