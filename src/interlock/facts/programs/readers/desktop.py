"""Programs that act on a person's screen, where the same line can ask and act."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

_ACTING = ("key", "type", "click", "mouse", "window", "set_", "exec", "behave", "select")


def _xdotool(draft: UseDraft) -> None:
    """Words that ask about windows; one that acts may follow them."""
    if draft.operands and not any(word.startswith(_ACTING) for word in draft.operands):
        draft.looks("captures", "changes")


READERS: dict[str, Special] = {
    "xdotool": _xdotool,
}
