"""The clauses of a form: what holds of it under conditions on its words."""

from __future__ import annotations

from interlock.facts.programs.draft import ROLES, Role, UseDraft
from interlock.facts.programs.table import Clause, Special
from interlock.facts.programs.traits import HARMLESS

__all__ = ["clauses", "play", "roles_of"]


def roles_of(operands: str) -> tuple[tuple[Role, ...], Role | None, tuple[Role, ...]]:
    """Roles ahead of the starred one, that one, and those behind it."""
    roles = operands.split()
    at = next((place for place, role in enumerate(roles) if role.endswith("*")), None)
    if at is None:
        return tuple(ROLES[role] for role in roles), None, ()
    return (
        tuple(ROLES[role] for role in roles[:at]),
        ROLES[roles[at][:-1]],
        tuple(ROLES[role] for role in roles[at + 1 :]),
    )


def play(draft: UseDraft, words: list[str], lead: tuple[Role, ...], star: Role | None, tail: tuple[Role, ...]) -> None:
    """Give each word its role."""
    count = len(words)
    ahead = min(len(lead), count)
    for at in range(ahead):
        lead[at](draft, words[at])
    behind = min(len(tail), count - ahead)
    if star is not None:
        for word in words[ahead : count - behind]:
            star(draft, word)
    for at in range(behind):
        tail[len(tail) - behind + at](draft, words[count - behind + at])


def clauses(listed: tuple[Clause, ...], traits: frozenset[str]) -> Special:
    """What a form's clauses do to it; `traits` are the form's own."""
    steps = [(clause, roles_of(clause.operands)) for clause in listed]
    harmful = tuple(traits - HARMLESS)

    def of(draft: UseDraft) -> None:
        for clause, roles in steps:
            if _fits(clause, draft):
                _apply(clause, roles, harmful, draft)
                return

    return of


def _fits(clause: Clause, draft: UseDraft) -> bool:
    operands = draft.operands
    return (
        (not clause.name or draft.name in clause.name)
        and (not clause.first or (operands[0] if operands else "") in clause.first)
        and (not clause.any or not set(clause.any).isdisjoint(operands))
        and (not clause.option or _has(clause.option, draft))
        and (not clause.without or not _has(clause.without, draft))
    )


def _has(options: tuple[str, ...], draft: UseDraft) -> bool:
    """Whether one of these options is there, by its name or as it is written."""
    return not (set(draft.flags).isdisjoint(options) and set(draft.args).isdisjoint(options))


def _apply(
    clause: Clause,
    roles: tuple[tuple[Role, ...], Role | None, tuple[Role, ...]],
    harmful: tuple[str, ...],
    draft: UseDraft,
) -> None:
    if clause.looks:
        draft.looks(*harmful)
    if clause.drops:
        draft.drop(*clause.drops)
    if clause.does:
        draft.add(*clause.does)
        if not HARMLESS.issuperset(clause.does):
            draft.acts()
    play(draft, draft.operands, *roles)
