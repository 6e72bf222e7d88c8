"""Whether a policy means the same everywhere: its cases as every host would send them, and the verdicts compared.

A case is written in the words of policies. It is put into a host's own words, read by that host's dialect, and judged.
The verdict must be the same as in Claude Code, before what the host would ignore is replaced; and what replaces it must
be stricter and have a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, to_builtins

from interlock.errors import InterlockError, Source
from interlock.event import Event, PostToolUse, ToolEvent
from interlock.facts.results import result_of, text_of_result
from interlock.facts.tools import parse_mcp
from interlock.hosts import HOSTS
from interlock.hosts.base.host import Host
from interlock.policy.load import Policy
from interlock.policy.rule import Case, Rule
from interlock.testing.as_sent import HostPayload, Unsendable, as_sent, unsaid
from interlock.testing.cases import CaseTrial, event_of_case, given_of, try_case
from interlock.verdict import STRICTNESS, Loss, Verdict

__all__ = ["CaseElsewhere", "differences", "judged_alike", "play_cases", "weaker_answer"]

JsonObject: TypeAlias = dict[str, Any]
_SAME = HOSTS["claude-code"]


class CaseElsewhere(Struct, frozen=True, kw_only=True):
    """A case as another host sends it.

    `unsendable`: why it never does, as the end of a sentence about the host. `differs`: how the verdict differs from
    that in Claude Code. `losses`: what the host would ignore of it, and what it is answered instead.
    """

    host: str
    rule: str
    source: Source
    unsendable: str = ""
    differs: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()


def play_cases(policy: Policy, hosts: Sequence[Host]) -> Iterator[CaseElsewhere]:
    """Play the cases of a policy's own rules through each of these hosts. Each distinct event is judged once.

    Cases that do not hold in Claude Code prove nothing about another host, and are left out.
    """
    for rule, _ in policy.rules:
        for case in rule.cases if rule.source.file == policy.file else ():
            try:
                event = _SAME.dialect.decode(event_of_case(rule, case))
                known = try_case(policy, rule, case.given)
            except InterlockError:
                continue
            if not known.failure and known.caught == case.catch:
                yield from (_play(policy, rule, case, event, known, host) for host in hosts)


def _play(policy: Policy, rule: Rule, case: Case, event: Event, known: CaseTrial, host: Host) -> CaseElsewhere:
    def found(**more: Any) -> CaseElsewhere:
        return CaseElsewhere(host=host.name, rule=rule.id, source=case.source, **more)

    if why := unsaid(host, rule, given_of(case)):
        return found(unsendable=why)
    try:
        sent = as_sent(host, event)
    except InterlockError as error:
        return found(differs=(f"the call is refused: {error.message}",))
    if isinstance(sent, Unsendable):
        return found(unsendable=sent.why)
    there = known.verdict
    if not judged_alike(event, sent.event):
        there = try_case(policy, rule, case.given, sent.event).verdict
    lowered = host.dialect.encode(sent.event, there).verdict
    weaker = weaker_answer(host, sent, there, lowered)
    differs, losses = differences(event, known.verdict, there), lowered.lowered
    either = _either(event, sent)
    if differs and either is not None and STRICTNESS[there.decision] > STRICTNESS[known.verdict.decision]:
        differs, losses = (), (*losses, either)
    return found(differs=(*differs, *((weaker,) if weaker else ())), losses=losses)


def _either(event: Event, sent: HostPayload) -> Loss | None:
    """What of a call can be read in several ways as this host sends it, so that the strictest counts."""
    parts = (sent.event.parts or ()) if isinstance(sent.event, ToolEvent) else ()
    if any(part.instead for part in parts):
        return Loss("a path that begins with `~`", "judged as a folder of that name as well")
    is_mcp = isinstance(event, ToolEvent) and parse_mcp(event.tool_name) is not None
    # Its name does not say where that of its server ends.
    return Loss("the name of a tool", "judged as every tool that it may be") if is_mcp and len(parts) > 1 else None


def judged_alike(one: Event, other: Event) -> bool:
    """Whether two events differ in nothing that a rule can look at, but the ids of calls and a host's own fields."""
    return _looked_at(one) == _looked_at(other)


def _looked_at(event: Event) -> JsonObject:
    found: JsonObject = to_builtins(event)
    for name in ("extra", "session_id", "transcript_path", "tool_use_id", "agent_id", "prompt_id"):
        found.pop(name, None)
    found["permission_mode"] = event.permission_mode or "default"
    found["agent"] = event.agent_id is not None
    if isinstance(event, PostToolUse):
        found["result"] = result_of(event)
    return found


# --- verdicts ------------------------------------------------------------------------------------------------


def differences(event: Event, known: Verdict, there: Verdict) -> tuple[str, ...]:
    """How the verdict on an event differs from the one in Claude Code: in words, part by part."""
    if known.changes and isinstance(event, ToolEvent) and there.decision == "deny" and known.decision != "deny":
        return ()  # a change of one part of a call that does several things is a denial, which names the safe call
    compared = {
        "the decision is": (known.decision, there.decision),
        "the rules are": (_rules(known), _rules(there)),
        "the reasons are": ([one.text for one in known.reasons], [one.text for one in there.reasons]),
        "the context is": (known.context, there.context),
        "the notices are": (_notices(known), _notices(there)),
        "the errors are": (known.errors, there.errors),
        "the change is": (_changes(known), _changes(there)),
        "the result is": (_result(event, known), _result(event, there)),
        "the end of the turn is": (known.interrupt, there.interrupt),
    }
    return tuple(
        f"{name} {_in_words(now)}, not {_in_words(was)}" for name, (was, now) in compared.items() if was != now
    )


def _in_words(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    return "nothing" if value in (None, "", {}) else str(value)


def _rules(verdict: Verdict) -> list[str]:
    return sorted({opinion.by for opinion in verdict.opinions})


def _notices(verdict: Verdict) -> list[str]:
    """What rules say; Interlock's own notices are about ids, which differ."""
    return [one.notice for one in verdict.opinions if one.notice is not None and one.by != "interlock"]


def _changes(verdict: Verdict) -> JsonObject:
    """The fields that change. A patch ends every line, also the last one of a file."""
    after = {change.field: None if change.after is UNSET else change.after for change in verdict.changes}
    return {name: value.rstrip("\n") if isinstance(value, str) else value for name, value in after.items()}


def _result(event: Event, verdict: Verdict) -> str | None:
    if verdict.withheld is not None or verdict.output is UNSET or not isinstance(event, PostToolUse):
        return verdict.withheld
    return text_of_result(event.tool_name, verdict.output) if verdict.output else ""


def weaker_answer(host: Host, sent: HostPayload, verdict: Verdict, lowered: Verdict) -> str:
    """In which way a host's answer is weaker than the verdict without saying so; nothing if it is not."""
    honours = host.dialect.honours(sent.event.hook_event_name)
    weaker = STRICTNESS[lowered.decision] < STRICTNESS[verdict.decision]
    if weaker and not lowered.lowered:
        return f"{verdict.decision} became {lowered.decision} without a word"
    if weaker and verdict.decision != "allow" and "deny" in honours:
        return f"{verdict.decision} became {lowered.decision}, and the host can deny"
    if verdict.changes and "change" not in honours and lowered.decision != "deny":
        return "the call runs unchanged"
    return ""
