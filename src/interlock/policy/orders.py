"""What is remembered of results that try to command the model, so that later calls that follow from them are found."""

from __future__ import annotations

from collections.abc import Iterable

from interlock.event import PostToolUse, PostToolUseFailure, PreToolUse, UserPromptSubmit
from interlock.facts.injections.following import addresses_in, named_by
from interlock.policy.history import EVERYTHING, SAID, TOLD
from interlock.policy.moment import Moment
from interlock.verdict import JsonObject, Opinion

__all__ = ["memory_of"]

_MOST_TOLD = 32  # passages; beyond them, anything that is new to the session may come from one
_MOST_SAID = 500
_REMEMBERED = ("host", "mail")  # of ordinary calls; what else they name is named by every second call


def memory_of(marked: Moment | None, last: Moment) -> Opinion | None:
    """What an event leaves to later calls: the orders in its result, and names that are known from now on.

    `last` is the event as the rules left it, and `marked` as it came, if a rule marks its result.
    """
    event = last.event
    if isinstance(event, UserPromptSubmit):
        return _opinion({}, _new(last, (text for _, text in addresses_in(event.prompt))))
    if isinstance(event, PreToolUse):
        asked = {text for _, text in last.names_from_orders}
        named = named_by(last.facts, last.given, last.kind, last.situation.places)
        return _opinion({}, _new(last, (text for kind, text in named if kind in _REMEMBERED and text not in asked)))
    if isinstance(event, PostToolUse | PostToolUseFailure):
        # It ran, so a person let it, or no rule asks.
        return _opinion(
            _new_passages(marked) if marked is not None else {},
            _new(last, (text for _, text in last.names_from_orders)),
        )
    return None


def _new_passages(moment: Moment) -> JsonObject:
    told = moment.situation.told
    new = [one.passage for one in moment.facts.orders if one.passage not in told.values()]
    if len(told) + len(new) > _MOST_TOLD:
        return {EVERYTHING: ""}
    return {str(len(told) + number): passage for number, passage in enumerate(new)}


def _new(moment: Moment, names: Iterable[str]) -> JsonObject:
    said = moment.situation.said
    new = [name for name in dict.fromkeys(names) if name not in said]
    return dict.fromkeys(new[: max(0, _MOST_SAID - len(said))], "")


def _opinion(told: JsonObject, said: JsonObject) -> Opinion | None:
    policy, _, told_name = TOLD.rpartition("#")
    kept = {name: value for name, value in ((told_name, told), (SAID.rpartition("#")[2], said)) if value}
    return Opinion(by="interlock", policy=policy, set=kept) if kept else None
