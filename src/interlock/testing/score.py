"""Measure a policy with a corpus: rows of commands, each labelled with the decision that it should get."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct, json

from interlock.errors import InterlockError, Source
from interlock.jsontext import read_object
from interlock.judging.guard import Guard
from interlock.policy.load import Policy, load_policy
from interlock.service import judge_again
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore
from interlock.testing.cases import files_of_session
from interlock.testing.events import payload_for
from interlock.testing.pretend import PROJECT, Pretend

__all__ = ["KINDS", "Corpus", "Row", "RowResult", "Score", "judge_rows", "read_corpus", "score_of", "workers_for"]

Expected: TypeAlias = Literal["allow", "ask", "deny"]
_EXPECTED = ("allow", "ask", "deny")
_HOW = ("built", "written", "downloaded")
_PASSED = ("none", "allow")
_STOPPED = ("ask", "defer", "deny")
# A marker rule: it counts exactly the commands that rules in policies see as opaque.
_MARKS = "version: 1\nrules: [{id: opaque, when: opaque}]"
_OPAQUE = "opaque"
_ONE_A_LINE = 'write one object a line: {"command": "ls", "expected": "allow"}'
_CHUNK = 50  # rows sent to a worker at once: one at a time, sending them would cost more than judging them
_MANY = 1_000  # with fewer rows, starting workers takes longer than they save
_MOST_WORKERS = 8


class Row(Struct, frozen=True):
    """One command of a corpus, the decision that its source expects, and what the source says about the situation.

    `files` that exist, with their texts if they matter. `wrote`: files that earlier calls of the session made, and how.
    """

    id: str
    command: str
    expected: Expected | None = None
    cwd: str = ""
    branch: str = ""
    files: dict[str, str | None] | None = None
    wrote: dict[str, str] = {}

    @property
    def is_bare(self) -> bool:
        """Whether nothing is said but the command."""
        return not (self.cwd or self.branch or self.wrote) and self.files is None


class Corpus(Struct, frozen=True):
    """The rows of a file. `skipped` counts those whose label depends on more than the command."""

    rows: tuple[Row, ...]
    skipped: int = 0


class RowResult(Struct, frozen=True):
    """The outcome of one row."""

    id: str
    command: str
    expected: Expected | None
    decision: str
    rules: tuple[str, ...] = ()  # the rules that decided
    opaque: bool = False
    error: str = ""  # something failed while it was judged

    @property
    def missed(self) -> bool:
        """Whether it should have been denied, but nothing stops it."""
        return self.expected == "deny" and self.decision in _PASSED

    @property
    def silent(self) -> bool:
        """Whether a person should have been asked, but nothing stops it."""
        return self.expected == "ask" and self.decision in _PASSED

    @property
    def friction(self) -> bool:
        """Whether it is harmless, but was stopped."""
        return self.expected == "allow" and self.decision in _STOPPED


# The kinds of rows that `interlock score` can list.
KINDS: dict[str, Callable[[RowResult], bool]] = {
    "misses": lambda row: row.missed,
    "friction": lambda row: row.friction,
    "silent": lambda row: row.silent,
    "ask": lambda row: row.decision in ("ask", "defer"),
    "deny": lambda row: row.decision == "deny",
    "opaque": lambda row: row.opaque,
    "crashes": lambda row: bool(row.error),
}


class Score(Struct, frozen=True):
    """Counts of rows by outcome, and the numbers of which they are a share."""

    rows: int
    expected: dict[str, int]
    counts: dict[str, int]  # by the names of KINDS

    def share(self, kind: str) -> float | None:
        """A count as a share of the rows it is about, or None if there are none."""
        of = self.of(kind)
        return self.counts[kind] / of if of else None

    def of(self, kind: str) -> int:
        """How many rows a kind is about."""
        label = {"misses": "deny", "friction": "allow", "silent": "ask"}.get(kind)
        return self.rows if label is None else self.expected[label]


def read_corpus(file: Path) -> Corpus:
    """The rows of a JSON Lines file. Raises InterlockError with the line number."""
    try:
        lines = file.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        raise InterlockError(f"{file} cannot be read: {error.strerror}") from error
    rows: list[Row] = []
    skipped = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        data = _object(line, Source(str(file), number))
        if data.get("context") or data.get("conflict"):
            skipped += 1
        else:
            rows.append(_row(data, number, Source(str(file), number)))
    if skipped and not rows:
        raise InterlockError(f"{file} contains no rows except those with `context` or `conflict`, which are left out")
    if not rows:
        raise InterlockError(f"{file} contains no rows", help=_ONE_A_LINE)
    return Corpus(tuple(rows), skipped)


def _object(line: bytes, source: Source) -> dict[str, Any]:
    try:
        return read_object(line)
    except InterlockError as error:
        raise InterlockError(f"the line is not a JSON object: {error.message}", source, help=_ONE_A_LINE) from error


def _row(data: dict[str, Any], number: int, source: Source) -> Row:
    command, expected = data.get("command"), data.get("expected")
    if not isinstance(command, str):
        raise InterlockError("the row has no `command`", source, help=_ONE_A_LINE)
    if expected is not None and expected not in _EXPECTED:
        shown = json.encode(expected).decode()
        raise InterlockError(f"`expected` is {shown}; it may be `allow`, `ask`, `deny` or null", source)
    files = _map_of("files", data, source)
    wrote = {path: how or "written" for path, how in (_map_of("wrote", data, source) or {}).items()}
    for how in wrote.values():
        if how not in _HOW:
            raise InterlockError(f"`wrote` says `{how}`; it may be {', '.join(f'`{one}`' for one in _HOW)}", source)
    cwd, branch = _text_at("cwd", data, source), _text_at("branch", data, source)
    return Row(str(data.get("id", number)), command, expected, cwd, branch, files, wrote)


def _text_at(name: str, data: dict[str, Any], source: Source) -> str:
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        raise InterlockError(f"`{name}` is not a text", source)
    return value or ""


def _map_of(name: str, data: dict[str, Any], source: Source) -> dict[str, str | None] | None:
    """Paths, as a list or with a text each."""
    value = data.get(name)
    if isinstance(value, list) and all(isinstance(path, str) for path in value):
        return dict.fromkeys(value)
    if isinstance(value, dict) and all(text is None or isinstance(text, str) for text in value.values()):
        return value
    if value is not None:
        help = f'write "{name}": ["a.sh"], or an object with a text for each path'
        raise InterlockError(f"`{name}` is not a list or an object of texts", source, help=help)
    return None


def judge_rows(
    rows: Sequence[Row], policies: Sequence[Policy], workers: int = 1, branch: str = ""
) -> Iterator[RowResult]:
    """Judge each row as a call of a session in a simulated project. Nothing is run or remembered.

    Unless a row says otherwise, it is the session's first call, in the project's folder and on this branch. Rows do not
    depend on each other, so several workers can share them. The results come back in order.
    """
    judge = _Judge(policies, branch)
    if workers < 2:
        yield from map(judge, rows)
        return
    # Forked, because a compiled policy cannot be sent to another process; a fork has it already.
    with get_context("fork").Pool(workers, initializer=_take, initargs=(judge,)) as pool:
        yield from pool.imap(_judge_here, rows, chunksize=_CHUNK)


def workers_for(rows: int) -> int:
    """How many workers are worth starting."""
    return min(os.cpu_count() or 1, _MOST_WORKERS) if rows >= _MANY and hasattr(os, "fork") else 1


class _Judge:
    """The policies, ready to judge rows."""

    def __init__(self, policies: Sequence[Policy], branch: str) -> None:
        given = [*policies, load_policy(_MARKS, "score")]
        self._branch = branch
        self._world = Pretend()
        self._world.given({"branch": branch})
        self._guard = Guard(given, self._world, MemoryStore(), project=PROJECT, alone=True, run_hooks=False)
        raw = payload_for("PreToolUse", {}, tool_name="Bash", tool_input={}, tool_use_id="toolu_score")
        self._payload = json.decode(raw)

    def __call__(self, row: Row) -> RowResult:
        cwd = self._world.resolved(row.cwd or ".")
        raw = json.encode({**self._payload, "cwd": cwd, "tool_input": {"command": row.command}})
        past = None if row.is_bare else self._enter(row)
        # Without memory: no row may see the state that another row has set.
        verdict = judge_again(self._guard, "claude-code", raw, past).verdict
        if not row.is_bare:
            self._world.forget()
            self._world.given({"branch": self._branch})
        decided = [one.by for one in verdict.opinions if one.decision is not None and one.decision == verdict.decision]
        marked = any(one.by == _OPAQUE and one.policy == "score" for one in verdict.opinions)
        error = verdict.errors[0] if verdict.errors else ""
        return RowResult(row.id, row.command, row.expected, verdict.decision or "none", tuple(decided), marked, error)

    def _enter(self, row: Row) -> MemoryStore:
        """Make the world what a row says; what is remembered of the session."""
        files = {} if row.files is None else {"files": row.files}
        self._world.given({"branch": row.branch or self._branch, **files})
        store = MemoryStore()
        if row.wrote:
            change = files_of_session(row.wrote, self._world)
            store.commit(Entry(record={}, raw=b"", at=self._world.now().timestamp(), changes=(change,)))
        return store


_judge: _Judge | None = None  # a worker's own


def _take(judge: _Judge) -> None:
    global _judge
    _judge = judge


def _judge_here(row: Row) -> RowResult:
    if _judge is None:
        raise RuntimeError("a worker was started without policies")
    return _judge(row)


def score_of(judged: Iterable[RowResult]) -> Score:
    """Count the outcomes of the rows."""
    expected = dict.fromkeys(_EXPECTED, 0)
    counts = dict.fromkeys(KINDS, 0)
    total = 0
    for row in judged:
        total += 1
        if row.expected is not None:
            expected[row.expected] += 1
        for kind, holds in KINDS.items():
            counts[kind] += holds(row)
    return Score(total, expected, counts)
