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

__all__ = ["Speech", "hearing"]

Stream: TypeAlias = Literal["stdout", "stderr", "log"]

_MOST = 64 * 1024  # characters that are kept of either end of what is said


class Speech:
    """What one hook said."""

    def __init__(self) -> None:
        self._parts: dict[Stream, list[str]] = {"stdout": [], "stderr": [], "log": []}
        self._sizes: dict[Stream, int] = dict.fromkeys(self._parts, 0)

    def add(self, stream: Stream, text: str) -> None:
        parts = self._parts[stream]
        parts.append(text)
        self._sizes[stream] += len(text)
        if self._sizes[stream] > 4 * _MOST:  # a hook may print without end
            said = "".join(parts)
            parts[:] = [said[:_MOST], "\n", said[-_MOST:]]
            self._sizes[stream] = 2 * _MOST + 1

    def text(self, stream: Stream) -> str:
        return "".join(self._parts[stream])


_hearing: ContextVar[Speech | None] = ContextVar("_hearing", default=None)


@contextmanager
def hearing() -> Iterator[Speech]:
    """Hear what this context says, and the tasks that it starts."""
    speech = Speech()
    token = _hearing.set(speech)
    _ears.enter()
    try:
        yield speech
    finally:
        _ears.leave()
        _hearing.reset(token)


class _Ears:
    """What is in place while any hook runs: streams whose `write` lets the hook that writes be heard, and loggers.

    The streams themselves stay the same objects: handlers of loggers hold on to those they were made with.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hooks = 0
        self._streams: list[tuple[Any, Callable[[str], int]]] = []
        self._factory: Callable[..., Any] | None = None  # what made log records before

    def enter(self) -> None:
        with self._lock:
            self._hooks += 1
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
