"""The daemon tells people of a request while its call waits, as their own policy says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interlock.daemon.control import status_of
from interlock.daemon.page_client import PageState
from interlock.page.control import Control
from tests.approvals.listening import Receiver, receiving
from tests.daemon.spawned import Home, until
from tests.daemon.test_inbox import RULES, answer, push, said, waiting

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def own_policy(home: Home, receiver: Receiver) -> None:
    folder = home.home / ".config" / "interlock"
    folder.mkdir(parents=True)
    (folder / "webhook.key").write_text(KEY, encoding="ascii")
    webhook = f"{{url: '{receiver.url}', secret: {folder / 'webhook.key'}}}"
    (folder / "policy.yaml").write_text(f"version: 1\ninbox: {{webhook: {webhook}}}\n", encoding="utf-8")
    home.policy(*RULES)


def test_a_request_reaches_the_webhook_while_the_call_waits_and_so_does_its_answer(home: Home, receiver: Receiver):
    own_policy(home, receiver)
    process = push(home)
    asked = receiver.next().message
    request = waiting(home)
    assert (asked["event"], asked["id"], asked["call"]) == ("asked", request.id, "git push")
    assert asked["links"] == {"answer": None}  # no page runs
    answer(home, request)
    assert said(process)["permissionDecision"] == "allow"
    ended = receiver.next().message
    assert (ended["event"], ended["id"], ended["answer"], ended["by"]) == ("answered", request.id, "yes", "ann")


def test_the_message_has_a_link_to_this_one_request_if_the_page_runs(
    home: Home, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(home.home))
    own_policy(home, receiver)
    state = PageState(version="1", pid=1, address="http://127.0.0.1:7467")
    page = Control(state, lambda scope: f"{state.address}/enter#{scope}", lambda: None)
    with page.listening(lambda: False):
        process = push(home)
        asked = receiver.next().message
    assert asked["links"] == {"answer": f"http://127.0.0.1:7467/enter#{asked['id']}"}
    answer(home, waiting(home))
    assert said(process)["permissionDecision"] == "allow"


def test_a_receiver_that_fails_delays_no_answer_and_the_status_says_so(home: Home, receiver: Receiver):
    own_policy(home, receiver)
    receiver.answers = [500] * 1000
    process = push(home)
    receiver.next()
    until(lambda: (found := status_of(home.socket)) is not None and found.outreach is not None)
    status = status_of(home.socket)
    assert status is not None
    assert status.outreach == "the webhook's receiver answered 500"
    answer(home, waiting(home))
    assert said(process)["permissionDecision"] == "allow"


def test_a_call_that_nobody_is_asked_about_is_told_to_nobody(home: Home, receiver: Receiver):
    own_policy(home, receiver)
    assert said(push(home, command="git push -f"))["permissionDecision"] == "deny"
    status = status_of(home.socket)
    assert status is not None
    assert (status.outreach, receiver.received.empty()) == (None, True)
