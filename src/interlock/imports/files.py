"""Find what can be imported: which tool a file belongs to, and the files of a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from interlock.errors import InterlockError, Source
from interlock.imports.conclaude import read_conclaude
from interlock.imports.draft import Import, settle
from interlock.imports.hookify import read_rule
from interlock.imports.permissions import read_permissions

__all__ = ["KINDS", "Kind", "import_files"]

Kind: TypeAlias = Literal["conclaude", "claude-permissions", "hookify"]
KINDS: tuple[Kind, ...] = ("conclaude", "claude-permissions", "hookify")
_MOST = 1024 * 1024
_IN_PROJECT: dict[Kind, tuple[str, ...]] = {
    "conclaude": (".conclaude.yaml", ".conclaude.yml"),
    "claude-permissions": (
        ".claude/settings.json", ".claude/settings.local.json", "settings.json", "settings.local.json",
    ),
    "hookify": (".claude/hookify.*.local.md", "hookify.*.local.md"),
}  # fmt: skip


def import_files(places: list[Path], kind: Kind | None = None) -> Import:
    """Everything that these files and folders contain, as rules that load and whose cases hold."""
    found = Import()
    for file, its_kind in _files(places, kind):
        one = _read(file, its_kind)
        found.rules += one.rules
        found.left += one.left
        found.remarks += one.remarks
    return settle(found)


def _files(places: list[Path], kind: Kind | None) -> Iterator[tuple[Path, Kind]]:
    for place in places:
        if not place.is_dir():
            yield place, kind or _kind_of(place)
            continue
        inside = [
            (file, one)
            for one in KINDS
            if kind in (None, one)
            for pattern in _IN_PROJECT[one]
            for file in sorted(place.glob(pattern))
        ]
        inside = [(file, one) for file, one in inside if one != "claude-permissions" or _has_permissions(file)]
        if not inside:
            wanted = ".conclaude.yaml, .claude/settings.json with `permissions`, .claude/hookify.*.local.md"
            raise InterlockError(f"there is nothing to import in `{place}`", help=f"it looks for {wanted}")
        yield from inside


def _has_permissions(file: Path) -> bool:
    """Whether settings that nobody named have permissions at all; most have none."""
    return '"permissions"' in _text(file)


def _kind_of(file: Path) -> Kind:
    match file.suffix:
        case ".yaml" | ".yml":
            return "conclaude"
        case ".json":
            return "claude-permissions"
        case ".md":
            return "hookify"
    raise InterlockError(f"it is not clear what `{file}` is", help=f"say which with --from {'|'.join(KINDS)}")


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes() if file.stat().st_size <= _MOST else None
    except OSError as error:
        raise InterlockError(f"cannot read `{file}`: {error.strerror}", help="correct the path") from error
    if raw is None:
        raise InterlockError(f"`{file}` has more than 1 MiB", help="is it the right file?")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InterlockError("the file is not UTF-8", Source(str(file), line, 1), "save it as UTF-8") from error


def _read(file: Path, kind: Kind) -> Import:
    text = _text(file)
    match kind:
        case "conclaude":
            return read_conclaude(text, str(file))
        case "claude-permissions":
            own = file.resolve().parent == (Path.home() / ".claude").resolve()
            return read_permissions(text, str(file), own=own)
    return read_rule(text, str(file))
