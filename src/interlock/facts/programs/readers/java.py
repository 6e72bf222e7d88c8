"""Java's own tools, whose words have a grammar of their own."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special, words


def _jar(draft: UseDraft) -> None:
    """`jar tf a.jar`, `jar -tf a.jar`, `jar --list --file a.jar`: the first word says what is done."""
    first = draft.args[0] if draft.args else ""
    letters = first.lstrip("-") if first[:2] != "--" else ""
    files = [word for word in draft.args[1:] if word[:1] != "-"]
    if first in {"--list", "--describe-module", "--validate"} or letters[:1] in {"t", "d"}:
        draft.unknown.clear()
        draft.reads += files
        draft.looks("changes")
    elif first == "--extract" or letters[:1] == "x":
        draft.reads += files
        draft.writes.append("./\0")
    else:
        draft.writes += files[:1] or ["\0"]
        draft.reads += files[1:]


_JCMD_SHOWS = words(
    "help VM.version VM.flags VM.uptime VM.command_line VM.native_memory Thread.print GC.class_histogram GC.heap_info "
    "PerfCounter.print JFR.check"
)


def _jcmd(draft: UseDraft) -> None:
    """`jcmd PROCESS COMMAND`: the process is often known only when it runs, so the command cannot be a form."""
    asked = draft.operands[1] if len(draft.operands) > 1 else ""
    if not draft.operands or asked in _JCMD_SHOWS:
        draft.looks("debugger")
    elif asked in {"GC.heap_dump", "JFR.start", "JFR.dump"}:
        draft.add("captures")
        draft.writes += [word.removeprefix("filename=") for word in draft.operands[2:] if _names_a_file(asked, word)]


def _names_a_file(command: str, word: str) -> bool:
    return word.startswith("filename=") or (command == "GC.heap_dump" and word[:1] != "-" and "=" not in word)


READERS: dict[str, Special] = {
    "jar": _jar,
    "jcmd": _jcmd,
}
