"""Where a host's HTTP hooks go: the port and the token, the entry in the host's settings, and when it may not be used.

Nothing of the daemon is needed here, so that installing an entry costs no more than writing it.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json

from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.hosts.claude_code.events import WEB_EVENTS

__all__ = [
    "FILE",
    "LOOPBACK",
    "Address",
    "choose_address",
    "client_problem",
    "keep_address",
    "new_address",
    "proxy_problem",
    "read_address",
    "web_entry",
]

FILE = "http.json"
LOOPBACK = "127.0.0.1"

_PRIVATE = 0o077
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43,128}")
# Below the range for outgoing connections, one of which could occupy the port when the daemon starts.
_FIRST_PORT, _PORTS, _TRIES = 15_000, 15_000, 200
_FIRST_CLIENT = (2, 1, 295)  # knows `onFailure`
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")  # the client looks at each, whatever the URL's scheme
_EXCEPTIONS = "NO_PROXY"


class Address(Struct, frozen=True):
    """Where the daemon listens for HTTP, and the token that it requires."""

    port: int
    token: str

    def __post_init__(self) -> None:
        if not 1024 <= self.port < 1 << 16 or not _TOKEN.fullmatch(self.token):
            raise ValueError("a port from 1024 to 65535 and a token of 32 bytes are needed")

    def url(self, event: str) -> str:
        return f"http://{LOOPBACK}:{self.port}/hook/{event}"


def choose_address() -> Address:
    """A free port and a token."""
    return Address(_free_port(), secrets.token_urlsafe(32))


def new_address(folder: Path) -> Address:
    """Choose an address and keep it."""
    address = choose_address()
    keep_address(folder, address)
    return address


def keep_address(folder: Path, address: Address) -> None:
    """Keep an address where the daemon looks when it starts."""
    place = folder / FILE
    try:
        write_atomically(place, json.encode(address), durable=True)
    except OSError as error:
        raise InterlockError(f"cannot write `{place}`: {error.strerror}") from error


def _free_port() -> int:
    for _ in range(_TRIES):
        port = _FIRST_PORT + secrets.randbelow(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
        return port
    raise InterlockError(f"no free port from {_FIRST_PORT} to {_FIRST_PORT + _PORTS - 1} was found")


def read_address(folder: Path) -> Address | None:
    """The address that was kept; None if HTTP is not used. Raises InterlockError if it is unsafe or invalid."""
    place = folder / FILE
    again = "choose another port and token with `interlock init --transport http`"
    try:
        file = os.open(place, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(file, "rb") as opened:
            found = os.fstat(file)
            if found.st_uid != os.getuid() or found.st_mode & _PRIVATE:
                raise InterlockError(f"`{place}` is not private to this user, so its token is not secret", help=again)
            return json.decode(opened.read(4096), type=Address)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InterlockError(f"cannot read `{place}`: {error.strerror}", help=again) from error
    except DecodeError as error:
        raise InterlockError(f"`{place}` holds no address: {error}", help=again) from error


def web_entry(event: str, address: Address, timeout: int = 600) -> dict[str, Any]:
    """Interlock's entry for one event in a host's settings."""
    if event not in WEB_EVENTS:
        raise InterlockError(f"{event} is not sent over HTTP", help=f"events that are: {', '.join(sorted(WEB_EVENTS))}")
    headers = {"Authorization": f"Bearer {address.token}"}
    return {
        "type": "http",
        "url": address.url(event),
        "headers": headers,
        "timeout": timeout,
        "onFailure": "block",
    }


def proxy_problem(environ: Mapping[str, str], settings_env: Mapping[str, str]) -> str | None:
    """Why a host would send Interlock's events, with their token, to a proxy; None if it would not.

    `settings_env` is what the host's settings files set; the host puts it over its environment.
    """
    seen = {**environ, **settings_env}
    proxies = [name for name in _both_cases(*_PROXIES) if seen.get(name)]
    # Hosts differ in which of two spellings they prefer, so each one that is set must name the daemon's address.
    exceptions = [seen[name] for name in _both_cases(_EXCEPTIONS) if name in seen]
    if not proxies or (exceptions and all(map(_names_loopback, exceptions))):
        return None
    where = "the settings" if any(name in settings_env for name in proxies) else "the environment"
    return f"{proxies[0]} in {where} sends HTTP hooks to a proxy; put {LOOPBACK} into NO_PROXY, or unset {proxies[0]}"


def _both_cases(*names: str) -> list[str]:
    return [spelled for name in names for spelled in (name, name.lower())]


def _names_loopback(exceptions: str) -> bool:
    """Whether a NO_PROXY names the URL's host in the one way that every program understands."""
    return any(part in ("*", LOOPBACK) for part in re.split(r"[\s,]+", exceptions))


def client_problem(version: str) -> str | None:
    """Why HTTP hooks of this client version do not fail closed; None if they do."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)(?![\w.-])", version.strip())
    needed = ".".join(map(str, _FIRST_CLIENT))
    if found is None:
        return f"`{version.strip()}` is not a version of Claude Code; HTTP hooks need {needed} or newer"
    if tuple(map(int, found.groups())) < _FIRST_CLIENT:
        return f"Claude Code {found.group()} lets a call pass when an HTTP hook fails; {needed} or newer does not"
    return None
