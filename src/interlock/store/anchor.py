"""The anchor: a file next to the database to which the chain's heads are appended, so that a rebuilt log is detected.

It is written after the commit it attests, so it may lag behind the log but is never ahead of it. A user who can write
both files can still forge both; to prevent that too, keep the anchor where the agent's user may only append.
"""

from __future__ import annotations

import errno
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from interlock.files.atomic import sync_folder, write_atomically
from interlock.files.private import private_folder
from interlock.store.chain import Anchors

__all__ = ["append_heads", "append_pruned", "read_anchors", "start_anchor", "sync_folder", "write_witness"]

_FIRST = re.compile(r"interlock-anchor 1 ([0-9a-f]{32})")
_LINE = re.compile(r"(head|seal|pruned) (\d{1,18}) ([0-9a-f]{64}) \S+")
_TORN = " torn"


def start_anchor(path: Path, log: bytes) -> None:
    """Begin an anchor file for a new log. An existing file is left alone."""
    private_folder(path.parent)
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return
    try:
        _write(file, f"interlock-anchor 1 {log.hex()}\n")
    finally:
        os.close(file)
    sync_folder(path.parent)


def append_heads(path: Path, seals: list[tuple[int, bytes]], head: tuple[int, bytes]) -> None:
    """Attest that the log, up to each of these records, ends in that hash."""
    lines = [f"seal {sequence} {sealed.hex()}" for sequence, sealed in seals if sequence != head[0]]
    kind = "seal" if head in seals else "head"
    _append(path, [*lines, f"{kind} {head[0]} {head[1].hex()}"])


def append_pruned(path: Path, sequence: int, head: bytes) -> None:
    """Attest that the records up to this one are about to be pruned on purpose."""
    _append(path, [f"pruned {sequence} {head.hex()}"])


def write_witness(path: Path, log: bytes, head: tuple[int, bytes] | None) -> None:
    """Note in another place which log exists and how far it goes, so that losing it with its anchor is detected.

    The file is written whole, like an anchor with one head. It need not be durable: it may lag behind.
    """
    lines = [f"interlock-anchor 1 {log.hex()}"]
    if head is not None:
        lines.append(f"head {head[0]} {head[1].hex()} {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
    write_atomically(path, "\n".join([*lines, ""]).encode("ascii"))


def _append(path: Path, lines: list[str]) -> None:
    # Not created here: a missing anchor must stay missing until a person has noticed it.
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    try:
        size = os.fstat(file).st_size
        # A line cut short by a crash or a full disk is marked as torn, so that the next one is not joined to it.
        torn = f"{_TORN}\n" if size and os.pread(file, 1, size - 1) != b"\n" else ""
        now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        _write(file, torn + "".join(f"{line} {now}\n" for line in lines))
    finally:
        os.close(file)


def _write(file: int, text: str) -> None:
    data = text.encode()
    # One write, so that the lines of several processes do not mix.
    if (written := os.write(file, data)) != len(data):
        raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes could be written")
    os.fsync(file)


def read_anchors(path: Path) -> Anchors:
    """What the file attests, and a description of anything wrong with it."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return Anchors(problems=[f"the anchor {path} is missing: nothing shows that this log was not rebuilt"])
    except OSError as error:
        return Anchors(problems=[f"the anchor {path} cannot be read: {error.strerror}"])
    first, *rest = text.split("\n")[:-1] or [""]
    begun = _FIRST.fullmatch(first)
    problems = [] if begun else [f"the anchor {path} does not begin as an anchor: its beginning was cut off"]
    heads: dict[int, str] = {}
    pruned = 0
    for number, line in enumerate(rest if begun else [first, *rest], 2 if begun else 1):
        found = _LINE.fullmatch(line)
        if found is None:
            problems += [] if line.endswith(_TORN) else [f"line {number} of the anchor {path} cannot be read"]
            continue
        sequence = int(found[2])
        if found[1] == "pruned":
            pruned = max(pruned, sequence)
        if heads.setdefault(sequence, found[3]) != found[3]:
            problems.append(f"line {number} of the anchor {path} contradicts an earlier one about record {sequence}")
    return Anchors(begun[1] if begun else None, heads, pruned, problems)
