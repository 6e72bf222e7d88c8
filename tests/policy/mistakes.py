"""A mistake in a policy: what is said about it, and whether what is advised is right itself."""

from __future__ import annotations

import re

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.policy.load import load_policy
from interlock.policy.positions import LocatedErrors

# Words of the libraries underneath. Nobody who writes a policy knows them.
JARGON = re.compile(
    r"mismatched input|extraneous input|token recognition|<EOF>|expecting|protobuf|@in\b|_[<>=&|!+*/-]+_|overload"
    r"|(?<!`)operand(?!s`)|undeclared reference|in container|INVALID_ARGUMENT|reserved identifier|parsetree"
    r"|perl operator|RE2"
    r"|simple key|block mapping|flow sequence|scanning|NUM_INT|IDENTIFIER|DYN\b|null_type|Traceback|msgspec|NoneType"
)


def errors_in(text: str) -> list[InterlockError]:
    """Everything that is wrong with a policy; nothing if it loads."""
    try:
        load_policy(text, "interlock.yaml", find_pack)
    except LocatedErrors as found:
        return list(found.errors)
    return []


def check_mistake(name: str, text: str, *told: str) -> None:
    """Compare the errors of a policy with what is told of each, and try what the help says to write."""
    found = errors_in(text)
    said = [part for error in found for part in (f"{_place(error)} {error.message}", error.help or "")]
    assert said == list(told)
    for error in found:
        check_form(error)
        check_cure(text, error)


def _place(error: InterlockError) -> str:
    assert error.source is not None
    return f"{error.source.line}:{error.source.column}"


def check_form(error: InterlockError) -> None:
    """Every error has a place and a help, and is in words that a person knows."""
    assert error.source is not None
    assert error.source.line > 0
    assert error.help, error.message
    assert not JARGON.search(f"{error.message} {error.help}"), error.render()


def check_cure(text: str, error: InterlockError) -> None:
    """Write what the help says, in place of what is wrong: the error must be gone."""
    advised = re.match(r"(?:quote it: |rename one: )?(?:write (?:a list: |one text: )?)?`([^`…]+)`", error.help or "")
    if advised is None or not re.match(r"write|quote it|rename", error.help or "") or error.source is None:
        return
    lines = text.split("\n")
    number, column = error.source.line - 1, error.source.column - 1
    line, cure = lines[number], advised[1]
    written = re.match(r"\s*(?:- )?(\w+):", line)
    key = re.match(r"(\w+):", cure)
    if key is not None and (written is None or written[1] != key[1] or cure.startswith("-")):
        return  # about another line than the one that the error is on
    start = column if key is None else line.index(f"{key[1]}:")
    mended = "\n".join([*lines[:number], line[:start] + cure, *lines[number + 1 :]])
    assert error.message not in [one.message for one in errors_in(mended)], mended
