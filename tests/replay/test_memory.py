"""A long transcript is read in bounded memory, and lines without calls cost little."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Copies, play
from interlock.replay.sources import find_sessions
from interlock.replay.tally import ReplayTally
from tests.replay.transcripts import Transcript, policy_of

MEGABYTE = 1 << 20


def lines(calls: int, filler: str) -> Iterator[str]:
    for call in range(calls):
        common = {"timestamp": "2026-11-16T09:00:00Z", "cwd": "/home/dev/shop", "uuid": f"u{call}"}
        block = {"type": "tool_use", "id": f"t{call}", "name": "Bash", "input": {"command": f"git stash drop {call}"}}
        yield json.dumps({"type": "assistant", "message": {"id": f"m{call}", "content": [block]}, **common})
        result = {"type": "tool_result", "tool_use_id": f"t{call}", "content": filler}
        yield json.dumps({"type": "user", "message": {"content": [result]}, "toolUseResult": filler, **common})
        yield json.dumps({"type": "api-request-blob", "message": {"content": filler * 8}}, separators=(",", ":"))


def test_fifty_megabytes_take_only_a_few_at_a_time(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for line in lines(530, "x" * 10_000):
            stream.write(line + "\n")
    assert file.stat().st_size > 50 * MEGABYTE
    judge = PastJudge([policy_of("{id: drop, command: git stash drop, ask: 'Drop it?'}")])
    tally = ReplayTally(keep="drop", most_kept=100)
    faults = Faults()
    told = 0

    def progress(read: int) -> None:
        nonlocal told
        told += read

    tracemalloc.start()
    try:
        for scene in play(find_sessions([file], faults), [judge], faults, progress=progress):
            tally.add(scene)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (tally.calls, tally.stops, len(tally.kept), faults.all()) == (530, 530, 100, [])
    assert told == file.stat().st_size
    assert peak < 12 * MEGABYTE


def test_a_line_that_is_too_long_is_counted_and_what_follows_is_read(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("interlock.replay.lines._MOST_LINE", 1_000)
    session = Transcript(tmp_path / "s.jsonl")
    session.raw('{"type":"assistant","message":"' + "x" * 10_000 + '"tool_use"}')
    session.bash("ls")
    faults = Faults()
    played = list(play(find_sessions([session.file], faults), [PastJudge([policy_of()])], faults))
    assert len(played) == 1
    assert [(one.what, one.count, one.first) for one in faults.all()] == [
        ("lines that are too long", 1, f"{session.file}:1")
    ]


def test_only_so_many_shapes_of_a_rule_are_kept_and_the_rest_is_counted_together(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("interlock.replay.tally._MOST_SHAPES", 3)
    session = Transcript(tmp_path / "s.jsonl")
    for number in range(7):
        session.bash(f"tool verb{'abcdefg'[number]}")
    tally = ReplayTally()
    faults = Faults()
    judge = PastJudge([policy_of("{id: tools, command: tool, ask: 'Now?'}")])
    for scene in play(find_sessions([session.file], faults), [judge], faults):
        tally.add(scene)
    assert [(one.shape, one.count) for one in tally.rules["tools"].most_frequent()] == [
        ("tool verba", 1), ("tool verbb", 1), ("tool verbc", 1), ("other calls", 4),
    ]  # fmt: skip


def test_only_so_many_lines_are_remembered_to_recognise_copies():
    copies = Copies(most=2)
    assert [copies.is_new(line) for line in ("a", "a", "b", "c", "a", "c")] == [True, False, True, True, True, False]
