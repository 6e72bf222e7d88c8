"""What a gate raises instead of a result."""

from __future__ import annotations

from interlock.errors import InterlockError
from interlock.verdict import Verdict

__all__ = ["Denied", "NotApproved", "TurnOver", "Withheld"]


class Denied(InterlockError):  # noqa: N818 - not an error but an answer, which callers catch
    """The call did not run. `reason` is for the model; `interrupt` says that its turn should end."""

    def __init__(self, reason: str, verdict: Verdict) -> None:
        super().__init__(reason)
        self.reason = reason
        self.verdict = verdict

    @property
    def interrupt(self) -> bool:
        return self.verdict.interrupt


class NotApproved(Denied):
    """The call did not run because it needed a person's approval and did not get it."""


class Withheld(InterlockError):  # noqa: N818
    """The call ran, but its result must not be read. `reason` is for the model."""

    def __init__(self, reason: str, verdict: Verdict) -> None:
        super().__init__(reason)
        self.reason = reason
        self.verdict = verdict


class TurnOver(InterlockError):  # noqa: N818
    """A rule ends the turn. This ends the run of a framework, because a gentler end could be ignored."""
