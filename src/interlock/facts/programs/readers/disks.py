"""Disks and their partitions: programs whose words are commands of their own."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

# parted's commands that show, with how many words may follow each.
_PARTED_SHOWS = {"print": 1, "p": 1, "unit": 1, "align-check": 2, "version": 0, "help": 1, "quit": 0}


def _parted(draft: UseDraft) -> None:
    """`parted DISK COMMAND …`: one command may follow another, and all of them must show."""
    disk, words = draft.operands[:1], draft.operands[1:]
    shows = bool(words) or "--list" in draft.flags
    at = 0
    while shows and at < len(words):
        shows = words[at] in _PARTED_SHOWS
        following = words[at + 1 : at + 1 + _PARTED_SHOWS.get(words[at], 0)]
        at += 1 + next((count for count, word in enumerate(following) if word in _PARTED_SHOWS), len(following))
    if shows and not draft.unknown:
        draft.looks("formats-disk")
        draft.reads += disk
    else:
        draft.writes += disk


def _sfdisk(draft: UseDraft) -> None:
    """A change of one partition names the disk first; without the last value it shows it."""
    flags = set(draft.flags)
    shows = {"--list", "--dump", "--json", "--show-size", "--list-free", "--show-geometry", "--show-pt-geometry",
             "--verify", "--list-types"}  # fmt: skip
    if shows & flags and not {"--delete", "--activate", "--reorder"} & flags:
        draft.looks("formats-disk")
        draft.reads += draft.operands
    elif (flags & {"--part-type", "--part-uuid", "--part-label", "--part-attrs"} and len(draft.operands) == 2) or (
        "--disk-id" in flags and len(draft.operands) == 1
    ):
        draft.looks("formats-disk")
        draft.reads += draft.operands[:1]
    else:
        draft.writes += draft.operands[:1]


READERS: dict[str, Special] = {
    "parted": _parted,
    "sfdisk": _sfdisk,
}
