"""Disks and volumes: what their programs are told by words that are commands, or by letters that need a number."""

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


def _snapshots(draft: UseDraft) -> None:
    """A listing, unless something else is asked for as well."""
    flags = set(draft.flags)
    if {"--list", "--list-snapshots", "--list-devices"} & flags and not {
        "--create", "--cr", "--check", "--restore", "--del", "--delete", "--delete-all", "--clean"
    } & flags:  # fmt: skip
        draft.looks("changes", "upkeep")


def _dump(draft: UseDraft) -> None:
    """`pvck --dump` shows or saves metadata; the rest repairs."""
    if "--dump" in draft.flags:
        draft.looks("formats-disk")
        draft.writes += [value for name, value in draft.values if name == "--file"]
    elif not {"--repair", "--repairtype"} & set(draft.flags):
        draft.looks("formats-disk")


def _hdparm(draft: UseDraft) -> None:
    """A letter alone shows; with a number it sets."""
    known = "iItTgCvHq"  # these never set
    gets = "aABcdkKmMNQRruW"
    words = [*draft.args, ""]
    erases = ("--security-erase", "--trim", "--write-sector", "--make-bad", "--dco-r", "--yes-i")
    if any(word.startswith(erases) for word in words):
        draft.add("formats-disk")
        return
    for at, word in enumerate(words[:-1]):
        if word.startswith("--"):
            if word not in {"--direct", "--verbose", "--Istdout", "--fibmap", "--read-sector", "--dco-identify"}:
                return
        elif word.startswith("-"):
            for letter in word[1:]:
                last = letter == word[-1]
                if letter in gets and not (last and words[at + 1][:1] not in {"", "-", "/"}):
                    continue
                if letter not in known:
                    return
    draft.looks("device")


READERS: dict[str, Special] = {
    "dump": _dump,
    "hdparm": _hdparm,
    "parted": _parted,
    "snapshots": _snapshots,
}
