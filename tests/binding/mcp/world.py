"""A proxy in a world where everything happens at once: no threads, no pipes, a clock that is set by hand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from interlock.binding.mcp.asking import PersonQuestion
from interlock.binding.mcp.judging import ServerIdentity, ServerJudge
from interlock.binding.mcp.lines import TooLong
from interlock.binding.mcp.listing import Listing, PinMode
from interlock.binding.mcp.pins import Pins
from interlock.binding.mcp.proxy import Proxy
from interlock.config.bundles import find_pack
from interlock.hosts.mcp.dialect import HOST
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.pretend import Pretend

POLICY = """
version: 1
state: {seen: {}}
rules:
  - {id: no-delete, tool: delete, deny: Nothing is deleted.}
  - {id: not-late, tool: delete, deny: Not today either.}
  - {id: big, tool: pay, when: input.amount > 100, ask: "Pay ${input.amount}?"}
  - {id: round, tool: pay, when: input.?cents.orValue(0) > 0, change: {cents: null}, ask: Without cents?}
  - {id: lower, tool: shout, change: {text: "${input.text.lowerAscii()}"}}
  - {id: card, event: PostToolUse, output: "${sub(output, '4111[0-9]{12}', '(card)')}"}
  - {id: known, event: PostToolUse, tool: mcp__shop__meet, set: {seen: {"${input.who}": true}}}
  - {id: unknown, tool: send, when: "!(input.who in state.seen)", deny: Look them up first.}
  - {id: broken, event: PostToolUse, tool: odd, output: {x: "${output.missing}"}}
"""


class Person:
    """Answers at a terminal what the test says."""

    def __init__(self, answer: bool | None) -> None:
        self.answer = answer
        self.asked: list[PersonQuestion] = []

    def approve(self, question: PersonQuestion, over: threading.Event) -> bool | None:
        self.asked.append(question)
        return self.answer


class _Today(Pretend):
    """Where people are asked, time passes."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class World:
    """A client and a server whose lines are kept, and the proxy between them."""

    def __init__(
        self,
        folder: Path,
        policy: str = POLICY,
        *,
        person: Person | None = None,
        pins: PinMode = "deny",
        hide: bool = False,
        lazy: bool = False,
        inbox: bool = False,
    ) -> None:
        """`lazy` leaves what would be done elsewhere undone until `do()`. `inbox`: a person can be asked there."""
        self.client: list[Any] = []
        self.server: list[Any] = []
        self.raw_client: list[bytes] = []
        self.raw_server: list[bytes] = []
        self.told: list[str] = []
        self.time = 0.0
        self.jobs: list[Callable[[], None]] = []
        self.lazy = lazy
        loaded = load_policy(policy.encode(), "interlock.yaml", find_pack)
        self.store = MemoryStore()
        self.guard = Guard([loaded], _Today() if inbox else Pretend(), self.store, project="/proj", alone=True)
        server = ServerIdentity("shop", "run-shop --now")
        self.judge = ServerJudge(
            lambda raw, asks: answer(self.guard, HOST, raw, asks=asks),
            server,
            "/proj",
            self.told.append,
            store=(lambda: self.store) if inbox else None,
        )
        self.pins = Pins(server.name, server.source, folder)
        self.listing = Listing(server, self.pins, pins, (lambda: [loaded]) if hide else None, self.told.append)
        self.proxy = Proxy(self.judge, self.listing, person, self)

    # --- what the proxy needs --------------------------------------------------------------------------------

    def to_client(self, data: bytes) -> None:
        self.raw_client.append(data)
        self.client.append(json.loads(data))

    def to_server(self, data: bytes) -> None:
        self.raw_server.append(data)
        self.server.append(json.loads(data))

    def work(self, task: Callable[[], Any], then: Callable[[Any], None]) -> None:
        if self.lazy:
            self.jobs.append(lambda: then(task()))
        else:
            then(task())

    wait = work

    def now(self) -> float:
        return self.time

    # --- what a test does ------------------------------------------------------------------------------------

    def do(self, *which: int) -> None:
        """Do what was put off, or those of it, in this order."""
        jobs = self.jobs
        chosen = [jobs[number] for number in which] if which else list(jobs)
        self.jobs = [job for job in jobs if job not in chosen]
        for job in chosen:
            job()

    def says(self, *messages: dict[str, Any] | bytes | TooLong) -> None:
        """The client says something."""
        for message in messages:
            self.proxy.from_client(line(message) if isinstance(message, dict) else message)

    def answers(self, *messages: dict[str, Any] | bytes | TooLong) -> None:
        """The server says something."""
        for message in messages:
            self.proxy.from_server(line(message) if isinstance(message, dict) else message)

    def starts(self, capabilities: dict[str, Any] | None = None) -> None:
        """Go through the handshake, and forget it."""
        self.says(request(0, "initialize", capabilities=capabilities or {}, protocolVersion="2025-06-18"))
        self.answers(result(0, {"protocolVersion": "2025-06-18"}))
        self.forget()

    def forget(self) -> None:
        for kept in (self.client, self.server, self.raw_client, self.raw_server):
            kept.clear()

    def events(self) -> list[tuple[str, str | None]]:
        """What was judged and recorded, and how."""
        return [(str(record.record["event"]), record.record["decision"]) for record in self.store.records()]


def line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def request(id_: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def call(id_: Any, tool: str, /, **arguments: Any) -> dict[str, Any]:
    return request(id_, "tools/call", name=tool, arguments=arguments)


def notification(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(id_: Any, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def text(id_: Any, said: str, **more: Any) -> dict[str, Any]:
    """A tool's result that is one text."""
    return result(id_, {"content": [{"type": "text", "text": said}], **more})


def error(id_: Any, message: str, code: int = -32000) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}


def denied(id_: Any, why: str) -> dict[str, Any]:
    return text(id_, why, isError=True)


def withheld(id_: Any, why: str) -> dict[str, Any]:
    return denied(id_, f"[withheld by Interlock: {why}]")
