"""The policy's rows: judging by many rules, and loading them."""

from __future__ import annotations

import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.events import EVENT, encoded
from bench.measure import alternating
from bench.rows import Part, Row, Run, Values
from bench.rules import bash_rules, policy_text, write_rules
from interlock.config.bundles import load_file
from interlock.policy.engine import Engine
from interlock.policy.load import load_policy
from interlock.service import handle
from interlock.testing.pretend import Pretend

WRITE_INPUT = {"file_path": "/home/dev/shop/src/app.py", "content": "print(1)\n" * 20}
WRITE = {**EVENT, "tool_name": "Write", "tool_input": WRITE_INPUT}
ROWS = {
    "bash": Row("100 rules on Bash / json.loads of its bytes", 40),
    "write": Row("100 rules on Write / json.loads of its bytes", 15),
    "10,000": Row("10,000 rules of which 20 apply / those 20 alone", 1.3),
    "load": Row("loading 1,000 rules with expressions", 300, "ms"),
    "again": Row("  unchanged, again", 25, "ms"),
}
_HALF = 500  # of the rules that are loaded


def _judge(text: str, event: Mapping[str, Any]) -> Callable[[], object]:
    policy = load_policy(text, "bench.yaml")
    panel, world = Engine(policy.rules, policy.tools), Pretend()
    raw = encoded(dict(event)) + b"\n"
    assert handle("claude-code", raw, panel, world=world).verdict.errors == ()
    return lambda: handle("claude-code", raw, panel, world=world)


@contextmanager
def _opens() -> Iterator[Run]:
    bash, write = encoded(EVENT), encoded(WRITE)
    tasks: dict[str, Callable[[], object]] = {
        "bash json": lambda: json.loads(bash),
        "bash": _judge(policy_text(bash_rules(100, 10)), EVENT),
        "write json": lambda: json.loads(write),
        "write": _judge(policy_text(write_rules(100)), WRITE),
        "20": _judge(policy_text(bash_rules(20, 20)), EVENT),
        "10,000": _judge(policy_text(bash_rules(10_000, 20)), EVENT),
    }
    firsts = itertools.count(0, _HALF)
    yield lambda: {**_judging(tasks), **_loading(next(firsts))}


def _judging(tasks: Mapping[str, Callable[[], object]]) -> Values:
    median = alternating(tasks, blocks=21, calls=33)
    return {
        "bash": median["bash"] / median["bash json"],
        "write": median["write"] / median["write json"],
        "10,000": median["10,000"] / median["20"],
    }


def _loading(first: int) -> Values:
    """Load rules that were never loaded before, and load them again."""
    text = policy_text([*bash_rules(_HALF, 10, first), *write_rules(_HALF, first)])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "interlock.yaml")
        file.write_text(text, encoding="utf-8")
        return {"load": _load(file) * 1e3, "again": statistics.median(_load(file) for _ in range(9)) * 1e3}


def _load(file: Path) -> float:
    start = time.thread_time()
    policy = load_file(file)
    took = time.thread_time() - start
    assert len(policy.rules) == 2 * _HALF
    return took


PART = Part("policy", ROWS, _opens)
