"""Whether a rule's condition holds, item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from interlock.errors import InterlockError
from interlock.facts.gather import Facts
from interlock.facts.shell import Command
from interlock.policy.expressions import Language
from interlock.policy.moment import Item, Moment
from interlock.policy.rule import ITEM_KEYS, Condition, Rule

__all__ = ["covers", "excused", "names_fail", "trials"]

_MOST_TRIALS = 10_000
_FIELD = {"command": "command", "path": "path", "url": "url", "content": "text"}


_ABOUT: dict[str, Callable[[Moment], str]] = {
    "agent": lambda moment: moment.agent,
    "mode": lambda moment: moment.event.permission_mode or "default",
    "host": lambda moment: moment.situation.host,
    "branch": lambda moment: moment.situation.branch,
    "server": lambda moment: moment.source,
    "prompt": lambda moment: moment.prompt,
}


def names_fail(condition: Condition, moment: Moment) -> str:
    """The first key about the event as a whole that does not hold, or nothing. Tool and kind are looked at before."""
    for name in condition.about:
        if not getattr(condition, name).matches(_ABOUT[name](moment)):
            return name
    return ""


def trials(rule: Rule, moment: Moment) -> Iterator[Item | None]:
    """The items the rule's patterns match, one after the other; None once for a rule without such patterns."""
    keys = rule.condition.items
    if not keys:
        yield None
        return
    allows = rule.decision == "allow"
    matching = [
        [
            thing
            for thing in _things(key, moment, own=allows)
            if _matches(rule.condition, key, thing, moment, trusting=allows)
        ]
        for key in keys
    ]
    if prod(len(things) for things in matching) > _MOST_TRIALS:
        raise InterlockError(f"the call has more than {_MOST_TRIALS:,} combinations of items to look at")
    for combination in product(*matching):
        yield Item(**{_FIELD[key]: thing for key, thing in zip(keys, combination, strict=True)})


def covers(rule: Rule, moment: Moment) -> bool:
    """Whether an allow's patterns cover every command, path and URL of the call, and nothing is opaque."""
    if not rule.condition.items:
        return True
    if not moment.facts.plain:
        return False
    for key in ITEM_KEYS:
        things = _things(key, moment, own=True)
        if things and key not in rule.condition.items and key != "content":
            return False
        if key in rule.condition.items and not all(
            _matches(rule.condition, key, thing, moment, trusting=True) for thing in things
        ):
            return False
    return True


def excused(rule: Rule, item: Item | None, moment: Moment, language: Language) -> bool:
    """Whether one of the rule's excuses holds for this item. Raises ExpressionError."""
    return any(_excuses(unless, rule, item, moment, language) for unless in rule.unless)


def _excuses(unless: Condition, rule: Rule, item: Item | None, moment: Moment, language: Language) -> bool:
    # An excuse is trust: a short name is not enough for it.
    meant = "exact" if unless.tool is None else unless.tool.match(moment.tool)
    trusting = rule.decision != "allow"  # what is taken out of an allow restricts, and so may be widened
    if meant is None or (trusting and meant == "widened" and unless.server is None):
        return False
    if unless.kind is not None and not unless.kind.matches(moment.kind):
        return False
    if names_fail(unless, moment):
        return False
    for key in unless.items:
        if key in rule.condition.items:
            # The excuse is about the item that was caught, not about its neighbours.
            if not _matches(unless, key, getattr(item, _FIELD[key]), moment, trusting=trusting):
                return False
        elif not _holds_for_all(unless, key, moment, trusting):
            return False
    return unless.when is None or unless.when.holds(moment.activation(language, rule.names, item))


def _holds_for_all(unless: Condition, key: str, moment: Moment, trusting: bool) -> bool:
    things = _things(key, moment, own=trusting)
    if moment.facts.opaque and key != "content":
        return False  # what cannot be read may hold others
    return bool(things) and all(_matches(unless, key, thing, moment, trusting=trusting) for thing in things)


_ALL: dict[str, Callable[[Facts], tuple[Any, ...]]] = {
    "command": lambda facts: facts.all_commands,
    "path": lambda facts: facts.all_paths,
    "url": lambda facts: facts.all_urls,
    "content": lambda facts: facts.texts,
}
_OWN: dict[str, Callable[[Facts], tuple[Any, ...]]] = {
    "command": lambda facts: facts.commands,
    "path": lambda facts: facts.paths,
    "url": lambda facts: facts.urls,
    "content": lambda facts: facts.texts,
}


def _things(key: str, moment: Moment, *, own: bool) -> tuple[Any, ...]:
    """The items of a call. `own`: without those in files that it runs, of which who permits the call need not speak."""
    found = (_OWN if own else _ALL)[key](moment.facts)
    if key == "path" and moment.facts.lost:
        raise InterlockError(moment.facts.lost)
    return found


def _matches(condition: Condition, key: str, thing: Any, moment: Moment, *, trusting: bool = False) -> bool:
    if key == "command":
        return _is_command(condition, thing, moment, trusting)
    if key == "path":
        places = moment.situation.places
        if condition.path is None:
            return False
        return condition.path.covers(thing, places) if trusting else condition.path.matches(thing, places, moment.facts)
    if key == "url":
        return condition.url is not None and condition.url.matches(thing, trusting=trusting)
    return condition.content is not None and condition.content.matches(thing)


def _is_command(condition: Condition, command: Command, moment: Moment, trusting: bool) -> bool:
    """Whether a command is one that is named and does one of the things that are named."""
    if condition.does is not None and not condition.does.matches(command, trusting=trusting):
        return False
    if condition.command is None:
        return condition.does is not None
    commands = moment.facts.commands if trusting else moment.facts.all_commands
    return any(pattern.matches(command, commands, trusting=trusting) for pattern in condition.command)


assert tuple(_FIELD) == ITEM_KEYS  # noqa: S101 - one field of an item for each such key
