"""Disks, partitions, file systems and volumes."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _mount(draft: UseDraft) -> None:
    if not draft.operands and not {"--all", "--bind", "--move", "--source", "--target"} & set(draft.flags):
        draft.looks("mounts")
    draft.reads += draft.operands[:1]


def _parted(draft: UseDraft) -> None:
    words = draft.operands[1:]
    if "--list" in draft.flags or words[:1] in (["print"], ["p"]):
        draft.looks("formats-disk")
    draft.writes += draft.operands[:1]


def _fdisk(draft: UseDraft) -> None:
    if {"--list", "--list-details", "--getsz"} & set(draft.flags):
        draft.looks("formats-disk")
        draft.reads += draft.operands
    else:
        draft.writes += draft.operands


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


def _sgdisk(draft: UseDraft) -> None:
    shows = {"--print", "--info", "--verify", "--list-types", "--backup", "--print-mbr", "--end-of-largest",
             "--first-in-largest", "--first-aligned-in-largest", "--display-alignment"}  # fmt: skip
    if shows.issuperset(draft.flags) and not draft.unknown:
        draft.looks("formats-disk")
        draft.reads += draft.operands
    else:
        draft.writes += draft.operands


def _writes_all(draft: UseDraft) -> None:
    draft.writes += draft.operands


def _wipefs(draft: UseDraft) -> None:
    if {"--all", "--offset"} & set(draft.flags):
        draft.writes += draft.operands
    else:
        draft.looks("formats-disk")
        draft.reads += draft.operands


def _fsck(draft: UseDraft) -> None:
    if {"-n", "-N"} & set(draft.flags):
        draft.looks("formats-disk")


READERS: dict[str, Special] = {
    "fdisk": _fdisk,
    "fsck": _fsck,
    "mount": _mount,
    "parted": _parted,
    "sfdisk": _sfdisk,
    "sgdisk": _sgdisk,
    "testdisk": (lambda draft: draft.looks("changes") if draft.args[:1] == ("/list",) else None),
    "tune2fs": (lambda draft: draft.looks("formats-disk") if draft.name in {"dumpe2fs", "xfs_info"} else None),
    "wipefs": _wipefs,
    "writes_all": _writes_all,
}
