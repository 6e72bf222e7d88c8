"""Services, timers, logs and jobs."""

from __future__ import annotations

import posixpath

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _named(shown: int) -> Special:
    """So many words name what is shown; one more sets it."""

    def judge(draft: UseDraft) -> None:
        if len(draft.operands) <= shown:
            draft.looks("service", "system-settings", "network")

    return judge


def _edits(draft: UseDraft) -> None:
    draft.add("interactive", "autostart")


def _called_off(draft: UseDraft) -> None:
    """`--when=cancel`: the machine stays on."""
    if draft.value("--when") == "cancel":
        draft.drop("reboots")
        draft.add("service")


def _journal(draft: UseDraft) -> None:
    if {"--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate"} & set(draft.flags):
        draft.add("log-wiped")
    elif {"--flush", "--sync", "--relinquish-var", "--setup-keys", "--update-catalog"} & set(draft.flags):
        draft.add("changes")


def _run(draft: UseDraft) -> None:
    if {"--on-calendar", "--on-active", "--on-boot", "--on-startup", "--timer-property"} & set(draft.flags):
        draft.add("schedules")
    if draft.operands:
        draft.run("argv", *draft.operands)
    elif "--shell" in draft.flags:
        draft.stdin = "shell"


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


def _runit(draft: UseDraft) -> None:
    """`sv status NAME`: the verb comes first."""
    if draft.operands[:1] in (["status"], ["s"], ["list"], ["ls"], ["get"], ["check"], ["version"], ["show-config"]):
        draft.looks("service")


def _rc_update(draft: UseDraft) -> None:
    if draft.operands[:1] in ([], ["show"]) and {"-v", "--verbose"}.issuperset(draft.flags):
        draft.looks("service", "autostart")


def _at(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"-l", "-c"} & flags or draft.name == "atq":
        draft.looks("schedules")
    elif {"-d", "-r"} & flags or draft.name == "atrm":
        draft.add("changes")
    elif (file := draft.value("-f")) is not None:
        draft.reads.append(file)
        draft.run("file", file, by="at")
    else:
        draft.stdin = "shell"


def _crontab(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if "-l" in flags:
        draft.looks("schedules")
    elif "-r" in flags:
        draft.add("changes")
    elif "-e" in flags:
        draft.add("interactive")
    elif draft.operands and draft.operands[0] != "-":
        draft.reads.append(draft.operands[0])
        draft.run("file", draft.operands[0], by="crontab")
    else:
        draft.stdin = "shell"


def _sets_one(draft: UseDraft) -> None:
    """`resolvectl dns eth0 ADDRESS` sets it."""
    if len(draft.operands) > 1:
        draft.add("system-settings")


def _sets(draft: UseDraft) -> None:
    if (
        draft.operands
        and draft.operands[0].startswith(("set-", "hostname", "chassis", "deployment", "location", "icon-name"))
        and (draft.operands[0].startswith("set-") or len(draft.operands) > 1)
    ):
        draft.add("system-settings")
        draft.acts()


READERS: dict[str, Special] = {
    "at": _at,
    "called_off": _called_off,
    "crontab": _crontab,
    "edits": _edits,
    "journal": _journal,
    "rc_update": _rc_update,
    "run": _run,
    "runit": _runit,
    "service": _service,
    "sets": _sets,
    "sets_one": _sets_one,
    "systemctl_log_level": (_named(0)),
    "systemctl_service_log_level": (_named(1)),
}
