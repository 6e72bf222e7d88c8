"""The protocol's figures: one event through the service, the hop to a worker, and what an import costs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.events import EVENT, encoded
from bench.measure import alternating
from bench.rows import Part, Row, Run, Values
from interlock import ask, deny, hook
from interlock.hooks.process import HookProcess
from interlock.hooks.run import HookSet
from interlock.service import handle

ROWS = {
    "handle": Row("event: decode + 20 hooks (3 apply) + encode / json.loads", 8),
    "spaced": Row("  the same event written with spaces", 8),
    "worker": Row("  with the hop to the hooks' worker process"),
    "hop": Row("  that hop alone", unit="us"),
    "import": Row("import interlock / a bare interpreter's start", 1.15),
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


@contextmanager
def _opens() -> Iterator[Run]:
    raw = encoded(EVENT) + b"\n"  # as the client writes it
    spaced = json.dumps(EVENT).encode()
    hooks = HookSet(_hooks())
    root = str(Path(__file__).resolve().parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "hooks.py")
        file.write_text(f"import sys\nsys.path.insert(0, {root!r})\n{_FILE}", encoding="utf-8")
        with HookProcess([file]) as worker:
            assert handle("claude-code", raw, worker).verdict.decision == "ask"
            tasks: dict[str, Callable[[], object]] = {
                "json": lambda: json.loads(raw),
                "handle": lambda: handle("claude-code", raw, hooks),
                "spaced": lambda: handle("claude-code", spaced, hooks),
                "worker": lambda: handle("claude-code", raw, worker),
            }
            yield lambda: _run(tasks)


def _run(tasks: dict[str, Callable[[], object]]) -> Values:
    median = alternating({name: tasks[name] for name in ("json", "handle", "spaced")}, blocks=31, calls=100)
    waits = alternating({name: tasks[name] for name in ("json", "handle", "worker")}, 11, 100, time.perf_counter)
    starts = {"bare": _start("pass"), "import": _start("import interlock")}
    began = alternating(starts, 15, 1, time.perf_counter)
    return {
        **{name: median[name] / median["json"] for name in ("handle", "spaced")},
        "worker": waits["worker"] / waits["json"],
        "hop": (waits["worker"] - waits["handle"]) * 1e6,
        "import": began["import"] / began["bare"],
    }


def _start(code: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


PART = Part("protocol", ROWS, _opens)
