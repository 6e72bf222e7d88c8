"""Strings that look like credentials: the formats their issuers document, and redaction of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import log2
from typing import Any

import re2
from msgspec import Struct

from interlock.facts.limits import SECRETS

__all__ = ["KINDS", "Secret", "find_secrets", "may_hold_secret", "redact", "redact_bytes"]

# Kind → pattern; what is in brackets, or all of it, is the secret. Prefixes that issuers publish, so that a hit is a
# secret and not a guess. RE2 and no look-around: the text was written by a model or a web page, and must not be slow.
KINDS: dict[str, str] = {
    "AWS access key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "Azure storage key": r"\bAccountKey=([A-Za-z0-9+/]{86}==)",
    "Azure client secret": r"\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}\b",
    "Google API key": r"\bAIza[A-Za-z0-9_-]{35}",
    "Google OAuth token": r"\b(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{28})",
    "DigitalOcean token": r"\bdo[opr]_v1_[a-f0-9]{64}",
    "Anthropic key": r"\bsk-ant-[A-Za-z0-9_-]{20,}",
    "OpenRouter key": r"\bsk-or-v1-[a-f0-9]{64}",
    "OpenAI key": r"\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}",
    "Groq key": r"\bgsk_[A-Za-z0-9]{40,}",
    "xAI key": r"\bxai-[A-Za-z0-9]{60,}",
    "Perplexity key": r"\bpplx-[A-Za-z0-9]{40,}",
    "Hugging Face token": r"\bhf_[A-Za-z0-9]{34,}",
    "Replicate token": r"\br8_[A-Za-z0-9]{37,}",
    "Stripe key": r"\b(?:[rs]k_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/]{32,})",
    "Square token": r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
    "Shopify token": r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    "GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    "GitLab token": r"\bgl(?:pat|dt|rt|cbt|ptt|soat|agent)-[A-Za-z0-9_-]{20,}",
    "Bitbucket or Jira token": r"\bATATT3[A-Za-z0-9_=-]{50,}",
    "Slack token": r"\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{20,}",
    "Slack webhook": r"\bhooks\.slack\.com/(?:services|workflows)/([A-Z0-9]+/[A-Z0-9]+/[A-Za-z0-9]{16,})",
    "Discord webhook": r"\bdiscord(?:app)?\.com/api/webhooks/(\d{15,}/[A-Za-z0-9_-]{40,})",
    "Discord bot token": r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
    "Telegram bot token": r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b",
    "SendGrid key": r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    "Mailgun key": r"\bkey-[0-9a-f]{32}\b",
    "Twilio key": r"\bSK[0-9a-f]{32}\b",
    "npm token": r"\bnpm_[A-Za-z0-9]{36}",
    "PyPI token": r"\bpypi-[A-Za-z0-9_-]{50,}",
    "RubyGems key": r"\brubygems_[a-f0-9]{48}",
    "Docker token": r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}",
    "Vault token": r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}",
    "Terraform Cloud token": r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
    "Databricks token": r"\bdapi[0-9a-f]{32}\b",
    "Grafana token": r"\bgl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_[A-Za-z0-9+/=]{32,})",
    "New Relic key": r"\bNRAK-[A-Z0-9]{27}",
    "Sentry token": r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}",
    "Linear key": r"\blin_api_[A-Za-z0-9]{40}",
    "Notion token": r"\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b)",
    "Figma token": r"\bfig[du]_[A-Za-z0-9_-]{40,}",
    "Pulumi token": r"\bpul-[a-f0-9]{40}",
    "Doppler token": r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}",
    "Supabase token": r"\bsbp_[a-f0-9]{40}|\bsb_secret_[A-Za-z0-9_-]{20,}",
    "age key": r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}",
    "private key": (
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)"
        r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\z)"
    ),
    "password hash": r"\$(?:1|5|6|7|y|gy|2[abxy]|argon2id?)\$[A-Za-z0-9./$=,+-]{20,}",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "password in URL": r"://([^\s:/@]+:[^\s:/@]+)@",
    "authorization header": (
        r"(?i)\bauthorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+([A-Za-z0-9._~+/=-]{12,})"
    ),
    # Behind a telling name: API_KEY=…, "password": "…". What it must look like is said below.
    "named secret": (
        r"(?i)(?:\b|_)(?:(?:api|access|account|auth|client|encryption|master|private|secret|service|signing)[_-]?key"
        r"|secret|token|passw(?:or)?d|passphrase|credential)s?[\"']?\s*[:=]\s*[\"']?([^\s\"',;&\[\]{}]{8,})"
    ),
    "high entropy": (
        r"(?i)(?:\b|_)(?:key|pass|pwd|auth|bearer|cookie|session)[\"']?\s*[:=]\s*[\"']?"
        r"([A-Za-z0-9+/=_.~-]{20,})"
    ),
}
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_ANY = re2.compile("|".join(f"(?:{pattern})" for pattern in KINDS.values()).encode(), options=_OPTIONS)
_LONGEST = 1 << 20  # bytes that are looked at together
_NEAR = 4096  # bytes: finds this near to each other are looked at together
_RANDOM = 3.2  # bits a character
_HEXADECIMAL = re2.compile(rb"^[0-9a-f]{32,}$", options=_OPTIONS)
_SORTS = [re2.compile(sort, options=_OPTIONS) for sort in (rb"[0-9]", rb"[a-z]", rb"[A-Z]")]
_REFERENCE = re2.compile(rb"^(?:[$<%*]|\\\\|xxx|XXX|\.\.\.|[A-Za-z_][\w.]*\()", options=_OPTIONS)


def _has_digit(value: bytes) -> bool:
    return any(48 <= byte <= 57 for byte in value)


def _is_password(value: bytes) -> bool:
    """No plain word, and no name of another place where the secret is."""
    return _has_digit(value) and _REFERENCE.search(value) is None


def _is_random(value: bytes) -> bool:
    """As many different characters as chance would bring, of all sorts or hexadecimal: no name, date or path."""
    if _HEXADECIMAL.search(value) is None and not all(sort.search(value) for sort in _SORTS):
        return False
    counts = Counter(value)
    return -sum(count / len(value) * log2(count / len(value)) for count in counts.values()) >= _RANDOM


# Kinds whose pattern alone is not enough.
_LOOKS: dict[str, Callable[[bytes], bool]] = {
    "named secret": _is_password,
    "high entropy": _is_random,
    "authorization header": _has_digit,
}


class Secret(Struct, frozen=True):
    """One credential-shaped string."""

    kind: str
    text: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in a text, in order: all of them, or as many as are looked at."""
    raw = text.encode("utf-8", "replace")
    return tuple(Secret(kind, raw[start:end].decode("utf-8", "replace")) for start, end, kind in _spans(raw)[0])


def may_hold_secret(*values: Any) -> bool:
    """Whether any string in the values could be a secret: one search, for those who mostly find none."""
    texts: list[str] = []
    waiting: list[Any] = [*reversed(values)]  # the next at the end, so that a key stands before its value
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            for key, item in reversed(value.items()):
                waiting += (item, key)
        elif isinstance(value, list | tuple):
            waiting += reversed(value)
    raw = "\n".join(texts).encode("utf-8", "replace")
    return _ANY.search(raw) is not None


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
    """The same for bytes that may not even be text. The text is searched to its end; what cannot be is cut."""
    spans, searched = _spans(raw)
    out: list[bytes] = []
    at = 0
    for start, end, kind in spans:
        out += [raw[at:start], f"[redacted {kind}]".encode()]
        at = end
    out.append(raw[at : max(at, searched)])
    if searched < len(raw):
        out.append(f"[cut: more than {SECRETS.name}; Interlock did not search the rest]".encode())
    return b"".join(out)


def _redact_text(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    found = redact_bytes(raw)
    return text if found == raw else found.decode("utf-8", "replace")


def _spans(raw: bytes) -> tuple[list[tuple[int, int, str]], int]:
    """Where secrets stand, in order and without overlap, and how far the bytes were searched.

    One search for anything at all goes through the bytes, however many there are. Each kind is then looked for only
    around what it found, so that a long text costs little, and each byte of it is looked at a bounded number of times.
    """
    found: list[tuple[int, int, str]] = []
    searched = 0
    for start, end in _regions(raw):
        if end <= searched:
            continue
        for span in _spans_in(raw, start, end):
            if found and span[0] < found[-1][1]:  # the last one of the part before reaches into this part
                first, last, kind = found.pop()
                span = first, max(last, span[1]), kind
            found.append(span)
        searched = max(searched, end, found[-1][1] if found else 0)
        if len(found) > SECRETS.most:
            del found[SECRETS.most :]
            return found, found[-1][1]
    return found, len(raw)


def _regions(raw: bytes) -> Iterator[tuple[int, int]]:
    """The parts of the bytes in which every secret begins."""
    start = end = -1
    for hit in _ANY.finditer(raw):
        if start >= 0 and (hit.start() - end > _NEAR or end - start > _LONGEST):
            yield start, end
            start = -1
        start = hit.start() if start < 0 else start
        end = hit.end()
    if start >= 0:
        yield start, end


@cache
def _searches() -> dict[str, Any]:
    """A search for each kind. Compiled when the first text may hold a secret, which most do not."""
    return {kind: re2.compile(pattern.encode(), options=_OPTIONS) for kind, pattern in KINDS.items()}


def _spans_in(raw: bytes, start: int, end: int) -> list[tuple[int, int, str]]:
    """Where secrets stand that begin in a part of the bytes, in order and without overlap."""
    before = max(0, start - 1)  # a word begins where none was before
    window = raw[before : end + _NEAR]
    taken = bytearray(len(window))
    found: list[tuple[int, int, str]] = []
    for kind, search in _searches().items():
        group = 1 if search.groups else 0
        for hit in search.finditer(window):
            if not start <= before + hit.start() < end:
                continue
            if hit.end() == len(window) and before + len(window) < len(raw):
                hit = search.search(raw, before + hit.start())  # it goes on behind the window
                shift = 0
            else:
                shift = before
            if kind in _LOOKS and not _LOOKS[kind](hit.group(group)):
                continue
            first, last = hit.start(group) + shift, hit.end(group) + shift
            known = kind
            if taken.find(1, first - before, last - before) >= 0:
                if taken.find(0, first - before, last - before) < 0 and last - before <= len(taken):
                    continue
                # Secrets that overlap are one: if the second were left out, the part that only it covers could be read.
                overlapping = [span for span in found if span[0] < last and first < span[1]]
                found = [span for span in found if span not in overlapping]
                known = overlapping[0][2]
                first, last = min(first, *(one[0] for one in overlapping)), max(last, *(one[1] for one in overlapping))
            taken[first - before : last - before] = b"\1" * (min(last - before, len(taken)) - (first - before))
            found.append((first, last, known))
    return sorted(found)
