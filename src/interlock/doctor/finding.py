"""One result of the doctor's checks, and how several are put together so that each cause is reported once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["Finding", "first_command", "note", "ok", "problem", "settle"]

_SURE = 20  # characters: a shorter text in another finding may be there by chance


class Finding(Struct, frozen=True):
    """The state of something, and what to do about it.

    `details` are further lines about the same thing. `cause` is the part of the text by which other findings with the
    same cause are recognised; without it, the whole text.
    """

    level: Literal["ok", "note", "problem"]
    about: str
    text: str
    help: str = ""
    details: tuple[str, ...] = ()
    cause: str = ""


def ok(about: str, text: str) -> Finding:
    return Finding("ok", about, text)


def note(about: str, text: str, help: str = "", details: Iterable[str] = ()) -> Finding:
    return Finding("note", about, text, help, tuple(details))


def problem(about: str, text: str, help: str = "", details: Iterable[str] = (), cause: str = "") -> Finding:
    return Finding("problem", about, text, help, tuple(details), cause)


def settle(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, each cause once, and nothing called `ok` that a problem was found with.

    A problem that quotes an earlier one is a consequence of it, and becomes one of its details.
    """
    settled: list[Finding] = []
    for finding in findings:
        cause = next((number for number, one in enumerate(settled) if _is_cause(one, finding)), None)
        if cause is None:
            settled.append(finding)
            continue
        first = settled[cause]
        said = first.text if finding.about == first.about else f"{finding.about}: {_consequence(finding, first)}"
        if said not in (first.text, *first.details):
            settled[cause] = replace(first, details=(*first.details, said))
    bad = {finding.about for finding in settled if finding.level == "problem"}
    return [
        replace(finding, level="note") if finding.level == "ok" and finding.about in bad else finding
        for finding in settled
    ]


def _is_cause(first: Finding, later: Finding) -> bool:
    if first.level != "problem" or later.level != "problem":
        return False
    quoted = first.cause or first.text
    return later.text == first.text or (len(quoted) >= _SURE and quoted in later.text)


def _consequence(later: Finding, first: Finding) -> str:
    """A consequence without the cause that it quotes, which has been said."""
    said = later.text.partition(first.cause or first.text)[0].rstrip(" :(`")
    return f"{said or later.text} (the same cause)"


def first_command(findings: Iterable[Finding]) -> str | None:
    """The command to run first, if one of the problems names one."""
    for finding in findings:
        found = re.search(r"`(interlock [^`]+)`", finding.help) if finding.level == "problem" else None
        if found is not None:
            return found[1]
    return None
