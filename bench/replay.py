"""A replay of a gigabyte: its speed beside a plain loop over the same file, and its memory. Run once."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.facts import LINES
from bench.measure import progress, scratch_folder
from bench.rows import Part, Row, Run, Values

_MEGABYTES = 1024
_SESSIONS = 8
_CALLS = 40_000
ROWS = {
    "slower": Row(f"a replay of {_MEGABYTES:,} MB / json.loads of each line", 60),
    "reading": Row("  without judging / json.loads of each line", 1),
    "rate": Row("  time for 1 MB", unit="ms"),
    "memory": Row("  memory at most", 150, "MB"),
    "growth": Row("  memory at most / for an eighth of it", 1.5),
}
# In a process of its own, so that its memory is that of a replay and of nothing else.
_CHILD = """
import json, resource, sys, time
from pathlib import Path
from interlock.config.bundles import core_policy, find_pack
from interlock.policy.load import load_policy
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import play
from interlock.replay.sources import find_sessions, in_order
from interlock.replay.steps import steps_of
from interlock.replay.tally import ReplayTally
file, text = find_pack("guarded", "")
faults, tally = Faults(), ReplayTally()
sessions = in_order(find_sessions([Path(one) for one in sys.argv[2:]], faults))
start = time.perf_counter()
if sys.argv[1] == "read":
    for session in sessions:
        for step in steps_of(session, faults):
            pass
else:
    judge = PastJudge([load_policy(text, file, find_pack), core_policy()])
    for scene in play(sessions, [judge], faults):
        tally.add(scene)
took = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"took": took, "peak": peak, "calls": tally.calls, "faults": len(faults.all())}))
"""


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with scratch_folder() as folder:
        files = [_write(folder / f"session-{number}.jsonl", number) for number in range(_SESSIONS)]
        yield lambda: _run(files)


def _run(files: list[Path]) -> Values:
    progress("a plain loop")
    start = time.perf_counter()
    for file in files:
        with file.open("rb") as lines:
            for line in lines:
                json.loads(line)
    plain = time.perf_counter() - start
    progress("reading")
    reading = _child("read", files)
    progress("a part of it")
    part = _child("judge", files[:1])
    progress("all of it")
    whole = _child("judge", files)
    return {
        "slower": whole["took"] / plain,
        "reading": reading["took"] / plain,
        "rate": whole["took"] / _MEGABYTES * 1000,
        "memory": whole["peak"],
        "growth": whole["peak"] / part["peak"],
    }


def _child(what: str, files: list[Path]) -> dict[str, Any]:
    command = [sys.executable, "-c", _CHILD, what, *map(str, files)]
    done = subprocess.run(command, capture_output=True, check=True, env={**os.environ})
    found: dict[str, Any] = json.loads(done.stdout)
    if found["faults"]:
        raise AssertionError("the generated transcripts could not be read")
    return found


def _write(file: Path, number: int) -> Path:
    """A transcript as a client writes it: mostly copies of requests, with calls and their results between them."""
    calls = _CALLS // _SESSIONS
    filler = "x" * ((_MEGABYTES << 20) // _CALLS - 1_200)
    with file.open("w", encoding="utf-8") as stream:
        for call in range(calls):
            command = LINES[(number * calls + call) % len(LINES)]
            for line in _lines(number, call, command, filler):
                stream.write(json.dumps(line, separators=(",", ":")) + "\n")
    return file


def _lines(number: int, call: int, command: str, filler: str) -> Iterator[dict[str, Any]]:
    at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_790_000_000 + number * 1_000_000 + call * 5))
    common = {"timestamp": at, "cwd": "/home/dev/shop", "sessionId": str(number), "gitBranch": "feature"}
    name = f"toolu_{number}_{call}"
    block = {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": command}}
    said = {"id": f"msg_{call}", "role": "assistant", "content": [block]}
    yield {"type": "assistant", "uuid": f"a-{number}-{call}", "message": said, **common}
    result = {"type": "tool_result", "tool_use_id": name, "content": "done", "is_error": False}
    yield {
        "type": "user", "uuid": f"u-{number}-{call}", "message": {"role": "user", "content": [result]},
        "toolUseResult": {"stdout": "done", "stderr": ""}, **common,
    }  # fmt: skip
    yield {"type": "api-request-blob", "sessionId": str(number), "message": {"role": "user", "content": filler}}


PART = Part("replay", ROWS, _opens, once=True)
