"""The refund agent of the examples, run as anybody would run it, against a model that plays a script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.binding.sdk import quiet
from tests.e2e.model import MAIN, Call, Model, Turn

AGENT = Path(__file__).parent.parent.parent / "examples" / "refund_agent" / "agent.py"


def ask(tool: str, customer: str, amount: float | None = None, **more: str) -> Call:
    given = {"customer_id": customer, **({} if amount is None else {"order_id": "o-7", "amount": amount}), **more}
    return Call(tool, given)


def run(*turns: Turn) -> tuple[list[str], list[object]]:
    """What became of each call, and what was really done."""
    with Model({MAIN: [*turns, "Done."]}) as model:
        command = [sys.executable, str(AGENT), "Refund", "it."]
        ran = subprocess.run(
            command, env={**os.environ, **quiet(model.url)}, capture_output=True, text=True, timeout=60, check=False
        )
    assert (ran.returncode, model.faults) == (0, []), ran.stderr
    lines = ran.stdout.splitlines()
    results = [re.sub(r"\s*<system-reminder>.*", "", line) for line in lines if line.startswith(("denied", "result"))]
    return results, json.loads(next(line for line in lines if line.startswith("ledger"))[7:])


def test_both_reasons_are_told_at_once_and_the_model_can_resolve_them():
    """S1-09, S1-12, S1-15"""
    results, ledger = run(
        ask("mcp__payments__process_refund", "ann", 800),
        ask("mcp__crm__verify_customer", "ann"),
        ask("mcp__payments__process_refund", "ann", 800),
        ask("mcp__crm__get_customer", "ann"),
        ask("mcp__payments__process_refund", "ann", 800),
    )
    assert "Denied: (1) Customer ann is not verified; call verify_customer first. (2) A refund of $800" in results[0]
    assert results[0].endswith("Both must be resolved.")
    assert "not verified" not in results[2]
    assert "over the limit for a new customer" in results[2]
    assert [result[:6] for result in results] == ["denied", "result", "denied", "result", "result"]
    assert ledger == [{"refund": 800, "to": "ann"}]


def test_limits_go_by_each_customers_tenure_and_hold_for_the_other_servers_tool_too():
    """S1-11, S1-15"""
    known = [ask(f"mcp__crm__{tool}", name) for name in ("ann", "bob") for tool in ("verify_customer", "get_customer")]
    results, ledger = run(
        *known,
        ask("mcp__payments__process_refund", "ann", 1000),
        ask("mcp__payments__process_refund", "bob", 1000),
        ask("mcp__legacy__process_refund", "bob", 301),
        ask("mcp__legacy__process_refund", "bob", 300),
        ask("mcp__payments__escalate_to_human", "bob", 1000, reason="broken"),
    )
    assert [result[:6] for result in results[4:]] == ["result", "denied", "denied", "result", "result"]
    assert "over the limit for a regular customer." in results[5]
    assert "use escalate_to_human with the customer ID, order ID, amount and reason." in results[6]
    assert ledger == [
        {"refund": 1000, "to": "ann"},
        {"refund": 300, "to": "bob"},
        {"escalated": 1000, "for": "bob"},
    ]
