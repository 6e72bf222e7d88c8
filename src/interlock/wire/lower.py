"""Lower a verdict to what a host honours: only ever toward stricter, and never in silence."""

from __future__ import annotations

from msgspec import UNSET, json
from msgspec.structs import replace

from interlock.effect import Effect
from interlock.verdict import Loss, Reason, Verdict

__all__ = ["lower"]

_BY = "interlock"


def lower(verdict: Verdict, honours: frozenset[Effect], host: str) -> Verdict:
    """The verdict with every part the host would ignore replaced by a stricter one it does honour."""
    verdict = _lower_decision(verdict, honours, host)
    if verdict.changes and verdict.decision != "deny" and "change" not in honours:
        verdict = _lower_change(verdict, honours, host)
    if verdict.output is not UNSET and "output" not in honours:
        why = f"{host} cannot replace this result"
        verdict = _lose(replace(verdict, output=UNSET, withheld=verdict.withheld or why), "output", "withheld")
    if verdict.context and "context" not in honours:
        said = (*verdict.notices, *verdict.context)
        verdict = _lose(replace(verdict, context=(), notices=said), "context", "shown to the person")
    if verdict.interrupt and "interrupt" not in honours:
        verdict = _lose(replace(verdict, interrupt=False), "interrupt", "the decision alone")
    return verdict


def _lower_decision(verdict: Verdict, honours: frozenset[Effect], host: str) -> Verdict:
    decision = verdict.decision
    if decision is None or decision in honours:
        return verdict
    if decision == "allow":
        return _lose(replace(verdict, decision=None, reasons=()), "allow", "no decision")
    if "deny" in honours:
        why = f"{host} cannot {decision} here, so the call is denied."
        reasons = verdict.reasons or (Reason(why, _BY),)
        return _lose(replace(verdict, decision="deny", reasons=reasons), decision, "deny")
    said = tuple(reason.text for reason in verdict.reasons)
    notices = (*verdict.notices, *said, f"{host} cannot {decision} here; the event went on.")
    return _lose(replace(verdict, decision=None, reasons=(), notices=notices), decision, "a notice")


def _lower_change(verdict: Verdict, honours: frozenset[Effect], host: str) -> Verdict:
    safe = json.encode(verdict.input).decode()
    text = f"{host} cannot change this call. Make this call instead: {safe}"
    if "deny" not in honours:
        notices = (*verdict.notices, text)
        return _lose(replace(verdict, changes=(), input=verdict.original, notices=notices), "change", "a notice")
    reasons = (*(verdict.reasons if verdict.decision == "ask" else ()), Reason(text, _BY))
    return _lose(replace(verdict, decision="deny", reasons=reasons), "change", "deny")


def _lose(verdict: Verdict, effect: str, instead: str) -> Verdict:
    return replace(verdict, lowered=(*verdict.lowered, Loss(effect, instead)))
