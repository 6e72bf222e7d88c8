"""Notices on the desktop: for rules that say `notify: {text: …, desktop: true}`, and for requests to a person.

They are shown by a thread of their own: a desktop that hangs delays no event. If there is no program that shows them,
the log says so once; the host shows the notice of a rule as it shows every other, and a request waits in the inbox.
"""

from __future__ import annotations

import contextlib
import html
import logging
import os
import queue
import shutil
import sys
import threading
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

from interlock.errors import InterlockError
from interlock.facts.secrets import redact
from interlock.process import clean_environment, run_program
from interlock.verdict import Verdict

__all__ = ["Desktop", "notifier"]

_SECONDS = 10.0  # for one notice
_MOST_WAITING = 20
_MOST_CHARACTERS = 500
_TITLE = "Interlock"
_SCRIPT = ("on run argv", f'display notification (item 1 of argv) with title "{_TITLE}"', "end run")

_LOG = logging.getLogger("interlock")

Notifier = Callable[[str], list[str]]


class Desktop:
    """Shows notices, one after the other."""

    def __init__(
        self,
        environ: Mapping[str, str] | None = None,
        platform: str = sys.platform,
        say: Callable[[str], object] = _LOG.warning,
    ) -> None:
        self._say = say
        self._environ = dict(os.environ if environ is None else environ)
        self._platform = platform
        self._waiting: queue.Queue[str] = queue.Queue(_MOST_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._complained = False

    def show(self, verdict: Verdict) -> None:
        """Show what the rules of an event want on the desktop. Returns at once, and never fails."""
        for opinion in verdict.opinions:
            if opinion.desktop and opinion.notice:
                self.show_text(opinion.notice)

    def show_text(self, text: str) -> None:
        """Show one notice. Returns at once, and never fails."""
        self._start()
        with contextlib.suppress(queue.Full):  # a person reads no more of them anyway
            self._waiting.put_nowait(_plain(text))

    def finish(self) -> None:
        """Wait until everything is shown, or has failed."""
        self._waiting.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="interlock-desktop")
                try:
                    self._thread.start()
                except RuntimeError as error:
                    self._thread = None
                    self._complain(f"no thread for desktop notices: {error}")

    def _work(self) -> None:
        while True:
            text = self._waiting.get()
            try:
                self._run(text)
            except InterlockError as error:
                self._complain(f"a desktop notice could not be shown: {error.in_one_line()}")
            finally:
                self._waiting.task_done()

    def _run(self, text: str) -> None:
        words = notifier(self._environ, self._platform)
        if words is None:
            self._complain("a policy wants a notice on the desktop, but there is no `notify-send` or `osascript` here")
            return
        environ = _session_environment(self._environ)
        ran = run_program(words(text), stdin=b"", cwd="/", env=environ, timeout=_SECONDS)
        if ran.late or ran.code:
            why = f"did not end within {_SECONDS:g} s" if ran.late else ran.stderr.strip() or f"exit code {ran.code}"
            self._complain(f"a desktop notice could not be shown: {why}")

    def _complain(self, text: str) -> None:
        """Say it once: a machine without a desktop would otherwise fill the log."""
        if not self._complained:
            self._complained = True
            self._say(text)


def notifier(environ: Mapping[str, str], platform: str = sys.platform) -> Notifier | None:
    """The command line that shows a text on this desktop, or None if there is no program for it."""
    path = environ.get("PATH", os.defpath)
    if platform == "darwin":
        osascript = shutil.which("osascript", path=path)
        lines = [word for line in _SCRIPT for word in ("-e", line)]
        return None if osascript is None else lambda text: [osascript, *lines, "--", text]
    program = shutil.which("notify-send", path=path)
    if program is None:
        return None
    # Desktops read the body as markup; a text that a model had a part in must not become a link.
    return lambda text: [program, f"--app-name={_TITLE}", "--", _TITLE, html.escape(text, quote=False)]


def _plain(text: str) -> str:
    """The text without credentials and without characters that a desktop would act on."""
    hidden = str(redact(text))
    shown = "".join(" " if one.isspace() else one for one in hidden if one.isspace() or not _is_control(one))
    shown = " ".join(shown.split())
    return shown if len(shown) <= _MOST_CHARACTERS else shown[: _MOST_CHARACTERS - 1] + "…"


def _is_control(character: str) -> bool:
    return unicodedata.category(character).startswith("C")  # control, format (text direction), surrogate, unassigned


def _session_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for a program that must find the person's desktop, though the host may not have been told."""
    found = clean_environment(environ)
    folder = Path(f"/run/user/{os.getuid()}")
    if "XDG_RUNTIME_DIR" not in found and folder.is_dir():
        found["XDG_RUNTIME_DIR"] = str(folder)
    return found
