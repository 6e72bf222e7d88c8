"""The gate's rows: what it costs to run a tool that does nothing under twenty rules."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.measure import alternating
from bench.rows import Part, Row, Run, Values
from interlock.gate import Gate
from interlock.gate.means import driven
from interlock.store.memory import MemoryStore

ROWS = {
    "named": Row("a call with 20 rules on its tool / json.loads of its event", 20),
    "asked": Row("  where each of the 20 evaluates an expression", 20),
    "kept": Row("  and everything is recorded in memory"),
}
INPUT = {"customer_id": "c-1047", "amount": 80, "note": "arrived broken"}
NAMED = [f"  - {{id: n{number}, tool: noop, agent: reviewer-{number}, deny: Not now.}}" for number in range(20)]
ASKED = [
    f"  - {{id: e{number}, tool: noop, when: input.amount > {number + 100}, deny: Too much.}}" for number in range(20)
]


def _event() -> bytes:
    """The event that the call raises."""
    base = {"session_id": "gate-" + "0" * 24, "transcript_path": "", "cwd": "/home/dev/shop"}
    call = {"tool_name": "noop", "tool_use_id": "call_" + "0" * 24, "tool_input": INPUT}
    event = {**base, "permission_mode": "default", "hook_event_name": "PreToolUse", **call}
    return json.dumps(event, separators=(",", ":")).encode()


def _calling(folder: str, rules: list[str], *, record: bool) -> Callable[[], object]:
    file = Path(folder, f"{len(rules)}-{rules[0][10:12]}-{record}.yaml")
    file.write_text("\n".join(["version: 1", "rules:", *rules]), encoding="utf-8")
    gate = Gate(file, project=folder, store=MemoryStore() if record else None, record=record)

    def call() -> object:
        # Awaited by hand: nothing in it waits, and so no event loop has a share in the figure.
        return driven(gate.call("noop", INPUT, run=lambda given: None))

    return call


@contextmanager
def _opens() -> Iterator[Run]:
    event = _event()
    with tempfile.TemporaryDirectory() as folder:
        tasks: dict[str, Callable[[], object]] = {
            "json": lambda: json.loads(event),
            "named": _calling(folder, NAMED, record=False),
            "asked": _calling(folder, ASKED, record=False),
            "kept": _calling(folder, ASKED, record=True),
        }
        yield lambda: _run(tasks)


def _run(tasks: Mapping[str, Callable[[], object]]) -> Values:
    median = alternating(tasks, blocks=25, calls=40)
    return {name: median[name] / median["json"] for name in ROWS}


PART = Part("gate", ROWS, _opens)
