"""The store's vocabulary: what is read before an event is judged, and what is committed after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, field

from interlock.errors import InterlockError
from interlock.store.asking import ApprovalRequest, Grant, RequestAnswer, RequestStatus
from interlock.store.scope import Scope

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
    "StoreWatch",
    "StoredRecord",
    "Unknown",
    "Verification",
    "Wants",
]

MOST_FIRINGS = 10_000
ANSWERS_KEPT = 100_000  # records; a second delivery of the same event arrives within seconds
RECEIPTS_KEPT = 100_000  # records; the end of a batch, which asks for closed receipts, comes within the same turn
SESSIONS_KEPT = 30 * 86_400.0  # seconds; a session can be resumed, and must then find its state


class Unknown(Enum):
    """The type of UNKNOWN."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN
"""A value that would have been set by a result that failed or never came."""


class Wants(Struct, frozen=True):
    """What one event may read: the names of state, and the rules whose firings are needed, by scope."""

    names: dict[Scope, frozenset[str]] = field(default_factory=dict)
    rules: dict[Scope, frozenset[str]] = field(default_factory=dict)


class Snapshot(Struct, frozen=True):
    """State as it was at one moment. A value never set is absent; a scope never written has version 0."""

    values: dict[tuple[Scope, str], Any] = field(default_factory=dict)
    firings: dict[tuple[Scope, str], tuple[float, ...]] = field(default_factory=dict)
    versions: dict[Scope, int] = field(default_factory=dict)


class StateChange(Struct, frozen=True):
    """One variable that an event sets. A map is merged into the existing map; anything else replaces the value.

    With `whole`, a map replaces the value too, so that a variable with an unknown key is known again.
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
    """The key of a receipt: one guard's, about one call."""

    session: str
    call: str
    guard: str = ""


class Receipt(Struct, frozen=True):
    """What one guard answered for one call. It is kept after the result has come, so that the call counts as judged.

    `denied` is final; `expired` means that no result was ever reported.
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
    input: bytes | None = None  # what would run, redacted; kept while the receipt is open, if it is not too long
    cwd: str = ""  # where relative paths in it start
    said: str | None = None  # the reason for a denial, as the model was told it, redacted
    withheld: str | None = None  # why the model may not read what a failed call printed
    guard: str = ""  # who answered: if two guards judge the same call, each keeps its own receipt

    @property
    def key(self) -> CallKey:
        return CallKey(self.session, self.call, self.guard)


class Session(Struct, frozen=True):
    """What is known about a session besides its state."""

    touched: float  # when a turn of it last began or ended
    since: float | None = None  # the time from which every call of it must have reached Interlock
    breach: str | None = None  # why nothing more may run in it
    forked: bool = False  # it is a fork whose parent is not known yet


class Note(Struct, frozen=True):
    """What an event says about its session: that a turn began or ended, and what follows from that."""

    session: str
    watch: bool = False  # every call of it must reach Interlock from now on
    fork: bool = False  # it is a fork of a session that is not known yet
    end: bool = False  # it is over: its receipts are dropped, its state stays
    breach: str | None = None  # nothing more may run in it; the first reason is kept


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
    expect: dict[Scope, int] = field(default_factory=dict)  # the versions that were read; if one has changed, Conflict
    opens: Receipt | None = None  # in a session that was stopped: Stopped, unless it is a denial
    closes: CallKey | None = None  # its result came; if it is no longer open, Conflict
    fails: CallKey | None = None  # its result failed; if it is open, what was pending becomes unknown
    withheld: str | None = None  # with `fails`: why the model may not read what the call printed
    expires: tuple[str, str] | None = None  # (session, agent): calls still open there were never reported
    notes: Note | None = None  # what the event says about its session
    despite: bool = False  # opens its receipt even if the session was stopped
    once: str | None = None  # a key that identifies a second delivery of the same event
    answer: bytes = b""  # what the second delivery is answered with
    asks: ApprovalRequest | None = None  # a person is asked about the call
    leaves: str | None = None  # the request that the call no longer waits for; unanswered, it stays open
    drops: str | None = None  # the request that nobody needs an answer to any more; unanswered, it is over
    spends: str | None = None  # the grant by which the call runs; if it no longer holds, Conflict


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
    """Whether the log is intact, and a description of every problem."""

    ok: bool
    count: int
    problems: list[str] = field(default_factory=list)


class StoreError(InterlockError):
    """The store could not be read or written; nothing of the entry was kept."""


class RecordLost(StoreError):  # noqa: N818 - said of the record
    """The record is gone, was replaced, or ends before the point that its witness attests."""


class Conflict(Exception):  # noqa: N818 - not a fault: the caller judges again with what is there now
    """State that this entry was judged by has been changed in the meantime. Nothing was written."""


class Stopped(Exception):  # noqa: N818 - not a fault: the caller denies the call
    """A breach stopped the session in which this entry lets a call run. Nothing was written."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Forked(Exception):  # noqa: N818 - not a fault: the caller finds the parent and tries again
    """The session of this entry is a fork that does not have its parent's state yet. Nothing was written."""


class Duplicate(Exception):  # noqa: N818 - not a fault: the caller gives the same answer again
    """This event was committed before. Nothing was written."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("this event was answered before")
        self.answer = answer


class StoreWatch(Protocol):
    """Notices that something was committed."""

    def has_changed(self) -> bool:
        """Whether anything was committed since the last call. Cheap enough to be asked many times a second."""

    def close(self) -> None: ...


class Store(Protocol):
    """Where records, state and receipts are kept."""

    def read(self, wanted: Wants) -> Snapshot:
        """Everything in `wanted`, as of one moment."""

    def commit(self, entry: Entry) -> int:
        """Write one entry, and return its sequence number once it is durable.

        Raises Conflict, Duplicate, Stopped or Forked.
        """

    def answer_to(self, once: str) -> bytes | None:
        """The answer that the event with this key was given, if any."""

    def receipt(self, session: str, call: str, guard: str = "") -> Receipt | None:
        """A guard's receipt for a call, whatever became of the call."""

    def receipts(self, session: str, call: str) -> tuple[Receipt, ...]:
        """Every guard's receipt for a call, sorted by the guards' names."""

    def session(self, session: str) -> Session | None:
        """What is known about a session, if one of its turns ever began or ended."""

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
        """Records in order, with `since` <= at < `until`; only the `newest` N of those that match, if given."""

    def verify(self) -> Verification:
        """Check every record against the chain, and the other tables against the records."""

    def prune(self, before_sequence: int) -> int:
        """Remove the sealed segments that end before a record, and return how many records were removed.

        Sessions that were last touched SESSIONS_KEPT before the newest record are forgotten too.
        """

    def inherit(self, parent: str | None, child: str) -> None:
        """Start a forked session with its parent's state, or with none if the parent is not known.

        The state of a session that already has some is not changed. This is recorded.
        """

    def stopped(self) -> list[tuple[str, str]]:
        """The sessions that were stopped, each with the reason, newest first."""

    def lift_breach(self, session: str, *, by: str | None = None, at: float | None = None) -> bool:
        """Let a stopped session go on, and return whether it was stopped. It is watched again from its next turn.

        This is recorded, with who did it and when.
        """

    def forget_session(self, session: str) -> None:
        """Drop the state, firings and receipts of a session and its agents. This is recorded; its records stay."""

    def request(self, id: str) -> ApprovalRequest | None:
        """One request, whatever became of it."""

    def requests(
        self,
        statuses: Collection[RequestStatus] | None = None,
        *,
        session: str | None = None,
        newest: int | None = None,
    ) -> list[ApprovalRequest]:
        """Questions, the oldest first; only the `newest` N of those that match, if given."""

    def still_waiting(self, ids: Collection[str]) -> frozenset[str]:
        """Which of these requests still wait for an answer. Those who wait ask often, so this reads nothing else."""

    def answer_request(self, id: str, answer: RequestAnswer, grant: Grant | None = None) -> ApprovalRequest:
        """RequestAnswer a request, with a grant if more is allowed than the call itself. This is recorded.

        Raises AlreadyAnswered if somebody was first or it is over, and InterlockError if there is no such request.
        """

    def grants(self, scopes: Collection[Scope] | None = None) -> list[Grant]:
        """Grants, the oldest first: all that are kept, or those of these scopes that were not taken back."""

    def revoke(self, id: str, *, by: str, at: float) -> bool:
        """Take a grant back, and return whether it was there and had not been taken back before. This is recorded."""

    def watch(self) -> StoreWatch:
        """Something that notices commits, whichever process makes them."""

    def close(self) -> None:
        """Finish everything that was submitted, and close every file."""
