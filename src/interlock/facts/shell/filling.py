"""Commands of the shell that put what they read or make into variables: `read`, `mapfile`, `printf -v`, `getopts`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from interlock.facts.shell.assigning import NewValue
from interlock.facts.shell.context import Feed
from interlock.facts.shell.fields import SPACE, separators, split
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.state import State, Value

__all__ = ["filled_by_mapfile", "filled_by_read", "options_of"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def options_of(args: tuple[str, ...], taking: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """The options of a shell's own command by their letters, and the words behind them. `taking`: those with values."""
    options: dict[str, str] = {}
    at = 0
    while at < len(args) and len(args[at]) > 1 and args[at][0] == "-":
        word = args[at]
        at += 1
        if word == "--":
            break
        for place, letter in enumerate(word[1:], 2):
            if letter not in taking:
                options[letter] = ""
                continue
            value = word[place:]
            if not value and at < len(args):
                value = args[at]
                at += 1
            options[letter] = value
            break
    return options, args[at:]


def filled_by_read(
    args: tuple[str, ...], state: State, env: Mapping[str, str], feed: Feed | None, text: str | None
) -> list[NewValue]:
    """What `read` gives to which variables; None where only the run tells."""
    options, names = options_of(args, "adinNptu")
    if "a" in options:
        return [NewValue(options["a"], _array(options, state, env, text))]
    if not names:
        names, whole = ("REPLY",), True
    else:
        whole = False
    line = _line(options, text)
    if line is None or UNKNOWN in line:
        lies_in = feed.names() if feed is not None and len(names) == 1 else None
        return [NewValue(name, lies_in if line is None else None) for name in names]
    between = env.get("IFS", "") if "IFS" in env else separators(state)
    if between is None or UNKNOWN in between:
        return [NewValue(name, None) for name in names]
    if whole:
        return [NewValue("REPLY", line)]
    return [NewValue(name, value) for name, value in zip(names, _shares(line, between, len(names)), strict=True)]


def _line(options: dict[str, str], text: str | None) -> str | None:
    """The line that is read, if there is just one to read."""
    if text is None or not options.keys() <= set("reapsti"):
        return None
    lines = text.split("\n")
    if len(lines) > 2 or (len(lines) == 2 and lines[1]):
        return None  # which of them it is depends on what was read before
    line = lines[0]
    return None if "\\" in line and "r" not in options else line


def _array(options: dict[str, str], state: State, env: Mapping[str, str], text: str | None) -> Value:
    line = _line(options, text)
    between = env.get("IFS", "") if "IFS" in env else separators(state)
    if line is None or between is None or UNKNOWN in between:
        return None
    return tuple(split(line, between))


def _shares(line: str, between: str, many: int) -> list[str]:
    """The words of a line for so many variables; the last gets the rest."""
    spaces = "".join(one for one in between if one in SPACE)
    rest = line.strip(spaces) if spaces else line
    values: list[str] = []
    inner = re.compile(f"[{re.escape(between)}]") if between else None
    for _ in range(many - 1):
        found = inner.search(rest) if inner else None
        if found is None:
            values.append(rest)
            rest = ""
            continue
        values.append(rest[: found.start()])
        behind = rest[found.start() :].lstrip(spaces) if spaces else rest[found.start() :]
        if behind[:1] and behind[0] in between and behind[0] not in spaces:
            behind = behind[1:].lstrip(spaces) if spaces else behind[1:]
        rest = behind
    others = [one for one in between if one not in SPACE]
    if others and rest and rest[-1] in others and not any(one in rest[:-1] for one in others):
        rest = rest[:-1]  # one that ends the last word belongs to none
    return [*values, rest]


def filled_by_mapfile(args: tuple[str, ...], text: str | None) -> list[NewValue]:
    """What `mapfile` gives to its array."""
    options, names = options_of(args, "dnOsuCc")
    name = names[0] if names else "MAPFILE"
    if text is None or UNKNOWN in text or not options.keys() <= set("td"):
        return [NewValue(name, None)]
    end = options.get("d", "\n")[:1]
    if not end:
        return [NewValue(name, None)]
    *items, last = text.split(end)
    if "t" not in options:
        items = [one + end for one in items]
    return [NewValue(name, (*items, last) if last else tuple(items))]
