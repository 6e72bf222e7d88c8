"""Judge a call that does several things at once: each part as a call of its own, and all of them by one verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import UNSET, json
from msgspec.structs import replace

from interlock.event import CallPart, PostToolUse, ToolEvent, payload_of
from interlock.facts.results import result_of, text_of_result
from interlock.policy.situation import Situation
from interlock.verdict import STRICTNESS, Opinion, Verdict, combine

__all__ = ["judge_parts"]


def judge_parts(situation: Situation, event: ToolEvent, judge: Callable[[Situation], Verdict]) -> Verdict:
    """The verdict on a call by the verdicts on its parts: the strictest decision, and every reason for it.

    The result of the call is that of every part; each sees what is left of it by those before.
    """
    result = result_of(event)
    verdicts: list[Verdict] = []
    parts = event.parts or []
    for part in parts:
        alone = replace(event, tool_name=part.tool_name, tool_input=part.tool_input, parts=None)
        if isinstance(alone, PostToolUse) and result is not UNSET:
            alone = replace(alone, tool_response=result)
        verdict = judge(replace(situation, event=alone, raw=json.encode(payload_of(alone))))
        if verdict.output is not UNSET:
            # A text stays one: each part has its own idea of where in a result the text is.
            result = text_of_result(part.tool_name, verdict.output) if isinstance(result, str) else verdict.output
        verdicts.append(verdict)
    # What is allowed in one part only is not an allowed call.
    allowed = all(verdict.decision == "allow" for verdict in verdicts)
    counting = _parts_that_count(parts, verdicts)
    said = [one for _, verdict in counting for one in _opinions(verdict, allowed)]
    said += _refused_changes(counting)
    whole = combine(_each_once(said), event.tool_input)
    return replace(
        whole,
        output=result if any(verdict.output is not UNSET for verdict in verdicts) else UNSET,
        lowered=tuple(loss for verdict in verdicts for loss in verdict.lowered),
    )


def _parts_that_count(parts: Sequence[CallPart], verdicts: Sequence[Verdict]) -> list[tuple[CallPart, Verdict]]:
    """The parts and their verdicts, without other readings that are not judged more strictly than the first ones."""
    judged = list(zip(parts, verdicts, strict=True))
    strictest = max((STRICTNESS[verdict.decision] for part, verdict in judged if not part.instead), default=0)
    return [one for one in judged if not one[0].instead or one[1].changes or STRICTNESS[one[1].decision] > strictest]


def _opinions(verdict: Verdict, allowed: bool) -> Iterable[Opinion]:
    for one in verdict.opinions:
        kept = replace(one, change=None, output=UNSET)
        drops = kept.decision == "allow" and not allowed
        yield replace(kept, decision=None, reason=None) if drops else kept


def _refused_changes(judged: Iterable[tuple[CallPart, Verdict]]) -> Iterable[Opinion]:
    """A denial for every part that would be changed: no host takes a change of one part back."""
    for part, verdict in judged:
        if not verdict.changes or verdict.decision == "deny":
            continue
        by = ", ".join(dict.fromkeys(change.by for change in verdict.changes if change.by)) or "interlock"
        safe = json.encode(verdict.input).decode()
        reason = f"one part of this call must be changed. Make it without that part, then {part.tool_name} with {safe}"
        yield Opinion(by=by, decision="deny", reason=reason)


def _each_once(opinions: Iterable[Opinion]) -> list[Opinion]:
    """Opinions that several parts share count once: a call with ten files is one call."""
    return list({json.encode(one): one for one in opinions}.values())
