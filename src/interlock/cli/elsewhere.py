"""Cases and scenarios as other agents would send them: whether a policy means the same there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from interlock.cli.problems import CheckProblem
from interlock.hosts.base.host import Host
from interlock.policy.load import Policy
from interlock.policy.positions import Document
from interlock.testing.portability import CaseElsewhere, play_cases
from interlock.testing.scenarios import ScenarioResult, run_scenarios

__all__ = ["HostTrial", "differing", "sentence_about", "trial_data", "try_in"]


class HostTrial(Struct, frozen=True):
    """The cases and scenarios that hold in Claude Code, played as one host sends them."""

    host: Host
    cases: list[CaseElsewhere]
    scenarios: list[ScenarioResult]


def try_in(
    hosts: Sequence[Host], policies: Sequence[Policy], tests: Sequence[tuple[Document, Policy]]
) -> list[HostTrial]:
    """Play everything through the dialects of these hosts; those without samples use the words of policies."""
    others = [host for host in hosts if host.sample is not None]
    cases = [one for policy in policies for one in play_cases(policy, others)] if others else []
    holding = [[one.ok for one in run_scenarios(document, policy)] for document, policy in tests] if others else []
    return [
        HostTrial(
            host,
            [one for one in cases if one.host == host.name],
            [
                played
                for (document, policy), holds in zip(tests, holding, strict=True)
                for played, ok in zip(run_scenarios(document, policy, host), holds, strict=True)
                if ok
            ],
        )
        for host in others
    ]


def differing(trials: Iterable[HostTrial], lines: dict[str, Sequence[str]]) -> Iterator[CheckProblem]:
    """The cases and scenarios that get another verdict there. `lines`: those of each policy's file."""
    for trial in trials:
        title = trial.host.title
        for case in (one for one in trial.cases if one.differs):
            message = f"`{case.rule}` gives another verdict if {title} sends this: {'; '.join(case.differs)}"
            listed = lines.get(case.source.file, ())
            line = listed[case.source.line - 1] if case.source.line <= len(listed) else None
            yield CheckProblem("case", "error", message, case.source, line=line, rule=case.rule)
        for one in (one for one in trial.scenarios if not one.ok):
            message = f"{one.name}: as {title} sends it, {one.message}"
            yield CheckProblem("scenario", "error", message, one.source, one.help, one.line or None)


def sentence_about(trial: HostTrial) -> str:
    """How much holds as the host sends it, and what it never sends."""
    parts = [
        _holding_text([not one.differs and not one.unsendable for one in trial.cases], "case"),
        _holding_text([one.ok and not one.unsendable for one in trial.scenarios], "scenario"),
    ]
    said = f"{' and '.join(part for part in parts if part)} get the same verdict in {trial.host.title}"
    never = _never_sent(trial)
    if not never:
        return said
    listed = ", ".join(f"{why} ({number})" for why, number in never.most_common())
    return f"{said}; it never sends the other {never.total()}: it {listed}"


def _holding_text(holds: Sequence[bool], what: str) -> str:
    return f"{sum(holds)} of {len(holds)} {what}s" if holds else ""


def _never_sent(trial: HostTrial) -> Counter[str]:
    played = [one.unsendable for one in trial.cases] + [one.unsendable for one in trial.scenarios]
    return Counter(why for why in played if why)


def trial_data(trial: HostTrial) -> dict[str, Any]:
    """The same for a program."""
    return {
        "cases": len(trial.cases),
        "scenarios": len(trial.scenarios),
        "never_sent": dict(_never_sent(trial)),
        "differ": [
            {"rule": one.rule, "at": str(one.source), "how": list(one.differs)} for one in trial.cases if one.differs
        ]
        + [
            {"scenario": one.name, "at": str(one.source), "how": [one.message]} for one in trial.scenarios if not one.ok
        ],
    }
