"""The permission callback: the policy's word first, then a person's, and never a yes by accident."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import anyio
import pytest

from interlock.approvals import Approval
from interlock.store.memory import MemoryStore
from tests.binding.sdk import options_with, sdk
from tests.builders import call, request

ASK = "{id: asked, tool: Bash, command: touch, ask: Touch it?}"
NEVER = "{id: never, tool: Bash, command: rm, deny: Never.}"
TOUCH = {"command": "touch x"}


class Client:
    """What the client does with the callbacks of some options."""

    def __init__(self, options: Any) -> None:
        self.options = options

    async def raise_(self, event: dict[str, Any]) -> Any:
        (matcher,) = self.options.hooks[event["hook_event_name"]]
        return await matcher.hooks[0](event, event.get("tool_use_id"), {"signal": None})

    async def prompt(self, given: dict[str, Any], *, tool: str = "Bash", id: str = "toolu_1") -> Any:
        context = sdk.ToolPermissionContext(tool_use_id=id, decision_reason="Touch it?")
        return await self.options.can_use_tool(tool, given, context)


def prompted(options: Any, given: dict[str, Any] = TOUCH, *, before: Any = TOUCH, **more: Any) -> Any:
    """The answer to a prompt about a call that was judged before."""

    async def main() -> Any:
        client = Client(options)
        if before is not None:
            await client.raise_(call("Bash", **before))
        return await client.prompt(given, **more)

    return anyio.run(main)


def theirs(answer: Any) -> Any:
    async def can_use_tool(tool: str, given: dict[str, Any], context: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return sdk.ClaudeAgentOptions(can_use_tool=can_use_tool)


YES = theirs(sdk.PermissionResultAllow())


def test_a_yes_runs_what_was_asked_about(tmp_path):
    answer = prompted(options_with(tmp_path, ASK, options=YES))
    assert answer == sdk.PermissionResultAllow(updated_input=TOUCH)


def test_a_no_is_handed_on_as_it_is(tmp_path):
    no = sdk.PermissionResultDeny(message="Not now.", interrupt=True)
    assert prompted(options_with(tmp_path, ASK, options=theirs(no))) == no


@pytest.mark.parametrize(
    ("before", "more"), [(None, {}), (TOUCH, {"id": "toolu_2"}), (TOUCH, {"tool": "Write"}), (TOUCH, {"id": ""})]
)
def test_a_call_that_was_never_judged_does_not_run(tmp_path, before, more):
    answer = prompted(options_with(tmp_path, ASK, options=YES), before=before, **more)
    assert answer == sdk.PermissionResultDeny(message="Interlock was never asked about this call, so it does not run")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "`can_use_tool` answered `None`"),
        (True, "`can_use_tool` answered `True`"),
        ({"behavior": "allow"}, "which is not a permission result"),
        (ValueError("boom"), "the approver raised ValueError: boom"),
        (sdk.PermissionResultAllow(updated_input="touch y"), "an input that is not an object"),
        (sdk.PermissionResultAllow(updated_input={"command": object()}), "TypeError"),
    ],
)
def test_whatever_is_no_answer_is_no_yes(tmp_path, answer, why):
    found = prompted(options_with(tmp_path, ASK, options=theirs(answer)))
    assert isinstance(found, sdk.PermissionResultDeny)
    assert why in found.message


def test_an_edit_is_judged_and_a_denied_one_does_not_run(tmp_path):
    fine = theirs(sdk.PermissionResultAllow(updated_input={"command": "touch y"}))
    assert prompted(options_with(tmp_path, ASK, NEVER, options=fine)).updated_input == {"command": "touch y"}
    worse = theirs(sdk.PermissionResultAllow(updated_input={"command": "rm y"}))
    assert prompted(options_with(tmp_path, ASK, NEVER, options=worse)) == sdk.PermissionResultDeny(message="Never.")


def test_an_edit_runs_as_the_policy_changes_it(tmp_path):
    change = "{id: moved, tool: Bash, command: touch y, change: {command: touch z}}"
    edit = theirs(sdk.PermissionResultAllow(updated_input={"command": "touch y"}))
    options = options_with(tmp_path, ASK, change, options=edit, alone=True)
    assert prompted(options).updated_input == {"command": "touch z"}


def test_what_another_hook_made_of_the_call_is_judged_before_anybody_is_asked(tmp_path):
    options = options_with(tmp_path, ASK, NEVER, options=YES)
    assert prompted(options, {"command": "rm y"}) == sdk.PermissionResultDeny(message="Never.")
    assert prompted(options, {"command": "touch y"}).updated_input == {"command": "touch y"}


def test_the_policy_may_answer_a_prompt_itself(tmp_path):
    """S3-01..S3-04"""
    no = theirs(sdk.PermissionResultDeny(message="never asked"))
    allow = "{id: a, event: PermissionRequest, tool: Bash, allow: true}"
    assert prompted(options_with(tmp_path, allow, options=no)).updated_input == TOUCH
    change = "{id: a, event: PermissionRequest, tool: Bash, change: {command: touch y}, allow: true}"
    assert prompted(options_with(tmp_path, change, options=no)).updated_input == {"command": "touch y"}
    stop = "{id: a, event: PermissionRequest, tool: Bash, deny: Stop., interrupt: true}"
    denied = sdk.PermissionResultDeny(message="Stop.", interrupt=True)
    assert prompted(options_with(tmp_path, stop, options=YES)) == denied


def test_permissions_that_a_hook_widens_come_with_the_answer_that_the_client_takes(tmp_path):
    update = {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "touch *"}], "behavior": "allow",
              "destination": "session"}  # fmt: skip

    async def hook(given: Any, tool_use_id: str | None, context: Any) -> Any:
        decision = {"behavior": "allow", "updatedPermissions": [update]}
        return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}

    own = dataclasses.replace(YES, hooks={"PermissionRequest": [sdk.HookMatcher(hooks=[hook])]})
    answered = prompted(options_with(tmp_path, ASK, options=own))
    assert [one.to_dict() for one in answered.updated_permissions] == [update]
    never = "{id: b, event: PermissionRequest, tool: Bash, deny: No.}"
    assert prompted(options_with(tmp_path, ASK, never, options=own)) == sdk.PermissionResultDeny(message="No.")


@pytest.mark.parametrize("first", ["event", "callback"])
def test_a_prompt_is_judged_once_whichever_way_it_comes_first(tmp_path, first):
    store = MemoryStore()
    options = options_with(tmp_path, ASK, options=YES, store=store)

    async def main() -> None:
        client = Client(options)
        await client.raise_(call("Bash", **TOUCH))
        both = [lambda: client.raise_(request("Bash", **TOUCH)), lambda: client.prompt(TOUCH)]
        for one in both if first == "event" else reversed(both):
            await one()

    anyio.run(main)
    assert [record.event for record in store.records()] == ["PreToolUse", "PermissionRequest"]


def test_two_calls_alike_are_two_prompts(tmp_path):
    store = MemoryStore()
    options = options_with(tmp_path, ASK, options=YES, store=store)

    async def main() -> None:
        client = Client(options)
        for id in ("toolu_1", "toolu_2"):
            await client.raise_({**call("Bash", **TOUCH), "tool_use_id": id})
        for id in ("toolu_1", "toolu_2"):
            await client.raise_(request("Bash", **TOUCH))
            await client.prompt(TOUCH, id=id)

    anyio.run(main)
    assert [record.event for record in store.records()].count("PermissionRequest") == 2


class Person:
    def __init__(self, answer: Any) -> None:
        self.requests: list[Any] = []
        self._answer = answer

    async def approve(self, request: Any) -> Any:
        self.requests.append(request)
        if self._answer is None:
            await anyio.sleep_forever()
        return self._answer


def test_an_approver_is_asked_by_the_policy_and_can_use_tool_by_the_client(tmp_path):
    person = Person(Approval(True, {"command": "touch y"}))
    no = theirs(sdk.PermissionResultDeny(message="the client's own prompt"))
    options = options_with(tmp_path, ASK, options=no, approver=person)
    assert prompted(options).updated_input == {"command": "touch y"}
    assert [(one.tool, one.input, one.reason) for one in person.requests] == [("Bash", TOUCH, "Touch it?")]
    listed = {"command": "make all"}
    assert prompted(options, listed, before=listed).message == "the client's own prompt"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "no one approved this call within 0.05 s"),
        (Approval(False, reason="too dear"), "the person did not approve this call: too dear"),
        (True, "which is not an Approval"),
        (Approval(True, {"command": "rm x"}), "Never."),
    ],
)
def test_an_approver_that_does_not_say_yes_stops_the_call(tmp_path, answer, why):
    options = options_with(tmp_path, ASK, NEVER, approver=Person(answer), approve_within=0.05)
    found = prompted(options)
    assert isinstance(found, sdk.PermissionResultDeny)
    assert why in found.message


def test_permissions_that_a_person_grants_along_with_a_yes_are_kept(tmp_path):
    update = sdk.PermissionUpdate(type="setMode", mode="acceptEdits", destination="session")
    answer = prompted(
        options_with(tmp_path, ASK, options=theirs(sdk.PermissionResultAllow(updated_permissions=[update])))
    )
    assert answer.updated_permissions == [update]
    json.dumps(answer.updated_input)
