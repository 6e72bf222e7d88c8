"""Users, groups, passwords and rights."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _passwd(draft: UseDraft) -> None:
    if "--status" in draft.flags:
        draft.looks("users", "writes-secret")


def _htpasswd(draft: UseDraft) -> None:
    """`-n` prints a line, `-v` compares."""
    if {"-n", "-v"} & set(draft.flags):
        draft.looks("users", "writes-secret")
    else:
        draft.writes += draft.operands[:1]


def _verifies(draft: UseDraft) -> None:
    if draft.name == "setcap" and "-v" in draft.flags:
        draft.looks("privilege", "permissions")


def _visudo(draft: UseDraft) -> None:
    if "--check" in draft.flags:
        draft.looks("users", "privilege")
    else:
        draft.writes.append(draft.value("--file") or "/etc/sudoers")


READERS: dict[str, Special] = {
    "htpasswd": _htpasswd,
    "passwd": _passwd,
    "verifies": _verifies,
    "visudo": _visudo,
}
