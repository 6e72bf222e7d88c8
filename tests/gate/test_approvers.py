"""Approvers: a function, a queue that somebody else answers, a person at a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from interlock.approvals import Approval, Callback, Queue, Request, Terminal, request_text
from interlock.errors import InterlockError
from interlock.gate import NotApproved
from interlock.verdict import Change
from tests.gate.gates import Ran, gate_with

ASK = "{id: a, tool: pay, ask: Pay?}"
REQUEST = Request(
    tool="pay",
    input={"to": "ann", "amount": 100},
    original={"to": "ann", "amount": 700, "note": "x"},
    reason="Payments are capped.\nSecond line.",
    changes=(Change("amount", 700, 100, "cap"), Change("note", "x", None, "cap")),
)


# --- what a person reads ------------------------------------------------------------------------------------------


def test_a_person_reads_what_would_run_what_the_model_wrote_and_why_they_are_asked():
    """S0-01, S0-02"""
    assert request_text(REQUEST).splitlines() == [
        "Interlock asks about pay",
        "  why   Payments are capped.",
        "        Second line.",
        '  runs  to = "ann"',
        "  runs  amount = 100",
        "  changed from what the model wrote:",
        "  - amount = 700",
        "  + amount = 100   (cap)",
        '  - note = "x"',
    ]


def test_a_call_that_nobody_changed_shows_no_difference():
    """S0-03"""
    request = Request(tool="pay", input={"n": 1}, original={"n": 1})
    assert request_text(request) == "Interlock asks about pay\n  runs  n = 1"
    assert request_text(Request(tool="pay", input={}, original={})).endswith("runs  without any input")


def test_one_and_true_are_shown_as_different():
    request = Request(tool="pay", input={"n": True}, original={"n": 1})
    assert request_text(request).splitlines()[-2:] == ["  - n = 1", "  + n = true"]


def test_nothing_a_model_writes_moves_the_cursor_or_makes_a_line_of_its_own():
    evil = "\x1b[2J\rRun it? [y]es\n\u202etxet"
    request = Request(tool=evil, input={evil: evil}, original={}, reason=evil)
    text = request_text(request)
    assert "\x1b" not in text
    assert "\r" not in text
    assert "\u202e" not in text
    assert all(line.startswith(("Interlock asks about", "  ")) for line in text.splitlines())


# --- a function -----------------------------------------------------------------------------------------------------


async def later(request: Request) -> bool:
    await asyncio.sleep(0)
    return request.input["n"] == 1


@pytest.mark.parametrize("function", [lambda request: request.input["n"] == 1, later, lambda request: later(request)])
def test_a_function_answers_plain_or_async(tmp_path, function):
    with gate_with(tmp_path, ASK, approver=function) as gate:
        assert asyncio.run(gate.call("pay", {"n": 1}, run=Ran())) == {"n": 1}
        assert gate.call_sync("pay", {"n": 1}, run=Ran()) == {"n": 1}
        with pytest.raises(NotApproved):
            asyncio.run(gate.call("pay", {"n": 2}, run=Ran()))


def test_a_function_that_blocks_holds_up_no_other_task():
    release = threading.Event()

    async def main() -> Approval:
        asked = asyncio.create_task(Callback(lambda request: release.wait(30)).approve(REQUEST))
        await asyncio.sleep(0)
        release.set()  # reached only if the loop goes on
        return await asked

    assert asyncio.run(main()) == Approval(True)


def test_what_is_no_approver_makes_no_gate(tmp_path):
    with pytest.raises(InterlockError, match="`approve` method"):
        gate_with(tmp_path, approver=7)


# --- a queue ----------------------------------------------------------------------------------------------------------


def test_another_task_answers_what_is_in_the_queue(tmp_path):
    queue = Queue()
    gate = gate_with(tmp_path, ASK, approver=queue)

    async def person() -> None:
        async for waiting in queue:
            amount = waiting.request.input["n"]
            waiting.answer(Approval(amount < 5, {"n": 0} if amount == 1 else None))

    async def main() -> Any:
        answering = asyncio.create_task(person())
        calls = [gate.call("pay", {"n": n}, run=Ran()) for n in (1, 2, 9)]
        found = await asyncio.gather(*calls, return_exceptions=True)
        answering.cancel()
        return found

    first, second, third = asyncio.run(main())
    assert (first, second) == ({"n": 0}, {"n": 2})
    assert isinstance(third, NotApproved)


def test_another_thread_answers_a_call_that_has_no_loop(tmp_path):
    queue = Queue()

    def person() -> None:
        asyncio.run(queue.take()).answer(Approval(True))

    thread = threading.Thread(target=person)
    thread.start()
    with gate_with(tmp_path, ASK, approver=queue) as gate:
        assert gate.call_sync("pay", {"n": 1}, run=Ran()) == {"n": 1}
    thread.join()


def test_a_late_answer_is_refused_and_a_question_whose_time_is_up_is_not_shown(tmp_path):
    queue, ran = Queue(), Ran()
    gate = gate_with(tmp_path, ASK, approver=queue, approve_within=0.01)

    async def main() -> None:
        with pytest.raises(NotApproved, match=r"within 0\.01 s"):
            await gate.call("pay", {"n": 1}, run=ran)
        assert queue.waiting() == []
        call = asyncio.create_task(gate.call("pay", {"n": 2}, run=ran))
        waiting = await queue.take()  # not the one whose time is up
        assert waiting.request.input == {"n": 2}
        with pytest.raises(NotApproved):
            await call
        with pytest.raises(InterlockError, match="this question is over"):
            waiting.answer(Approval(True))

    asyncio.run(main())
    assert ran.inputs == []


def test_an_approver_that_ignores_its_cancellation_or_holds_up_the_loop_has_not_said_yes(tmp_path):
    ran, over = Ran(), asyncio.Event()

    async def stubborn(request: Request) -> bool:
        while not over.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await over.wait()
        return True

    async def blocking(request: Request) -> bool:
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            pass
        return True

    async def main() -> None:
        for approver in (stubborn, blocking):
            gate = gate_with(tmp_path, ASK, approver=approver, approve_within=0.1)
            with pytest.raises(NotApproved, match=r"within 0\.1 s"):
                await gate.call("pay", {"n": 1}, run=ran)
        over.set()

    asyncio.run(main())
    assert ran.inputs == []


def test_a_question_is_answered_once(tmp_path):
    queue = Queue()

    async def main() -> Approval:
        asked = asyncio.create_task(queue.approve(REQUEST))
        await asyncio.sleep(0)
        (waiting,) = queue.waiting()
        waiting.answer(Approval(False))
        with pytest.raises(InterlockError, match="this question is over"):
            waiting.answer(Approval(True))
        return await asked

    assert asyncio.run(main()) == Approval(False)


def test_who_stops_waiting_for_questions_takes_none(tmp_path):
    queue = Queue()

    async def main() -> None:
        gone = asyncio.create_task(queue.take())
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        asked = asyncio.create_task(queue.approve(REQUEST))
        (await queue.take()).answer(Approval(True))
        assert await asked == Approval(True)

    asyncio.run(main())


# --- a terminal -----------------------------------------------------------------------------------------------------


class Person:
    """Somebody at the other end of a terminal, who answers each question when it is there."""

    def __init__(self) -> None:
        self.end, theirs = os.openpty()
        self.device = os.ttyname(theirs)
        self._theirs = theirs
        self.read = ""

    def until(self, text: str) -> str:
        """What is on the screen up to some text."""
        while text not in self.read:
            self.read += os.read(self.end, 4096).decode()
        seen, _, self.read = self.read.partition(text)
        return seen.replace("\r\n", "\n") + text

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def close(self) -> None:
        os.close(self.end)
        os.close(self._theirs)


@pytest.fixture
def person() -> Iterator[Person]:
    found = Person()
    yield found
    found.close()


def answered(person: Person, *typed: str, request: Request = REQUEST) -> tuple[Approval, str]:
    """What comes of typing each of these once a question is there, and what was on the screen."""
    seen: list[str] = []

    def types() -> None:
        for text in typed:
            seen.append(person.until(": "))
            person.type(text + "\n")

    async def main() -> Approval:
        typing = threading.Thread(target=types)
        typing.start()
        found = await Terminal(person.device).approve(request)
        typing.join()
        return found

    return asyncio.run(asyncio.wait_for(main(), 20)), "".join(seen)


@pytest.mark.parametrize("word", ["y", "yes", "Y", "YES"])
def test_yes_at_the_terminal_is_yes(person, word):
    approval, screen = answered(person, word, request=Request(tool="pay", input={"n": 1}, original={"n": 1}))
    assert approval == Approval(True)
    assert screen == ("Interlock asks about pay\n  runs  n = 1\nRun it? [y]es, [n]o (or: ")


@pytest.mark.parametrize(
    ("word", "reason"), [("n", "they said no"), ("no", "they said no"), ("n too dear", "too dear")]
)
def test_no_at_the_terminal_is_no(person, word, reason):
    assert answered(person, word)[0] == Approval(False, reason=reason)


def test_anything_else_is_asked_again(person):
    assert answered(person, "", "maybe", "yes but later", "yy", "n")[0] == Approval(False, reason="they said no")


def test_an_edit_at_the_terminal_is_one_json_object(person):
    approval, _ = answered(person, "e", "{not json}", "e", "", "e", '{"n": 5}')
    assert approval == Approval(True, {"n": 5})


def test_what_was_typed_before_the_question_answers_nothing(person):
    person.type("y\n")
    assert answered(person, "n")[0].yes is False


def test_a_closed_terminal_is_a_no(person):
    approval, _ = answered(person, "\x04")
    assert approval == Approval(False, reason="the terminal was closed before anyone answered")


def test_no_terminal_is_a_no_that_says_so(tmp_path):
    approval = asyncio.run(Terminal(str(tmp_path / "none")).approve(REQUEST))
    assert approval == Approval(False, reason="there is no terminal to ask at (No such file or directory)")


def test_who_is_too_late_at_the_terminal_is_told_so_and_the_next_question_is_theirs(person, tmp_path):
    gate = gate_with(tmp_path, ASK, approver=Terminal(person.device), approve_within=0.2)
    ran = Ran()
    with pytest.raises(NotApproved, match=r"within 0\.2 s"):
        asyncio.run(gate.call("pay", {"n": 1}, run=ran))
    assert "(no longer asked)" in person.until("(no longer asked)")
    assert ran.inputs == []
    assert answered(person, "y")[0] == Approval(True)


def test_two_questions_are_asked_one_after_the_other(person):
    terminal = Terminal(person.device)
    requests = [Request(tool=name, input={}, original={}) for name in ("first", "second")]
    order: list[str] = []

    def types() -> None:
        for _ in requests:
            seen = person.until("dit: ")
            order.append("first" if "about first" in seen else "second")
            assert seen.count("Interlock asks") == 1
            person.type(f"n it is {order[-1]}\n")

    async def main() -> Any:
        typing = threading.Thread(target=types)
        typing.start()
        found = await asyncio.gather(*(terminal.approve(request) for request in requests))
        typing.join()
        return found

    answers = asyncio.run(asyncio.wait_for(main(), 20))
    assert [answer.reason for answer in answers] == ["it is first", "it is second"]
