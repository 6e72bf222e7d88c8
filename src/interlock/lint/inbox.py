"""A wait for a person's answer that is longer than a host can wait."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.lint.finding import PolicyFinding
from interlock.policy.inbox_settings import USUAL_WAIT
from interlock.policy.load import Policy

__all__ = ["find"]


def find(policy: Policy) -> Iterator[PolicyFinding]:
    said = policy.inbox
    if said is None or said.wait is None or said.source is None or said.wait <= USUAL_WAIT:
        return
    message = (
        f"`inbox.wait` is {said.wait:g}s, but Claude Code gives up a hook after 600s: "
        f"its calls wait {USUAL_WAIT:g}s for an answer"
    )
    yield PolicyFinding("inbox", said.source, message, "a yes that comes later counts when the agent tries again")
