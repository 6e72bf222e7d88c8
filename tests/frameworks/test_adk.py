"""Google ADK under a gate: what is guarded wherever an agent is, what is refused, and what a person is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

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
    with pytest.raises(Exception, match="no call of `payer` passes the gate"):
        adk.run(adk.runner_for(gate_with(tmp_path), outer), "s")
    assert tool.inputs == []


@pytest.mark.parametrize("name", ["google_search", "code_executor", "load_artifacts", "payer", "remote"])
def test_what_no_callback_sees_is_refused_before_the_model_is_asked_unless_it_is_accepted(adk, tmp_path, name):
    from google.adk.agents import BaseAgent, LlmAgent
    from google.adk.code_executors import BuiltInCodeExecutor
    from google.adk.tools import google_search, load_artifacts
    from google.adk.tools.agent_tool import AgentTool

    class RemoteA2aAgent(BaseAgent):
        """Has the name of ADK's own class, whose package is not installed."""

        async def _run_async_impl(self, ctx: Any) -> Any:
            yield adk_event(adk, ctx, "done")

    def agent_with(name: str) -> Any:
        if name == "remote":
            return RemoteA2aAgent(name="remote")
        model = adk.Script(model="gemini-script", turns=[adk.says("done")])
        if name == "code_executor":
            return LlmAgent(name="outer", model=model, code_executor=BuiltInCodeExecutor())
        inner = AgentTool(adk.agent_for(Tool()), include_plugins=False)
        tools = {"google_search": google_search, "load_artifacts": load_artifacts}
        return LlmAgent(name="outer", model=model, tools=[tools.get(name, inner)])

    with pytest.raises(Exception, match=f"no call of (`code_execution`, )?`{name}` passes the gate"):
        adk.run(adk.runner_for(gate_with(tmp_path), agent_with(name)), "s")
    accepted = [name, "code_execution"]
    events = adk.run(adk.runner_for(gate_with(tmp_path), agent_with(name), unguarded=accepted), "s")
    assert events[-1].content.parts[0].text == "done"


def adk_event(adk: Any, context: Any, text: str) -> Any:
    from google.adk.events.event import Event

    content = adk.types.Content(role="model", parts=[adk.says(text)])
    return Event(author="remote", invocation_id=context.invocation_id, content=content)


@pytest.mark.filterwarnings("ignore:The `plugins` argument")
def test_a_question_inside_an_agent_that_is_a_tool_is_one_that_no_run_can_wait_for(adk, tmp_path):
    """ADK cannot resume such an agent, so its calls are asked about as if there were no pause."""
    from google.adk.tools.agent_tool import AgentTool

    tool = Tool()
    outer = adk.agent_for(tool, adk.call({"request": "Pay."}, "payer"), adk.call({"n": 2}))
    outer.tools = [*outer.tools, AgentTool(adk.agent_for(tool, adk.call({"n": 1})))]
    outer.name = "outer"
    runner = adk.runner_for(gate_with(tmp_path, ASK), outer)
    events = adk.run(runner, "s")
    assert next(one.response for event in events for one in event.get_function_responses()) == {"result": "done"}
    paused = adk.as_play(events, runner, "s")
    assert paused.question == 'pay {"n": 2} Pay?'
    assert paused.answer("yes").read == "paid"
    assert tool.inputs == [{"n": 2, "to": "ann"}]


@pytest.mark.parametrize(("answer", "ran"), [(True, 1), (False, 0)])
def test_a_tool_that_is_a_node_of_a_workflow_waits_for_its_answer(adk, tmp_path, answer, ran):
    from google.adk.tools import FunctionTool
    from google.adk.workflow import Workflow

    tool = Tool()

    def pay(n: int) -> Any:
        """Pay somebody."""
        return tool(n, "ann")

    flow = Workflow(name="flow", edges=[("START", FunctionTool(pay))])
    plugin = adk.InterlockPlugin(gate_with(tmp_path, ASK))
    runner = adk.InMemoryRunner(app=adk.App(name="payments", root_agent=flow, plugins=[plugin]))
    events = adk.run(runner, "s", adk.says('{"n": 1}'))
    assert tool.inputs == []
    (asked,) = [call for event in events for call in event.get_function_calls()]
    response = adk.types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": answer})
    adk.run(runner, "s", adk.types.Part(function_response=response))
    assert len(tool.inputs) == ran


@pytest.mark.parametrize("guarded", [True, False])
@pytest.mark.parametrize("kind", ["plain", "streaming", "hosted"])
def test_calls_of_a_live_run_are_denied(adk, tmp_path, kind, guarded):
    import asyncio

    from google.adk.agents import LlmAgent
    from google.adk.agents.live_request_queue import LiveRequestQueue
    from google.adk.agents.run_config import RunConfig
    from google.adk.tools import google_search

    tool = Tool()

    def pay(n: int) -> Any:
        """Pay somebody."""
        return tool(n, "ann")

    async def pay_slowly(n: int) -> Any:
        """Pay somebody."""
        yield tool(n, "ann")

    async def answers(agent: Any) -> list[Any]:
        plugins = [adk.InterlockPlugin(gate_with(tmp_path))] if guarded else []
        runner = adk.InMemoryRunner(app=adk.App(name="payments", root_agent=agent, plugins=plugins))
        await runner.session_service.create_session(app_name="payments", user_id="ann", session_id="s")
        options = {"live_request_queue": LiveRequestQueue(), "run_config": RunConfig(response_modalities=["TEXT"])}
        async for event in runner.run_live(user_id="ann", session_id="s", **options):
            if found := event.get_function_responses():
                return [one.response for one in found]
        return []

    of = {"plain": pay, "streaming": pay_slowly, "hosted": google_search}[kind]
    name = "pay_slowly" if kind == "streaming" else "pay"
    tools = [pay, of] if kind == "hosted" else [of]
    agent = LlmAgent(name="payer", model=adk.Live(model="gemini-live", turns=[adk.call({"n": 1}, name)]), tools=tools)
    if kind == "hosted" and guarded:
        with pytest.raises(Exception, match="no call of `google_search` passes the gate"):
            asyncio.run(answers(agent))
    elif guarded:
        error = f"`{name}` does not run: calls in a live run do not pass the gate"
        assert asyncio.run(answers(agent)) == [{"error": error}]
    else:
        assert asyncio.run(answers(agent)) != []
    assert len(tool.inputs) == (0 if guarded else 1)


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
