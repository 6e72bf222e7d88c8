"""Hear what a hook says besides its answer: on its standard streams, and to loggers wherever they write.

The streams are listened to only while a hook runs, and they pass everything on. What other tasks and threads write
in the meantime is not attributed to the hook: each hook is told apart by its context.
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

_MOST = 64 * 1024  # characters kept at each end of what is said


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
        if self._size > 12 * _MOST:  # a hook may never stop printing
            said = {name: self.text(name) for name in dict.fromkeys(name for name, _ in self._parts)}
            self._parts = [(name, _both_ends(text)) for name, text in said.items()]
            self._size = sum(len(text) for _, text in self._parts)

    def text(self, stream: Stream) -> str:
        return "".join(text for name, text in self._parts if name == stream)


def _both_ends(text: str) -> str:
    return text if len(text) <= 2 * _MOST else f"{text[:_MOST]}\n{text[-_MOST:]}"


_hearing: ContextVar[Speech | None] = ContextVar("_hearing", default=None)


class hearing:  # noqa: N801 - used as a context manager, which a generator would make several times slower
    """Hear what this context says, and what the tasks it starts say."""

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
    """Keep listening from one hook to the next, so that the streams need not be set up for each hook."""
    _ears.enter()
    try:
        yield
    finally:
        _ears.leave()


class _Ears:
    """What is installed while any hook runs: a `write` on each stream, and a log record factory, that hear the hook.

    The streams themselves stay the same objects, because log handlers keep the ones they were created with.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hooks = 0
        self._streams: list[tuple[Any, Callable[[str], int]]] = []
        self._factory: Callable[..., Any] | None = None  # the factory that was installed before
        self._stdout: Any = None  # the streams last listened to, and whether `logging` was loaded
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
                if vars(stream).get("write") is write:  # otherwise the program has replaced it, and keeps its own
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
        # Leave a stream alone if it is already listened to, or if its `write` was replaced or cannot be set.
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
        # A program that has not imported `logging` has no loggers, and need not pay for the import.
        logging = sys.modules.get("logging")
        if logging is not None and logging.getLogRecordFactory() is not _record:
            self._factory = logging.getLogRecordFactory()
            logging.setLogRecordFactory(_record)


def _message_of(record: Any) -> str:
    try:
        return str(record.getMessage())
    except Exception:  # noqa: BLE001 - arguments that do not fit the format: logging itself reports them
        return str(record.msg)


_ears = _Ears()


def _record(*args: Any, **kwargs: Any) -> Any:
    return _ears.make_record(*args, **kwargs)
