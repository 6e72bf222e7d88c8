"""The example receivers, run as programs, with messages that Interlock really sends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from interlock.approvals.webhook import Delivery, SendError, send
from interlock.policy.inbox_settings import InboxSettings, Webhook
from tests.approvals.listening import receiving
from tests.approvals.test_reaching import World

EXAMPLES = Path(__file__).parents[2] / "examples" / "webhook"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with receiving() as receiver:
        yield World(tmp_path, receiver)


@contextmanager
def running(name: str, world: World, **env: str) -> Iterator[subprocess.Popen[str]]:
    """An example, listening where the webhook of this world sends to."""
    command = [sys.executable, str(EXAMPLES / name), str(world.key), "0"]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **env}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            world.settings = InboxSettings(webhook=Webhook(url=url, secret=str(world.key)))
            yield process
        finally:
            process.kill()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip()


def complaint_of(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline().rstrip()


def hook_of(world: World) -> Webhook:
    assert world.settings.webhook is not None
    return world.settings.webhook


def test_the_receiver_shows_a_request_and_its_answer(world: World):
    asked = world.ask()
    with running("receiver.py", world) as process:
        world.outreach.announce(asked.id)
        shown = line_of(process)
        world.answer()
        world.outreach.conclude(asked.id)
        assert shown == (
            "asked: npm install left-pad (Install it?) until 2027-01-15T08:08:00Z; "
            "answer: http://127.0.0.1:7777/r/abc?t=1&u=2"
        )
        assert line_of(process) == "answered: npm install left-pad: ann said no"


MESSAGE = b'{"event": "over", "call": "x"}'
ATTACKS: dict[str, tuple[dict[str, Any], str]] = {
    "another key": ({"key": b"another key of enough bytes"}, "refused: the signature is wrong"),
    "an old message": ({"age": 301}, "refused: the message is too old"),
    "a message of tomorrow": ({"age": -86_400}, "refused: the message is too old"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_the_receiver_refuses(world: World, tmp_path: Path, name: str):
    parts, says = ATTACKS[name]
    with running("receiver.py", world) as process:
        webhook = hook_of(world)
        if "key" in parts:
            other = tmp_path / "other.key"
            other.write_bytes(parts["key"])
            webhook = Webhook(url=webhook.url, secret=str(other))
        with pytest.raises(SendError, match="answered 401"):
            send(webhook, Delivery("d1", MESSAGE), time.time() - parts.get("age", 0))
        assert complaint_of(process) == says


def test_the_receiver_takes_a_repeated_message_once(world: World):
    with running("receiver.py", world) as process:
        for id in ("d1", "d1", "d2"):
            send(hook_of(world), Delivery(id, MESSAGE.replace(b"x", id.encode())))
        assert [line_of(process), line_of(process)] == ["over: d1", "over: d2"]


def test_the_relay_passes_a_request_on_as_a_slack_message_and_tries_again(world: World):
    world.receiver.answers = [500]
    asked = world.ask()
    with running("slack.py", world, SLACK_WEBHOOK_URL=world.receiver.url) as process:
        world.outreach.announce(asked.id)
        first, second = world.receiver.next(), world.receiver.next()
        assert complaint_of(process) == "not passed on: HTTP Error 500: Internal Server Error"
    assert first.body == second.body
    (block,) = second.message["blocks"]
    assert block["text"]["text"] == (
        "*shop*: Install it?\n```npm install left-pad```\n<http://127.0.0.1:7777/r/abc?t=1&u=2|Answer>"
    )
