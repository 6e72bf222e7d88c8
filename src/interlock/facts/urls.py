"""URLs in calls: the address, its host and port as browsers read them, and patterns for them."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote, urlsplit

from msgspec import Struct

__all__ = ["Url", "read_url", "url_regex"]


class Url(Struct, frozen=True):
    """One address that a call would reach."""

    url: str
    host: str
    port: int | None = None
    address: str = ""  # the URL with its host as it was understood: what patterns for whole URLs look at


_SPECIAL = re.compile(r"(?i)(https?|wss?|ftp):[/\\]*")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def read_url(text: str) -> Url | None:
    """The URL a text is, or None. A host without a scheme (`github.com/x`) counts as one.

    Read as a browser does: tabs and line ends are dropped, any slashes after `http:` will do, a host may be percent-
    encoded, in another width, or a number.
    """
    plain = re.sub(r"[\t\n\r]", "", text.strip("".join(map(chr, range(33)))))
    scheme = _SPECIAL.match(plain)
    if scheme is not None:
        plain = f"{scheme[1].lower()}://{plain[scheme.end() :]}"
    whole = (plain if "://" in plain else f"//{plain}").replace("\\", "/")
    try:
        parts = urlsplit(whole)
        host = parts.hostname or ""
    except ValueError:
        return None
    name = _host(host)
    if not name or any(character.isspace() for character in name):
        return None
    return Url(text.strip(), name, _port(parts.netloc), _rebuilt(whole, parts.netloc, name))


def _host(host: str) -> str:
    name = _INVISIBLE.sub("", unicodedata.normalize("NFKC", unquote(host))).replace("。", ".").lower().rstrip(".")
    return _number(name) or name


def _number(name: str) -> str | None:
    """An IPv4 address however it is written: 2130706433, 0x7f.1, 127.1."""
    parts = name.split(".")
    if len(parts) > 4 or not all(re.fullmatch(r"0x[0-9a-f]*|\d+", part) for part in parts):
        return None
    numbers = [int(part, 16) if part.startswith("0x") and part != "0x" else _octal(part) for part in parts]
    last = 256 ** (5 - len(parts))
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= last:
        return None
    value = numbers[-1] + sum(number * 256 ** (3 - place) for place, number in enumerate(numbers[:-1]))
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def _octal(part: str) -> int:
    if part == "0x":
        return 0
    return (
        int(part, 8)
        if len(part) > 1 and part.startswith("0") and part.isdigit() and not set(part) & set("89")
        else int(part)
    )


def _port(netloc: str) -> int | None:
    found = re.search(r":(\d{1,5})$", netloc)
    return int(found[1]) if found else None


def _rebuilt(whole: str, netloc: str, name: str) -> str:
    """The address with its host as it was understood, so that patterns see what is reached."""
    port = _port(netloc)
    return whole.replace(netloc, name + (f":{port}" if port is not None else ""), 1).removeprefix("//")


def url_regex(pattern: str) -> tuple[str, str]:
    """Which part of a URL a pattern is about (`host` or `url`), and its regular expression.

    `example.com` is that host, `*.example.com` also all below it, `*` any; with `://` it is the whole URL, in which a
    `*` of the host stays within the host.
    """
    if "://" in pattern:
        scheme, _, rest = pattern.partition("://")
        host, slash, path = rest.partition("/")
        tail = _glob(slash + path, ".*") if slash else r"(?:[/?#].*)?"
        return "url", rf"(?is)\A{_glob(scheme, '[a-z0-9+.-]*')}://{_glob(host, '[^/?#@]*')}{tail}\z"
    host = pattern.lower()
    if host.startswith("*."):
        return "host", r"(?s)\A(?:.*\.)?" + _glob(host[2:], ".*") + r"\z"
    return "host", r"(?s)\A" + _glob(host, ".*") + r"\z"


def _glob(pattern: str, star: str) -> str:
    return "".join(star if part == "*" else re.escape(part) for part in re.split(r"(\*)", pattern))
