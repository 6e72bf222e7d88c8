"""Whether every program that bash started was known: it is in the facts, or the line is said not to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from interlock.event import event_from
from interlock.facts.gather import Facts
from interlock.facts.paths import NoFiles, Places
from interlock.facts.shell import UNKNOWN, Command
from tools.fuzz.box import HOME, Ran, Started

__all__ = ["Reading", "Verdict", "judge", "read"]

_PLACES = Places(HOME, HOME, HOME)
_FOR_FILES = re.compile(r"[*?]|\[.+\]")
_TEMPORARY = re.compile("X{3,}")  # stands in the name of a new file that `mktemp` makes


class Reading(NamedTuple):
    """What the facts say of a line."""

    commands: tuple[Command, ...]
    why: tuple[str, ...]  # why there may be more
    files: tuple[str, ...]  # that are run and could not be read

    @property
    def opaque(self) -> bool:
        return bool(self.why or self.files)


class Verdict(NamedTuple):
    """What bash started and the facts do not have."""

    missed: tuple[Started, ...]  # programs
    changed: tuple[Started, ...]  # words of programs


def read(line: str) -> Reading:
    """Read a line as a call of the shell is read, with the files that it writes and runs."""
    given = {"command": line}
    event = event_from({
        "session_id": "s", "transcript_path": "/t", "cwd": HOME, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": given, "tool_use_id": "t",
    })  # fmt: skip
    facts = Facts(event, given, _PLACES, NoFiles())
    return Reading(
        facts.all_commands,
        tuple(dict.fromkeys(_unknown(facts))),
        tuple(filter(_is_file, (one.file for one in facts.unread))),
    )


def _is_file(path: str) -> bool:
    """Whether a path that is run may be a file: no part of the line itself, and no option taken for a file."""
    return not path.startswith(("/dev/", "/proc/")) and path.rsplit("/", 1)[-1][:1] not in ("-", "+")


def _unknown(facts: Facts) -> Iterator[str]:
    """Why a program may run that is not among the commands. A path that is not known is no reason."""
    for part in (*facts.parts, *facts.followed.parts):
        yield from part.shell.reasons
        for _, _, effects in part.code:
            if effects.opaque:
                yield effects.opaque
    yield from facts.incomplete
    if facts.followed.rewritten or facts.followed.cut:
        yield "files that run others"


def judge(reading: Reading, ran: Ran) -> Verdict:
    """Hold what bash started against the facts."""
    missed: list[Started] = []
    changed: list[Started] = []
    if not reading.opaque:
        for started in dict.fromkeys(ran.started):
            same = [one for one in reading.commands if one.name == started.name]
            if not any(_agrees(started.words[1:], one) for one in same) and not _is_script(started, reading):
                (changed if same else missed).append(started)
    return Verdict(tuple(missed), tuple(changed))


def _is_script(started: Started, reading: Reading) -> bool:
    """Whether it is a file of the line that names its interpreter, or one that the kernel leaves to the shell."""
    return any(one.program in started.words[:2] for one in reading.commands if "/" in one.program)


def _agrees(words: tuple[str, ...], command: Command) -> bool:
    """Whether the words are those; an unknown part may be anything, an unknown word any number of words."""
    pattern = "".join(map(_form, command.args))
    return re.fullmatch(pattern, "".join(word + "\1" for word in words), re.DOTALL) is not None


def _form(word: str) -> str:
    """A pattern for what may stand where a word was read; names of files may be any number."""
    if word == UNKNOWN or _FOR_FILES.search(word):
        return "(?:.*\1)?"
    if word == "~" or word.startswith("~/"):
        word = HOME + word[1:]
    if word.endswith(f"/{UNKNOWN}"):
        return f"(?:{_unknown_as('.*', word[:-2])}(?:/[^\1]*)?\1)*"
    form = _unknown_as(".*", _TEMPORARY.sub(UNKNOWN, word))
    return f"(?:{form}\1)"


def _unknown_as(pattern: str, word: str) -> str:
    return pattern.join(map(re.escape, word.split(UNKNOWN)))
