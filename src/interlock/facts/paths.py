"""Paths as a shell and a file system would take them, and globs for them. Reads nothing from the disk."""

from __future__ import annotations

import posixpath
import re

__all__ = ["Places", "glob_regex", "resolve"]

from msgspec import Struct


class Places(Struct, frozen=True):
    """Where relative paths start."""

    cwd: str = "/"
    project: str = "/"
    home: str = "/"


def resolve(path: str, places: Places, base: str | None = None) -> str:
    """An absolute path without `~`, `.` or `..`, taken from `base` or the working directory."""
    if path == "~" or path.startswith("~/"):
        path = places.home + path[1:]
    joined = posixpath.join(base or places.cwd, path)
    normal = posixpath.normpath(joined)
    return normal[1:] if normal.startswith("//") else normal


def glob_regex(pattern: str, places: Places) -> str:
    """A path glob as a regular expression for resolved paths.

    No slash: that name at any depth. A slash: from the project's root. `/…` and `~/…` as they stand. A slash at the
    end: everything below. `*` stays within a name, `**` does not.
    """
    below = pattern.endswith("/") and pattern != "/"
    body = pattern.rstrip("/") if below else pattern
    head = r"(?s)\A"
    if "/" not in pattern and body not in ("~", "**"):
        head += "(?:.*/)?"
    else:
        body = _normal(body) if body.startswith("/") else resolve_glob(body, places)
    tail = r"(?:/.*)\z" if below else r"\z"
    return head + _translate(body) + tail


def resolve_glob(pattern: str, places: Places) -> str:
    """A glob made absolute: `~/` from the home directory, anything else from the project's root."""
    if pattern == "~" or pattern.startswith("~/"):
        return _normal(places.home + pattern[1:])
    if pattern.startswith("**/"):
        return "/" + pattern
    return _normal(posixpath.join(places.project, pattern))


def _normal(path: str) -> str:
    normal = posixpath.normpath(path)
    return normal[1:] if normal.startswith("//") else normal


_PART = re.compile(r"\*\*/|/\*\*\Z|\*\*|\*|\?|\[(!?)([^\]/]+)\]|\{([^{}/]*)\}|.", re.DOTALL)


def _translate(pattern: str) -> str:
    out = []
    for part in _PART.finditer(pattern):
        text = part[0]
        if text == "**/":
            out.append("(?:.*/)?")
        elif text == "/**":
            out.append("(?:/.*)?")
        elif text == "**":
            out.append(".*")
        elif text == "*":
            out.append("[^/]*")
        elif text == "?":
            out.append("[^/]")
        elif part[2]:
            chosen = re.escape(part[2]).replace(r"\-", "-")
            out.append(f"[{'^/' if part[1] else ''}{chosen}]")
        elif part[3] is not None and "," in part[3]:
            out.append("(?:" + "|".join(_translate(choice) for choice in part[3].split(",")) + ")")
        else:
            out.append(re.escape(text))
    return "".join(out)
