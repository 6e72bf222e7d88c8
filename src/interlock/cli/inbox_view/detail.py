"""A request in full, in rows of a given width, and a window that scrolls over rows."""

from __future__ import annotations

from interlock.cli.inbox_view.cells import Row, StyledText, fold, harmless, row
from interlock.cli.inbox_view.keys import PressedKey
from interlock.cli.request_text import request_parts, wait_text
from interlock.store.asking import ApprovalRequest

__all__ = ["ScrollWindow", "detail_rows", "label_rows", "state_text"]

_LABEL = 10


def label_rows(label: str, lines: list[str], width: int) -> list[Row]:
    """Lines beside a label. What does not fit goes on in the next row."""
    whole = [part for line in lines for part in line.splitlines() or [""]]
    pieces = [piece for line in whole for piece in fold(harmless(line), width - _LABEL)]
    labels = [StyledText(f"{label:<{_LABEL - 1}} ", "bold"), *[StyledText(" " * _LABEL)] * (len(pieces) - 1)]
    return [row(before, piece) for before, piece in zip(labels, pieces, strict=True)]


def detail_rows(request: ApprovalRequest, width: int) -> list[Row]:
    """What would run, what changed, why it is asked, what it touches, who wants it, and how long it waits."""
    rows: list[Row] = []
    for part in request_parts(request):
        lines = [state_text(request)] if part.label == "waits" else part.lines
        rows += label_rows(harmless(part.label), lines, width)
    return rows


def state_text(request: ApprovalRequest) -> str:
    """How long the call still waits, or what became of the request."""
    if request.status == "waiting":
        return wait_text(request)
    if request.status == "open":
        return "nobody answered in time; a yes lets the agent's next try run"
    if request.status == "over" or request.by is None:
        return "over: nobody waits for an answer any more"
    note = f": {request.note}" if request.note else ""
    edited = ", with an edit" if request.edit is not None else ""
    return f"{request.by} said {request.status}{edited}{note}"


class ScrollWindow:
    """A part of some rows. It knows whether the last of them was ever shown."""

    def __init__(self) -> None:
        self._top = 0
        self._height = 1
        self.hidden = 0  # rows below the window
        self.is_read = False

    def view(self, rows: list[Row], height: int) -> list[Row]:
        """The rows that are in the window."""
        self._height = max(height, 1)
        self._top = max(0, min(self._top, len(rows) - self._height))
        self.hidden = max(0, len(rows) - self._top - self._height)
        self.is_read = self.is_read or self.hidden == 0
        return rows[self._top : self._top + self._height]

    def press(self, key: PressedKey) -> bool:
        """Scroll, if that is what the key means, and return whether it is."""
        page = max(1, self._height - 1)
        steps = {
            "j": 1, "down": 1, "k": -1, "up": -1, "pgdn": page, " ": page, "enter": page, "pgup": -page,
            "home": -self._top, "end": 1 << 30,
        }  # fmt: skip
        step = steps.get(key.name)
        if step is None:
            return False
        self._top = max(0, self._top + step)
        return True
