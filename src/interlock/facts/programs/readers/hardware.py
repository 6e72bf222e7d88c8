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


def _hwclock(draft: UseDraft) -> None:
    if not {"--hctosys", "--systohc", "--set", "--systz", "--adjust", "--setepoch", "--param-set"} & set(draft.flags):
        draft.looks("system-settings")


def _alone(draft: UseDraft) -> None:
    """One operand is shown; a second one sets it."""
    if len(draft.operands) < 2:
        draft.looks("system-settings")


def _rtcwake(draft: UseDraft) -> None:
    if draft.value("--mode") == "show" or "--list-modes" in draft.flags or "--dry-run" in draft.flags:
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


def _ipmi(draft: UseDraft) -> None:
    words = draft.operands
    shows = {"status", "list", "elist", "print", "info", "get", "getenables", "summary", "help", "dump", "type"}
    verb = words[-1] if words[1:2] == ["power"] else words[1] if len(words) > 1 else ""
    if words[:1] == ["exec"]:
        draft.reads += words[1:2]
    elif words in (["sdr"], ["sensor"], ["fru"], ["sel"]) or (verb in shows and words[0] not in {"raw", "hpm"}):
        draft.looks("device")
    elif words[1:2] == ["power"]:
        draft.add("reboots")


def _v4l2(draft: UseDraft) -> None:
    shows = ("--list", "--get", "--info", "--all", "--device", "-d", "-D", "-l", "-L", "-C", "-V", "-z")
    if draft.flags and all(flag.startswith(shows) for flag in draft.flags):
        draft.looks("device")


def _events(draft: UseDraft) -> None:
    if "--query" in draft.flags:
        draft.looks("captures")


def _framebuffer(draft: UseDraft) -> None:
    if not draft.operands and {"-i", "-s", "-v", "--info", "--show"}.issuperset(draft.flags):
        draft.looks("system-settings")


READERS: dict[str, Special] = {
    "adjtimex": (_only("--print", "system-settings")),
    "alone": _alone,
    "events": _events,
    "framebuffer": _framebuffer,
    "hwclock": _hwclock,
    "ipmi": _ipmi,
    "modem": _modem,
    "raspi_config": (
        lambda draft: (
            draft.looks("system-settings")
            if draft.operands[:1] == ["nonint"] and "".join(draft.operands[1:2]).startswith(("get_", "is_"))
            else None
        )
    ),
    "rpi_eeprom_update": (lambda draft: None if draft.flags else draft.looks("kernel")),
    "rtcwake": _rtcwake,
    "serial": _serial,
    "setpci": _setpci,
    "v4l2": _v4l2,
}
