"""What answers a gate's events: one named policy, with or without a record, or the policies of a project."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import UNSET, json
from msgspec.structs import replace

from interlock.approvals.inbox import Inbox
from interlock.approvals.reaching import Outreach
from interlock.config.places import project_root
from interlock.event import Event, PostToolUse, PostToolUseFailure, payload_of
from interlock.facts.results import meaning
from interlock.gate.stores import Unwritten, is_shared, opener, waits_for_disk
from interlock.hooks.process import DEADLINE
from interlock.hosts import dialect_of
from interlock.judging.asking import BY_HOST, Asks
from interlock.judging.guard import Guard
from interlock.judging.in_force import InForce, policies_in_force
from interlock.judging.inline import SkillPlaces
from interlock.judging.projects import Projects
from interlock.judging.sitting import Sitting
from interlock.policy.load import Policy
from interlock.policy.situation import Panel
from interlock.probe.world import Machine
from interlock.process import EVENT_SECONDS
from interlock.receipts.failures import as_result, has_known_shape
from interlock.service import Reply, answer, answer_in
from interlock.store.base import Entry, Store
from interlock.store.memory import MemoryStore
from interlock.verdict import Verdict

__all__ = ["HOST", "Handover", "Judge", "judge_for", "judge_for_host"]

_HOOK_SECONDS = 30.0  # for hooks in this process and for Interlock's own work
HOST = "claude-code"  # events have the form of the host for which policies are written


class _Answers(Protocol):
    """Answers events, and remembers them in its store."""

    def answer(self, raw: bytes, asks: Asks = BY_HOST) -> Reply: ...
    def close(self) -> None: ...


class Judge:
    """Answers events."""

    def __init__(
        self,
        make: Callable[[Callable[[], Store]], _Answers],
        opened: Callable[[], Store],
        quick: bool,
        patience: float,
        *,
        is_shared: bool,
    ) -> None:
        """`quick`: no answer waits for a file, a process or a hook. Otherwise one may take `patience` seconds.

        `is_shared`: other processes can open the store, so that a person can answer what is asked in it.
        """
        self.quick = quick
        self.patience = patience
        self.is_shared = is_shared
        # Without links: whoever runs in this process is what a person is asked about.
        self.inbox = Inbox(opened, Outreach(opened) if is_shared else None)
        self._make = make
        self._opened = opened
        self._kept = make(opened)
        self._peeking: _Answers | None = None
        self._lock = threading.Lock()

    def answer(self, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        """The answer to one event."""
        return self._kept.answer(raw, asks)

    def answer_failure(self, raw: bytes) -> Reply:
        """The answer to a failed call's event, `withheld` if what the call said must not be read."""
        unread = self._unread(raw)  # first, because what the failed call would have set is unknown afterwards
        reply = self._kept.answer(raw)
        if unread is None or reply.verdict.withheld is not None:
            return reply
        return replace(reply, verdict=replace(reply.verdict, withheld=unread))

    def store(self) -> Store:
        """The store that this judge remembers in."""
        return self._opened()

    def drop(self, request: str) -> None:
        """Note that a call was decided elsewhere, so that nobody needs to answer for it."""
        self._settle(request, drops=request)

    def leave(self, request: str) -> None:
        """Note that a call no longer waits for its answer, which then counts for the next try."""
        self._settle(request, leaves=request)

    def _settle(self, request: str, **how: str) -> None:
        record = {"event": "Abandoned", "request": request}
        self._opened().commit(Entry(record=record, raw=b"", at=time.time(), **how))  # type: ignore[arg-type]

    def close(self) -> None:
        """End everything that was started for this judge."""
        self._kept.close()
        if self._peeking is not None:
            self._peeking.close()

    def _unread(self, raw: bytes) -> str | None:
        """Why what a failed call said must not be read: a rule would have changed or withheld it as a result."""
        event = dialect_of(HOST).decode(raw)
        if not isinstance(event, PostToolUseFailure):
            return None
        with self._lock:
            if self._peeking is None:
                self._peeking = self._make(lambda: Unwritten.of(self._opened()))
        result = as_result(event)
        return _why_unread(result, self._peeking.answer(json.encode(payload_of(result))).verdict)


class Handover:
    """One event judged in another thread. If its caller goes away meanwhile, nobody waits for a person's answer."""

    def __init__(self, judge: Judge, answer: Callable[[], Reply]) -> None:
        self._judge = judge
        self._answer = answer
        self._lock = threading.Lock()
        self._request: str | None = None
        self._is_abandoned = False

    def run(self) -> Reply:
        reply = self._answer()
        with self._lock:
            self._request = reply.request
            is_abandoned = self._is_abandoned
        if is_abandoned:
            self._leave()
        return reply

    def abandon(self) -> None:
        """The caller is gone, before or after the event was judged."""
        with self._lock:
            self._is_abandoned = True
        self._leave()

    def _leave(self) -> None:
        with self._lock:
            request, self._request = self._request, None
        if request is not None:
            self._judge.leave(request)


def _why_unread(result: PostToolUse, said: Verdict) -> str | None:
    for opinion in said.opinions:
        # If the shape of the tool's results is not known, a rule that cannot read this text has not failed.
        if opinion.withhold is not None and (not opinion.error or has_known_shape(result.tool_name)):
            return f"`{opinion.by}` withholds it"
    if said.output is UNSET or said.output == meaning(result.tool_name, result.tool_response):
        return None
    return f"`{', '.join(o.by for o in said.opinions if o.output is not UNSET)}` would have changed it"


def judge_for(
    policy: Path | None, project: Path, store: Store | Path | None, beside: Sequence[Panel] = (), *, record: bool = True
) -> Judge:
    """The judge of a gate, for one policy or for those in force in a project. `beside` is asked before them.

    Raises InterlockError if the policy is broken.
    """
    if policy is None:
        return judge_for_host(None, project, store, beside, alone=True)
    policies = policies_in_force(project, named=policy).policies
    waits = [seconds for one in policies for seconds in _waits(one)]
    guard = partial(Guard if record else _Forgetful, policies, Machine(str(project)), project=str(project))
    return Judge(
        lambda opened: _ByPolicy(partial(guard, alone=True, whole=True), opened(), beside),
        opener(store if record else MemoryStore()),
        not beside and not waits and not waits_for_disk(store, record),
        min(EVENT_SECONDS, _HOOK_SECONDS + sum(waits)),
        is_shared=record and is_shared(store),
    )


def judge_for_host(
    policy: Path | None,
    project: Path,
    store: Store | Path | None,
    beside: Sequence[Panel] = (),
    *,
    alone: bool,
    argv: Sequence[str] = (),
) -> Judge:
    """The judge of a host with sessions, skills and perhaps other hooks, as if it spawned Interlock for each event.

    `argv` is the host's command line.
    """
    root = project_root(project)
    force: Callable[[Path], InForce] = policies_in_force
    if policy is not None:
        given = policies_in_force(root, named=policy)  # read now, so that a broken policy is reported now
        force = lambda root: given  # noqa: E731
    name = "\n".join(("agent sdk", str(policy or ""))) if policy is not None or beside else ""
    projects = partial(Projects, in_force=force, alone=alone, whole=True, name=name)
    return Judge(
        lambda opened: _ByProject(projects(opened), root, beside, argv),
        opener(store),
        False,
        EVENT_SECONDS,
        is_shared=is_shared(store),
    )


def _waits(policy: Policy) -> list[float]:
    """How long each program may take that this policy starts to judge an event."""
    checks = [rule.run.timeout for rule, _ in policy.rules if rule.run is not None]
    return [*checks, *(hook.timeout for hook in policy.externals), *(DEADLINE for _ in policy.hook_files)]


class _Forgetful(Guard):
    """A guard that remembers nothing: no record, no receipts, and a rule that would set state denies."""

    def sitting(
        self,
        event: Event | None,
        beside: Sequence[Panel] = (),
        skills: Callable[[], SkillPlaces] | None = None,
        release: Callable[[], None] = lambda: None,
        asks: Asks = BY_HOST,
    ) -> Sitting:
        return replace(super().sitting(event, beside, skills, release, asks), memory=None)


class _ByPolicy:
    """One policy together with `core`, loaded once."""

    def __init__(self, make: Callable[..., Guard], store: Store, beside: Sequence[Panel]) -> None:
        self._guard = make(store=store)
        self._store = store
        self._beside = beside

    def answer(self, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        return answer(self._guard, HOST, raw, self._beside, asks)

    def close(self) -> None:
        self._guard.close()
        self._store.close()


class _ByProject:
    """The policies currently in force in a project, as for its other hosts."""

    def __init__(self, projects: Projects, root: Path, beside: Sequence[Panel], argv: Sequence[str]) -> None:
        self._projects = projects
        self._root = root
        self._beside = beside
        self._argv = argv

    def answer(self, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        return answer_in(self._projects, HOST, raw, self._root, self._beside, lambda: self._argv, asks)

    def close(self) -> None:
        self._projects.close()
