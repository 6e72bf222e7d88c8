"""Carry out the fixes of findings: what files would become, and what was left because two fixes touch one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from interlock.files.edit import FileChange
from interlock.hook_lint.finding import Fix, LintFinding

__all__ = ["FixPlan", "make_executable", "plan_fixes"]

_EXECUTABLE = 0o111


class FixPlan(Struct, frozen=True, kw_only=True):
    """The changes of all fixes, the files that become executable, and the findings that they settle."""

    changes: tuple[FileChange, ...] = ()
    executable: tuple[Path, ...] = ()
    fixed: tuple[LintFinding, ...] = ()


def plan_fixes(findings: Iterable[LintFinding]) -> FixPlan:
    """What would be written. Of fixes that overlap, the first is taken; another run takes the next."""
    by_file: dict[str, list[tuple[LintFinding, Fix]]] = {}
    for one in findings:
        if one.fix is not None:
            by_file.setdefault(one.fix.file, []).append((one, one.fix))
    changes: list[FileChange] = []
    executable: list[Path] = []
    fixed: list[LintFinding] = []
    for file, wanted in by_file.items():
        path = Path(file)
        taken = _compatible(wanted)
        fixed += [finding for finding, _ in taken]
        if any(fix.executable for _, fix in taken):
            executable.append(path)
        edits = sorted({edit for _, fix in taken for edit in fix.edits}, key=lambda edit: edit.start, reverse=True)
        if edits:
            before = path.read_bytes()
            text = before.decode("utf-8")
            for edit in edits:
                text = text[: edit.start] + edit.text + text[edit.end :]
            changes.append(FileChange(path, before, text.encode("utf-8"), path.stat().st_mode & 0o777))
    return FixPlan(changes=tuple(changes), executable=tuple(executable), fixed=tuple(fixed))


def _compatible(wanted: Sequence[tuple[LintFinding, Fix]]) -> list[tuple[LintFinding, Fix]]:
    """Fixes of one file that touch different places."""
    taken: list[tuple[LintFinding, Fix]] = []
    spans: set[tuple[int, int]] = set()
    for finding, fix in wanted:
        own = {(edit.start, edit.end) for edit in fix.edits}
        if any(start < end_there and start_there < end for start, end in own for start_there, end_there in spans - own):
            continue
        if own & spans and fix.edits not in [other.edits for _, other in taken]:
            continue  # two texts for one place
        spans |= own
        taken.append((finding, fix))
    return taken


def make_executable(path: Path) -> None:
    """Let every user who may read a file execute it."""
    mode = path.stat().st_mode
    path.chmod(mode | (mode >> 2 & _EXECUTABLE))
