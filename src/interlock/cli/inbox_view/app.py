"""Run the inbox on the whole screen: draw, wait for a key or for news, and go on until a person quits."""

from __future__ import annotations

import getpass
import os
import shlex
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

from interlock.cli.inbox_view.cells import Row, StyledText, clip, harmless, pad, row, width_of
from interlock.cli.inbox_view.desk import InboxDesk
from interlock.cli.inbox_view.terminal import FullScreen
from interlock.cli.inbox_view.views import ListView
from interlock.errors import InterlockError
from interlock.store.base import Store

__all__ = ["run_inbox", "screen_rows"]

_LOOKS = 0.1  # seconds between two looks at the store
_SMALLEST = (40, 10)


def run_inbox(store: Store) -> None:
    """Show the inbox until a person quits."""
    with FullScreen() as screen, closing(store.watch()) as watch:
        desk = InboxDesk(store, ListView(), by=getpass.getuser(), edit=lambda text, end: _edit(screen, text, end))
        size = screen.size()
        while not desk.is_over:
            try:
                if watch.has_changed():
                    desk.refresh()
            except InterlockError as error:
                desk.message = error.in_one_line()
            desk.pending.forget_answered()
            if screen.size() != size:
                size = screen.size()
                screen.redraw()
            screen.draw(screen_rows(desk, *size))
            try:
                keys = screen.keys(_LOOKS)
            except (EOFError, OSError):  # the terminal is gone
                return
            for key in keys:
                if key.name == "redraw":
                    screen.redraw()
                desk.press(key)
                # Drawn after each key: what a view knows to have been read is what was on the screen.
                screen.draw(screen_rows(desk, *size))


def screen_rows(desk: InboxDesk, width: int, height: int) -> list[Row]:
    """Everything on the screen."""
    if width < _SMALLEST[0] or height < _SMALLEST[1]:
        return [row(clip(f"This needs a terminal of {_SMALLEST[0]} by {_SMALLEST[1]} or more; q quits.", width))]
    body = desk.view.draw(width, height - 4, desk)[: height - 4]
    filled = [*body, *[row("")] * (height - 4 - len(body))]
    message = (StyledText(clip(harmless(desk.message), width), "bold"),)
    return [_title(desk, width), row(""), *filled, message, (StyledText(_hints(desk, width), "dim"),)]


def _hints(desk: InboxDesk, width: int) -> str:
    """The keys, as many as fit; the last ones, which lead out, always do."""
    words = desk.view.hints(desk).split("  ")
    while len(words) > 2 and width_of("  ".join(words)) > width:
        del words[-3]
    return clip("  ".join(words), width)


def _title(desk: InboxDesk, width: int) -> Row:
    waiting = sum(one.status == "waiting" for one in desk.pending.requests)
    late = sum(one.status == "open" for one in desk.pending.requests)
    counts = f"{waiting}{'+' * desk.pending.is_full} waiting" + (f", {late} still open" if late else "")
    clock = f"{time.strftime('%H:%M')} "
    return (StyledText(pad(f" Interlock inbox   {counts}", width - len(clock)) + clock, "reverse"),)


def _edit(screen: FullScreen, text: str, ending: str) -> str:
    """What a person makes of a text in their editor."""
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    handle, name = tempfile.mkstemp(suffix=ending, prefix="interlock-")
    file = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(text)
        with screen.away():
            ended = subprocess.run([*editor, str(file)], check=False)  # noqa: S603 - the person's own editor
        if ended.returncode != 0:
            raise InterlockError(f"nothing was changed: the editor ended with {ended.returncode}")
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InterlockError(f"the editor `{editor[0]}` cannot be used: {error}") from error
    finally:
        file.unlink(missing_ok=True)
