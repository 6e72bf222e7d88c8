"""Answer an event of Claude Code that nobody judged."""

from __future__ import annotations

from interlock.event import Event, PostToolUse
from interlock.hosts.base.lower import lower
from interlock.hosts.base.reply import Reply
from interlock.hosts.claude_code.encode import BLOCK_EXIT, TITLE, honours, reply_to
from interlock.spawn import late
from interlock.verdict import Opinion, combine, failure

__all__ = ["fail"]


def fail(
    event_name: str | None, message: str, *, detail: str = "", event: Event | None = None, raw: bytes = b""
) -> Reply:
    """The answer without a verdict. An event that could not be read gets the strictest answer."""
    failed = failure(event_name, "interlock", message, detail)
    verdict = combine([failed])
    if event_name is None:
        return Reply(stdout=b"", stderr=verdict.reason or message, exit_code=BLOCK_EXIT, verdict=verdict)
    milder = _milder(event_name, failed, message, event, raw)
    if milder is not None:
        return milder
    return reply_to(event_name, lower(verdict, event_name, honours(event_name), TITLE), event)


def _milder(event_name: str, failed: Opinion, message: str, event: Event | None, raw: bytes) -> Reply | None:
    """An answer that lets the turn continue if the model can read no unchecked result, so that it learns the reason."""
    if isinstance(event, PostToolUse):
        return None  # its result is withheld in its own shape
    said = late.answer(event_name, raw, message)
    if said is None:
        return None
    if event_name == "PostToolBatch":
        failed = Opinion(by=failed.by, notice=failed.error, error=failed.error)
    return Reply(stdout=said.encode(), verdict=combine([failed]))
