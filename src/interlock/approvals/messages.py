"""What is said about a request outside of Interlock: to a program, to a Slack-style channel, and on a desktop.

The request's body is redacted when it is written. Everything here is made from it, and redacted once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, TypeAlias

from msgspec import json

from interlock.facts.secrets import redact
from interlock.facts.shapes import line_of_call
from interlock.policy.inbox_settings import MessageForm
from interlock.store.asking import ApprovalRequest

__all__ = ["MESSAGES", "asked_message", "desktop_text", "ended_message", "slack_asked", "slack_ended"]

JsonObject: TypeAlias = dict[str, Any]
_MOST_CALL = 2000  # characters of a call
_MOST_TOUCHED = 20
_MOST_SLACK = 2800  # characters of one block; Slack refuses more than 3,000
_SLACK_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def asked_message(request: ApprovalRequest, link: str | None) -> JsonObject:
    """A call waits for an answer."""
    body = json.decode(request.body)
    written = body.get("original")
    message: JsonObject = {
        "version": 1,
        "event": "asked",
        "id": request.id,
        "tool": request.tool,
        "call": _call(request.tool, body["input"]),
        "written": None if written is None else _call(request.tool, written),
        "reasons": [{"text": one["text"], "rule": one["by"]} for one in body["reasons"]],
        "touches": {name: values[:_MOST_TOUCHED] for name, values in body["touches"].items() if values},
        "project": request.project,
        "session": request.session,
        "agent": body.get("agent") or request.agent or None,
        "host": request.host,
        "asked": _iso(request.at),
        "until": _iso(request.until),
        "links": {"answer": None},
    }
    # The link is a secret itself, and must arrive as it is.
    return {**redact(message), "links": {"answer": link}}


def ended_message(request: ApprovalRequest) -> JsonObject:
    """A person has answered, or nobody has in time: `open` means that a yes is still worth something."""
    # A call that has just given up is still said to wait, until that is recorded.
    event = {"yes": "answered", "no": "answered", "over": "over"}.get(request.status, "open")
    message: JsonObject = {
        "version": 1,
        "event": event,
        "id": request.id,
        "tool": request.tool,
        "call": _call(request.tool, json.decode(request.body)["input"]),
        "answer": request.status if event == "answered" else None,
        "by": request.by,
        "note": request.note,
        "edited": request.edit is not None,
        "project": request.project,
        "session": request.session,
        "answered": None if request.answered is None else _iso(request.answered),
    }
    return {**redact(message)}


def slack_asked(request: ApprovalRequest, link: str | None) -> JsonObject:
    """The same as a Slack-style message: what would run, why it is asked, and where to answer."""
    message = asked_message(request, link)
    place = PurePath(message["project"]).name or "a project"
    reasons = "\n".join(f"• {_mrkdwn(one['text'])} ({_mrkdwn(one['rule'])})" for one in message["reasons"])
    title = f"An agent in *{_mrkdwn(place)}* asks before it runs:"
    where = f"Session {_mrkdwn(message['session'][:8])}, until {datetime.fromtimestamp(request.until, UTC):%H:%M} UTC."
    answer = f" <{_slack_address(link)}|Answer it>" if link else f" `interlock approve {_mrkdwn(request.id)}`"
    blocks = [_block(f"{title}\n{_fence(message['call'])}"), _block(reasons or "A rule asks."), _block(where + answer)]
    return {"text": f"Interlock: {_mrkdwn(message['call'])[:200]}", "blocks": blocks}


def slack_ended(request: ApprovalRequest) -> JsonObject:
    """What became of a request, as a Slack-style message."""
    message = ended_message(request)
    call = _mrkdwn(message["call"])[:200]
    if message["answer"] is not None:
        note = f": {_mrkdwn(message['note'])}" if message["note"] else ""
        text = f"{_mrkdwn(str(message['by']))} said {message['answer']}{note} ({call})"
    else:
        text = f"Nobody answered in time ({call})"
    return {"text": text, "blocks": [_block(text)]}


def desktop_text(request: ApprovalRequest) -> str:
    """A line for the desktop. It has no buttons: answering needs the call in full."""
    call = _call(request.tool, json.decode(request.body)["input"])
    return f"Waits for your answer, in {PurePath(request.project).name or 'a project'}: {call}"


# Form of a message → how a request is said in it, and how its end is.
MESSAGES: dict[
    MessageForm,
    tuple[Callable[[ApprovalRequest, str | None], JsonObject], Callable[[ApprovalRequest], JsonObject]],
] = {"json": (asked_message, ended_message), "slack": (slack_asked, slack_ended)}


def _call(tool: str, given: JsonObject) -> str:
    line = line_of_call(tool, given)
    return line if len(line) <= _MOST_CALL else f"{line[:_MOST_CALL]}… ({len(line) - _MOST_CALL:,} more characters)"


def _block(text: str) -> JsonObject:
    # `verbatim`: addresses and names in it do not become links and mentions.
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:_MOST_SLACK], "verbatim": True}}


def _fence(text: str) -> str:
    """A text as code. It cannot end the code, whatever is in it."""
    shown = _escape(text).replace("`", "\u02cb")  # looks like a backtick, and is none
    # An entity must not be cut in two.
    return f"```{re.sub('&[a-z]{0,3}$', '', shown[: _MOST_SLACK - 300])}```"


def _mrkdwn(text: str) -> str:
    """A text in which nothing is markup, a link or a mention, and that stays on its line."""
    flat = _escape(" ".join(text.split()))
    # Services like Slack's own read `@channel` and `*bold*` in plain text; behind a sign of no width they do not.
    return re.sub(r"([@*_~`#])", "\\1\u200b", flat)


def _escape(text: str) -> str:
    return "".join(_SLACK_SIGNS.get(one, one) for one in text if one == "\n" or one.isprintable())


def _slack_address(address: str) -> str:
    return address.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
