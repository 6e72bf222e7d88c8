"""What is noted while a program is read: what it takes out of its input, and what it does with it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec.structs import replace

from interlock.hook_lint.program import (
    Change,
    HookProgram,
    InputComparison,
    InputRead,
    NameRead,
    PatternUse,
    ProgramUse,
    Span,
)
from interlock.hook_lint.read.python.source import PythonSource
from interlock.hook_lint.read.python.values import (
    EventPart,
    Fit,
    Known,
    NamedInput,
    Path,
    PyValue,
    Root,
    Run,
    alternatives,
    roots_of,
)

__all__ = ["Notes", "is_useful"]

_FLAGS = frozenset({"", "0", "1", "true", "false", "yes", "no", "on", "off", "none"})
_PLACEHOLDERS = frozenset({"", "none", "{}", "[]", "unknown", "null", "n/a", "?"})


class Notes:
    """Everything that the parts of a program add to its `HookProgram`, each thing once."""

    def __init__(self, source: PythonSource) -> None:
        self.source = source
        self.reads_event = False
        self.unread = ""
        self.counts_arguments = False  # it does without any
        self.reads: dict[tuple[Path, int], Span] = {}
        self.beside: dict[Path, set[Path]] = {}
        self.names: dict[tuple[str, str], Span] = {}
        self.with_default: set[tuple[str, str]] = set()
        self.deciding: set[Root] = set()
        self.comparisons: dict[int, InputComparison] = {}
        self.patterns: dict[tuple[int, Path, str], PatternUse] = {}
        self.runs: dict[int, ProgramUse] = {}
        self.checked: set[str] = set()
        self.blocking: dict[int, Span] = {}

    def span(self, value: PyValue | None, otherwise: ast.AST) -> Span:
        """Where a constant is written, or else the node that uses it."""
        node = value.node if isinstance(value, Known) and value.node is not None else otherwise
        return self.source.span(node if self.source.is_own(node) else otherwise)

    def read(self, path: Path, span: Span) -> EventPart:
        self.reads.setdefault((path, span.start), span)
        return EventPart(path)

    def link(self, path: Path, others: Iterable[Path]) -> None:
        """Note that these are read in the place of one another."""
        for other in others:
            if other != path:
                self.beside.setdefault(path, set()).add(other)
                self.beside.setdefault(other, set()).add(path)

    def search_inside(self, values: Iterable[PyValue]) -> None:
        """Note that a function calls itself with a part of the event: it looks there for what it looks for above."""
        inside = [path for one in values if isinstance(one, EventPart) for path in (one.path, *one.beside) if path]
        names = [path for path, _ in self.reads if len(path) == 1]
        for above in names:
            self.link(above, [(*path, *name) for path in inside for name in names])

    def name(self, named: NamedInput, node: ast.AST, *, has_default: bool) -> NamedInput:
        key = (named.kind, named.name)
        self.names.setdefault(key, self.source.span(node))
        if has_default:
            self.with_default.add(key)
        return named

    def compare(self, subject: PyValue, options: Iterable[PyValue], node: ast.AST) -> frozenset[Root]:
        """Note that a value is compared with texts. Returns what the answer is made from."""
        found: set[Root] = set()
        texts = tuple(
            dict.fromkeys(
                one.value
                for option in options
                for one in alternatives(option)
                if isinstance(one, Known) and isinstance(one.value, str) and one.value
            )
        )
        # A value that a table of the program gives is compared with what the table holds, not with what clients send.
        given = {one.value for one in alternatives(subject) if isinstance(one, Known)}
        of_event = tuple(text for text in texts if text not in given)
        for one in alternatives(subject):
            if isinstance(one, EventPart) and one.path and of_event and self.source.is_own(node):
                span = self.source.span(node)
                compared = InputComparison(path=one.path, values=of_event, span=span, is_cased=bool(one.case))
                self.comparisons.setdefault(span.start, compared)
                found.add(Fit(span))
            # a word by which a person says what to do
            is_command = isinstance(one, NamedInput) and one.kind == "argument"
            if not is_command and any(text.strip().lower() not in _FLAGS for text in texts):
                self.judge_by(one)
        return frozenset(found)

    def search(
        self, subject: PyValue, pattern: PyValue, how: str, node: ast.AST, *, is_exact: bool = True
    ) -> frozenset[Root]:
        """Note that a value is searched by a pattern, or by one of several. Returns the same as `compare`."""
        found: set[Root] = set()
        for one in alternatives(subject):
            self.judge_by(one)
            path, change = _search_subject(one)
            if not path or not self.source.is_own(node):
                continue
            for text in alternatives(pattern):
                if isinstance(text, Known) and isinstance(text.value, str) and self._is_own(text):
                    span = self.span(text, node)
                    use = PatternUse(
                        path=path, text=text.value, how=how, span=span, change=change, is_exact=is_exact,  # type: ignore[arg-type]
                    )  # fmt: skip
                    self.patterns.setdefault((span.start, path, use.text), use)
                    found.add(Fit(span))
        return frozenset(found)

    def _is_own(self, value: Known) -> bool:
        return value.node is None or self.source.is_own(value.node)

    def judge_by(self, value: PyValue) -> None:
        """Note that the hook judges by what a variable or an argument holds."""
        self.deciding.update(root for root in roots_of(value) if isinstance(root, NamedInput))

    def decide(self, roots: Iterable[Root]) -> None:
        """Note that what programs have printed decides about the way."""
        self.deciding.update(root for root in roots if isinstance(root, Run))

    # --- what comes of it --------------------------------------------------------------------------------------

    def complete(self, program: HookProgram) -> HookProgram:
        """The program with everything that was noted of it."""
        return replace(
            program,
            reads=self.all_reads(),
            names=self.all_names(),
            comparisons=tuple(self.comparisons.values()),
            patterns=tuple(self.patterns.values()),
            uses=self.all_runs(),
            blocking=tuple(sorted(self.blocking.values(), key=lambda span: span.start)),
            unread=self.unread,
        )

    def all_reads(self) -> tuple[InputRead, ...]:
        paths = {path for path, _ in self.reads}
        longer = {path[:length] for path in paths for length in range(len(path))}
        return tuple(
            InputRead(path=path, span=span, beside=tuple(sorted(self.beside.get(path, ()))), is_last=path not in longer)
            for (path, _), span in self.reads.items()
        )

    def all_names(self) -> tuple[NameRead, ...]:
        return tuple(
            NameRead(
                kind=kind,  # type: ignore[arg-type]
                name=name,
                span=span,
                has_default=(kind, name) in self.with_default or (kind == "argument" and self.counts_arguments),
                decides=NamedInput(kind, name) in self.deciding,
            )
            for (kind, name), span in self.names.items()
        )

    def all_runs(self) -> tuple[ProgramUse, ...]:
        return tuple(
            ProgramUse(
                name=use.name,
                span=use.span,
                is_checked=use.is_checked or use.name in self.checked,
                decides=Run(key) in self.deciding,
                arguments=use.arguments,
            )
            for key, use in self.runs.items()
        )


def _search_subject(value: PyValue) -> tuple[Path, Change]:
    """The value of the event that is searched, and how it was changed before."""
    if isinstance(value, EventPart):
        return value.path, value.case
    roots = [root for root in roots_of(value) if not isinstance(root, Fit)]
    return (roots[0], "other") if len(roots) == 1 and isinstance(roots[0], tuple) else ((), "")


def is_useful(default: PyValue | None) -> bool:
    """Whether a program has something to work with if a variable is not set."""
    if isinstance(default, Known):
        return str(default.value).strip().lower() not in _PLACEHOLDERS
    return default is not None
