"""Find the files that a program imports: those beside it, and those in folders that it adds to the search path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from interlock.hook_lint.read.python.names import KNOWN_MODULES

__all__ = ["ModuleFiles"]

_MOST_BYTES = 200_000
_FOLDERS_UP = 4
_MOST_NAMED = 12
# A line that says where else modules are: `sys.path.insert(0, str(Path(__file__).parent / "lib"))`.
_SAYS_WHERE = re.compile(r"^.*(?:__file__|sys\.path|_ROOT|_DIR).*$", re.MULTILINE)
_NAMED = re.compile(r"[\"']([\w.-]+(?:/[\w.-]+)*)[\"']")


class ModuleFiles:
    """The files of a project, as a program finds them by the names of modules."""

    def __init__(self, file: str, text: str) -> None:
        self.folder = Path(file).absolute().parent
        self.folders = list(dict.fromkeys(_folders(self.folder, text)))

    def find(self, name: str, level: int = 0, folder: Path | None = None) -> Path | None:
        """The file of a module. `level`: how many dots were before its name, in a file of this folder."""
        if not level:
            if name.partition(".")[0] in KNOWN_MODULES:
                return None
            return next((found for one in self.folders if (found := _file(one, name)) is not None), None)
        start = folder or self.folder
        for _ in range(level - 1):
            start = start.parent
        return _file(start, name)


def _folders(folder: Path, text: str) -> Iterator[Path]:
    yield folder
    lines = _SAYS_WHERE.findall(text)
    if not any("sys.path" in line for line in lines):
        return
    names = list(dict.fromkeys(name for line in lines for name in _NAMED.findall(line)))[:_MOST_NAMED]
    above = folder
    for _ in range(_FOLDERS_UP):
        yield above
        yield from (above / name for name in names)
        if (above / ".git").exists() or above == above.parent:
            return
        above = above.parent


def _file(folder: Path, name: str) -> Path | None:
    place = folder.joinpath(*name.split(".")) if name else folder
    for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        try:
            if file.is_file() and file.stat().st_size <= _MOST_BYTES:
                return file
        except OSError:
            continue
    return None
