"""Replace the parts of a verdict that a host would ignore with stricter ones that it honours, and record that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET, json
from msgspec.structs import replace

from interlock.effect import Effect, can, effects_of, explain_misplaced, safe_direction
from interlock.verdict import Loss, Reason, Verdict

__all__ = ["change_denial", "lower"]

JsonObject: TypeAlias = dict[str, Any]
_BY = "interlock"


def lower(
    verdict: Verdict,
    event_name: str,
    honours: frozenset[Effect],
    host: str,
    native: Callable[[JsonObject], JsonObject] = dict,
) -> Verdict:
    """The verdict with every part that the host would ignore replaced by a stricter one that it honours.

    `native`: an input in the host's own fields, for a model that must make the call itself.
    """
    denied = verdict.decision == "deny"
    # The decision first: if it becomes a deny, nothing runs, and a change need not be expressed any more.
    if verdict.decision is not None and verdict.decision not in honours:
        verdict = _lower_decision(verdict, event_name, honours, host)
    if verdict.changes and "change" not in honours and verdict.decision != "deny":
        verdict = _lower_change(verdict, event_name, host, native(verdict.input))
    if verdict.output is not UNSET and "output" not in honours:
        verdict = _lower_output(verdict, event_name, host)
    if "context" not in honours and verdict.told is not None:
        said = (*verdict.notices, verdict.told)
        verdict = _lose(replace(verdict, context=(), notices=said), "context", "shown to the person")
    if verdict.interrupt and denied and "interrupt" not in honours:
        verdict = _lose(replace(verdict, interrupt=False), "interrupt", "the decision alone")
    elif verdict.interrupt and not denied and not ("interrupt" in honours and can(event_name).ends_turn):
        verdict = _lower_interrupt(verdict, event_name, honours, host)
    return verdict


def _lower_decision(verdict: Verdict, event_name: str, honours: frozenset[Effect], host: str) -> Verdict:
    decision = verdict.decision
    assert decision is not None  # noqa: S101 - the caller has checked
    # Without the allow, the host's own permissions decide, which is the next stricter answer.
    if decision == "allow":
        return _lose(replace(verdict, decision=None, reasons=()), decision, "no decision")
    why = f"{host} cannot {decision} here"
    if "deny" in honours:
        reasons = verdict.reasons or (Reason(f"{why}, so this is denied.", _BY),)
        return _lose(replace(verdict, decision="deny", reasons=reasons), decision, "deny")
    if "output" in effects_of(event_name):
        held = verdict.withheld or verdict.reason or why
        return _lose(replace(verdict, decision=None, reasons=(), withheld=held), decision, "withheld")
    notices = (*verdict.notices, *(reason.text for reason in verdict.reasons), f"{why}; the event went on.")
    return _lose(replace(verdict, decision=None, reasons=(), notices=notices), decision, "a notice")


def _lower_change(verdict: Verdict, event_name: str, host: str, safe: JsonObject) -> Verdict:
    if "change" not in effects_of(event_name):
        unchanged = replace(verdict, changes=(), input=verdict.original)
        return _refuse_misplaced(unchanged, "change", event_name)
    cannot = Reason(change_denial(host, safe), _BY)
    reasons = (*(verdict.reasons if verdict.decision == "ask" else ()), cannot)
    return _lose(replace(verdict, decision="deny", reasons=reasons), "change", "deny")


def change_denial(host: str, given: JsonObject) -> str:
    """The reason for a denial in place of a change. It contains the safe call, which the model can make itself."""
    return f"{host} cannot change this call. Make this call instead: {json.encode(given).decode()}"


def _lower_output(verdict: Verdict, event_name: str, host: str) -> Verdict:
    kept = replace(verdict, output=UNSET)
    if "output" not in effects_of(event_name):
        return _refuse_misplaced(kept, "output", event_name)
    held = verdict.withheld or f"{host} cannot replace this result"
    return _lose(replace(kept, withheld=held), "output", "withheld")


def _lower_interrupt(verdict: Verdict, event_name: str, honours: frozenset[Effect], host: str) -> Verdict:
    """Replace an interrupt without a deny on an event where it would not end the turn by itself."""
    said = verdict.stop_reason
    why = f"{host} cannot end the turn here" + (f": {said}" if said else "")
    if {"deny", "interrupt"} <= honours:
        return _lose(
            replace(verdict, decision="deny", reasons=(Reason(said or why, _BY),)), "interrupt", "deny as well"
        )
    kept = replace(verdict, interrupt=False)
    if "output" in effects_of(event_name):
        return _lose(replace(kept, withheld=verdict.withheld or why), "interrupt", "withheld")
    # On Stop and its like a deny makes the agent continue, which is the opposite of what was asked for.
    if "deny" in honours and not can(event_name).deny_goes_on:
        return _lose(replace(kept, decision="deny", reasons=(Reason(why, _BY),)), "interrupt", "deny")
    return _lose(replace(kept, notices=(*verdict.notices, why)), "interrupt", "a notice")


def _refuse_misplaced(verdict: Verdict, effect: Effect, event_name: str) -> Verdict:
    """Treat a part that no host could honour on this event as a mistake, which takes the safe direction."""
    why = explain_misplaced(effect, event_name)
    if safe_direction(event_name) == "deny":
        reasons = (*(verdict.reasons if verdict.decision == "deny" else ()), Reason(why, _BY))
        return _lose(replace(verdict, decision="deny", reasons=reasons), effect, "deny")
    return _lose(replace(verdict, notices=(*verdict.notices, why)), effect, "a notice")


def _lose(verdict: Verdict, effect: str, instead: str) -> Verdict:
    return replace(verdict, lowered=(*verdict.lowered, Loss(effect, instead)))
