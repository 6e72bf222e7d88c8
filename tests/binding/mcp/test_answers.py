"""Results: what is replaced, withheld, dropped; and what they leave in the state."""

from __future__ import annotations

import json

import pytest

from interlock.binding.mcp.lines import TooLong
from tests.binding.mcp.world import call, denied, error, line, notification, request, result, text, withheld

CARD = "4111111111111111"


def test_a_result_that_nobody_minds_is_passed_on_as_it_was_written(world):
    written = b'{"jsonrpc": "2.0", "result": {"content":[{"type":"text","text":"5.0"}],"_meta":{"a":1.50}}, "id": 1}\n'
    world.says(call(1, "look"))
    world.answers(written)
    assert world.raw_client == [written]


def test_a_replaced_text_keeps_the_rest_of_the_result(world):
    world.says(call(1, "look"))
    world.answers(text(1, f"paid with {CARD}", _meta={"took": 1}))
    assert world.client == [text(1, "paid with (card)", _meta={"took": 1})]


def test_structured_content_is_replaced_with_the_text(world):
    said = {"card": CARD, "n": 1}
    world.says(call(1, "look"))
    world.answers(text(1, json.dumps(said), structuredContent=said))
    assert world.client[0]["result"]["structuredContent"] == {"card": "(card)", "n": 1}
    assert json.loads(world.client[0]["result"]["content"][0]["text"]) == {"card": "(card)", "n": 1}


def test_structured_content_that_says_something_else_is_judged_too(world):
    world.says(call(1, "look"))
    world.answers(text(1, "see the structure", structuredContent={"card": CARD}))
    assert world.client == [text(1, "see the structure", structuredContent={"card": "(card)"})]


def test_a_text_beside_harmless_structured_content_is_judged_too(world):
    world.says(call(1, "look"))
    world.answers(text(1, f"card {CARD}", structuredContent={"ok": True}))
    assert world.client == [text(1, "card (card)", structuredContent={"ok": True})]


def test_a_wrapped_text_is_replaced_in_its_wrapping(world):
    world.says(call(1, "look"))
    world.answers(text(1, CARD, structuredContent={"result": CARD}))
    assert world.client == [text(1, "(card)", structuredContent={"result": "(card)"})]


@pytest.mark.parametrize(
    "odd", [{"toolResult": CARD}, {"content": CARD}, {"content": [CARD]}, {"content": {"text": CARD}}]
)
def test_a_result_of_an_unknown_shape_is_judged_whole(world, odd):
    world.says(call(1, "look"))
    world.answers(result(1, odd))
    assert CARD not in json.dumps(world.client)
    assert "(card)" in json.dumps(world.client)


def test_what_a_failed_call_says_is_judged_like_any_result(world):
    world.says(call(1, "look"))
    world.answers(text(1, f"no such card {CARD}", isError=True))
    assert world.client == [text(1, "no such card (card)", isError=True)]


def test_what_an_error_says_is_judged_too(world):
    world.says(call(1, "look"), call(2, "look"))
    world.answers(error(1, f"no such card {CARD}"), error(2, "timed out"))
    assert world.client == [error(1, "no such card (card)"), error(2, "timed out")]


def test_the_data_of_an_error_is_judged_with_it(world):
    world.says(call(1, "look"))
    answer = error(1, "failed")
    answer["error"]["data"] = {"card": CARD}
    world.answers(answer)
    assert CARD not in json.dumps(world.client)


def test_a_result_sets_state_for_later_calls(world):
    world.says(call(1, "meet", who="ada"))
    world.answers(text(1, "ada"))
    world.says(call(2, "send", who="ada"), call(3, "send", who="bob"))
    assert [message["id"] for message in world.server] == [1, 2]


def test_a_failed_call_sets_nothing_and_leaves_it_unknown(world):
    world.says(call(1, "meet", who="ada"))
    world.answers(text(1, "not found", isError=True))
    world.says(call(2, "send", who="ada"))
    assert [message["id"] for message in world.server] == [1]


def test_a_result_whose_check_fails_is_withheld_as_an_error(world):
    world.says(call(1, "odd"))
    world.answers(text(1, '{"a":1}', structuredContent={"a": 1}))
    (answer,) = world.client
    assert answer["result"]["isError"] is True
    assert answer["result"].keys() == {"content", "isError"}
    assert answer["result"]["content"][0]["text"].startswith("[withheld by Interlock: ")


def test_a_result_that_cannot_be_read_exactly_is_withheld(world):
    world.says(call(1, "look"))
    world.answers(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a","text":"b"}]}}\n')
    why = "it cannot be read: the key `text` stands twice in one object"
    assert world.client == [withheld(1, why)]


def test_half_an_emoji_in_a_result_withholds_it(world):
    world.says(call(1, "look"))
    world.answers(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\\ud83d"}]}}\n')
    assert world.client[0]["result"]["isError"] is True


def test_a_result_that_is_too_large_is_withheld_wherever_its_id_stands(world):
    world.says(call(1, "look"), call("b", "look"), request(3, "resources/list"))
    world.answers(TooLong(b'{"jsonrpc":"2.0","id":1,"result":{"content":[', b'"}]}}\n', 99_000_000))
    world.answers(TooLong(b'{"result":{"content":[', b'"}]},"jsonrpc":"2.0","id":"b"}\n', 99_000_000))
    world.answers(TooLong(b'{"result":{"resources":[', b'"}]},"jsonrpc":"2.0","id":3}\n', 99_000_000))
    why = "a message of 99,000,000 bytes is too large"
    assert world.client[:2] == [withheld(1, why), withheld("b", why)]
    assert world.client[2]["error"]["message"] == f"Interlock: the server's answer is dropped: {why}"


def test_an_answer_to_nothing_is_dropped_and_recorded(world):
    world.says(call(1, "look"))
    world.answers(text(7, CARD), text("1x", "b"), text(1, "mine"), text(1, "again"))
    assert world.client == [text(1, "mine")]
    notes = [record for record in world.events() if record[0] == "Notification"]
    assert len(notes) == 3


def test_an_answer_to_a_call_that_never_ran_is_dropped(make):
    world = make(lazy=True)
    world.says(call(1, "delete"))
    world.answers(text(1, "deleted"))
    world.do()
    assert world.client == [denied(1, "Denied: (1) Nothing is deleted. (2) Not today either. Both must be resolved.")]


def test_an_id_written_as_text_is_the_answer_to_the_number(world):
    world.says(call(5, "look"))
    world.answers(text("5", f"card {CARD}"))
    assert world.client == [text("5", "card (card)")]


@pytest.mark.parametrize(
    "noise",
    [
        b"Server started on stdio\n",
        b'{"jsonrpc":"2.0","id":9,"result":\n',
        b"\xff\xfe\n",
        b'{"jsonrpc":"2.0","id":1,"method":"x","result":{"content":[]}}\n',
        b'{"jsonrpc":"2.0","id":{"a":1},"result":{}}\n',
        b'{"jsonrpc":"2.0","id":8,"id":8,"result":{}}\n',
        b'["a"]\n',
    ],
)
def test_what_is_no_message_is_dropped(world, noise):
    world.answers(noise)
    assert world.raw_client == []
    assert world.told


def test_a_broken_answer_ends_its_call(world):
    world.says(call(1, "look"))
    world.answers(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","te\n')
    assert world.client == [withheld(1, "not a message: not valid JSON")]
    world.answers(text(1, "late"))
    assert len(world.client) == 1


def test_nothing_of_an_answer_with_two_ids_is_passed_on(world):
    world.says(call(1, "look"), request(2, "ping"))
    world.answers(b'{"jsonrpc":"2.0","id":1,"id":2,"result":{"content":[]}}\n')
    assert world.client == [withheld(1, "not a message: the message contains a key twice")]


def test_results_in_a_batch_are_judged_each_for_itself(world):
    world.says(call(1, "look"), call(2, "look"), request(3, "ping"))
    world.answers(json.dumps([text(1, CARD), result(3, {}), text(2, "b")]).encode() + b"\n")
    assert world.client == [text(1, "(card)"), result(3, {}), text(2, "b")]


def test_results_keep_their_order_among_notifications(make):
    world = make(lazy=True)
    world.says(call(1, "look"), call(2, "look"))
    world.do()
    progress = notification("notifications/progress", progressToken=1, progress=1)
    world.answers(progress, text(1, "a"), progress, text(2, "b"), progress)
    world.do(1)
    assert world.client == [progress]
    world.do()
    assert world.client == [progress, text(1, "a"), progress, text(2, "b"), progress]


def test_a_question_of_the_server_to_the_person_goes_through(world):
    world.says(call(1, "look"))
    more = {"resultType": "input_required", "inputRequests": {"a": {}}, "requestState": "s"}
    world.answers(result(1, more))
    assert world.raw_client == [line(result(1, more))]


def test_a_result_that_only_pretends_to_be_a_question_is_judged(world):
    world.says(call(1, "look"))
    world.answers(text(1, CARD, resultType="input_required"))
    assert world.client == [text(1, "(card)", resultType="input_required")]


def test_the_result_of_a_task_is_judged_when_it_comes(world):
    world.says(request(1, "tools/call", name="look", arguments={}, task={}))
    world.answers(result(1, {"task": {"taskId": "t", "status": "working"}}))
    for number in (2, 3):  # it may be fetched more than once
        world.says(request(number, "tasks/result", taskId="t"))
        world.answers(text(number, CARD))
    world.says(request(4, "tasks/get", taskId="t"))
    world.answers(
        result(4, {"taskId": "t", "status": "completed", "result": {"content": [{"type": "text", "text": CARD}]}})
    )
    assert CARD not in json.dumps(world.client)
    assert json.dumps(world.client).count("(card)") == 3


def test_the_result_of_a_task_that_a_notification_brings_is_judged_too(world):
    world.says(request(1, "tools/call", name="look", arguments={}))
    world.answers(result(1, {"resultType": "task", "taskId": "t", "status": "working"}))
    said = {"content": [{"type": "text", "text": CARD}]}
    world.answers(notification("notifications/tasks", taskId="t", status="completed", result=said))
    assert world.client[-1]["params"]["result"]["content"] == [{"type": "text", "text": "(card)"}]


def test_the_result_of_an_unknown_task_is_withheld(world):
    world.says(request(2, "tasks/result", taskId="other"))
    world.answers(text(2, CARD))
    assert world.client == [withheld(2, "this is the result of a call that was not made here")]


def test_a_call_whose_server_is_gone_leaves_what_it_would_set_unknown(world):
    world.says(call(1, "meet", who="ada"))
    world.proxy.end()
    assert world.events()[-1] == ("PostToolUseFailure", None)


def test_a_bug_while_a_result_is_judged_withholds_it(world):
    world.says(call(1, "look"))
    world.judge.result = None
    world.answers(text(1, CARD))
    assert world.client == [withheld(1, "Interlock itself failed: TypeError")]
