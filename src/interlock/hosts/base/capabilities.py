"""What a host does with each kind of decision, in one value: for the matrix, and to say what weakens there."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from interlock.hosts.base.host import Host

__all__ = ["Capabilities", "ResultFate", "capabilities_of", "reaches"]

ResultFate: TypeAlias = Literal["replaced", "withheld", "shown", "unseen"]


class Capabilities(Struct, frozen=True, kw_only=True):
    """What becomes of decisions about a call, and of its result.

    `asks`: the agent shows the question; else the call waits in Interlock's inbox. `changes`: the call runs as it was
    changed; else it is denied, and the model is told the safe call. `result`: of one that must not be read as it is,
    and `failed`: of one of a tool that failed. `fails_closed`: a call that could not be judged does not run.
    """

    allows: bool
    denies: bool
    asks: bool
    changes: bool
    result: ResultFate
    failed: ResultFate
    context_before: bool
    context_after: bool
    stops: bool
    fails_closed: bool
    seconds: int | None  # that the host waits for an answer about a call


def reaches(host: Host, event_name: str) -> bool:
    """Whether the host asks Interlock about this event."""
    event = host.events.get(event_name)
    return event is not None and event.seconds is not None


def capabilities_of(host: Host) -> Capabilities:
    """What a host honours, as its dialect and its table of events say."""
    before = host.dialect.honours("PreToolUse")
    call = host.events["PreToolUse"]
    return Capabilities(
        allows="allow" in before,
        denies="deny" in before,
        asks="ask" in before and host.asks,
        changes="change" in before,
        result=_fate(host, "PostToolUse"),
        failed=_fate_of_failures(host),
        context_before="context" in before,
        context_after="context" in host.dialect.honours("PostToolUse"),
        stops=any("interrupt" in host.dialect.honours(name) for name in ("PreToolUse", "PostToolUse", "Stop")),
        fails_closed=call.failing == "deny",
        seconds=call.seconds,
    )


def _fate_of_failures(host: Host) -> ResultFate:
    if host.raises_failures_as_results:
        return _fate(host, "PostToolUse")
    # The turn is ended before the model reads it.
    if reaches(host, "PostToolUseFailure") and reaches(host, "PostToolBatch"):
        return "withheld"
    return _fate(host, "PostToolUseFailure")


def _fate(host: Host, event_name: str) -> ResultFate:
    if not reaches(host, event_name):
        return "unseen"
    if "output" in host.dialect.honours(event_name):
        return "replaced"
    # A dialect without a table withholds by ending the turn, which every host that has one understands.
    holds_back = getattr(host.dialect, "holds_back", None)
    return "withheld" if holds_back is None or holds_back(event_name) else "shown"
