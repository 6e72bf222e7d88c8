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
    joined = _OWN_PROCESS.sub(lambda found: places.cwd if found[1] == "cwd" else "/", posixpath.normpath(joined))
    normal = posixpath.normpath(joined)
    return normal[1:] if normal.startswith("//") else normal


def glob_regex(pattern: str, places: Places) -> str:
    """A path glob as a regular expression for resolved paths.

    No slash: that name at any depth. A slash: from the project's root. `/…` and `~/…` as they stand. A slash at the
    end: the folder and everything below. `*` stays within a name, `**` does not. Where the project and the home
    directory lie is no pattern, whatever characters are in their names.
    """
    head, body = r"(?s)\A", pattern
    if "/" not in pattern and pattern not in ("~", "**"):
        head += "(?:.*/)?"
    elif pattern.startswith("${project}"):
        head, body = head + _literal(places.project), pattern.removeprefix("${project}")
    elif pattern == "~" or pattern.startswith("~/"):
        head, body = head + _literal(places.home), pattern[1:]
    elif pattern.startswith("**"):
        body = f"/{pattern}"
    elif not pattern.startswith("/"):
        folder = places.project
        while body.startswith(("./", "../")):
            folder = posixpath.dirname(folder) if body.startswith("../") else folder
            body = body.partition("/")[2]
        head, body = head + _literal(folder), f"/{body}"
    below = body.endswith("/")
    return head + _translate(body.rstrip("/") if below else body) + (r"(?:/.*)?\z" if below else r"\z")


def _literal(folder: str) -> str:
    return "" if folder == "/" else re.escape(folder.rstrip("/"))


# Other names for the working directory and the root that every process has.
_OWN_PROCESS = re.compile(r"\A/+proc/(?:self|thread-self|\d+)/(cwd|root)(?=/|\Z)")
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
