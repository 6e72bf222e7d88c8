"""The words of the store: what is read before an event is judged, and what is committed after it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final, NamedTuple, Protocol

from msgspec import Struct, field

from interlock.source import InterlockError

__all__ = [
    "ANSWERS_KEPT",
    "MOST_FIRINGS",
    "UNKNOWN",
    "Change",
    "Conflict",
    "Duplicate",
    "Entry",
    "Pending",
    "Receipt",
    "Scope",
    "Snapshot",
    "Store",
    "StoreError",
    "StoredRecord",
    "Unknown",
    "Verification",
    "Wanted",
]

MOST_FIRINGS = 10_000
ANSWERS_KEPT = 100_000  # records; a second delivery of the same event comes within seconds


class Scope(NamedTuple):
    """Whose state it is."""

    kind: str  # session, agent, project or user
    id: str


class Unknown(Enum):
    """The type of UNKNOWN."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN
"""Stands for a value that was to be set by a result that failed or never came."""


class Wanted(Struct, frozen=True):
    """What one event may read: state names, and rules whose firings are asked for, by scope."""

    names: dict[Scope, frozenset[str]] = field(default_factory=dict)
    rules: dict[Scope, frozenset[str]] = field(default_factory=dict)


class Snapshot(Struct, frozen=True):
    """State as it was at one moment. A value never set is absent; a scope never written has version 0."""

    values: dict[tuple[Scope, str], Any] = field(default_factory=dict)
    firings: dict[tuple[Scope, str], tuple[float, ...]] = field(default_factory=dict)
    versions: dict[Scope, int] = field(default_factory=dict)


class Change(Struct, frozen=True):
    """One variable that an event sets. A map merges into the map that is there; anything else replaces.

    `whole` says that a map replaces too, and so makes a variable known of which an unknown key was lost.
    """

    scope: Scope
    name: str
    value: Any
    whole: bool = False


class Pending(Struct, frozen=True):
    """What the result of a call would set: a whole variable, or one key of a map."""

    scope: Scope
    name: str
    key: str | None = None


class Receipt(Struct, frozen=True):
    """What was answered for one call, kept until its result comes back."""

    session: str
    call: str
    tool: str
    input_digest: str
    decision: str | None
    at: float
    agent: str = ""
    pending: tuple[Pending, ...] = ()


class Entry(Struct, frozen=True, kw_only=True):
    """Everything that is committed for one event, in one transaction or not at all.

    The record's `session`, `event`, `tool`, `decision` and `rules` are what `records` filters by; without `rules`
    those in `fired` count.
    """

    record: dict[str, Any]
    raw: bytes  # the request, redacted by the caller
    at: float
    changes: tuple[Change, ...] = ()
    fired: tuple[tuple[Scope, str], ...] = ()
    expect: dict[Scope, int] = field(default_factory=dict)  # versions read: if one has moved on, Conflict
    opens: Receipt | None = None
    closes: tuple[str, str] | None = None  # (session, call): its result came. Not open any more: Conflict
    fails: tuple[str, str] | None = None  # (session, call): its result failed; what was pending, if open, is unknown
    expires: tuple[str, str] | None = None  # (session, agent): calls still open there were never reported
    once: str | None = None  # a key that tells when the same event is delivered twice
    answer: bytes = b""  # what the second delivery is answered with


class StoredRecord(Struct, frozen=True):
    """One line of the audit log."""

    sequence: int
    at: float
    session: str | None
    event: str | None
    tool: str | None
    decision: str | None
    rules: tuple[str, ...]
    record: dict[str, Any]
    raw: bytes
    hash: str


class Verification(Struct, frozen=True):
    """Whether the log is whole, and in words where it is not."""

    ok: bool
    count: int
    problems: list[str] = field(default_factory=list)


class StoreError(InterlockError):
    """The store could not be read or written; nothing of the entry was kept."""


class Conflict(Exception):  # noqa: N818 - not a fault: the caller judges again with what is there now
    """Somebody else wrote what this entry was judged by. Nothing was written."""


class Duplicate(Exception):  # noqa: N818 - not a fault: the caller gives the same answer again
    """This event was committed before. Nothing was written."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("this event was answered before")
        self.answer = answer


class Store(Protocol):
    """Where records, state and receipts are kept."""

    def read(self, wanted: Wanted) -> Snapshot:
        """What is wanted, all of one moment."""

    def commit(self, entry: Entry) -> int:
        """Write one entry, and return its sequence number once it is durable. Raises Conflict or Duplicate."""

    def answer_to(self, once: str) -> bytes | None:
        """What the event with this key was answered, if it was."""

    def receipt(self, session: str, call: str) -> Receipt | None:
        """The receipt of a call whose result has not come."""

    def records(
        self,
        after: int = 0,
        *,
        session: str | None = None,
        rule: str | None = None,
        decision: str | None = None,
        since: float | None = None,
        until: float | None = None,
        newest: int | None = None,
    ) -> Iterator[StoredRecord]:
        """Records in order, those with `since` <= at < `until`; of what matches only the `newest`, if given."""

    def verify(self) -> Verification:
        """Check every record against the chain."""

    def prune(self, before_sequence: int) -> int:
        """Remove the sealed segments that end before a record, and return how many records that were."""

    def inherit(self, parent: str, child: str) -> None:
        """Start a forked session with its parent's state. Does nothing to a session that has state already."""

    def close(self) -> None:
        """Finish what was handed in, and let go of every file."""
