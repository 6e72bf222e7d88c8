"""The one thread that reads and writes: pipes in, pipes out, and what other threads have finished."""

from __future__ import annotations

import os
import queue
import select
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeAlias, TypeVar

from interlock.binding.mcp.lines import Lines, TooLong
from interlock.binding.mcp.proxy import Proxy

__all__ = ["Ends", "ProxyLoop"]

T = TypeVar("T")
_Job: TypeAlias = tuple[Callable[[], Any], Callable[[Any], None]]

_CHUNK = 1 << 16
_MOST_UNSENT = 1 << 20  # bytes waiting for one side, above which the other side is no longer read
_THREADS = 4
# A client gives a server 2 s to end by itself and 2 s more after a SIGTERM; within that the server must be gone.
_LEAVE, _TERMINATE, _DRAIN = 2.0, 1.5, 0.5
_FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


class Ends(Protocol):
    """The server's side: a program's pipes, or something that behaves like them."""

    to: int
    out: int

    def close_input(self) -> None: ...

    def poll(self) -> int | None: ...

    def send(self, sign: int) -> None: ...

    def finish(self) -> None: ...


class _Out:
    """A descriptor that is written to without waiting."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.is_open = True
        self._waiting: deque[memoryview] = deque()
        self.unsent = 0
        self._was_blocking = os.get_blocking(descriptor)
        os.set_blocking(descriptor, False)

    def write(self, data: bytes) -> None:
        if not self.is_open:
            return
        self._waiting.append(memoryview(data))
        self.unsent += len(data)
        if len(self._waiting) == 1:
            self.flush()

    def flush(self) -> None:
        """Write as much as the other side accepts."""
        while self._waiting:
            try:
                sent = os.write(self.descriptor, self._waiting[0])
            except BlockingIOError:
                return
            except OSError:
                self.fail()
                return
            self.unsent -= sent
            if sent == len(self._waiting[0]):
                self._waiting.popleft()
            else:
                self._waiting[0] = self._waiting[0][sent:]

    def fail(self) -> None:
        """Note that the other side no longer reads."""
        self.is_open = False
        self._waiting.clear()
        self.unsent = 0

    def restore(self) -> None:
        with suppress(OSError):
            os.set_blocking(self.descriptor, self._was_blocking)


class ProxyLoop:
    """Runs one proxy between this process's stdin and stdout and a server."""

    def __init__(
        self,
        server: Ends,
        most: int,
        *,
        is_quick: Callable[[], bool] = lambda: False,
        client_in: int = 0,
        client_out: int = 1,
    ) -> None:
        """`is_quick` says that judging never waits; it is then done in this thread, without waking another."""
        self._server = server
        self._is_quick = is_quick
        self._client_in = client_in
        self._client = _Out(client_out)
        self._up = _Out(server.to)
        self._client_lines, self._server_lines = Lines(most), Lines(most)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._done: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._awake, self._alarm = os.pipe()
        os.set_blocking(self._awake, False)
        os.set_blocking(self._alarm, False)
        self._signals: deque[int] = deque()
        self._client_ended = self._server_ended = False
        self._deadlines: list[tuple[float, Callable[[], None]]] = []
        self._is_closing = self._is_late = False
        self._busy = 0
        for number in range(_THREADS):
            threading.Thread(target=self._worker, daemon=True, name=f"judge-{number}").start()
        self.proxy: Proxy | None = None

    # --- what the proxy needs --------------------------------------------------------------------------------

    def to_client(self, data: bytes) -> None:
        self._client.write(data)

    def to_server(self, data: bytes) -> None:
        self._up.write(data)

    def work(self, task: Callable[[], T], then: Callable[[T], None]) -> None:
        if self._is_quick():
            then(task())
            return
        self._busy += 1
        self._jobs.put((task, then))

    def wait(self, task: Callable[[], T], then: Callable[[T], None]) -> None:
        def asking() -> None:
            self._finish(then, task())

        self._busy += 1
        threading.Thread(target=asking, daemon=True, name="asking").start()

    def now(self) -> float:
        return time.monotonic()

    # --- running ---------------------------------------------------------------------------------------------

    def run(self, proxy: Proxy) -> int:
        """Carry messages until the server is gone, and return its exit code."""
        self.proxy = proxy
        try:
            with self._catching_signals():
                while not self._is_over():
                    self._turn(proxy)
            proxy.end()
            self._settle()
        finally:
            self._server.finish()
            self._client.restore()
        code = self._server.poll()
        return 1 if code is None else code

    def _turn(self, proxy: Proxy) -> None:
        wait = proxy.tick()
        if self._meet_deadlines():
            self._see_ends(proxy)
            return  # it may be over now
        times = [left for left in (wait, *(at - self.now() for at, _ in self._deadlines)) if left is not None]
        for descriptor, event in self._ready(min(times, default=None)):
            if descriptor == self._awake:
                with suppress(BlockingIOError):
                    os.read(self._awake, 4096)
            elif descriptor == self._client.descriptor and event & ~select.POLLIN:
                self._push_out(self._client, event)
            elif descriptor == self._up.descriptor:
                self._push_out(self._up, event)
            elif descriptor == self._client_in:
                self._read_client(proxy)
            else:
                self._read_server(proxy)
        self._take_done()
        self._obey_signals()
        self._see_ends(proxy)

    def _ready(self, wait: float | None) -> list[tuple[int, int]]:
        poll = select.poll()
        poll.register(self._awake, select.POLLIN)
        if not self._client_ended and self._up.unsent < _MOST_UNSENT:
            poll.register(self._client_in, select.POLLIN)
        if not self._server_ended and self._client.unsent < _MOST_UNSENT:
            poll.register(self._server.out, select.POLLIN)
        for out in (self._client, self._up):
            # With nothing to write, only the other side's end is of interest.
            if out.is_open and not (out is self._up and self._is_closing and not out.unsent):
                poll.register(out.descriptor, select.POLLOUT if out.unsent else 0)
        return poll.poll(None if wait is None else max(0.0, wait) * 1000 + 1)

    def _push_out(self, out: _Out, event: int) -> None:
        if event & select.POLLOUT:
            out.flush()
        elif event & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            out.fail()

    def _read_client(self, proxy: Proxy) -> None:
        for line in self._read(self._client_in, self._client_lines):
            proxy.from_client(line)
        if self._at_end:
            self._client_ended = True

    def _read_server(self, proxy: Proxy) -> None:
        for line in self._read(self._server.out, self._server_lines):
            proxy.from_server(line)
        if self._at_end:
            self._server_ended = True

    def _read(self, descriptor: int, lines: Lines) -> list[bytes | TooLong]:
        self._at_end = False
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        if chunk:
            return lines.feed(chunk)
        self._at_end = True
        return lines.end()

    # --- other threads ---------------------------------------------------------------------------------------

    def _worker(self) -> None:
        while (job := self._jobs.get()) is not None:
            task, then = job
            self._finish(then, task())

    def _finish(self, then: Callable[[Any], None], result: Any) -> None:
        self._done.append((then, result))
        with suppress(BlockingIOError, OSError):  # a full pipe wakes the loop as well; a closed one has no loop
            os.write(self._alarm, b".")

    def _take_done(self) -> None:
        while self._done:
            then, result = self._done.popleft()
            self._busy -= 1
            then(result)

    # --- signals and ends ------------------------------------------------------------------------------------

    @contextmanager
    def _catching_signals(self) -> Iterator[None]:
        before = {sign: signal.signal(sign, self._on_signal) for sign in (*_FORWARDED, signal.SIGCHLD)}
        woken = signal.set_wakeup_fd(self._alarm, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(woken)
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def _on_signal(self, sign: int, frame: object) -> None:
        if sign != signal.SIGCHLD:
            self._signals.append(sign)

    def _obey_signals(self) -> None:
        while self._signals:
            sign = self._signals.popleft()
            self._server.send(sign)
            if sign in _ENDING:
                self._client_ended = True
                self._close_up()
                self._due(_TERMINATE, self._kill)

    def _see_ends(self, proxy: Proxy) -> None:
        if not self._client.is_open:
            self._client_ended = True
            self._close_up()  # no one wants an answer, so what is still being judged must not run
        if self._client_ended and not self._is_closing and (proxy.is_quiet_up and not self._up.unsent):
            self._close_up()
        # A client that only closes its own end may still want the answers to its requests.
        if self._client_ended and not self._deadlines and (not self._client.is_open or not proxy.is_waiting):
            self._due(_LEAVE, self._close_up)
            self._due(_LEAVE, self._terminate)
        if self._server.poll() is not None and not self._server_ended:
            self._due(_DRAIN, self._give_up)
        if self._server_ended:
            self._due(_LEAVE, self._hurry if self._server.poll() is not None else self._terminate)

    def _close_up(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._up.fail()
            self._server.close_input()

    def _terminate(self) -> None:
        self._server.send(signal.SIGTERM)
        self._due(_TERMINATE, self._kill)

    def _kill(self) -> None:
        self._server.send(signal.SIGKILL)
        self._due(_DRAIN, self._give_up)

    def _give_up(self) -> None:
        """Stop reading: a process that the server started still holds its stdout, and its output no longer counts."""
        self._server_ended = True

    def _hurry(self) -> None:
        """Wait no longer for results that are still being judged, or for a client that does not read."""
        self._is_late = True

    def _due(self, seconds: float, what: Callable[[], None]) -> None:
        if all(planned != what for _, planned in self._deadlines):
            self._deadlines.append((self.now() + seconds, what))

    def _meet_deadlines(self) -> bool:
        """Do what is due, and return whether anything was."""
        now = self.now()
        due = [what for at, what in self._deadlines if at <= now]
        self._deadlines = [planned for planned in self._deadlines if planned[0] > now]
        for what in due:
            what()
        return bool(due)

    def _is_over(self) -> bool:
        if not self._server_ended or self._server.poll() is None:
            return False
        if self._is_late or self.proxy is None or not self._client.is_open:
            return True
        return self.proxy.is_quiet_down and not self._client.unsent

    def _settle(self) -> None:
        """Give unfinished recording a short time to finish."""
        until = self.now() + 1.0
        while self._busy and self.now() < until:
            self._take_done()
            poll = select.poll()
            poll.register(self._awake, select.POLLIN)
            if poll.poll(50):
                with suppress(BlockingIOError):
                    os.read(self._awake, 4096)
        for _ in range(_THREADS):
            self._jobs.put(None)
