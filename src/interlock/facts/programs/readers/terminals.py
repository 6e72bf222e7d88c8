"""Terminals in a window, each with its own way to say what runs in it."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _terminal(draft: UseDraft) -> None:
    """A window with a shell in it, or with the command that follows `-e`, `-x` or `--`."""
    args = draft.args
    draft.operands += args
    for at, word in enumerate(args):
        if word in {"-e", "-x", "--", "--execute", "-c", "--command"}:
            rest = args[at + 1 :]
            if len(rest) == 1:
                draft.run("shell", rest[0])
            elif rest:
                draft.run("argv", *rest)
            return
        if word.startswith("--command="):
            draft.run("shell", word.partition("=")[2])
            return
    if draft.name in _PLAIN_COMMAND and (rest := _after_options(args)):
        draft.run("argv", *rest)
        return
    draft.add("interactive")


# Terminals that run the words after their options.
_PLAIN_COMMAND = frozenset({"kitty", "foot", "footclient", "st"})


def _after_options(args: tuple[str, ...]) -> tuple[str, ...]:
    """The words from the first that could be a program. It may be an option's value, which only adds a name."""
    start = next((at for at, word in enumerate(args) if not word.startswith("-")), len(args))
    return args[start:]


READERS: dict[str, Special] = {
    "terminal": _terminal,
}
