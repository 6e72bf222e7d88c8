"""People are told of a request through their webhook and on their desktop, and nothing waits for that."""

from __future__ import annotations

import hashlib
import hmac
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from msgspec import json
from msgspec.structs import replace

from interlock.approvals.desktop import Desktop
from interlock.approvals.messages import asked_message, desktop_text, ended_message, slack_asked, slack_ended
from interlock.approvals.reaching import Outreach
from interlock.policy.inbox_settings import InboxSettings, Webhook
from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore
from tests.approvals.listening import Receiver, receiving

KEY = b"0123456789abcdef0123456789abcdef"
LINK = "http://127.0.0.1:7777/r/abc?t=1&u=2"


def request(**parts: Any) -> ApprovalRequest:
    body = {
        "input": {"command": "npm install left-pad"},
        "reasons": [{"text": "Install it?", "by": "installs", "source": None}],
        "touches": {"commands": ["npm install left-pad"], "writes": ["package.json"], "deletes": []},
        "cwd": "/home/ann/shop",
        "agent": None,
        **parts.pop("body", {}),
    }
    whole: dict[str, Any] = {
        "id": "3f9c1c1e00", "session": "5e551011-0000", "tool": "Bash", "at": 1_800_000_000.0,
        "until": 1_800_000_480.0, "project": "/home/ann/shop", "host": "claude-code", "body": json.encode(body),
        **parts,
    }  # fmt: skip
    return ApprovalRequest(**whole)


class World:
    """A store with requests, and somebody who tells people of them."""

    def __init__(self, folder: Path, receiver: Receiver) -> None:
        self.receiver = receiver
        self.store = MemoryStore()
        self.log: list[str] = []
        self._complained = threading.Event()
        self.key = folder / "webhook.key"
        self.key.write_bytes(KEY + b"\n")
        self.settings = InboxSettings(webhook=Webhook(url=receiver.url, secret=str(self.key)))
        self.outreach = Outreach(
            lambda: self.store,
            link=lambda _: LINK,
            settings=lambda: self.settings,
            say=self._say,
            first_pause=0.001,
        )

    def _say(self, text: str) -> None:
        self.log.append(text)
        self._complained.set()

    def until_it_complains(self) -> None:
        assert self._complained.wait(30)

    def ask(self, **parts: Any) -> ApprovalRequest:
        asked = request(**parts)
        self.store.commit(Entry(record={}, raw=b"", at=1.0, asks=asked))
        return asked

    def answer(self, id: str = "3f9c1c1e00", **parts: Any) -> None:
        said = {"yes": False, "by": "ann", "at": 1_800_000_060.0, "note": "use the lockfile", **parts}
        self.store.answer_request(id, RequestAnswer(**said))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with receiving() as receiver:
        yield World(tmp_path, receiver)


def test_a_request_is_sent_signed_and_its_end_is_too(world: World):
    asked = world.ask()
    world.outreach.announce(asked.id)
    first = world.receiver.next()
    world.answer()
    world.outreach.conclude(asked.id)
    assert first.path == "/hook?team=shop"
    stamp = first.headers["Interlock-Timestamp"]
    wanted = hmac.new(KEY, stamp.encode() + b"." + first.body, hashlib.sha256).hexdigest()
    assert first.headers["Interlock-Signature"] == f"v1={wanted}"
    assert first.message == snapshot(
        {
            "version": 1,
            "event": "asked",
            "id": "3f9c1c1e00",
            "tool": "Bash",
            "call": "npm install left-pad",
            "written": None,
            "reasons": [{"text": "Install it?", "rule": "installs"}],
            "touches": {"commands": ["npm install left-pad"], "writes": ["package.json"]},
            "project": "/home/ann/shop",
            "session": "5e551011-0000",
            "agent": None,
            "host": "claude-code",
            "asked": "2027-01-15T08:00:00Z",
            "until": "2027-01-15T08:08:00Z",
            "links": {"answer": "http://127.0.0.1:7777/r/abc?t=1&u=2"},
        }
    )
    assert world.receiver.next().message == snapshot(
        {
            "version": 1,
            "event": "answered",
            "id": "3f9c1c1e00",
            "tool": "Bash",
            "call": "npm install left-pad",
            "answer": "no",
            "by": "ann",
            "note": "use the lockfile",
            "edited": False,
            "project": "/home/ann/shop",
            "session": "5e551011-0000",
            "answered": "2027-01-15T08:01:00Z",
        }
    )


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_message_is_sent_again_with_the_same_id_until_it_arrives(world: World, status: int):
    world.receiver.answers = [status] * 3
    world.outreach.announce(world.ask().id)
    tries = [world.receiver.next() for _ in range(4)]
    world.outreach.finish()
    assert len({one.headers["Interlock-Delivery"] for one in tries}) == 1
    assert world.log == [f"the webhook's receiver answered {status}"]  # once
    assert world.outreach.problem is None


@pytest.mark.parametrize("status", [400, 401, 404, 410, 301, 307])
def test_a_refusal_or_a_redirect_is_final_and_nothing_is_followed(world: World, status: int):
    world.receiver.answers = [status]
    world.receiver.headers = {"Location": world.receiver.url + "&other"}
    asked = world.ask()
    world.outreach.announce(asked.id)
    world.outreach.finish()
    assert world.receiver.received.qsize() == 1
    assert world.outreach.problem == f"the webhook's receiver answered {status}"
    world.answer()
    world.outreach.conclude(asked.id)  # whoever has not heard of a request is not told of its end
    world.outreach.finish()
    assert world.receiver.received.qsize() == 1


def test_what_was_answered_meanwhile_is_not_sent_again(world: World):
    world.receiver.answers = [500] * 1000
    asked = world.ask()
    world.outreach.announce(asked.id)
    world.receiver.next()
    world.answer()
    world.outreach.finish()
    assert world.outreach.problem == "the webhook's receiver answered 500"


def test_one_message_that_a_receiver_cannot_take_does_not_hold_up_the_others(world: World):
    world.receiver.answers = [500]
    world.receiver.headers = {"Retry-After": "3600"}
    world.outreach.announce(world.ask().id)
    assert world.receiver.next().message["id"] == "3f9c1c1e00"
    world.outreach.announce(world.ask(id="3f9c1c1e01").id)
    assert world.receiver.next().message["id"] == "3f9c1c1e01"


def test_a_receiver_that_is_not_there_is_logged_once_and_delays_nothing(world: World):
    world.settings = InboxSettings(webhook=Webhook(url="http://127.0.0.1:9/", secret=str(world.key)))
    asked = world.ask()
    world.outreach.announce(asked.id)  # returns at once, though nobody is there
    world.until_it_complains()
    world.answer()
    world.outreach.finish()
    assert [line.partition(":")[0] for line in world.log] == ["the webhook cannot be reached"]


@pytest.mark.parametrize(
    ("key", "says"),
    [(None, "the webhook's key cannot be read"), (b"short", "is shorter than 16 bytes")],
    ids=["missing", "short"],
)
def test_nothing_is_sent_without_a_good_key(world: World, key: bytes | None, says: str):
    world.key.unlink()
    if key is not None:
        world.key.write_bytes(key)
    asked = world.ask()
    world.outreach.announce(asked.id)
    world.until_it_complains()
    world.answer()
    world.outreach.finish()
    assert says in (world.outreach.problem or "")
    assert world.receiver.received.empty()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
def test_only_a_receiver_whose_certificate_is_good_is_sent_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    certificate = tmp_path / "own.pem"
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    make += ["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*make, "-keyout", certificate, "-out", tmp_path / "cert"], check=True, capture_output=True)
    certificate.write_bytes(certificate.read_bytes() + (tmp_path / "cert").read_bytes())
    with receiving(certificate) as receiver:
        world = World(tmp_path, receiver)
        asked = world.ask()
        world.outreach.announce(asked.id)
        world.until_it_complains()
        assert "CERTIFICATE_VERIFY_FAILED" in world.log[0]
        assert receiver.received.empty()
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert"))
        assert receiver.next().message["id"] == asked.id


def test_more_requests_than_fit_are_dropped_and_that_is_said(world: World):
    gate = threading.Event()

    def settings() -> InboxSettings:
        gate.wait(30)
        return InboxSettings()

    outreach = Outreach(lambda: world.store, settings=settings, say=world.log.append)
    asked = world.ask()
    for _ in range(10_000):
        outreach.announce(asked.id)
    assert world.log == ["more requests wait to be told than fit; people are not told of all of them"]
    gate.set()
    outreach.finish()


def test_without_settings_and_with_broken_ones_nobody_is_told_and_nothing_fails(world: World):
    asked = world.ask()
    world.settings = InboxSettings()
    world.outreach.announce(asked.id)
    world.outreach.announce("no such request")
    world.outreach.finish()
    assert (world.receiver.received.empty(), world.log) == (True, [])


class Shown(Desktop):
    def __init__(self) -> None:
        super().__init__({})
        self.texts: list[str] = []

    def show_text(self, text: str) -> None:
        self.texts.append(text)


def test_the_desktop_shows_the_call_once(world: World):
    desktop = Shown()
    outreach = Outreach(lambda: world.store, settings=lambda: InboxSettings(desktop=True), desktop=desktop)
    asked = world.ask()
    outreach.announce(asked.id)
    outreach.conclude(asked.id)
    outreach.finish()
    assert desktop.texts == ["Waits for your answer, in shop: npm install left-pad"]


def test_the_link_leads_to_the_address_under_which_people_reach_the_page(world: World):
    page = "https://agents.example/interlock/"
    world.settings = InboxSettings(webhook=Webhook(url=world.receiver.url, secret=str(world.key), page=page))
    world.outreach.announce(world.ask().id)
    message = world.receiver.next().message
    assert message["links"] == {"answer": "https://agents.example/interlock/r/abc?t=1&u=2"}


# --- what a tool input cannot do ---------------------------------------------------------------------------------

HOSTILE = (
    "echo ```<https://evil.example|Answer it> <!channel> @here &lt;\n*x* \u202e\x1b[2J` 'AKIA" + "Q3EGRXNCAWLRT4ZP'"
)


def test_a_slack_message_has_the_call_the_reasons_and_the_link():
    assert slack_asked(request(), LINK) == snapshot(
        {
            "text": "Interlock: npm install left-pad",
            "blocks": [
                {
                    "type": "section",
                    "text": {
                        "type": "mrkdwn",
                        "text": "An agent in *shop* asks before it runs:\n```npm install left-pad```",
                        "verbatim": True,
                    },
                },
                {
                    "type": "section",
                    "text": {"type": "mrkdwn", "text": "• Install it? (installs)", "verbatim": True},
                },
                {
                    "type": "section",
                    "text": {
                        "type": "mrkdwn",
                        "text": "Session 5e551011, until 08:08 UTC. "
                        "<http://127.0.0.1:7777/r/abc?t=1&amp;u=2|Answer it>",
                        "verbatim": True,
                    },
                },
            ],
        }
    )


def test_a_slack_message_cannot_be_forged_by_what_an_agent_wrote():
    reasons = [{"text": HOSTILE, "by": "r", "source": None}]
    hostile = request(body={"input": {"command": HOSTILE}, "reasons": reasons}, project=f"/home/{HOSTILE}")
    answered = replace(hostile, status="no", by="ann", note=HOSTILE)
    for message in (slack_asked(hostile, None), slack_ended(answered)):
        for block in message["blocks"]:
            text = block["text"]["text"]
            outside = text if text.count("```") != 2 else text.split("```")[0] + text.split("```")[2]
            assert "<" not in text
            assert "```" not in outside
            assert "@here" not in outside
            assert "\x1b" not in text
            assert "\u202e" not in text
            assert "AKIA" not in text
        assert "<" not in message["text"]


def test_secrets_stay_out_of_every_message():
    hidden = request(body={"input": {"command": HOSTILE}}, note=HOSTILE, status="no", by="ann")
    for message in (asked_message(hidden, LINK), ended_message(hidden), slack_asked(hidden, LINK), slack_ended(hidden)):
        assert b"Q3EGRXNCAWLRT4ZP" not in json.encode(message)
    assert desktop_text(request(project="")) == "Waits for your answer, in a project: npm install left-pad"


def test_a_long_call_is_cut():
    long = request(body={"input": {"command": "<" * 10_000}})
    assert asked_message(long, None)["call"].endswith("… (8,000 more characters)")
    (first, *_) = slack_asked(long, None)["blocks"]
    assert len(first["text"]["text"]) < 3000
    assert first["text"]["text"].endswith("&lt;```")
