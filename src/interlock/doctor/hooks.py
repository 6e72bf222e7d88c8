"""Which hooks recently said no but returned nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from interlock.doctor.finding import Finding, note, problem
from interlock.errors import InterlockError
from interlock.hooks.silence import SAID_NO, SOUNDS
from interlock.store.place import open_store, store_file

__all__ = ["look"]

_NEWEST = 2_000  # records to read: an old habit of a hook shows up again, and the doctor should answer at once
_MOST = 10  # findings


def look() -> Iterator[Finding]:
    """Each denial that a hook said but did not return, once."""
    if not store_file().is_file():
        return
    try:
        with closing(open_store()) as store:
            records = [stored.record for stored in store.records(newest=_NEWEST)]
    except InterlockError as error:
        yield problem("hooks", f"what hooks said cannot be read: {error.in_one_line()}", "fix what it names")
        return
    told = [text for record in records for text in (*record.get("errors", ()), *record.get("notices", ()))]
    found = dict.fromkeys(text for text in told if SAID_NO in text or SOUNDS in text)
    for text in list(found)[-_MOST:]:
        yield note("hooks", text, "return a decision where the hook says no, or reword what it prints")
