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


def _behind_dashes(draft: UseDraft) -> None:
    """The command follows `--`; without it there is none."""
    if "--" in draft.args[:-1]:
        draft.run("argv", *draft.args[draft.args.index("--") + 1 :])


def _variables(draft: UseDraft) -> None:
    """`cross-env A=b command`: as `env` does it."""
    if draft.operands:
        draft.run("argv", "env", *draft.operands)


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
    "behind_dashes": _behind_dashes,
    "devbox_run": _behind_dashes,
    "elsewhere": _elsewhere,
    "envchain": (
        lambda draft: (
            draft.run("argv", *draft.operands[1 if draft.name == "envchain" else 0 :])
            if len(draft.operands) > 1
            else None
        )
    ),
    "mirrord": (_subcommand_runs("exec")),
    "pssh": (lambda draft: draft.run("shell", " ".join(draft.operands), where="host") if draft.operands else None),
    "py_spy": _behind_dashes,
    "served": _served,
    "variables": _variables,
}
