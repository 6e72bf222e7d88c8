"""How many mistakes `interlock lint` finds in a person's other hooks, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, note
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks
from interlock.hosts.claude_code.places import config_folder

__all__ = ["look", "mistakes_in_hooks"]


def mistakes_in_hooks(root: Path) -> str:
    """How many mistakes the hooks of a project and of this person have, in words; empty if they have none."""
    places = [root / ".claude", config_folder() / "settings.json"]
    number = len(lint_hooks(gather([place for place in places if place.exists()])))
    return "one mistake" if number == 1 else f"{number} mistakes" if number else ""


def look(root: Path) -> Iterator[Finding]:
    """A line if there is anything to say."""
    if mistakes := mistakes_in_hooks(root):
        yield note("other hooks", f"there may be {mistakes} in your other hooks", "run `interlock lint`")
