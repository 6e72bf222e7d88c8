"""The words of the store: what is read before an event is judged, and what is committed after it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, field

from interlock.errors import InterlockError

__all__ = [
    "ANSWERS_KEPT",
    "MOST_FIRINGS",
    "RECEIPTS_KEPT",
    "SESSIONS_KEPT",
    "UNKNOWN",
    "CallKey",
    "Conflict",
    "Duplicate",
    "Entry",
    "Forked",
    "Note",
    "Pending",
    "Receipt",
    "RecordLost",
    "Scope",
    "Session",
    "Snapshot",
    "StateChange",
    "Status",
    "Stopped",
    "Store",
    "StoreError",
    "StoredRecord",
    "Unknown",
    "Verification",
    "Wants",
]

MOST_FIRINGS = 10_000
ANSWERS_KEPT = 100_000  # records; a second delivery of the same event comes within seconds
RECEIPTS_KEPT = 100_000  # records; the end of a batch, which asks for receipts that are done, comes within a turn
SESSIONS_KEPT = 30 * 86_400.0  # seconds; a session can be resumed, and must then find its state


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


class Wants(Struct, frozen=True):
    """What one event may read: state names, and rules whose firings are asked for, by scope."""

    names: dict[Scope, frozenset[str]] = field(default_factory=dict)
    rules: dict[Scope, frozenset[str]] = field(default_factory=dict)


class Snapshot(Struct, frozen=True):
    """State as it was at one moment. A value never set is absent; a scope never written has version 0."""

    values: dict[tuple[Scope, str], Any] = field(default_factory=dict)
    firings: dict[tuple[Scope, str], tuple[float, ...]] = field(default_factory=dict)
    versions: dict[Scope, int] = field(default_factory=dict)


class StateChange(Struct, frozen=True):
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


Status: TypeAlias = Literal["open", "denied", "closed", "failed", "expired"]


class CallKey(NamedTuple):
    """Which receipt: one guard's, about one call."""

    session: str
    call: str
    guard: str = ""


class Receipt(Struct, frozen=True):
    """What one guard answered for one call. It stays known once its result came: the call is not taken for unseen.

    `denied` is for good; `expired` means that no result was ever reported.
    """

    session: str
    call: str
    tool: str
    input_digest: str
    decision: str | None
    at: float
    agent: str = ""
    pending: tuple[Pending, ...] = ()
    status: Status = "open"
    input: bytes | None = None  # what would run, redacted; while it is open, and if it is not too long
    cwd: str = ""  # where relative paths in it start
    said: str | None = None  # the reason of a denial, as the model was told, redacted
    withheld: str | None = None  # why the model may not read what a failed call printed
    guard: str = ""  # who answered: two guards beside each other each keep a receipt of their own

    @property
    def key(self) -> CallKey:
        return CallKey(self.session, self.call, self.guard)


class Session(Struct, frozen=True):
    """What is known of a session beside its state."""

    touched: float  # when a turn of it last began or ended
    since: float | None = None  # from when on every call of it must have reached us
    breach: str | None = None  # why nothing more may run in it
    forked: bool = False  # it is a fork, and whose is not known yet


class Note(Struct, frozen=True):
    """What is written down of a session: that a turn of it began or ended, and what else goes with that."""

    session: str
    watch: bool = False  # every call of it must reach us from now on
    fork: bool = False  # it is a fork of another that is not known yet
    end: bool = False  # it is over: its receipts are let go, its state stays
    breach: str | None = None  # nothing more may run in it. The first reason stays


class Entry(Struct, frozen=True, kw_only=True):
    """Everything that is committed for one event, in one transaction or not at all.

    The record's `session`, `event`, `tool`, `decision` and `rules` are what `records` filters by; without `rules`
    those in `fired` count.
    """

    record: dict[str, Any]
    raw: bytes  # the request, redacted by the caller
    at: float
    changes: tuple[StateChange, ...] = ()
    fired: tuple[tuple[Scope, str], ...] = ()
    expect: dict[Scope, int] = field(default_factory=dict)  # versions read: if one has moved on, Conflict
    opens: Receipt | None = None  # in a session that was stopped: Stopped, unless it is a denial
    closes: CallKey | None = None  # its result came. Not open any more: Conflict
    fails: CallKey | None = None  # its result failed; what was pending, if open, is unknown
    withheld: str | None = None  # with `fails`: why the model may not read what the call printed
    expires: tuple[str, str] | None = None  # (session, agent): calls still open there were never reported
    notes: Note | None = None  # what the event says of its session itself
    despite: bool = False  # opens its receipt also where the session was stopped
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


class RecordLost(StoreError):  # noqa: N818 - said of the record
    """The record is gone, or is not the one, or not as far any more, that was attested elsewhere."""


class Conflict(Exception):  # noqa: N818 - not a fault: the caller judges again with what is there now
    """Somebody else wrote what this entry was judged by. Nothing was written."""


class Stopped(Exception):  # noqa: N818 - not a fault: the caller denies the call
    """A breach stopped the session in which this entry lets a call run. Nothing was written."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Forked(Exception):  # noqa: N818 - not a fault: the caller finds the parent and tries again
    """The session of this entry is a fork that has not got its parent's state yet. Nothing was written."""


class Duplicate(Exception):  # noqa: N818 - not a fault: the caller gives the same answer again
    """This event was committed before. Nothing was written."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("this event was answered before")
        self.answer = answer


class Store(Protocol):
    """Where records, state and receipts are kept."""

    def read(self, wanted: Wants) -> Snapshot:
        """What is wanted, all of one moment."""

    def commit(self, entry: Entry) -> int:
        """Write one entry, and return its sequence number once it is durable.

        Raises Conflict, Duplicate, Stopped or Forked.
        """

    def answer_to(self, once: str) -> bytes | None:
        """What the event with this key was answered, if it was."""

    def receipt(self, session: str, call: str, guard: str = "") -> Receipt | None:
        """A guard's receipt of a call, whatever became of it."""

    def receipts(self, session: str, call: str) -> tuple[Receipt, ...]:
        """Every guard's receipt of a call, by the guards' names."""

    def session(self, session: str) -> Session | None:
        """What is known of a session, if a turn of it ever began or ended."""

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
        """Check every record against the chain, and what is kept beside the records against them."""

    def prune(self, before_sequence: int) -> int:
        """Remove the sealed segments that end before a record, and return how many records that were.

        Sessions that were last touched SESSIONS_KEPT before the newest record are forgotten too.
        """

    def inherit(self, parent: str | None, child: str) -> None:
        """Start a forked session with its parent's state, or with none if nobody knows its parent.

        Does nothing to the state of a session that has some already. Recorded.
        """

    def stopped(self) -> list[tuple[str, str]]:
        """The sessions that were stopped, each with why, the newest first."""

    def lift_breach(self, session: str, *, by: str | None = None, at: float | None = None) -> bool:
        """Let a stopped session go on, and say whether it was stopped. It is watched again from its next turn on.

        Recorded, with who did it and when.
        """

    def forget_session(self, session: str) -> None:
        """Drop the state, the firings and the receipts of a session and its agents. Recorded; its records stay."""

    def close(self) -> None:
        """Finish what was handed in, and let go of every file."""
