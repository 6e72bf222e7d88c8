"""A first description of a program, from the text that its `--help` prints."""

from __future__ import annotations

import re
from collections.abc import Iterable

from interlock.errors import InterlockError
from interlock.facts.programs import known_programs
from interlock.imports.help.description import describe_pages
from interlock.imports.help.draft_cases import cases_for
from interlock.imports.help.draft_text import draft_text
from interlock.imports.help.page import read_pages

__all__ = ["bare_name", "draft_program"]

_NAME = re.compile(r"[A-Za-z0-9_][\w.+-]*")


def bare_name(name: str) -> str:
    """The name, if a description can be for it. Raises InterlockError for a path or several words."""
    if _NAME.fullmatch(name):
        return name
    bare = re.split(r"[\\/\s]", name.strip("/\\ "))[-1]
    help = f"write `{bare}`" if _NAME.fullmatch(bare) else "write the name by which it is called"
    raise InterlockError(f"`{name}` is not the bare name of a program", help=help)


def draft_program(name: str, texts: Iterable[str]) -> str:
    """A policy with the description, for a person to correct."""
    pages = [page for text in texts for page in read_pages(bare_name(name), text)]
    found = describe_pages(name, pages)
    if name in known_programs():
        found.remarks.insert(
            0, f"Interlock knows `{name}` already: a description can add to that and take nothing away."
        )
    return draft_text(name, found, cases_for(name, draft_text(name, found, {}), found.samples))
