"""Requests to a page, byte by byte as a test wants them."""

from __future__ import annotations

import http.client
from typing import Any

from msgspec import Struct, json


class Answer(Struct):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.decode(self.body)


class Visit:
    """Somebody who talks to a page: with these headers, and the key that lets them answer."""

    def __init__(self, address: str, headers: dict[str, str] | None = None, key: str | None = None) -> None:
        self.address = address
        self.headers = headers or {}
        self.key = key

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, said: Any, **headers: str) -> Answer:
        """Answer as the page's own script does; headers given here replace what that would send, None leaves it out."""
        own = {"Origin": self.address, "Content-Type": "application/json"}
        if self.key is not None:
            own["Interlock-Key"] = self.key
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        body = said if isinstance(said, bytes) else json.encode(said)
        return self.ask("POST", path, body, own | given)

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, Any]) -> Answer:
        given = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.address.partition("://")[2], timeout=20)
        try:
            connection.request(method, path, body, {name: value for name, value in given.items() if value is not None})
            found = connection.getresponse()
            return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        finally:
            connection.close()
