"""`interlock programs`: what Interlock knows of programs, and a first description of one that it does not know."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from msgspec import Struct, to_builtins

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.cli.layout import cut, paint, terminal_width, text_width, wrap_lines
from interlock.cli.program_account import ProgramAccount, account_of, find_form, form_names
from interlock.cli.program_files import Family, families, place_and_cases
from interlock.cli.program_text import account_lines, listing
from interlock.errors import InterlockError, Source, did_you_mean, suggest
from interlock.facts.programs import TRAITS, known_programs, usual_name
from interlock.facts.programs.lexicon import ProgramEntry, entry_of
from interlock.facts.programs.table import Program
from interlock.imports.help.draft import bare_name, draft_program
from interlock.policy.programs.cases import ProgramCase

__all__ = ["programs"]

_MOST = 4 * 1024 * 1024  # bytes of a help text
_MOST_NAMES = 8  # of one program
_WIDEST_NAMES = 34


def complete_program(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of programs, and subcommands of one whose name is followed by a space."""
    name, space, rest = incomplete.partition(" ")
    if not space:
        return [CompletionItem(one) for one in sorted(known_programs()) if one.startswith(incomplete)]
    entry = entry_of(name)
    names = form_names(entry.program) if entry is not None else []
    return [CompletionItem(f"{name} {one}") for one in names if one.startswith(rest)]


def complete_family(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of families."""
    return [CompletionItem(one.name, help=one.about) for one in families() if one.name.startswith(incomplete)]


@click.group(name="programs")
def programs() -> None:
    """Show what Interlock knows of programs, or draft a description of your own.

    \b
    Examples:
      interlock programs list
      interlock programs list kubernetes
      interlock programs show kubectl
      interlock programs show "git push"
      interlock programs draft ourctl < help.txt
    """


# --- show ----------------------------------------------------------------------------------------------------------


@programs.command()
@click.argument("name", shell_complete=complete_program)
@json_option
def show(name: str, as_json: bool) -> None:
    """Show what Interlock knows of the program NAME, or of one of its subcommands.

    \b
    Examples:
      interlock programs show kubectl
      interlock programs show "kubectl rollout"
      interlock programs show git --json

    Traits such as `cluster/deletes` can be used in rules: `does: cluster/deletes`.
    """
    with reporting():
        asked = _find(name)
        account = account_of(asked.program)
        place, cases = place_and_cases(asked.entry)
        if asked.path:
            start = [asked.name, *asked.path]
            cases = tuple(case for case in cases if _is_about(case.command, start))
        if as_json:
            say(to_json(_as_data(asked, account, place, cases)))
            return
        say(paint(" ".join([asked.name, *asked.path]), "cyan", bold=True) + _aliases(asked))
        say()
        for line in account_lines(account, asked.about, asked.entry.family, cases, _footer(asked, place)):
            say(line)


class _Asked(Struct, frozen=True):
    """A program or a subcommand that a person asked about."""

    name: str
    path: tuple[str, ...]
    entry: ProgramEntry
    program: Program

    @property
    def about(self) -> str:
        return "" if self.path else self.entry.about


def _find(text: str) -> _Asked:
    name, *path = text.split() or [""]
    usual = usual_name(name)
    entry = entry_of(usual)
    if entry is None:
        guess = suggest(name, known_programs())
        draft = f"describe it yourself: {name} --help 2>&1 | interlock programs draft {name}"
        help = f"did you mean `{guess}`? If not, {draft}" if guess else draft
        raise InterlockError(f"Interlock knows nothing of `{name}`", help=help)
    for count in range(1, len(path) + 1):
        if find_form(entry.program, path[:count]) is None:
            before = find_form(entry.program, path[: count - 1])
            known = form_names(before) if before is not None else []
            start = " ".join([usual, *path[: count - 1]])
            raise InterlockError(
                f"`{start}` has no subcommand `{path[count - 1]}` that Interlock knows",
                help=did_you_mean(path[count - 1], known, f'`interlock programs show "{start}"` lists those it knows'),
            )
    program = find_form(entry.program, path)
    assert program is not None  # noqa: S101 - each part of the path was found
    return _Asked(usual, tuple(path), entry, program)


def _aliases(asked: _Asked) -> str:
    others = [name for name in asked.entry.names.split() if name != asked.name]
    return f"  also {listing(others, _MOST_NAMES)}" if others and not asked.path else ""


def _is_about(command: str, start: list[str]) -> bool:
    """Whether a case calls a subcommand; options may stand between its words."""
    return [word for word in command.split() if not word.startswith("-")][: len(start)] == start


def _footer(asked: _Asked, place: Source) -> list[str]:
    count = asked.entry.cases
    cases = f"with {count} case{'s' * (count != 1)}" if count else "without cases"
    found = [f"Described in programs/{Path(place.file).name}, line {place.line}, {cases}."]
    names = form_names(asked.program)
    if names:
        one = " ".join([asked.name, *asked.path, names[0]])
        found.append(f'One subcommand alone: interlock programs show "{one}"')
    return found


def _as_data(asked: _Asked, account: ProgramAccount, place: Source, cases: tuple[ProgramCase, ...]) -> dict[str, Any]:
    return {
        "name": " ".join([asked.name, *asked.path]),
        "names": asked.entry.names.split(),
        "about": asked.about,
        "family": asked.entry.family,
        "file": place.file,
        "line": place.line,
        **to_builtins(account),
        "cases": [{"command": case.command, "expected": case.expected} for case in cases],
    }


# --- list ----------------------------------------------------------------------------------------------------------


@programs.command(name="list")
@click.argument("family", required=False, shell_complete=complete_family)
@json_option
def list_programs(family: str | None, as_json: bool) -> None:
    """List the families of programs that Interlock knows, or the programs of one FAMILY.

    \b
    Examples:
      interlock programs list
      interlock programs list archives
      interlock programs list --json
    """
    with reporting():
        known = families()
        if family is None:
            say(to_json([_family_data(one) for one in known]) if as_json else "\n".join(_family_lines(known)))
            return
        found = next((one for one in known if one.name == family), None)
        if found is None:
            help = did_you_mean(family, [one.name for one in known], "`interlock programs list` shows all of them")
            entry = entry_of(family)
            if entry is not None:
                help = f"`{family}` is a program: interlock programs show {family}"
            raise InterlockError(f"there is no family `{family}`", help=help)
        say(to_json([_entry_data(one) for one in found.entries]) if as_json else "\n".join(_entry_lines(found)))


def _family_data(family: Family) -> dict[str, Any]:
    return {
        "family": family.name,
        "about": family.about,
        "descriptions": len(family.entries),
        "names": family.names,
        "with_cases": family.with_cases,
    }


def _family_lines(known: list[Family]) -> Iterator[str]:
    width = max(len(one.name) for one in known)
    room = terminal_width()
    for one in known:
        line = f"{one.name:{width}}  {one.names:>5}  {one.about}"
        yield cut(line, room)
    entries = sum(len(one.entries) for one in known)
    with_cases = sum(one.with_cases for one in known)
    yield ""
    yield from wrap_lines(
        f"{len(known)} families with {sum(one.names for one in known):,} names of programs, in {entries:,} "
        f"descriptions; {with_cases:,} of these have cases, which are tried on every change. "
        "See a family with `interlock programs list NAME`, a program with `interlock programs show NAME`.",
        text_width(),
    )


def _entry_data(entry: ProgramEntry) -> dict[str, Any]:
    return {"names": entry.names.split(), "about": entry.about, "cases": entry.cases, "does": _traits_in(entry.program)}


def _traits_in(program: Program) -> list[str]:
    """Everything that some form of a program does."""
    found = {group.trait for group in account_of(program).does}
    return [trait for trait in TRAITS if trait in found]


def _entry_lines(family: Family) -> Iterator[str]:
    yield from wrap_lines(family.about, text_width())
    yield ""
    shown = [(_names_in_short(one.names.split()), _summary(one)) for one in family.entries]
    width = max(len(names) for names, _ in shown)
    room = terminal_width()
    for names, summary in shown:
        yield cut(f"{names:{width}}  {summary}".rstrip(), room)
    yield ""
    yield "* its options and words are looked at closely, and may make it do more or less"
    yield f"{len(family.entries)} descriptions, {family.with_cases} of them with cases"


def _names_in_short(names: list[str]) -> str:
    """As many names as fit into the column, the first one always."""
    text = names[0]
    for number, name in enumerate(names[1:], 1):
        if len(f"{text}, {name}") > _WIDEST_NAMES:
            return f"{text} +{len(names) - number}"
        text = f"{text}, {name}"
    return text


def _summary(entry: ProgramEntry) -> str:
    """What a program is, or what it does."""
    program = entry.program
    traits = ", ".join(_traits_in(program))
    if program.service is not None:
        traits = f"its verbs decide ({program.service.kind}){'; ' * bool(traits)}{traits}"
    mark = " *" if program.reader or program.parser else ""
    return entry.about or (traits or "its words decide") + mark


# --- draft ---------------------------------------------------------------------------------------------------------


@programs.command()
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--help-text",
    "named",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file with the help text instead of stdin. More FILES may follow: the pages of subcommands.",
)
def draft(name: str, files: tuple[Path, ...], named: tuple[Path, ...]) -> None:
    """Draft a description of the program NAME from the text that its --help prints.

    \b
    Examples:
      ourctl --help 2>&1 | interlock programs draft ourctl
      interlock programs draft ourctl --help-text ourctl.txt ourctl-env.txt ourctl-env-rm.txt
      interlock programs draft ourctl < help.txt > ourctl.yaml

    The program is never run. The draft goes to stdout as a policy that loads: correct it, above all the lines with
    `# ?`, and copy it into the `programs` of your policy. Subcommands that it is not sure of count as changes.
    """
    with reporting():
        say(draft_program(bare_name(name), _texts(name, [*named, *files])).rstrip("\n"))


def _texts(name: str, files: list[Path]) -> list[str]:
    if files:
        return [_read(file) for file in files]
    example = f"{name} --help 2>&1 | interlock programs draft {name}"
    if sys.stdin.isatty():
        raise InterlockError("there is no help text to read", help=f"pass it on: {example}")
    text = sys.stdin.buffer.read(_MOST).decode("utf-8", errors="replace")
    if not text.strip():
        raise InterlockError("the help text on stdin is empty", help=f"some programs print it on stderr: {example}")
    return [text]


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST).decode("utf-8", errors="replace")
    except OSError as error:
        raise InterlockError(f"cannot read `{file}`: {(error.strerror or str(error)).lower()}") from error
