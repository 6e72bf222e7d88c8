"""git: its own options, its aliases, and every form of it."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.git_settings import settings_of, take_settings
from interlock.facts.programs.table import Special


def _git(draft: UseDraft) -> None:
    take_settings(draft)
    if draft.words or not draft.operands:
        return
    name, *rest = draft.operands
    for key, text in settings_of(draft):
        if key == f"alias.{name.lower()}" and not text.startswith("!"):
            draft.run("argv", "git", *text.replace("'", "").replace('"', "").split(), *rest)


READERS: dict[str, Special] = {
    "git": _git,
}
