"""Programs that take a command as one of their words and run it on another machine."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _adb_shell(draft: UseDraft) -> None:
    if draft.operands:
        draft.run("shell", " ".join(draft.operands), where="host")


def _check_by_ssh(draft: UseDraft) -> None:
    """Its `-o` are those of ssh, some of which run a command here."""
    for name, value in draft.values:
        key, _, text = value.replace("=", " ", 1).partition(" ")
        if name == "-o" and key.lower() in {"proxycommand", "localcommand", "knownhostscommand"}:
            draft.aside(text)
        elif name == "-C":
            draft.run("shell", value, where="host")


READERS: dict[str, Special] = {
    "adb_shell": _adb_shell,
    "check_by_ssh": _check_by_ssh,
}
