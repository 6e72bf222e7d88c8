"""Services, timers, logs and jobs."""

from __future__ import annotations

import posixpath

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _service_log_level(draft: UseDraft) -> None:
    """One word names the service whose level is shown; a second word sets it."""
    if len(draft.operands) < 2:
        draft.looks("service")


def _journal(draft: UseDraft) -> None:
    if {"--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate"} & set(draft.flags):
        draft.add("log-wiped")
    elif {"--flush", "--sync", "--relinquish-var", "--setup-keys", "--update-catalog"} & set(draft.flags):
        draft.add("changes")


def _run(draft: UseDraft) -> None:
    """With `--shell` and no command, a shell runs what it is given."""
    if "--shell" in draft.flags and not draft.operands:
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


def _at(draft: UseDraft) -> None:
    """What runs later is a file, or standard input."""
    flags = set(draft.flags)
    if {"-l", "-c"} & flags:
        draft.looks("schedules")
    elif {"-d", "-r"} & flags:
        draft.add("changes")
    elif (file := draft.value("-f")) is not None:
        draft.reads.append(file)
        draft.run("file", file, by="at")
    else:
        draft.stdin = "shell"


def _crontab(draft: UseDraft) -> None:
    """The new table is a file, or standard input."""
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


READERS: dict[str, Special] = {
    "at": _at,
    "crontab": _crontab,
    "journal": _journal,
    "run": _run,
    "service": _service,
    "service_log_level": _service_log_level,
    "sets_one": _sets_one,
}
