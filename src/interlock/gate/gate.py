"""A gate: every tool call of an agent goes through it, and runs only if and as the policy allows."""

from __future__ import annotations

import functools
import inspect
import itertools
import logging
import secrets
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias, TypeVar, overload

from interlock.approvals.approval import Approver, Request
from interlock.approvals.callback import Callback
from interlock.errors import InterlockError
from interlock.gate.errors import Denied, NotApproved, Withheld
from interlock.gate.functions import Tool
from interlock.gate.judges import Judge, judge_for
from interlock.gate.life import Life, Outcome, encode_event
from interlock.gate.means import InlineMeans, Means, OnLoop, driven
from interlock.gate.prompts import Prompt
from interlock.hooks.registry import Hook
from interlock.hooks.run import HookSet
from interlock.store.base import Store
from interlock.verdict import Verdict

__all__ = ["Gate"]

F = TypeVar("F", bound=Callable[..., Any])
JsonObject: TypeAlias = dict[str, Any]
Tell: TypeAlias = Callable[[str], None]

_log = logging.getLogger("interlock")
# The session that the running code belongs to, for each gate; every task and thread has its own.
_sessions: ContextVar[Mapping[int, JsonObject]] = ContextVar("_sessions", default={})  # noqa: B039 - never written to


class Gate:
    """Judges calls, asks about them, runs them and judges their results, all in this process.

    `policy` is a file that applies together with the built-in rules; without one, the policies in force in `project`
    apply. `store` is a store or the path of one; by default it is the person's own. `record=False` keeps nothing at
    all. `approver` answers when the policy asks; without one, a person is asked in the inbox, where the call waits up
    to `approve_within` seconds, if the store is one that other processes can open. `tell` receives what the model
    should be told, and `notify` what the person should be told; by default both are logged.
    """

    def __init__(
        self,
        policy: str | Path | None = None,
        *,
        project: str | Path | None = None,
        store: Store | str | Path | None = None,
        approver: Approver | Callable[[Request], Any] | None = None,
        hooks: Iterable[Hook | Callable[..., Any]] = (),
        session: str | None = None,
        record: bool = True,
        approve_within: float = 300.0,
        timeout: float | None = None,
        tell: Tell = _log.info,
        notify: Tell = _log.warning,
    ) -> None:
        if not record and (policy is None or store is not None):
            raise InterlockError("a gate that records nothing needs a policy of its own and no store")
        self._project = Path(project or Path.cwd()).absolute()
        self._hooks = HookSet(hooks)
        self._judge = judge_for(
            None if policy is None else Path(policy).absolute(),
            self._project,
            Path(store) if isinstance(store, str) else store,
            (self._hooks,) if self._hooks.hooks else (),
            record=record,
        )
        seconds = self._judge.patience if timeout is None else timeout
        self._on_loop = OnLoop(self._judge, seconds)
        self._inline = InlineMeans(self._judge, seconds, hooks=bool(self._hooks.hooks))
        self._end = weakref.finalize(self, _close, self._inline, self._judge, self._hooks)
        self._approver = _as_approver(approver)
        self._approve_within = approve_within
        self._tell, self._notify = tell, notify
        self._mark = secrets.token_hex(12)
        self._calls = itertools.count(1)
        self._own = self._base(session or f"gate-{self._mark}")

    # --- calls -------------------------------------------------------------------------------------------------

    async def call(self, tool: str, input: JsonObject, *, run: Callable[[JsonObject], Any]) -> Any:
        """What `run(input)` returns, if the policy lets it run and lets its result be read.

        Raises Denied, NotApproved or Withheld, or what `run` raises.
        """
        return self._result_of(await self._outcome_of(self.outcome(tool, input, run=run)))

    def call_sync(self, tool: str, input: JsonObject, *, run: Callable[[JsonObject], Any]) -> Any:
        """The same as `call`, for code without an event loop. `run` is a plain function."""
        if inspect.iscoroutinefunction(run):
            raise InterlockError(f"`run` of `{tool}` is async", help="write `await gate.call(…)`")
        return self._result_of(driven(self._outcome_of(self._life(tool, self._inline).live(input, run))))

    async def outcome(self, tool: str, input: JsonObject, *, run: Callable[[JsonObject], Any]) -> Outcome:
        """The same as `call`, with the input it ran with and what the model and the person should be told."""
        return await self._life(tool, self._on_loop).live(input, run)

    @overload
    def tool(self, function: F, /) -> F: ...
    @overload
    def tool(self, /, *, name: str) -> Callable[[F], F]: ...
    def tool(self, function: F | None = None, /, *, name: str | None = None) -> F | Callable[[F], F]:
        """A function that goes through the gate whenever it is called; its arguments, by name, are the input."""
        if function is None:
            return lambda given: self._wrap(given, name)
        return self._wrap(function, name)

    def _wrap(self, function: F, name: str | None) -> F:
        tool = Tool(function, name)
        if tool.is_async:

            @functools.wraps(function)
            async def guarded(*args: Any, **kwargs: Any) -> Any:
                return await self.call(tool.name, tool.input_of(args, kwargs), run=tool.call)
        else:

            @functools.wraps(function)
            def guarded(*args: Any, **kwargs: Any) -> Any:
                return self.call_sync(tool.name, tool.input_of(args, kwargs), run=tool.call)

        return guarded  # type: ignore[return-value]

    # --- sessions and other events -----------------------------------------------------------------------------

    @contextmanager
    def session(self, id: str, *, agent: str | None = None) -> Iterator[None]:
        """Calls inside the block belong to this session and share its state; `agent` names a subagent."""
        if not isinstance(id, str) or not id:
            raise InterlockError("a session's id must be a text that is not empty")
        token = _sessions.set({**_sessions.get(), self._key(): self._base(id, agent)})
        try:
            yield
        finally:
            _sessions.reset(token)

    @contextmanager
    def running(self, life: Life) -> Iterator[None]:
        """Calls inside the block are made by the tool of this call, and so belong to the session that it belongs to."""
        token = _sessions.set({**_sessions.get(), self._key(): life.base})
        try:
            yield
        finally:
            _sessions.reset(token)

    async def event(self, name: str, **fields: Any) -> Verdict:
        """What the policy says about another event of the session: a prompt, the end of a turn."""
        raw = encode_event({**self._now(), "hook_event_name": name, **fields}, f"the event `{name}`")
        return (await self._on_loop.judge(name, raw)).verdict

    def close(self) -> None:
        """End everything that was started for this gate. A store that the caller passed in stays open."""
        self._end()

    def __enter__(self) -> Gate:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _key(self) -> int:
        return id(self)

    def _base(self, session: str, agent: str | None = None) -> JsonObject:
        base = {"session_id": session, "transcript_path": "", "cwd": str(self._project), "permission_mode": "default"}
        return base if agent is None else {**base, "agent_id": f"{session}/{agent}", "agent_type": agent}

    def _now(self) -> JsonObject:
        return _sessions.get().get(self._key(), self._own)

    def life(
        self, tool: str, *, prompt: Prompt | None = None, session: str | None = None, inline: bool = False
    ) -> Life:
        """One call, for a framework that runs its tools itself.

        `prompt` asks a person if the gate has no approver. `session` is the framework's own, which counts unless the
        code runs in a `session` block. `inline` is for code without an event loop.
        """
        return self._life(tool, self._inline if inline else self._on_loop, prompt, session)

    def _life(self, tool: str, means: Means, prompt: Prompt | None = None, session: str | None = None) -> Life:
        if not isinstance(tool, str) or not tool:
            raise InterlockError("a tool's name must be a text that is not empty")
        # Unique in any store: a call with an id that was seen before would get the answer given then.
        id = f"call_{self._mark}_{next(self._calls)}"
        base = self._now() if session is None or self._key() in _sessions.get() else self._base(session)
        return Life(self._judge, means, base, tool, id, self._approver, self._approve_within, self._notify, prompt)

    # --- messages ----------------------------------------------------------------------------------------------

    @property
    def has_approver(self) -> bool:
        """Whether the gate was given somebody to ask."""
        return self._approver is not None

    def notify(self, notices: Iterable[str]) -> None:
        """Tell the person."""
        self._say((), notices)

    async def _outcome_of(self, coming: Any) -> Outcome:
        """The outcome; the messages of a refusal are delivered before it is raised."""
        try:
            found: Outcome = await coming
        except (Denied, Withheld) as refused:
            told = refused.verdict.told
            # If a person said no, the model must not be told of changes as if they had been made.
            self._say((told,) if told and not isinstance(refused, NotApproved) else (), refused.verdict.notices)
            raise
        return found

    def _result_of(self, outcome: Outcome) -> Any:
        self._say(outcome.context, outcome.notices)
        return outcome.result

    def _say(self, context: Iterable[str], notices: Iterable[str]) -> None:
        for text in context:
            self._tell(text)
        for text in notices:
            self._notify(text)


def _close(*parts: InlineMeans | Judge | HookSet) -> None:
    for part in parts:
        part.close()


def _as_approver(approver: Approver | Callable[[Request], Any] | None) -> Approver | None:
    if approver is None or hasattr(approver, "approve"):
        return approver
    if callable(approver):
        return Callback(approver)
    raise InterlockError("an approver must have an `approve` method, or be a function that takes the request")
