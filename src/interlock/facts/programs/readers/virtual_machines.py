"""Virtual machines and system containers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _attach(draft: UseDraft) -> None:
    """A name, unless an option gave it, and a command to run inside; without one, a shell."""
    words = draft.operands if draft.value("--name") is not None else draft.operands[1:]
    if words:
        draft.run("argv", *words, where="container")
    else:
        draft.stdin = "shell"


def _group(draft: UseDraft) -> None:
    """A state object alone is read; with a value it is set."""
    given = len(draft.operands) + (draft.value("--name") is not None)
    if given > 2:
        draft.add("container/changes")
        draft.acts()


READERS: dict[str, Special] = {
    "attach": _attach,
    "group": _group,
}
