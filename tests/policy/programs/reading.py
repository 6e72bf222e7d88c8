"""Read descriptions that a test writes down, and the commands that they describe."""

from __future__ import annotations

from textwrap import dedent

from interlock.errors import InterlockError
from interlock.facts.programs.use import Use
from interlock.policy.expressions import Language
from interlock.policy.positions import read_yaml
from interlock.policy.programs.entries import Description, read_programs
from interlock.policy.programs.families import reading
from interlock.policy.reader import Reader


def read(text: str, *, shipped: bool = False) -> tuple[list[Description], list[InterlockError]]:
    """The descriptions in a YAML text, and what is wrong with them."""
    document = read_yaml(dedent(text), "programs.yaml")
    reader = Reader(document.lines, Language({}, {}), {})
    return read_programs(document.root, reader, shipped=shipped), reader.errors


def described(text: str, *, shipped: bool = False) -> list[Description]:
    """The descriptions in a YAML text that has no errors."""
    found, errors = read(text, shipped=shipped)
    assert [str(error) for error in errors] == []
    return found


def use(text: str, command: str) -> Use:
    """What a command does by the descriptions in a YAML text."""
    name, *args = command.split()
    return reading(described(text))(name, tuple(args))


def complaints(text: str, *, shipped: bool = False) -> list[tuple[str, str, str | None]]:
    """What is wrong with a YAML text: place, message, cure."""
    return [
        (f"{error.source.line}:{error.source.column}" if error.source else "", error.message, error.help)
        for error in read(text, shipped=shipped)[1]
    ]
