"""Read a transcript line by line, and only the lines that replay needs: transcripts can be gigabytes long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import DecodeError, Struct, ValidationError, json

from interlock.receipts.transcript_lines import CALL, RESULT
from interlock.replay.faults import Faults

__all__ = ["Progress", "TranscriptLine", "no_progress", "read_lines"]

Progress = Callable[[int], None]  # is told how many bytes were read since the last time
_MOST_LINE = 32 * 1024 * 1024
_TOLD_EVERY = 1024 * 1024
_PROMPT = b'"user"'
# Copies of requests and of the system's own texts, which contain the other words too. They are most of a transcript.
_COPIES = (b'{"type":"api-request', b'{"type":"file-history', b'{"type":"summary"', b'{"type":"queue-operation"')
_WANTED = frozenset({"assistant", "user"})


class TranscriptLine(Struct):
    """One line of a transcript: the fields that replay looks at."""

    type: str | None = None
    message: Any = None
    uuid: str | None = None
    timestamp: str | None = None
    sessionId: str | None = None  # noqa: N815 - the names here are the host's
    cwd: str | None = None
    gitBranch: str | None = None  # noqa: N815
    permissionMode: str | None = None  # noqa: N815
    isSidechain: bool | None = None  # noqa: N815
    isMeta: bool | None = None  # noqa: N815
    isCompactSummary: bool | None = None  # noqa: N815
    agentId: str | None = None  # noqa: N815
    attributionAgent: str | None = None  # noqa: N815
    toolUseResult: Any = None  # noqa: N815
    toolDenialKind: str | None = None  # noqa: N815
    permissionDecision: Any = None  # noqa: N815


_decode = json.Decoder(TranscriptLine).decode


def no_progress(read: int) -> None:
    """For those who show none."""


def read_lines(file: Path, faults: Faults, progress: Progress = no_progress) -> Iterator[tuple[int, TranscriptLine]]:
    """Every message in a transcript with its line number. What cannot be read is counted and left out."""
    try:
        with file.open("rb") as stream:
            yield from _messages(file, stream, faults, progress)
    except OSError as error:
        faults.add(f"files that cannot be read ({error.strerror})", file)


def _messages(file: Path, stream: BinaryIO, faults: Faults, progress: Progress) -> Iterator[tuple[int, TranscriptLine]]:
    number = untold = 0
    while text := stream.readline(_MOST_LINE):
        number += 1
        untold += len(text)
        if untold >= _TOLD_EVERY:
            progress(untold)
            untold = 0
        if len(text) == _MOST_LINE and not text.endswith(b"\n"):
            faults.add("lines that are too long", file, number)
            untold += _skip_rest(stream)
            continue
        if text.startswith(_COPIES) or not (CALL in text or RESULT in text or _PROMPT in text):
            if not text.startswith(b"{") and text.strip():
                faults.add("lines that are not JSON", file, number)
            continue
        line = _line(text, file, number, faults)
        if line is not None and line.type in _WANTED:
            yield number, line
    progress(untold)


def _line(text: bytes, file: Path, number: int, faults: Faults) -> TranscriptLine | None:
    try:
        return _decode(text)
    except ValidationError:  # JSON, but a field is not what it is known to be
        faults.add("lines of an unknown form", file, number)
    except (DecodeError, RecursionError, UnicodeDecodeError):
        if text.endswith(b"\n"):  # without, it is the last line of a session that is still being written
            faults.add("lines that are not JSON", file, number)
    return None


def _skip_rest(stream: BinaryIO) -> int:
    """Read to the end of a line, and return how many bytes that was."""
    skipped = 0
    while text := stream.readline(_MOST_LINE):
        skipped += len(text)
        if text.endswith(b"\n"):
            break
    return skipped
