"""Ask a person about one call: what they read, what counts as a yes, and who can be asked."""

from __future__ import annotations

import os
import select
import termios
import threading
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from interlock.approvals.approval import Request
from interlock.approvals.text import request_text
from interlock.binding.mcp.judging import Ruling, ServerCall, digest_of
from interlock.verdict import Change

__all__ = ["CallApprover", "PersonQuestion", "TerminalPrompt", "elicitation", "is_yes", "may_elicit", "question_about"]

JsonObject: TypeAlias = dict[str, Any]

_MOST = 4000  # characters of a question
_FIELD = "answer"
_YES = "allow"


class PersonQuestion(Struct, frozen=True):
    """What a person is asked, and the digest of the call that the answer is about."""

    text: str
    digest: str


class CallApprover(Protocol):
    """A way to ask a person if the client cannot."""

    def approve(self, question: PersonQuestion, over: threading.Event) -> bool | None:
        """A person's yes or no; None if there was no answer before it was `over`. May block for a long time."""


def question_about(call: ServerCall, ruling: Ruling) -> PersonQuestion:
    """The call as it would run, what was changed in it, and why a person is asked."""
    digest = digest_of(call.tool, ruling.arguments)
    request = Request(
        tool=call.tool,
        input=ruling.arguments,
        original=call.arguments,
        reason=ruling.reason or None,
        changes=tuple(Change(change.field, None, None, change.by) for change in ruling.changes),
    )
    shown = request_text(request)
    if len(shown) > _MOST:
        shown = f"{shown[:_MOST]}\n… {len(shown) - _MOST:,} more characters"
    return PersonQuestion(f"{shown}\n  call  {digest[:12]}", digest)


# --- by the client -----------------------------------------------------------------------------------------


def may_elicit(capabilities: Any) -> bool:
    """Whether a client declares that it can show forms. An empty declaration means forms."""
    declared = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(declared, dict) and ("form" in declared or "url" not in declared)


def elicitation(question: PersonQuestion) -> JsonObject:
    """The parameters of the request that makes a client ask."""
    field = {
        "type": "string",
        "title": "Let this call run?",
        "description": f"About call {question.digest[:12]} only.",
        "enum": ["deny", _YES],
    }
    schema = {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
    return {"message": question.text, "requestedSchema": schema}


def is_yes(answer: Any) -> bool:
    """Whether an answer is an explicit yes. A form submitted without one is not."""
    if not isinstance(answer, dict) or answer.get("action") != "accept":
        return False
    content = answer.get("content")
    return isinstance(content, dict) and content.get(_FIELD) == _YES


# --- at a terminal -----------------------------------------------------------------------------------------


class TerminalPrompt:
    """The controlling terminal, if no other program is using it.

    A full-screen client reads every key that is typed there. Such a terminal is not in line mode, and is left alone.
    Also, a yes must repeat the beginning of the call's digest, which no stray key does.
    """

    def __init__(self, path: str = "/dev/tty") -> None:
        self._path = path
        self._lock = threading.Lock()

    def approve(self, question: PersonQuestion, over: threading.Event) -> bool | None:
        with self._lock:
            try:
                tty = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
            except OSError:
                return None
            try:
                return self._ask(tty, question, over) if _is_free(tty) else None
            except (OSError, termios.error):
                return None
            finally:
                os.close(tty)

    def is_there(self) -> bool:
        """Whether a person could be asked here now."""
        try:
            tty = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            return _is_free(tty)
        except (OSError, termios.error):
            return False
        finally:
            os.close(tty)

    def _ask(self, tty: int, question: PersonQuestion, over: threading.Event) -> bool | None:
        word = f"yes {question.digest[:4]}"
        with suppress(termios.error):
            termios.tcflush(tty, termios.TCIFLUSH)  # what was typed before the question is not an answer to it
        os.write(tty, f"\n{question.text}\nType `{word}` to let it run, anything else to refuse: ".encode())
        typed = b""
        while not over.is_set():
            ready, _, _ = select.select([tty], [], [], 0.2)
            if not ready:
                continue
            chunk = os.read(tty, 1024)
            typed += chunk
            if not chunk or b"\n" in typed or len(typed) > 4096:
                return typed.decode("utf-8", "replace").strip().lower() == word
        os.write(tty, b"\n(no longer needed)\n")
        return None


def _is_free(tty: int) -> bool:
    line_by_line = bool(termios.tcgetattr(tty)[3] & termios.ICANON)
    return line_by_line and os.tcgetpgrp(tty) == os.getpgrp()
