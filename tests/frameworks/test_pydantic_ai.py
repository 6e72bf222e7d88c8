"""Pydantic AI under a gate: which tools are guarded, what they are called with, and whom an approval is for."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import pytest

from interlock.errors import InterlockError
from interlock.gate import TurnOver
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.frameworks.playing import Tool
from tests.gate.gates import gate_with

if TYPE_CHECKING:
    from types import ModuleType

DENY = "{id: a, tool: pay, deny: No.}"
ASK = "{id: a, tool: pay, ask: Pay?}"


@pytest.fixture(autouse=True)
def pai() -> ModuleType:
    pytest.importorskip("pydantic_ai", reason="pydantic-ai-slim is not installed")
    from tests.frameworks import play_pydantic_ai

    return play_pydantic_ai


@pytest.mark.parametrize("where", ["of the agent, later", "of a toolset", "of the run", "in place of the others"])
def test_a_tool_is_guarded_wherever_it_comes_from(pai, tmp_path, where):
    from pydantic_ai import Agent, FunctionToolset

    tool = Tool()

    def pay(n: int) -> Any:
        return tool(n, "ann")

    toolset: FunctionToolset[Any] = FunctionToolset([pay])
    guard = pai.InterlockCapability(gate_with(tmp_path, DENY))
    agent: Agent[Any, Any] = Agent(
        pai.script(pai.call({"n": 1})), capabilities=[guard], toolsets=[toolset] if where == "of a toolset" else []
    )
    if where == "of the agent, later":
        agent.tool_plain(pay)
    if where == "in place of the others":
        with agent.override(toolsets=[toolset]):
            result = pai.run(agent)
    else:
        result = pai.run(agent, toolsets=[toolset] if where == "of the run" else None)
    assert pai.as_play(result, agent).read == "No."
    assert tool.inputs == []


def test_what_another_capability_makes_of_a_call_is_judged(pai, tmp_path):
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import AbstractCapability

    class Doubles(AbstractCapability[Any]):
        async def before_tool_execute(self, ctx, *, call, tool_def, args):
            return {**args, "n": args["n"] * 2}

    tool = Tool()
    guard = pai.InterlockCapability(gate_with(tmp_path, "{id: a, tool: pay, when: input.n > 5, deny: Pay less.}"))
    for capabilities in ([guard, Doubles()], [Doubles(), guard]):
        agent: Agent[Any, Any] = Agent(pai.script(pai.call({"n": 3})), capabilities=capabilities)

        @agent.tool_plain
        def pay(n: int) -> Any:
            return tool(n, "ann")

        assert pai.as_play(pai.run(agent), agent).read == "Pay less."
    assert tool.inputs == []


def test_tools_that_no_gate_sees_are_refused_unless_they_are_accepted(pai, tmp_path):
    from pydantic_ai import Agent, ExternalToolset
    from pydantic_ai.tools import ToolDefinition

    elsewhere: ExternalToolset[Any] = ExternalToolset([ToolDefinition(name="dial")])

    def agent_with(**options: Any) -> Any:
        guard = pai.InterlockCapability(gate_with(tmp_path), **options)
        return Agent(pai.script(), capabilities=[guard], toolsets=[elsewhere])

    with pytest.raises(InterlockError, match="no call of `dial` passes the gate"):
        pai.run(agent_with())
    assert pai.run(agent_with(unguarded=["dial"])).output == "done"


def test_an_output_function_is_refused_unless_it_is_accepted(pai, tmp_path):
    from pydantic_ai import Agent

    ran: list[int] = []

    def pay(n: int) -> str:
        ran.append(n)
        return "paid"

    def agent_with(**options: Any) -> Any:
        guard = pai.InterlockCapability(gate_with(tmp_path), **options)
        return Agent(pai.script(pai.call({"n": 3}, "final_result")), output_type=pay, capabilities=[guard])

    with pytest.raises(InterlockError, match="no call of `pay` passes the gate"):
        pai.run(agent_with())
    assert ran == []
    assert pai.run(agent_with(unguarded=["pay"])).output == "paid"


@pytest.mark.parametrize("by", ["the agent", "settings", "the model's settings"])
def test_a_native_tool_is_refused_before_the_model_can_use_it(pai, tmp_path, by):
    from pydantic_ai import Agent, WebSearchTool
    from pydantic_ai.capabilities import NativeTool
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai.profiles import ModelProfile

    asked = []

    def answer(messages: Any, info: Any) -> Any:
        asked.append(info)
        return pai.ModelResponse(parts=[pai.TextPart("done")])

    settings: Any = {"openai_native_tools": [{"type": "web_search"}]}
    of_model = settings if by == "the model's settings" else None
    profile = ModelProfile(supported_native_tools=frozenset({WebSearchTool}))
    model = FunctionModel(answer, profile=profile, settings=of_model)
    name = "web_search" if by == "the agent" else "openai_native_tools"
    for unguarded in ([], [name]):
        guard = pai.InterlockCapability(gate_with(tmp_path), unguarded=unguarded)
        search: list[Any] = [NativeTool(WebSearchTool())] if by == "the agent" else []
        agent: Agent[Any, Any] = Agent(model, capabilities=[*search, guard])
        options = {"model_settings": settings} if by == "settings" else {}
        if unguarded:
            assert pai.run(agent, **options).output == "done"
        else:
            with pytest.raises(InterlockError, match=f"`{name}`"):
                pai.run(agent, **options)
            assert asked == []


@pytest.mark.parametrize("inside", ["in the same tier", "inside by name", "of the run"])
def test_a_capability_that_could_change_a_call_after_it_was_judged_is_refused(pai, tmp_path, inside):
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.capabilities.abstract import CapabilityOrdering
    from pydantic_ai.toolsets import WrapperToolset

    class Doubling(WrapperToolset[Any]):
        async def call_tool(self, name, tool_args, ctx, tool):
            return await super().call_tool(name, {**tool_args, "n": tool_args["n"] * 2}, ctx, tool)

    class Doubles(AbstractCapability[Any]):
        def get_ordering(self):
            wrapped_by = [pai.InterlockCapability] if inside == "inside by name" else []
            return CapabilityOrdering(position="innermost", wrapped_by=wrapped_by)

        def get_wrapper_toolset(self, toolset):
            return Doubling(toolset)

    tool = Tool()
    guard = pai.InterlockCapability(gate_with(tmp_path))
    more = [Doubles()]
    agent: Agent[Any, Any] = Agent(
        pai.script(pai.call({"n": 3})), capabilities=[guard] if inside == "of the run" else [guard, *more]
    )

    @agent.tool_plain
    def pay(n: int) -> Any:
        return tool(n, "ann")

    with pytest.raises(InterlockError, match="another capability could change a call"):
        pai.run(agent, **({"capabilities": more} if inside == "of the run" else {}))
    assert tool.inputs == []


def test_rules_see_what_the_model_wrote_also_where_pydantic_leaves_it_out(pai, tmp_path):
    from dataclasses import dataclass

    from pydantic import AliasChoices, BaseModel, Field, SecretStr
    from pydantic_ai import Agent

    @dataclass
    class Person:
        name: str

    class Payment(BaseModel):
        n: int
        to: str = Field(exclude=True)
        by: SecretStr = SecretStr("")
        people: list[Person] = []
        note: str = Field(default="", validation_alias=AliasChoices("memo", "remark"))

    got: list[Payment] = []
    rules = (
        "{id: a, tool: pay, when: 'input.to == \"eve\"', deny: Not to Eve.}",
        "{id: b, tool: pay, when: 'input.by == \"eve\"', deny: Not by Eve.}",
        "{id: c, tool: pay, when: 'input.memo == \"eve\"', deny: Not about Eve.}",
        "{id: d, tool: pay, when: 'input.people.exists(one, one.name == \"eve\")', deny: Not with Eve.}",
        "{id: e, tool: pay, when: input.n > 5, change: {n: 5}}",
    )
    with_eve: list[dict[str, Any]] = [{"to": "eve"}, {"by": "eve"}, {"memo": "eve"}, {"people": [{"name": "eve"}]}]
    fine = {"n": 9, "to": "bob", "by": "cy", "memo": "x", "people": [{"name": "di"}]}
    calls = [pai.call({**fine, **one}) for one in with_eve]
    guard = pai.InterlockCapability(gate_with(tmp_path, *rules))
    agent: Agent[Any, Any] = Agent(pai.script(*calls, pai.call(fine)), capabilities=[guard])

    def pay(payment: Any) -> str:
        got.append(payment)
        return "paid"

    pay.__annotations__["payment"] = Payment  # which is not known by name outside this function
    agent.tool_plain(pay)
    assert [text.split("\n")[0] for text in pai._read(pai.run(agent))[:5]] == [
        "Not to Eve.",
        "Not by Eve.",
        "Not about Eve.",
        "Not with Eve.",
        "paid",
    ]
    assert got == [Payment(n=5, to="bob", by=SecretStr("cy"), memo="x", people=[Person("di")])]


def test_a_tool_gets_the_objects_that_its_arguments_are_also_after_a_change(pai, tmp_path):
    from pydantic import BaseModel
    from pydantic_ai import Agent

    class Payment(BaseModel):
        n: int
        on: datetime.date

    got: list[Payment] = []
    rule = "{id: a, tool: pay, when: 'input.n > 5', change: {n: 5}}"
    guard = pai.InterlockCapability(gate_with(tmp_path, rule))
    calls = [pai.call({"n": n, "on": "2026-11-16"}) for n in (3, 6)]
    agent: Agent[Any, Any] = Agent(pai.script(*calls), capabilities=[guard])

    def pay(payment: Any) -> str:
        got.append(payment)
        return "paid"

    pay.__annotations__["payment"] = Payment  # which is not known by name outside this function
    agent.tool_plain(pay)
    pai.run(agent)
    assert got == [Payment(n=3, on=datetime.date(2026, 11, 16)), Payment(n=5, on=datetime.date(2026, 11, 16))]


def test_a_call_that_a_rule_changes_and_asks_about_is_denied_with_the_safe_call(pai, tmp_path):
    tool = Tool()
    gate = gate_with(tmp_path, ASK, "{id: b, tool: pay, when: input.n > 5, change: {n: 5}}")
    assert pai.play(gate, tool, {"n": 6, "to": "bob"}).read == (
        'Pay?\nPydantic AI cannot change this call. Make this call instead: {"n":5,"to":"bob"}'
    )
    assert tool.inputs == []


def test_a_yes_does_not_hold_for_other_arguments_in_the_history(pai, tmp_path):
    import dataclasses

    from pydantic_ai import DeferredToolRequests, DeferredToolResults
    from pydantic_ai.messages import ModelResponse

    tool = Tool()
    agent = pai.agent_for(gate_with(tmp_path, ASK), tool, pai.call({"n": 1}))
    paused = pai.run(agent)
    (asked,) = paused.output.approvals
    other = dataclasses.replace(asked, args={"n": 900})
    history = [*paused.all_messages()[:-1], ModelResponse(parts=[other])]
    results = DeferredToolResults(approvals={asked.tool_call_id: True})
    again = pai.run(agent, None, message_history=history, deferred_tool_results=results)
    assert isinstance(again.output, DeferredToolRequests)
    assert tool.inputs == []


def test_a_run_is_resumed_by_another_process_that_has_the_same_store_and_an_answer_counts_once(pai, tmp_path):
    from pydantic_ai import DeferredToolResults

    tool = Tool()
    stores: list[Any] = [SqliteStore(tmp_path / "store.db"), SqliteStore(tmp_path / "store.db"), MemoryStore()]
    paused = pai.run(pai.agent_for(gate_with(tmp_path, ASK, store=stores[0]), tool, pai.call({"n": 1})))
    results = DeferredToolResults(approvals={paused.output.approvals[0].tool_call_id: True})
    for store, ran in ((stores[2], 0), (stores[1], 1), (stores[1], 1)):
        agent = pai.agent_for(gate_with(tmp_path, ASK, store=store), tool)
        pai.run(agent, None, message_history=paused.all_messages(), deferred_tool_results=results)
        assert len(tool.inputs) == ran
    for store in stores:
        store.close()


def test_a_return_with_more_content_is_judged_as_a_whole(pai, tmp_path):
    from pydantic_ai import ToolReturn

    gate = gate_with(tmp_path, '{id: a, event: PostToolUse, tool: pay, output: "****"}')
    result = ToolReturn("paid", content="with 4111", metadata={"kept": True})
    assert pai.play(gate, Tool(result), {"n": 1}).read == "****"
    untouched = pai.play(gate_with(tmp_path), Tool(result), {"n": 1})
    assert untouched.read == "paid\nwith 4111"


def test_a_tool_that_defers_its_call_by_itself_is_not_held_up(pai, tmp_path):
    from pydantic_ai import CallDeferred, DeferredToolRequests

    result = pai.run(pai.agent_for(gate_with(tmp_path), Tool(CallDeferred()), pai.call({"n": 1})))
    assert isinstance(result.output, DeferredToolRequests)


def test_a_deny_that_interrupts_ends_the_run(pai, tmp_path):
    gate = gate_with(tmp_path, "{id: a, tool: pay, deny: Stop now., interrupt: true}")
    with pytest.raises(TurnOver, match=r"Stop now\."):
        pai.play(gate, Tool(), {"n": 1})
