"""A server that is started as a program: its pipes, its signals, and its end with everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from interlock.errors import InterlockError

__all__ = ["StdioServer"]

_KEEPER = Path(__file__).with_name("keeper.py")


class StdioServer:
    """The program and its process group. It shares the proxy's stderr."""

    def __init__(self, command: Sequence[str], environ: dict[str, str]) -> None:
        """Start it. Raises InterlockError if it cannot be started."""
        self._keeper = subprocess.Popen(  # noqa: S603 - Interlock's own interpreter and script
            [sys.executable, "-I", "-S", str(_KEEPER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # killing the proxy's process group must not kill the keeper
        )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the person's own command
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environ, process_group=0
            )
        except (OSError, ValueError) as error:
            self._release()
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InterlockError(
                f"cannot start `{command[0]}`: {why}", help="install the server, or correct the command behind `--`"
            ) from error
        self._tell_keeper(f"{self._process.pid}\n".encode())
        assert self._process.stdin is not None  # noqa: S101 - opened above
        assert self._process.stdout is not None  # noqa: S101
        self.to = self._process.stdin.fileno()
        self.out = self._process.stdout.fileno()

    def close_input(self) -> None:
        """Tell the server that no more input will come."""
        assert self._process.stdin is not None  # noqa: S101 - opened above
        with suppress(OSError):
            self._process.stdin.close()

    def poll(self) -> int | None:
        """Its exit code once it has ended; a signal's number, negative, if one ended it."""
        return self._process.poll()

    def send(self, sign: int) -> None:
        """Send a signal to the server and everything in its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, sign)

    def finish(self) -> None:
        """Kill what is left of the group, and end the keeper."""
        self.send(signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._tell_keeper(b"done")
        self._release()

    def _tell_keeper(self, text: bytes) -> None:
        assert self._keeper.stdin is not None  # noqa: S101 - opened above
        with suppress(OSError):
            self._keeper.stdin.write(text)
            self._keeper.stdin.flush()

    def _release(self) -> None:
        assert self._keeper.stdin is not None  # noqa: S101 - opened above
        with suppress(OSError):
            self._keeper.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._keeper.wait(1.0)
