"""The policy's figures: judging by many rules, and loading them."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.measure import Figure, alternating
from bench.protocol import EVENT
from interlock.config.bundles import load_file
from interlock.policy.engine import Engine
from interlock.policy.load import load_policy
from interlock.service import handle
from interlock.testing.pretend import Pretend

WRITE_INPUT = {"file_path": "/home/dev/shop/src/app.py", "content": "print(1)\n" * 20}
WRITE = {**EVENT, "tool_name": "Write", "tool_input": WRITE_INPUT}


def _policy(rules: list[str], state: str = "{limit: 5}") -> str:
    return "\n".join(["version: 1", f"state: {state}", "rules:", *rules])


def _bash_rules(count: int, matching: int) -> list[str]:
    """Rules on Bash with patterns of their own; the first ones are about the command that is judged."""
    rules = []
    for number in range(count):
        command = f"npm test --flag{number}" if number < matching else f"tool{number} sub{number}"
        rules.append(
            f"  - {{id: r{number}, tool: Bash, command: {command}, when: state.limit > {number}, deny: Not now.}}"
        )
    return rules


def _write_rules(count: int) -> list[str]:
    rule = '  - {{id: w{0}, tool: Write, path: {{write: "gen{0}/"}}, when: state.limit > {0}, deny: Not now.}}'
    return [rule.format(number) for number in range(count)]


def _judge(text: str, event: Mapping[str, object]) -> Callable[[], object]:
    policy = load_policy(text, "bench.yaml")
    panel, world = Engine(policy.rules, policy.tools), Pretend()
    raw = json.dumps(event, separators=(",", ":")).encode() + b"\n"
    assert handle("claude-code", raw, panel, world=world).verdict.errors == ()
    return lambda: handle("claude-code", raw, panel, world=world)


def figures() -> Iterator[Figure]:
    bash = json.dumps(EVENT, separators=(",", ":")).encode()
    write = json.dumps(WRITE, separators=(",", ":")).encode()
    median = alternating(
        {
            "bash json": lambda: json.loads(bash),
            "bash": _judge(_policy(_bash_rules(100, 10)), EVENT),
            "write json": lambda: json.loads(write),
            "write": _judge(_policy(_write_rules(100)), WRITE),
            "20": _judge(_policy(_bash_rules(20, 20)), EVENT),
            "10,000": _judge(_policy(_bash_rules(10_000, 20)), EVENT),
        },
        blocks=21,
        calls=100,
    )
    yield Figure("100 rules on Bash / json.loads of its bytes", median["bash"] / median["bash json"], 40)
    yield Figure("100 rules on Write / json.loads of its bytes", median["write"] / median["write json"], 15)
    yield Figure("10,000 rules of which 20 apply / those 20 alone", median["10,000"] / median["20"], 1.3)
    yield from _loading()


def _loading() -> Iterator[Figure]:
    text = _policy([*_bash_rules(500, 10), *_write_rules(500)])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "interlock.yaml")
        file.write_text(text, encoding="utf-8")
        for name, target in (("loading 1,000 rules with expressions", 300), ("  unchanged, again", 25)):
            start = time.perf_counter()
            policy = load_file(file)
            took = time.perf_counter() - start
            assert len(policy.rules) == 1000
            yield Figure(name, took * 1e3, target, "ms")
