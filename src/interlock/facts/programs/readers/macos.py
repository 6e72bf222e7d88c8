"""Programs of macOS."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _shows(*names: str, otherwise: str, safe: str = "") -> Special:
    """A program with many verbs, of which these only show; `get*` is every name that begins so; `safe` lose nothing."""

    starts = tuple(name[:-1] for name in names if name[-1] == "*")
    exact = frozenset(names)
    kept = frozenset(safe.split())

    def of(draft: UseDraft) -> None:
        words = [word.lstrip("-") for word in draft.args]
        # Only the first word that is no option's value says what is done.
        verb = words[0] if words else ""
        draft.unknown.clear()
        if verb in exact or verb.startswith(starts):
            draft.looks()
        else:
            draft.acts()
            draft.add(*(["upkeep"] if verb in kept else otherwise.split()))

    return of


_DISK_LOOKS = frozenset({
    "list", "info", "activity", "listfilesystems", "information", "verifyvolume", "verifydisk", "help", "listusers",
    "listcryptousers", "listsnapshots", "listvolumegroups",
})  # fmt: skip
_DISK_KINDS = frozenset({"quiet", "apfs", "ap", "appleraid", "ar", "corestorage", "cs"})
_DISK_MOUNTS = frozenset({
    "mount", "mountdisk", "unmount", "umount", "unmountdisk", "umountdisk", "eject", "unlockvolume",
})  # fmt: skip
_DISK_UPKEEP = frozenset({"repairvolume", "repairdisk", "rename", "renamevolume", "enablejournal", "enableownership"})


def _diskutil(draft: UseDraft) -> None:
    """A verb, or a kind of volume and a verb; letters of either case."""
    words = [word.lower() for word in draft.args if not word.startswith("-")]
    verb = next((word for word in words if word not in _DISK_KINDS), "")
    draft.unknown.clear()
    if verb in _DISK_LOOKS:
        draft.looks()
        return
    draft.acts()
    if verb in _DISK_MOUNTS and "force" not in words:
        draft.add("mounts")
    else:
        draft.add("upkeep" if verb in _DISK_UPKEEP or not verb else "formats-disk")


def _defaults(draft: UseDraft) -> None:
    words = [word for word in draft.args if word != "-currentHost"]
    if words[:1] == ["-host"]:
        words = words[2:]
    if words[:1] in (["read"], ["read-type"], ["domains"], ["find"], ["help"], ["export"]):
        draft.reads += [word for word in words[1:2] if "/" in word]
        if words[0] == "export" and words[2:3] not in (["-"], []):
            draft.writes += words[2:3]
        draft.looks()
    else:
        draft.add("system-settings")
        if words[:1] == ["delete"]:
            draft.add("changes")


def _security(draft: UseDraft) -> None:
    words = draft.args
    verb = next((word for word in words if not word.startswith("-")), "")
    if verb.startswith(("find-generic", "find-internet", "dump-keychain", "export")):
        shows = any(word[:1] == "-" and not {"w", "g", "d"}.isdisjoint(word[1:3]) for word in words)
        secret = shows or verb in {"dump-keychain", "export"}
        if secret:
            draft.add("reads-secret")
        else:
            draft.looks()
    elif verb.startswith(
        (
            "list",
            "show",
            "find-",
            "verify",
            "dump-trust",
            "get-",
            "error",
            "help",
            "leaks",
            "default-keychain",
            "login-keychain",
            "requirement-evaluate",
            "translocate-original-path",
            "translocate-policy-check",
            "translocate-status-check",
        )
    ) and (verb.startswith(("dump-trust", "get-")) or not {"-s", "-d"} & set(words)):
        draft.looks()
    else:
        draft.add("writes-secret", "security-off" if "trust" in verb or "unlock" in verb else "changes")
    if verb == "authorize" or verb.startswith("authorizationdb"):
        draft.add("privilege")


def _open(draft: UseDraft) -> None:
    draft.reads += [word for word in draft.operands if "://" not in word]
    draft.urls += [word for word in draft.operands if "://" in word]


def _plutil(draft: UseDraft) -> None:
    flags = set(draft.args)
    draft.unknown.clear()
    files = [word for word in draft.args if not word.startswith("-")][-1:]
    draft.reads += files
    edits = {"-insert", "-replace", "-remove", "-convert", "-create"} & flags
    shows = {"-p", "-lint", "-help", "-type", "-extract"} & flags
    if (not edits and (shows or not any(word.startswith("-") for word in flags))) or ("-o" in flags and "-" in flags):
        draft.looks()
    else:
        draft.writes += files


def _xattr(draft: UseDraft) -> None:
    if {"-w", "-d", "-c"} & set(draft.flags):
        draft.writes += draft.operands[-1:]
        draft.add(
            "hides",
            "security-off" if any("quarantine" in word for word in draft.args) or "-c" in draft.flags else "hides",
        )
    else:
        draft.looks()


def _sips(draft: UseDraft) -> None:
    getters = {
        "-g",
        "--getProperty",
        "-x",
        "--extractProfile",
        "-1",
        "--oneLine",
        "--formats",
        "-v",
        "--verify",
        "--help",
        "-h",
        "-H",
        "--helpProperties",
        "--profile-help",
    }
    verbs = [word for word in draft.args if word.startswith("-")]
    draft.unknown.clear()
    if all(word in getters for word in verbs) and "-x" not in verbs and "--extractProfile" not in verbs:
        draft.looks()
    else:
        draft.writes += draft.operands[-1:]


def _csrutil(draft: UseDraft) -> None:
    if draft.args in {("status",), ("authenticated-root", "status"), ("netboot", "list"), ("report",)}:
        draft.looks()
        draft.add("fingerprints")
    else:
        draft.add("security-off", "system-settings")


def _hide(draft: UseDraft) -> None:
    draft.writes += draft.operands[1:]


READERS: dict[str, Special] = {
    "codesign": (
        lambda draft: (
            draft.looks()
            if {"--display", "--verify", "--validate-constraint", "-h"} & set(draft.flags)
            and not {"--sign", "--remove-signature"} & set(draft.flags)
            else draft.writes.extend(draft.operands)
        )
    ),
    "csrutil": _csrutil,
    "defaults": _defaults,
    "diskutil": _diskutil,
    "dscl": (
        lambda draft: (
            draft.looks()
            if any(word.lstrip("-") in {"read", "list", "search", "readall", "readpl", "diff"} for word in draft.args)
            and not any(
                word.lstrip("-") in {"create", "append", "delete", "passwd", "merge", "change", "changei"}
                for word in draft.args
            )
            else draft.add("users")
        )
    ),
    "hdiutil": (
        _shows(
            "info",
            "imageinfo",
            "verify",
            "checksum",
            "isencrypted",
            "plugins",
            "fsid",
            "pmap",
            "help",
            otherwise="mounts",
        )
    ),
    "hide": _hide,
    "ipconfig": (_shows("get*", "waitall", "ifcount", "h", otherwise="system-settings")),
    "networksetup": (_shows("list*", "get*", "show*", "is*", "print*", "version", "help", otherwise="system-settings")),
    "open": _open,
    "pkgutil": (
        _shows(
            "pkgs*",
            "packages",
            "pkg-info*",
            "files",
            "file-info*",
            "lsbom",
            "groups*",
            "group-pkgs",
            "pkg-groups",
            "check-signature",
            "payload-files",
            "export-plist",
            "only-files",
            "only-dirs",
            "pkgs-plist",
            "h",
            "help",
            "v",
            otherwise="changes",
        )
    ),
    "plutil": _plutil,
    "profiles": (
        _shows(
            "list",
            "show",
            "status",
            "L",
            "P",
            "C",
            "e",
            "H",
            "S",
            "validate",
            "help",
            "version",
            otherwise="system-settings",
        )
    ),
    "scutil": (_shows("get", "dns", "proxy", "nwi", "r", "w", "error", "h", "help", otherwise="system-settings")),
    "security": _security,
    "sips": _sips,
    "spctl": (
        _shows("status", "assess", "a", "list", "disable-status", "test-devid-status", "help", otherwise="security-off")
    ),
    "symbols": (lambda draft: draft.looks("changes") if not draft.writes else None),
    "systemsetup": (
        _shows(
            "get*",
            "g",
            "p",
            "status",
            "list",
            "info",
            "print*",
            "showloaded",
            "inspect",
            "isactive",
            "check",
            "xp",
            "help",
            otherwise="system-settings security-off kernel",
        )
    ),
    "tmutil": (
        _shows(
            "list*",
            "latestbackup",
            "destinationinfo",
            "status",
            "compare",
            "isexcluded",
            "machinedirectory",
            "uniquesize",
            "verifychecksums",
            "calculatedrift",
            "version",
            "currentphase",
            "help",
            otherwise="changes shreds",
            safe="startbackup stopbackup enable snapshot localsnapshot",
        )
    ),
    "xattr": _xattr,
}
