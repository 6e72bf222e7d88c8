"""What an event reads before it is judged and leaves behind after it, in terms of a store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from msgspec import UNSET, Struct, json

from interlock.event import (
    Event,
    PostToolBatch,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
    payload_of,
)
from interlock.facts.secrets import may_hold_secret, redact, redact_bytes
from interlock.policy.history import Firings, History, own_name
from interlock.store.base import UNKNOWN, Change, Entry, Pending, Receipt, Scope, Snapshot, Store, Wanted
from interlock.verdict import Verdict

__all__ = ["Keeping", "Opened", "Plan", "Remembers"]

JsonObject: TypeAlias = dict[str, Any]


class Opened(Struct, kw_only=True):
    """What is remembered when an event comes."""

    state: JsonObject | None = None
    unknown: frozenset[str] = frozenset()
    history: History | None = None
    snapshot: Snapshot | None = None
    at: float = 0.0


class Remembers(Protocol):
    """Whatever keeps state between events."""

    def open(self, event: Event, raw: bytes, now: datetime) -> Opened:
        """What the event may read."""

    def close(self, opened: Opened, event: Event, raw: bytes, verdict: Verdict, answer: bytes) -> None:
        """Keep what the event leaves behind, or nothing of it. Raises Conflict if what was read has moved on."""

    def note(self, event: Event | None, raw: bytes, verdict: Verdict, now: datetime) -> None:
        """Record an event that failed, or that nobody could read."""


class Plan(Struct, frozen=True, kw_only=True):
    """What a policy remembers and asks about."""

    scopes: dict[str, str] = {}  # state variable → kind of scope
    defaults: JsonObject = {}
    rules: frozenset[str] = frozenset()  # ids whose firings are asked for
    counted: frozenset[str] = frozenset()  # kinds of scope they are asked for in
    pending: Callable[[Event], Iterable[tuple[str, str | None]]] = lambda event: ()  # what a call's result would set

    def named(self, short: str) -> str:
        """The variable a hook means: of several policies' variables of that name, the lowest layer's."""
        return next((name for name in self.scopes if name.rpartition("#")[2] == short), short)


class Keeping:
    """Keeps an event's state, record and receipt in a store, as one transaction."""

    def __init__(self, store: Store, plan: Plan, *, project: str = "", user: str = "") -> None:
        self._store = store
        self.plan = plan
        self._project = project
        self._user = user

    def open(self, event: Event, raw: bytes, now: datetime) -> Opened:
        at = now.timestamp()
        if isinstance(event, SessionStart) and event.source == "fork":
            parent = event.extra.get("parent_session_id")
            if isinstance(parent, str):
                self._store.inherit(parent, event.session_id)
        wanted = self._wanted(event)
        snapshot = self._store.read(wanted) if wanted.names or wanted.rules else Snapshot()
        values: JsonObject = {}
        unknown = set()
        for name, kind in self.plan.scopes.items():
            value = snapshot.values.get((self._scope(kind, event), name), self.plan.defaults.get(name))
            if value is UNKNOWN:
                unknown.add(name)
            else:
                values[name] = value
        times = {(scope.kind, rule): found for (scope, rule), found in snapshot.firings.items()}
        return Opened(
            state=values,
            unknown=frozenset(unknown),
            history=Firings(at, times),
            snapshot=snapshot,
            at=at,
        )

    def close(self, opened: Opened, event: Event, raw: bytes, verdict: Verdict, answer: bytes) -> None:
        self._store.commit(self._entry(opened, event, raw, verdict, answer))

    def note(self, event: Event | None, raw: bytes, verdict: Verdict, now: datetime) -> None:
        said = {"decision": verdict.decision, "reason": verdict.reason, "errors": list(verdict.errors)}
        record = _record(event, verdict) if event is not None else {"event": None, **said}
        kept = redact_bytes(raw) if event is None else json.encode(redact(payload_of(event)))
        self._store.commit(Entry(record=redact(record), raw=kept, at=now.timestamp()))

    # --- what is read ----------------------------------------------------------------------------------------

    def _scope(self, kind: str, event: Event) -> Scope:
        ids: Mapping[str, str] = {
            "session": event.session_id,
            "agent": f"{event.session_id}/{event.agent_id or 'main'}",
            "project": self._project,
            "user": self._user,
        }
        return Scope(kind, ids[kind])

    def _wanted(self, event: Event) -> Wanted:
        names: dict[Scope, set[str]] = {}
        for name, kind in self.plan.scopes.items():
            names.setdefault(self._scope(kind, event), set()).add(name)
        rules = {self._scope(kind, event): self.plan.rules for kind in self.plan.counted} if self.plan.rules else {}
        return Wanted({scope: frozenset(found) for scope, found in names.items()}, rules)

    # --- what is left behind -----------------------------------------------------------------------------------

    def _entry(self, opened: Opened, event: Event, raw: bytes, verdict: Verdict, answer: bytes) -> Entry:
        fired = [
            own_name(opinion.policy, opinion.by)
            for opinion in verdict.opinions
            if opinion.policy is not None and opinion.would is None
        ]
        once = _once(event, raw)
        counted = [rule for rule in dict.fromkeys(fired) if rule in self.plan.rules]
        snapshot = opened.snapshot or Snapshot()
        record = _record(event, verdict)
        said = [verdict.input, verdict.told, None if verdict.output is UNSET else verdict.output]
        if may_hold_secret(payload := payload_of(event), record, said):
            # The bytes as they came write quotes with a backslash, which hides what stands between them.
            record, raw, answer = redact(record), json.encode(redact(payload)), b""
        return Entry(
            record=record,
            raw=raw,
            at=opened.at,
            changes=tuple(self._changes(event, verdict, snapshot)),
            fired=tuple((self._scope(kind, event), rule) for kind in sorted(self.plan.counted) for rule in counted),
            expect=dict(snapshot.versions),
            once=once,
            # An answer that may hold a secret is not kept; the same event is then judged again, and not counted again.
            answer=answer,
            **self._receipt(event, verdict, opened.at),
        )

    def _changes(self, event: Event, verdict: Verdict, snapshot: Snapshot) -> Iterable[Change]:
        """What the opinions set. A denied call sets nothing but what its deniers themselves set."""
        deniers = {opinion.by for opinion in verdict.opinions if opinion.decision == "deny"}
        for opinion in verdict.opinions:
            if not opinion.set or (verdict.decision == "deny" and opinion.by not in deniers):
                continue
            for short, value in opinion.set.items():
                name = own_name(opinion.policy, short) if opinion.policy is not None else self.plan.named(short)
                scope = self._scope(self.plan.scopes.get(name, "session"), event)
                default = self.plan.defaults.get(name)
                if isinstance(value, dict) and isinstance(default, dict) and (scope, name) not in snapshot.values:
                    value = {**default, **value}  # the first to set a map sets it over its default
                yield Change(scope, name, redact(value))

    def _receipt(self, event: Event, verdict: Verdict, at: float) -> JsonObject:
        session, agent = event.session_id, event.agent_id or ""
        if isinstance(event, PreToolUse):
            pending = () if verdict.decision == "deny" else tuple(self._pending(event))
            digest = hashlib.sha256(json.encode(verdict.input)).hexdigest()
            receipt = Receipt(session, event.tool_use_id, event.tool_name, digest, verdict.decision, at, agent, pending)
            return {"opens": receipt}
        if isinstance(event, PostToolUse):
            known = self._store.receipt(session, event.tool_use_id) is not None
            return {"closes": (session, event.tool_use_id)} if known else {}
        if isinstance(event, PostToolUseFailure):
            return {"fails": (session, event.tool_use_id)}
        if isinstance(event, PostToolBatch | Stop | SubagentStop | UserPromptSubmit | SessionEnd):
            return {"expires": (session, agent)}
        return {}

    def _pending(self, event: PreToolUse) -> Iterable[Pending]:
        for name, key in self.plan.pending(event):
            yield Pending(self._scope(self.plan.scopes.get(name, "session"), event), name, key)


def _once(event: Event, raw: bytes) -> str | None:
    """A key for an event that a host can deliver twice: only those about a call tell two deliveries from two events."""
    call = getattr(event, "tool_use_id", None)
    if not isinstance(event, ToolEvent) or call is None:
        return None
    digest = hashlib.sha256(json.encode(payload_of(event))).hexdigest()
    return f"{event.hook_event_name} {event.session_id} {call} {digest}"


def _record(event: Event, verdict: Verdict) -> JsonObject:
    """One line of the log: every opinion, change, error and lowering."""
    tool = event.tool_name if isinstance(event, ToolEvent) else None
    return {
        "session": event.session_id,
        "event": event.hook_event_name,
        "tool": tool,
        "decision": verdict.decision,
        "reason": verdict.reason,
        "rules": [opinion.by for opinion in verdict.opinions if opinion.by],
        "opinions": [json.decode(json.encode(opinion)) for opinion in verdict.opinions],
        "changes": [json.decode(json.encode(change)) for change in verdict.changes],
        "notices": list(verdict.notices),
        "errors": list(verdict.errors),
        "lowered": [[loss.effect, loss.instead] for loss in verdict.lowered],
        "withheld": verdict.withheld,
    }
