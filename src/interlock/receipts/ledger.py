"""What an event reads before it is judged, and what is kept of it: record, state and receipt in one commit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

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
from interlock.facts.tools import names_of
from interlock.policy.history import Firings, History, own_name
from interlock.receipts.endings import record_ending
from interlock.receipts.normal_form import encode_input
from interlock.receipts.transcripts import parent_of
from interlock.receipts.watch import Questions, Review, Watch, digest_of
from interlock.store.asking import ApprovalRequest, Grant
from interlock.store.base import (
    UNKNOWN,
    CallKey,
    Conflict,
    Entry,
    Forked,
    Note,
    Pending,
    Receipt,
    Scope,
    Snapshot,
    StateChange,
    Store,
    Wants,
)
from interlock.verdict import Verdict

__all__ = ["Leavings", "Ledger", "Memory", "Recollection", "StatePlan"]

JsonObject: TypeAlias = dict[str, Any]

_MOST_INPUT = 64 * 1024  # bytes of an input that a receipt keeps beside its digest
_TURNS = (SessionStart, UserPromptSubmit, Stop, SubagentStop, SessionEnd)
_RESULTS = (PostToolUse, PostToolUseFailure)


class Recollection(Struct, kw_only=True):
    """What is remembered when an event arrives."""

    state: JsonObject | None = None
    unknown: frozenset[str] = frozenset()
    history: History | None = None
    snapshot: Snapshot | None = None
    at: float = 0.0
    scopes: Mapping[str, Scope] = {}
    receipts: tuple[Receipt, ...] = ()  # of the call whose result this event is, one of each guard
    seen: Review | None = None


class Memory(Protocol):
    """Something that keeps state between events."""

    def open(self, event: Event, now: datetime) -> Recollection:
        """What the event may read."""

    def review(self, opened: Recollection, event: Event, verdict: Verdict) -> Questions[Verdict]:
        """The verdict with additions from what is remembered of the call. Yields other events to be judged for that."""

    def close(self, opened: Recollection, event: Event, left: Leavings) -> None:
        """Keep everything that an event leaves, or nothing.

        Raises Conflict if what was read has changed since, and Stopped if nothing more may run in this session.
        """

    def note(self, event: Event | None, raw: bytes, verdict: Verdict, now: datetime) -> None:
        """Record an event whose check failed, or that could not be read."""

    def grants(self, opened: Recollection, event: Event) -> list[Grant]:
        """The grants that may hold for an event, the oldest first."""


class Leavings(Struct, frozen=True):
    """What is to be kept of an event after it was judged."""

    host: str
    raw: bytes
    verdict: Verdict
    answer: bytes = b""  # given again if the same event is delivered twice
    pending: tuple[tuple[str, str | None], ...] = ()  # what the call's result would set
    asks: ApprovalRequest | None = None  # a person is asked, and nothing is decided yet
    answers: ApprovalRequest | None = None  # the request that the event was judged again for
    spends: str | None = None  # the grant by which the call runs
    beside: bool = False  # the call may run before a person has answered in the inbox: somebody else may say yes
    counted: bool = False  # the event was judged before, and has counted
    pauses: bool = False  # whoever runs the call stops here, and comes again with a person's answer


class StatePlan(Struct, frozen=True, kw_only=True):
    """What a policy remembers and asks about."""

    scopes: dict[str, str] = {}  # state variable → kind of scope
    defaults: JsonObject = {}
    rules: frozenset[str] = frozenset()  # ids whose firings are asked for
    counted: frozenset[str] = frozenset()  # kinds of scope they are asked for in
    silent: frozenset[str] = (
        frozenset()
    )  # ids of the rules on results that change no result, so that none leaks by them

    def named(self, short: str) -> str:
        """The variable that a hook means: if several policies have one of that name, the one of the lowest layer."""
        return next((name for name in self.scopes if name.rpartition("#")[2] == short), short)


class Ledger:
    """Keeps an event's state, record and receipt in a store, as one transaction."""

    def __init__(
        self,
        store: Store,
        plan: StatePlan,
        *,
        project: str = "",
        user: str = "",
        home: str | None = None,
        whole: bool = False,
        despite: bool = False,
        guard: str = "",
        judges: str = "",
    ) -> None:
        """`whole`: every event of the host comes here, so a call that does not is a breach.

        `despite`: a person lets calls run even in a session that was stopped. `guard` is the name of this guard; each
        guard has its own receipts. `judges` identifies what it judges by: an event counts as repeated only if it is
        judged by the same policies, hooks and options.
        """
        self._store = store
        self.plan = plan
        self._project = project
        self._user = user
        self._despite = despite
        self._guard = guard
        self._judges = judges
        self._names: dict[str, frozenset[str]] = {}  # kind of scope → the variables that are read there
        for name, kind in plan.scopes.items():
            self._names[kind] = self._names.get(kind, frozenset()) | {name}
        self._orphans: set[str] = set()  # forks whose parent was not found, until a person was told
        self._watch = Watch(store, plan.silent, home or str(Path.home()), guard) if whole else None

    def open(self, event: Event, now: datetime) -> Recollection:
        at = now.timestamp()
        plan = self.plan
        scopes = self._scopes(event)
        snapshot = self._store.read(self._reads(scopes)) if plan.scopes or plan.rules else Snapshot()
        values: JsonObject = {}
        unknown = set()
        for name, kind in plan.scopes.items():
            value = snapshot.values.get((scopes[kind], name), plan.defaults.get(name))
            if value is UNKNOWN:
                unknown.add(name)
            else:
                values[name] = value
        times: dict[tuple[str, str], Any] = {}
        for (scope, rule), found in snapshot.firings.items():
            times[scope.kind, rule] = found
        return Recollection(
            state=values,
            unknown=frozenset(unknown),
            history=Firings(at, times),
            snapshot=snapshot,
            at=at,
            scopes=scopes,
            receipts=self._receipts_of(event) if isinstance(event, _RESULTS) else (),
        )

    def _receipts_of(self, event: PostToolUse | PostToolUseFailure) -> tuple[Receipt, ...]:
        """The receipts of the call whose result this is. There are none if the host does not name its calls."""
        return self._store.receipts(event.session_id, event.tool_use_id) if event.tool_use_id else ()

    def review(self, opened: Recollection, event: Event, verdict: Verdict) -> Questions[Verdict]:
        if event.session_id in self._orphans:
            why = "this session is a fork of a session that cannot be found: it starts without its parent's state"
            verdict = replace(verdict, notices=(*verdict.notices, why))
        if self._watch is not None and not isinstance(event, PreToolUse):  # nothing has run yet
            verdict, opened.seen = yield from self._watch.review(event, opened.receipts, verdict)
        if isinstance(event, _RESULTS) and _sets(verdict) and not self._counts(opened, event):
            named = event.tool_use_id or "without a `tool_use_id`"
            why = f"the result of {event.tool_name} ({named}) sets no state: there is no open receipt for the call"
            verdict = replace(verdict, notices=(*verdict.notices, why))
        return verdict

    def close(self, opened: Recollection, event: Event, left: Leavings) -> None:
        try:
            self._store.commit(self._entry(opened, event, left))
        except Forked:
            # The fork's transcript does not exist before, and only it shows which session this is a fork of.
            parent = parent_of(event.transcript_path)
            if parent is None:
                self._orphans.add(event.session_id)
            self._store.inherit(parent, event.session_id)
            raise Conflict("a forked session got its parent's state") from None
        self._orphans.discard(event.session_id)
        if self._watch is not None and opened.seen is not None:
            self._watch.done(opened.seen)

    def note(self, event: Event | None, raw: bytes, verdict: Verdict, now: datetime) -> None:
        said = {"decision": verdict.decision, "reason": verdict.reason, "errors": list(verdict.errors)}
        record = _record(event, verdict) if event is not None else {"event": None, **said}
        record |= record_ending(event, verdict)
        record["project"] = self._project
        kept = redact_bytes(raw) if event is None else json.encode(redact(payload_of(event)))
        at = now.timestamp()
        opens = self._refusal(event, verdict, at) if isinstance(event, PreToolUse) else None
        self._store.commit(Entry(record=redact(record), raw=kept, at=at, opens=opens, despite=True))

    def grants(self, opened: Recollection, event: Event) -> list[Grant]:
        return self._store.grants(list((opened.scopes or self._scopes(event)).values()))

    # --- what is read ----------------------------------------------------------------------------------------

    def _scopes(self, event: Event) -> dict[str, Scope]:
        """The scopes that an event belongs to, by their kind."""
        session = event.session_id
        return {
            "session": Scope("session", session),
            "agent": Scope("agent", f"{session}/{event.agent_id or 'main'}"),
            "project": Scope("project", self._project),
            "user": Scope("user", self._user),
        }

    def _reads(self, scopes: Mapping[str, Scope]) -> Wants:
        names: dict[Scope, frozenset[str]] = {}
        rules: dict[Scope, frozenset[str]] = {}
        for kind, wanted in self._names.items():
            names[scopes[kind]] = wanted
        for kind in self.plan.counted if self.plan.rules else ():
            rules[scopes[kind]] = self.plan.rules
        return Wants(names, rules)

    # --- what is left behind -----------------------------------------------------------------------------------

    def _entry(self, opened: Recollection, event: Event, left: Leavings) -> Entry:
        verdict, raw, answer = left.verdict, left.raw, left.answer
        payload = payload_of(event)
        once = self._once(event, payload, left)
        scopes = opened.scopes or self._scopes(event)
        # While the call waits for a person, nothing has happened yet: their answer is an event of its own, and counts.
        counts = (left.asks is None or left.beside) and not left.counted and not left.pauses
        counted = self._counting_rules(verdict) if self.plan.rules and counts else ()
        snapshot = opened.snapshot or Snapshot()
        record = _record(event, verdict)
        if opened.seen is not None:
            record |= _record_review(opened.seen)
        if verdict.interrupt or (verdict.decision == "deny" and not isinstance(event, PreToolUse)):
            record |= record_ending(event, verdict)
        said = [verdict.input, verdict.told, None if verdict.output is UNSET else verdict.output]
        secret = may_hold_secret(payload, record, said)
        # Only now: the folder is also in the payload, so looking for secrets in it again would only cost time.
        record["project"], record["host"] = self._project, left.host
        record |= _record_asking(left)
        if secret:
            # In the bytes as they arrived, quotes are escaped with a backslash, which would hide the text between them.
            record, raw, answer = redact(record), json.encode(redact(payload)), b""
        stands = counts and (not isinstance(event, _RESULTS) or self._counts(opened, event))
        return Entry(
            record=record,
            raw=raw,
            at=opened.at,
            changes=tuple(self._changes(scopes, verdict, snapshot)) if stands and _sets(verdict) else (),
            fired=tuple([(scopes[kind], rule) for kind in sorted(self.plan.counted) for rule in counted])
            if counted
            else (),
            expect=dict(snapshot.versions),
            once=once,
            # An answer that may contain a secret is not kept. If the event is repeated, it is judged again, but counted
            # only once.
            answer=answer,
            despite=self._despite,
            **self._receipt(opened, scopes, event, left, secret),
            notes=self._notes(opened, event),
            asks=left.asks,
            leaves=left.answers.id if left.answers is not None and left.answers.status == "waiting" else None,
            spends=left.spends,
        )

    def _counting_rules(self, verdict: Verdict) -> list[str]:
        """The rules whose firings count and are asked about, each once.

        If the call is denied, only rules that deny count: an attempt is not an act. Rules that only observe, and rules
        that failed, never count.
        """
        denied = verdict.decision == "deny"
        fired: dict[str, None] = {}
        for opinion in verdict.opinions:
            if opinion.policy is None or opinion.would is not None or opinion.error is not None:
                continue
            if not denied or opinion.decision == "deny":
                fired[own_name(opinion.policy, opinion.by)] = None
        return [rule for rule in fired if rule in self.plan.rules]

    def _changes(self, scopes: Mapping[str, Scope], verdict: Verdict, snapshot: Snapshot) -> Iterable[StateChange]:
        """What the opinions set. If a call is denied, only the rules and hooks that deny it set anything."""
        deniers = {opinion.by for opinion in verdict.opinions if opinion.decision == "deny"}
        for opinion in verdict.opinions:
            if not opinion.set or (verdict.decision == "deny" and opinion.by not in deniers):
                continue
            for short, value in opinion.set.items():
                name = own_name(opinion.policy, short) if opinion.policy is not None else self.plan.named(short)
                scope = scopes[self.plan.scopes.get(name, "session")]
                default = self.plan.defaults.get(name)
                if isinstance(value, dict) and isinstance(default, dict) and (scope, name) not in snapshot.values:
                    value = {**default, **value}  # the first value of a map is merged into its default
                yield StateChange(scope, name, redact(value))

    def _receipt(
        self, opened: Recollection, scopes: Mapping[str, Scope], event: Event, left: Leavings, secret: bool
    ) -> JsonObject:
        session, agent = event.session_id, event.agent_id or ""
        if getattr(event, "tool_use_id", None) == "":
            return {}
        if isinstance(event, PreToolUse):
            pending = []
            for name, part in left.pending:
                pending.append(Pending(scopes[self.plan.scopes.get(name, "session")], name, part))
            # Until somebody says yes, the receipt says no: if the wait is cut short, the call must not have run.
            waits = left.pauses or (left.asks is not None and not left.beside)
            if left.counted and left.verdict.decision == "deny":
                return {}  # the host's own prompt may have been answered before, and the call may run
            opens = self._opens(event, left.verdict, opened.at, secret, pending, denied=waits)
            return {"opens": opens}
        if isinstance(event, PostToolUse):
            key = CallKey(session, event.tool_use_id, self._guard)
            return {"closes": key} if self._counts(opened, event) else {"fails": key}
        if isinstance(event, PostToolUseFailure):
            withheld = opened.seen.withheld if opened.seen is not None else None
            return {"fails": CallKey(session, event.tool_use_id, self._guard), "withheld": redact(withheld)}
        if isinstance(event, PostToolBatch | Stop | SubagentStop | UserPromptSubmit | SessionEnd):
            return {"expires": (session, agent)}
        return {}

    def _opens(
        self,
        event: PreToolUse,
        verdict: Verdict,
        at: float,
        secret: bool,
        pending: Iterable[Pending] = (),
        *,
        denied: bool = False,
    ) -> Receipt:
        denied = denied or verdict.decision == "deny"
        encoded = encode_input(verdict.input)
        kept = encode_input(redact(verdict.input)) if secret and not denied else encoded
        return Receipt(
            session=event.session_id,
            call=event.tool_use_id,
            tool=event.tool_name,
            input_digest=digest_of(encoded),
            decision=verdict.decision,
            at=at,
            agent=event.agent_id or "",
            pending=() if denied else tuple(pending),
            status="denied" if denied else "open",
            input=None if denied or len(kept) > _MOST_INPUT else kept,
            cwd=event.cwd,
            said=redact(verdict.reason) if denied else None,
            guard=self._guard,
        )

    def _refusal(self, event: PreToolUse, verdict: Verdict, at: float) -> Receipt | None:
        """A receipt for a call that was refused without being judged; an existing receipt stays."""
        if verdict.decision != "deny" or not event.tool_use_id:
            return None
        if self._store.receipt(event.session_id, event.tool_use_id, self._guard) is not None:
            return None
        return self._opens(event, replace(verdict, input=event.tool_input), at, secret=True)

    def _notes(self, opened: Recollection, event: Event) -> Note | None:
        """What the event says about its session."""
        breach = opened.seen.breach if opened.seen is not None else None
        if breach is None and not isinstance(event, _TURNS):
            return None
        return Note(
            event.session_id,
            watch=self._watch is not None and isinstance(event, SessionStart | UserPromptSubmit),
            fork=isinstance(event, SessionStart) and event.source == "fork",
            end=isinstance(event, SessionEnd),
            breach=redact(breach),
        )

    def _counts(self, opened: Recollection, event: Event) -> bool:
        """Whether a result closes this guard's open receipt of the call. Any other result sets nothing."""
        if opened.seen is not None and opened.seen.breach is not None:
            return False
        open_ = [one for one in opened.receipts if one.guard == self._guard and one.status == "open"]
        return isinstance(event, ToolEvent) and any(event.tool_name in names_of(one.tool) for one in open_)

    def _once(self, event: Event, payload: JsonObject, left: Leavings) -> str | None:
        """A key by which a repeated delivery of an event is recognised; without a call's id that is impossible.

        It is the same event only if the same host raised it and it is judged by the same policies, hooks and options,
        and if nobody has answered a request about it since.
        """
        call = getattr(event, "tool_use_id", None)
        if not isinstance(event, ToolEvent) or not call:
            return None
        answered = () if left.answers is None else (left.answers.id,)
        asked = (left.host, self._guard, self._judges, payload, *answered, *(("beside",) if left.counted else ()))
        return f"{event.hook_event_name} {event.session_id} {call} {hashlib.sha256(json.encode(asked)).hexdigest()}"


def _sets(verdict: Verdict) -> bool:
    for opinion in verdict.opinions:  # noqa: SIM110 - at every event, where a generator costs more than the loop
        if opinion.set:
            return True
    return False


def _record_review(seen: Review) -> JsonObject:
    """The parts of a record that only some events have."""
    parts = {"breach": seen.breach, "differs": seen.differs, "unread": seen.withheld}
    return {name: value for name, value in parts.items() if value is not None}


def _record_asking(left: Leavings) -> JsonObject:
    """The request that an event made or was judged again for, and the grant that it spends."""
    request = left.asks or left.answers
    found: JsonObject = {}
    if request is not None:
        found["request"] = request.id
        found["answer"] = None if left.answers is None else left.answers.status
    if left.spends is not None:
        found["grant"] = left.spends
    return found


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
        "opinions": json.decode(json.encode(verdict.opinions)),
        "changes": json.decode(json.encode(verdict.changes)),
        "notices": list(verdict.notices),
        "errors": list(verdict.errors),
        "lowered": [[loss.effect, loss.instead] for loss in verdict.lowered] if verdict.lowered else [],
        "withheld": verdict.withheld,
    }
