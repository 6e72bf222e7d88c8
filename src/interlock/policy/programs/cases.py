"""Cases of a description: commands, and what must be found in them. Everything that acts must be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError, Source, did_you_mean
from interlock.facts.programs import use_of_program
from interlock.facts.programs.traits import HARMLESS, TRAITS
from interlock.facts.programs.use import Use
from interlock.facts.shell import read_shell
from interlock.policy.positions import Node
from interlock.policy.programs.keys import CASE_VERBS, example_of
from interlock.policy.programs.words import texts
from interlock.policy.reader import Reader

__all__ = ["ProgramCase", "UseOf", "case_errors", "findings", "read_cases"]

UseOf: TypeAlias = Callable[[str, tuple[str, ...]], Use]
_ACTING = ("writes", "creates", "deletes", "sends", "runs")  # they must be said


class ProgramCase(Struct, frozen=True):
    """One command, and what is to be found in it: traits, and effects such as `writes x`."""

    command: str
    expected: tuple[str, ...]
    source: Source


def read_cases(reader: Reader, node: Node) -> tuple[ProgramCase, ...]:
    """The cases of an entry."""
    found = []
    for command, node_of in reader.mapping(node, "`cases`", example_of("cases")).items():
        said = []
        for text, place in texts(reader, node_of, "what a case expects"):
            for part in _split(text):
                if part not in TRAITS and part.partition(" ")[0] not in CASE_VERBS:
                    help = did_you_mean(
                        part, [*TRAITS, *CASE_VERBS], "a trait, or what it `writes`, `deletes`, `runs` …"
                    )
                    reader.complain(f"`{part}` is nothing that a case can find", place.source, help)
                else:
                    said.append(part)
        found.append(ProgramCase(command, tuple(said), node.keys.get(command, node_of.source)))
    return tuple(found)


def _split(text: str) -> list[str]:
    """Parts between commas; what is run may have commas of its own, so it stands last."""
    found: list[str] = []
    rest = text
    while rest:
        if rest.startswith("runs "):
            return [*found, rest]
        part, _, rest = rest.partition(",")
        found.append(part.strip())
        rest = rest.strip()
    return [part for part in found if part]


def findings(use: Use) -> tuple[set[str], set[str]]:
    """Everything that a case may say of a command, and what of it must be said."""
    by_verb = {
        "reads": use.reads,
        "writes": use.writes,
        "creates": use.creates,
        "deletes": use.deletes,
        "sends": use.sent,
        "runs": [" ".join(one.words) for one in use.runs if one.words],
        "url": use.urls,
        "host": use.hosts,
    }
    found = {f"{verb} {word}".replace("\0", "…") for verb, words in by_verb.items() for word in words}
    must = {one for one in found if one.partition(" ")[0] in _ACTING}
    if use.sends and not use.sent:
        found.add("sends -")
        must.add("sends -")
    must |= {trait for trait in use.traits if trait not in HARMLESS or trait == "read-only"}
    return found | use.traits, must


def case_errors(case: ProgramCase, use_of: UseOf = use_of_program) -> list[InterlockError]:
    """What a case expects and does not find, or finds and does not expect."""
    shell = read_shell(case.command, use_of=use_of)
    commands = [command for command in shell.commands if not command.nested]
    if len(commands) != 1:
        message = f"the case `{case.command}` has {len(commands)} commands; expected one"
        return [InterlockError(message, case.source, "quote what the shell would read otherwise")]
    use = commands[0].use
    if not use.known or use.unknown:
        what = f"`{use.unknown[0]}` is not described" if use.unknown else f"nothing is known of `{commands[0].name}`"
        return [InterlockError(f"the case `{case.command}` fails: {what}", case.source, _cure(use))]
    found, must = findings(use)
    said = set(case.expected)
    missing, more = sorted(said - found), sorted(must - said)
    if not missing and not more:
        return []
    problems = [f"there is no {one}" if " " not in one else f"it is not so that it {one}" for one in missing]
    problems += [f"it is also {one}" if " " not in one else f"it also {one}" for one in more]
    whole = ", ".join(sorted(must))
    return [
        InterlockError(
            f"the case `{case.command}` fails: {'; '.join(problems)}",
            case.source,
            f"Interlock finds: {whole or 'nothing'}",
        )
    ]


def _cure(use: Use) -> str:
    """What to do about a word that is not described."""
    word = use.unknown[0] if use.unknown else ""
    if word.startswith("-") or word not in use.operands:
        return "describe it, or leave it out"
    before = " ".join(use.operands[: use.operands.index(word)])
    if not before:
        return 'list it under `does`; `"*"` covers every word there'
    return f'list it under `does`; `"{before} *"` covers every word behind `{before}`'
