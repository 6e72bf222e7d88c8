"""The views of the inbox: the list with the selected call beside it, one call in full, and the keys."""

from __future__ import annotations

import time
from pathlib import PurePath

from interlock.approvals.answers import why_not_editable
from interlock.approvals.granting import widths_for
from interlock.cli.inbox_view.cells import Row, StyledText, clip, harmless, pad, row, width_of
from interlock.cli.inbox_view.desk import InboxDesk
from interlock.cli.inbox_view.detail import ScrollWindow, detail_rows, state_text
from interlock.cli.inbox_view.keys import PressedKey
from interlock.cli.inbox_view.panels import BulkPanel, EditPanel, GrantsPanel, MorePanel, NotePanel
from interlock.cli.inbox_view.pending import call_line
from interlock.store.asking import UNANSWERED, ApprovalRequest

__all__ = ["KeysView", "ListView"]

_EMPTY = """Nothing waits for an answer.

A call that a policy asks about waits here if the agent shows no prompts, as in
`claude -p`, or with `approve: inbox`. It appears at once; you can leave this open.

`interlock docs approvals` says more."""
_KEYS = """j k       move down and up (also the arrow keys)
Enter     read the whole call
y         yes: the call runs
n         no, with a note that the model reads
e         edit what runs; it is judged again
a         yes, and allow more of the same
x         select for one answer to several calls of the same shape; X selects all of them
g         what is allowed now, and taking it back
?         these keys
q         quit; what waits goes on waiting

The first answer counts. A yes reaches the agent at once and cannot be taken back."""
_UNREAD = "there is more to read before a yes: Space shows the next page, End the last"
_YES = ("y", "a")  # keys that let a call run, or begin to
_SHORTEST_LIST = 3
_MOST_PLACE = 20  # cells for the project


class ListView:
    """The list of what waits, and the selected call below it."""

    def __init__(self) -> None:
        self._window = ScrollWindow()
        self._of = ""  # the call that the window is about
        self._top = 0

    def hints(self, desk: InboxDesk) -> str:
        selected = desk.pending.selected
        if selected is None:
            return "g grants  ? keys  q quit"
        if selected.status not in UNANSWERED:
            return "j k move  g grants  ? keys  q quit"
        # A person must see when a key does nothing: for a moment after the selection moved by itself, y does not.
        yes = "y" if desk.pending.is_armed else "·"
        marked = len(desk.pending.to_answer())
        if marked:
            return f"{yes} yes to {marked}  n no to {marked}  x select  X all of this shape  Esc none  ? keys"
        return f"{yes} yes  n no  e edit  a allow more  x select  g grants  Enter read  ? keys  q quit"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        pending = desk.pending
        steps = {"j": 1, "down": 1, "k": -1, "up": -1, "home": -(1 << 30), "end": 1 << 30}
        if key.name in steps:
            pending.move(steps[key.name])
        elif key.name in ("q", "end-of-input"):
            desk.is_over = True
        elif key.name == "?":
            desk.open(KeysView())
        elif key.name == "g":
            desk.open(GrantsPanel(desk.store))
        elif key.name == "esc":
            pending.marked.clear()
        elif key.name in ("x", "X"):
            desk.message = pending.mark(every=key.name == "X") or ""
        elif pending.selected is not None:
            self._press_about(key, desk, pending.selected)

    def _press_about(self, key: PressedKey, desk: InboxDesk, selected: ApprovalRequest) -> None:
        if key.name in ("enter", "pgdn", " "):
            desk.open(ReadView(selected.id))
            return
        if key.name not in ("y", "n", "e", "a"):
            return
        several = desk.pending.to_answer()
        if several and key.name == "y":
            desk.pending.disarm()  # a key that is held down would say yes to what nobody has read
            desk.open(BulkPanel(several))
        elif several and key.name == "n":
            desk.open(NotePanel(several))
        elif key.name in _YES and selected.status in UNANSWERED and desk.pending.is_armed and not self._window.is_read:
            desk.open(ReadView(selected.id))
            desk.message = f"This call is long; {_UNREAD}."
        elif key.name not in _YES or desk.pending.is_armed:
            answer_key(key.name, desk, selected)

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        pending = desk.pending
        if pending.selected is None:
            return [row(clip(line, width)) for line in _EMPTY.splitlines()]
        if pending.selected.id != self._of:
            self._window, self._of = ScrollWindow(), pending.selected.id
        wanted = max(_SHORTEST_LIST, height // 3)
        rows = min(len(pending.requests), wanted)
        self._top = max(min(self._top, pending.index, len(pending.requests) - rows), pending.index - rows + 1, 0)
        listed = pending.requests[self._top : self._top + rows]
        detail = detail_rows(pending.selected, width)
        shown = self._window.view(detail, height - rows - 1)
        place = f"{pending.index + 1} of {len(pending.requests)}{'+' * pending.is_full}"
        more = f" {self._window.hidden} more rows: Enter " if self._window.hidden else ""
        places = max(width_of(_place(one)) for one in listed)
        return [*[_list_row(one, width, places, desk) for one in listed], _rule(f" {place} ", more, width), *shown]


class ReadView:
    """One call on the whole screen."""

    def __init__(self, id: str) -> None:
        self._id = id
        self._window = ScrollWindow()

    def hints(self, desk: InboxDesk) -> str:
        if self._request(desk) is None:
            return "Esc back"
        yes = "y yes" if desk.pending.is_armed and self._window.is_read else "· yes"
        return f"j k scroll  Space page  End last  {yes}  n no  e edit  a allow more  Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        request = self._request(desk)
        if key.name in ("esc", "q") or (key.name == "enter" and not self._window.hidden):
            desk.back()
        elif self._window.press(key) or request is None:
            pass
        elif key.name in _YES and not self._window.is_read:
            desk.message = f"{self._window.hidden} rows are below; {_UNREAD}."
        elif key.name in ("n", "e") or (key.name in _YES and desk.pending.is_armed):
            answer_key(key.name, desk, request)

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        request = self._request(desk)
        if request is None:
            return [row("This request is gone.")]
        shown = self._window.view(detail_rows(request, width), height - 1)
        more = f" {self._window.hidden} more rows " if self._window.hidden else " end "
        return [*shown, _rule(f" {state_text(request)} ", more, width)]

    def _request(self, desk: InboxDesk) -> ApprovalRequest | None:
        return next((one for one in desk.pending.requests if one.id == self._id), None)


class KeysView:
    """What each key does."""

    def hints(self, desk: InboxDesk) -> str:
        return "Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        desk.back()

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        return [row(line) for line in _KEYS.splitlines()]


def answer_key(name: str, desk: InboxDesk, request: ApprovalRequest) -> None:
    """Do what y, n, e or a mean for one call."""
    if request.status not in UNANSWERED:
        desk.message = f"It is answered already: {state_text(request)}."
    elif name == "y":
        desk.say_yes(request)
    elif name == "n":
        desk.open(NotePanel([request]))
    elif name == "a":
        if widths_for(request):
            desk.open(MorePanel(request))
        else:
            desk.message = "Part of this call cannot be known before it runs, so no grant can cover it."
    else:
        why_not = why_not_editable(request)
        if why_not is not None:
            desk.message = f"{why_not[0].upper()}{why_not[1:]}."
            return
        panel = EditPanel(request)
        if panel.edit(desk):
            desk.open(panel)


def _list_row(request: ApprovalRequest, width: int, places: int, desk: InboxDesk) -> Row:
    """A call in the list: how long it waits, what would run, and the project, which has `places` cells."""
    is_selected = desk.pending.selected is not None and request.id == desk.pending.selected.id
    is_over = request.status not in UNANSWERED
    cursor = ">" if is_selected else " "
    mark = "x" if request.id in desk.pending.marked else " "
    state = _left(request) if request.status == "waiting" else request.status
    call = harmless(call_line(request.tool, request.body))
    if is_over:
        call = f"({state_text(request)}) {call}"
    head = f"{cursor}{mark} {state:>5}  "
    line = f"{head}{pad(call, width - width_of(head) - places - 2)}  {pad(_place(request), places)}"
    return (StyledText(pad(line, width), "reverse" if is_selected else "dim" if is_over else ""),)


def _place(request: ApprovalRequest) -> str:
    return clip(harmless(PurePath(request.project).name), _MOST_PLACE)


def _left(request: ApprovalRequest) -> str:
    seconds = max(0, round(request.until - time.time()))
    return f"{seconds // 60}:{seconds % 60:02}"


def _rule(left: str, right: str, width: int) -> Row:
    left = clip(f"──{harmless(left)}", max(0, width - width_of(right) - 2))
    return (StyledText(left + "─" * (width - width_of(left) - width_of(right) - 2) + right + "──", "dim"),)
