"""Commands written as lines, and what the tables say of them."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from interlock.facts.programs import Use, use_of_program

UNKNOWN = "\0"


def use(line: str) -> Use:
    """A simple command's use; `§` stands for an unknown part of a word."""
    name, *args = shlex.split(line.replace("§", UNKNOWN))
    return use_of_program(name, tuple(args))


def said(line: str, *fields: str) -> dict[str, Any]:
    """The named fields of a command's use that hold anything."""
    found = msgspec.structs.asdict(use(line))
    return {field: found[field] for field in fields if found[field]}


def runs(line: str) -> list[tuple[str, ...]]:
    """What a command runs, as kind and words."""
    return [(nested.kind, *nested.words) for nested in use(line).runs]


def looks(line: str) -> bool:
    return "read-only" in use(line).traits
