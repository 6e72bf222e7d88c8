"""Watching a running machine: what its kernel and its programs do, and how much of it they use."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _packets(draft: UseDraft) -> None:
    """Packets of a file are only read."""
    if "--readfile" in draft.flags and not {"-i", "--iface", "-w", "-l"} & set(draft.flags):
        draft.drop("captures")
        draft.add("changes")


def _ntpq(draft: UseDraft) -> None:
    if any(value.lstrip().startswith((":", "config", "save")) for name, value in draft.values if name == "--command"):
        draft.add("system-settings")


READERS: dict[str, Special] = {
    "ntpq": _ntpq,
    "packets": _packets,
    "powertop": (
        lambda draft: (
            None
            if {"--html", "--csv", "--report", "--auto-tune", "--calibrate", "--workload"} & set(draft.flags)
            else draft.looks("upkeep")
        )
    ),
}
