"""Programs whose words or files hold commands of their own, which a shell, the program or a daemon then runs."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, inside
from interlock.facts.programs.table import Special, words

_MACRO = re.compile(r"%\((.*)\)", re.DOTALL)
_EXECUTED = re.compile(r"(?:^|,)path=([^,;]*)((?:,argv\d+=[^,;]*)*)")
_FAIL2BAN_ACTIONS = words("actionstart actionstop actionban actionunban actioncheck actionflush")
_BUS_LOOKS = words("list status monitor tree introspect get-property capture")


def _fail2ban(draft: UseDraft) -> None:
    """fail2ban: what an action does is a command."""
    said = draft.operands
    for at, word in enumerate(said[:-1]):
        if word in _FAIL2BAN_ACTIONS:
            draft.aside(" ".join(said[at + 1 :]))


def _rpm_macros(draft: UseDraft) -> None:
    """rpm: `%(…)` in what is evaluated or defined is a command."""
    for name, value in draft.values:
        found = _MACRO.search(value) if name in {"--eval", "--define"} else None
        if found is not None:
            draft.aside(found[1])


def _busctl(draft: UseDraft) -> None:
    """An address `unixexec:path=…` is a program that is started."""
    for word in (*(value for _, value in draft.values), *draft.operands):
        if "unixexec:" in word:
            found = _EXECUTED.search(word.partition("unixexec:")[2])
            said = [found[1], *(part.partition("=")[2] for part in found[2].split(",")[1:])] if found else ["\0"]
            draft.run("argv", *said, aside=True)
    if draft.operands[:1] and draft.operands[0] in _BUS_LOOKS and not draft.runs:
        draft.looks("changes")


def _dosbox(draft: UseDraft) -> None:
    """dosbox: a folder that is mounted can be read and written from inside."""
    for name, value in draft.values:
        said = value.split()
        if name == "-c" and len(said) > 2 and said[0].lower() in {"mount", "imgmount"}:
            folder = said[2].strip("\"'")
            draft.reads.append(inside(folder))
            draft.writes.append(inside(folder))


def _message_filter(draft: UseDraft) -> None:
    """msgfilter, msgexec: made for sed and its like, so any other command is worth a second look."""
    if draft.operands:
        draft.run("argv", *draft.operands, aside=True)


def _wg_quick(draft: UseDraft) -> None:
    """wg-quick: a file of settings has commands in it; a bare name is one of the machine's own."""
    if len(draft.operands) > 1 and draft.operands[0] in {"up", "down"} and "/" in draft.operands[1]:
        draft.run("file", draft.operands[1], by=draft.name)


def _user_dir(draft: UseDraft) -> None:
    """xdg-user-dir hands its word to a shell as it is."""
    for word in draft.operands:
        if not word.replace("_", "").replace("-", "").isalnum():
            draft.aside(word.lstrip("};"))


def _ntpq(draft: UseDraft) -> None:
    """Any of its commands may change the server, not only the last."""
    if any(value.lstrip().startswith((":", "config", "save")) for name, value in draft.values if name == "--command"):
        draft.add("system-settings")


READERS: dict[str, Special] = {
    "busctl": _busctl,
    "dosbox": _dosbox,
    "fail2ban": _fail2ban,
    "message_filter": _message_filter,
    "ntpq": _ntpq,
    "rpm_macros": _rpm_macros,
    "user_dir": _user_dir,
    "wg_quick": _wg_quick,
}
