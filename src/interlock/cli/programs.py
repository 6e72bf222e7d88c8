"""`interlock programs`: what Interlock knows of programs, and a first description of one that it does not know."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from msgspec import Struct, structs, to_builtins

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, reporting, say
from interlock.cli.layout import cut, paint, place_of, short_path, terminal_width, text_width, wrap_lines
from interlock.cli.program_account import account_of, find_form, form_names
from interlock.cli.program_files import Family, PolicyProgram, families, place_and_cases, policy_programs
from interlock.cli.program_text import account_lines, listing
from interlock.errors import InterlockError, Source, did_you_mean, suggest
from interlock.facts.programs import known_programs, usual_name
from interlock.facts.programs.lexicon import ProgramEntry, entry_of
from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS
from interlock.imports.help.draft import bare_name, draft_program
from interlock.policy.programs.cases import ProgramCase

__all__ = ["programs"]

_MOST = 4 * 1024 * 1024  # bytes of a help text
_MOST_NAMES = 8  # of one program
_WIDEST_NAMES = 34
_COUNT = 9  # the column of counts, and the space around it
_LAYERS = {
    "core": "built in",
    "managed": "managed policy",
    "user": "your policy",
    "project": "the project's policy",
    "local": "your policy for this project",
    "given": "the policy that was named",
}


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


@programs.command(short_help="Show what is known of a program, in words.")
@click.argument("name", shell_complete=complete_program)
@policy_option
@json_option
def show(name: str, policy_file: Path | None, as_json: bool) -> None:
    """Show what Interlock knows of the program NAME, or of one of its subcommands.

    \b
    Examples:
      interlock programs show kubectl
      interlock programs show "kubectl rollout"
      interlock programs show git --json

    Traits such as `cluster/deletes` can be used in rules: `does: cluster/deletes`.
    """
    with reporting():
        words = name.split() or [""]
        found = _find(words, _own_programs(policy_file))
        if as_json:
            say(to_json({"name": " ".join(words), "descriptions": [_as_data(one) for one in found]}))
            return
        for number, one in enumerate(found):
            if number:
                say()
                say("It is described in a policy too, and everything that either description finds counts:")
                say()
            for line in _lines(one, is_first=number == 0):
                say(line)


class _Finding(Struct, frozen=True):
    """A program or a subcommand, as one description has it."""

    words: tuple[str, ...]  # its name and its subcommand
    names: tuple[str, ...]
    program: Program
    about: str
    family: str
    source: Source
    cases: tuple[ProgramCase, ...]
    own: PolicyProgram | None = None


def _own_programs(policy_file: Path | None) -> list[PolicyProgram]:
    """What policies describe. One that cannot be read is another command's business, unless it was named."""
    try:
        return policy_programs(policy_file)
    except InterlockError as error:
        if policy_file is not None:
            raise
        where = f"{short_path(error.source.file)} has errors" if error.source else "a policy here has errors"
        click.echo(f"warning: {where}, so what policies describe is not shown; run `interlock check`", err=True)
        return []


def _find(words: list[str], own: list[PolicyProgram]) -> list[_Finding]:
    """Every description of a program, or of one of its subcommands. Raises InterlockError if there is none."""
    name, *path = words
    usual = usual_name(name)
    whole: list[_Finding] = []
    entry = entry_of(usual)
    if entry is not None:
        place, cases = place_and_cases(entry)
        names = tuple(entry.names.split())
        whole.append(_Finding((usual,), names, entry.program, entry.about, entry.family, place, cases))
    for one in own:
        described = one.description
        if name in described.names:
            whole.append(
                _Finding((name,), described.names, described.program, described.about, "", described.source,
                         described.cases, one)
            )  # fmt: skip
    if not whole:
        known = [*known_programs(), *(other for one in own for other in one.description.names)]
        guess = suggest(name, known)
        draft = f"describe it yourself: {name} --help 2>&1 | interlock programs draft {name}"
        help = f"did you mean `{guess}`? If not, {draft}" if guess else draft
        raise InterlockError(f"Interlock knows nothing of `{name}`", help=help)
    found = [narrow for one in whole if (narrow := _narrow(one, path)) is not None]
    if not found:
        raise _unknown_form(whole[0], path)
    return found


def _narrow(whole: _Finding, path: list[str]) -> _Finding | None:
    """The account of a subcommand, with the cases that call it."""
    program = find_form(whole.program, path)
    if program is None or not path:
        return whole if program is not None else None
    words = (*whole.words, *path)
    starts = [(name, *path) for name in whole.names]
    cases = tuple(case for case in whole.cases if _calls(case.command, len(words)) in starts)
    return structs.replace(whole, words=words, program=program, about="", cases=cases)


def _calls(command: str, size: int) -> tuple[str, ...]:
    """The first words of a command; options may stand between them."""
    return tuple([word for word in command.split() if not word.startswith("-")][:size])


def _unknown_form(whole: _Finding, path: list[str]) -> InterlockError:
    """What to say of the first subcommand that is not known."""
    program = whole.program
    for count, word in enumerate(path):
        inner = find_form(program, [word])
        if inner is None:
            start = " ".join([*whole.words, *path[:count]])
            help = f'`interlock programs show "{start}"` lists those that it knows'
            return InterlockError(
                f"`{start}` has no subcommand `{word}` that Interlock knows",
                help=did_you_mean(word, form_names(program), help),
            )
        program = inner
    return InterlockError(f"Interlock knows nothing of `{' '.join([*whole.words, *path])}`")


def _lines(one: _Finding, *, is_first: bool) -> Iterator[str]:
    if is_first:
        others = [name for name in one.names if name != one.words[0]] if len(one.words) == 1 else []
        also = f"  also {listing(others, _MOST_NAMES)}" if others else ""
        yield paint(" ".join(one.words), "cyan", bold=True) + also
        yield ""
    yield from account_lines(account_of(one.program), one.about, one.family, one.cases, _footer(one))


def _footer(one: _Finding) -> list[str]:
    count = len(one.cases)
    cases = f"{count} case{'s' * (count != 1)}" if count else "no cases"
    found = [f"Described in {_place(one)}, with {cases}{' for this subcommand' * (len(one.words) > 1)}."]
    if one.own is not None and not one.own.is_used:
        found.append("The policy is not trusted, so this description is not used: see `interlock trust`.")
    names = form_names(one.program)
    if names:
        found.append(f'One subcommand alone: interlock programs show "{" ".join([*one.words, names[0]])}"')
    return found


def _place(one: _Finding) -> str:
    if one.own is not None:
        return f"{place_of(one.source)} ({_LAYERS[one.own.layer]})"
    return f"programs/{one.family}.yaml, line {one.source.line}"


def _as_data(one: _Finding) -> dict[str, Any]:
    return {
        "names": one.names,
        "about": one.about,
        "family": one.family,
        "layer": one.own.layer if one.own is not None else "shipped",
        "used": one.own is None or one.own.is_used,
        "file": one.source.file,
        "line": one.source.line,
        **to_builtins(account_of(one.program)),
        "cases": [{"command": case.command, "expected": case.expected} for case in one.cases],
    }


# --- list ----------------------------------------------------------------------------------------------------------


@programs.command(name="list", short_help="List families of programs, or the programs of one.")
@click.argument("family", required=False, shell_complete=complete_family)
@policy_option
@json_option
def list_programs(family: str | None, policy_file: Path | None, as_json: bool) -> None:
    """List the families of programs that Interlock knows, or the programs of one FAMILY.

    \b
    Examples:
      interlock programs list
      interlock programs list archives
      interlock programs list --json

    Programs that policies here describe are listed too.
    """
    with reporting():
        known = families()
        own = _own_programs(policy_file)
        if family is None:
            data = {"families": [_family_data(one) for one in known], "own": [_own_data(one) for one in own]}
            say(to_json(data) if as_json else "\n".join([*_own_lines(own), *_family_lines(known)]))
            return
        found = next((one for one in known if one.name == family), None)
        if found is None:
            help = did_you_mean(family, [one.name for one in known], "`interlock programs list` shows all of them")
            if entry_of(family) is not None:
                help = f"`{family}` is a program: interlock programs show {family}"
            raise InterlockError(f"there is no family `{family}`", help=help)
        say(to_json([_entry_data(one) for one in found.entries]) if as_json else "\n".join(_entry_lines(found, own)))


def _own_data(one: PolicyProgram) -> dict[str, Any]:
    described = one.description
    return {
        "names": described.names,
        "about": described.about,
        "cases": len(described.cases),
        "layer": one.layer,
        "used": one.is_used,
        "file": described.source.file,
        "line": described.source.line,
    }


def _own_lines(own: list[PolicyProgram]) -> Iterator[str]:
    """The programs that policies describe, each with its place."""
    shown = [(_names_in_short(list(one.description.names)), one) for one in own]
    width = max((len(names) for names, _ in shown), default=0)
    for names, one in shown:
        place = f"{place_of(one.description.source)} ({_LAYERS[one.layer]})"
        yield f"{names:{width}}  {place}{'' if one.is_used else ', not used until you trust it: `interlock trust`'}"
    if shown:
        yield ""


def _family_data(family: Family) -> dict[str, Any]:
    return {
        "family": family.name,
        "about": family.about,
        "descriptions": len(family.entries),
        "names": family.names,
        "with_cases": family.with_cases,
    }


def _family_lines(known: list[Family]) -> Iterator[str]:
    width = max(len("family"), *(len(one.name) for one in known))
    room = terminal_width()
    # A family's name says what it is about; where there is no room for both, the programs say more.
    fits = room is None or width + _COUNT + max(len(one.about) for one in known) <= room
    yield f"{'family':{width}}  names  programs"
    for one in known:
        about = one.about if fits else one.about.partition(": ")[2] or one.about
        yield cut(f"{one.name:{width}}  {one.names:>5,}  {about}", room)
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
    """Everything that some form of a program does; what most of them do comes first."""
    groups = [group for group in account_of(program).does if group.trait]
    return [group.trait for group in sorted(groups, key=lambda group: -len(group.forms))]


def _entry_lines(family: Family, own: list[PolicyProgram]) -> Iterator[str]:
    yield from wrap_lines(family.about, text_width())
    yield ""
    described = {name: one for one in own for name in one.description.names}
    shown = [(_names_in_short(one.names.split()), _summary(one) + _mark(one, described)) for one in family.entries]
    width = max(len(names) for names, _ in shown)
    room = terminal_width()
    for names, summary in shown:
        yield cut(f"{names:{width}}  {summary}".rstrip(), room)
    yield ""
    yield "* its options and words are looked at closely, and may make it do more or less"
    yield f"{len(family.entries)} descriptions, {family.with_cases} of them with cases"


def _mark(entry: ProgramEntry, described: dict[str, PolicyProgram]) -> str:
    """Where a policy describes a program too."""
    found = next((described[name] for name in entry.names.split() if name in described), None)
    return f"; also in {place_of(found.description.source)}" if found is not None else ""


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
    if entry.about:
        return entry.about
    if program.service is not None:
        return f"its verbs decide ({program.service.kind})"
    mark = " *" if program.reader or program.parser else ""
    traits = _traits_in(program)
    acting = [trait for trait in traits if trait not in HARMLESS]
    if acting:
        return ", ".join(acting) + mark
    if not traits:
        words = account_of(program).words.rstrip(".")
        return (words[:1].lower() + words[1:] if words else "its words decide") + mark
    return ("only looks" if "read-only" in traits else ", ".join(traits)) + mark


# --- draft ---------------------------------------------------------------------------------------------------------


@programs.command(short_help="Draft a description from a help text.")
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
