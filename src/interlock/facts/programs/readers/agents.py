"""Agents that run commands by themselves, started from a shell. `claude` is guarded where its settings say so."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

_STARTS = ("agent/starts", "network", "interactive", "agent/unguarded")


def _session(draft: UseDraft) -> None:
    """Whether a session begins, or only a page of text is shown."""
    flags = set(draft.flags)
    if {"--version", "--help"} & flags or (flags and flags <= {"-v", "-V", "-h"} and not draft.operands):
        draft.looks(*_STARTS)


READERS: dict[str, Special] = {
    "session": _session,
}
