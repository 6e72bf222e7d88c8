"""Programs that start another one: with variables, in a terminal, again, later, or on many machines."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _after_dashes(draft: UseDraft) -> None:
    """The command follows `--`, else the options and their own words."""
    args = draft.args
    words = args[args.index("--") + 1 :] if "--" in args else tuple(draft.operands)
    if words:
        draft.run("argv", *words)
    else:
        draft.acts()


def _variables(draft: UseDraft) -> None:
    """`cross-env A=b command`: as `env` does it."""
    if draft.operands:
        draft.run("argv", "env", *draft.operands)


def _dotenv(draft: UseDraft) -> None:
    verb = draft.operands[:1]
    if verb in (["list"], ["get"]):
        draft.add("reads-secret")
    elif verb in (["set"], ["unset"]):
        draft.writes.append(draft.value("--file") or ".env")
    else:
        words = [word for word in draft.operands[1 if verb == ["run"] else 0 :] if word != "--"]
        draft.run("argv", *words) if words else draft.acts()


_RTK_SHOWS = frozenset({"gain", "discover", "version", "help", "cc-economics", "session"})
_RTK_CHANGES = frozenset({"init", "hook", "trust", "untrust", "verify", "learn", "telemetry", "config"})


def _rtk(draft: UseDraft) -> None:
    """Shortens what another program prints: `rtk git status`."""
    words = draft.operands
    if words and words[0] in _RTK_CHANGES:
        draft.acts()
    elif words and words[0] not in _RTK_SHOWS:
        draft.run("argv", *words[1 if words[0] in {"proxy", "err", "test", "summary", "run"} else 0 :])


def _terminal(*flags: str, shell: bool = False) -> Special:
    """A terminal: what follows one of these options, to the end, is run in it."""

    def of(draft: UseDraft) -> None:
        args = draft.args
        at = next((place for place, word in enumerate(args) if word in flags), None)
        if at is None:
            draft.add("interactive")
            draft.acts()
            if "--" in args:
                draft.run("argv", *args[args.index("--") + 1 :])
            return
        words = args[at + 1 :]
        if len(words) == 1 or shell:
            draft.run("shell", words[0] if words else "\0")
        elif words:
            draft.run("argv", *words)

    return of


def _subcommand_runs(*verbs: str) -> Special:
    """`tool exec -- command`; its other subcommands are no wrappers."""

    def of(draft: UseDraft) -> None:
        if draft.operands[:1] and draft.operands[0] in verbs:
            args = draft.args
            words = args[args.index("--") + 1 :] if "--" in args else tuple(draft.operands[1:])
            if words:
                draft.run("argv", *words)
        else:
            draft.add("changes")
            draft.acts()

    return of


def _elsewhere(draft: UseDraft) -> None:
    """A job of a batch system: it runs on another machine."""
    if draft.operands:
        draft.run("argv", *draft.operands, where="host")


def _shells(draft: UseDraft) -> None:
    """Every operand is a command line."""
    for word in draft.operands:
        draft.run("shell", word)


def _served(draft: UseDraft) -> None:
    """A command, a shell above all, behind a web page."""
    draft.add("network/listens")
    draft.acts()
    if draft.operands:
        name = draft.operands[0].rpartition("/")[2]
        if name in {"bash", "sh", "zsh", "fish", "login", "dash", "ksh", "tmux", "screen", "su", "sudo"}:
            draft.add("network/shell")
        draft.run("argv", *draft.operands)


READERS: dict[str, Special] = {
    "after_dashes": _after_dashes,
    "devbox_run": (lambda draft: _after_dashes(draft) if "--" in draft.args else None),
    "dotenv": _dotenv,
    "dtach": (lambda draft: draft.run("argv", *draft.operands[1:]) if len(draft.operands) > 1 else None),
    "elsewhere": _elsewhere,
    "envchain": (
        lambda draft: (
            draft.run("argv", *draft.operands[1 if draft.name == "envchain" else 0 :])
            if len(draft.operands) > 1
            else None
        )
    ),
    "guake": (_terminal("-e", "-x", "--command", "--execute")),
    "lxterm": (_terminal("-e")),
    "mirrord": (_subcommand_runs("exec")),
    "pee": (
        lambda draft: (
            _shells(draft)
            if draft.name in {"pee", "mispipe"}
            else draft.run("argv", *draft.operands)
            if draft.operands
            else None
        )
    ),
    "pssh": (lambda draft: draft.run("shell", " ".join(draft.operands), where="host") if draft.operands else None),
    "py_spy": (
        lambda draft: draft.run("argv", *draft.args[draft.args.index("--") + 1 :]) if "--" in draft.args[:-1] else None
    ),
    "rtk": _rtk,
    "served": _served,
    "variables": _variables,
    "viddy": (lambda draft: draft.run("shell", " ".join(draft.operands)) if draft.operands else None),
    "xdg_terminal_exec": (
        lambda draft: draft.run("argv", *[word for word in draft.args if word != "-e"]) if draft.args else None
    ),
}
