"""The whole screen of a terminal, for as long as a view needs it; it is given back as it was, whatever happens."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

from interlock.cli.inbox_view.cells import Row, clip_row
from interlock.cli.inbox_view.keys import KeyReader, PressedKey

__all__ = ["FullScreen"]

# The other screen, no cursor, no line wrap (a character that is wider than thought must not push the rest down), and
# pasted text marked as such: a text with a `y` in it is no answer.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
_STYLES = {"": "", "bold": "\x1b[1m", "dim": "\x1b[2m", "reverse": "\x1b[7m"}
_ESCAPE_SECONDS = 0.05  # how long the rest of a key's bytes may take
_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
_USUAL = (80, 24)


class FullScreen:
    """Draws rows and reads keys. Use it as a context manager; `away` gives the terminal to another program."""

    def __init__(self, input: int = 0, output: int = 1) -> None:
        self._input = input
        self._output = output
        self._keys = KeyReader()
        self._shown: list[str] = []
        self._before: list[Any] | None = None
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> FullScreen:
        self._handlers = {number: signal.signal(number, _end) for number in _SIGNALS}
        try:
            self._take()
        except BaseException:
            self._give_back()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Give the terminal back for as long as another program uses it."""
        self._give_back()
        try:
            yield
        finally:
            self._take()

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._output)
        except OSError:
            return _USUAL
        return columns or _USUAL[0], rows or _USUAL[1]

    def draw(self, rows: Sequence[Row]) -> None:
        """Show these rows, the first one on top. Only rows that differ from what is shown are written."""
        columns, height = self.size()
        lines = [_line(clip_row(row, columns)) for row in rows[:height]]
        parts = []
        for number, line in enumerate(lines):
            if number >= len(self._shown) or self._shown[number] != line:
                parts.append(f"\x1b[{number + 1};1H\x1b[0m\x1b[2K{line}\x1b[0m")
        if len(lines) < len(self._shown):
            parts.append(f"\x1b[{len(lines) + 1};1H\x1b[0m\x1b[J")
        self._shown = lines
        self._write("".join(parts))

    def redraw(self) -> None:
        """Write every row the next time: the terminal has another size, or something else has written to it."""
        self._shown = []
        self._write("\x1b[0m\x1b[2J")

    def keys(self, seconds: float) -> list[PressedKey]:
        """The keys that were pressed within this time; returns as soon as there are some."""
        found: list[PressedKey] = []
        while not found:
            inside = self._keys.is_inside
            ready, _, _ = select.select([self._input], [], [], _ESCAPE_SECONDS if inside else seconds)
            if not ready:
                return self._keys.settle() if inside else []
            data = os.read(self._input, 4096)
            if not data:
                raise EOFError
            found = self._keys.feed(data)
            if not found and not self._keys.is_inside:
                break
        return found

    def _take(self) -> None:
        if self._before is None:
            self._before = termios.tcgetattr(self._input)
        raw = termios.tcgetattr(self._input)
        raw[0] &= ~(termios.ICRNL | termios.IXON)
        raw[3] &= ~(termios.ICANON | termios.ECHO)
        # ^C still interrupts. ^Z would leave a shell on the other screen, with keys that are not shown.
        raw[6][termios.VSUSP] = b"\0"
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
        # What was typed before the question was on the screen cannot be meant as an answer to it.
        termios.tcsetattr(self._input, termios.TCSAFLUSH, raw)
        self._keys = KeyReader()
        self._shown = []
        self._write(_ENTER)

    def _give_back(self) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone
            self._write(_LEAVE)
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._input, termios.TCSAFLUSH, self._before)

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._output, data) :]


def _line(row: Row) -> str:
    return "".join(f"{_STYLES[span.style]}{span.text}\x1b[0m" if span.style else span.text for span in row)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
