"""The time line of a session: what happened, with runs of calls that nobody objected to folded into one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from interlock.page.call_text import Piece, pieces_of, visible
from interlock.page.digest.rows import EntryRow
from interlock.page.entry_words import tool_name, verdict_of

__all__ = ["RailItem", "rail_of"]

_FEW = 3  # calls that are not worth folding
_SHOWN = 100  # calls of a fold that are listed; the log has all of them
# What is said elsewhere: an answer stands at its call, and the end of a turn is seen from the next prompt.
_ELSEWHERE = frozenset({"Answer", "Stop", "SubagentStop", "SessionStart"})


class RailItem(Struct, frozen=True, kw_only=True):
    """One line: a prompt, a call, a run of calls, or another event."""

    kind: str  # prompt, call, fold or event
    row: EntryRow
    rows: tuple[EntryRow, ...] = ()  # of a fold
    count: int = 0
    summary: str = ""
    took: float = 0.0
    then: EntryRow | None = None  # what the agent did next, after a stop

    @property
    def wrote(self) -> list[Piece]:
        """Of a call that was changed: what the agent wrote."""
        return pieces_of(visible(self.row.text), visible(self.row.ran), "before", [])

    @property
    def ran(self) -> list[Piece]:
        return pieces_of(visible(self.row.ran), visible(self.row.text), "after", [])

    @property
    def key(self) -> str:
        return f"{'f' if self.kind == 'fold' else 'e'}-{self.row.id}"


def rail_of(rows: Sequence[EntryRow], *, folded: bool = True) -> list[RailItem]:
    """The lines of these entries, which are in order."""
    calls = [row for row in rows if row.is_call]
    following = {row.id: after for row, after in pairwise(calls)}
    found: list[RailItem] = []
    run: list[EntryRow] = []
    for row in rows:
        if row.event in _ELSEWHERE and not row.is_stopped:
            continue
        if folded and _is_ordinary(row) and (not run or run[-1].agent == row.agent):
            run.append(row)
            continue
        found += _fold(run)
        run = [row] if folded and _is_ordinary(row) else []
        if not run:
            found.append(_item(row, following.get(row.id)))
    return [*found, *_fold(run)]


def _is_ordinary(row: EntryRow) -> bool:
    return row.is_call and verdict_of(row) in ("none", "allow") and not (row.is_asked or row.is_stopped)


def _fold(run: Sequence[EntryRow]) -> Iterator[RailItem]:
    if len(run) <= _FEW:
        yield from (_item(row, None) for row in run)
        return
    tools = Counter(tool_name(row) for row in run)
    failed = sum(row.outcome == "failed" for row in run)
    summary = ", ".join(f"{tool} {count}" for tool, count in tools.most_common(6))
    more = f"{summary}{', …' if len(tools) > 6 else ''}{f'; {failed} failed' if failed else ''}"
    yield RailItem(
        kind="fold",
        row=run[0],
        rows=tuple(run[:_SHOWN]),
        count=len(run),
        summary=more,
        took=max(0.0, run[-1].at - run[0].at),
    )


def _item(row: EntryRow, after: EntryRow | None) -> RailItem:
    if row.event == "UserPromptSubmit" and not row.is_stopped:
        return RailItem(kind="prompt", row=row)
    stopped = row.is_stopped or row.answer == "no"
    return RailItem(kind="call" if row.is_call else "event", row=row, then=after if stopped else None)
