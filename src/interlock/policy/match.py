"""Whether a rule's condition holds, item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from math import prod
from typing import Any

from interlock.errors import InterlockError
from interlock.facts.shell import Command
from interlock.policy.expressions import Language
from interlock.policy.moment import Item, Moment
from interlock.policy.pushes import PushPattern
from interlock.policy.rule import ITEM_KEYS, Condition, Rule

__all__ = ["EARLY_NAMES", "covers", "early_names", "is_excused", "names_fail", "trials"]

_MOST_TRIALS = 10_000
_COMMANDS = ("command",)
_WITHOUT_ITEMS: tuple[Item | None, ...] = (None,)
_FIELD = {"command": "command", "path": "path", "url": "url", "content": "text"}


# The names that a rule can be about → where they are. Those that cost something are looked at last.
_EARLY: dict[str, Callable[[Moment], str]] = {
    "agent": lambda moment: moment.agent,
    "mode": lambda moment: moment.mode,
    "host": lambda moment: moment.situation.host,
    "server": lambda moment: moment.source,
}
_ABOUT: dict[str, Callable[[Moment], str]] = {
    **_EARLY,
    "branch": lambda moment: moment.situation.branch,
    "prompt": lambda moment: moment.prompt,
}
EARLY_NAMES = tuple(_EARLY)


def early_names(keys: Iterable[str], moment: Moment) -> tuple[str, ...]:
    """What an event says under some of the early names: the same words, the same rules."""
    return tuple([_EARLY[key](moment) for key in keys])


def names_fail(condition: Condition, moment: Moment, keys: Iterable[str] | None = None) -> str:
    """The first key about the event as a whole that does not hold, or nothing. Tool and kind are looked at before."""
    for name in condition.about if keys is None else keys:
        if not getattr(condition, name).matches(_ABOUT[name](moment)):
            return name
    return ""


def trials(rule: Rule, moment: Moment) -> Iterable[Item | None]:
    """The items the rule's patterns match, one after the other; None once for a rule without such patterns."""
    keys = rule.condition.items
    if not keys:
        return _WITHOUT_ITEMS
    allows = rule.decision == "allow"
    if keys == _COMMANDS:  # most rules that have any
        matching: list[list[Any]] = [_matching_commands(rule.condition, moment, trusting=allows)]
    else:
        matching = [_matching(rule.condition, key, moment, trusting=allows) for key in keys]
    if prod(map(len, matching)) > _MOST_TRIALS:
        raise InterlockError(f"the call has more than {_MOST_TRIALS:,} combinations of items to look at")
    if keys == _COMMANDS:
        return map(Item, matching[0])
    fields = [_FIELD[key] for key in keys]
    return (Item(**dict(zip(fields, things, strict=True))) for things in product(*matching))


def _matching(condition: Condition, key: str, moment: Moment, *, trusting: bool) -> list[Any]:
    """The items under one key that a condition means."""
    if key == "command":
        return _matching_commands(condition, moment, trusting=trusting)
    things = _things(key, moment, own=trusting)
    return [thing for thing in things if _matches(condition, key, thing, moment, trusting=trusting)]


def _matching_commands(condition: Condition, moment: Moment, *, trusting: bool) -> list[Command]:
    """The commands that are named and do one of the things that are named."""
    commands = moment.facts.commands if trusting else moment.facts.all_commands
    does, push, patterns = condition.does, condition.push, condition.command
    found = []
    for command in commands:
        if does is not None and not does.matches(command, trusting=trusting):
            continue
        if push is not None and not _pushes(push, command, moment, trusting=trusting):
            continue
        if patterns is None:
            found.append(command)
            continue
        for pattern in patterns:
            if pattern.matches(command, commands, trusting=trusting):
                found.append(command)
                break
    return found


def _pushes(push: PushPattern, command: Command, moment: Moment, *, trusting: bool) -> bool:
    """Whether a command is a push that is meant."""
    if command.use.push is None or (trusting and not command.plain):
        return False
    where = moment.pushes.destination(command)
    return where is not None and (push.covers(where) if trusting else push.matches(where))


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


def is_excused(rule: Rule, item: Item | None, moment: Moment, language: Language) -> bool:
    """Whether one of the rule's excuses holds for this item. Raises ExpressionError."""
    return bool(rule.unless) and any(_excuses(unless, rule, item, moment, language) for unless in rule.unless)


def _excuses(unless: Condition, rule: Rule, item: Item | None, moment: Moment, language: Language) -> bool:
    # An excuse is trust: a short name is not enough for it.
    meant = "exact" if unless.tool is None else unless.tool.match(moment.tool)
    trusting = rule.decision != "allow"  # what is taken out of an allow restricts, and so may be widened
    if meant is None or (trusting and meant == "widened" and unless.server is None):
        return False
    if trusting and unless.kind is not None and moment.is_guess:
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
    if (moment.facts.opaque and key != "content") or (trusting and moment.facts.is_guess):
        return False  # what cannot be read, or is only guessed, may hold others
    return bool(things) and all(_matches(unless, key, thing, moment, trusting=trusting) for thing in things)


_ALL = {"command": "all_commands", "path": "all_paths", "url": "all_urls", "content": "texts"}
_OWN = {"command": "commands", "path": "paths", "url": "urls", "content": "texts"}


def _things(key: str, moment: Moment, *, own: bool) -> tuple[Any, ...]:
    """The items of a call. `own`: without those in files that it runs, of which who permits the call need not speak."""
    facts = moment.facts
    if key == "path" and facts.lost:
        raise InterlockError(facts.lost)
    found: tuple[Any, ...] = getattr(facts, (_OWN if own else _ALL)[key])
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
    if condition.push is not None and not _pushes(condition.push, command, moment, trusting=trusting):
        return False
    if condition.command is None:
        return condition.does is not None or condition.push is not None
    commands = moment.facts.commands if trusting else moment.facts.all_commands
    return any(pattern.matches(command, commands, trusting=trusting) for pattern in condition.command)


assert tuple(_FIELD) == ITEM_KEYS  # noqa: S101 - one field of an item for each such key
