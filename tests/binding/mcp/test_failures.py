"""What the proxy does when something fails: the record, a check, the server. Nothing unjudged passes either way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interlock.store.base import StoreError
from tests.binding.mcp.world import World, call, error, request, result, text

CARD = "4111111111111111"
FORMS: dict[str, Any] = {"elicitation": {}}
YES = {"action": "accept", "content": {"answer": "allow"}}


def lose_records_of(world: World, *events: str) -> None:
    """Let the store fail whenever one of these events is to be kept."""
    commit = world.store.commit

    def fail(entry: Any) -> Any:
        if entry.record.get("event") in events:
            raise StoreError("the disk is full")
        return commit(entry)

    world.store.commit = fail  # type: ignore[method-assign]


# --- the record cannot be kept ----------------------------------------------------------------------------------


def test_a_call_that_cannot_be_recorded_never_reaches_the_server(world):
    lose_records_of(world, "PreToolUse")
    world.says(call(1, "look"))
    assert world.server == []
    (answer,) = world.client
    assert answer["result"]["isError"] is True
    assert "the disk is full" in answer["result"]["content"][0]["text"]


def test_a_result_that_cannot_be_recorded_is_withheld(world):
    lose_records_of(world, "PostToolUse")
    world.says(call(1, "look"))
    world.answers(text(1, "balance 5"))
    assert world.client[0]["result"]["isError"] is True
    assert "balance" not in json.dumps(world.client)
    assert "withheld by Interlock" in json.dumps(world.client)


@pytest.mark.parametrize(
    "answer", [text(1, f"no such card {CARD}", isError=True), error(1, f"no such card {CARD}")], ids=["result", "error"]
)
@pytest.mark.parametrize("lost", [("PostToolUse",), ("PostToolUseFailure",), ("PostToolUse", "PostToolUseFailure")])
def test_a_failed_calls_text_that_cannot_be_recorded_shows_nothing_unjudged(world, answer, lost):
    lose_records_of(world, *lost)
    world.says(call(1, "look"))
    world.answers(answer)
    assert CARD not in json.dumps(world.client)
    assert len(world.client) == 1


def test_a_yes_that_cannot_be_recorded_does_not_count(world):
    world.starts(FORMS)
    lose_records_of(world, "ElicitationResult")
    world.says(call(1, "pay", amount=200))
    world.says(result(world.client[0]["id"], YES))
    assert world.server == []
    assert world.client[1]["result"]["isError"] is True


def test_a_question_that_cannot_be_recorded_is_not_answered_in_the_persons_place(world):
    world.starts(FORMS)
    lose_records_of(world, "PermissionRequest")
    world.says(call(1, "pay", amount=200))
    assert world.server == []
    assert [message.get("method") for message in world.client] != ["elicitation/create"]


def test_what_a_result_would_set_is_not_known_when_its_record_is_lost(world):
    world.says(call(1, "meet", who="ada"))
    lose_records_of(world, "PostToolUse")
    world.answers(text(1, "ada"))
    world.says(call(2, "send", who="ada"))
    assert [message["id"] for message in world.server] == [1]


def test_a_call_after_the_store_works_again_is_judged_as_ever(world):
    commit = world.store.commit
    lose_records_of(world, "PreToolUse")
    world.says(call(1, "look"))
    world.store.commit = commit
    world.says(call(2, "look"), call(3, "delete"))
    assert [message["id"] for message in world.server] == [2]


# --- what failed calls say --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [
        {"content": [{"type": "text", "text": f"card {CARD}"}], "isError": True},
        {"content": [{"type": "text", "text": "see there"}], "structuredContent": {"card": CARD}, "isError": True},
        {"content": [], "structuredContent": {"card": CARD}, "isError": True},
        {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": CARD}], "isError": True},
        {"toolResult": CARD, "isError": True},
        {"content": CARD, "isError": True},
    ],
)
def test_a_failed_result_of_every_shape_is_judged_and_stays_failed(world, shape):
    world.says(call(1, "look"))
    world.answers(result(1, shape))
    assert CARD not in json.dumps(world.client)
    assert world.client[0]["result"]["isError"] is True


@pytest.mark.parametrize("data", [{"card": CARD}, [CARD], CARD, {"deep": {"er": [{"card": CARD}]}}])
def test_an_errors_data_of_every_shape_is_judged_with_its_message(world, data):
    world.says(call(1, "look"), call(2, "look"))
    answer = error(1, "failed")
    answer["error"]["data"] = data
    harmless = error(2, "failed")
    harmless["error"]["data"] = {"retry": True}
    world.answers(answer, harmless)
    assert CARD not in json.dumps(world.client)
    assert world.client[0]["error"]["code"] == answer["error"]["code"]
    assert world.client[1] == harmless


def test_an_error_that_is_no_object_is_not_passed_on(world):
    world.says(call(1, "look"))
    world.answers({"jsonrpc": "2.0", "id": 1, "error": CARD})
    assert CARD not in json.dumps(world.client)
    assert len(world.client) == 1


def test_an_error_of_anything_but_a_call_is_passed_on_as_it_is(world):
    world.says(request(1, "resources/list"))
    world.answers(error(1, f"no {CARD}"))
    assert world.client == [error(1, f"no {CARD}")]


def test_a_check_that_fails_on_an_error_withholds_its_text(world):
    world.says(call(1, "odd"))
    world.answers(error(1, "balance 5"))
    assert "balance" not in json.dumps(world.client)
    assert "withheld by Interlock" in world.client[0]["error"]["message"]


def test_a_failed_call_is_recorded_as_failed_and_its_text_as_a_result(world):
    world.says(call(1, "look"))
    world.answers(text(1, "no such thing", isError=True))
    assert world.events() == [("PreToolUse", None), ("PostToolUseFailure", None), ("PostToolUse", None)]


def test_calls_that_are_open_when_the_server_goes_are_each_recorded_as_failed(world):
    world.says(call(1, "look"), call(2, "meet", who="ada"))
    world.proxy.end()
    assert [event for event, _ in world.events()].count("PostToolUseFailure") == 2
