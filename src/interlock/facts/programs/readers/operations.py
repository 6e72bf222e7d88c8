"""Programs that are for something else, and can be made to run another one: consoles, daemons, plugins."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, inside
from interlock.facts.programs.table import Special

_MACRO = re.compile(r"%\((.*)\)", re.DOTALL)
_EXECUTED = re.compile(r"(?:^|,)path=([^,;]*)((?:,argv\d+=[^,;]*)*)")


def _terminal(draft: UseDraft) -> None:
    """A window with a shell in it, or with the command that follows `-e`, `-x` or `--`."""
    args = draft.args
    draft.operands += args
    for at, word in enumerate(args):
        if word in {"-e", "-x", "--", "--execute", "-c", "--command"}:
            rest = args[at + 1 :]
            if len(rest) == 1:
                draft.run("shell", rest[0])
            elif rest:
                draft.run("argv", *rest)
            return
        if word.startswith("--command="):
            draft.run("shell", word.partition("=")[2])
            return
    draft.add("interactive")


def _banned(draft: UseDraft) -> None:
    """fail2ban: what an action does is a command."""
    words = draft.operands
    for at, word in enumerate(words[:-1]):
        if word in {"actionstart", "actionstop", "actionban", "actionunban", "actioncheck", "actionflush"}:
            draft.aside(" ".join(words[at + 1 :]))


def _macros(draft: UseDraft) -> None:
    """rpm: `%(…)` in what is evaluated or defined is a command."""
    for name, value in draft.values:
        found = _MACRO.search(value) if name in {"--eval", "--define"} else None
        if found is not None:
            draft.aside(found[1])


def _bus(draft: UseDraft) -> None:
    """An address `unixexec:path=…` is a program that is started."""
    for word in (*(value for _, value in draft.values), *draft.operands):
        if "unixexec:" in word:
            found = _EXECUTED.search(word.partition("unixexec:")[2])
            words = [found[1], *(part.partition("=")[2] for part in found[2].split(",")[1:])] if found else ["\0"]
            draft.run("argv", *words, aside=True)
    looks = {"list", "status", "monitor", "tree", "introspect", "get-property", "capture"}
    if draft.operands[:1] and draft.operands[0] in looks and not draft.runs:
        draft.looks("changes")


def _dos(draft: UseDraft) -> None:
    """dosbox: a folder that is mounted can be read and written from inside."""
    for name, value in draft.values:
        words = value.split()
        if name == "-c" and len(words) > 2 and words[0].lower() in {"mount", "imgmount"}:
            folder = words[2].strip("\"'")
            draft.reads.append(inside(folder))
            draft.writes.append(inside(folder))


def _filter(draft: UseDraft) -> None:
    """msgfilter, msgexec: the operands are a command that gets each message."""
    if draft.operands:
        draft.run("argv", *draft.operands, aside=True)


def _socket(draft: UseDraft) -> None:
    """socket: as nc, with a program on the other end of the wire."""
    program = draft.value("-p")
    if program is not None:
        draft.run("shell", program)
        draft.add("network/shell")
    if "-s" in draft.flags:
        draft.add("network/listens")
    elif draft.operands:
        draft.reach(draft.operands[0])


def _served(draft: UseDraft) -> None:
    """tcpserver and its like: each connection gets the command."""
    words = draft.operands
    if len(words) > 2:
        draft.run("argv", *words[2:])
        draft.add("network/shell")


def _by_ssh(draft: UseDraft) -> None:
    for name, value in draft.values:
        key, _, text = value.replace("=", " ", 1).partition(" ")
        if name == "-o" and key.lower() in {"proxycommand", "localcommand", "knownhostscommand"}:
            draft.aside(text)
        elif name == "-C":
            draft.run("shell", value, where="host")


def _folder_of_code(option: str) -> Special:
    def of(draft: UseDraft) -> None:
        for name, value in draft.values:
            if name == option:
                draft.run("file", inside(value), by=draft.name)

    return of


def _tunnel(draft: UseDraft) -> None:
    """wg-quick: a file of settings has commands in it; a bare name is one of the machine's own."""
    if len(draft.operands) > 1 and draft.operands[0] in {"up", "down"} and "/" in draft.operands[1]:
        draft.run("file", draft.operands[1], by=draft.name)


def _mapped(draft: UseDraft) -> None:
    """xdg-user-dir hands its word to a shell as it is."""
    for word in draft.operands:
        if not word.replace("_", "").replace("-", "").isalnum():
            draft.aside(word.lstrip("};"))


READERS: dict[str, Special] = {
    "banned": _banned,
    "bus": _bus,
    "by_ssh": _by_ssh,
    "certbot": (
        lambda draft: (
            draft.drop("writes-secret")
            if "--dry-run" in draft.flags or draft.operands[:1] in (["certificates"], ["plugins"], ["show_account"])
            else None
        )
    ),
    "dos": _dos,
    "facter": (_folder_of_code("--custom-dir")),
    "filter": _filter,
    "macros": _macros,
    "mapped": _mapped,
    "served": _served,
    "socket": _socket,
    "terminal": _terminal,
    "tunnel": _tunnel,
}
