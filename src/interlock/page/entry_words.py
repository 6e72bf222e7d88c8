"""What lists say of an entry in a few words: its verdict, and what became of it."""

from __future__ import annotations

from typing import Any

from interlock.page.digest.rows import EntryRow
from interlock.page.render import lasting

__all__ = ["WORDS", "became", "short_text", "tool_name", "verdict_of"]

_ANSWERS = {"yes": "yes", "edit": "yes, edited", "no": "no"}
_ENDS = {
    "denied": "not run",
    "refused": "refused",
    "unanswered": "nobody answered",
    "withheld": "result withheld",
    "no result": "no result",
    "open": "running",
}


def verdict_of(row: EntryRow) -> str:
    """The word, and the shape, under which an entry is listed."""
    if row.is_breach:
        return "breach"
    if row.outcome == "withheld":
        return "withheld"
    if row.is_changed and row.decision in ("allow", "none"):
        return "change"
    return row.decision


def became(row: EntryRow) -> str:
    """What became of a call: `ran, 0.2 s`, `yes after 6 s`, `not run`."""
    if not row.is_call:
        return ""
    after = "" if row.answered_after is None else f" after {lasting(row.answered_after)}"
    if row.outcome == "unanswered" and row.answer in _ANSWERS:
        return f"{_ENDS['unanswered']}, {_ANSWERS[row.answer]} later"
    if row.is_asked and row.answer in _ANSWERS:
        said = f"{_ANSWERS[row.answer]}{after}"
        return said if row.answer == "no" or row.outcome in ("ran", "open") else f"{said}, {_end(row)}"
    if row.is_asked and row.outcome == "open":
        return "waits"
    return _end(row)


def _end(row: EntryRow) -> str:
    if row.outcome in ("ran", "failed"):
        return f"{row.outcome}, {lasting(row.took)}" if row.took is not None else row.outcome
    return _ENDS.get(row.outcome, row.outcome)


def tool_name(row: EntryRow) -> str:
    """The tool as people call it; of other events, the event."""
    if not row.tool or not row.is_call:
        return row.event or "unreadable"
    server, name = row.tool.split("__")[1:3] if row.tool.startswith("mcp__") and row.tool.count("__") > 1 else ("", "")
    return f"{server}: {name}" if name else row.tool


def short_text(row: EntryRow) -> str:
    """The call on one line, with paths as they are seen from the project."""
    text = row.text.removeprefix(f"{row.project}/") if row.project else row.text
    return " ".join(text.split())


WORDS: dict[str, Any] = {one.__name__: one for one in (became, short_text, tool_name, verdict_of)}
"""The functions above, for templates."""
