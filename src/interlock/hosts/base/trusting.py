"""Tell a host to run the entries that were written, where it has a way for that, and take it back with them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.files.edit import FileChange, apply_changes, read_bytes
from interlock.hosts.base.installing import HostSpot
from interlock.hosts.base.places import backup_folder
from interlock.hosts.base.setup import HostTrust
from interlock.hosts.base.setup_notes import SetupNote, drop_setup_note, keep_setup_note, read_setup_note

__all__ = ["can_grant", "grant_trust", "trust_file", "was_granted", "withdraw_trust"]


def can_grant(spot: HostSpot) -> HostTrust | None:
    """How this host is told, if it can be."""
    trust = spot.setup.trust
    return trust if trust is not None and trust.grant is not None and trust.file is not None else None


def trust_file(spot: HostSpot) -> Path | None:
    """The file in which the host notes what it is told."""
    trust = can_grant(spot)
    return trust.file(spot.home) if trust is not None and trust.file is not None else None


def grant_trust(spot: HostSpot) -> None:
    """Have the host run the entries. Raises InterlockError if it will not."""
    trust, file = can_grant(spot), trust_file(spot)
    if trust is None or trust.grant is None or file is None:
        raise InterlockError(f"{spot.host.title} has no way to be told which entries to trust")
    before = read_bytes(file)
    trust.grant(spot.scope, spot.root, spot.home)
    after = read_bytes(file)
    old = read_setup_note(file)
    if after is None or after == before:
        return
    if old is None:
        keep_setup_note(
            SetupNote(file=str(file), holders=(spot.holder,), before=before, exact=True, after=after),
        )
        return
    holders = tuple(dict.fromkeys((*old.holders, spot.holder)))
    keep_setup_note(replace(old, holders=holders, exact=old.exact and before == old.after, after=after))


def was_granted(spot: HostSpot) -> bool:
    """Whether the host was told by Interlock."""
    file = trust_file(spot)
    note = read_setup_note(file) if file is not None else None
    return note is not None and spot.holder in note.holders


def withdraw_trust(spot: HostSpot) -> None:
    """Take back what `grant_trust` said. It must be called before the entries go: a host knows them by their place.

    Raises InterlockError if the host does not do it.
    """
    trust, file = can_grant(spot), trust_file(spot)
    note = read_setup_note(file) if file is not None else None
    if trust is None or trust.withdraw is None or file is None or note is None or not was_granted(spot):
        return
    others = tuple(holder for holder in note.holders if holder != spot.holder)
    raw = read_bytes(file)
    if not others and note.exact and raw == note.after:
        apply_changes([FileChange(file, raw, note.before)], backup_folder)
        drop_setup_note(file)
        return
    trust.withdraw(spot.scope, spot.root, spot.home)
    if others:
        after = read_bytes(file)
        keep_setup_note(replace(note, holders=others, exact=note.exact and raw == note.after, after=after or b""))
    else:
        drop_setup_note(file)
