"""LangChain under a gate: where the middleware stands, what a graph is resumed with, and what tools may return."""

from __future__ import annotations

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

ASK = "{id: a, tool: pay, ask: Pay?}"
GO = {"messages": [("user", "Pay.")]}


@pytest.fixture(autouse=True)
def lc() -> ModuleType:
    pytest.importorskip("langchain", reason="langchain is not installed")
    from tests.frameworks import play_langchain

    return play_langchain


def read(state: dict[str, Any]) -> list[str]:
    return [message.text for message in state["messages"] if message.type == "tool"]


def interrupts(state: dict[str, Any]) -> dict[str, Any]:
    return {one.id: one.value for one in state["__interrupt__"]}


def test_middleware_that_could_change_a_call_after_it_was_judged_is_refused(lc, tmp_path):
    from langchain.agents import create_agent
    from langchain.agents.middleware import wrap_tool_call

    @wrap_tool_call
    def doubles(request, handler):
        call = request.tool_call
        return handler(request.override(tool_call={**call, "args": {"n": call["args"]["n"] * 2}}))

    gate, tool = gate_with(tmp_path, "{id: a, tool: pay, when: input.n > 5, deny: Pay less.}"), Tool()
    model = lc.Script(turns=[lc.calls({"n": 3}), lc.AIMessage("done")], sent=[])
    guard = lc.InterlockMiddleware(gate)
    last = create_agent(model, [lc.as_tool(tool)], middleware=[doubles, guard])
    assert read(last.invoke(GO)) == ["Pay less."]
    model.sent.clear()
    first = create_agent(model, [lc.as_tool(tool)], middleware=[guard, doubles])
    with pytest.raises(InterlockError, match="another middleware could change a call") as error:
        first.invoke(GO)
    assert error.value.help == "put InterlockMiddleware last in `middleware`"
    assert tool.inputs == []


def test_middleware_that_could_add_a_hosted_tool_after_the_check_is_refused(lc, tmp_path):
    from langchain.agents import create_agent
    from langchain.agents.middleware import wrap_model_call

    @wrap_model_call
    def searches(request, handler):
        return handler(request.override(tools=[{"type": "web_search"}]))

    model = lc.Script(turns=[lc.AIMessage("done")], sent=[])
    guard = lc.InterlockMiddleware(gate_with(tmp_path))
    with pytest.raises(InterlockError, match="no call of `web_search` passes the gate"):
        create_agent(model, [], middleware=[searches, guard]).invoke(GO)
    with pytest.raises(InterlockError, match="another middleware could add a tool"):
        create_agent(model, [], middleware=[guard, searches]).invoke(GO)
    assert model.sent == []


def test_the_tool_that_runs_is_judged_and_not_the_one_that_the_model_named(lc, tmp_path):
    from langchain.agents import create_agent
    from langchain.agents.middleware import wrap_tool_call

    tool = Tool()
    pay = lc.as_tool(tool)

    @wrap_tool_call
    def swaps(request, handler):
        return handler(request.override(tool=pay))

    guard = lc.InterlockMiddleware(gate_with(tmp_path, "{id: a, tool: pay, deny: No.}"))
    model = lc.Script(turns=[lc.calls({"n": 3}, tool="look"), lc.AIMessage("done")], sent=[])
    assert read(create_agent(model, [pay], middleware=[swaps, guard]).invoke(GO)) == ["No."]
    assert tool.inputs == []


def test_a_tool_that_the_provider_runs_is_refused_unless_it_is_accepted(lc, tmp_path):
    from langchain.agents import create_agent

    gate, search = gate_with(tmp_path), {"type": "web_search"}
    model = lc.Script(turns=[lc.AIMessage("done")], sent=[])
    refused = create_agent(model, [search], middleware=[lc.InterlockMiddleware(gate)])
    with pytest.raises(InterlockError, match="no call of `web_search` passes the gate"):
        refused.invoke(GO)
    assert model.sent == []
    guard = lc.InterlockMiddleware(gate, unguarded=["web_search"])
    assert create_agent(model, [search], middleware=[guard]).invoke(GO)["messages"][-1].text == "done"


def test_of_two_calls_that_are_asked_about_each_has_its_own_answer(lc, tmp_path):
    tool = Tool()
    agent, _ = lc.agent_for(gate_with(tmp_path, ASK), tool, lc.calls({"n": 1}, {"n": 2}))
    asked = interrupts(lc.invoke(agent, GO, "t", plain=True))
    answers = {id: {"type": "approve" if value["args"]["n"] == 2 else "reject"} for id, value in asked.items()}
    state = lc.invoke(agent, lc.Command(resume=answers), "t", plain=True)
    assert read(state) == ["the person did not approve this call", "paid"]
    assert tool.inputs == [{"n": 2, "to": "ann"}]


def test_an_answer_to_a_call_that_is_no_longer_there_does_not_approve_the_one_in_its_place(lc, tmp_path):
    tool = Tool()
    agent, _ = lc.agent_for(gate_with(tmp_path, ASK), tool, lc.calls({"n": 1}))
    state = lc.invoke(agent, GO, "t", plain=True)
    config = {"configurable": {"thread_id": "t"}}
    ai = state["messages"][-1]
    edited = ai.model_copy(update={"tool_calls": [{**ai.tool_calls[0], "args": {"n": 900}}]})
    agent.update_state(config, {"messages": [edited]}, as_node="model")
    state = lc.invoke(agent, lc.Command(resume={"type": "approve"}), "t", plain=True)
    assert tool.inputs == []
    assert [value["args"] for value in interrupts(state).values()] == [{"n": 900}]
    lc.invoke(agent, lc.Command(resume={"type": "approve"}), "t", plain=True)
    assert tool.inputs == [{"n": 900, "to": "ann"}]


def test_calls_with_one_id_have_their_own_answers(lc, tmp_path):
    tool = Tool()
    twice = lc.calls({"n": 1}, {"n": 2})
    twice.tool_calls[1]["id"] = twice.tool_calls[0]["id"]
    agent, _ = lc.agent_for(gate_with(tmp_path, ASK), tool, twice)
    asked = interrupts(lc.invoke(agent, GO, "t", plain=True))
    answers = {id: {"type": "approve" if value["args"]["n"] == 2 else "reject"} for id, value in asked.items()}
    lc.invoke(agent, lc.Command(resume=answers), "t", plain=True)
    assert tool.inputs == [{"n": 2, "to": "ann"}]


@pytest.mark.parametrize("by", ["a node that runs calls at once", "a message with two calls"])
@pytest.mark.parametrize("turned", [False, True])
def test_calls_of_one_task_do_not_get_each_other_s_answers(lc, tmp_path, by, turned):
    """LangGraph hands out the answers of a task in the order in which it asks, which may differ when it runs again."""
    import asyncio

    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import Send

    tool, runs = Tool(), []
    guard = lc.InterlockMiddleware(gate_with(tmp_path, ASK))
    node = ToolNode([lc.as_tool(tool)], wrap_tool_call=guard.wrap_tool_call, awrap_tool_call=guard.awrap_tool_call)

    async def at_once(state: Any) -> Any:
        runs.append(state)
        calls = state["messages"][-1].tool_calls
        ordered = calls[::-1] if turned and len(runs) % 2 == 0 else calls
        found = await asyncio.gather(*(node.ainvoke({"messages": [lc.AIMessage("", tool_calls=[c])]}) for c in ordered))
        return {"messages": [message for one in found for message in one["messages"]]}

    graph = StateGraph(MessagesState)
    graph.add_node("tools", node if by == "a message with two calls" else at_once)
    graph.add_conditional_edges(START, lambda state: [Send("tools", {"messages": state["messages"]})], ["tools"])
    agent = graph.compile(checkpointer=lc.InMemorySaver())
    state = lc.invoke(agent, {"messages": [lc.calls({"n": 1}, {"n": 2})]}, "t", plain=False)
    approved = 0
    for _ in range(8):
        if "__interrupt__" not in state:
            break
        (value,) = interrupts(state).values()
        wanted = "approve" if value["args"]["n"] == 1 else "reject"
        approved += wanted == "approve"
        state = lc.invoke(agent, lc.Command(resume={"type": wanted}), "t", plain=False)
    assert "__interrupt__" not in state
    assert {"n": 2, "to": "ann"} not in tool.inputs
    assert 1 <= len(tool.inputs) <= approved
    assert any("make this call again" in text for text in read(state))


@pytest.mark.parametrize("rules", [[ASK], [ASK, "{id: b, tool: outer, ask: Really?}"]])
def test_a_question_inside_an_agent_that_a_tool_runs_pauses_the_whole_graph(lc, tmp_path, rules):
    from langchain.agents import create_agent

    tool, gate = Tool(), gate_with(tmp_path, *rules)
    guard = lc.InterlockMiddleware(gate)
    model = lc.Script(turns=[lc.calls({"n": 1}), lc.AIMessage("inner done")], sent=[])
    inner = create_agent(model, [lc.as_tool(tool)], middleware=[guard])

    def outer(text: str) -> str:
        """Ask the other agent."""
        return inner.invoke({"messages": [("user", text)]})["messages"][-1].text

    model = lc.Script(turns=[lc.calls({"text": "Pay."}, tool="outer"), lc.AIMessage("done")], sent=[])
    agent = create_agent(model, [outer], middleware=[guard], checkpointer=lc.InMemorySaver())
    state = lc.invoke(agent, GO, "t", plain=True)
    for _ in rules:
        assert tool.inputs == []
        state = lc.invoke(agent, lc.Command(resume={"type": "approve"}), "t", plain=True)
    assert read(state) == ["inner done"]
    assert len(tool.inputs) == 1


def test_a_tool_that_asks_by_itself_is_not_asked_about_again(lc, tmp_path):
    from langgraph.types import interrupt

    tool = Tool(lambda: f"paid with {interrupt('Which card?')}")
    agent, _ = lc.agent_for(gate_with(tmp_path, ASK), tool, lc.calls({"n": 1}))
    lc.invoke(agent, GO, "t", plain=True)
    state = lc.invoke(agent, lc.Command(resume={"type": "approve"}), "t", plain=True)
    assert list(interrupts(state).values()) == ["Which card?"]
    assert read(lc.invoke(agent, lc.Command(resume="the blue one"), "t", plain=True)) == ["paid with the blue one"]


def test_an_edit_that_a_rule_changes_is_shown_and_runs_after_one_more_yes(lc, tmp_path):
    tool = Tool()
    gate = gate_with(tmp_path, ASK, "{id: b, tool: pay, when: input.n > 5, change: {n: 5}}")
    agent, _ = lc.agent_for(gate, tool, lc.calls({"n": 3}))
    lc.invoke(agent, GO, "t", plain=True)
    edit = {"type": "edit", "edited_action": {"name": "pay", "args": {"n": 9}}}
    state = lc.invoke(agent, lc.Command(resume=edit), "t", plain=True)
    assert [value["args"] for value in interrupts(state).values()] == [{"n": 5}]
    lc.invoke(agent, lc.Command(resume={"type": "approve"}), "t", plain=True)
    assert tool.inputs == [{"n": 5, "to": "ann"}]


@pytest.mark.parametrize(
    "answer",
    [
        "yes",
        {"type": "respond", "message": "paid"},
        {"type": "edit", "edited_action": {"name": "refund", "args": {"n": 1}}},
        {"type": "edit", "edited_action": {"name": "pay"}},
        {"decisions": [{"type": "approve"}]},
    ],
)
def test_whatever_is_not_an_approval_of_this_call_is_a_no(lc, tmp_path, answer):
    tool = Tool()
    agent, _ = lc.agent_for(gate_with(tmp_path, ASK), tool, lc.calls({"n": 1}))
    lc.invoke(agent, GO, "t", plain=True)
    lc.invoke(agent, lc.Command(resume=answer), "t", plain=True)
    assert tool.inputs == []


def test_without_a_checkpointer_a_graph_cannot_be_resumed_so_the_call_is_denied(lc, tmp_path):
    from langchain.agents import create_agent

    tool = Tool()
    model = lc.Script(turns=[lc.calls({"n": 3}), lc.AIMessage("done")], sent=[])
    guard = lc.InterlockMiddleware(gate_with(tmp_path, ASK))
    state = create_agent(model, [lc.as_tool(tool)], middleware=[guard]).invoke(GO)
    assert read(state) == ["this call needs a person's approval, and no one can be asked"]
    assert tool.inputs == []


def test_a_graph_is_resumed_by_another_process_that_has_the_same_store(lc, tmp_path):
    tool, saver = Tool(), lc.InMemorySaver()
    stores: list[Any] = [SqliteStore(tmp_path / "store.db"), SqliteStore(tmp_path / "store.db"), MemoryStore()]
    first, same, other = (
        lc.agent_for(gate_with(tmp_path, ASK, store=store), tool, *turns, saver=saver)[0]
        for store, turns in zip(stores, ([lc.calls({"n": 1}), lc.calls({"n": 2})], [], []), strict=True)
    )
    lc.invoke(first, GO, "t", plain=True)
    lc.invoke(same, lc.Command(resume={"type": "approve"}), "t", plain=True)
    assert tool.inputs == [{"n": 1, "to": "ann"}]
    lc.invoke(first, GO, "u", plain=True)
    strange = lc.invoke(other, lc.Command(resume={"type": "approve"}), "u", plain=True)
    assert len(tool.inputs) == 1
    assert len(interrupts(strange)) == 1  # one that does not know the question asks it itself
    for store in stores:
        store.close()


def test_each_thread_is_a_session_of_its_own(lc, tmp_path):
    tool = Tool()
    once = '{id: a, tool: pay, when: \'count("b", "1h", "session") > 0\', deny: Once.}'
    gate = gate_with(tmp_path, once, "{id: b, tool: pay}")
    for thread, found in (("t", "paid"), ("u", "paid"), ("t", "Once.")):
        agent, _ = lc.agent_for(gate, tool, lc.calls({"n": 1}))
        assert read(lc.invoke(agent, GO, thread, plain=True))[-1] == found
    assert len(tool.inputs) == 2


def test_an_interrupt_of_the_tool_itself_is_passed_on(lc, tmp_path):
    from langgraph.types import interrupt

    withholds = "{id: a, event: PostToolUse, tool: pay, output: ''}"
    tool = Tool(lambda: f"paid with {interrupt('Which card?')}")
    agent, _ = lc.agent_for(gate_with(tmp_path, withholds), tool, lc.calls({"n": 1}))
    state = lc.invoke(agent, GO, "t", plain=True)
    assert list(interrupts(state).values()) == ["Which card?"]
    assert read(lc.invoke(agent, lc.Command(resume="4111"), "t", plain=True)) == [""]


@pytest.mark.parametrize("is_list", [False, True])
def test_a_message_in_a_command_is_redacted_too(lc, tmp_path, is_list):
    from langchain_core.messages import ToolMessage

    asks = lc.calls({"n": 1})
    command = lc.Command(update={"messages": [ToolMessage("4111", tool_call_id=asks.tool_calls[0]["id"])]})
    gate = gate_with(tmp_path, '{id: a, event: PostToolUse, tool: pay, output: "****"}')
    agent, _ = lc.agent_for(gate, Tool([command] if is_list else command), asks)
    assert read(lc.invoke(agent, GO, "t", plain=True)) == ["****"]


@pytest.mark.parametrize(
    "more",
    [
        {"update": {"notes": "4111"}},
        {"update": {"messages": [{"role": "user", "content": "4111"}]}},
        {"update": {"messages": [("user", "4111")]}},
        {"goto": "Send"},
    ],
)
def test_all_that_a_command_says_is_judged(lc, tmp_path, more):
    from langchain_core.messages import ToolMessage
    from langgraph.types import Send

    asks = lc.calls({"n": 1})
    message = ToolMessage("paid", tool_call_id=asks.tool_calls[0]["id"])
    update = more.get("update", {})
    sends = [Send("model", {"messages": [lc.HumanMessage("4111")]})] if more.get("goto") else ()
    command = lc.Command(update={**update, "messages": [message, *update.get("messages", [])]}, goto=sends)
    rule = """{id: a, event: PostToolUse, tool: pay, when: 'size(output) > 1', output: "****"}"""
    agent, _ = lc.agent_for(gate_with(tmp_path, rule), Tool(command), asks)
    state = lc.invoke(agent, GO, "t", plain=True)
    assert read(state) == ["****"]
    assert "4111" not in str(state)


@pytest.mark.parametrize("redacted", [False, True])
def test_a_message_in_a_command_for_the_graph_around_is_judged_too(lc, tmp_path, redacted):
    from langchain.agents import create_agent
    from langchain_core.messages import ToolMessage
    from langgraph.graph import START, MessagesState, StateGraph

    asks = lc.calls({"n": 1})
    messages = [ToolMessage("4111", tool_call_id=asks.tool_calls[0]["id"])]
    graph = StateGraph(MessagesState)
    graph.add_node("leave", lambda state: lc.Command(graph=lc.Command.PARENT, update={"messages": messages}))
    graph.add_edge(START, "leave")
    tool = Tool(lambda: graph.compile().invoke({"messages": []}))
    rules = ['{id: a, event: PostToolUse, tool: pay, output: "****"}'] if redacted else []
    model = lc.Script(turns=[asks, lc.AIMessage("done")], sent=[])
    guard = lc.InterlockMiddleware(gate_with(tmp_path, *rules))
    agent = create_agent(model, [lc.as_tool(tool)], middleware=[guard])
    assert read(agent.invoke(GO)) == (["****"] if redacted else ["4111"])


@pytest.mark.parametrize("several", [False, True])
def test_context_reaches_the_model_with_whatever_form_a_result_has(lc, tmp_path, several):
    from langchain_core.messages import ToolMessage

    asks = lc.calls({"n": 1})
    message = ToolMessage("paid", tool_call_id=asks.tool_calls[0]["id"])
    result = [lc.Command(update={"other": 1}), message] if several else lc.Command(update={"messages": [message]})
    gate = gate_with(tmp_path, "{id: a, event: PostToolUse, tool: pay, context: Send a receipt.}")
    agent, _ = lc.agent_for(gate, Tool(result), asks)
    assert read(lc.invoke(agent, GO, "t", plain=True)) == ["paid\n\nSend a receipt."]


@pytest.mark.parametrize(
    ("rule", "ran"),
    [
        ("{id: a, tool: pay, deny: Stop now., interrupt: true}", 0),
        ("{id: a, event: PostToolUse, tool: pay, interrupt: Stop now.}", 1),
    ],
)
@pytest.mark.parametrize("by", ["middleware", "policy", "node"])
def test_what_retries_or_explains_a_failed_tool_lets_the_end_of_the_turn_pass(lc, tmp_path, rule, ran, by):
    from langchain.agents import create_agent
    from langchain.agents.middleware import ToolRetryMiddleware
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import RetryPolicy

    gate, tool = gate_with(tmp_path, rule), Tool()
    guard, asks = lc.InterlockMiddleware(gate), lc.calls({"n": 1})
    if by == "middleware":
        model = lc.Script(turns=[asks, lc.AIMessage("done")], sent=[])
        again = ToolRetryMiddleware(max_retries=2, initial_delay=0.0)
        agent: Any = create_agent(model, [lc.as_tool(tool)], middleware=[again, guard])
    else:
        node = ToolNode([lc.as_tool(tool)], wrap_tool_call=guard.wrap_tool_call, handle_tool_errors=by == "node")
        graph = StateGraph(MessagesState)
        policy = RetryPolicy(max_attempts=3, initial_interval=0.0, jitter=False, retry_on=Exception)
        graph.add_node("tools", node, retry_policy=policy)
        graph.add_edge(START, "tools")
        agent = graph.compile()
    with pytest.raises(TurnOver):
        agent.invoke(GO if by == "middleware" else {"messages": [asks]})
    assert len(tool.inputs) == ran


def test_a_call_is_judged_anew_each_time_that_a_failed_tool_is_retried(lc, tmp_path):
    from langchain.agents import create_agent
    from langchain.agents.middleware import ToolRetryMiddleware

    twice = "{id: b, tool: pay, when: 'count(\"a\") >= 2', deny: Twice is enough.}"
    gate, tool = gate_with(tmp_path, "{id: a, tool: pay}", twice), Tool(ConnectionError("gone"))
    model = lc.Script(turns=[lc.calls({"n": 1}), lc.AIMessage("done")], sent=[])
    again = ToolRetryMiddleware(max_retries=5, initial_delay=0.0)
    agent = create_agent(model, [lc.as_tool(tool)], middleware=[again, lc.InterlockMiddleware(gate)])
    assert read(agent.invoke(GO)) == ["Twice is enough."]
    assert len(tool.inputs) == 2


def test_names_say_which_tool_of_the_policy_one_is(lc, tmp_path):
    tool = Tool()
    agent, _ = lc.agent_for(
        gate_with(tmp_path, "{id: a, tool: send_money, deny: No.}"),
        tool,
        lc.calls({"n": 1}),
        names={"pay": "send_money"},
    )
    assert read(lc.invoke(agent, GO, "t", plain=True)) == ["No."]
    assert tool.inputs == []
