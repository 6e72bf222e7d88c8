"""Whether a hook is a guard: only then does it matter what becomes of a call if the hook fails."""

from __future__ import annotations

from interlock.hook_lint.fate import fate_of, says_no
from interlock.hook_lint.wiring import HookSubject

__all__ = ["GUARDED", "guards"]

GUARDED = ("PreToolUse", "PermissionRequest")


def guards(subject: HookSubject) -> bool:
    """Whether the hook refuses calls, or tries to."""
    events = [event for event in subject.events if event in GUARDED]
    return any(
        fate_of(event, ending, subject.program).does in ("denies", "asks") or (not ending.on_error and says_no(ending))
        for event in events
        for ending in subject.program.endings
    )
