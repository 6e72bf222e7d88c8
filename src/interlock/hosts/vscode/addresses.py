"""Which file VS Code opens for what a model gives as a path or an address."""

from __future__ import annotations

import re
from urllib.parse import unquote

from interlock.errors import InterlockError

__all__ = ["file_at", "opened_by"]

_CONTROL = re.compile("[\x00-\x1f\x7f]")
# What does not begin with a slash and contains this is read as an address, wherever it is in the text.
_SCHEME_IN = re.compile(r"\w[\w+.-]*:\S", re.ASCII)
_ADDRESS = re.compile(r"(?:(?P<scheme>[^:/?#]+?):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)")


def opened_by(path: str) -> str:
    """The file that a tool opens for a path. Raises InterlockError if that is not certain."""
    return path if path.startswith("/") or not _SCHEME_IN.search(path) else file_at(path)


def file_at(address: str) -> str:
    """The file at an address; without a scheme it is one of the file system, and begins at its root."""
    found = _ADDRESS.match(address)
    scheme, authority, path = found.groups() if found is not None else (None, None, "")
    try:
        path = unquote(path, errors="strict")
        authority = unquote(authority or "", errors="strict")
    except UnicodeDecodeError as error:
        raise InterlockError(f"the address `{address}` cannot be read", help="name the file by its path") from error
    if _CONTROL.search(path + authority):
        raise InterlockError(f"the address `{address}` contains a control character", help="name the file by its path")
    if scheme not in (None, "file"):
        return path
    path = path if path.startswith("/") else f"/{path}"
    return f"//{authority}{path}" if authority else path
