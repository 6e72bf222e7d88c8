"""What a person at the inbox can do: look, say yes or no, allow more, take it back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from interlock.approvals.answers import approve, reject
from interlock.approvals.granting import Terms
from interlock.cli.inbox_view.cells import Row, harmless
from interlock.cli.inbox_view.keys import PressedKey
from interlock.cli.inbox_view.pending import PendingCalls, call_line
from interlock.errors import InterlockError
from interlock.store.asking import AlreadyAnswered, ApprovalRequest
from interlock.store.base import Store

__all__ = ["InboxDesk", "InboxView"]

_GRANTED = "Yes, and allowed:"


class InboxView(Protocol):
    """Something that fills the screen between the title and the line of keys."""

    def hints(self, desk: InboxDesk) -> str:
        """The keys that do something now."""

    def press(self, key: PressedKey, desk: InboxDesk) -> None:
        """Do what a key means."""

    def draw(self, width: int, height: int, desk: InboxDesk) -> list[Row]:
        """At most `height` rows."""


class InboxDesk:
    """The state of the screen, and the answers that a person gives at it."""

    def __init__(
        self,
        store: Store,
        first: InboxView,
        *,
        by: str,
        edit: Callable[[str, str], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`edit` lets a person edit a text in their editor; its second argument is how the file's name ends."""
        self.store = store
        self.pending = PendingCalls(store, clock)
        self.by = by
        self.edit = edit
        self.message = ""
        self.is_over = False
        self._views: list[InboxView] = [first]

    @property
    def view(self) -> InboxView:
        return self._views[-1]

    def open(self, view: InboxView) -> None:
        """Show another view, until `back`."""
        self._views.append(view)

    def back(self) -> None:
        if len(self._views) > 1:
            self._views.pop()

    def home(self) -> None:
        """Show the list again."""
        del self._views[1:]

    def press(self, key: PressedKey) -> None:
        """Do what a key means in the view that is shown. What goes wrong is said on the screen."""
        self.message = ""
        try:
            self.view.press(key, self)
        except InterlockError as error:
            self.message = error.in_one_line()

    def refresh(self) -> None:
        """Read what waits."""
        try:
            self.pending.refresh()
        except InterlockError as error:
            self.message = error.in_one_line()

    def say_yes(
        self, request: ApprovalRequest, *, edit: dict[str, Any] | None = None, terms: Terms | None = None
    ) -> None:
        """Let a call run; with `terms`, more of the same too."""

        def answer(one: ApprovalRequest, now: float) -> str:
            _, grant = approve(self.store, one, by=self.by, at=now, edit=edit, terms=terms)
            if grant is not None:
                return f"{_GRANTED} {grant.text}"
            return "Yes, as edited" if edit is not None else "Yes"

        self._answer([request], answer)

    def say_yes_to_all(self, requests: Sequence[ApprovalRequest]) -> None:
        """Let several calls run."""

        def answer(one: ApprovalRequest, now: float) -> str:
            approve(self.store, one, by=self.by, at=now)
            return "Yes"

        self._answer(requests, answer)

    def say_no(self, requests: Sequence[ApprovalRequest], note: str | None) -> None:
        """Refuse calls, with a note for the model."""

        def answer(one: ApprovalRequest, now: float) -> str:
            reject(self.store, one, by=self.by, at=now, note=note)
            return "No"

        self._answer(requests, answer)

    def _answer(self, requests: Sequence[ApprovalRequest], answer: Callable[[ApprovalRequest, float], str]) -> None:
        outcomes = []
        for one in requests:
            try:
                outcome = answer(one, time.time())
                outcomes.append(f"{outcome}, when the agent tries it again" if _is_late(one, outcome) else outcome)
            except AlreadyAnswered as error:
                who = error.request.by
                was = f"{who} said {error.request.status} before you" if who else "Too late: its session has ended"
                outcomes.append(was)
        self.home()
        self.pending.marked.clear()
        self.refresh()
        self.pending.advance()
        if len(requests) == 1 and outcomes[0].startswith(_GRANTED):
            self.message = outcomes[0]
        elif len(requests) == 1:
            self.message = f"{outcomes[0]}: {harmless(call_line(requests[0].tool, requests[0].body))}"
        else:
            self.message = _tally(outcomes)


def _is_late(request: ApprovalRequest, outcome: str) -> bool:
    return request.status == "open" and outcome == "Yes"


def _tally(outcomes: list[str]) -> str:
    """`Yes: 3 calls; ann said no before you: 1 call`."""
    counts = {one: outcomes.count(one) for one in dict.fromkeys(outcomes)}
    return "; ".join(f"{one}: {count} call{'s' * (count != 1)}" for one, count in counts.items())
