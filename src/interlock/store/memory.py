"""A store that lasts as long as the process that holds it."""

from __future__ import annotations

import threading
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from interlock.store.apply import (
    answer_request,
    apply_entry,
    forget_session,
    forget_stale,
    inherit,
    lift_breach,
    revoke_grant,
)
from interlock.store.asking import UNANSWERED, ApprovalRequest, Grant, RequestAnswer, RequestStatus
from interlock.store.base import (
    ANSWERS_KEPT,
    MOST_FIRINGS,
    RECEIPTS_KEPT,
    CallKey,
    Entry,
    Receipt,
    Scope,
    Session,
    Snapshot,
    Status,
    StoredRecord,
    StoreError,
    Verification,
    Wants,
)
from interlock.store.chain import SEGMENT_SIZE, Audit, Line, Log, Segment, encode_rules, genesis, link, record_of
from interlock.store.filters import Filters
from interlock.store.prepare import PreparedEntry, prepare
from interlock.store.state import NOTHING, StateValue, value_of

__all__ = ["MemoryStore"]

_LOG = bytes(16)


class MemoryStore:
    """A store without a file, for tests and for a process that keeps nothing."""

    def __init__(self, *, segment_size: int = SEGMENT_SIZE) -> None:
        self._lock = threading.Lock()
        self._tables = _Tables(segment_size)
        self._closed = False

    def read(self, wanted: Wants) -> Snapshot:
        """Everything in `wanted`, as of one moment."""
        snapshot = Snapshot()
        with self._lock:
            tables = self._open()
            for scope in wanted.names.keys() | wanted.rules.keys():
                snapshot.versions[scope] = tables.version(scope)
                for name in wanted.names.get(scope, ()):
                    if (scope, name) in tables.state:
                        snapshot.values[scope, name] = value_of(tables.held(scope, name))
                for rule in wanted.rules.get(scope, ()):
                    snapshot.firings[scope, rule] = tuple(tables.firings.get((scope, rule), ()))
        return snapshot

    def commit(self, entry: Entry) -> int:
        """Write one entry, and return its sequence number."""
        prepared = prepare(entry)
        with self._lock:
            return apply_entry(self._open(), prepared)

    def answer_to(self, once: str) -> bytes | None:
        """The answer that the event with this key was given, if any."""
        with self._lock:
            return self._open().answer(once)

    def receipt(self, session: str, call: str, guard: str = "") -> Receipt | None:
        """A guard's receipt for a call, whatever became of the call."""
        with self._lock:
            return self._open().receipt(CallKey(session, call, guard))

    def receipts(self, session: str, call: str) -> tuple[Receipt, ...]:
        """Every guard's receipt for a call, sorted by the guards' names."""
        with self._lock:
            return self._open().receipts(session, call)

    def session(self, session: str) -> Session | None:
        """What is known about a session, if one of its turns ever began or ended."""
        with self._lock:
            return self._open().session(session)

    def records(self, after: int = 0, *, newest: int | None = None, **filters: Any) -> Iterator[StoredRecord]:
        """Records in order; see Store."""
        wanted = Filters(**filters)
        with self._lock:
            lines = list(self._open().lines)
        found = (line for line in lines if line.sequence > after and wanted.match(line, record_of(line).rules))
        if newest is not None:
            matching = list(found)
            found = islice(matching, max(len(matching) - newest, 0), None)  # type: ignore[assignment]
        yield from map(record_of, found)

    def segments(self) -> list[Segment]:
        """The sealed segments, including pruned ones."""
        with self._lock:
            return list(self._open().segments)

    def verify(self) -> Verification:
        """Check every record against the chain. There is no anchor that attests its head."""
        with self._lock:
            tables = self._open()
            audit = Audit(Log(_LOG, tables.segment_size), None, tables.segments)
            for line in tables.lines:
                audit.see(line)
        return audit.finish()

    def prune(self, before_sequence: int) -> int:
        """Remove old records and forget old sessions; see Store."""
        with self._lock:
            tables = self._open()
            forget_stale(tables)
            return tables.prune(before_sequence)

    def inherit(self, parent: str | None, child: str) -> None:
        """Start a forked session with its parent's state; see Store."""
        with self._lock:
            inherit(self._open(), parent, child)

    def stopped(self) -> list[tuple[str, str]]:
        """The sessions that were stopped, each with the reason, newest first."""
        with self._lock:
            return self._open().stopped()

    def lift_breach(self, session: str, *, by: str | None = None, at: float | None = None) -> bool:
        """Let a stopped session go on, and return whether it was stopped."""
        with self._lock:
            return lift_breach(self._open(), session, by, at)

    def forget_session(self, session: str) -> None:
        """Drop the state, firings and receipts of a session and its agents. Its records stay."""
        with self._lock:
            forget_session(self._open(), session)

    def request(self, id: str) -> ApprovalRequest | None:
        """One request, whatever became of it."""
        with self._lock:
            return self._open().request(id)

    def requests(
        self,
        statuses: Collection[RequestStatus] | None = None,
        *,
        session: str | None = None,
        newest: int | None = None,
    ) -> list[ApprovalRequest]:
        """Questions, the oldest first; see Store."""
        with self._lock:
            found = [
                one
                for one in sorted(self._open().requests.values(), key=lambda one: (one.at, one.id))
                if (statuses is None or one.status in statuses) and (session is None or one.session == session)
            ]
        return found if newest is None else found[max(len(found) - newest, 0) :]

    def still_waiting(self, ids: Collection[str]) -> frozenset[str]:
        """Which of these requests still wait."""
        with self._lock:
            found = (self._open().request(id) for id in ids)
            return frozenset(one.id for one in found if one is not None and one.status == "waiting")

    def answer_request(self, id: str, answer: RequestAnswer, grant: Grant | None = None) -> ApprovalRequest:
        """RequestAnswer a request; see Store."""
        with self._lock:
            return answer_request(self._open(), id, answer, grant)

    def grants(self, scopes: Collection[Scope] | None = None) -> list[Grant]:
        """Grants, the oldest first; see Store."""
        with self._lock:
            kept = sorted(self._open().grants.values(), key=lambda one: (one.at, one.id))
        return [one for one in kept if scopes is None or (one.revoked is None and one.scope in scopes)]

    def revoke(self, id: str, *, by: str, at: float) -> bool:
        """Take a grant back; see Store."""
        with self._lock:
            return revoke_grant(self._open(), id, by, at)

    def watch(self) -> _Watch:
        """Something that notices commits."""
        return _Watch(self._tables)

    def close(self) -> None:
        """Forget everything."""
        self._closed = True

    def _open(self) -> _Tables:
        if self._closed:
            raise StoreError("the store in memory is closed")
        return self._tables


class _Watch:
    """Notices that records were added."""

    def __init__(self, tables: _Tables) -> None:
        self._tables = tables
        self._seen = -1

    def has_changed(self) -> bool:
        before, self._seen = self._seen, self._tables.last
        return self._seen != before

    def close(self) -> None:
        """There is nothing to close."""


class _Tables:
    """The basic operations, on dicts."""

    def __init__(self, segment_size: int) -> None:
        self.segment_size = segment_size
        self._versions: Counter[Scope] = Counter()
        self._at: dict[Scope, float] = {}
        self._receipts: dict[CallKey, tuple[int, Receipt]] = {}
        self._guards: set[str] = set()  # those that ever opened a receipt
        self._sessions: dict[str, Session] = {}
        self._answers: dict[str, tuple[int, bytes]] = {}
        self.state: dict[tuple[Scope, str], StateValue] = {}
        self.firings: defaultdict[tuple[Scope, str], list[float]] = defaultdict(list)
        self.requests: dict[str, ApprovalRequest] = {}
        self.grants: dict[str, Grant] = {}
        self.lines: list[Line] = []
        self.segments: list[Segment] = []
        self.last, self._head = 0, genesis(_LOG)

    def answer(self, once: str) -> bytes | None:
        found = self._answers.get(once)
        return None if found is None else found[1]

    def version(self, scope: Scope) -> int:
        return self._versions[scope]

    def held(self, scope: Scope, name: str) -> StateValue:
        return self.state.get((scope, name), NOTHING)

    def receipt(self, key: CallKey) -> Receipt | None:
        found = self._receipts.get(key)
        return None if found is None else found[1]

    def receipts(self, session: str, call: str) -> tuple[Receipt, ...]:
        keys = [CallKey(session, call, guard) for guard in sorted(self._guards)]
        return tuple(self._receipts[key][1] for key in keys if key in self._receipts)

    def open_receipts(self, session: str, agent: str | None = None) -> list[Receipt]:
        mine = [one for _, one in self._receipts.values() if one.session == session and one.status == "open"]
        return [one for one in mine if agent is None or one.agent == agent]

    def session(self, session: str) -> Session | None:
        return self._sessions.get(session)

    def request(self, id: str) -> ApprovalRequest | None:
        return self.requests.get(id)

    def open_requests(self, session: str) -> list[ApprovalRequest]:
        return [one for one in self.requests.values() if one.session == session and one.status in UNANSWERED]

    def keep_request(self, request: ApprovalRequest) -> None:
        self.requests[request.id] = request

    def grant(self, id: str) -> Grant | None:
        return self.grants.get(id)

    def grants_of(self, scope: Scope) -> list[Grant]:
        return [one for one in self.grants.values() if one.scope == scope and one.revoked is None]

    def keep_grant(self, grant: Grant) -> None:
        self.grants[grant.id] = grant

    def stopped(self) -> list[tuple[str, str]]:
        newest = sorted(self._sessions.items(), key=lambda known: -known[1].touched)
        return [(session, found.breach) for session, found in newest if found.breach is not None]

    def newest(self) -> float | None:
        return max((line.at for line in self.lines), default=None)

    def untouched(self, before: float) -> list[str]:
        last = {session: found.touched for session, found in self._sessions.items()}
        traces = [(_session_of(scope), at) for scope, at in self._at.items()]
        traces += [(receipt.session, receipt.at) for _, receipt in self._receipts.values()]
        for session, at in traces:
            if session is not None:
                last[session] = max(at, last.get(session, at))
        return sorted(session for session, at in last.items() if at < before)

    def bump(self, scope: Scope, at: float) -> None:
        self._versions[scope] += 1
        self._at[scope] = at

    def hold(self, scope: Scope, name: str, held: StateValue) -> None:
        self.state[scope, name] = held

    def fire(self, scope: Scope, rule: str, at: float) -> None:
        times = self.firings[scope, rule]
        insort(times, at)
        del times[:-MOST_FIRINGS]

    def open_receipt(self, receipt: Receipt) -> None:
        self._guards.add(receipt.guard)
        self._receipts[receipt.key] = self.last, receipt

    def close_receipt(self, key: CallKey, status: Status, withheld: str | None = None) -> None:
        opened, receipt = self._receipts[key]
        done = replace(receipt, status=status, withheld=withheld, input=None)
        self._receipts[key] = opened, done

    def drop_receipts(self, session: str) -> None:
        self._receipts = {key: kept for key, kept in self._receipts.items() if key[0] != session}

    def keep_session(self, session: str, found: Session) -> None:
        self._sessions[session] = found

    def drop_session(self, session: str) -> None:
        self._sessions.pop(session, None)
        for scope in [scope for scope in self._at if _session_of(scope) == session]:
            del self._at[scope], self._versions[scope]
            self.state = {key: held for key, held in self.state.items() if key[0] != scope}
            for key in [key for key in self.firings if key[0] == scope]:
                del self.firings[key]

    def keep_answer(self, once: str, sequence: int, answer: bytes) -> None:
        self._answers[once] = sequence, answer

    def advance(self) -> int:
        self.last += 1
        return self.last

    def append(self, prepared: PreparedEntry) -> None:
        raw, rules = prepared.raw, encode_rules(prepared.rules)
        self._head = link(self._head, self.last, prepared.at, rules, prepared.body, raw)
        self.lines.append(Line(self.last, prepared.at, *prepared.columns, rules, prepared.body, raw, self._head))
        if self.last % self.segment_size == 0:
            self._seal()

    def _seal(self) -> None:
        lines = self.lines[-self.segment_size :]
        times = [line.at for line in lines]
        counts = Counter(line.decision or "" for line in lines)
        self.segments.append(
            Segment(lines[0].sequence, self.last, self._head, min(times), max(times), dict(sorted(counts.items())))
        )
        oldest = self.last - ANSWERS_KEPT
        self._answers = {once: kept for once, kept in self._answers.items() if kept[0] > oldest}
        oldest = self.last - RECEIPTS_KEPT
        self._receipts = {
            key: kept for key, kept in self._receipts.items() if kept[0] > oldest or kept[1].status == "open"
        }

    def prune(self, before: int) -> int:
        before = min(before, self.last)  # the newest record stays, as in every store
        last = max((segment.last for segment in self.segments if segment.last < before), default=0)
        kept = [line for line in self.lines if line.sequence > last]
        removed = len(self.lines) - len(kept)
        self.lines = kept
        self.segments = [replace(one, pruned=one.pruned or one.last <= last) for one in self.segments]
        return removed

    def copy_scope(self, parent: Scope, child: Scope) -> None:
        if not self.version(parent) or self.version(child):
            return
        self.state |= {(child, name): held for (scope, name), held in self.state.items() if scope == parent}
        copied = {(child, rule): list(times) for (scope, rule), times in self.firings.items() if scope == parent}
        self.firings.update(copied)
        self.bump(child, self._at[parent])


def _session_of(scope: Scope) -> str | None:
    """The session that a scope belongs to; None for a scope that outlasts sessions."""
    return {"session": scope.id, "agent": scope.id.rpartition("/")[0]}.get(scope.kind)
