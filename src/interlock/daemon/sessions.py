"""Answer the events that hosts raise, after checking that the session's own host raised them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from interlock.approvals.inbox import Inbox
from interlock.config.places import state_folder
from interlock.daemon.frames import HookRequest
from interlock.daemon.log import say
from interlock.daemon.peers import Hosts, Process, argv_of
from interlock.errors import InterlockError
from interlock.event import Event
from interlock.judging.asking import BY_HOST, Asks
from interlock.judging.projects import Projects
from interlock.judging.sitting import Sitting
from interlock.policy.situation import Panel
from interlock.service import Reply, respond

if TYPE_CHECKING:
    from interlock.approvals.desktop import Desktop

__all__ = ["Beside", "Sessions"]

HOST = "claude-code"
# The host waits for 600 s. What is left of that is for judging the call before and after a person has answered.
ASKS = Asks(seconds=480.0)
_MOST_ASKED = 3  # times about one call: after a yes, something else may have to be asked by then
Beside: TypeAlias = Callable[[str, Path, Process | None], Sequence[Panel]]


class Sessions:
    """Every session of this person's hosts."""

    def __init__(self, projects: Projects, first: Beside, *more: Beside) -> None:
        """`first` and `more` give further panels for an event: without them, a daemon could be switched off."""
        self.projects = projects
        self.beside = [first, *more]
        self.inbox = Inbox(projects.store)
        self._desktop: Desktop | None = None
        self._hosts = Hosts(state_folder() / "sessions")

    def answer(self, request: HookRequest, host: Process | None) -> Reply:
        """Answer one event that a client passed on for `host`, after a person has answered if one is asked."""
        asks = ASKS if request.event == "PreToolUse" else BY_HOST
        reply = self._respond(request, host, asks)
        for _ in range(_MOST_ASKED):
            if reply.request is None:
                break
            answer = self.inbox.wait(reply.request)
            reply = self._respond(request, host, replace(asks, answer=answer))
        return reply

    def _respond(self, request: HookRequest, host: Process | None, asks: Asks) -> Reply:
        return respond(HOST, request.raw, lambda event: self._sitting(event, request, host, asks), request.event)

    def show_notices(self, reply: Reply) -> None:
        """Show on the desktop what rules want to be shown there. For after the answer: it must wait for nothing."""
        if not any(opinion.desktop for opinion in reply.verdict.opinions):
            return
        if self._desktop is None:
            from interlock.approvals.desktop import Desktop  # noqa: PLC0415 - few policies want it

            self._desktop = Desktop(say=say)
        self._desktop.show(reply.verdict)

    def _sitting(self, event: Event | None, request: HookRequest, host: Process | None, asks: Asks) -> Sitting:
        if event is None:
            return self.projects.sitting(None, None)
        project = request.project or Path(event.cwd or "/")
        try:
            self._hosts.check(event.session_id, host)
            if not request.says_project:
                self.projects.check_root(event, project)
        except InterlockError as error:
            return self.projects.refusal(error)
        beside = [panel for who in self.beside for panel in who(request.event, project, host)]
        return self.projects.sitting(event, project, beside, lambda: argv_of(host), asks)
