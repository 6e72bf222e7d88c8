"""Put a proxy together: the policies, the server, and the one thread between them."""

from __future__ import annotations

import gc
import os
import re
import resource
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from interlock.binding.mcp.asking import TerminalPrompt
from interlock.binding.mcp.http import HttpServer
from interlock.binding.mcp.judging import ServerIdentity, ServerJudge
from interlock.binding.mcp.listing import Listing, PinMode
from interlock.binding.mcp.loop import Ends, ProxyLoop
from interlock.binding.mcp.pins import Pins
from interlock.binding.mcp.proxy import Proxy
from interlock.binding.mcp.server import StdioServer
from interlock.config.places import project_root
from interlock.hosts.mcp.dialect import HOST
from interlock.hosts.mcp.installer import HEADERS
from interlock.judging.asking import Asks
from interlock.judging.in_force import InForce, policies_in_force
from interlock.judging.projects import Projects
from interlock.policy.load import Policy
from interlock.service import Reply, answer_in
from interlock.store.no_record import UnrecordedStore
from interlock.store.place import open_store

__all__ = ["MAX_LINE", "Options", "leave", "name_of", "run", "tell"]

MAX_LINE = 64 * 1024 * 1024
_PRUNE = 256


class Options(Struct, frozen=True, kw_only=True):
    """A person's options for one proxy."""

    command: Sequence[str] = ()
    url: str = ""
    headers: Mapping[str, str] = {}
    name: str = ""
    policy: Path | None = None
    project: Path | None = None
    hide_denied: bool = False
    pins: PinMode = "deny"
    most: int = MAX_LINE
    record: bool = True


class _PolicySource:
    """The policies in force, and whether the last ones loaded only compute: no hooks, no programs."""

    def __init__(self, in_force: Callable[[Path], InForce]) -> None:
        self._in_force = in_force
        self.is_quick = False

    def __call__(self, root: Path) -> InForce:
        self.is_quick = False
        force = self._in_force(root)
        self.is_quick = not any(map(_waits, force.policies))
        return force


def _waits(policy: Policy) -> bool:
    return bool(policy.hook_files or policy.externals or any(rule.run is not None for rule, _ in policy.rules))


def run(options: Options) -> int:
    """Run the proxy until the server or the client ends. Returns the server's exit code; raises InterlockError."""
    source = options.url or shlex.join(options.command)
    server = ServerIdentity(options.name or name_of(options.command, options.url), source)
    folder = (options.project or Path.cwd()).absolute()
    in_force = _PolicySource(partial(policies_in_force, named=options.policy))
    projects = Projects(open_store if options.record else UnrecordedStore, in_force=in_force, alone=True)

    def answer(raw: bytes, asks: Asks) -> Reply:
        return answer_in(projects, HOST, raw, folder, asks=asks)

    def hidden_by() -> Sequence[Policy]:
        return in_force(project_root(folder)).policies

    store = projects.store if options.record else None  # nobody else can open a store in memory
    judge = ServerJudge(answer, server, str(folder), tell, begins=True, store=store)
    pins = Pins(server.name, server.source)
    listing = Listing(server, pins, options.pins, hidden_by if options.hide_denied else None, tell)
    ends = _start(options)
    loop = ProxyLoop(ends, options.most, is_quick=lambda: in_force.is_quick and not options.record)
    terminal = TerminalPrompt()
    proxy = Proxy(judge, listing, terminal if terminal.is_there() else None, loop)
    loop.work(judge.begin, _freeze)
    code = loop.run(proxy)
    _within(1.5, judge.end, projects.close)
    return code


def leave(code: int) -> None:
    """End as the server did: with its exit code, or by the signal that ended it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if code < 0:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
        threading.Event().wait(1.0)  # the signal may be on its way to another thread
    os._exit(code if code >= 0 else 128 - code)


def tell(text: str) -> None:
    """Say something to the person on stderr, which clients keep as the server's log."""
    with suppress(OSError, ValueError):
        sys.stderr.write("".join(f"interlock: {line}\n" for line in text.splitlines()))
        sys.stderr.flush()


def name_of(command: Sequence[str], url: str = "") -> str:
    """A name for a server that was given none: the package or program that is run, or the host it is on."""
    if url:
        return urlsplit(url).hostname or "server"
    words = list(command)
    runner = Path(words[0]).name
    rest = [word for word in words[1:] if not word.startswith("-")]
    if rest and re.fullmatch(r"npx|uvx|bunx|pipx|uv|python[\d.]*|node|deno|bun", runner):
        runner = next((word for word in rest if word not in ("run", "x", "tool", "exec")), runner)
    bare = re.sub(r"(?<!^)@[^/@]*$", "", runner)  # the version after a package's name
    return Path(bare).name.removesuffix(".py").removesuffix(".js") or "server"


def _start(options: Options) -> Ends:
    environ = {name: value for name, value in os.environ.items() if name != HEADERS}
    if options.url:
        return HttpServer(options.url, options.headers, options.most)
    return StdioServer(options.command, environ)


def _within(seconds: float, *tasks: Callable[[], None]) -> None:
    """Do the remaining tasks, but do not wait for them for long."""
    for task in tasks:
        thread = threading.Thread(target=task, daemon=True)
        thread.start()
        thread.join(seconds / len(tasks))


def _freeze(result: None) -> None:
    """Exempt what is loaded by now from garbage collection; it stays, and need not be searched on every call."""
    gc.collect()
    gc.freeze()
