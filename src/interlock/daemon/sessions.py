"""Answer the events that hosts raise, after checking that the session's own host raised them."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec.structs import replace

from interlock.approvals.following import MOST_ASKED, after_answer
from interlock.approvals.inbox import Inbox, settle_abandoned
from interlock.approvals.reaching import Outreach
from interlock.config.places import state_folder
from interlock.daemon.frames import HookRequest
from interlock.daemon.halves import Halves
from interlock.daemon.log import say
from interlock.daemon.page_client import link_for
from interlock.daemon.pairing import Pairs, new_call
from interlock.daemon.peers import Hosts, Process, argv_of, has_terminal
from interlock.daemon.prompts import Prompts, prompt_answer
from interlock.daemon.twins import Arrival, Twins, TwinTurn
from interlock.errors import InterlockError
from interlock.event import Event, UserPromptSubmit
from interlock.hosts import Host, dialect_of, host_of
from interlock.hosts.base.reply import NothingToJudge
from interlock.hosts.client_literals import FIRST
from interlock.jsontext import peek_string
from interlock.judging.asking import BY_HOST, Asks, way_for
from interlock.judging.projects import Projects, project_of
from interlock.judging.sitting import Sitting
from interlock.policy.situation import Panel
from interlock.receipts.endings import last_turn
from interlock.service import Reply, respond
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore
from interlock.verdict import Opinion, Verdict, combine

if TYPE_CHECKING:
    from interlock.approvals.desktop import Desktop

__all__ = ["ALWAYS_THERE", "Beside", "Caller", "Sessions"]

_MOST_HOSTS = 1_000
Beside: TypeAlias = Callable[[str, Path, Process | None], Sequence[Panel]]


class Caller(Protocol):
    """Whoever waits for an answer."""

    def is_gone(self) -> bool:
        """Whether nobody is there any more to read it."""

    def waiting(self) -> AbstractContextManager[bool]:
        """For the time in which a person is asked. False: so many calls wait already that this one cannot."""


class _AlwaysThere:
    def is_gone(self) -> bool:
        return False

    def waiting(self) -> AbstractContextManager[bool]:
        return nullcontext(enter_result=True)


ALWAYS_THERE = _AlwaysThere()


class Sessions:
    """Every session of this person's hosts."""

    def __init__(self, projects: Projects, first: Beside, *more: Beside) -> None:
        """`first` and `more` give further panels for an event: without them, a daemon could be switched off."""
        self.projects = projects
        self.beside = [first, *more]
        self.outreach = Outreach(projects.store, link=lambda request: link_for(request.id), say=say)
        self.inbox = Inbox(projects.store, self.outreach)
        self._prompts = Prompts()
        self._pairs = Pairs()
        self._twins = Twins()
        self._halves = Halves()
        self._desktop: Desktop | None = None
        self._hosts = Hosts(state_folder() / "sessions")
        self._headless: OrderedDict[Process, bool] = OrderedDict()

    def answer(self, request: HookRequest, host: Process | None, caller: Caller = ALWAYS_THERE) -> Reply:
        """Answer one event that a client passed on for `host`, after a person has answered if one is asked."""
        event = None if request.host == FIRST else self._event_for_twins(request, host)
        if event is None:
            return self._answer_alone(request, host, caller)
        half = self._halves.take(request, event, host)
        if half.reply is not None:
            return half.reply
        reply = self._answer_once(half.request, event, host, caller)
        half.answered(reply)
        return reply

    def _answer_once(self, request: HookRequest, event: Event, host: Process | None, caller: Caller) -> Reply:
        """Answer an event that may come by another entry too, or that is one of two about its call."""
        if request.problem:
            return self._answer_alone(request, host, caller)
        arrival = Arrival(request.entry, peek_string(request.raw, "hook_event_name") or "")
        try:
            # Some entries name the project and some do not, and the same one is meant.
            project = project_of(request.project or Path(event.cwd or "/"))
        except InterlockError:
            return self._answer_alone(request, host, caller)  # which refuses it, and says why
        with self._twins.turn(event, arrival, str(project)) as turn:
            if turn.first is not None and (verdict := self._of_twin(turn, caller)) is not None:
                return dialect_of(request.host).encode(event, verdict)
            reply = self._answer_alone(request, host, caller)
            turn.tell(reply)
            return reply

    def _event_for_twins(self, request: HookRequest, host: Process | None) -> Event | None:
        """The event of a request that may come by another entry too; None if there is only a refusal for it."""
        if request.problem:
            return None
        try:
            event = dialect_of(request.host).decode(request.raw)
            self._hosts.check(event.session_id, host)
        except (InterlockError, NothingToJudge):
            return None
        return event if event.hook_event_name == request.event else None

    def _of_twin(self, turn: TwinTurn, caller: Caller) -> Verdict | None:
        """The verdict on the same event by another entry, for which a person may be asked right now."""
        with caller.waiting() as may_wait:
            return turn.wait(caller.is_gone if may_wait else lambda: True)

    def _answer_alone(self, request: HookRequest, host: Process | None, caller: Caller) -> Reply:
        if request.event != "PreToolUse" or host_of(request.host).names_calls:
            return self._settle(request, host, caller)
        request = replace(request, call=new_call())
        reply = self._settle(request, host, caller)
        if reply.verdict.decision != "deny":
            self._pairs.expect(dialect_of(request.host).decode(request.raw), reply.verdict.input, request.call)
        return reply

    def _settle(self, request: HookRequest, host: Process | None, caller: Caller) -> Reply:
        if request.event == "UserPromptSubmit" and request.host != FIRST:
            try:
                dialect_of(request.host).decode(request.raw)
            except NothingToJudge as sign:
                return self._go_on(request.host, sign.session)
            except InterlockError:
                pass  # it is answered below
        if request.event == "PermissionRequest":
            return self._answer_prompt(request, host, caller)
        asks = self._asks(request, host) if request.event == "PreToolUse" else BY_HOST
        reply = self._respond(request, host, asks)
        self._prompts.hear(request)
        if reply.request is not None:
            return self._after_answer(request, host, caller, asks, reply)
        if reply.verdict.decision == "ask" and asks.way == "host" and way_for(reply.verdict, asks.way) == "both":
            self._prompts.add(dialect_of(request.host).decode(request.raw), reply.verdict.input, request)
        return reply

    def _go_on(self, name: str, session: str) -> Reply:
        """Let a turn go on, unless it was ended by an answer that this host does not take for an end."""
        ended = last_turn(self.projects.store(), session).ended
        if ended is None:
            return Reply(stdout=b"", verdict=Verdict())
        event = UserPromptSubmit(session_id=session, transcript_path="", cwd="", prompt="")
        return dialect_of(name).encode(event, combine([Opinion(by="interlock", decision="deny", reason=ended)]))

    def _after_answer(
        self, request: HookRequest, host: Process | None, caller: Caller, asks: Asks, reply: Reply
    ) -> Reply:
        with caller.waiting() as may_wait:
            is_over = caller.is_gone if may_wait else lambda: True
            return after_answer(self.inbox, reply, asks, lambda asks: self._respond(request, host, asks), is_over)

    def _answer_prompt(self, prompt: HookRequest, host: Process | None, caller: Caller) -> Reply:
        """Answer a prompt of the host by what a person says in the inbox, unless rules or the host are first."""
        reply = self._respond(prompt, host, BY_HOST)
        if reply.verdict.decision is not None or reply.verdict.errors:
            return reply
        event = dialect_of(prompt.host).decode(prompt.raw)
        with self._prompts.on_screen(event) as shown:
            if shown is None:
                return reply
            with caller.waiting() as may_wait:
                is_over = lambda: not may_wait or shown.over.is_set() or caller.is_gone()  # noqa: E731 - of two lines
                judged = self._judged_beside(shown.request, host, is_over)
        if judged.request is not None:
            # The host's own prompt was answered, or stays: a yes from here would be for a call that is over.
            self._drop(judged.request, event)
            return reply
        return reply if judged.verdict.decision in ("ask", None) else prompt_answer(prompt.host, event, judged)

    def _judged_beside(self, call: HookRequest, host: Process | None, is_over: Callable[[], bool]) -> Reply:
        """The verdict on a call that the host asks about, by a person's answer; with a request, if nobody gave one."""
        asks = Asks(seconds=host_of(call.host).wait, beside=True, counted=True)
        judged = self._respond(call, host, asks)
        for _ in range(MOST_ASKED):
            if judged.request is None:
                break
            answer = self.inbox.wait(judged.request, is_over)
            if answer.status not in ("yes", "no"):
                break
            judged = self._respond(call, host, replace(asks, answer=answer))
        return judged

    def _drop(self, id: str, event: Event) -> None:
        record = {"event": "Abandoned", "session": event.session_id, "request": id}
        self.projects.store().commit(Entry(record=record, raw=b"", at=time.time(), drops=id))

    def _asks(self, request: HookRequest, host: Process | None) -> Asks:
        """How a person is asked about this call: at the host's prompt if it shows one, else in the inbox."""
        known = host_of(request.host)
        prompts = known.asks and not self._is_headless(known, host) and self._halves.asks(request, host)
        may_ask = prompts or request.host == FIRST  # which denies a question by itself if it shows none
        with suppress(InterlockError):
            if isinstance(self.projects.store(), MemoryStore):
                return Asks(prompts=may_ask)  # no other process could answer
        return Asks(way="host" if prompts else "inbox", seconds=known.wait, prompts=may_ask)

    def _is_headless(self, known: Host, host: Process | None) -> bool:
        if host is None:
            return known.is_headless((), None)
        found = self._headless.get(host)
        if found is None:
            found = self._headless[host] = known.is_headless(argv_of(host), has_terminal(host))
            if len(self._headless) > _MOST_HOSTS:
                self._headless.popitem(last=False)
        return found

    def _respond(self, request: HookRequest, host: Process | None, asks: Asks) -> Reply:
        def find(event: Event | None) -> Sitting:
            return self._sitting(event, request, host, asks)

        def name(event: Event) -> Event:
            return self._pairs.name(self._halves.name(event), call=request.call)

        return respond(request.host, request.raw, find, request.event, None if request.host == FIRST else name)

    def show_notices(self, reply: Reply) -> None:
        """Show on the desktop what rules want to be shown there. For after the answer: it must wait for nothing."""
        if not any(opinion.desktop for opinion in reply.verdict.opinions):
            return
        if self._desktop is None:
            from interlock.approvals.desktop import Desktop  # noqa: PLC0415 - few policies want it

            self._desktop = Desktop(say=say)
        self._desktop.show(reply.verdict)

    def tidy(self) -> None:
        """Open what calls were waiting for when an earlier daemon was killed."""
        with suppress(InterlockError):
            settle_abandoned(self.projects.store(), time.time())

    def _sitting(self, event: Event | None, request: HookRequest, host: Process | None, asks: Asks) -> Sitting:
        if event is None:
            return self.projects.sitting(None, None)
        if request.problem:
            return self.projects.refusal(InterlockError(request.problem))
        project = request.project or Path(event.cwd or "/")
        try:
            self._hosts.check(event.session_id, host)
            if not request.says_project:
                self.projects.check_root(event, project)
        except InterlockError as error:
            return self.projects.refusal(error)
        # They look at Claude Code's settings.
        who_else = self.beside if request.host == FIRST else ()
        beside = [panel for who in who_else for panel in who(request.event, project, host)]
        return self.projects.sitting(event, project, beside, lambda: argv_of(host), asks)
