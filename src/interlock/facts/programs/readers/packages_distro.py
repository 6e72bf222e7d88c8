"""Package tools of single distributions, their mirrors and keys, and systems that are replaced as a whole."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _pacman_key(draft: UseDraft) -> None:
    shows = {"--list-keys", "--list-sigs", "--finger", "--verify", "--export"}
    if shows & set(draft.flags) and not {"--add", "--delete", "--init", "--populate", "--lsign-key"} & set(draft.flags):
        draft.looks("package-source", "system-package")
    elif set(draft.flags) <= {"--init", "--populate", "--updatedb"}:
        # The distribution's own keys, which were installed with it.
        draft.drop("package-source")
        draft.add("upkeep")


def _alien(draft: UseDraft) -> None:
    if "--install" in draft.flags:
        draft.add("installs-package", "system-package")


def _release(draft: UseDraft) -> None:
    if "--check-dist-upgrade-only" in draft.flags:
        draft.looks("installs-package", "system-package", "network")


def _bootstrap(draft: UseDraft) -> None:
    """`debootstrap SUITE DIRECTORY`: a system in a folder."""
    draft.creates += draft.operands[1:2]


def _mirrors(draft: UseDraft) -> None:
    """A list of mirrors, in the folder it is called in unless told otherwise."""
    draft.writes.append(draft.value("--outfile") or "sources.list")


def _shown(draft: UseDraft) -> None:
    if draft.operands[:1] == ["show"]:
        draft.looks("package-source", "system-package")


def _transacts(draft: UseDraft) -> None:
    if "--remove" in draft.flags:
        draft.add("removes-package")


READERS: dict[str, Special] = {
    "alien": _alien,
    "bootstrap": _bootstrap,
    "mirrors": _mirrors,
    "pacman_key": _pacman_key,
    "release": _release,
    "shown": _shown,
    "transacts": _transacts,
}
