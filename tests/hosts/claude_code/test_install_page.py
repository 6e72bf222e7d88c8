"""What docs/install.md says is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from interlock.hosts.claude_code.events import LEFT_OUT, WIRED
from interlock.hosts.claude_code.places import SCOPES

PAGE = (Path(__file__).parents[3] / "docs" / "install.md").read_text(encoding="utf-8")


def test_the_events_that_are_left_out_stand_there_with_their_reasons():
    rows = re.search(r"\| event \| why not \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE)
    assert rows
    assert rows[1] == "".join(f"| {event} | {why} |\n" for event, why in LEFT_OUT.items())


def test_every_scope_has_a_row():
    assert re.findall(r"^\| `(\w+)`(?: \(default\))? \|", PAGE, re.MULTILINE)[: len(SCOPES)] == list(SCOPES)


def test_the_waiting_times_are_those_of_the_entries():
    said = "waits 600 seconds where a policy may run checks, 3700 where some work ends (as on Stop), 10 at the end of"
    assert said in PAGE
    assert set(WIRED.values()) == {3700, 600, 60, 10}
