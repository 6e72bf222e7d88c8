"""The protocol's figures: one event through the service, the hop to a worker, and what an import costs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.measure import Figure, alternating
from interlock import ask, deny, hook
from interlock.hooks.process import HookProcess
from interlock.hooks.run import HookSet
from interlock.service import handle

EVENT = {
    "session_id": "5d1f7a52-93a6-4c0e-8f5e-6a4f8d0b7c11",
    "transcript_path": "/home/dev/.claude/projects/shop/5d1f7a52.jsonl",
    "cwd": "/home/dev/shop",
    "prompt_id": "9c6b3f0e-5a41-4d0e-9d4c-0e1b7a2f6d3e",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "npm test -- --watch=false", "description": "Run the tests", "timeout": 120000},
    "tool_use_id": "toolu_01A09q90qw90lq917835lq9",
}


def _hooks() -> list[Callable[..., Any]]:
    """Twenty hooks, three of which apply to the event: two that look and one that asks."""

    @hook("PreToolUse", tool="Bash", name="no-force")
    def no_force(call: Any) -> Any:
        return deny("No force.") if "--force" in call.input["command"] else None

    @hook("PreToolUse", kind="shell", name="no-root")
    def no_root(call: Any) -> Any:
        return deny("No root.") if call.input["command"].startswith("sudo") else None

    @hook("PreToolUse", name="ask-tests")
    def ask_tests(call: Any) -> Any:
        return ask("Run the tests?") if "test" in call.input["command"] else None

    def other(number: int) -> Callable[..., Any]:
        event = "PostToolUse" if number % 2 else "PreToolUse"

        @hook(event, tool=f"mcp__server{number}__*", name=f"other-{number}")
        def unrelated(call: Any) -> Any:
            return deny("No.")

        return unrelated

    return [no_force, no_root, ask_tests, *(other(number) for number in range(17))]


_FILE = """
from bench.protocol import _hooks
for function in _hooks(): pass
"""


def figures() -> Iterator[Figure]:
    yield from _in_process()
    yield from _import_cost()


def _in_process() -> Iterator[Figure]:
    raw = json.dumps(EVENT, separators=(",", ":")).encode() + b"\n"  # as the client writes it
    spaced = json.dumps(EVENT).encode()
    hooks = HookSet(_hooks())
    root = str(Path(__file__).resolve().parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "hooks.py")
        file.write_text(f"import sys\nsys.path.insert(0, {root!r})\n{_FILE}", encoding="utf-8")
        with HookProcess([file]) as worker:
            assert handle("claude-code", raw, worker).verdict.decision == "ask"
            median = alternating(
                {
                    "json": lambda: json.loads(raw),
                    "handle": lambda: handle("claude-code", raw, hooks),
                    "spaced": lambda: handle("claude-code", spaced, hooks),
                    "worker": lambda: handle("claude-code", raw, worker),
                },
                blocks=41,
                calls=300,
            )
    base = median["json"]
    yield Figure("event: decode + 20 hooks (3 apply) + encode / json.loads", median["handle"] / base, 8)
    yield Figure("  the same event written with spaces", median["spaced"] / base, 8)
    yield Figure("  with the hop to the hooks' worker process", median["worker"] / base)
    yield Figure("  that hop alone", (median["worker"] - median["handle"]) * 1e6, unit="us")


def _import_cost() -> Iterator[Figure]:
    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    median = alternating({"bare": start("pass"), "import": start("import interlock")}, blocks=41, calls=3)
    yield Figure("import interlock / a bare interpreter's start", median["import"] / median["bare"], 1.15)
