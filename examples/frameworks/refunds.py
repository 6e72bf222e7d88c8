"""What the four agents have in common: one gate, one tool, and what the scripted model asks for."""

# ruff: noqa: T201 - it talks to a person
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from interlock import Gate
from interlock.store.memory import MemoryStore

# Without `store`, the calls would be in your own record, and `interlock log` would show them.
gate = Gate(Path(__file__).with_name("policy.yaml"), store=MemoryStore())
WANTED: tuple[dict[str, Any], ...] = ({"customer": "ann", "amount": 800}, {"customer": "ann", "amount": 80})


def process_refund(customer: str, amount: int) -> dict[str, Any]:
    """Give a customer their money back; here it is only printed."""
    print("ran with:", json.dumps({"customer": customer, "amount": amount}))
    return {"refunded": amount, "card": "4111 1111 1111 1111"}


def show_result(result: Any) -> None:
    """Print what the model reads as the result of a call."""
    if isinstance(result, str) and result.startswith("{"):
        result = json.loads(result)
    print("the model reads:", result if isinstance(result, str) else json.dumps(result))


def show_question(question: str) -> None:
    print("a person is asked:", question)
