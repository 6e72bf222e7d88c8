"""What is noted while a program is walked: what it reads, compares, searches and uses."""

from __future__ import annotations

from bisect import bisect_right

from msgspec.structs import replace

from interlock.hook_lint.program import (
    InputComparison,
    InputRead,
    NameRead,
    Path,
    PatternUse,
    ProgramUse,
    Span,
)

__all__ = ["LineTable", "ShellNotes"]


class LineTable:
    """Where the lines of a file begin."""

    def __init__(self, text: str) -> None:
        self.lines = [0]
        at = text.find("\n")
        while at >= 0:
            self.lines.append(at + 1)
            at = text.find("\n", at + 1)

    def span(self, start: int, end: int) -> Span:
        line = bisect_right(self.lines, start)
        return Span(start, max(start, end), line, start - self.lines[line - 1] + 1)


class ShellNotes:
    """Everything that a walk adds to the `HookProgram`, each thing once."""

    def __init__(self) -> None:
        self.reads: dict[tuple[Path, Span], InputRead] = {}
        self.names: dict[tuple[str, str], NameRead] = {}
        self.comparisons: dict[tuple[Path, Span], InputComparison] = {}
        self.patterns: dict[tuple[Path, str, Span], PatternUse] = {}
        self.uses: dict[tuple[str, Span], ProgramUse] = {}
        self.checked: set[str] = set()  # programs that it looks for
        self.deciding: set[str] = set()  # names and programs that it judges by
        self.groups: dict[str, set[Path]] = {}  # values that go into the same variable
        self.reads_event = False
        self.unread = ""

    def read(self, path: Path, span: Span, beside: tuple[Path, ...] = (), *, by_text: str = "") -> None:
        self.reads_event = True
        if not path:
            return
        before = self.reads.get((path, span))
        together = tuple(dict.fromkeys((*(before.beside if before else ()), *(one for one in beside if one != path))))
        self.reads[path, span] = InputRead(path=path, span=span, beside=together, by_text=by_text)

    def link(self, paths: tuple[Path, ...]) -> None:
        """Note that one of these values is used where another is missing."""
        for key, one in self.reads.items():
            if one.path in paths:
                others = (*one.beside, *(path for path in paths if path and path != one.path))
                self.reads[key] = replace(one, beside=tuple(dict.fromkeys(others)))

    def group(self, name: str, paths: tuple[Path, ...]) -> None:
        self.groups.setdefault(name, set()).update(path for path in paths if path)

    def name(self, kind: str, name: str, span: Span, *, has_default: bool) -> None:
        before = self.names.get((kind, name))
        found = NameRead(
            kind="argument" if kind == "argument" else "environment",
            name=name,
            span=span if before is None else before.span,
            has_default=has_default or (before is not None and before.has_default),
        )
        self.names[kind, name] = found

    def compare(self, path: Path, values: tuple[str, ...], span: Span) -> None:
        before = self.comparisons.get((path, span))
        every = tuple(dict.fromkeys((*(before.values if before else ()), *values)))
        self.comparisons[path, span] = InputComparison(path=path, values=every, span=span)

    def search(self, use: PatternUse) -> None:
        self.patterns.setdefault((use.path, use.text, use.span), use)

    def add_pattern(self, use: PatternUse, path: Path, span: Span) -> None:
        """Note a pattern of an inner program."""
        self.search(replace(use, path=path, span=span))

    def use(self, name: str, span: Span, arguments: tuple[str, ...]) -> None:
        self.uses.setdefault((name, span), ProgramUse(name=name, span=span, arguments=arguments))

    # What the program model gets.

    def all_reads(self) -> tuple[InputRead, ...]:
        for paths in self.groups.values():
            if len(paths) > 1:
                self.link(tuple(sorted(paths)))
        paths = {one.path for one in self.reads.values()}
        longer = {path[:size] for path in paths for size in range(1, len(path))}
        return tuple(
            replace(one, is_last=one.path not in longer)
            for one in sorted(self.reads.values(), key=lambda one: (one.span.start, one.path))
        )

    def all_names(self) -> tuple[NameRead, ...]:
        return tuple(replace(one, decides=f"${one.name}" in self.deciding) for one in self.names.values())

    def all_uses(self) -> tuple[ProgramUse, ...]:
        return tuple(
            replace(one, is_checked=one.name in self.checked, decides=one.name in self.deciding)
            for one in sorted(self.uses.values(), key=lambda one: one.span.start)
        )
