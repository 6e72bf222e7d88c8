"""Amp, which says what it would do with a call: it talks to no model but its maker's."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.hosts.base.denials import object_in, string_in, text_of
from interlock.hosts.base.driving import HostInquiry

__all__ = ["DRIVE"]


def _words(command: str) -> Sequence[str]:
    return ["permissions", "test", "Bash", "--cmd", command, "--json"]


def _read(stdout: bytes) -> tuple[bool, str] | None:
    said = object_in(text_of(stdout)) or {}
    return (said["action"] == "reject", string_in(said, "error")) if "action" in said else None


DRIVE = HostInquiry(words=_words, read=_read)
