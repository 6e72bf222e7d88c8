"""Cases for a drafted description: a command for each subcommand, with what the draft finds in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from interlock.errors import Source
from interlock.facts.shell import read_shell
from interlock.imports.help.page import HelpArgument
from interlock.policy.expressions import Language
from interlock.policy.positions import read_yaml
from interlock.policy.programs.cases import ProgramCase, case_errors, findings
from interlock.policy.programs.entries import Description, read_programs
from interlock.policy.programs.families import reading
from interlock.policy.reader import Reader

__all__ = ["cases_for", "read_draft", "sample_of"]

_MOST = 60
# The last word of an argument's name → a word that could stand there.
_SAMPLES = {
    "url": "https://example.com/",
    "uri": "https://example.com/",
    "host": "example.com",
    "hostname": "example.com",
    "server": "example.com",
    "file": "a.txt",
    "files": "a.txt",
    "path": "a.txt",
    "filename": "a.txt",
    "dir": "some",
    "directory": "some",
    "folder": "some",
    "source": "a.txt",
    "src": "a.txt",
    "dest": "b.txt",
    "dst": "b.txt",
    "destination": "b.txt",
    "command": "ls",
    "cmd": "ls",
    "script": "a.sh",
}


def sample_of(argument: HelpArgument) -> list[str]:
    """Words that could stand where an argument is asked for."""
    last = (re.findall(r"[a-z]+", argument.metavar.lower()) or [""])[-1]
    return [*(["--"] if argument.behind_dashes else []), _SAMPLES.get(last, "x")]


def read_draft(text: str) -> tuple[list[Description], Reader]:
    """The descriptions of a draft, and the reader that has what is wrong with them."""
    document = read_yaml(text, "draft")
    reader = Reader(document.lines, Language({}, {}), {})
    return read_programs(document.root.value["programs"], reader), reader


def cases_for(name: str, text: str, samples: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """Commands, and what is found in each; one that does not hold as it is written is left out."""
    descriptions, _ = read_draft(text)
    use_of = reading(descriptions)
    found: dict[str, str] = {}
    for words in samples:
        command = shlex.join((name, *words))
        commands = [one for one in read_shell(command, use_of=use_of).commands if not one.nested]
        if len(commands) != 1 or len(found) == _MOST:
            continue
        said = sorted(findings(commands[0].use)[1], key=lambda one: (" " in one, one.startswith("runs "), one))
        case = ProgramCase(command, tuple(said), Source("draft", 1, 1))
        # In one text, commas part what is found, and what is run stands last.
        is_clear = not any("," in one for one in said) and sum(one.startswith("runs ") for one in said) < 2
        if said and is_clear and not case_errors(case, use_of):
            found[command] = ", ".join(said)
    return found
