"""A call that the built-in rules deny, whatever the policies say, and whether an answer to it is that denial."""

from __future__ import annotations

from interlock.hosts.base.denials import Denied
from interlock.process import Ran

__all__ = ["ARGUMENTS", "BAD", "LOUD", "PATIENCE", "complaint", "is_by_built_in", "why_cut_short", "why_not_denied"]

ARGUMENTS = "pause --for 8h"
BAD = f"interlock {ARGUMENTS}"
LOUD = "THE GUARD DOES NOT HOLD"
PATIENCE = 60.0  # an entry may wait longer, but a person is waiting for the doctor
_MOST = 200  # characters of an answer that are shown
_OTHERWISE = "it said: "


def is_by_built_in(reason: str) -> bool:
    """Whether a reason is the built-in rule's. Another one, such as a broken policy, does not show that it works."""
    return "for a person" in reason


def why_not_denied(denied: Denied, stdout: bytes, stderr: str = "", code: int = 0, how: str = "") -> str:
    """What an answer says if its host does not take it for a denial by the built-in rules; otherwise an empty text."""
    reason = denied(code, stdout, stderr.encode())
    if reason is not None and is_by_built_in(reason):
        return ""
    if reason:
        return f"{_OTHERWISE}{_in_one_line(reason)}"
    printed = _in_one_line(stdout.decode("utf-8", "replace"))
    answered = f"it answered {f'`{printed}`' if printed else 'nothing'} and {how or f'exit {code}'}"
    said = f", and said: {_in_one_line(stderr)}" if stderr.strip() else ""
    return f"{'' if reason is None else 'the call is denied, but for another reason: '}{answered}{said}"


def complaint(place: object, why: str) -> str:
    """What is wrong with the entry in a file, by what it answered instead of that denial."""
    but = f"denied `{BAD}`, but not by Interlock's own rule" if why.startswith(_OTHERWISE) else f"did not deny `{BAD}`"
    return f"{LOUD}: the entry in {place} {but}: {why}"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())[:_MOST]


def why_cut_short(ran: Ran, patience: float) -> str:
    """Why a host would not wait for the answer of a program that was run; an empty text if it would."""
    if ran.late:
        return f"it did not answer within {patience:g} s"
    return (
        "it left a process running that keeps its output open, so the client would not accept the answer"
        if ran.held
        else ""
    )
