"""The life of a call in process: judged, changed, asked about, run, judged again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from interlock.approvals import Approval
from interlock.errors import InterlockError
from interlock.gate import Denied, Gate, NotApproved, Withheld
from interlock.service import answer_in
from interlock.store.memory import MemoryStore
from tests.gate.gates import Ran, Said, gate_with

SANITISE = (
    "{id: sanitise, tool: shell, when: 'input.command.contains(\"rm\")', "
    "change: {command: echo hello}, ask: Command modified for safety}"
)
DENY = '{id: never, tool: wipe, deny: "Not `${input.what}`. Use archive instead."}'


def call(gate: Any, tool: str, given: dict[str, Any], run: Any) -> Any:
    return asyncio.run(gate.call(tool, given, run=run))


def test_a_call_nobody_has_an_opinion_on_runs_as_it_is(tmp_path):
    """S1-03, S3-08, S3-10"""
    ran = Ran({"ok": True})
    assert call(gate_with(tmp_path), "look", {"x": 1}, ran) == {"ok": True}
    assert ran.inputs == [{"x": 1}]


def test_the_person_is_asked_about_the_changed_call_and_yes_runs_that(tmp_path):
    """S0-01, S0-02, S0-04, S3-07"""
    ran, said = Ran(), Said(Approval(True))
    gate = gate_with(tmp_path, SANITISE, approver=said)
    assert call(gate, "shell", {"command": "rm -rf /", "timeout": 30}, ran) == {"command": "echo hello", "timeout": 30}
    (asked,) = said.requests
    assert (asked.tool, asked.input) == ("shell", {"command": "echo hello", "timeout": 30})
    assert (asked.original, asked.reason) == ({"command": "rm -rf /", "timeout": 30}, "Command modified for safety")


def test_no_blocks_and_neither_reason_nor_change_reaches_the_model(tmp_path):
    """S0-02, S0-07"""
    ran = Ran()
    told: list[str] = []
    said = Said(Approval(False, reason="not today"))
    gate = gate_with(tmp_path, SANITISE, approver=said, tell=told.append)
    with pytest.raises(NotApproved) as refused:
        call(gate, "shell", {"command": "rm -rf /"}, ran)
    assert refused.value.reason == "the person did not approve this call: not today"
    assert (ran.inputs, told) == ([], [])
    assert said.requests[0].reason == "Command modified for safety"


def test_the_model_is_told_of_a_change_that_ran(tmp_path):
    """S1-13"""
    told: list[str] = []
    gate = gate_with(tmp_path, SANITISE, approver=Said(Approval(True)), tell=told.append)
    call(gate, "shell", {"command": "rm x"}, Ran())
    assert told == ['Interlock changed `command` of this call from "rm x" to "echo hello" (sanitise).']


def test_a_denied_call_does_not_run_and_says_why(tmp_path):
    """S0-06, S1-01"""
    ran = Ran()
    with pytest.raises(Denied) as denied:
        call(gate_with(tmp_path, DENY), "wipe", {"what": "all"}, ran)
    assert denied.value.reason == "Not `all`. Use archive instead."
    assert denied.value.verdict.decision == "deny"
    assert not isinstance(denied.value, NotApproved)
    assert (ran.inputs, denied.value.interrupt) == ([], False)


def test_a_permission_request_is_denied_with_its_message_and_nobody_is_asked(tmp_path):
    """S3-03"""
    ran, said = Ran(), Said()
    rules = ("{id: a, tool: pay, ask: Pay?}", "{id: b, event: PermissionRequest, tool: pay, deny: No payments today.}")
    with pytest.raises(Denied) as denied:
        call(gate_with(tmp_path, *rules, approver=said), "pay", {}, ran)
    assert (denied.value.reason, denied.value.interrupt) == ("No payments today.", False)
    assert (ran.inputs, said.requests) == ([], [])


def test_a_denied_permission_request_may_end_the_turn(tmp_path):
    """S3-04"""
    rules = (
        "{id: a, tool: pay, ask: Pay?}",
        "{id: b, event: PermissionRequest, tool: pay, deny: Stop here., interrupt: true}",
    )
    ran = Ran()
    with pytest.raises(Denied) as denied:
        call(gate_with(tmp_path, *rules, approver=Said()), "pay", {}, ran)
    assert (denied.value.reason, denied.value.interrupt, ran.inputs) == ("Stop here.", True, [])


def test_a_permission_request_may_be_allowed_in_the_persons_stead(tmp_path):
    """S3-01"""
    rules = ("{id: a, tool: pay, ask: Pay?}", "{id: b, event: PermissionRequest, tool: pay, allow: true}")
    said = Said()
    assert call(gate_with(tmp_path, *rules, approver=said), "pay", {"n": 1}, Ran()) == {"n": 1}
    assert said.requests == []


def test_what_a_permission_request_changes_is_judged_before_it_runs(tmp_path):
    """S3-02"""
    rules = (
        "{id: a, tool: pay, ask: Pay?}",
        "{id: b, event: PermissionRequest, tool: pay, when: input.n > 5, change: {n: 5}, allow: true}",
        "{id: c, event: PermissionRequest, tool: pay, when: input.n <= 5, allow: true}",
        "{id: d, tool: pay, when: input.n == 5, deny: Not five.}",
    )
    gate = gate_with(tmp_path, *rules)
    ran = Ran()
    with pytest.raises(Denied, match="Not five"):
        call(gate, "pay", {"n": 9}, ran)
    assert ran.inputs == []
    assert call(gate_with(tmp_path, *rules[:3]), "pay", {"n": 9}, ran) == {"n": 5}


def test_a_changed_result_is_used_instead_of_the_real_one(tmp_path):
    """S3-09"""
    rule = "{id: mask, event: PostToolUse, tool: get_card, output: {card: '****'}}"
    gate = gate_with(tmp_path, rule)
    assert call(gate, "get_card", {}, Ran({"card": "4111", "name": "Ann"})) == {"card": "****", "name": "Ann"}


def test_a_result_that_is_to_lose_a_field_loses_it(tmp_path):
    rule = "{id: mask, event: PostToolUse, tool: get_card, output: {card: null}}"
    assert call(gate_with(tmp_path, rule), "get_card", {}, Ran({"card": "4111", "name": "Ann"})) == {"name": "Ann"}


def test_the_result_of_an_mcp_tool_keeps_its_form(tmp_path):
    rule = "{id: mask, event: PostToolUse, tool: mcp__crm__get, output: {card: '****'}}"
    gate = gate_with(tmp_path, rule)
    assert call(gate, "mcp__crm__get", {}, Ran('{"card": "4111"}')) == '{"card":"****"}'
    blocks = [{"type": "text", "text": '{"card": "4111"}'}]
    assert call(gate, "mcp__crm__get", {}, Ran(blocks)) == [{"type": "text", "text": '{"card":"****"}'}]
    assert call(gate, "mcp__crm__get", {}, Ran({"card": "4111"})) == {"card": "****"}


def test_a_result_whose_check_fails_is_withheld(tmp_path):
    rule = "{id: mask, event: PostToolUse, tool: get_card, output: {card: '${redact(output.pan)}'}}"
    ran = Ran({"card": "4111"})
    with pytest.raises(Withheld) as withheld:
        call(gate_with(tmp_path, rule), "get_card", {}, ran)
    assert withheld.value.reason.startswith("this result is withheld: rule `mask`")
    assert "4111" not in withheld.value.reason
    assert not isinstance(withheld.value, Denied)  # it ran
    assert ran.inputs == [{}]


def test_every_reason_against_a_call_is_told_at_once(tmp_path):
    """S1-12"""
    rules = ("{id: a, tool: refund, deny: Customer not verified.}", "{id: b, tool: refund, deny: Over the limit.}")
    with pytest.raises(Denied) as denied:
        call(gate_with(tmp_path, *rules), "refund", {}, Ran())
    assert denied.value.reason == "Denied: (1) Customer not verified. (2) Over the limit. Both must be resolved."


def test_what_one_result_shows_decides_a_later_call_of_that_session_only(tmp_path):
    """S1-15"""
    gate = gate_with(
        tmp_path,
        "{id: known, event: PostToolUse, tool: get_customer, set: {tenure: {'${input.id}': '${output.tenure}'}}}",
        '{id: limit, tool: refund, when: \'state.tenure[?input.id].orValue("new") != "vip"\', deny: Only VIPs.}',
        top="state: {tenure: {}}",
    )
    with gate.session("one"):
        call(gate, "get_customer", {"id": "ann"}, Ran({"tenure": "vip"}))
        assert call(gate, "refund", {"id": "ann"}, Ran()) == {"id": "ann"}
        with pytest.raises(Denied, match="Only VIPs"):
            call(gate, "refund", {"id": "bob"}, Ran())
    with gate.session("two"), pytest.raises(Denied, match="Only VIPs"):
        call(gate, "refund", {"id": "ann"}, Ran())


def test_a_subagents_calls_are_its_own(tmp_path):
    gate = gate_with(tmp_path, "{id: a, agent: researcher, tool: pay, deny: Researchers do not pay.}")
    assert call(gate, "pay", {}, Ran(1)) == 1
    with gate.session("s", agent="researcher"), pytest.raises(Denied, match="Researchers"):
        call(gate, "pay", {}, Ran())


def test_the_outcome_holds_what_was_said_beside(tmp_path):
    rules = (
        "{id: a, tool: look, change: {x: 2}, context: Look closely., notify: Somebody looks.}",
        "{id: b, event: PostToolUse, tool: look, context: It was seen.}",
    )
    gate = gate_with(tmp_path, *rules)
    outcome = asyncio.run(gate.outcome("look", {"x": 1}, run=Ran("seen")))
    assert (outcome.result, outcome.input) == ("seen", {"x": 2})
    assert outcome.context == (
        "Interlock changed `x` of this call from 1 to 2 (a).\nLook closely.",
        "It was seen.",
    )
    assert outcome.notices == ("Somebody looks.",)


def test_events_that_are_no_calls_are_judged_too(tmp_path):
    gate = gate_with(tmp_path, "{id: a, event: UserPromptSubmit, prompt: secret, deny: Not that.}")
    verdict = asyncio.run(gate.event("UserPromptSubmit", prompt="tell me the secret"))
    assert (verdict.decision, verdict.reason) == ("deny", "Not that.")
    assert asyncio.run(gate.event("UserPromptSubmit", prompt="hello")).decision is None


def test_the_record_holds_the_whole_life_of_a_call(tmp_path):
    store = MemoryStore()
    gate = gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}", store=store, approver=Said(Approval(True)))
    call(gate, "pay", {"n": 1}, Ran("paid"))
    nobody = gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}", store=store)
    with pytest.raises(NotApproved):
        call(nobody, "pay", {"n": 1}, Ran("paid"))
    assert [(record.event, record.decision) for record in store.records()] == [
        ("PreToolUse", "ask"),
        ("PermissionRequest", None),
        ("PostToolUse", None),
        ("PreToolUse", "ask"),
        ("PermissionRequest", None),
        ("PermissionDenied", None),
    ]
    assert store.verify().ok


def test_a_gate_without_a_record_judges_and_refuses_to_forget(tmp_path):
    setting = "{id: s, event: PostToolUse, tool: look, set: {seen: true}}"
    gate = gate_with(tmp_path, DENY, setting, top="state: {seen: false}", record=False)
    with pytest.raises(Denied):
        call(gate, "wipe", {"what": "x"}, Ran())
    assert call(gate, "other", {}, Ran(1)) == 1
    with pytest.raises(Withheld):
        call(gate, "look", {}, Ran(1))


@pytest.mark.parametrize("options", [{"policy": None}, {"store": MemoryStore()}])
def test_a_gate_without_a_record_has_a_policy_and_no_store(tmp_path, options):
    from interlock.gate import Gate

    file = tmp_path / "p.yaml"
    file.write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(InterlockError, match="records nothing"):
        Gate(**{"policy": file, "record": False, **options})


def test_a_broken_policy_makes_no_gate(tmp_path):
    with pytest.raises(InterlockError, match="unknown key"):
        gate_with(tmp_path, "{id: a, tolo: x, deny: No.}")


def test_closing_a_gate_leaves_a_lent_store_open(tmp_path):
    store = MemoryStore()
    with gate_with(tmp_path, store=store) as gate:
        call(gate, "look", {}, Ran(1))
    assert len(list(store.records())) == 2


def test_a_gate_without_a_policy_goes_by_the_projects(tmp_path):
    from interlock.config.trust import Trust
    from interlock.gate import Gate
    from interlock.store.place import open_store

    (tmp_path / ".git").mkdir()
    policy = tmp_path / "interlock.yaml"
    policy.write_text("version: 1\nrules:\n  - {id: never, tool: wipe, deny: Not here.}\n", encoding="utf-8")
    Trust().add(policy)
    with Gate(project=tmp_path) as gate:
        assert call(gate, "look", {"x": 1}, Ran()) == {"x": 1}
        with pytest.raises(Denied, match="Not here"):
            call(gate, "wipe", {}, Ran())
        policy.write_text("version: 1\nrules:\n  - {id: nor, tool: look, deny: Nor here.}\n", encoding="utf-8")
        with pytest.raises(Denied, match="Nor here"):
            call(gate, "look", {}, Ran())
    with_store = open_store()
    assert [record.event for record in with_store.records()] == [
        "PreToolUse",
        "PostToolUse",
        "PreToolUse",
        "PreToolUse",
    ]
    with_store.close()


def test_the_verdicts_are_those_of_a_hook_that_is_told_the_same_events(tmp_path):
    from interlock.config.bundles import core_policy, load_file
    from interlock.judging.in_force import InForce
    from interlock.judging.projects import Projects

    store = MemoryStore()
    rules = (
        SANITISE,
        DENY,
        "{id: mask, event: PostToolUse, tool: get_card, output: {card: '****'}}",
        "{id: broken, tool: odd, when: int(input.n) > 1, deny: Never said.}",
    )
    gate = gate_with(tmp_path, *rules, store=store, approver=Said(Approval(True), Approval(False)))
    for tool, given in (
        ("shell", {"command": "rm x"}),
        ("shell", {"command": "rm y"}),
        ("wipe", {"what": "z"}),
        ("odd", {"n": "x"}),
        ("get_card", {}),
    ):
        with suppress(Denied):
            call(gate, tool, given, Ran({"card": "4111"}))
    force = InForce((load_file(tmp_path / "policy.yaml"), core_policy()))
    with Projects(MemoryStore, in_force=lambda root: force, alone=True) as hook:
        told = [(record, answer_in(hook, "claude-code", record.raw, tmp_path)) for record in store.records()]
    assert len(told) == 10
    for record, reply in told:
        assert (record.decision, record.record["reason"]) == (reply.verdict.decision, reply.verdict.reason)
        assert record.record["rules"] == [opinion.by for opinion in reply.verdict.opinions]


def test_what_a_policy_remembers_of_a_project_is_of_that_project(tmp_path):
    """One policy and one store, used by gates in two projects."""
    file = tmp_path / "policy.yaml"
    file.write_text("""
version: 1
state: {uses: {default: 0, scope: project}}
rules:
  - {id: uses, tool: look, set: {uses: "${state.uses + 1}"}}
  - {id: once, tool: look, when: state.uses > 0, deny: Once per project.}
""")
    store = MemoryStore()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        assert call(Gate(file, project=tmp_path / name, store=store), "look", {}, Ran("seen")) == "seen"
    with pytest.raises(Denied, match="Once per project"):
        call(Gate(file, project=tmp_path / "one", store=store), "look", {}, Ran("seen"))
