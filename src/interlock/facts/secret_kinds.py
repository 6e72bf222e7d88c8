"""The kinds of credentials: the formats that their issuers document, and values behind telling names.

A kind has a form, which says how sure a find is. `issued` and `key` are credentials by their format alone. A `token` is
one by its build, whoever made it. `assigned` is a random value behind a telling name, and `password` any other value
there that may be one. A `hash` only proves a password. A value that is written where a credential would be, but refers
to another place, names a type or says that it is an example, is none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import log2

import re2

__all__ = ["FORMS", "KINDS", "LOOKS", "form_of"]

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
    "Stripe key": r"\b(?:[rs]k_live_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/]{32,})",
    "Stripe test key": r"\b[rs]k_test_[A-Za-z0-9]{8,}",
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

# Kinds that are not `issued`, with their form. A value behind a telling name is `assigned` if it is random.
FORMS: dict[str, str] = {
    "private key": "key",
    "age key": "key",
    "JSON web token": "token",
    "authorization header": "token",
    "password hash": "hash",
    "Stripe test key": "password",
    "password in URL": "password",
    "named secret": "password",
    "high entropy": "assigned",
}
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False


def _search(pattern: str) -> Callable[[bytes], object]:
    found: Callable[[bytes], object] = re2.compile(pattern.encode(), options=_OPTIONS).search
    return found


_RANDOM = 3.2  # bits a character
_LONG = 2.5  # characters: words are this long on average, and what chance brings is not
_is_hexadecimal = _search(r"^[0-9a-f]{32,}$")
_SORTS = [_search(sort) for sort in ("[0-9]", "[a-z]", "[A-Z]")]
_PIECES = re2.compile(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", options=_OPTIONS)
# Names of another place where the secret is: a variable, a template, a call, a type, a file, a member of an object.
_refers = _search(
    r"^(?:[$<%*]|\\\\|[xX]{3}|\.\.\.|…|#\{|@[{(]|[A-Za-z_][\w.:]*[(<]|[.~]{0,2}/[\w.-]+/|env[:.]"
    r"|[A-Za-z_]\w*(?:\?\.|::|->)[A-Za-z_]|process\.env|os\.environ|import\.meta)"
)
_is_code_name = _search(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[()?!]*$|^[A-Za-z_]\w*[a-z0-9][A-Z]\w*[?!)>|]*$")
# What a text says that somebody is meant to replace.
_says_example = _search(
    r"(?i)example|dummy|placeholder|redacted|\b(?:fake|mock|sample|insert|replace|todo|foobar)\b|(?:^|[-_ ])your[-_ ]"
    r"|x{4,}|\*{3}|…|\.{3}|change.?(?:me|this|it)(?:[^a-z]|$)|do.?not.?use|not.?a.?(?:real|secret)|<[a-z]"
)
_has_key_body = _search(r"[A-Za-z0-9+/=]{40}")
_PLAIN_PASSWORDS = frozenset(b"password pass passwd pwd secret user username token pw psw".split())


def _says_it_is_none(value: bytes) -> bool:
    """Whether a text of an issuer's format is made up, as in documentation: it says so, or repeats one character."""
    return _says_example(value) is not None or max(Counter(value[-16:]).values(), default=0) > 11


def _is_made_of_words(value: bytes) -> bool:
    """Whether letters and digits stand together as in words, and not as chance brings them."""
    pieces = _PIECES.findall(value)
    return bool(pieces) and sum(map(len, pieces)) / len(pieces) >= _LONG


def _is_random(value: bytes) -> bool:
    """As many different characters as chance would bring, of all sorts or hexadecimal: no name, date or path."""
    if _is_hexadecimal(value) is None and not all(sort(value) for sort in _SORTS):
        return False
    counts = Counter(value)
    return -sum(count / len(value) * log2(count / len(value)) for count in counts.values()) >= _RANDOM


def _has_digit(value: bytes) -> bool:
    return any(48 <= byte <= 57 for byte in value)


def _is_named(text: bytes, start: int, end: int) -> bool:
    """A value behind a telling name: no plain word, no name of another place, no type, no example."""
    value = text[start:end]
    if not _has_digit(value) or _refers(value) or _says_example(value):
        return False
    is_quoted = start > 0 and text[start - 1] in b"\"'"
    return is_quoted or not (_is_code_name(value) and _is_made_of_words(value))


def _is_bare(text: bytes, start: int, end: int) -> bool:
    value = text[start:end]
    return _is_random(value) and not _says_example(value) and not (_is_code_name(value) and _is_made_of_words(value))


def _is_header(text: bytes, start: int, end: int) -> bool:
    value = text[start:end]
    return _has_digit(value) and not _says_example(value)


def _is_in_url(text: bytes, start: int, end: int) -> bool:
    """A name and a password in an address, unless the password is a variable or says what belongs there."""
    password = text[start:end].partition(b":")[2]
    if password.lower() in _PLAIN_PASSWORDS or password.startswith((b"{", b"[")):
        return False
    return not (_refers(password) or _says_example(password))


def _is_issued(text: bytes, start: int, end: int) -> bool:
    return not _says_it_is_none(text[start:end])


def _is_issued_without_words(text: bytes, start: int, end: int) -> bool:
    """For a format that is short of marks of its own, so that names in style sheets have it too."""
    return _is_issued(text, start, end) and not _is_made_of_words(text[start:end])


# What a find must look like beside its pattern: kind → a test of the text from a start to an end.
LOOKS: dict[str, Callable[[bytes, int, int], bool]] = {
    "named secret": _is_named,
    "high entropy": _is_bare,
    "authorization header": _is_header,
    "password in URL": _is_in_url,
    **dict.fromkeys(KINDS.keys() - FORMS.keys(), _is_issued),
    "Stripe test key": _is_issued,
    "OpenAI key": _is_issued_without_words,
}


def form_of(kind: str, value: bytes) -> str:
    """How sure it is that a find is a credential, and how it is one."""
    form = FORMS.get(kind, "issued")
    if kind == "private key" and not _has_key_body(value):
        return "password"  # code that looks for keys contains their first line
    if kind in ("password in URL", "named secret"):
        password = value.partition(b":")[2] if kind == "password in URL" else value
        if (
            len(password) >= 12
            and _is_random(password)
            and (_is_hexadecimal(password) or not _is_made_of_words(password))
        ):
            return "assigned"
    return form
