"""Devices whose programs show something when they are given its name, and set it when they are given more."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _alone(draft: UseDraft) -> None:
    """One operand is shown; a second one sets it."""
    if len(draft.operands) < 2:
        draft.looks("system-settings")


def _setpci(draft: UseDraft) -> None:
    """A register is shown by its name and set by `name=value`."""
    if not any("=" in word for word in draft.operands):
        draft.looks("kernel")


def _modem(draft: UseDraft) -> None:
    """`mmcli -m 0`, and options that list or get; the others act on the modem."""
    names = {"--modem", "--bearer", "--sim", "--sms", "--list-modems", "--output-json", "--output-keyvalue"}
    if all(flag in names or "-list" in flag or flag.endswith(("-status", "-get")) for flag in draft.flags):
        draft.looks("device")


def _v4l2(draft: UseDraft) -> None:
    """Only if every option asks; those that set or record are many."""
    shows = ("--list", "--get", "--info", "--all", "--device", "-d", "-D", "-l", "-L", "-C", "-V", "-z")
    if draft.flags and all(flag.startswith(shows) for flag in draft.flags):
        draft.looks("device")


READERS: dict[str, Special] = {
    "alone": _alone,
    "modem": _modem,
    "setpci": _setpci,
    "v4l2": _v4l2,
}
