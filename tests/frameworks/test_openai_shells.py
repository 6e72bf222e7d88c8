"""The shells of the OpenAI Agents SDK under a gate: rules about `Bash` and its commands hold for them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.gate.gates import gate_with

DENY = "{id: a, command: make deploy, deny: Ask a colleague to deploy.}"
ASK = "{id: a, command: make deploy, ask: Deploy?}"
CHANGE = "{id: a, tool: Bash, when: 'input.command.contains(\"staging\")', change: {command: make check}}"


@pytest.fixture(autouse=True)
def sdk() -> ModuleType:
    pytest.importorskip("agents", reason="openai-agents is not installed")
    from tests.frameworks import play_openai_agents

    return play_openai_agents


class Executor:
    """A shell that runs nothing."""

    def __init__(self, result: Any = "made") -> None:
        self.ran: list[list[str]] = []
        self._result = result

    def __call__(self, request: Any) -> Any:
        action = request.data.action
        self.ran.append(getattr(action, "commands", None) or action.command)
        return self._result


def play(sdk: Any, gate: Any, executor: Executor, *commands: str, local: bool = False) -> tuple[Any, Any]:
    from agents import Agent, LocalShellTool, ShellTool
    from agents.testing import ScriptedModel
    from openai.types.responses import ResponseFunctionShellToolCall
    from openai.types.responses.response_function_shell_tool_call import Action
    from openai.types.responses.response_output_item import LocalShellCall, LocalShellCallAction

    call: Any
    if local:
        action = LocalShellCallAction(command=list(commands), env={}, type="exec", working_directory="/shop")
        call = LocalShellCall(id="1", call_id="1", action=action, status="completed", type="local_shell_call")
        tool: Any = LocalShellTool(executor=executor)
    else:
        call = ResponseFunctionShellToolCall(
            id="1", call_id="1", action=Action(commands=list(commands)), status="completed", type="shell_call"
        )
        tool = ShellTool(executor=executor)
    agent = Agent(name="a", model=ScriptedModel([[call], [sdk.says("done")]]), tools=[tool])
    return agent, sdk.run(sdk.guard(agent, gate))


def read(result: Any) -> str:
    return next(str(item.output) for item in result.new_items if item.type == "tool_call_output_item")


@pytest.mark.parametrize("local", [False, True])
def test_a_line_is_judged_as_one_of_bash(sdk, tmp_path, local):
    executor = Executor()
    words = ("make", "deploy") if local else ("git fetch", "make deploy")
    assert "Ask a colleague to deploy." in read(play(sdk, gate_with(tmp_path, DENY), executor, *words, local=local)[1])
    assert executor.ran == []
    fine = ("make", "check") if local else ("git fetch", "make check")
    assert "made" in read(play(sdk, gate_with(tmp_path, DENY), executor, *fine, local=local)[1])
    assert executor.ran == [list(fine)]


@pytest.mark.parametrize("local", [False, True])
def test_a_line_that_a_rule_changes_runs_as_changed(sdk, tmp_path, local):
    executor = Executor()
    words = ("make", "staging") if local else ("make staging",)
    text = read(play(sdk, gate_with(tmp_path, CHANGE), executor, *words, local=local)[1])
    assert executor.ran == [["sh", "-c", "make check"] if local else ["make check"]]
    assert "made" in text
    assert "Interlock changed `command` of this call" in text


def test_what_a_line_printed_is_replaced(sdk, tmp_path):
    from agents import ShellCommandOutput, ShellResult

    rule = '{id: a, event: PostToolUse, tool: Bash, output: {stdout: "****"}}'
    executor = Executor(ShellResult(output=[ShellCommandOutput(stdout="4111", stderr="slow")]))
    text = read(play(sdk, gate_with(tmp_path, rule), executor, "make check")[1])
    assert "****" in text
    assert "slow" in text
    assert "4111" not in text


def test_a_line_that_is_asked_about_pauses_the_run(sdk, tmp_path):
    executor = Executor()
    agent, paused = play(sdk, gate_with(tmp_path, ASK), executor, "make deploy")
    assert executor.ran == []
    assert sdk.reason_for(paused.interruptions[0]) == "Deploy?"
    state = paused.to_state()
    state.approve(paused.interruptions[0])
    assert "made" in read(sdk.run(agent, state))
    assert executor.ran == [["make deploy"]]


def test_a_local_shell_cannot_pause_so_an_ask_without_anybody_to_ask_is_denied(sdk, tmp_path):
    executor = Executor()
    text = read(play(sdk, gate_with(tmp_path, ASK), executor, "make", "deploy", local=True)[1])
    assert "no one can be asked" in text
    assert executor.ran == []
