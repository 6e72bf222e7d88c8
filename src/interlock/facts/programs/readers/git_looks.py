"""git: forms that look at a repository."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _grep(draft: UseDraft) -> None:
    pager = draft.value("--open-files-in-pager")
    if "--open-files-in-pager" in draft.flags:
        draft.aside(pager or "less")


def _difftool(draft: UseDraft) -> None:
    command = draft.value("--extcmd")
    if command is not None:
        draft.aside(command)


READERS: dict[str, Special] = {
    "difftool": _difftool,
    "grep": _grep,
}
