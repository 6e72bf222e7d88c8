"""Read hook programs in shell: scripts, and the commands in settings.

A program is walked on every way through it, by the tree that the shell reader of `facts` makes. Values are texts with
holes for what is known only at run time; each hole knows which value of the event it is, or depends on.
"""

from __future__ import annotations

from pathlib import Path

from interlock.hook_lint.program import HookProgram
from interlock.hook_lint.read.shell.read import read_text

__all__ = ["read_shell"]

_MOST_BYTES = 200_000
_ANCESTORS = 5


def read_shell(file: str, text: str) -> list[HookProgram]:
    """The program in a file."""
    return [read_text(file, text, _Beside(Path(file)))]


class _Beside:
    """The files beside a program that it reads commands from."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.folders = [file.parent, *list(file.resolve().parents)[1:_ANCESTORS]] if file.is_file() else []

    def __call__(self, name: str) -> str | None:
        """The text of a file. Only the end of its name may be known: `…/lib.sh`."""
        known = name.rpartition("…")[2].lstrip("/") if "…" in name else name
        for folder in self.folders if known else ():
            path = folder / known
            try:
                if path.is_file() and path.stat().st_size <= _MOST_BYTES and not path.samefile(self.file):
                    self.folders.append(path.parent)
                    return path.read_text("utf-8", "replace")
            except OSError:
                return None
        return None
