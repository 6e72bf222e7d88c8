"""Which sessions are stopped, and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from interlock.doctor.finding import Finding, problem
from interlock.errors import InterlockError
from interlock.store.place import open_store, store_file, witness_file

__all__ = ["look"]


def look() -> Iterator[Finding]:
    """Sessions in which no call runs until a person lifts the stop."""
    if not store_file().is_file() and not witness_file().is_file():
        return
    try:
        with closing(open_store()) as store:
            stopped = store.stopped()
    except InterlockError as error:
        yield problem("record", error.message, error.help or "fix what it names", cause=error.message)
        return
    if not witness_file().is_file():
        yield problem(
            "record",
            f"{witness_file()} is missing: without it, a loss of the record together with its anchor goes unnoticed",
            "find out what removed it, then run `interlock lift --lost-record`, which writes it again",
        )
    for session, breach in stopped:
        yield problem(
            "session", f"{session} is stopped: {breach}", f"look into it, then run `interlock lift {session}`"
        )
