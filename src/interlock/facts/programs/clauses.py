"""The clauses of a form: what holds of it under conditions on its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.roles import Roles, play, roles_of
from interlock.facts.programs.table import Clause, Special
from interlock.facts.programs.traits import HARMLESS

__all__ = ["clauses"]


def clauses(listed: tuple[Clause, ...], traits: frozenset[str], names: Mapping[str, str]) -> Special:
    """What a form's clauses do to it. `traits` are the form's own, `names` those of its options by each spelling."""
    steps = [(_renamed(clause, names), roles_of(clause.operands)) for clause in listed]
    harmful = tuple(traits - HARMLESS)

    def of(draft: UseDraft) -> None:
        for clause, roles in steps:
            if _fits(clause, draft):
                _apply(clause, roles, harmful, draft)
                return

    return of


def _renamed(clause: Clause, names: Mapping[str, str]) -> Clause:
    """The clause with its options by the names under which they are noted, however it spells them."""
    return replace(
        clause,
        option=tuple(names.get(one, one) for one in clause.option),
        every=tuple(names.get(one, one) for one in clause.every),
        without=tuple(names.get(one, one) for one in clause.without),
        value={names.get(one, one): values for one, values in clause.value.items()},
        other={names.get(one, one): values for one, values in clause.other.items()},
    )


def _fits(clause: Clause, draft: UseDraft) -> bool:
    operands = draft.operands
    return (
        (not clause.name or draft.name in clause.name)
        and (not clause.first or _one_of(clause.first, operands[:1] or [""]))
        and (not clause.any or _one_of(clause.any, operands))
        and len(operands) >= clause.words
        and (not clause.option or _one_of(clause.option, draft.flags))
        and all(_one_of((option,), draft.flags) for option in clause.every)
        and not (clause.without and _one_of(clause.without, draft.flags))
        and all(_valued(draft, option, known, clause) for option, known in clause.value.items())
        and all(_differs(draft, option, known) for option, known in clause.other.items())
    )


def _one_of(known: tuple[str, ...], words: Iterable[str]) -> bool:
    return any(word in known or _begins(known, word) for word in words)


def _begins(known: tuple[str, ...], word: str) -> bool:
    return any(one[-1:] == "*" and word.startswith(one[:-1]) for one in known)


def _valued(draft: UseDraft, option: str, known: tuple[str, ...], clause: Clause) -> bool:
    """Whether an option has one of these values. One that only the run will tell has the worse."""
    value = draft.value(option)
    if value is None:
        return False
    return _one_of(known, [value]) or ("\0" in value and not clause.looks)


def _differs(draft: UseDraft, option: str, known: tuple[str, ...]) -> bool:
    value = draft.value(option)
    return value is not None and not _one_of(known, [value])


def _apply(clause: Clause, roles: Roles, harmful: tuple[str, ...], draft: UseDraft) -> None:
    if clause.looks:
        draft.looks(*harmful)
    if clause.drops:
        draft.drop(*clause.drops)
    if clause.does:
        draft.add(*clause.does)
        if not HARMLESS.issuperset(clause.does):
            draft.acts()
    if clause.stdin != "data":
        draft.stdin = clause.stdin
    draft.reads += clause.reads
    draft.writes += clause.writes
    draft.creates += clause.creates
    draft.deletes += clause.deletes
    draft.refs += clause.refs
    if clause.operands:
        play(draft, draft.operands, roles)
        if draft.doubtful:  # a word after an unknown option may be its value: then the others move up
            sure = [word for at, word in enumerate(draft.operands) if at not in draft.doubtful]
            play(draft, sure, roles)
