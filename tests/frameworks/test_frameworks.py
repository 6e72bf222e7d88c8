"""What every framework does under a gate: by what ran, with which input, and by what the model read."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, Field

from interlock.config.places import user_policy
from interlock.gate import Gate, TurnOver
from interlock.hooks.registry import hook
from interlock.store.memory import MemoryStore
from tests.frameworks.playing import Tool
from tests.gate.gates import Said, gate_with

NEEDS = {"langchain": "langchain", "openai_agents": "agents", "pydantic_ai": "pydantic_ai", "adk": "google.adk"}
ASKING = ("{id: a, tool: pay, ask: Pay?}", "{id: b, tool: pay, when: input.n > 9, deny: Too much.}")


@pytest.fixture(params=NEEDS)
def player(request: pytest.FixtureRequest) -> ModuleType:
    pytest.importorskip(NEEDS[request.param], reason=f"{request.param} is not installed")
    return importlib.import_module(f"tests.frameworks.play_{request.param}")


@pytest.mark.parametrize("plain", [False, True])
def test_an_allowed_call_runs_unchanged_and_its_result_is_untouched(player, tmp_path, plain):
    tool = Tool()
    assert player.play(gate_with(tmp_path), tool, {"n": 3, "to": "bob"}, plain=plain).read == "paid"
    assert tool.inputs == [{"n": 3, "to": "bob"}]


@pytest.mark.parametrize("plain", [False, True])
def test_a_denied_call_does_not_run_and_the_model_reads_why(player, tmp_path, plain):
    tool, gate = Tool(), gate_with(tmp_path, "{id: a, tool: pay, when: input.n > 5, deny: Pay less.}")
    assert player.play(gate, tool, {"n": 6}, plain=plain).read == "Pay less."
    assert tool.inputs == []


@pytest.mark.parametrize("plain", [False, True])
def test_a_changed_call_runs_as_changed_and_the_model_is_told(player, tmp_path, plain):
    tool, gate = Tool(), gate_with(tmp_path, "{id: a, tool: pay, when: input.n > 5, change: {n: 5}}")
    read = player.play(gate, tool, {"n": 6, "to": "bob"}, plain=plain).read
    assert tool.inputs == [{"n": 5, "to": "bob"}]
    assert "paid" in read
    assert "Interlock changed `n` of this call from 6 to 5 (a)." in read


def test_a_result_is_replaced_before_the_model_reads_it(player, tmp_path):
    gate = gate_with(tmp_path, '{id: a, event: PostToolUse, tool: pay, output: {card: "****"}}')
    read = player.play(gate, Tool({"paid": 3, "card": "4111"}), {"n": 3}).read
    assert "****" in read
    assert "3" in read
    assert "4111" not in read


def test_context_of_a_rule_reaches_the_model_beside_the_result(player, tmp_path):
    gate = gate_with(tmp_path, "{id: a, event: PostToolUse, tool: pay, context: Send a receipt.}")
    read = player.play(gate, Tool(), {"n": 3}).read
    assert "paid" in read
    assert "Send a receipt." in read


class Account(BaseModel):
    """What pydantic writes of it leaves out what its text contains."""

    id: int = 1
    card: str = Field(default="4111", exclude=True)


class Fickle:
    """Says something else whenever it is asked."""

    def __init__(self) -> None:
        self._left = ["clean", "clean"]

    def __str__(self) -> str:
        return self._left.pop() if self._left else "4111"


@pytest.mark.parametrize(
    "result",
    [Account, lambda: [Account()], lambda: {"a": Account()}, Fickle, lambda: iter(["4111"]), lambda: ("4111",)],
)
def test_the_model_reads_what_was_judged_whatever_a_tool_returns(player, tmp_path, result):
    if result is Fickle and player.__name__.endswith("pydantic_ai"):
        pytest.skip("Pydantic AI ends the run if a result cannot be written as JSON")
    judged = []

    @hook("PostToolUse")
    def looks(call):
        judged.append(str(call.output))

    with gate_with(tmp_path, hooks=[looks]) as gate:
        read = player.play(gate, Tool(result), {"n": 3}).read
    assert len(judged) == 1
    assert ("4111" in read) == ("4111" in judged[0])


# --- failures ------------------------------------------------------------------------------------------------------


@hook("PreToolUse")
def raises(call):
    raise ConnectionError("no network")


@hook("PostToolUse")
def raises_after(call):
    raise ConnectionError("no network")


@pytest.mark.parametrize("plain", [False, True])
def test_a_hook_that_raises_lets_nothing_run(player, tmp_path, plain):
    tool = Tool()
    with gate_with(tmp_path, hooks=[raises]) as gate:
        read = player.play(gate, tool, {"n": 3}, plain=plain).read
    assert "raised ConnectionError: no network" in read
    assert tool.inputs == []


def test_a_hook_that_raises_after_the_call_withholds_the_result(player, tmp_path):
    tool = Tool("secret")
    with gate_with(tmp_path, hooks=[raises_after]) as gate:
        read = player.play(gate, tool, {"n": 3}).read
    assert "withheld" in read
    assert "secret" not in read
    assert tool.inputs != []


def test_a_store_that_fails_lets_nothing_run(player, tmp_path):
    store, tool = MemoryStore(), Tool()
    gate = gate_with(tmp_path, store=store)
    store.close()
    assert "closed" in player.play(gate, tool, {"n": 3}).read
    assert tool.inputs == []


def test_a_broken_policy_lets_nothing_run(player, tmp_path):
    policy = user_policy()
    policy.parent.mkdir(parents=True)
    policy.write_text("version: 1\nrules: [{id: a, tol: pay, deny: No.}]\n", encoding="utf-8")
    tool = Tool()
    with Gate(project=tmp_path, store=MemoryStore()) as gate:
        read = player.play(gate, tool, {"n": 3}).read
    assert "policy.yaml" in read
    assert tool.inputs == []


def test_an_exception_of_the_tool_whose_text_a_rule_would_have_changed_is_withheld(player, tmp_path):
    rule = '{id: a, event: PostToolUse, tool: pay, output: "***"}'
    read = player.play(gate_with(tmp_path, rule), Tool(ValueError("4111")), {"n": 3}).read
    assert "withheld" in read
    assert "4111" not in read


@pytest.mark.parametrize(
    ("module", "extra"),
    [("langchain", "langchain"), ("openai_agents", "openai-agents"), ("pydantic_ai", "pydantic-ai"), ("adk", "adk")],
)
def test_a_framework_that_is_not_installed_is_named_with_the_command_that_installs_it(module, extra):
    """In a process of its own, where nothing is imported yet."""
    code = f"import sys; sys.modules[{NEEDS[module].split('.')[0]!r}] = None; import interlock.frameworks.{module}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stderr.rstrip().endswith(
        f"Install Interlock together with the framework: pip install 'interlock[{extra}]'"
    )


# --- agents inside tools -------------------------------------------------------------------------------------------


def elsewhere(run: Callable[[], Any]) -> Callable[[], Any]:
    """As code of a tool that does not know of the loop it is called in."""

    def in_thread() -> Any:
        context = copy_context()
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(context.run, run).result()

    return in_thread


def test_an_agent_inside_a_tool_acts_in_the_session_of_that_call(player, tmp_path):
    counted = "{id: b, tool: pay, when: 'input.n == 2 && count(\"a\") > 0', deny: Counted.}"
    gate, inner = gate_with(tmp_path, "{id: a, tool: pay}", counted), Tool()
    outer = Tool(elsewhere(lambda: player.play(gate, inner, {"n": 2}).read))
    assert "Counted." in player.play(gate, outer, {"n": 1}).read
    assert (len(outer.inputs), inner.inputs) == (1, [])
    assert player.play(gate, inner, {"n": 3}).read == "paid"


@pytest.mark.parametrize(
    "rule",
    [
        "{id: a, tool: pay, when: input.n == 2, deny: Stop., interrupt: true}",
        "{id: a, event: PostToolUse, tool: pay, when: input.n == 2, interrupt: Stop.}",
    ],
)
def test_a_turn_that_ends_inside_a_tool_ends_the_run_whatever_the_tool_makes_of_it(player, tmp_path, rule):
    gate, inner = gate_with(tmp_path, rule), Tool()

    def swallows() -> str:
        with suppress(Exception):
            player.play(gate, inner, {"n": 2})
        return "all is well"

    outer = Tool(elsewhere(swallows))
    with pytest.raises(Exception, match=r"Stop|ends the turn") as error:
        player.play(gate, outer, {"n": 1})
    assert isinstance(error.value, TurnOver) or isinstance(error.value.__cause__, TurnOver)
    assert len(outer.inputs) == 1
    assert player.play(gate, inner, {"n": 3}).read == "paid"


# --- asking --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plain", [False, True])
def test_a_call_that_is_asked_about_pauses_the_run_and_runs_after_a_yes(player, tmp_path, plain):
    tool, gate = Tool(), gate_with(tmp_path, *ASKING)
    paused = player.play(gate, tool, {"n": 3, "to": "bob"}, plain=plain)
    assert "Pay?" in paused.question
    assert tool.inputs == []
    assert paused.answer("yes").read == "paid"
    assert tool.inputs == [{"n": 3, "to": "bob"}]


def test_a_no_lets_nothing_run_and_the_model_reads_it(player, tmp_path):
    tool = Tool()
    read = player.play(gate_with(tmp_path, *ASKING), tool, {"n": 3}).answer("no").read
    assert "Not today." in read
    assert tool.inputs == []


def test_a_person_s_edit_is_judged_again(player, tmp_path):
    if not player.edits:
        pytest.skip("a person cannot edit a call there")
    tool, gate = Tool(), gate_with(tmp_path, *ASKING)
    edited = player.play(gate, tool, {"n": 3, "to": "bob"}).answer({"n": 4, "to": "cy"})
    if edited.question:  # where the edit looks like another call, the person is asked about that one
        edited = edited.answer("yes")
    assert edited.read == "paid"
    assert tool.inputs == [{"n": 4, "to": "cy"}]
    denied = player.play(gate, tool, {"n": 3, "to": "bob"}).answer({"n": 10, "to": "cy"})
    assert denied.read == "Too much."
    assert len(tool.inputs) == 1


def test_a_call_is_judged_again_after_a_yes(player, tmp_path):
    """What was allowed to be asked may be denied by the time the answer comes."""
    tool = Tool()
    rules = ("{id: a, tool: pay, ask: Pay?}", "{id: b, tool: pay, when: state.shut, deny: Shut.}")
    shut = "{id: c, event: UserPromptSubmit, set: {shut: true}}"
    gate = gate_with(tmp_path, *rules, shut, top="state: {shut: {default: false, scope: project}}")
    paused = player.play(gate, tool, {"n": 3})
    gate_event(gate)
    assert paused.answer("yes").read == "Shut."
    assert tool.inputs == []


def test_a_yes_holds_for_the_reasons_that_the_person_was_told(player, tmp_path):
    tool = Tool()
    rules = (
        "{id: a, tool: pay, when: '!state.late', ask: Pay?}",
        "{id: b, tool: pay, when: state.late, ask: It is late. Pay?}",
        "{id: c, event: UserPromptSubmit, set: {late: true}}",
    )
    gate = gate_with(tmp_path, *rules, top="state: {late: {default: false, scope: project}}")
    paused = player.play(gate, tool, {"n": 3})
    gate_event(gate)
    again = paused.answer("yes")
    assert tool.inputs == []
    if again.question is None:  # where a run cannot be paused again from there, the model has to make the call again
        assert "another question" in again.read
        return
    assert "It is late." in again.question
    assert again.answer("yes").read == "paid"
    assert len(tool.inputs) == 1


def test_a_paused_call_counts_once(player, tmp_path):
    tool = Tool()
    rules = (
        "{id: a, tool: pay, ask: Pay?}",
        '{id: b, tool: pay, when: \'count("a", "1h", "project") >= 2\', deny: Twice.}',
    )
    gate = gate_with(tmp_path, *rules)
    with gate.session("one"):
        for _ in range(2):
            assert player.play(gate, tool, {"n": 3}).answer("yes").read == "paid"
        assert player.play(gate, tool, {"n": 3}).read == "Twice."
    assert len(tool.inputs) == 2


def test_of_calls_in_one_turn_each_is_judged_and_answered_by_itself(player, tmp_path):
    tool, gate = Tool(), gate_with(tmp_path, "{id: a, tool: pay, when: input.n > 1, ask: Pay?}", ASKING[1])
    paused = player.turn(gate, tool, 1, 2, 3, 10)
    assert paused.asked == [2, 3]
    assert [given["n"] for given in tool.inputs] == [1]
    ended = paused.answered(n2="no", n3="yes")
    assert ended.asked == []
    assert [given["n"] for given in tool.inputs] == [1, 3]


def test_calls_in_one_turn_are_counted_one_by_one(player, tmp_path):
    tool, once = Tool(), "{id: b, tool: pay, when: 'count(\"a\") > 1', deny: One is enough.}"
    player.turn(gate_with(tmp_path, "{id: a, tool: pay}", once), tool, 1, 2, 3)
    assert len(tool.inputs) == 2


class Unwritable(MemoryStore):
    """Cannot keep what a person is asked, once it is full."""

    is_full = False

    def commit(self, entry):
        if self.is_full and entry.record["event"] == "Paused":
            raise OSError("no space left")
        return super().commit(entry)


@pytest.mark.parametrize("when", ["before the question", "before the answer"])
def test_a_question_or_answer_that_cannot_be_kept_lets_nothing_run(player, tmp_path, when):
    tool, store = Tool(), Unwritable()
    gate = gate_with(tmp_path, *ASKING, store=store)
    if when == "before the question":
        store.is_full = True
        with pytest.raises(Exception, match="no space left"):
            player.play(gate, tool, {"n": 3})
    else:
        paused = player.play(gate, tool, {"n": 3})
        store.is_full = True
        with suppress(OSError):  # which one framework makes a text of, for the model
            assert "error" in paused.answer("yes").read
    assert tool.inputs == []


class Contested(MemoryStore):
    """Does something else just before the answer to a question is written."""

    before: Callable[[], Any] | None = None

    def commit(self, entry):
        if self.before is not None and entry.record["event"] == "Paused" and entry.record["question"] is None:
            before, self.before = self.before, None
            before()
        return super().commit(entry)


@pytest.mark.parametrize("other", ["another call is judged", "the same answer"])
def test_an_answer_counts_once_whatever_happens_at_the_same_time(player, tmp_path, other):
    tool, store = Tool(), Contested()
    late = "{id: c, event: UserPromptSubmit, set: {late: true}}"
    gate = gate_with(tmp_path, ASKING[0], late, top="state: {late: {default: false}}", store=store)
    with gate.session("one"):
        paused = player.play(gate, tool, {"n": 3})
        if other == "the same answer":
            store.before = lambda: paused.answer("yes")
            with suppress(Exception):  # some frameworks notice by themselves
                assert paused.answer("yes").read != "paid"
        else:
            store.before = lambda: gate_event(gate)
            assert paused.answer("yes").read == "paid"
    assert store.before is None
    assert len(tool.inputs) == 1


def test_an_approver_of_the_gate_answers_instead_of_a_pause(player, tmp_path):
    from interlock.approvals import Approval

    tool, said = Tool(), Said(Approval(True), Approval(False, reason="No."))
    gate = gate_with(tmp_path, *ASKING, approver=said)
    assert player.play(gate, tool, {"n": 3}).read == "paid"
    assert "No." in player.play(gate, tool, {"n": 3}).read
    assert len(tool.inputs) == 1


def test_without_a_pause_and_anybody_to_ask_a_call_is_denied(player, tmp_path):
    tool = Tool()
    read = player.play(gate_with(tmp_path, *ASKING), tool, {"n": 3}, pause=False).read
    assert "no one can be asked" in read
    assert tool.inputs == []


def gate_event(gate: Gate) -> Any:
    import asyncio

    return asyncio.run(gate.event("UserPromptSubmit", prompt="go on"))
