"""The optional passphrase, which a person types at every sign-in. Only its scrypt digest is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically

__all__ = ["SHORTEST", "clear_passphrase", "has_passphrase", "keep_passphrase", "proof", "proves_passphrase"]

SHORTEST = 8
_COST, _BLOCK, _LANES = 1 << 15, 8, 1  # a try costs 32 MB and about a tenth of a second
_MEMORY = 64 << 20
_SALT = 16


class _Proof(Struct, frozen=True):
    salt: str
    digest: str
    cost: int
    block: int
    lanes: int


def _place() -> Path:
    return state_folder() / "page" / "passphrase"


def has_passphrase() -> bool:
    return _place().exists()


def proof() -> Callable[[str], bool] | None:
    """What proves a text to be the passphrase; None if there is none."""
    return proves_passphrase if has_passphrase() else None


def keep_passphrase(text: str) -> None:
    if len(text) < SHORTEST:
        raise InterlockError(f"a passphrase needs at least {SHORTEST} characters")
    salt = secrets.token_bytes(_SALT)
    proof = _Proof(salt.hex(), _digest(text, salt, _COST, _BLOCK, _LANES).hex(), _COST, _BLOCK, _LANES)
    write_atomically(_place(), json.encode(proof), durable=True)


def clear_passphrase() -> None:
    _place().unlink(missing_ok=True)


def proves_passphrase(text: str) -> bool:
    """Whether this is the passphrase. A file that cannot be read proves nothing."""
    try:
        proof = json.decode(_place().read_bytes(), type=_Proof)
        salt = bytes.fromhex(proof.salt)
        return hmac.compare_digest(_digest(text, salt, proof.cost, proof.block, proof.lanes).hex(), proof.digest)
    except (OSError, DecodeError, ValueError):
        return False


def _digest(text: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    return hashlib.scrypt(text.encode("utf-8", "replace"), salt=salt, n=cost, r=block, p=lanes, maxmem=_MEMORY)
