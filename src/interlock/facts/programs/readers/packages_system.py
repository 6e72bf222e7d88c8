"""The machine's packages, and other languages' package managers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Rewrite, Special


def _apt(draft: UseDraft) -> None:
    """`-o APT::Update::Pre-Invoke::=CMD`: settings that name commands."""
    for name, value in draft.values:
        if name == "--option" and any(
            word in value for word in ("Invoke", "Pre-Install", "Post-", "Methods", "Proxy-Auto")
        ):
            draft.run("shell", value.partition("=")[2])


def _dpkg(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--install", "--unpack", "--configure"} & flags:
        draft.add("installs-package")
        draft.reads += draft.operands
    elif {"--remove", "--purge"} & flags:
        draft.add("removes-package")
    elif {
        "--list",
        "--status",
        "--listfiles",
        "--search",
        "--print-avail",
        "--info",
        "--contents",
        "--get-selections",
        "--audit",
        "--verify",
        "--print-architecture",
        "--compare-versions",
    } & flags:
        draft.looks()
    else:
        draft.add("installs-package")


def _rpm(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--query", "--verify", "--checksig", "--showrc", "--querytags"} & flags:
        draft.looks()
    elif "--erase" in flags:
        draft.add("removes-package")
    elif not draft.dry:
        draft.add("installs-package")
        for word in draft.operands:
            draft.reach(word) if "://" in word else draft.reads.append(word)


def _pacman(draft: UseDraft) -> None:
    """The first letter is the operation; the rest belongs to it."""
    if {"--print", "--help", "--getpkgbuild"} & set(draft.flags) or any(
        word[:1] == "-" and word[1:2] in {"S", "R", "U"} and {"p", "h"} & set(word[2:])
        for word in draft.args
        if word[:2] != "--"
    ):
        draft.dry = True
    letters = "".join(word[1:] for word in draft.args if word[:1] == "-" and word[:2] != "--")
    longs = set(draft.flags)
    if "S" in letters or "--sync" in longs:
        if set(letters) & {"s", "i", "l", "g"} and not set(letters) & {"u", "y"}:
            draft.looks()
        elif "c" in letters:
            draft.add("upkeep")
        else:
            draft.add("installs-package")
    elif "R" in letters or "--remove" in longs:
        draft.add("removes-package")
    elif "U" in letters or "--upgrade" in longs:
        draft.add("installs-package")
        draft.reads += draft.operands
    elif (set(letters) & {"Q", "F", "T"} and not ("F" in letters and "y" in letters)) or {
        "--query",
        "--files",
        "--deptest",
    } & longs:
        draft.unknown.clear()
        draft.looks()
    elif "D" in letters:
        draft.add("upkeep")
    elif not letters and draft.name in {"yay", "paru"}:
        draft.add("installs-package")


def _entities(draft: UseDraft) -> None:
    if draft.operands[:2] == ["database", "drop"]:
        draft.add("database/deletes")


_ASKING = frozenset({
    "list", "ls", "show", "showall", "info", "count", "status", "help", "read", "search", "check", "summary",
        "updateinfo", "provides", "query",
    "candidates", "dump-tlpdb", "auxtrees", "debug", "depends", "executes", "files", "runfiles", "all", "texmf", "news",
})  # fmt: skip


def _asks_only(draft: UseDraft) -> None:
    """Forms that only list, by the word that follows or an option that says so."""
    words = draft.operands
    if {"--dump", "--list", "--help-cmd", "--help", "-l", "--json"} & set(draft.args) and not words[1:2]:
        draft.looks("package-source", "system-settings", "upkeep", "installs-package")
        return
    verb = words[1:2] if draft.name == "eselect" else words[:1]
    if (not verb or verb[0] in _ASKING) and (draft.name != "tlmgr" or len(words) < 3):
        draft.looks("package-source", "system-settings", "upkeep", "installs-package")


def _by_name(draft: UseDraft) -> None:
    """Programs that remove by their name, and options that do instead of a verb."""
    given = set(draft.args)
    if draft.name in {"xbps-remove", "pkg_delete"}:
        draft.drop("installs-package")
        cache = given <= {"-O", "-OO", "-y", "-v", "--clean-cache", "--yes", "--verbose"} and bool(given)
        draft.add(*(["upkeep"] if cache else ["removes-package", "system-package"]))


def _tlmgr_option(draft: UseDraft) -> None:
    """A name alone shows its value; only one of them says where packages come from."""
    words = draft.operands
    if len(words) < 2:
        draft.looks("package-source")
    elif words[0] not in {"repository", "location"}:
        draft.drop("package-source")
        draft.add("upkeep")


def _emerge(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--depclean", "--unmerge", "--prune"} & flags:
        draft.add("removes-package")
    elif {"--sync", "--metadata", "--regen"} & flags:
        draft.add("upkeep")
    else:
        draft.add("installs-package")


def _lists_only(draft: UseDraft) -> None:
    """Where `update` fetches lists and `upgrade` installs."""
    if draft.name in {"opkg", "pkg", "pkgin", "slackpkg"}:
        draft.drop("installs-package", "system-package")
        draft.add("upkeep")


def _brew_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`brew --prefix x`: a subcommand written like an option."""
    if args[:1] == ("-S",):
        return ("search", *args[1:])
    return (args[0][2:], *args[1:]) if args and args[0] in _BREW_OPTIONS else args


_BREW_OPTIONS = frozenset(
    {"--prefix", "--cellar", "--repository", "--repo", "--cache", "--config", "--env", "--caskroom", "--taps"}
)


def _brew_services(draft: UseDraft) -> None:
    if draft.operands[:1] in ([], ["list"], ["info"]):
        draft.looks("service", "autostart")
    elif draft.operands[:1] in (["cleanup"], ["run"], ["restart"]):
        draft.drop("autostart")


def _linked(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "-C" and value.startswith("linker="):
            draft.run("argv", value.partition("=")[2], aside=True)


def _without_toolchain(args: tuple[str, ...]) -> tuple[str, ...]:
    """`cargo +nightly build`: which compiler, before everything else."""
    return args[1:] if args and args[0][:1] == "+" else args


def _cargo_run(draft: UseDraft) -> None:
    draft.run("file", draft.value("--manifest-path") or "Cargo.toml", *draft.operands, by="cargo run")


def _go_run(draft: UseDraft) -> None:
    if draft.operands and "@" in draft.operands[0]:
        draft.add("runs-package", "network")
    elif draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by="go run")


def _nix_shell(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name in {"--run", "--command"}:
            draft.run("shell", value)


def _nix_command(draft: UseDraft) -> None:
    args = draft.args
    for mark in ("-c", "--command"):
        if mark in args:
            draft.run("argv", *args[args.index(mark) + 1 :])
            return


READERS: dict[str, Special] = {
    "apt": _apt,
    "apt_key": (
        lambda draft: (
            draft.looks("package-source")
            if draft.name == "apt-key" and draft.operands[:1] in (["list"], ["finger"], ["export"], ["exportall"])
            else None
        )
    ),
    "asks_only": _asks_only,
    "brew_analytics": (lambda draft: draft.add("system-settings") if draft.operands not in ([], ["state"]) else None),
    "brew_bundle": (
        lambda draft: draft.looks("installs-package") if draft.operands[:1] in (["list"], ["check"]) else None
    ),
    "brew_services": _brew_services,
    "brew_tap": (lambda draft: draft.looks("package-source") if not draft.operands and not draft.flags else None),
    "by_name": _by_name,
    "cargo_clean": (lambda draft: draft.deletes.append(draft.value("--target-dir") or "target")),
    "cargo_publish": (lambda draft: draft.drop("publishes-package") if "--dry-run" in draft.flags else None),
    "cargo_run": _cargo_run,
    "cargo_tree": (lambda draft: draft.acts() if draft.words == ["audit"] and draft.operands[:1] == ["fix"] else None),
    "cargo_yank": (lambda draft: draft.looks("publishes-package") if {"--list"} == set(draft.flags) else None),
    "dnf_alias": (lambda draft: draft.acts() if draft.operands[:1] in (["add"], ["delete"]) else None),
    "dnf_history": (
        lambda draft: (
            draft.add("installs-package")
            if draft.operands[:1] in (["undo"], ["redo"], ["rollback"], ["replay"], ["store"])
            else None
        )
    ),
    "dpkg": _dpkg,
    "ebuild": (
        lambda draft: (
            draft.add("installs-package", "system-package")
            if {"merge", "qmerge", "install"} & set(draft.operands[1:])
            else draft.add("removes-package", "system-package")
            if "unmerge" in draft.operands
            else None
        )
    ),
    "emerge": _emerge,
    "entities": _entities,
    "go_run": _go_run,
    "go_tool": (
        lambda draft: (
            draft.looks("changes")
            if (
                draft.operands[:1] in (["nm"], ["objdump"], ["buildid"], ["addr2line"], [])
                or (draft.operands[:1] == ["cover"] and any(word.startswith("-func") for word in draft.args))
            )
            and not any(word.startswith(("-w", "-o", "-http")) for word in draft.args)
            else None
        )
    ),
    "go_version": (lambda draft: draft.acts() if {"-w", "-u"} & set(draft.flags) and draft.words == ["env"] else None),
    "linked": _linked,
    "lists_only": _lists_only,
    "nix_command": _nix_command,
    "nix_shell": _nix_shell,
    "pacman": _pacman,
    "rpm": _rpm,
    "rustup_update": (lambda draft: draft.looks("installs-package") if draft.operands[:1] == ["list"] else None),
    "tlmgr_option": _tlmgr_option,
}


REWRITES: dict[str, Rewrite] = {
    "brew_words": _brew_words,
    "without_toolchain": _without_toolchain,
}
