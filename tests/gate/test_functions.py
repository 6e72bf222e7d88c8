"""Plain functions as tools."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.gate import Denied, Withheld
from interlock.gate.functions import Tool
from interlock.store.memory import MemoryStore
from tests.gate.gates import gate_with

CAP = "{id: cap, tool: transfer, when: input.amount > 100, change: {amount: 100}}"
FROZEN = '{id: frozen, tool: transfer, when: input.account == "frozen", deny: That account is frozen.}'


def transfer(account: str, amount: int = 50, *, note: str = "") -> dict[str, Any]:
    """Move money."""
    return {"account": account, "amount": amount, "note": note}


async def transfer_later(account: str, amount: int = 50) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {"account": account, "amount": amount}


def test_a_function_is_judged_by_its_arguments_and_called_with_the_changed_ones(tmp_path):
    """S3-07, S3-09"""
    mask = "{id: mask, event: PostToolUse, tool: transfer, output: {account: '***'}}"
    guarded = gate_with(tmp_path, CAP, FROZEN, mask).tool(transfer)
    assert guarded("a-1", 700) == {"account": "***", "amount": 100, "note": ""}
    assert guarded(amount=7, account="a-1", note="x") == {"account": "***", "amount": 7, "note": "x"}
    with pytest.raises(Denied, match="frozen"):
        guarded("frozen")
    assert (guarded.__name__, guarded.__doc__) == ("transfer", "Move money.")


def test_so_is_an_async_one_under_the_name_it_is_given(tmp_path):
    guarded = gate_with(tmp_path, CAP, FROZEN).tool(name="transfer")(transfer_later)
    assert asyncio.run(guarded("a-1", 700)) == {"account": "a-1", "amount": 100}
    with pytest.raises(Denied, match="frozen"):
        asyncio.run(guarded("frozen"))


def test_defaults_are_judged_too(tmp_path):
    store = MemoryStore()
    gate = gate_with(tmp_path, "{id: d, tool: transfer, when: input.amount == 50, deny: Fifty.}", store=store)
    with pytest.raises(Denied, match="Fifty"):
        gate.tool(transfer)("a-1")


def test_a_change_that_does_not_fit_the_function_does_not_run_it(tmp_path):
    ran: list[str] = []

    def pay(amount: int) -> int:
        ran.append("ran")
        return amount

    guarded = gate_with(tmp_path, "{id: c, tool: pay, change: {currency: EUR}}").tool(pay)
    with pytest.raises(InterlockError, match="does not fit `pay`: got an unexpected keyword argument 'currency'"):
        guarded(1)
    assert ran == []


def test_a_decorated_function_that_raises_raises(tmp_path):
    gate = gate_with(tmp_path, "{id: m, event: PostToolUse, tool: charge, output: '${redact(output)}'}")

    @gate.tool
    def charge(fail: str) -> str:
        raise ValueError(fail)

    with pytest.raises(ValueError, match="declined"):
        charge("declined")
    with pytest.raises(Withheld):
        charge("ghp_0123456789abcdefghijABCDEFGHIJ012345")


def test_a_bound_method_is_a_tool_and_an_unbound_one_is_not(tmp_path):
    class Bank:
        def pay(self, amount: int) -> int:
            return amount

    gate = gate_with(tmp_path)
    assert gate.tool(Bank().pay)(3) == 3
    with pytest.raises(InterlockError, match="is a method") as error:
        gate.tool(Bank.pay)
    assert error.value.help == "wrap the bound one: gate.tool(it.method)"


def yields() -> Any:
    yield 1


async def yields_async() -> Any:
    yield 1


@pytest.mark.parametrize(
    ("function", "why"),
    [(yields, "yields"), (yields_async, "yields"), (lambda *args: 1, r"takes \*args"), (dict, "cannot be determined")],
)
def test_what_has_no_named_arguments_and_one_result_is_no_tool(tmp_path, function, why):
    with pytest.raises(InterlockError, match=why):
        gate_with(tmp_path).tool(function)


def test_an_argument_that_is_no_json_is_refused(tmp_path):
    with pytest.raises(InterlockError, match="`account` is or contains a object"):
        gate_with(tmp_path).tool(transfer)(object())  # type: ignore[arg-type]


names = st.sampled_from(["a", "b", "c", "extra", "others"])
values = st.one_of(st.integers(), st.text(), st.booleans(), st.none(), st.lists(st.integers()))


@given(st.dictionaries(names, values), values, values)
def test_a_call_by_its_input_is_the_call_itself(rest, one, two):
    def function(a: Any, /, b: Any, c: Any = 0, **others: Any) -> Any:
        return a, b, c, others

    kwargs = {name: value for name, value in rest.items() if name != "b"}
    tool = Tool(function, None)
    if "a" in kwargs:
        with pytest.raises(InterlockError, match="two arguments that are called `a`"):
            tool.input_of((one, two), kwargs)
        return
    assert tool.call(tool.input_of((one, two), kwargs)) == function(one, two, **kwargs)
