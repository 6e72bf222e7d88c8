"""Hear what a hook says beside its answer: on its standard streams, and to loggers wherever these write.

The streams are listened to only while a hook runs, and pass everything on. What other tasks and threads write meanwhile
is theirs: each hook is heard by its own context.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TypeAlias

__all__ = ["Speech", "hearing", "listening"]

Stream: TypeAlias = Literal["stdout", "stderr", "log"]

_MOST = 64 * 1024  # characters that are kept of either end of what is said


class Speech:
    """What one hook said."""

    __slots__ = ("_parts", "_size")

    def __init__(self) -> None:
        self._parts: list[tuple[Stream, str]] = []
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, stream: Stream, text: str) -> None:
        self._parts.append((stream, text))
        self._size += len(text)
        if self._size > 12 * _MOST:  # a hook may print without end
            said = {name: self.text(name) for name in dict.fromkeys(name for name, _ in self._parts)}
            self._parts = [(name, _both_ends(text)) for name, text in said.items()]
            self._size = sum(len(text) for _, text in self._parts)

    def text(self, stream: Stream) -> str:
        return "".join(text for name, text in self._parts if name == stream)


def _both_ends(text: str) -> str:
    return text if len(text) <= 2 * _MOST else f"{text[:_MOST]}\n{text[-_MOST:]}"


_hearing: ContextVar[Speech | None] = ContextVar("_hearing", default=None)


class hearing:  # noqa: N801 - used as a context manager, which a generator would make several times slower
    """Hear what this context says, and the tasks that it starts."""

    __slots__ = ("_token",)

    def __enter__(self) -> Speech:
        speech = Speech()
        self._token = _hearing.set(speech)
        _ears.enter()
        return speech

    def __exit__(self, *_: object) -> None:
        _ears.leave()
        _hearing.reset(self._token)


@contextmanager
def listening() -> Iterator[None]:
    """Keep the streams listened to from one hook to the next, so that each of them need not begin anew."""
    _ears.enter()
    try:
        yield
    finally:
        _ears.leave()


class _Ears:
    """What is in place while any hook runs: streams whose `write` lets the hook that writes be heard, and loggers.

    The streams themselves stay the same objects: handlers of loggers hold on to those they were made with.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hooks = 0
        self._streams: list[tuple[Any, Callable[[str], int]]] = []
        self._factory: Callable[..., Any] | None = None  # what made log records before
        self._stdout: Any = None  # those that were last listened to, and whether there were loggers
        self._stderr: Any = None
        self._logs = False

    def enter(self) -> None:
        with self._lock:
            self._hooks += 1
            heard = self._hooks > 1 and sys.stdout is self._stdout and sys.stderr is self._stderr
            if heard and ("logging" in sys.modules) is self._logs:
                return
            self._stdout, self._stderr, self._logs = sys.stdout, sys.stderr, "logging" in sys.modules
            for stream in (sys.stdout, sys.__stdout__):
                self._listen_to(stream, "stdout")
            for stream in (sys.stderr, sys.__stderr__):
                self._listen_to(stream, "stderr")
            self._listen_to_loggers()

    def leave(self) -> None:
        with self._lock:
            self._hooks -= 1
            if self._hooks:
                return
            self._stdout = self._stderr = None
            while self._streams:
                stream, write = self._streams.pop()
                if vars(stream).get("write") is write:  # else the program replaced it, and keeps its own
                    del stream.write
            logging = sys.modules.get("logging")
            if logging is not None and logging.getLogRecordFactory() is _record:
                logging.setLogRecordFactory(self._factory)

    def make_record(self, *args: Any, **kwargs: Any) -> Any:
        assert self._factory is not None  # noqa: S101 - set before `_record` is
        record = self._factory(*args, **kwargs)
        speech = _hearing.get()
        if speech is not None:
            speech.add("log", f"{_message_of(record)}\n")
        return record

    def _listen_to(self, stream: Any, name: Stream) -> None:
        # A stream that is listened to already, or whose `write` the program replaced or fixed, is left as it is.
        if stream is None or "write" in getattr(stream, "__dict__", {"write": None}):
            return
        onward = stream.write

        def write(text: str) -> int:
            speech = _hearing.get()
            if speech is not None and isinstance(text, str):
                speech.add(name, text)
            written: int = onward(text)
            return written

        stream.write = write
        self._streams.append((stream, write))

    def _listen_to_loggers(self) -> None:
        # A program that has not imported it has no loggers either, and need not pay for it.
        logging = sys.modules.get("logging")
        if logging is not None and logging.getLogRecordFactory() is not _record:
            self._factory = logging.getLogRecordFactory()
            logging.setLogRecordFactory(_record)


def _message_of(record: Any) -> str:
    try:
        return str(record.getMessage())
    except Exception:  # noqa: BLE001 - arguments that do not fit: logging itself complains of them
        return str(record.msg)


_ears = _Ears()


def _record(*args: Any, **kwargs: Any) -> Any:
    return _ears.make_record(*args, **kwargs)
