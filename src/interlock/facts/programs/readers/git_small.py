"""Git's smaller commands that either look or change, by their own subcommands."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _replace(draft: UseDraft) -> None:
    if "--list" in draft.flags or not draft.args:
        draft.looks("git/changes")


READERS: dict[str, Special] = {
    "git_scp": (lambda draft: draft.send(*draft.operands[1:])),
    "replace": _replace,
}
