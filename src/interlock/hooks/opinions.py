"""The words a hook answers with: allow, ask, deny, defer, change, output, context, notify, interrupt, set_state.

Every opinion built while a hook runs is remembered until the hook has returned, so that a `deny()` that was built
but never returned is caught: the most common bug in hooks must not be taken for "go on".
"""

from __future__ import annotations

import math
from contextvars import ContextVar, Token
from typing import Any

from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.verdict import Opinion

__all__ = [
    "allow", "ask", "change", "context", "defer", "deny", "interrupt", "is_json", "listen", "notify", "output",
    "set_state", "stop_listening", "without_trust",
]  # fmt: skip

_built: ContextVar[list[Opinion] | None] = ContextVar("_built", default=None)


def listen(built: list[Opinion]) -> Token[list[Opinion] | None]:
    """Collect every opinion that is built from now on, until `stop_listening`."""
    return _built.set(built)


def stop_listening(token: Token[list[Opinion] | None]) -> None:
    _built.reset(token)


def _build(**parts: Any) -> Opinion:
    opinion = Opinion(**parts)
    heard = _built.get()
    if heard is not None:
        heard.append(opinion)
    return opinion


def deny(reason: str, *, interrupt: bool = False) -> Opinion:
    """Do not run the call. The reason goes to the model: say why, and what to do instead."""
    if not isinstance(interrupt, bool):
        raise InterlockError("`interrupt` must be True or False")
    return _build(decision="deny", reason=_text("deny", reason), interrupt=interrupt)


def ask(reason: str) -> Opinion:
    """Let a person decide. The reason goes to that person."""
    return _build(decision="ask", reason=_text("ask", reason))


def allow(reason: str | None = None) -> Opinion:
    """Run the call without asking. It never overrides another hook's deny or ask."""
    return _build(decision="allow", reason=None if reason is None else _text("allow", reason))


def defer(reason: str | None = None) -> Opinion:
    """Hand the call back to whoever started the agent, undecided."""
    return _build(decision="defer", reason=None if reason is None else _text("defer", reason))


def change(fields: dict[str, Any] | None = None, /, *, quiet: str | None = None, **more: Any) -> Opinion:
    """Rewrite fields of the input. Give only those that change; None removes a field.

    The model is told of the change unless `quiet` says why it does not alter what the call means.
    """
    if fields is not None and not isinstance(fields, dict):
        raise InterlockError("change takes a dictionary of fields, or fields by name: change(command='ls')")
    merged = {**(fields or {}), **more}
    if not merged:
        raise InterlockError("change() names no field", help="give the fields that change: change(command='ls')")
    if not is_json(merged):
        raise InterlockError("change() holds a value that JSON cannot carry exactly")
    return _build(change=merged, quiet=None if quiet is None else _text("quiet", quiet))


def output(value: Any) -> Opinion:
    """Replace what the tool returned; a dictionary replaces only the fields it names."""
    if not is_json(value):
        raise InterlockError("output() holds a value that JSON cannot carry exactly")
    return _build(output=value)


def interrupt(reason: str) -> Opinion:
    """End the turn after a call has run or when the agent stops. The reason goes to the person.

    To end it before a call runs, return deny(reason, interrupt=True).
    """
    return _build(interrupt=True, reason=_text("interrupt", reason))


def context(text: str) -> Opinion:
    """Tell the model something along with the event."""
    return _build(context=_text("context", text))


def notify(text: str) -> Opinion:
    """Tell the person something."""
    return _build(notice=_text("notify", text))


def set_state(values: dict[str, Any] | None = None, /, **more: Any) -> Opinion:
    """Remember values for later events of the session; a dictionary is merged into an existing one."""
    if values is not None and not isinstance(values, dict):
        raise InterlockError("set_state takes a dictionary, or values by name: set_state(seen=True)")
    merged = {**(values or {}), **more}
    if not merged:
        raise InterlockError("set_state() names nothing to remember")
    if not is_json(merged):
        raise InterlockError("set_state() holds a value that JSON cannot carry exactly")
    return _build(set=merged)


def without_trust(opinion: Opinion, who: object) -> Opinion:
    """The opinion without its allow and its state, for a tool that only resembles the one the hook names."""
    if opinion.decision != "allow" and opinion.set is None:
        return opinion
    note = f"{who} matches this tool only by a short name or a pattern; name it in full to allow it or to set state"
    notice = f"{opinion.notice}\n{note}" if opinion.notice else note
    decision = None if opinion.decision == "allow" else opinion.decision
    return replace(opinion, decision=decision, reason=opinion.reason if decision else None, set=None, notice=notice)


def _text(word: str, text: object) -> str:
    if not isinstance(text, str):
        raise InterlockError(f"{word}() takes a text, not {type(text).__name__}")
    if not text.strip():
        raise InterlockError(f"{word}() needs a text", help="say what is wrong and what to do instead")
    if not _is_unicode(text):
        raise InterlockError(f"{word}() was given half a surrogate pair, which no host can read")
    return text


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_json(value: Any) -> bool:
    """Whether a value survives JSON unchanged. Types must match exactly: a subclass may mean more than JSON can say."""
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return True
    if kind is str:
        return _is_unicode(value)
    if kind is float:
        return math.isfinite(value)
    if kind is list:
        return all(is_json(item) for item in value)
    if kind is dict:
        return all(type(key) is str and _is_unicode(key) and is_json(item) for key, item in value.items())
    return False
