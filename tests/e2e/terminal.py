"""A terminal of a given size in which a command runs while a person types, and what is on the screen afterwards."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Shown:
    """What a command showed, and how it ended. `keys` is how many a person pressed."""

    code: int
    text: str
    keys: int

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def widest(self) -> int:
        return max(map(len, self.lines), default=0)


def at_terminal(
    command: Sequence[str], columns: int, *, cwd: Path, env: Mapping[str, str], answers: Mapping[str, str] | None = None
) -> Shown:
    """Run a command in a terminal. `answers` says what a person types once a text is the last on the screen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        list(command), stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=dict(env), start_new_session=True
    )
    os.close(theirs)
    waiting = dict(answers or {})
    shown, keys = b"", 0
    while part := _read(ours):
        shown += part
        for question, answer in list(waiting.items()):
            if shown.endswith(question.encode()):
                os.write(ours, answer.encode())
                keys += len(answer)
                del waiting[question]
    os.close(ours)
    code = process.wait(60)
    assert waiting == {}, f"nobody asked {list(waiting)}:\n{shown.decode()}"
    return Shown(code, _STYLE.sub("", shown.decode().replace("\r", "")), keys)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""
