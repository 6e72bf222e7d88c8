"""URLs in calls: the address, its host and port, and patterns for them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from msgspec import Struct

__all__ = ["Url", "read_url", "url_regex"]


class Url(Struct, frozen=True):
    """One address that a call would reach."""

    url: str
    host: str
    port: int | None = None


def read_url(text: str) -> Url | None:
    """The URL a text is, or None. A host without a scheme (`github.com/x`) counts as one."""
    text = text.strip()
    # Browsers and most clients take a backslash for a slash, so that the host ends there.
    plain = text.replace("\\", "/")
    if not text or any(character.isspace() for character in text):
        return None
    whole = plain if "://" in plain else f"//{plain}"
    try:
        parts = urlsplit(whole)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    name = (host or "").rstrip(".").lower()
    return Url(text, name, port) if name else None


def url_regex(pattern: str) -> tuple[str, str]:
    """Which part of a URL a pattern is about (`host` or `url`), and its regular expression.

    `example.com` is that host, `*.example.com` also all below it, `*` any; with `://` it is the whole URL.
    """
    if "://" in pattern:
        return "url", r"(?is)\A" + _glob(pattern) + r"\z"
    host = pattern.lower()
    if host.startswith("*."):
        return "host", r"(?s)\A(?:.*\.)?" + _glob(host[2:]) + r"\z"
    return "host", r"(?s)\A" + _glob(host) + r"\z"


def _glob(pattern: str) -> str:
    return "".join(".*" if part == "*" else re.escape(part) for part in re.split(r"(\*)", pattern))
