"""What an HTTP message repeats in headers: the protocol's version, the method, the name, and marked arguments."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from interlock.binding.mcp.messages import Message, read_message
from interlock.errors import InterlockError

__all__ = ["VERSION", "HeaderMirror"]

Headers: TypeAlias = dict[str, str]

VERSION = "MCP-Protocol-Version"
_IN_META = "io.modelcontextprotocol/protocolVersion"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_MARK = "x-mcp-header"
_PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?|")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class HeaderMirror:
    """Learns from the traffic which version is spoken and which arguments are marked."""

    def __init__(self) -> None:
        self.version = ""
        self._marked: dict[str, list[tuple[tuple[str, ...], str]]] = {}

    def is_modern(self, message: Message) -> bool:
        """Whether the message itself says which revision it uses."""
        return bool(self._own_version(message))

    def headers(self, message: Message) -> Headers:
        """The headers of one message, besides those that all messages have."""
        version = self._own_version(message)
        if message.method == "initialize":
            self.version = ""  # it is being negotiated again
            return {}
        if not version:
            return {}
        self.version = version
        headers = {VERSION: version, "Mcp-Method": message.method}
        params = message.params
        name = params.get(_NAMED.get(message.method, ""))
        if isinstance(name, str):
            headers["Mcp-Name"] = _header_text(name)
            if message.method == "tools/call":
                for path, token in self._marked.get(name, ()):
                    text = _text_at(params.get("arguments"), path)
                    if text is not None:
                        headers[f"Mcp-Param-{token}"] = _header_text(text)
        return headers

    def learn(self, request: Message, line: bytes) -> None:
        """Learn from an answer."""
        if request.method not in ("initialize", "tools/list"):
            return
        try:
            message = read_message(line)
        except InterlockError:
            return
        result = message.value.get("result") if isinstance(message, Message) else None
        if not isinstance(result, dict):
            return
        if request.method == "initialize" and isinstance(result.get("protocolVersion"), str):
            self.version = result["protocolVersion"]
        for tool in result.get("tools") or ():
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                self._marked[tool["name"]] = list(_marks_in(tool.get("inputSchema"), ()))

    def _own_version(self, message: Message) -> str:
        params = message.params
        meta = params.get("_meta") if isinstance(params, dict) else None
        version = meta.get(_IN_META) if isinstance(meta, dict) else None
        return version if isinstance(version, str) and _PLAIN.fullmatch(version) else ""


def _marks_in(schema: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The properties that a schema marks, with their paths."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        token = inner.get(_MARK) if isinstance(inner, dict) else None
        if isinstance(token, str) and _TOKEN.fullmatch(token):
            yield (*path, name), token
        yield from _marks_in(inner, (*path, name))


def _text_at(value: Any, path: tuple[str, ...]) -> str | None:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None


def _header_text(text: str) -> str:
    """A text as a header can carry it."""
    if _PLAIN.fullmatch(text) and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'replace')).decode()}?="
