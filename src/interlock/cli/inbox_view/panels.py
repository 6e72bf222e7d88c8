"""Answers that need more than one key: a note, an edit, more of the same, several calls at once, and the grants."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import json

from interlock.approvals.granting import SCOPES, WIDTHS, GrantScope, GrantWidth, Terms, match_for, widths_for, words_for
from interlock.cli.inbox_view.cells import Row, StyledText, fold, harmless, row, width_of
from interlock.cli.inbox_view.desk import InboxDesk
from interlock.cli.inbox_view.detail import ScrollWindow, label_rows
from interlock.cli.inbox_view.keys import PressedKey
from interlock.cli.inbox_view.trial import rules_on_edit
from interlock.cli.request_text import call_lines, grant_line
from interlock.errors import InterlockError
from interlock.facts.tools import kind_of
from interlock.jsontext import read_object
from interlock.store.asking import ApprovalRequest, Grant
from interlock.store.base import Store

__all__ = ["BulkPanel", "EditPanel", "GrantsPanel", "MorePanel", "NotePanel"]

JsonObject: TypeAlias = dict[str, Any]
_LONGEST_NOTE = 2000
_TIMES: tuple[int | None, ...] = (None, 1, 3, 10, 50)
_HOURS: tuple[float | None, ...] = (None, 0.5, 2, 8, 24)


class NotePanel:
    """A no, with a line that the model reads."""

    def __init__(self, requests: Sequence[ApprovalRequest]) -> None:
        self._requests = requests
        self._note = ""

    def hints(self, desk: InboxDesk) -> str:
        return "Enter sends the no  Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        if key.name == "enter":
            desk.say_no(self._requests, self._note.strip() or None)
        elif key.name == "esc":
            desk.back()
        elif key.name == "backspace":
            self._note = self._note[:-1]
        elif key.name == "clear":
            self._note = ""
        elif key.text:
            self._note = (self._note + " ".join(key.text.splitlines()))[:_LONGEST_NOTE]

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        about = [line for one in self._requests for line in _call_rows(one, width)]
        asked = "Say no. Why, or what to do instead? The model reads it; it may be left empty."
        typed = [row(piece) for piece in fold(f"note> {harmless(self._note)}_", width)]
        below = [row(""), *[row(piece) for piece in fold(asked, width)], *typed[-max(1, height - 4) :]]
        return [*about[: max(1, height - len(below))], *below]


class BulkPanel:
    """One yes to several calls of the same shape. Each of them is shown whole."""

    def __init__(self, requests: Sequence[ApprovalRequest]) -> None:
        self._requests = requests
        self._window = ScrollWindow()

    def hints(self, desk: InboxDesk) -> str:
        yes = "y" if self._window.is_read and desk.pending.is_armed else "·"
        return f"{yes} yes to these {len(self._requests)}  j k scroll  Space page  Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        if key.name == "esc":
            desk.back()
        elif key.name == "y" and self._window.is_read:
            if desk.pending.is_armed:
                desk.say_yes_to_all(self._requests)
        elif key.name == "y":
            desk.message = f"{self._window.hidden} rows are below; Space shows the next page, End the last."
        else:
            self._window.press(key)

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        count = len(self._requests)
        title = f"Say yes to {count} call{'s' * (count != 1)} of the shape `{harmless(self._requests[0].shape)}`:"
        rows = [line for one in self._requests for line in _call_rows(one, width)]
        return [row(StyledText(title, "bold")), row(""), *self._window.view(rows, height - 2)]


class EditPanel:
    """The input that a person wants to run instead, before they say so."""

    def __init__(self, request: ApprovalRequest) -> None:
        self._request = request
        self._given: JsonObject = json.decode(request.body)["input"]
        self._edited = self._given
        self._rules = ""
        self._window = ScrollWindow()

    def edit(self, desk: InboxDesk) -> bool:
        """Let a person edit, and return whether anything was changed."""
        is_command = kind_of(self._request.tool) == "shell" and isinstance(self._edited.get("command"), str)
        before = self._edited["command"] if is_command else _pretty(self._edited)
        after = desk.edit(before, ".sh" if is_command else ".json")
        if after.removesuffix("\n") == before.removesuffix("\n"):
            desk.message = "Nothing was changed."
            return False
        if is_command:
            if not after.strip():
                raise InterlockError("the command is empty; to refuse the call, press n")
            self._edited = {**self._edited, "command": after.removesuffix("\n")}
        else:
            self._edited = read_object(after.encode("utf-8", "surrogateescape"))
        self._rules = rules_on_edit(self._request, self._edited, desk.store)
        self._window = ScrollWindow()
        desk.pending.disarm()
        return True

    def hints(self, desk: InboxDesk) -> str:
        yes = "y" if self._window.is_read and desk.pending.is_armed else "·"
        return f"{yes} run it as edited  e edit again  j k scroll  Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        if key.name == "esc":
            desk.back()
        elif key.name == "e":
            self.edit(desk)
        elif key.name == "y" and self._window.is_read:
            if desk.pending.is_armed:
                desk.say_yes(self._request, edit=self._edited)
        elif key.name == "y":
            desk.message = f"{self._window.hidden} rows are below; Space shows the next page, End the last."
        else:
            self._window.press(key)

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        rows = [
            *label_rows("edited", call_lines(self._edited), width),
            *label_rows("was", call_lines(self._given), width),
            *label_rows("rules", [self._rules], width),
            row(""),
            *[row(piece) for piece in fold("It is judged again when it runs: what a rule denies stays denied.", width)],
        ]
        return self._window.view(rows, height)


_MoreRow: TypeAlias = Literal["what", "where", "times", "for"]


class MorePanel:
    """A yes to more of the same. What it allows is said in words before it is given."""

    def __init__(self, request: ApprovalRequest) -> None:
        self._request = request
        self._widths: tuple[GrantWidth, ...] = tuple(widths_for(request))
        self._matches = [match_for(request, width) for width in self._widths]
        self._scopes: tuple[GrantScope, ...] = tuple(SCOPES)
        self._at: dict[_MoreRow, int] = {"what": 0, "where": 0, "times": 0, "for": 0}
        self._row: _MoreRow = "what"

    def hints(self, desk: InboxDesk) -> str:
        return "Enter yes, and allow this  j k h l choose  Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        rows: list[_MoreRow] = list(self._at)
        if key.name == "esc":
            desk.back()
        elif key.name == "enter":
            desk.say_yes(self._request, terms=self._terms())
        elif key.name in ("j", "down", "k", "up"):
            step = 1 if key.name in ("j", "down") else -1
            self._row = rows[(rows.index(self._row) + step) % len(rows)]
        elif key.name in ("l", "right", " ", "h", "left"):
            step = -1 if key.name in ("h", "left") else 1
            self._at[self._row] = (self._at[self._row] + step) % len(self._options()[self._row])

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        rows = [row(StyledText("Yes to this call, and to more of the same", "bold")), row("")]
        for name, options in self._options().items():
            chosen = [f"[{one}]" if at == self._at[name] else f" {one} " for at, one in enumerate(options)]
            cursor = ">" if name == self._row else " "
            rows.append(row(StyledText(f"{cursor} {name:<8}", "bold"), " ".join(chosen)))
        words = words_for(self._matches[self._at["what"]], self._terms())
        rows += [row(""), *label_rows("allows", [words], width), row("")]
        rows += [row(piece) for piece in fold("A grant never allows what a rule denies; g takes it back.", width)]
        return rows[:height]

    def _options(self) -> dict[_MoreRow, list[str]]:
        return {
            "what": [WIDTHS[one] for one in self._widths],
            "where": [f"this {one}" for one in self._scopes],
            "times": ["any number" if one is None else str(one) for one in _TIMES],
            "for": ["no limit" if one is None else _hours_text(one) for one in _HOURS],
        }

    def _terms(self) -> Terms:
        hours = _HOURS[self._at["for"]]
        return Terms(
            width=self._widths[self._at["what"]],
            scope=self._scopes[self._at["where"]],
            calls=_TIMES[self._at["times"]],
            until=None if hours is None else time.time() + hours * 3600,
        )


class GrantsPanel:
    """What is allowed now beyond single calls, and taking it back."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._index = 0
        self._revoking: Grant | None = None
        self._top = 0

    def hints(self, desk: InboxDesk) -> str:
        if self._revoking is not None:
            return "y take it back  Esc keep it"
        return "r take it back  j k move  Esc back" if self._grants() else "Esc back"

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        grants = self._grants()
        if self._revoking is not None:
            revoking, self._revoking = self._revoking, None
            if key.name == "y":
                was_there = self._store.revoke(revoking.id, by=desk.by, at=time.time())
                desk.message = f"Taken back: {revoking.text}" if was_there else "It had ended already."
        elif key.name in ("esc", "q", "g"):
            desk.back()
        elif key.name in ("j", "down", "k", "up"):
            step = 1 if key.name in ("j", "down") else -1
            self._index = max(0, min(len(grants) - 1, self._index + step))
        elif key.name == "r" and grants:
            self._revoking = grants[min(self._index, len(grants) - 1)]

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        grants = self._grants()
        if not grants:
            return [row("No grant holds now."), row(""), row("In the list, a says yes and allows more of the same.")]
        self._index = min(self._index, len(grants) - 1)
        rows: list[Row] = []
        for at, grant in enumerate(grants):
            cursor = "> " if at == self._index else "  "
            first = len(rows)
            for piece in fold(harmless(grant_line(grant)), width - 2):
                rows.append(row(cursor + piece))
                cursor = "  "
            if at == self._index:
                self._top = max(min(self._top, first), len(rows) - (height - 2))
        shown = rows[self._top : self._top + height - 2]
        if self._revoking is not None:
            shown += [row(""), row(StyledText(f"Take back: {harmless(self._revoking.text)}?", "bold"))]
        return shown

    def _grants(self) -> list[Grant]:
        now = time.time()
        return [one for one in self._store.grants() if one.holds_at(now)]


def _call_rows(request: ApprovalRequest, width: int) -> list[Row]:
    """A call with nothing left out, in as many rows as it takes."""
    lines = call_lines(json.decode(request.body)["input"])
    tool = harmless(request.tool)
    return label_rows(tool if width_of(tool) < 10 else "call", lines if width_of(tool) < 10 else [tool, *lines], width)


def _pretty(value: JsonObject) -> str:
    return json.format(json.encode(value), indent=2).decode() + "\n"


def _hours_text(hours: float) -> str:
    return f"{round(hours * 60)} min" if hours < 1 else f"{hours:g} h"
