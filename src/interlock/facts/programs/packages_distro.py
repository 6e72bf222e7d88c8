"""Package tools of single distributions, their mirrors and keys, and systems that are replaced as a whole."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_SHOW = look("*")
_INSTALL = act("installs-package system-package network", "*", "mention*")
_REMOVE = act("removes-package system-package", "*")
_LISTS = act("upkeep network", "*")
_SOURCE = act("package-source system-package network", "*", "mention*")


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


TABLE: Table = {
    "installpkg upgradepkg pkgtool": act("installs-package system-package", "warn!dry dry-run!dry *", "mention*",
        long=True),
    "removepkg": act("removes-package system-package", "warn!dry *", long=True),
    "oma": Program("*", "text*", "installs-package system-package", subs={
        "search show list list-files provides files depends rdepends history-list tree": _SHOW,
        "remove purge": _REMOVE, "refresh": _LISTS, "*": _INSTALL}),
    # Archives that were fetched, and what the tool itself keeps; no package is removed.
    "emaint eclean eclean-dist eclean-pkg": act("upkeep", "p/pretend!dry h!dry *"),
    "euse": act("system-settings", "i/info!dry I/info-installed!dry a/active!dry *"),
    "eix qlist qfile qsearch qdepends qlop": _SHOW,
    "pacman-key": act("package-source system-package", "a/add d/delete e/export f/finger l/list-keys r/recv-keys "
        "u/updatedb v/verify init populate lsign-key list-sigs refresh-keys keyserver= config=read gpgdir= "
        "import=read import-trustdb= edit-key", special=_pacman_key),
    "shiny-mirrors": look("*", subs={"status": _SHOW, "config": act("package-source system-package", "*",
        special=_shown), "*": _SOURCE}),
    "pacman-mirrors": act("package-source system-package network", "l/country-list!dry "
        "s/status!dry G/get-branch!dry *"),
    "pacsync": _LISTS,
    "pactrans": act("installs-package system-package", "print-only!dry *", special=_transacts),
    "paclock": act("upkeep", "print!dry *"),
    "rankmirrors expac pactree pacgraph checkupdates paclist pacsift pacini": look("*", "read*", "network"),
    "reflector": look("save=write *", "text*", "network"),
    "pkgfile": look("u/update!upkeep *"),
    "extrepo": look("*", subs={"search": look("*", "text*", "network"), "update": _LISTS,
        "*": _SOURCE}),
    "apt-listchanges": look("*", "mention*"),
    "alien": act("changes", "i/install d/to-deb r/to-rpm t/to-tgz s/scripts k/keep-version *", "read*", special=_alien),
    "debtap": act("upkeep", "u/update *", "read*"),
    "debootstrap mmdebstrap cdebootstrap": act("downloads network system-package", "variant= arch= include= "
        "exclude= components= foreign second-stage print-debs!dry *", special=_bootstrap),
    "netselect-apt": act("network", "a/arch= c/country= o/outfile= n/nonfree s/sources t/tests= i/include-rel?",
        special=_mirrors),
    "checkinstall": Program("install= pakdir= pkgname= D R S y nodoc fstrans= *", "argv",
        "installs-package system-package runs-project"),
    "do-release-upgrade": act("installs-package system-package network", "c/check-dist-upgrade-only d p m= f= q *",
        special=_release),
    "pro ubuntu-advantage ua": look("*", subs={"fix": act("installs-package system-package network", "dry-run!dry *"),
        "status version security-status help system api": look("*", "text*",
        "network"), "*": _SOURCE}),
    "rpmconf": act("changes", "t/test!dry c/clean!changes a/all *"),
    "urpmq urpmf": look("*", "mention*"),
    "urpmi.addmedia urpmi.removemedia": _SOURCE,
    "urpmi.update": _LISTS,
    "synopkg": look("*", subs={"list status version is_onoff checkupdate": _SHOW, "uninstall": _REMOVE,
        "start stop restart": act("service", "*"), "*": _INSTALL}),
    "synoupgrade": act("installs-package system-package network", "check!dry check-smallupdate!dry *"),
    "abroot": look("*", subs={"status": _SHOW, "pkg": Program("*", subs={"list": _SHOW, "*": _INSTALL}),
        "*": act("system-settings kernel", "*")}),
    "bootc": look("*", subs={"status": _SHOW, "*": act("installs-package system-package kernel network",
        "check!dry *")}),
    "rpm-ostree": look("*", subs={"status search db": look("*", "text*", "network"), "initramfs kargs initramfs-etc":
        act("kernel system-settings", "*"), "*": act("installs-package system-package network", "preview!dry "
            "check!dry n/dry-run!dry *")}),
    "steamos-update atomupd-manager": Program("*", "text*", "installs-package system-package network", subs={
        "check list-variants": look("*", "text*", "network"), "*": _INSTALL}),
    "steamos-readonly steamos-devmode": look("*", subs={"status": _SHOW, "disable": act("security-off", "*"),
        "*": act("system-settings", "*")}),
}  # fmt: skip
