"""The OpenAI Agents SDK under a gate: what is guarded, what is refused, and whom an approval is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from interlock.errors import InterlockError
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.frameworks.playing import Tool
from tests.gate.gates import gate_with

if TYPE_CHECKING:
    from types import ModuleType

DENY = "{id: a, tool: pay, deny: No.}"
ASK = "{id: a, tool: pay, ask: Pay?}"


@pytest.fixture(autouse=True)
def sdk() -> ModuleType:
    pytest.importorskip("agents", reason="openai-agents is not installed")
    from tests.frameworks import play_openai_agents

    return play_openai_agents


def test_a_tool_that_is_added_later_is_guarded(sdk, tmp_path):
    first, later = Tool(), Tool()
    agent, _ = sdk.agent_for(gate_with(tmp_path, DENY), first, sdk.call({"n": 1}))
    agent.tools.clear()
    agent.tools.append(sdk.as_tool(later))
    assert sdk.as_play(sdk.run(agent), agent).read == "No."
    assert later.inputs == []


def test_a_clone_of_a_guarded_agent_is_guarded(sdk, tmp_path):
    tool = Tool()
    agent, _ = sdk.agent_for(gate_with(tmp_path, DENY), Tool(), sdk.call({"n": 1}))
    clone = agent.clone(tools=[sdk.as_tool(tool)])
    assert sdk.as_play(sdk.run(clone), clone).read == "No."
    assert tool.inputs == []


@pytest.mark.parametrize("by", ["handoff", "handoff object", "handoff added later", "as a tool"])
def test_an_agent_that_is_reached_from_a_guarded_one_is_guarded(sdk, tmp_path, by):
    from agents import Agent, handoff
    from agents.testing import ScriptedModel

    tool = Tool()
    inner = Agent(
        name="inner", model=ScriptedModel([[sdk.call({"n": 1})], [sdk.says("inner done")]]), tools=[sdk.as_tool(tool)]
    )
    to_inner = sdk.call({"input": "Pay."}, "inner") if by == "as a tool" else sdk.call({}, "transfer_to_inner")
    outer = Agent(name="outer", model=ScriptedModel([[to_inner], [sdk.says("done")]]))
    if by == "as a tool":
        outer.tools = [inner.as_tool("inner", "Pays.")]
    elif by != "handoff added later":
        outer.handoffs = [handoff(inner) if by == "handoff object" else inner]
    sdk.guard(outer, gate_with(tmp_path, DENY))
    if by == "handoff added later":
        outer.handoffs.append(inner)
    result = sdk.run(outer)
    assert result.final_output in ("done", "inner done")
    assert tool.inputs == []


@pytest.mark.parametrize("asks_twice", [False, True])
def test_a_question_inside_an_agent_that_is_a_tool_pauses_the_whole_run(sdk, tmp_path, asks_twice):
    from agents import Agent
    from agents.testing import ScriptedModel

    tool = Tool()
    inner = Agent(
        name="inner", model=ScriptedModel([[sdk.call({"n": 1})], [sdk.says("inner done")]]), tools=[sdk.as_tool(tool)]
    )
    outer = Agent(
        name="outer",
        model=ScriptedModel([[sdk.call({"input": "Pay."}, "inner")], [sdk.says("done")]]),
        tools=[inner.as_tool("inner", "Pays.")],
    )
    rules = [ASK, *(["{id: b, tool: inner, ask: Really?}"] if asks_twice else [])]
    sdk.guard(outer, gate_with(tmp_path, *rules))
    result = sdk.run(outer)
    for _ in rules:
        assert tool.inputs == []
        state = result.to_state()
        state.approve(result.interruptions[0])
        result = sdk.run(outer, state)
    assert result.final_output == "done"
    assert len(tool.inputs) == 1


def test_tools_that_no_gate_sees_are_refused_unless_they_are_accepted(sdk, tmp_path):
    from agents import Agent, WebSearchTool
    from agents.testing import ScriptedModel

    gate = gate_with(tmp_path)
    with pytest.raises(InterlockError, match="no call of `web_search` passes the gate") as error:
        sdk.guard(Agent(name="a", tools=[WebSearchTool()]), gate)
    assert error.value.help == "remove it, or accept that: unguarded=['web_search']"
    agent = sdk.guard(Agent(name="a", model=ScriptedModel([[sdk.says("done")]])), gate, unguarded=["web_search"])
    agent.tools.append(WebSearchTool())
    assert sdk.run(agent).final_output == "done"
    later = sdk.guard(Agent(name="a", model=ScriptedModel([[sdk.says("done")]])), gate)
    later.tools.append(WebSearchTool())
    with pytest.raises(InterlockError, match="web_search"):
        sdk.run(later)


@pytest.mark.parametrize("as_object", [False, True])
def test_agents_that_hand_over_to_each_other_may_be_guarded_one_by_one(sdk, tmp_path, as_object):
    from agents import Agent, handoff

    gate, tool = gate_with(tmp_path, DENY), Tool()
    inner, model = sdk.agent_for(gate, tool, sdk.call({"n": 1}))
    outer: Any = Agent(name="outer", model=model, handoffs=[handoff(inner) if as_object else inner], tools=inner.tools)
    assert sdk.guard(sdk.guard(outer, gate), gate) is outer
    assert sdk.guard(inner, gate) is inner
    assert sdk.as_play(sdk.run(outer), outer).read == "No."
    assert tool.inputs == []
    with pytest.raises(InterlockError, match="with other options"):
        sdk.guard(inner, gate, pause=False)


def test_a_question_about_a_tool_of_two_agents_has_its_reason_in_both(sdk, tmp_path):
    from agents import Agent

    gate = gate_with(tmp_path, ASK)
    first, model = sdk.agent_for(gate, Tool(), sdk.call({"n": 1}))
    second: Any = sdk.guard(Agent(name="second", model=model, tools=first.tools), gate)
    assert sdk.as_play(sdk.run(second), second).question == 'pay {"n": 1} Pay?'


def test_an_agent_is_not_put_under_two_gates(sdk, tmp_path):
    agent, _ = sdk.agent_for(gate_with(tmp_path), Tool())
    with pytest.raises(InterlockError, match="under another gate"):
        sdk.guard(agent, gate_with(tmp_path))


def test_a_call_that_a_rule_changes_and_asks_about_is_denied_with_the_safe_call(sdk, tmp_path):
    """The SDK shows a person what the model wrote, so they would approve one call and let another run."""
    tool = Tool()
    gate = gate_with(tmp_path, ASK, "{id: b, tool: pay, when: input.n > 5, change: {n: 5}}")
    assert sdk.play(gate, tool, {"n": 6}).read == (
        'Pay?\nThe OpenAI Agents SDK cannot change this call. Make this call instead: {"n":5}'
    )
    assert sdk.play(gate, tool, {"n": 5}).answer("yes").read == "paid"
    assert tool.inputs == [{"n": 5, "to": "ann"}]


def test_approving_every_call_of_a_tool_approves_no_call_that_nobody_was_asked_about(sdk, tmp_path):
    tool = Tool()
    agent, _ = sdk.agent_for(gate_with(tmp_path, ASK), tool, sdk.call({"n": 1}), sdk.call({"n": 2}))
    first = sdk.run(agent)
    state = first.to_state()
    state.approve(first.interruptions[0], always_approve=True)
    outputs = [item.output for item in sdk.run(agent, state).new_items if item.type == "tool_call_output_item"]
    assert outputs[0] == "paid"
    assert "to every call of the tool, does not count" in outputs[1]
    assert tool.inputs == [{"n": 1, "to": "ann"}]


def test_a_run_is_resumed_by_another_process_that_has_the_same_store(sdk, tmp_path):
    from agents import RunState

    tool = Tool()

    def agent_of(store: Any, *turns: Any) -> Any:
        return sdk.agent_for(gate_with(tmp_path, ASK, store=store, session="one"), tool, *turns)[0]

    stores: list[Any] = [SqliteStore(tmp_path / "store.db"), SqliteStore(tmp_path / "store.db"), MemoryStore()]
    paused = sdk.run(agent_of(stores[0], sdk.call({"n": 1})))
    text = paused.to_state().to_string()
    for store, ran in ((stores[2], 0), (stores[1], 1), (stores[1], 1)):  # an answer counts once
        agent = agent_of(store)
        import asyncio

        state = asyncio.run(RunState.from_string(agent, text))
        state.approve(state.get_interruptions()[0])
        sdk.run(agent, state)
        assert len(tool.inputs) == ran
    for store in stores:
        store.close()


def test_arguments_that_are_not_json_run_nothing(sdk, tmp_path):
    tool = Tool()
    broken = sdk.call({"n": 1}).model_copy(update={"arguments": '{"n": 1, "n": 2}'})
    agent, _ = sdk.agent_for(gate_with(tmp_path), tool, broken)
    assert "not a JSON object" in sdk.as_play(sdk.run(agent), agent).read
    assert tool.inputs == []


def test_a_tool_that_fails_is_told_of_as_the_sdk_does(sdk, tmp_path):
    read = sdk.play(gate_with(tmp_path), Tool(ValueError("4111")), {"n": 3}).read
    assert read == "An error occurred while running the tool. Please try again."


def test_the_approval_that_a_tool_needs_by_itself_is_still_asked_for(sdk, tmp_path):
    from agents import Agent
    from agents.testing import ScriptedModel

    tool = Tool()
    pay = sdk.as_tool(tool)
    pay.needs_approval = True
    agent = Agent(name="a", model=ScriptedModel([[sdk.call({"n": 1})], [sdk.says("done")]]), tools=[pay])
    paused = sdk.as_play(sdk.run(sdk.guard(agent, gate_with(tmp_path))), agent)
    assert tool.inputs == []
    assert paused.answer("yes").read == "paid"


def test_a_deny_that_interrupts_ends_the_run(sdk, tmp_path):
    from agents.exceptions import UserError

    from interlock.gate import TurnOver

    gate = gate_with(tmp_path, "{id: a, tool: pay, deny: Stop now., interrupt: true}")
    with pytest.raises(UserError, match=r"Stop now\.") as error:
        sdk.play(gate, Tool(), {"n": 1})
    assert isinstance(error.value.__cause__, TurnOver)
