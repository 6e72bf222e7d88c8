"""Strings that look like credentials: the formats their issuers document, and redaction of them."""

from __future__ import annotations

from typing import Any

import re2
from msgspec import Struct

__all__ = ["KINDS", "Secret", "find_secrets", "may_hold_secret", "redact", "redact_bytes"]

# Kind → pattern; what is in brackets, or all of it, is the secret. Prefixes that issuers publish, so that a hit is a
# secret and not a guess. RE2 and no look-around: the text was written by a model or a web page, and must not be slow.
KINDS: dict[str, str] = {
    "AWS access key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "Anthropic key": r"\bsk-ant-[A-Za-z0-9_-]{20,}",
    "OpenAI key": r"\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}",
    "Stripe key": r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{8,}",
    "GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    "GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "Slack token": r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    "Google API key": r"\bAIza[A-Za-z0-9_-]{35}",
    "npm token": r"\bnpm_[A-Za-z0-9]{36}",
    "PyPI token": r"\bpypi-[A-Za-z0-9_-]{50,}",
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?s:.*?)(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\z)",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "password in URL": r"://([^\s:/@]+:[^\s:/@]+)@",
    # Behind a telling name: API_KEY=…, "password": "…". It must hold a digit (looked at below) to be no plain word.
    "named secret": (
        r"(?i)(?:\b|_)(?:api[_-]?key|secret|token|passw(?:or)?d|credential)s?[\"']?\s*[:=]\s*[\"']?"
        r"([^\s\"',;&\[\]{}]{8,})"
    ),
}
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_SEARCHES = {kind: re2.compile(pattern.encode(), options=_OPTIONS) for kind, pattern in KINDS.items()}
_ANY = re2.compile("|".join(f"(?:{pattern})" for pattern in KINDS.values()).encode(), options=_OPTIONS)
_MOST = 1_000_000


class Secret(Struct, frozen=True):
    """One credential-shaped string."""

    kind: str
    text: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in a text, in order. Texts over a million bytes are searched only that far."""
    raw = text.encode("utf-8", "replace")[:_MOST]
    return tuple(Secret(kind, raw[start:end].decode("utf-8", "replace")) for start, end, kind in _spans(raw))


def may_hold_secret(*values: Any) -> bool:
    """Whether any string in the values could be a secret: one search, for those who mostly find none."""
    texts: list[str] = []
    for value in values:
        _gather(value, texts)
    raw = "\n".join(texts).encode("utf-8", "replace")
    return len(raw) > _MOST or _ANY.search(raw) is not None


def _gather(value: Any, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            into.append(key)
            _gather(item, into)
    elif isinstance(value, list | tuple):
        for item in value:
            _gather(item, into)


def redact(value: Any) -> Any:
    """The value with every secret in its strings and keys replaced; shape and other values stay."""
    if isinstance(value, str):
        return _redact_text(value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {_redact_text(key) if isinstance(key, str) else key: redact(item) for key, item in value.items()}
    return value


def redact_bytes(raw: bytes) -> bytes:
    """The same for bytes that may not even be text; what cannot be searched whole is cut."""
    if len(raw) > _MOST:
        return redact_bytes(raw[:_MOST]) + b"[cut: too long to search for secrets]"
    out, at = b"", 0
    for start, end, kind in _spans(raw):
        out += raw[at:start] + f"[redacted {kind}]".encode()
        at = end
    return out + raw[at:]


def _redact_text(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    found = redact_bytes(raw)
    return text if found == raw else found.decode("utf-8", "replace")


def _spans(raw: bytes) -> list[tuple[int, int, str]]:
    """Where secrets stand, in order and without overlap."""
    if _ANY.search(raw) is None:
        return []
    found: list[tuple[int, int, str]] = []
    for kind, search in _SEARCHES.items():
        for hit in search.finditer(raw):
            group = 1 if search.groups else 0
            if kind == "named secret" and not any(48 <= byte <= 57 for byte in hit.group(group)):
                continue
            start, end = hit.span(group)
            if not any(start < other[1] and other[0] < end for other in found):
                found.append((start, end, kind))
    return sorted(found)
