"""Cases for a drafted description: a command for each subcommand, with what the draft finds in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError, Source
from interlock.facts.shell import read_shell
from interlock.imports.help.page import HelpArgument
from interlock.policy.load import load_policy
from interlock.policy.positions import LocatedErrors
from interlock.policy.programs.cases import ProgramCase, case_errors, findings
from interlock.policy.programs.entries import Description
from interlock.policy.programs.families import reading

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


def read_draft(text: str) -> list[Description]:
    """The descriptions of a draft. Raises InterlockError with the first thing that is wrong with it."""
    try:
        policy = load_policy(text, "the draft", find_pack)
    except LocatedErrors as errors:
        first = errors.errors[0]
        raise InterlockError(first.message, help=first.help) from errors
    return list(policy.programs.values())


def cases_for(name: str, text: str, samples: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """Commands, and what is found in each; one that does not hold as it is written is left out."""
    use_of = reading(read_draft(text))
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
