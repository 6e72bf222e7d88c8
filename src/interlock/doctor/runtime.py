"""Where Interlock itself is installed, and what else is installed there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, note
from interlock.hosts.claude_code.runtime import environment_folder

__all__ = ["look"]


def look(root: Path, environment: Path | None = None) -> Iterator[Finding]:
    """Whether installing the project's packages could replace Interlock too."""
    folder = (environment or environment_folder()).resolve()
    if folder.is_relative_to(root.resolve()):
        text = (
            f"Interlock runs in this project's own environment, {folder}: installing packages there, or creating the "
            "environment again, can replace or remove it"
        )
        yield note(
            "runtime", text, "install it separately, with `uv tool install interlock` or `pipx`; then `interlock init`"
        )
