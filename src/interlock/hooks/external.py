"""Ask external hooks in order: programs and URLs, written by other people, that speak a host's protocol."""

from __future__ import annotations

import os
import shlex
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from math import inf
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.errors import InterlockError, Source, suggest
from interlock.event import EVENTS, Event, ToolEvent, payload_of
from interlock.facts.results import event_after, with_meaning
from interlock.fold import Answers, Draft, Opinions, Round, ask_in_order
from interlock.hooks.opinions import without_trust
from interlock.hooks.silence import SilentHook, Utterance, break_silence, is_silent, reasons_in
from interlock.hosts import hook_dialect
from interlock.hosts.base.reading import Output
from interlock.hosts.claude_code.fields import event_after_fields
from interlock.policy.names import ToolPattern
from interlock.policy.situation import Situation
from interlock.process import MOST, clean_environment, run_program, seconds_left
from interlock.verdict import Opinion, failure

if TYPE_CHECKING:
    from http.client import HTTPConnection

__all__ = ["TIMEOUT", "External", "ExternalSet"]

JsonObject: TypeAlias = dict[str, Any]

TIMEOUT = 60.0
_NOT_RUN_BY_SHELL = (126, 127)


class External(Struct, frozen=True, kw_only=True):
    """A program (`run`: a string for the shell, or a list) or a `url`, and the events it is asked about."""

    name: str
    events: tuple[str, ...]
    run: str | tuple[str, ...] | None = None
    url: str | None = None
    dialect: str = "claude-code"
    tool: ToolPattern | None = None
    timeout: float = TIMEOUT
    source: Source | None = None

    def __post_init__(self) -> None:
        try:
            _check(self)
        except InterlockError as error:
            raise InterlockError(f"hook `{self.name}`: {error.message}", self.source, error.help) from error

    def __str__(self) -> str:
        return f"hook `{self.name}` ({self.source})" if self.source is not None else f"hook `{self.name}`"


def _check(external: External) -> None:
    """Refuse a hook that could never answer, or that would send the agent's calls over the network in the clear."""
    hook_dialect(external.dialect)
    if not external.run and not external.url:
        raise InterlockError("there is nothing to run", help="give it a `run` or a `url`")
    if external.run and external.url:
        raise InterlockError("it has a `run` and a `url`", help="give it one of them")
    if not 0 < external.timeout < inf:
        raise InterlockError(f"`timeout` is {external.timeout:g}", help="write a time such as 60s")
    for name in external.events:
        if name not in EVENTS:
            meant = suggest(name, list(EVENTS))
            raise InterlockError(f"unknown event `{name}`", help=f"did you mean `{meant}`?" if meant else None)
    if external.url:
        _check_url(external.url)


class ExternalSet:
    """A panel of external hooks; each sees the call as the previous one left it."""

    def __init__(
        self, externals: Iterable[External], *, cwd: str, environ: Mapping[str, str], project: str | None = None
    ) -> None:
        """Relative program paths start at `cwd`; programs also run there if the event's own folder is gone."""
        self.externals = tuple(externals)
        self._cwd = os.path.abspath(cwd)  # noqa: PTH100 - not resolved: keep the link that a person wrote
        self._env = clean_environment(environ)
        if project is not None:
            self._env["CLAUDE_PROJECT_DIR"] = project

    def ask(self, situation: Situation, round_: Round) -> Answers:
        """Ask every hook that applies. One that fails answers in the event's safe direction."""
        hooks = enumerate(self._applied_to(situation.event))
        return ask_in_order(
            round_, ((number, partial(self._opinions_of, one, widened, situation)) for number, (one, widened) in hooks)
        )

    def _opinions_of(self, external: External, widened: bool, situation: Situation, draft: Draft) -> Opinions:
        event = event_after_fields(draft.carried, event_after(situation.event, draft))
        opinion = replace(self._opinion_of(external, event, situation), source=external.source)
        if widened:
            opinion = without_trust(opinion, external)
        return () if opinion == Opinion(by=external.name, source=external.source) else (opinion,)

    def _applied_to(self, event: Event) -> Iterator[tuple[External, bool]]:
        """The hooks for an event, and whether each applies only because of a short tool name."""
        tool = event.tool_name if isinstance(event, ToolEvent) else ""
        for external in self.externals:
            match = "exact" if external.tool is None else external.tool.match(tool)
            if match is not None and event.hook_event_name in external.events:
                yield external, match != "exact"

    def _opinion_of(self, external: External, event: Event, situation: Situation) -> Opinion:
        event_name = event.hook_event_name
        body = json.encode(payload_of(event)) + b"\n"
        timeout = seconds_left(situation.started, external.timeout, situation.event.hook_event_name)
        try:
            if external.url is not None:
                output, whole = Output(_fetch(external.url, body, timeout)), True
            else:
                output, whole = self._run(external, event, body, timeout)
            return _read(external, event, output, whole)
        except InterlockError as error:
            return failure(event_name, external.name, f"{external} {error.message}", error.help or "", external.source)

    def _run(self, external: External, event: Event, body: bytes, timeout: float) -> tuple[Output, bool]:
        """A program's output, and whether it is complete. Error messages are predicates: the caller adds the name."""
        command = _from_folder(self._cwd, external.run or "")
        cwd = event.cwd if os.path.isdir(event.cwd) else self._cwd  # noqa: PTH112 - Path.is_dir() may raise
        try:
            ran = run_program(command, stdin=body, cwd=cwd, env=self._env, timeout=timeout)
        except InterlockError as error:
            raise InterlockError("could not be run", help=error.in_one_line()) from error
        if ran.late:
            raise _late(timeout)
        if ran.cut:
            raise InterlockError(f"printed more than {MOST:,} bytes and was ended", help="print one JSON object only")
        if ran.code in _NOT_RUN_BY_SHELL and not ran.stdout.strip() and isinstance(command, str):
            said = ran.stderr.strip().splitlines()[-1:] or [f"exit {ran.code}"]
            raise InterlockError("could not be run", help=f"{said[0]}; correct the path, or run `chmod +x` on it")
        return Output(ran.stdout, ran.code, ran.stderr), not ran.held


def _from_folder(folder: str, command: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """The command, with a relative program looked up in `folder`.

    The agent chooses its working directory and could write a program of the same name there.
    """
    if isinstance(command, str):
        return f"{shlex.quote(folder)}/{command}" if command.startswith(("./", "../")) else command
    if "/" not in command[0]:
        return command
    return (os.path.join(folder, command[0]), *command[1:])  # noqa: PTH118 - Path() would drop a leading `./`


def _read(external: External, event: Event, output: Output, whole: bool) -> Opinion:
    reading = hook_dialect(external.dialect).read(event.hook_event_name, output, by=external.name)
    opinion = with_meaning(event, reading.opinion)
    if not whole and opinion.decision != "deny":  # Claude Code, too, then accepts only a deny
        what = "left a process behind that holds its stdout, so more might have come"
        raise InterlockError(what, help="start that process with `>/dev/null 2>&1`")
    said = (_meaning_of(external, event, output) if is_silent(opinion) else None) or opinion
    if not reading.mistakes or said.error is not None:
        return said
    notes = [f"{external}: {mistake}" for mistake in reading.mistakes]
    return replace(said, notice="\n".join([said.notice, *notes] if said.notice else notes))


def _meaning_of(external: External, event: Event, output: Output) -> Opinion | None:
    """What a silent hook meant if it said no on stderr, or gave a reason without a decision."""
    utterances = (Utterance("said", output.stderr), Utterance("answered with the reason", reasons_in(output.stdout)))
    help = "answer with a deny" if external.url is not None else "exit 2, or print a deny"
    hook = SilentHook(str(external), external.name, external.source, help)
    return break_silence(hook, event, utterances)


def _late(timeout: float) -> InterlockError:
    return InterlockError(
        f"did not answer within {timeout:g} s and was ended", help="make it faster, or raise its `timeout`"
    )


# --- over HTTP ---------------------------------------------------------------------------------------------


def _check_url(url: str) -> SplitResult:
    """The parts of a URL to which calls may be sent: over TLS, or on this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InterlockError(f"`{url}` is not a valid URL: {error}") from error
    if parts.scheme not in ("http", "https") or not host or not url.isascii() or not url.isprintable() or " " in url:
        raise InterlockError(
            f"`{url}` is not an http or https URL", help="write one such as http://127.0.0.1:8080/hook"
        )
    if "@" in parts.netloc:
        raise InterlockError("its `url` holds a user name or a password", help="remove it; it would not be sent")
    if parts.scheme == "http" and host != "localhost" and not _is_loopback(host):
        raise InterlockError(f"`{url}` sends every call in the clear to another machine", help="use https")
    return parts


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _fetch(url: str, body: bytes, timeout: float) -> bytes:
    """What a URL answers to a POST. Error messages are predicates: the caller adds the name."""
    from http.client import HTTPException  # noqa: PLC0415 - imported only if a hook has a URL

    try:
        answer = _Post(url, body, timeout).answer()
    except TimeoutError as error:
        raise _late(timeout) from error
    except OSError as error:
        raise InterlockError("could not be reached", help=f"{error}; start its server, or correct its `url`") from error
    except (HTTPException, ValueError) as error:
        raise InterlockError("did not answer in HTTP", help=f"{type(error).__name__}: {error}") from error
    if answer.strip() and not answer.lstrip().startswith(b"{"):
        raise InterlockError("answered something that is not a JSON object", help="answer with one, or with nothing")
    return answer


class _Post:
    """One request in its own thread, so that neither slow DNS nor a trickling peer can outlast the deadline."""

    def __init__(self, url: str, body: bytes, timeout: float) -> None:
        self._parts = _check_url(url)
        self._connection = _connection(self._parts, timeout)
        self._body = body
        self._timeout = timeout
        self._socket: socket.socket | None = None
        self._given_up = False
        self._answer = b""
        self._error: Exception | None = None

    def answer(self) -> bytes:
        thread = Thread(target=self._run, daemon=True)
        thread.start()
        thread.join(self._timeout)
        if thread.is_alive():
            self._give_up()
            raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._answer

    def _give_up(self) -> None:
        self._given_up = True
        if self._socket is not None:
            with suppress(OSError):  # it has ended in the meantime
                # Not SSLSocket's own shutdown, which would dismantle TLS while the other thread is reading.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _run(self) -> None:
        try:
            self._connection.connect()
            self._socket = self._connection.sock
            if not self._given_up:
                self._answer = self._exchange(self._connection)
        except Exception as error:  # noqa: BLE001 - the end of a thread: raised again where the answer is awaited
            self._error = error
        finally:
            self._connection.close()

    def _exchange(self, connection: HTTPConnection) -> bytes:
        parts = self._parts
        if parts.scheme == "http" and not _is_loopback(connection.sock.getpeername()[0]):
            raise InterlockError("is on another machine, and its `url` is not encrypted", help="use https")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, self._body, {"Content-Type": "application/json"})
        with connection.getresponse() as response:
            if 300 <= response.status < 400:
                raise InterlockError(f"answered {response.status}, a redirect", help="write the final address as `url`")
            if not 200 <= response.status < 300:
                raise InterlockError(f"answered {response.status}", help="look into its server's log")
            answer = response.read(MOST + 1)
            if len(answer) > MOST:
                raise InterlockError(f"answered more than {MOST:,} bytes", help="answer with one JSON object only")
            if response.length:
                raise InterlockError("broke off its answer", help="look into its server's log")
            return answer


def _connection(parts: SplitResult, timeout: float) -> HTTPConnection:
    """A direct connection: proxies named in the environment are not used."""
    from http.client import HTTPConnection, HTTPSConnection  # noqa: PLC0415

    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=timeout)
