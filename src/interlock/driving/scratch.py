"""A project and a home of nobody's, in which one agent is run and after which nothing of it goes on."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from interlock.process import Ran, run_program

__all__ = ["Scratch", "put"]

_MOST = 16 << 20  # bytes that an agent may print
_ENDING = 10.0  # seconds after which a process that does not end is left to the system


@dataclass
class Scratch:
    """Two folders in another, and an environment with nothing of the machine's own but where programs are."""

    folder: Path
    path: str = "/usr/local/bin:/usr/bin:/bin"

    def __post_init__(self) -> None:
        for place in (self.project, self.home, self.folder / "tmp"):
            place.mkdir(parents=True, exist_ok=True)
        (self.project / ".git").mkdir(exist_ok=True)  # the root of a repository for agents that look for one

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def env(self) -> dict[str, str]:
        """The whole environment: nothing is inherited."""
        return {
            "PATH": self.path, "HOME": str(self.home), "TMPDIR": str(self.folder / "tmp"), "SHELL": "/bin/bash",
            "LANG": "C.UTF-8", "TERM": "dumb", "NO_PROXY": "127.0.0.1",
        }  # fmt: skip

    def run(self, words: Sequence[str], env: Mapping[str, str], *, limit: float) -> Ran:
        """Run a program in the project, in a process group of its own, which ends with it or when its time is up."""
        return run_program(words, stdin=b"", cwd=str(self.project), env=env, timeout=limit, most=_MOST)

    def processes(self) -> list[int]:
        """What runs here, also outside that group: the environment names the home, or the command line the folder."""
        marks = (b"HOME=" + os.fsencode(self.home), os.fsencode(self.folder) + b"/")
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            if int(place.name) == os.getpid():
                continue
            with suppress(OSError):  # it has ended meanwhile, or is another user's
                environ = (place / "environ").read_bytes().split(b"\0")
                command = (place / "cmdline").read_bytes()
                if marks[0] in environ or marks[1] in command:
                    found.append(int(place.name))
        return found

    def end_processes(self) -> None:
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def close(self) -> None:
        """Leave nothing running and nothing behind."""
        until = time.monotonic() + _ENDING
        while self.processes() and time.monotonic() < until:
            self.end_processes()
            time.sleep(0.01)
        shutil.rmtree(self.folder, ignore_errors=True)


def put(file: Path, text: str) -> Path:
    """A file with its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
