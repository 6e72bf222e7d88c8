"""What a policy says about the inbox and the record: how long a call waits, who is told of a request, what is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

from msgspec import Struct

from interlock.errors import Source
from interlock.policy.positions import Node
from interlock.policy.reader import Reader

__all__ = [
    "LONGEST_WAIT", "OWN_POLICY", "SHORTEST_KEPT", "SHORTEST_WAIT", "USUAL_WAIT", "InboxSettings", "MessageForm",
    "RecordSettings", "Webhook", "read_inbox", "read_record",
]  # fmt: skip

T = TypeVar("T")
MessageForm: TypeAlias = Literal["json", "slack"]

USUAL_WAIT = 480.0  # seconds; Claude Code gives up a hook after 600
SHORTEST_WAIT, LONGEST_WAIT = 1.0, 86_400.0
SHORTEST_KEPT = 86_400.0
OWN_POLICY = "~/.config/interlock/policy.yaml"
_PERSONAL = ("desktop", "webhook")


class Webhook(Struct, frozen=True, kw_only=True):
    """Where each request is sent, and with which key the message is signed."""

    url: str
    secret: str | None = None  # the file that holds the key; it may start with `~/`
    message: MessageForm = "json"
    page: str | None = None  # the address under which people reach the page, for the link


class InboxSettings(Struct, frozen=True, kw_only=True):
    """The key `inbox` of one policy, or of all that are in force. None: it is not said."""

    wait: float | None = None
    desktop: bool | None = None
    webhook: Webhook | None = None
    source: Source | None = None  # of `wait`


class RecordSettings(Struct, frozen=True, kw_only=True):
    """The key `record` of one policy, or of all that are in force. None: it is not said."""

    keep: float | None = None


def read_inbox(node: Node, reader: Reader, *, shared: bool) -> InboxSettings:
    """Read the key `inbox`. A file that is `shared` comes with a project, and may only say how long calls wait."""
    parts = reader.mapping(node, "`inbox`")
    reader.unknown_keys(node, dict.fromkeys(("wait", "desktop", "webhook")), "`inbox`")
    if shared:
        for key in _PERSONAL:
            if key in parts:
                message = f"`inbox.{key}` in a project's policy: a project may not choose where calls are sent"
                reader.complain(message, node.keys[key], f"move it to your own policy, `{OWN_POLICY}`")
    return InboxSettings(
        wait=_wait(parts["wait"], reader) if "wait" in parts else None,
        desktop=_read(parts, "desktop", reader.flag),
        webhook=_webhook(parts["webhook"], reader) if "webhook" in parts else None,
        source=parts["wait"].source if "wait" in parts else None,
    )


def read_record(node: Node, reader: Reader, *, shared: bool) -> RecordSettings:
    """Read the key `record`."""
    parts = reader.mapping(node, "`record`")
    reader.unknown_keys(node, dict.fromkeys(("keep",)), "`record`")
    if shared and "keep" in parts:
        message = "`record.keep` in a project's policy: a project may not choose how long the record is kept"
        reader.complain(message, node.keys["keep"], f"move it to your own policy, `{OWN_POLICY}`")
    if "keep" not in parts:
        return RecordSettings()
    seconds = reader.duration(parts["keep"], "`keep`")
    if seconds is not None and seconds < SHORTEST_KEPT:
        reader.complain("`keep` is shorter than a day", parts["keep"].source, "write `keep: 90d`, for example")
    return RecordSettings(keep=seconds)


def _read(parts: dict[str, Node], key: str, read: Callable[[Node, str], T]) -> T | None:
    return read(parts[key], f"`{key}`") if key in parts else None


def _wait(node: Node, reader: Reader) -> float | None:
    seconds = reader.duration(node, "`wait`")
    if seconds is not None and not SHORTEST_WAIT <= seconds <= LONGEST_WAIT:
        reader.complain(f"`wait` is `{node.value}`; expected 1s to 24h", node.source, "write `wait: 8m`, for example")
        return None
    return seconds


def _webhook(node: Node, reader: Reader) -> Webhook | None:
    before = len(reader.errors)
    parts = reader.mapping(node, "`webhook`", "write `webhook: {url: 'https://…', secret: '~/…'}`")
    reader.unknown_keys(node, dict.fromkeys(("url", "secret", "message", "page")), "`webhook`")
    if len(reader.errors) == before and "url" not in parts:
        reader.complain("`webhook` has no `url`", node.source, "say where requests are sent: `url: https://…`")
    url, page = _read(parts, "url", reader.text), _read(parts, "page", reader.text)
    for key, address in (("url", url), ("page", page)):
        if address is not None and (problem := _address_problem(address)):
            help = f"write `{key}: https://…`"
            reader.complain(f"`{key}` is {problem}", parts[key].source, help)
    form = reader.one_of(parts["message"], "`message`", ("json", "slack")) if "message" in parts else "json"
    secret = _read(parts, "secret", reader.text)
    if secret is not None and not secret.startswith(("/", "~/")):
        message = f"`secret` is `{secret}`; expected the whole path of a file"
        reader.complain(message, parts["secret"].source, "write `secret: ~/.config/interlock/webhook.key`, for example")
    if len(reader.errors) == before and form == "json" and secret is None:
        # A receiver that cannot tell our messages from others' shows people whatever anybody sends.
        help = "add `secret: ~/.config/interlock/webhook.key`, a file with the key"
        reader.complain("`webhook` has no `secret` to sign its messages with", node.source, help)
    if len(reader.errors) > before or url is None:
        return None
    return Webhook(url=url, secret=secret, message=cast("MessageForm", form), page=page)


def _address_problem(address: str) -> str | None:
    """Why requests may not be sent to an address, or nothing."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return f"`{address}`, which is not an address"
    if parts.scheme not in ("https", "http") or not host or any(one.isspace() for one in address):
        return f"`{address}`; expected an address with https"
    if parts.username is not None or parts.password is not None:
        return "an address with a password in it, which every proxy on the way writes down"
    if parts.scheme == "http" and not _is_loopback(host):
        return "not encrypted; http is only for this machine"
    return None


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d{1,3}){3}", host, re.ASCII) is not None
