"""Giving words the roles that a description lists for them."""

from __future__ import annotations

from msgspec import Struct

from interlock.facts.programs.draft import ROLES, Role, UseDraft
from interlock.facts.programs.use import Nested

__all__ = ["RESTS", "Roles", "play", "roles_of", "run_rest"]

RESTS = ("argv", "shell+", "script")  # they take all the words that are left


class Roles(Struct, frozen=True):
    """Roles in order: those ahead of the starred one, that one, those behind it; or what takes all the rest."""

    lead: tuple[Role, ...] = ()
    star: Role | None = None
    tail: tuple[Role, ...] = ()
    rest: str = ""


def roles_of(operands: str) -> Roles:
    """The roles that a text lists."""
    listed = operands.split()
    rest = listed.pop() if listed and listed[-1] in RESTS else ""
    at = next((place for place, role in enumerate(listed) if role.endswith("*")), len(listed))
    lead, starred, tail = listed[:at], listed[at : at + 1], listed[at + 1 :]
    return Roles(
        tuple(ROLES[role] for role in lead),
        ROLES[starred[0][:-1]] if starred else None,
        tuple(ROLES[role] for role in tail),
        rest,
    )


def play(draft: UseDraft, words: list[str], roles: Roles, shift: int = 0) -> None:
    """Give each word its role. `shift`: how many words ahead of them were given as options."""
    lead = roles.lead[1:] if shift else roles.lead
    ahead = min(len(lead), len(words))
    for at in range(ahead):
        lead[at](draft, words[at])
    if roles.rest:
        run_rest(draft, roles.rest, words[ahead:])
        return
    tail = roles.tail
    behind = min(len(tail), len(words) - ahead)
    if roles.star is not None:
        for word in words[ahead : len(words) - behind]:
            roles.star(draft, word)
    for at in range(behind):
        tail[len(tail) - behind + at](draft, words[len(words) - behind + at])


def run_rest(draft: UseDraft, rest: str, words: list[str]) -> None:
    """Note the command that the last words are."""
    if words[:1] == ["--"]:
        words = words[1:]  # `run web -- ls`: it only ends the options
    if not words:
        return
    if rest == "argv":
        draft.runs.append(Nested("argv", tuple(words)))
    elif rest == "shell+":
        draft.runs.append(Nested("shell", (" ".join(words),)))
    elif words[0] != "-":
        draft.reads.append(words[0])
        draft.runs.append(Nested("file", tuple(words), draft.name))
