"""Answer what hosts raise, after seeing that it is the session's own host that raised it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from interlock.config import state_folder
from interlock.daemon.frames import Request
from interlock.daemon.peers import Hosts, Process, argv_of
from interlock.hooks.run import Panel
from interlock.projects import Projects, origin_of
from interlock.service import Reply
from interlock.source import InterlockError
from interlock.wire import dialect_of

__all__ = ["Beside", "Sessions"]

HOST = "claude-code"
Beside: TypeAlias = Callable[[str, Path, Process | None], Sequence[Panel]]


class Sessions:
    """Every session of this person's hosts."""

    def __init__(self, projects: Projects, first: Beside, *more: Beside) -> None:
        """`first` and `more` say who else has a say about an event; a daemon that nobody keeps on is not to be had."""
        self.projects = projects
        self.beside = [first, *more]
        self._hosts = Hosts(state_folder() / "sessions")

    def answer(self, request: Request, host: Process | None) -> Reply:
        """Answer one event that a client passed on for `host`."""
        raw, event = request.raw, request.event
        origin = origin_of(raw)
        if origin.hook_event_name != event:
            # The client was spawned for another event than it tells of, or the event cannot be read.
            what = f"an event that says it is `{origin.hook_event_name}`" if origin.hook_event_name else "what"
            return dialect_of(HOST).fail(event, f"{what} came as {event} and cannot be judged as such")
        try:
            self._hosts.check(origin.session_id, host)
            if not request.says_project:
                self.projects.check_root(origin, request.project)
        except InterlockError as error:
            return self.projects.refuse(HOST, raw, error)
        beside = [panel for who in self.beside for panel in who(event, request.project, host)]
        return self.projects.answer(HOST, raw, request.project, beside, lambda: argv_of(host))
