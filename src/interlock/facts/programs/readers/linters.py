"""Checkers and formatters of code, prose, schemas and configuration, beside those of the build tools.

A checker that loads settings written as code, or plugins of the project, runs the project.
"""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _mode(draft: UseDraft) -> None:
    """Ormolu's kin print, unless their mode is to write."""
    if draft.value("--mode") in {"inplace", "\0"}:
        draft.acts()
        draft.writes += draft.operands


READERS: dict[str, Special] = {
    "detect_secrets_scan": (
        lambda draft: (
            draft.acts()
            if "--baseline" in draft.args
            or any(word.startswith(("--baseline=", "--output", "--update")) for word in draft.args)
            else None
        )
    ),
    "mode": _mode,
    "osv_scanner": (
        lambda draft: (
            draft.acts()
            if draft.operands[:1] in (["fix"], ["auth"], ["server"], ["cloud"], ["update"], ["login"])
            else None
        )
    ),
}
