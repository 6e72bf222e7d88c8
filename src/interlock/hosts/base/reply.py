"""What goes back to a host, and what every dialect must be able to do."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from interlock.effect import Effect
from interlock.event import Event
from interlock.hosts.base.reading import Output, Reading
from interlock.verdict import Verdict

__all__ = ["Dialect", "NothingToJudge", "Reply", "restore_decision"]


class NothingToJudge(Exception):  # noqa: N818 - not a fault
    """What a host sent is not an event of policies: it repeats an event, or is a chance to end a turn that goes on.

    `stdout`: what the host is answered.
    """

    def __init__(self, session: str, stdout: bytes = b"") -> None:
        super().__init__(session)
        self.session = session
        self.stdout = stdout


class Reply(Struct, frozen=True, kw_only=True):
    """One answer: what is written, the exit code, and the verdict they came from."""

    stdout: bytes
    stderr: str = ""
    exit_code: int = 0
    verdict: Verdict
    meant: Verdict | None = None  # before what the host would ignore was replaced; None: it is the same
    answer: Struct | None = None  # what was written, before it became bytes; None if there were only bytes
    request: str | None = None  # a person is asked, and the answer to the host is yet to come; until then it denies


def restore_decision(stdout: bytes, verdict: Verdict) -> Verdict:
    """For a host that is answered in bytes, only the decision of a kept verdict is needed."""
    return verdict


class Dialect(Protocol):
    """A module that reads and writes one host's format."""

    def honours(self, event_name: str) -> frozenset[Effect]:
        """What the host does with Interlock's answer to this event."""

    def decode(self, raw: bytes) -> Event:
        """The event in `raw`, or an InterlockError naming the field at fault, or NothingToJudge."""

    def encode(self, event: Event, verdict: Verdict) -> Reply:
        """The answer, with parts that the host would not honour replaced by stricter ones."""

    def fail(
        self, event_name: str | None, message: str, *, detail: str = "", event: Event | None = None, raw: bytes = b""
    ) -> Reply:
        """The answer when there is no verdict: the event's safe direction, the strictest for an unknown event.

        `raw` is the event as it arrived, readable or not. `detail` may quote it and is not shown in place of a withheld
        result.
        """

    def restore(self, stdout: bytes, verdict: Verdict) -> Verdict:
        """The verdict behind an answer that was kept; `verdict` has only its decision."""

    def read(self, event_name: str, output: Output, by: str) -> Reading:
        """What another program's hook said in this dialect, read strictly."""
