"""Watching a running machine: what its kernel and its programs do, and how much of it they use."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _bpftool(draft: UseDraft) -> None:
    """`bpftool OBJECT VERB`."""
    words = draft.operands
    verb = words[1] if len(words) > 1 else "show"
    if words[:1] in (["version"], ["help"]) or (
        words[:1] not in (["batch"], ["gen"])
        and verb in {"show", "list", "dump", "tree", "help", "probe", "tracelog", "getnext", "lookup", "peek"}
    ):
        draft.looks("debugger", "kernel")


def _dtrace(draft: UseDraft) -> None:
    if {"-l", "-V"} & set(draft.flags) and not draft.runs:
        draft.looks("debugger", "kernel")


def _bpftrace(draft: UseDraft) -> None:
    if {"-l", "-V", "--info", "-h"} & set(draft.flags) and not draft.runs:
        draft.looks("debugger", "kernel")


def _packets(draft: UseDraft) -> None:
    """Packets of a file are only read."""
    if "--readfile" in draft.flags and not {"-i", "--iface", "-w", "-l"} & set(draft.flags):
        draft.drop("captures")
        draft.add("changes")


def _extrace(draft: UseDraft) -> None:
    if draft.operands:
        draft.run("argv", *draft.operands)


def _ntpq(draft: UseDraft) -> None:
    if any(value.lstrip().startswith((":", "config", "save")) for name, value in draft.values if name == "--command"):
        draft.add("system-settings")


def _recorded(draft: UseDraft) -> None:
    """What was recorded before is read from its file."""
    if "--read" in draft.flags:
        draft.drop("captures")


READERS: dict[str, Special] = {
    "bpftool": _bpftool,
    "bpftrace": _bpftrace,
    "dtrace": _dtrace,
    "extrace": _extrace,
    "ntpq": _ntpq,
    "packets": _packets,
    "powertop": (
        lambda draft: (
            None
            if {"--html", "--csv", "--report", "--auto-tune", "--calibrate", "--workload"} & set(draft.flags)
            else draft.looks("upkeep")
        )
    ),
    "recorded": _recorded,
}
