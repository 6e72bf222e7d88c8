"""Strings that look like credentials: the formats their issuers document, and redaction of them."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

__all__ = ["KINDS", "Secret", "find_secrets", "redact", "redact_bytes"]

# Kind → pattern. Prefixes that issuers publish, so that a hit is a secret and not a guess.
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
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "password in URL": r"(?<=://)[^\s:/@]+:[^\s:/@]+(?=@)",
    # Behind a telling name: API_KEY=…, "password": "…"
    "named secret": (
        r"(?<=[\"'\s_.-])(?i:api[_-]?key|secret|token|passw(?:or)?d|credential)s?[\"']?\s*[:=]\s*[\"']?"
        r"(?=[^\s\"']*\d)[^\s\"',;]{8,}"
    ),
}
_SEARCH = re.compile("|".join(f"(?P<k{number}>{pattern})" for number, pattern in enumerate(KINDS.values())))
_NAMES = list(KINDS)
_MOST = 1_000_000


class Secret(Struct, frozen=True):
    """One credential-shaped string."""

    kind: str
    text: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in a text. Texts over a million characters are searched only that far."""
    return tuple(Secret(_kind(found), found[0]) for found in _SEARCH.finditer(f" {text[:_MOST]}"))


def redact(value: Any) -> Any:
    """The value with every secret in its strings replaced; shape and other values stay."""
    if isinstance(value, str):
        return _redact_text(value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {key: redact(item) for key, item in value.items()}
    return value


def redact_bytes(raw: bytes) -> bytes:
    """The same for bytes that may not even be text; what cannot be searched whole is cut."""
    text = raw.decode("utf-8", "replace")
    return _redact_text(text).encode("utf-8", "replace")


def _redact_text(text: str) -> str:
    if len(text) > _MOST:
        return _redact_text(text[:_MOST]) + "[cut: too long to search for secrets]"
    return _SEARCH.sub(lambda found: f"[redacted {_kind(found)}]", f" {text}")[1:]


def _kind(found: re.Match[str]) -> str:
    number = next(name for name, text in found.groupdict().items() if text is not None)
    return _NAMES[int(number[1:])]
