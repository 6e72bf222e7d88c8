"""The small texts of a description: options, operands and traits, each word checked at its place."""

from __future__ import annotations

from collections.abc import Iterable

from interlock.errors import did_you_mean
from interlock.facts.programs.draft import ROLES
from interlock.facts.programs.roles import RESTS
from interlock.facts.programs.traits import TRAITS
from interlock.policy.positions import Node
from interlock.policy.reader import Reader, kind_of_value

__all__ = ["flag_traits", "option_words", "roles", "texts", "trait_words"]

_EFFECTS = ("dry", "acts")
_OPTIONS = "write `n/name=read` for `-n` or `--name` with a file to read; the page `programs` has the rest"


def texts(reader: Reader, node: Node, what: str, *, empty: bool = False) -> list[tuple[str, Node]]:
    """One text or a list of texts, each with its place."""
    found = []
    for one in node.value if isinstance(node.value, list) else [node]:
        value = one.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.append((str(value), one))  # `1` is an option like any other
        elif isinstance(value, str) and (value.strip() or (empty and value == "")):
            found.append((value.strip(), one))
        else:
            kind = "empty" if value in (None, "") else kind_of_value(value)
            reader.complain(f"{what} is {kind}; expected a text", one.source, 'put it in quotes: `"…"`')
    return found


def option_words(reader: Reader, node: Node) -> list[str]:
    """The options of an entry, each of them checked."""
    found: list[str] = []
    spelled: dict[str, str] = {}
    for text, place in texts(reader, node, "an option"):
        for word in text.split():
            if word != "*" and not _check_option(reader, word, place):
                continue
            for spelling in _spellings(word):
                if spelling in spelled:
                    message = f"`{_with_dashes(spelling)}` is described twice: `{spelled[spelling]}` and `{word}`"
                    reader.complain(message, place.source, "leave one of them out")
                spelled[spelling] = word
            found.append(word)
    return found


def _spellings(word: str) -> list[str]:
    return [] if word == "*" else _parts(word)[0].split("/")


def _with_dashes(spelling: str) -> str:
    return ("--" if len(spelling) > 1 else "-") + spelling


def _parts(word: str) -> tuple[str, str, str]:
    """The spellings of an option, the role of its value, and its effects."""
    spelled, _, effects = word.partition("!")
    spelled = spelled.rstrip("<")
    for mark in "=?":
        names, found, role = spelled.partition(mark)
        if found and names:
            return names, role or "text", effects
    return spelled, "", effects


def _check_option(reader: Reader, word: str, place: Node) -> bool:
    names, role, effects = _parts(word)
    if names.startswith("-"):
        reader.complain(f"`{word}` is written with its dashes", place.source, f"write `{word.lstrip('-')}`")
        return False
    if not all(names.split("/")):
        reader.complain(f"`{word}` has an empty spelling", place.source, _OPTIONS)
        return False
    good = not role or _check_role(reader, role, f"the value of `{word}`", place)
    for effect in effects.split(",") if effects else ():
        if effect not in _EFFECTS and effect not in TRAITS:
            help = did_you_mean(effect, [*_EFFECTS, *TRAITS], "`!dry`, `!acts`, or a trait: `interlock docs programs`")
            reader.complain(f"`{word}` has an unknown effect `{effect}`", place.source, help)
            good = False
    return good


def _check_role(reader: Reader, role: str, what: str, place: Node) -> bool:
    if role in ROLES:
        return True
    help = did_you_mean(role, ROLES, f"use one of {', '.join(f'`{name}`' for name in ROLES)}")
    reader.complain(f"{what} has an unknown role `{role}`", place.source, help)
    return False


def flag_traits(words: Iterable[str], *, single_dash: bool) -> dict[str, str]:
    """The traits of a service's options, by how they are written."""
    found = {}
    for word in words:
        if word == "*":
            continue
        names, _, effects = _parts(word)
        for name in names.split("/"):
            dashes = "-" if single_dash or len(name) == 1 else "--"
            found[dashes + name] = " ".join(effects.split(","))
    return found


def roles(reader: Reader, node: Node, what: str) -> str:
    """The roles of operands."""
    text = node.value
    if text == "":
        return ""
    if not isinstance(text, str):
        reader.complain(
            f"{what} is {kind_of_value(text)}; expected a text", node.source, "write `operands: read* write`"
        )
        return "text*"
    words = text.split()
    stars = [word for word in words if word.endswith("*")]
    if len(stars) > 1:
        reader.complain(f"{what} has more than one star: `{text}`", node.source, "one role may stand for many words")
    for at, word in enumerate(words):
        if word in RESTS:
            if at != len(words) - 1 or stars:
                reader.complain(
                    f"`{word}` takes all the words that are left", node.source, "put it last, without a star"
                )
        elif not _check_role(reader, word.removesuffix("*"), what, node):
            return "text*"
    return " ".join(words) if len(stars) <= 1 else "text*"


def trait_words(reader: Reader, text: str, node: Node) -> list[str]:
    """Traits that are written in one text."""
    found = []
    for word in text.replace(",", " ").split():
        if word in TRAITS:
            found.append(word)
            continue
        help = did_you_mean(word, TRAITS, "`interlock docs programs` lists what a program can do")
        reader.complain(f"`{word}` is not something that a program does", node.source, help)
    return found
