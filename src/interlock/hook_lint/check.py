"""What a check is: a module with a code, the subjects it looks at, and its explanation as its docstring.

The first line of the docstring is the check's title. Its sections are What, Why, Example and Fix, in this order; the
documentation and `interlock lint --explain` show them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.hook_lint.finding import LintFinding

__all__ = ["SECTIONS", "LintCheck", "Subject", "check_of"]

SECTIONS = ("What", "Why", "Example", "Fix")
Subject: TypeAlias = Literal["settings", "hook"]
"""What is looked at: a settings file, or a program or callback with what wires it."""

_HEADING = re.compile(r"^## (\w+)\n", re.MULTILINE)


class LintCheck(Struct, frozen=True, kw_only=True):
    """One check. `find` is given a subject of its kind."""

    code: str
    name: str
    title: str
    about: Subject
    find: Callable[[Any], Iterator[LintFinding]]
    sections: dict[str, str]
    fixes: bool = False


def check_of(module: ModuleType) -> LintCheck:
    """The check in a module. Raises InterlockError if a part of it is missing."""
    text = (module.__doc__ or "").strip()
    title, _, rest = text.partition("\n")
    parts = _HEADING.split(rest)
    sections = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    if tuple(sections) != SECTIONS or not all(sections.values()):
        raise InterlockError(f"{module.__name__} must explain itself in the sections {', '.join(SECTIONS)}")
    return LintCheck(
        code=module.CODE,
        name=module.__name__.rpartition(".")[2].replace("_", "-"),
        title=title.rstrip("."),
        about=module.ABOUT,
        find=module.find,
        sections=sections,
        fixes=getattr(module, "FIXES", False),
    )
