"""The refund story: what one call learns about a customer decides a later one, and serves nobody else."""

from __future__ import annotations

import pytest

from tests.e2e.model import Call
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
TOP = """\
let:
  limits: {new: 100, regular: 300, vip: 1000}
state: {tenure: {}}
"""
KNOWN = (
    "{id: customer-known, event: PostToolUse, tool: mcp__payments__get_customer, "
    'set: {tenure: {"${input.customer_id}": "${output.tenure}"}}}'
)
LIMIT = (
    "{id: refund-over-limit, tool: process_refund, "
    "when: 'input.amount > limits[?state.tenure[?input.customer_id].orValue(\"new\")].orValue(100)', "
    'deny: "A refund of $${input.amount} is over the limit of ${input.customer_id}. Use escalate_to_human."}'
)


def customer(name: str) -> Call:
    return Call("mcp__payments__get_customer", {"customer_id": name})


def refund(name: str, amount: int) -> Call:
    return Call("mcp__payments__process_refund", {"customer_id": name, "amount": amount})


@both
def test_a_refund_waits_for_the_customer_to_be_known_and_one_customer_does_not_serve_another(session: Session):
    """S1-09, S1-15, S4-09"""
    session.guard(KNOWN, LIMIT, top=TOP)
    ran = session.run(
        refund("ada", 500), customer("ada"), refund("ada", 500), refund("ada", 1400),
        refund("bob", 500), customer("bob"), refund("bob", 500), refund("bob", 100), "Done.", mcp=True,
    )  # fmt: skip
    assert [(one["customer_id"], one["amount"]) for one in session.paid()] == [("ada", 500), ("bob", 100)]
    results = ran.results()
    assert [result.error for result in results] == [True, False, False, True, True, False, True, False]
    assert "A refund of $500 is over the limit of ada. Use escalate_to_human." in results[0].text
    assert "A refund of $1400 is over the limit of ada." in results[3].text


def test_what_is_known_lasts_for_the_session_and_not_for_the_next_one(session: Session):
    """S1-15"""
    session.guard(KNOWN, LIMIT, top=TOP)
    first = session.run(customer("ada"), refund("ada", 500), "Done.", mcp=True)
    session.run(refund("ada", 600), "Done.", mcp=True, args=("--resume", first.session_id))
    session.run(refund("ada", 700), "Done.", mcp=True)
    assert [one["amount"] for one in session.paid()] == [500, 600]
