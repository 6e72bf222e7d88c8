"""Restore the process that hooks run in, after each event, to its state when the hooks had just been loaded.

A hook may change its folder, its environment, its streams or a function of the standard library. The next event must
not see any of that. What a hooks file sets up while it is loaded stays, and so do its own globals.
"""

from __future__ import annotations

import _locale
import builtins
import ctypes
import gc
import os
import resource
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any, TypeAlias

__all__ = ["PARTS", "Surroundings", "limit_memory", "memory_in_use"]

PutBack: TypeAlias = Callable[[], None]

_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_LISTS = ("path", "meta_path", "path_hooks", "argv", "warnoptions")
_OURS = ("interlock", "msgspec")
# The classes in these are restored too, because answering an event and hearing a hook rely on their methods.
_WORKED_WITH = (*_OURS, "json", "logging", "io", "os", "socket", "threading", "re", "collections", "contextlib")
_BY_HOOKS = "interlock_hooks_"  # the name of a hooks file's module begins so


class Surroundings:
    """The state of the process at one moment."""

    def __init__(self) -> None:
        self._parts = [take() for take in PARTS.values()]
        self._modules = _modules()

    def put_back(self) -> bool:
        """Restore whatever could spoil an answer, and everything that is quick; return whether that was possible."""
        return all(_is_done(part) for part in self._parts)

    def put_back_modules(self) -> bool:
        """Restore the rest, which takes longer than a host should wait; return whether that was possible."""
        return _is_done(self._modules)


def _is_done(put_back: PutBack) -> bool:
    try:
        put_back()
    except BaseException:  # noqa: BLE001 - whatever a hook left behind, this process must not be used again
        return False
    return True


# --- the interpreter ---------------------------------------------------------------------------------------


def _builtins() -> PutBack:
    """Restored first, because the functions that restore the rest are looked up there."""
    names = builtins.__dict__
    before, update = names.copy(), names.update

    def put_back() -> None:
        update(before)
        for name in names.keys() - before.keys():
            del names[name]

    return put_back


def _interpreter() -> PutBack:
    limit, interval = sys.getrecursionlimit(), sys.getswitchinterval()
    digits = sys.get_int_max_str_digits()
    collects, thresholds, debugging = gc.isenabled(), gc.get_threshold(), gc.get_debug()
    hooks = {name: getattr(sys, name) for name in ("excepthook", "displayhook", "breakpointhook", "unraisablehook")}
    stack, timeout = threading.stack_size(), socket.getdefaulttimeout()

    def put_back() -> None:
        sys.setrecursionlimit(limit)
        sys.setswitchinterval(interval)
        sys.set_int_max_str_digits(digits)
        sys.settrace(None)
        sys.setprofile(None)
        (gc.enable if collects else gc.disable)()
        gc.set_threshold(*thresholds)
        gc.set_debug(debugging)
        for name, hook in hooks.items():
            setattr(sys, name, hook)
        threading.stack_size(stack)
        socket.setdefaulttimeout(timeout)

    return put_back


def _lists() -> PutBack:
    kept = [(name, found, list(found)) for name in _LISTS if (found := getattr(sys, name)) is not None]
    filters, its_items = warnings.filters, list(warnings.filters)

    def put_back() -> None:
        for name, found, items in kept:
            setattr(sys, name, found)
            found[:] = items
        warnings.filters = filters
        if isinstance(filters, list):
            filters[:] = its_items

    return put_back


def _modules() -> PutBack:
    """Functions and classes that hooks replaced, in modules that are not the hooks' own."""
    modules, loaded = sys.modules, dict(sys.modules)
    kept = list(_patchable(loaded))

    def put_back() -> None:
        sys.modules = modules
        for name in loaded.keys() - modules.keys():
            modules[name] = loaded[name]
        for owner, names, before in kept:
            for name, value in before.items():
                if names.get(name) is not value:
                    setattr(owner, name, value)

    return put_back


def _patchable(loaded: dict[str, ModuleType]) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    for name, module in loaded.items():
        root = name.partition(".")[0]
        if not (root in _OURS or root in sys.stdlib_module_names) or root == "builtins" or name == "__main__":
            continue
        before = {key: value for key, value in vars(module).items() if callable(value)}
        yield module, vars(module), before
        for value in before.values() if root in _WORKED_WITH else ():
            if isinstance(value, type) and value.__module__ == name:
                yield value, vars(value), {key: one for key, one in vars(value).items() if _is_method(one)}


def _is_method(value: Any) -> bool:
    return callable(value) or isinstance(value, property | classmethod | staticmethod)


def _logging() -> PutBack:
    logging = sys.modules.get("logging")
    if logging is None:
        return lambda: None
    root, disabled, factory = logging.getLogger(), logging.root.manager.disable, logging.getLogRecordFactory()
    level, handlers = root.level, list(root.handlers)

    def put_back() -> None:
        logging.disable(disabled)
        logging.setLogRecordFactory(factory)
        root.setLevel(level)
        root.handlers[:] = handlers

    return put_back


# --- the process -------------------------------------------------------------------------------------------


def _streams() -> PutBack:
    """The three streams and their descriptors. Reopened streams leave their descriptor open when they are closed."""
    copies = [os.dup(number) for number in range(3)]
    names = ("stdin", "stdout", "stderr")
    found = {name: getattr(sys, name) for name in names}

    def put_back() -> None:
        for number, name in enumerate(names):
            os.dup2(copies[number], number)
            stream = found[name]
            if stream is None or stream.closed:
                found[name] = stream = _file_at(number)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)

    return put_back


def _file_at(number: int) -> Any:
    mode = "r" if number == 0 else "w"
    return open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False)


def _folder() -> PutBack:
    folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    return lambda: os.fchdir(folder)


def _environment() -> PutBack:
    """Python's view of the environment and the C library's, which a hook can change without Python noticing."""
    environ, before = os.environ, dict(os.environ)
    below = _environment_below()

    def put_back() -> None:
        os.environ = environ  # noqa: B003 - the original object itself, not only its contents
        if dict(environ) != before:
            environ.clear()
            environ.update(before)
        if below is None or _environment_below() == below:
            return
        for entry in _environment_below() or ():
            os.unsetenv(entry.partition(b"=")[0])
        for name, value in before.items():
            os.putenv(name, value)

    return put_back


def _environment_below() -> frozenset[bytes] | None:
    try:
        entries = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    except (ValueError, OSError):
        return None  # this C library does not export it
    found: list[bytes] = []
    while entries and (entry := entries[len(found)]) is not None:
        found.append(entry)
    return frozenset(found)


def _creation_mask() -> PutBack:
    mask = os.umask(0o077)
    os.umask(mask)

    def put_back() -> None:
        os.umask(mask)

    return put_back


def _locale_and_zone() -> PutBack:
    found, zone = _locale.setlocale(_locale.LC_ALL, None), time.tzname

    def put_back() -> None:
        if _locale.setlocale(_locale.LC_ALL, None) != found:
            _locale.setlocale(_locale.LC_ALL, found)
        if time.tzname != zone:
            time.tzset()  # after the environment, whose TZ it reads

    return put_back


def _signals() -> PutBack:
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def put_back() -> None:
        for timer in _TIMERS:
            signal.setitimer(timer, 0)
        signal.set_wakeup_fd(-1)
        for number, handler in handlers.items():
            if signal.getsignal(number) is not handler:
                signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    return put_back


_LIMITS = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})


def _limits() -> PutBack:
    before: dict[int, tuple[int, int]] = {}
    for one in _LIMITS:
        with suppress(OSError, ValueError):  # a limit that this system does not have
            before[one] = resource.getrlimit(one)
    priority = os.getpriority(os.PRIO_PROCESS, 0)

    def put_back() -> None:
        for one, limits in before.items():
            if resource.getrlimit(one) != limits:
                resource.setrlimit(one, limits)
        if os.getpriority(os.PRIO_PROCESS, 0) != priority:
            os.setpriority(os.PRIO_PROCESS, 0, priority)

    return put_back


# Restored before an event is answered, in this order.
PARTS: dict[str, Callable[[], PutBack]] = {
    "builtins": _builtins,
    "the interpreter": _interpreter,
    "lists of the interpreter": _lists,
    "logging": _logging,
    "signals": _signals,
    "the standard streams": _streams,
    "the folder": _folder,
    "the environment": _environment,
    "the creation mask": _creation_mask,
    "locale and time zone": _locale_and_zone,
    "limits": _limits,
}

# --- memory ------------------------------------------------------------------------------------------------


def limit_memory(most: int) -> None:
    """Limit the bytes that this process and each of its children may use; beyond that, Python raises MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (bound, bound))


def memory_in_use() -> int:
    """The bytes that count towards the limit; 0 if the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - read after every event, where a Path would cost more
            return int(file.read().split()[5]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0
