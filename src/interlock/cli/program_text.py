"""A program's account as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interlock.cli.layout import Section, text_width
from interlock.cli.program_account import ALONE, DoesGroup, OptionGroup, ProgramAccount
from interlock.facts.programs.traits import HARMLESS
from interlock.policy.programs.cases import ProgramCase

__all__ = ["account_lines", "listing"]

_LABEL = 10
_MOST_FORMS = 40  # of one trait
_MOST_ASIDE = 3
_MOST_OPTIONS = 9  # of one effect
_MOST_PATHS = 3  # subcommands that have an option
_MOST_CLOSER = 8
_MOST_EXAMPLES = 8
_WIDEST_COMMAND = 46
_PLACES = {ALONE: "before a subcommand"}


def account_lines(
    account: ProgramAccount, about: str, family: str, cases: Sequence[ProgramCase], footer: Sequence[str]
) -> Iterator[str]:
    """Everything that is said of a program, wrapped to the width of the terminal."""
    sections = [
        _section("About", [about]),
        _section("Family", [family]),
        _does(account),
        _section("Words", [account.words]),
        _section("Input", [account.input]),
        _options(account),
        _section("When", account.conditions),
        _section("Notes", [*account.notes, *_closer(account)]),
        _examples(cases),
        _section("", footer),
    ]
    gap = False
    for section in sections:
        lines = list(section.lines())
        if lines and gap:
            yield ""
        yield from lines
        gap = gap or bool(lines)


def _section(label: str, texts: Sequence[str]) -> Section:
    section = Section(label, "cyan", _LABEL)
    for text in texts:
        if text:
            section.say(text)
    return section


def _does(account: ProgramAccount) -> Section:
    section = Section("Does", "cyan", _LABEL)
    if account.service:
        section.say(account.service)
    if not any(group.forms for group in account.does):
        if account.is_closer:
            section.say(
                "Its options and words decide what it does, and are looked at closely. If they ask for no more:"
            )
        for group in account.does:
            section.say(_meaning(group))
        return section
    aside = [group for group in account.does if group.trait in HARMLESS - {"read-only", "only-runs"}]
    aside = aside if len(aside) < len(account.does) else []  # what says how something is done, beside what is done
    for number, group in enumerate(one for one in account.does if one not in aside):
        if number or account.service:
            section.say("")
        section.say(_meaning(group))
        section.say(listing(_in_short(group), _MOST_FORMS), 4)
    if aside:
        section.say("")
    for group in aside:
        section.say(f"{group.means.rstrip('.')} [{group.trait}]: {listing(group.forms, _MOST_ASIDE)}.")
    if any(group.closer for group in account.does):
        section.say("")
        section.say("* looked at closely: its options and words may make it do more or less than that.")
    return section


def _meaning(group: DoesGroup) -> str:
    return f"{group.means} [{group.trait}]" if group.trait else group.means


def _in_short(group: DoesGroup) -> list[str]:
    """Subcommands, with those of one group together: `stash (list, show)`."""
    found: dict[str, list[str]] = {}
    for form in group.forms:
        before, _, last = form.rpartition(" ") if not form.endswith(")") else form.partition("\0")
        before, last = (before, last) if last else ("", before)
        found.setdefault(before, []).append(f"{last}*" if form in group.closer else last)
    alone = found.pop("", [])
    joined = [(before, ", ".join(words), len(words)) for before, words in found.items()]
    return [*alone, *(f"{before} ({words})" if count > 1 else f"{before} {words}" for before, words, count in joined)]


def listing(words: Sequence[str], most: int) -> str:
    """Words in one line, and how many were left out."""
    left = len(words) - most
    return ", ".join(words[:most]) + (f" and {left} more" if left > 0 else "")


def _options(account: ProgramAccount) -> Section:
    section = Section("Options", "cyan", _LABEL)
    if account.options:
        section.say("With these options, it")
    for group in account.options:
        options = listing([_option(group, name) for name in group.options], _MOST_OPTIONS)
        section.say(f"{group.effect}: {options}", 2, "-")
    if account.any_option == "all":
        section.say("Every other option adds nothing to what it does.")
    elif account.other_options:
        section.say(_others(account))
        unless = ", unless its subcommand takes any option" if account.any_option == "some" else ""
        section.say(
            f"With an option that Interlock does not know, a command no longer counts as one that only looks{unless}."
        )
    return section


def _others(account: ProgramAccount) -> str:
    count = account.other_options
    if not account.options:
        return f"It has {count:,} option{'s' * (count > 1)}, which add nothing by themselves."
    return f"Its {count:,} other options add nothing by themselves." if count > 1 else "Its other option adds nothing."


def _option(group: OptionGroup, name: str) -> str:
    paths = group.options[name]
    if not paths:
        return name
    if len(paths) > _MOST_PATHS:
        return f"{name} (in {len(paths)} subcommands)"
    return f"{name} ({', '.join(_PLACES.get(path, path) for path in paths)})"


def _closer(account: ProgramAccount) -> list[str]:
    left = len(account.closer) - _MOST_CLOSER
    return [*account.closer[:_MOST_CLOSER], *([f"… and {left} more"] if left > 0 else [])]


def _examples(cases: Sequence[ProgramCase]) -> Section:
    section = Section("Examples", "cyan", _LABEL)
    shown = _various(cases)
    width = min(max((len(case.command) for case in shown), default=0), _WIDEST_COMMAND)
    room = text_width() - _LABEL
    for case in shown:
        found = ", ".join(case.expected) or "nothing that a rule could ask about"
        if len(case.command) <= width and width + 2 + len(found) <= room:
            section.verbatim([f"{case.command:{width}}  {found}"])
        else:
            section.verbatim([case.command, f"    {found}"])
    return section


def _various(cases: Sequence[ProgramCase]) -> list[ProgramCase]:
    """Some of the cases: first those that show something that no other has shown."""
    seen: set[tuple[str, ...]] = set()
    first: list[ProgramCase] = []
    rest: list[ProgramCase] = []
    for case in cases:
        kind = tuple(one.partition(" ")[0] for one in case.expected)
        (rest if kind in seen else first).append(case)
        seen.add(kind)
    chosen = [*first, *rest][:_MOST_EXAMPLES]
    return [case for case in cases if case in chosen]
