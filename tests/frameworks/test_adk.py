"""Google ADK under a gate: what is guarded wherever an agent is, what is refused, and what a person is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from interlock.errors import InterlockError
from interlock.gate import TurnOver
from interlock.store.memory import MemoryStore
from tests.frameworks.playing import Tool
from tests.gate.gates import gate_with

if TYPE_CHECKING:
    from types import ModuleType

DENY = "{id: a, tool: pay, deny: No.}"
ASK = "{id: a, tool: pay, ask: Pay?}"


@pytest.fixture(autouse=True)
def adk() -> ModuleType:
    pytest.importorskip("google.adk", reason="google-adk is not installed")
    from tests.frameworks import play_adk

    return play_adk


def test_what_callbacks_of_the_agent_and_other_plugins_make_of_a_call_is_judged(adk, tmp_path):
    from google.adk.plugins.base_plugin import BasePlugin

    class Doubles(BasePlugin):
        async def before_tool_callback(self, *, tool, tool_args, tool_context):
            tool_args["n"] *= 2

    def doubles(tool: Any, args: dict[str, Any], tool_context: Any) -> None:
        args["n"] *= 2

    tool = Tool()
    gate = gate_with(tmp_path, "{id: a, tool: pay, when: input.n > 10, deny: Pay less.}")
    agent = adk.agent_for(tool, adk.call({"n": 3}), before_tool_callback=doubles)
    runner = adk.runner_for(gate, agent, Doubles("doubles"))
    assert adk.as_play(adk.run(runner, "s"), runner, "s").read == "Pay less."
    assert tool.inputs == []


@pytest.mark.filterwarnings("ignore:The `plugins` argument")  # which ADK itself uses for such a tool
@pytest.mark.parametrize("by", ["transfer", "tool"])
def test_an_agent_that_is_reached_from_another_one_is_guarded(adk, tmp_path, by):
    from google.adk.agents import LlmAgent
    from google.adk.tools.agent_tool import AgentTool

    tool = Tool()
    inner = adk.agent_for(tool, adk.call({"n": 1}))
    first = (
        adk.call({"agent_name": "payer"}, "transfer_to_agent")
        if by == "transfer"
        else adk.call({"request": "Pay."}, "payer")
    )
    outer = LlmAgent(
        name="outer",
        model=adk.Script(turns=[first, adk.says("done")]),
        sub_agents=[inner] if by == "transfer" else [],
        tools=[] if by == "transfer" else [AgentTool(inner)],
    )
    events = adk.run(adk.runner_for(gate_with(tmp_path, DENY), outer), "s")
    assert events[-1].content.parts[0].text == "done"
    assert tool.inputs == []


def test_an_agent_tool_that_leaves_plugins_out_is_refused(adk, tmp_path):
    from google.adk.agents import LlmAgent
    from google.adk.tools.agent_tool import AgentTool

    tool = Tool()
    outer = LlmAgent(
        name="outer",
        model=adk.Script(turns=[adk.call({"request": "Pay."}, "payer"), adk.says("done")]),
        tools=[AgentTool(adk.agent_for(tool, adk.call({"n": 1})), include_plugins=False)],
    )
    with pytest.raises(Exception, match="calls of `payer` bypass the gate"):
        adk.run(adk.runner_for(gate_with(tmp_path), outer), "s")
    assert tool.inputs == []


def test_what_the_model_uses_by_itself_is_refused_unless_it_is_accepted(adk, tmp_path):
    import asyncio
    from types import SimpleNamespace

    from google.genai import types

    def ask(executor: Any, *tools: types.Tool, unguarded: Any = ()) -> None:
        plugin = adk.InterlockPlugin(gate_with(tmp_path), unguarded=unguarded)
        context = SimpleNamespace(_invocation_context=SimpleNamespace(agent=SimpleNamespace(code_executor=executor)))
        request = SimpleNamespace(config=types.GenerateContentConfig(tools=list(tools)))
        asyncio.run(plugin.before_model_callback(callback_context=context, llm_request=request))

    declared = types.Tool(function_declarations=[types.FunctionDeclaration(name="pay")])
    search = types.Tool(google_search=types.GoogleSearch())
    ask(None, declared)
    with pytest.raises(InterlockError, match="calls of `google_search` bypass the gate"):
        ask(None, declared, search)
    with pytest.raises(InterlockError, match="`code_executor`"):
        ask(object(), declared)
    ask(object(), search, unguarded=["google_search", "code_executor"])


def test_a_person_is_told_how_a_changed_call_would_run(adk, tmp_path):
    tool = Tool()
    gate = gate_with(tmp_path, ASK, "{id: b, tool: pay, when: input.n > 5, change: {n: 5}}")
    paused = adk.play(gate, tool, {"n": 6, "to": "bob"})
    assert paused.question == 'pay {"n": 6, "to": "bob"} Pay?\nIt would run as: {"n":5,"to":"bob"}'
    read = paused.answer("yes").read
    assert tool.inputs == [{"n": 5, "to": "bob"}]
    assert "Interlock changed `n` of this call from 6 to 5 (b)." in read


def test_an_answer_is_of_no_use_to_a_process_that_did_not_ask(adk, tmp_path):
    tool = Tool()
    agent = adk.agent_for(tool, adk.call({"n": 1}))
    runner = adk.runner_for(gate_with(tmp_path, ASK), agent)
    paused = adk.as_play(adk.run(runner, "s"), runner, "s")
    runner.plugin_manager.plugins[0]._gate = gate_with(tmp_path, ASK, store=MemoryStore())
    assert "a yes to another question" in paused.answer("yes").read
    assert tool.inputs == []


def test_the_same_tool_in_a_runner_without_a_gate_runs_as_ever(adk, tmp_path):
    from google.adk.apps import App
    from google.adk.runners import InMemoryRunner

    tool = Tool()
    agent = adk.agent_for(tool, adk.call({"n": 1}))
    agent.tools = tools_of(agent)
    guarded = adk.runner_for(gate_with(tmp_path, DENY), agent)
    assert adk.as_play(adk.run(guarded, "s"), guarded, "s").read == "No."
    agent.model.turns.extend([adk.call({"n": 3}), adk.says("done")])
    plain = InMemoryRunner(app=App(name="payments", root_agent=agent))
    assert adk.as_play(adk.run(plain, "s"), plain, "s").read == "paid"
    assert tool.inputs == [{"n": 3, "to": "ann"}]


def tools_of(agent: Any) -> list[Any]:
    """The same tool objects for every run."""
    import asyncio

    return list(asyncio.run(agent.canonical_tools()))


@pytest.mark.parametrize(
    ("rule", "ran"),
    [
        ("{id: a, tool: pay, deny: Stop now., interrupt: true}", 0),
        ("{id: a, event: PostToolUse, tool: pay, interrupt: Stop now.}", 1),
    ],
)
def test_a_plugin_that_explains_what_a_tool_raised_does_not_let_the_turn_go_on(adk, tmp_path, rule, ran):
    from google.adk.plugins import ReflectAndRetryToolPlugin

    tool = Tool()
    agent = adk.agent_for(tool, adk.call({"n": 1}), adk.call({"n": 1}))
    runner = adk.runner_for(gate_with(tmp_path, rule), agent, ReflectAndRetryToolPlugin(max_retries=3))
    events = adk.run(runner, "s")
    assert len([one for event in events for one in event.get_function_calls()]) == 1
    assert len(tool.inputs) == ran


def test_a_tool_whose_context_was_replaced_is_guarded_all_the_same(adk, tmp_path):
    from google.adk.plugins.base_plugin import BasePlugin

    class Forgets(BasePlugin):
        async def before_tool_callback(self, *, tool, tool_args, tool_context):
            run = tool.run_async

            async def anew(*, args, tool_context):
                for name in [name for name in vars(tool_context) if name.startswith("_interlock")]:
                    delattr(tool_context, name)
                return await run(args=args, tool_context=tool_context)

            tool.run_async = anew

    tool = Tool()
    agent = adk.agent_for(tool, adk.call({"n": 1}))
    agent.tools = tools_of(agent)
    plugin = adk.InterlockPlugin(gate_with(tmp_path, DENY))
    runner = adk.InMemoryRunner(app=adk.App(name="payments", root_agent=agent, plugins=[plugin, Forgets("forgets")]))
    assert adk.as_play(adk.run(runner, "s"), runner, "s").read == "No."
    assert tool.inputs == []


def test_a_deny_that_interrupts_ends_the_run(adk, tmp_path):
    gate = gate_with(tmp_path, "{id: a, tool: pay, deny: Stop now., interrupt: true}")
    with pytest.raises(TurnOver, match=r"Stop now\."):
        adk.play(gate, Tool(), {"n": 1})
