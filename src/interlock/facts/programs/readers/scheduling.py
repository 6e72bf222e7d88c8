"""Services that are started by their scripts, and their logs."""

from __future__ import annotations

import posixpath

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _journal(draft: UseDraft) -> None:
    """Some options of what reads the journal throw parts of it away."""
    if {"--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate"} & set(draft.flags):
        draft.add("log-wiped")
    elif {"--flush", "--sync", "--relinquish-var", "--setup-keys", "--update-catalog"} & set(draft.flags):
        draft.add("changes")


def _service(draft: UseDraft) -> None:
    """`service NAME status`, and listings of all."""
    flags = set(draft.flags)
    listing = "--status-all" in flags or draft.args[:1] == ("--status-all",)
    if draft.operands and "/" in draft.operands[0]:  # it is run from where services' scripts stand
        draft.run("argv", posixpath.normpath("/etc/init.d/" + draft.operands[0]), *draft.operands[1:])
    if draft.name == "rc-service":
        listing = bool({"-l", "-e", "-r", "--list", "--exists", "--resolve"} & flags)
    if listing or draft.operands[1:2] == ["status"]:
        draft.looks("service")


READERS: dict[str, Special] = {
    "journal": _journal,
    "service": _service,
}
