"""Volumes: file systems with many devices, logical volumes, arrays, encrypted volumes, snapshots, remote disks."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _check(draft: UseDraft) -> None:
    """A check reads, unless it is to repair."""
    if not {"--repair", "--init-csum-tree", "--init-extent-tree", "--clear-space-cache", "--clear-ino-cache"} & set(
        draft.flags
    ):
        draft.looks("formats-disk")


def _label(draft: UseDraft) -> None:
    if len(draft.operands) < 2:
        draft.looks("changes", "upkeep")


def _restore(draft: UseDraft) -> None:
    if {"--dry-run", "--list-roots"} & set(draft.flags):
        draft.looks("changes", "upkeep")
    else:
        draft.writes += draft.operands[1:2]


def _snapshots(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--list", "--list-snapshots", "--list-devices"} & flags and not {
        "--create", "--cr", "--check", "--restore", "--del", "--delete", "--delete-all", "--clean"
    } & flags:  # fmt: skip
        draft.looks("changes", "upkeep")


def _named(draft: UseDraft) -> None:
    if not draft.operands:
        draft.looks("mounts")


def _dump(draft: UseDraft) -> None:
    """`pvck --dump` shows or saves metadata; the rest repairs."""
    if "--dump" in draft.flags:
        draft.looks("formats-disk")
        draft.writes += [value for name, value in draft.values if name == "--file"]
    elif not {"--repair", "--repairtype"} & set(draft.flags):
        draft.looks("formats-disk")


def _lists(draft: UseDraft) -> None:
    if "--list" in draft.flags:
        draft.looks("formats-disk", "upkeep")


def _devices(draft: UseDraft) -> None:
    if not any(name.startswith(("--add", "--del", "--update", "--import")) for name in draft.flags):
        draft.looks("changes", "upkeep")


def _dmsetup(draft: UseDraft) -> None:
    if "--showkeys" in draft.flags:
        draft.add("reads-secret")


def _mdadm(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--detail", "--query", "--examine", "--examine-bitmap", "--detail-platform"} & flags and not {
        "--create", "--build", "--grow", "--zero-superblock", "--fail", "--remove", "--add", "--stop", "--assemble"
    } & flags:  # fmt: skip
        draft.looks("formats-disk")
    elif not flags & {"--create", "--grow", "--zero-superblock", "--build"}:
        draft.drop("formats-disk")
        draft.add("mounts")


def _iscsi(draft: UseDraft) -> None:
    """Without an operation, a record is shown; a discovery keeps what a portal offers."""
    flags = set(draft.flags)
    if {"--type", "--portal", "--discover"} & flags and (draft.value("--mode") or "").startswith("discovery"):
        return
    if not {"--login", "--logout", "--rescan", "--logoutall", "--loginall"} & flags and draft.value("--op") in {
        None,
        "show",
    }:
        draft.looks("mounts")


def _losetup(draft: UseDraft) -> None:
    flags = set(draft.flags)
    lists = {"--all", "--list", "--associated"} & flags and "--detach" not in flags
    if lists or (not flags and len(draft.operands) < 2):
        draft.looks("mounts")


def _zram(draft: UseDraft) -> None:
    if not {"--find", "--reset", "--size"} & set(draft.flags):
        draft.looks("mounts")


def _parts(draft: UseDraft) -> None:
    if {"--list", "--show"} & set(draft.flags) and not {"--add", "--delete", "--update"} & set(draft.flags):
        draft.looks("mounts")
    draft.reads += draft.operands


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
    "check": _check,
    "devices": _devices,
    "dmsetup": _dmsetup,
    "dump": _dump,
    "hdparm": _hdparm,
    "iscsi": _iscsi,
    "label": _label,
    "lists": _lists,
    "losetup": _losetup,
    "mdadm": _mdadm,
    "named": _named,
    "parts": _parts,
    "restore": _restore,
    "snapshots": _snapshots,
    "zram": _zram,
}
