"""Messages between a process and its hook worker."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interlock.framing import Closed, receive, send

Pair = tuple[socket.socket, socket.socket]
FAR = 60.0  # a deadline no test reaches unless it is broken


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def header(length: int) -> bytes:
    return struct.pack(">I", length)


def in_the_background(channel: socket.socket, message: bytes) -> threading.Thread:
    thread = threading.Thread(target=send, args=(channel, message))
    thread.start()
    return thread


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=300), max_size=5))
def test_messages_arrive_whole_and_in_order(pair: Pair, messages: list[bytes]):
    for message in messages:
        send(pair[0], message)
    assert [receive(pair[1]) for _ in messages] == messages


def test_a_message_larger_than_any_buffer_arrives_whole(pair: Pair):
    message = bytes(range(256)) * 16 * 1024
    thread = in_the_background(pair[0], message)
    assert receive(pair[1], time.monotonic() + FAR) == message
    thread.join()


def test_an_empty_message_is_a_message(pair: Pair):
    send(pair[0], b"")
    send(pair[0], b"next")
    assert receive(pair[1]) == b""
    assert receive(pair[1]) == b"next"


def test_a_message_that_comes_byte_by_byte_is_one_message(pair: Pair):
    for byte in header(3) + b"abc":
        pair[0].send(bytes([byte]))
    assert receive(pair[1], time.monotonic() + FAR) == b"abc"


@pytest.mark.parametrize("part", [b"", header(3)[:2], header(3), header(3) + b"ab"], ids=repr)
def test_a_message_that_ends_early_is_a_failure(pair: Pair, part: bytes):
    pair[0].sendall(part)
    pair[0].close()
    with pytest.raises(Closed, match="end of stream"):
        receive(pair[1])


@pytest.mark.parametrize("part", [b"", header(3)[:2], header(3), header(3) + b"ab"], ids=repr)
def test_a_message_that_never_ends_runs_into_the_deadline(pair: Pair, part: bytes):
    pair[0].sendall(part)
    with pytest.raises(TimeoutError):
        receive(pair[1], time.monotonic() + 0.02)


def test_a_deadline_that_has_passed_fails_even_when_the_message_is_there(pair: Pair):
    send(pair[0], b"late")
    with pytest.raises(TimeoutError):
        receive(pair[1], time.monotonic() - 1)


def test_a_peer_that_trickles_does_not_outlive_the_deadline(pair: Pair):
    """Each byte comes in time, the whole never does: the time left counts, not the time for one read."""
    stop = threading.Event()
    trickled = 0

    def trickle() -> None:
        nonlocal trickled
        pair[0].sendall(header(1 << 20))
        while not stop.wait(0.005) and trickled < 1000:
            pair[0].send(b"x")
            trickled += 1
        pair[0].shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        with pytest.raises(TimeoutError):
            receive(pair[1], time.monotonic() + 0.1)
    finally:
        stop.set()
        thread.join()
    assert trickled > 1


def test_sending_to_a_peer_that_is_gone_is_a_failure(pair: Pair):
    pair[1].close()
    with pytest.raises(Closed):
        send(pair[0], b"hello")


def test_receiving_on_a_closed_channel_is_a_failure(pair: Pair):
    pair[1].close()
    with pytest.raises(Closed):
        receive(pair[1])


def test_an_earlier_deadline_does_not_limit_a_later_message(pair: Pair):
    """The worker reads late, well within its own deadline: that is not the end of the conversation."""
    send(pair[0], b"first")
    assert receive(pair[1], time.monotonic() + 0.02) == b"first"
    received: list[bytes] = []

    def read() -> None:
        with suppress(Closed):
            received.append(receive(pair[0], time.monotonic() + FAR))

    reader = threading.Timer(0.1, read)
    reader.start()
    message = b"x" * (4 << 20)
    try:
        send(pair[1], message)
    finally:
        pair[1].close()
        reader.join()
    assert received == [message]
