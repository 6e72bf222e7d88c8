"""Panels that answer when no policy can: the policy is broken, or nothing can be recorded."""

from __future__ import annotations

from interlock.errors import InterlockError
from interlock.event import PostToolBatch, ToolEvent
from interlock.facts.tools import kind_of
from interlock.fold import Answers, Round
from interlock.policy.situation import Situation
from interlock.verdict import failure

__all__ = ["BrokenPolicy", "Refusal"]


class BrokenPolicy:
    """Answers when there is no good version of the policy: only tools that read may run."""

    def __init__(self, error: InterlockError) -> None:
        self._why = f"the policy is broken: {error.in_one_line()}. Run `interlock check`."

    def ask(self, situation: Situation, round_: Round) -> Answers:
        event = situation.event
        if isinstance(event, ToolEvent) and kind_of(event.tool_name) == "read":
            return {}
        if isinstance(event, PostToolBatch):
            return {}  # the denied calls did not run, and ending the turn would keep the reason from the model
        return {0: (failure(event.hook_event_name, "interlock", self._why),)}


class Refusal:
    """Answers when nothing can be remembered or recorded: every event takes its safe direction."""

    def __init__(self, error: InterlockError) -> None:
        self._error = error

    def ask(self, situation: Situation, round_: Round) -> Answers:
        raise self._error
