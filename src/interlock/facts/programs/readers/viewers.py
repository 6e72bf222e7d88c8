"""Showing and asking: files, differences, logs, structured data, pictures in a terminal, disks, machines and names.

Only what is known to write nothing takes every option; the rest names those that write.
"""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _mlr(draft: UseDraft) -> None:
    """Its verbs and its own language can write files and run commands; what looks like it may."""
    for word in draft.operands:
        sent = ">" in word and any(verb in word for verb in ("tee", "emit", "print", "dump"))
        if sent or word in {"tee", "split", "case"} or "system" in word or "exec" in word or '| "' in word:
            draft.add("changes")
            draft.acts()


def _zoxide(draft: UseDraft) -> None:
    """The shell's jump: where it ends is not known."""
    draft.cd = "\0"


READERS: dict[str, Special] = {
    "mlr": _mlr,
    "zoxide": _zoxide,
}
