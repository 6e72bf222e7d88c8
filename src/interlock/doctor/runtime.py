"""Where Interlock itself runs, and who else works there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, note
from interlock.hosts.claude_code.runtime import environment_folder

__all__ = ["look"]


def look(root: Path, environment: Path | None = None) -> Iterator[Finding]:
    """Whether whatever installs the project's packages could replace Interlock too."""
    folder = (environment or environment_folder()).resolve()
    if folder.is_relative_to(root.resolve()):
        text = (
            f"Interlock runs in this project's own environment, {folder}: whatever installs packages there, or makes "
            "the environment anew, can replace or remove it"
        )
        yield note(
            "runtime", text, "install it apart, with `uv tool install interlock` or `pipx`; then `interlock init`"
        )
