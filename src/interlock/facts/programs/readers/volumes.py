"""Volumes: file systems with many devices, logical volumes, arrays, encrypted volumes, snapshots, remote disks."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _label(draft: UseDraft) -> None:
    if len(draft.operands) < 2:
        draft.looks("changes", "upkeep")


def _snapshots(draft: UseDraft) -> None:
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
    "iscsi": _iscsi,
    "label": _label,
    "losetup": _losetup,
    "snapshots": _snapshots,
}
