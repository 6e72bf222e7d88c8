"""What a replay cannot know, said about the policies that it was made with."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.policy.load import Policy
from interlock.replay.judge import EVENTS, PastJudge

__all__ = ["unknown_parts"]


def unknown_parts(policies: Sequence[Policy], judge: PastJudge) -> list[str]:
    """One sentence for each thing that the policies depend on and that the past does not show."""
    found: list[str] = []
    hooks = sum(len(policy.hook_files) + len(policy.externals) for policy in policies)
    if hooks:
        found.append(f"{_count(hooks, 'hook')} of the policy {_were(hooks)} not asked: hooks are programs.")
    others = [rule for policy in policies for rule, _ in policy.rules if EVENTS.isdisjoint(rule.events)]
    if others:
        events = sorted({event for rule in others for event in rule.events})
        shown = ", ".join(events[:4]) + (", …" if len(events) > 4 else "")
        found.append(f"{_count(len(others), 'rule')} {_were(len(others))} not tried, because transcripts do not show "
                     f"these events: {shown}.")  # fmt: skip
    if judge.checks:
        found.append(f"{_count(judge.checks, '`run` check')} {_were(judge.checks)} taken to have passed.")
    if judge.scripts:
        verb = "uses" if judge.scripts == 1 else "use"
        found.append(
            f"{_count(judge.scripts, 'call')} {verb} scripts or makefiles, whose text at the time is not known."
        )
    return found


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
