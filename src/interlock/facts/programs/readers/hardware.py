"""A machine's clock, boot, firmware, processors, and what is plugged into it."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _only(shows: str, *instead_of: str, bare: bool = False) -> Special:
    """Looks if every option is one of these; without any option only if `bare`."""
    allowed = frozenset(shows.split())

    def judge(draft: UseDraft) -> None:
        if (draft.flags or bare) and allowed.issuperset(draft.flags) and not draft.unknown:
            draft.looks(*instead_of)

    return judge


def _alone(draft: UseDraft) -> None:
    """One operand is shown; a second one sets it."""
    if len(draft.operands) < 2:
        draft.looks("system-settings")


def _rtcwake(draft: UseDraft) -> None:
    """`-m show` only says when the machine would wake."""
    if draft.value("--mode") == "show":
        draft.looks("reboots")


def _setpci(draft: UseDraft) -> None:
    if not any("=" in word for word in draft.operands):
        draft.looks("kernel")


def _serial(draft: UseDraft) -> None:
    """`setserial -g /dev/tty…` shows; words after the device set it."""
    if "-g" in draft.flags or "-a" in draft.flags or len(draft.operands) == 1:
        draft.looks("device", "system-settings")


def _modem(draft: UseDraft) -> None:
    """`mmcli -m 0`, and options that list or get; the others act on the modem."""
    names = {"--modem", "--bearer", "--sim", "--sms", "--list-modems", "--output-json", "--output-keyvalue"}
    if all(flag in names or "-list" in flag or flag.endswith(("-status", "-get")) for flag in draft.flags):
        draft.looks("device")


def _v4l2(draft: UseDraft) -> None:
    shows = ("--list", "--get", "--info", "--all", "--device", "-d", "-D", "-l", "-L", "-C", "-V", "-z")
    if draft.flags and all(flag.startswith(shows) for flag in draft.flags):
        draft.looks("device")


READERS: dict[str, Special] = {
    "alone": _alone,
    "modem": _modem,
    "rtcwake": _rtcwake,
    "serial": _serial,
    "setpci": _setpci,
    "v4l2": _v4l2,
}
