"""A program's name as the tables have it: without directory, suffix and version."""

from __future__ import annotations

import re

__all__ = ["candidates"]

_VERSION = re.compile(r"^(.+?)[-_.]?\d+(?:\.\d+)*t?$")


# What people call the scripts of a project. In a folder that holds no installed programs, they are those.
_OWN = frozenset({
    "batch", "configure", "coverage", "format", "import", "init", "install", "log", "open", "retry", "script", "serve",
    "set", "start", "sync", "task", "test", "watch",
})  # fmt: skip
_INSTALLED = frozenset({"bin", "sbin", ".bin", "libexec", "Scripts"})


def _is_own(folder: str, base: str) -> bool:
    return base in _OWN and folder[:1] not in {"/", "~", "$", "\0"} and _INSTALLED.isdisjoint(folder.split("/"))


def candidates(name: str) -> tuple[str, ...]:
    """The names to look for, the likeliest first."""
    base = name.rstrip("/").rpartition("/")[2]
    if "\\" in base:
        base = base.rpartition("\\")[2]
    if len(name) > len(base) and _is_own(name[: -len(base)], base):
        return ()
    found = [base]
    lower = base.lower()
    if lower != base:
        found.append(lower)
    for suffix in (".exe", ".com", ".cmd", ".bat"):
        if lower.endswith(suffix):
            found.append(lower[: -len(suffix)])
    bare = _VERSION.match(found[-1])
    if bare:
        found.append(bare[1])
    stem, dot, _ = lower.partition(".")
    if dot and stem in {"mkfs", "fsck", "umount", "mount"}:
        found.append(stem)
    if lower[:1] == "g" and len(lower) > 2:
        found.append(lower[1:])  # GNU programs on macOS
    return tuple(found)
