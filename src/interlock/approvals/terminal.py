"""Ask the person at the terminal."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from contextlib import suppress

from interlock.approvals.approval import Approval, Request
from interlock.approvals.text import request_text, visible
from interlock.approvals.threads import in_thread
from interlock.errors import InterlockError
from interlock.jsontext import read_object

__all__ = ["Terminal"]

_LOOKS = 0.1  # seconds between two checks of whether the answer is still wanted
_QUESTION = "Run it? [y]es, [n]o (or: n and why), [e]dit: "
_EDIT = "Type the whole input as one JSON object (empty: go back): "
_MOST = 64 * 1024  # bytes of one line


class _Over(Exception):  # noqa: N818 - not an error: the line will not come
    """The terminal was closed, or the answer is no longer wanted."""


class Terminal:
    """An approver at a terminal: by default the one that this process was started from, whatever its stdin is."""

    def __init__(self, device: str = "/dev/tty") -> None:
        self._device = device
        self._turn = threading.Lock()

    async def approve(self, request: Request) -> Approval:
        unwanted = threading.Event()
        try:
            return await in_thread(lambda: self._ask(request, unwanted))
        finally:
            unwanted.set()

    def _ask(self, request: Request, unwanted: threading.Event) -> Approval:
        # One question at a time: with two on one screen, each could get the other's answer.
        while not self._turn.acquire(timeout=_LOOKS):
            if unwanted.is_set():
                return _no("the answer is no longer wanted")
        try:
            # O_NOCTTY: asking at another terminal must not make it the one that this process is controlled by.
            device = os.open(self._device, os.O_RDWR | os.O_NOCTTY)
        except OSError as error:
            self._turn.release()
            return _no(f"there is no terminal to ask at ({error.strerror})")
        try:
            return _Talk(device, unwanted).about(request)
        except _Over:
            return _no("the terminal was closed before anyone answered")
        finally:
            os.close(device)
            self._turn.release()


class _Talk:
    """One question at one open terminal."""

    def __init__(self, device: int, unwanted: threading.Event) -> None:
        self._device = device
        self._unwanted = unwanted
        self._read = b""

    def about(self, request: Request) -> Approval:
        _drop_typed(self._device)
        self._say(request_text(request) + "\n")
        answers: dict[str, Callable[[str], Approval | None]] = {
            "y": lambda _: Approval(True),
            "n": lambda why: _no(why or "they said no"),  # read after "the person did not approve this call: "
            "e": lambda _: self._ask_for_edit(),
        }
        while True:
            word, _, rest = self._line(_QUESTION).strip().partition(" ")
            meant = answers.get({"yes": "y", "no": "n", "edit": "e"}.get(word.lower(), word.lower()))
            # "yes, but …" is not a yes.
            said = meant(rest.strip()) if meant is not None and (not rest or word.lower() in ("n", "no")) else None
            if said is not None:
                return said

    def _ask_for_edit(self) -> Approval | None:
        text = self._line(_EDIT).strip()
        if not text:
            return None
        try:
            return Approval(True, read_object(text.encode()))
        except (InterlockError, UnicodeEncodeError) as error:
            why = error.message if isinstance(error, InterlockError) else "it is not valid text"
            self._say(f"That is not a valid input: {visible(why)}\n")
            return None

    def _say(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._device, data) :]

    def _line(self, prompt: str) -> str:
        self._say(prompt)
        while b"\n" not in self._read:
            if self._unwanted.is_set() or len(self._read) > _MOST:
                self._say("\n(no longer asked)\n")
                raise _Over
            ready, _, _ = select.select([self._device], [], [], _LOOKS)
            if ready:
                self._read += self._more()
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _more(self) -> bytes:
        try:
            more = os.read(self._device, 4096)
        except OSError as error:  # the other end of the terminal is gone
            raise _Over from error
        if not more:
            raise _Over
        return more


def _no(why: str) -> Approval:
    return Approval(False, reason=why)


def _drop_typed(device: int) -> None:
    """Discard what was typed before the question appeared: it cannot be meant as an answer to it."""
    import termios  # noqa: PLC0415 - only where there are terminals of this kind

    with suppress(termios.error):
        termios.tcflush(device, termios.TCIFLUSH)
