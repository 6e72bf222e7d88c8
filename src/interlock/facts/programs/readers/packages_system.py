"""The machine's packages, and other languages' package managers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Rewrite, Special


def _apt(draft: UseDraft) -> None:
    """`-o APT::Update::Pre-Invoke::=CMD`: settings that name commands."""
    for name, value in draft.values:
        if name == "--option" and any(
            word in value for word in ("Invoke", "Pre-Install", "Post-", "Methods", "Proxy-Auto", "Dir::Bin")
        ):
            draft.aside(value.partition("=")[2])
        elif name == "--option" and "AllowInsecure" in value:
            draft.add("insecure")


def _pacman(draft: UseDraft) -> None:
    """The first letter is the operation; the rest belongs to it."""
    if {"--print", "--help", "--getpkgbuild"} & set(draft.flags) or any(
        word[:1] == "-" and word[1:2] in {"S", "R", "U"} and {"p", "h"} & set(word[2:])
        for word in draft.marks()
        if word[:2] != "--"
    ):
        draft.dry = True
    letters = "".join(word[1:] for word in draft.marks() if word[:2] != "--")
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


def _brew_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`brew --prefix x`: a subcommand written like an option."""
    if args[:1] == ("-S",):
        return ("search", *args[1:])
    return (args[0][2:], *args[1:]) if args and args[0] in _BREW_OPTIONS else args


_BREW_OPTIONS = frozenset(
    {"--prefix", "--cellar", "--repository", "--repo", "--cache", "--config", "--env", "--caskroom", "--taps"}
)


def _linked(draft: UseDraft) -> None:
    """`-C linker=PROGRAM`: one of many codegen options is run."""
    for name, value in draft.values:
        if name == "-C" and value.startswith("linker="):
            draft.run("argv", value.partition("=")[2], aside=True)


def _without_toolchain(args: tuple[str, ...]) -> tuple[str, ...]:
    """`cargo +nightly build`: which compiler, before everything else."""
    return args[1:] if args and args[0][:1] == "+" else args


# Settings of cargo whose value is a program that it starts.
_CARGO_RUNS = (
    "rustc-wrapper", "rustc-workspace-wrapper", "rustc", "rustdoc", "runner", "linker", "credential-provider",
)  # fmt: skip


def _cargo_settings(draft: UseDraft) -> None:
    """`--config 'build.rustc-wrapper="x"'` names a program; `--config file` has settings in it."""
    for name, value in draft.values:
        if name == "--config":
            key, mark, text = value.partition("=")
            if mark and key.strip().rpartition(".")[2] in _CARGO_RUNS:
                draft.aside(text.strip().strip("\"'[]").replace('"', "").replace(",", " "))
                draft.acts()
            elif not mark:
                draft.run("file", value, by="cargo")


def _cargo_run(draft: UseDraft) -> None:
    """What runs is the project that the manifest describes."""
    draft.run("file", draft.value("--manifest-path") or "Cargo.toml", *draft.operands, by="cargo run")


def _go_run(draft: UseDraft) -> None:
    """A package with a version is fetched; otherwise files of the project run."""
    if draft.operands and "@" in draft.operands[0]:
        draft.add("runs-package", "network")
    elif draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by="go run")


def _nix_command(draft: UseDraft) -> None:
    """Everything behind `-c` is the command, options too."""
    args = draft.args
    for mark in ("-c", "--command", "--") if draft.name == "guix" else ("-c", "--command"):
        if mark in args:
            draft.run("argv", *args[args.index(mark) + 1 :])
            return


READERS: dict[str, Special] = {
    "apt": _apt,
    "cargo_run": _cargo_run,
    "cargo_settings": _cargo_settings,
    "go_run": _go_run,
    "linked": _linked,
    "nix_command": _nix_command,
    "pacman": _pacman,
}


REWRITES: dict[str, Rewrite] = {
    "brew_words": _brew_words,
    "without_toolchain": _without_toolchain,
}
