"""Entries, and children that write them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from interlock.store.asking import ApprovalRequest, Grant
from interlock.store.base import Entry, Receipt, Scope, StateChange, Store, Wants

ROOT = Path(__file__).parent.parent.parent
SESSION = Scope("session", "s-1")


def entry(number: int = 0, **parts: Any) -> Entry:
    record = {"session": "s-1", "event": "PreToolUse", "tool": "Bash", "decision": "allow", "number": number}
    return Entry(**{"record": record, "raw": b'{"tool_name":"Bash"}', "at": 100.0 + number, **parts})


def setting(name: str, value: Any, **parts: Any) -> Entry:
    return entry(changes=(StateChange(SESSION, name, value),), **parts)


def value(store: Store, name: str) -> Any:
    return store.read(Wants({SESSION: frozenset([name])})).values.get((SESSION, name))


def request(id: str, **parts: Any) -> ApprovalRequest:
    return ApprovalRequest(**{"id": id, "session": "s-1", "tool": "Bash", "at": 100.0, "until": 150.0, **parts})


def grant(id: str, **parts: Any) -> Grant:
    return Grant(**{"id": id, "at": 100.0, "by": "ann", "scope": SESSION, "text": "`npm test`, once", **parts})


def child(*arguments: object) -> subprocess.Popen[bytes]:
    """A process that runs one function of children.py and writes to its stdout."""
    command = [sys.executable, "-m", "tests.store.children", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def said(process: subprocess.Popen[bytes]) -> list[str]:
    """What a child wrote until it ended; it must have ended well."""
    written, _ = process.communicate()
    assert process.returncode == 0
    return written.decode().split("\n")[:-1]


def receipt_of(store: Store, session: str, call: str) -> Receipt:
    """The receipt of a call that is known."""
    found = store.receipt(session, call)
    assert found is not None
    return found
