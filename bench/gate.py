"""The gate's figures: what it costs to run a tool that does nothing under twenty rules."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.measure import Figure, alternating
from interlock.gate import Gate
from interlock.gate.means import driven
from interlock.store.memory import MemoryStore

INPUT = {"customer_id": "c-1047", "amount": 80, "note": "arrived broken"}
NAMED = [f"  - {{id: n{number}, tool: noop, mode: plan-{number}, deny: Not now.}}" for number in range(20)]
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
        # As one that is awaited: nothing in it waits, so that no event loop has a share in the figure.
        return driven(gate.call("noop", INPUT, run=lambda given: None))

    return call


def figures() -> Iterator[Figure]:
    event = _event()
    with tempfile.TemporaryDirectory() as folder:
        median = alternating(
            {
                "json": lambda: json.loads(event),
                "named": _calling(folder, NAMED, record=False),
                "asked": _calling(folder, ASKED, record=False),
                "kept": _calling(folder, ASKED, record=True),
            },
            blocks=31,
            calls=100,
        )
    yield Figure("a call with 20 rules on its tool / json.loads of its event", median["named"] / median["json"], 20)
    yield Figure("  where each of the 20 evaluates an expression", median["asked"] / median["json"], 20)
    yield Figure("  and everything is recorded in memory", median["kept"] / median["json"])
