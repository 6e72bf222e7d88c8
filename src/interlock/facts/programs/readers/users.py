"""Users, groups, passwords and rights."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _visudo(draft: UseDraft) -> None:
    if "--check" in draft.flags:
        draft.looks("users", "privilege")
    else:
        draft.writes.append(draft.value("--file") or "/etc/sudoers")


READERS: dict[str, Special] = {
    "visudo": _visudo,
}
