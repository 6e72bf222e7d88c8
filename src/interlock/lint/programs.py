"""Descriptions of programs that Interlock knows: what makes them milder has no effect."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.facts.programs import is_known, program_of
from interlock.facts.programs.table import Program
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy

__all__ = ["find"]


def find(policy: Policy) -> Iterator[PolicyFinding]:
    for name, one in policy.programs.items():
        if one.source.file != policy.file or not is_known(name):
            continue
        known = program_of(name)
        claims = dict(_claims(one.program))
        ineffective = claims.keys() - dict(_claims(known)).keys() if known is not None else claims.keys()
        said = list(dict.fromkeys(text for claim, text in claims.items() if claim in ineffective))
        if said:
            message = (
                f"Interlock knows `{name}` already, so a description can only add to what it does: "
                f"{', '.join(f'`{text}`' for text in said)} {'has' if len(said) == 1 else 'have'} no effect"
            )
            help = f"`interlock programs show {name}` says what is known; leave out what only makes it milder"
            yield PolicyFinding(name, one.source, message, help)


def _claims(program: Program, form: str = "") -> Iterator[tuple[tuple[str, str], str]]:
    """What a description says that would make a program milder, each with its form, and as it is written."""
    if "read-only" in program.traits.split():
        yield (form, "read-only"), "read-only"
    for word in program.options.split():
        names, _, effects = word.partition("!")
        if "dry" in effects.split(","):
            yield (form, word), f"{names}!dry"
    for clause in program.when:
        if clause.looks or clause.drops:
            yield (form, repr(clause)), "looks: true" if clause.looks else f"drops: {' '.join(clause.drops)}"
    for names, inner in program.subs.items():
        for name in names.split():
            yield from _claims(inner, f"{form} {name}")
