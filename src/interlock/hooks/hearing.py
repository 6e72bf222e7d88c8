"""Hear what a hook says beside its answer: on its standard streams, and to loggers wherever these write.

The streams are replaced only while a hook runs, and pass everything on. What other tasks and threads write meanwhile is
theirs: each hook hears its own context.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TextIO, TypeAlias

__all__ = ["Heard", "hearing"]

Stream: TypeAlias = Literal["stdout", "stderr", "log"]

_MOST = 64 * 1024  # characters that are kept of either end of what is said


class Heard:
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

    def said(self, stream: Stream) -> str:
        return "".join(self._parts[stream])


_hearing: ContextVar[Heard | None] = ContextVar("_hearing", default=None)


@contextmanager
def hearing() -> Iterator[Heard]:
    """Hear what this context says, and the tasks that it starts."""
    heard = Heard()
    token = _hearing.set(heard)
    _ears.enter()
    try:
        yield heard
    finally:
        _ears.leave()
        _hearing.reset(token)


class _Tee(io.TextIOBase):
    """A standard stream that passes everything on and lets the hook that writes be heard."""

    def __init__(self, onward: TextIO, name: Stream) -> None:
        self.onward = onward
        self._name: Stream = name

    def write(self, text: str) -> int:
        heard = _hearing.get()
        if heard is not None and isinstance(text, str):
            heard.add(self._name, text)
        return self.onward.write(text)

    def flush(self) -> None:
        self.onward.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.onward, name)  # buffer, encoding, reconfigure, …

    def fileno(self) -> int:
        return self.onward.fileno()

    def isatty(self) -> bool:
        return self.onward.isatty()

    def close(self) -> None:
        """Leave the stream itself open: it is the whole process's, and this object is dropped after each hook."""


class _Ears:
    """The replacements that are in place while any hook runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hooks = 0
        self._factory: Callable[..., Any] | None = None  # what made log records before

    def enter(self) -> None:
        with self._lock:
            self._hooks += 1
            if sys.stdout is not None and not isinstance(sys.stdout, _Tee):
                sys.stdout = _Tee(sys.stdout, "stdout")
            if sys.stderr is not None and not isinstance(sys.stderr, _Tee):
                sys.stderr = _Tee(sys.stderr, "stderr")
            self._listen_to_loggers()

    def leave(self) -> None:
        with self._lock:
            self._hooks -= 1
            if self._hooks:
                return
            if isinstance(sys.stdout, _Tee):  # else somebody put another one in its place, which is theirs
                sys.stdout = sys.stdout.onward
            if isinstance(sys.stderr, _Tee):
                sys.stderr = sys.stderr.onward
            logging = sys.modules.get("logging")
            if logging is not None and logging.getLogRecordFactory() is _record:
                logging.setLogRecordFactory(self._factory)

    def make_record(self, *args: Any, **kwargs: Any) -> Any:
        assert self._factory is not None  # noqa: S101 - set before `_record` is
        record = self._factory(*args, **kwargs)
        heard = _hearing.get()
        if heard is not None:
            heard.add("log", f"{_message_of(record)}\n")
        return record

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
