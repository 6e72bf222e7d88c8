"""Paths as a shell and a file system would take them, and globs for them. Reads nothing from the disk."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from interlock.facts.credential_files import CREDENTIALS, LIKELY, PUBLIC, SAMPLES

__all__ = [
    "PATH_GROUPS", "PATH_KINDS", "UNKNOWN", "Files", "NoFiles", "Places", "anchor_of", "below", "glob_regex", "is_glob",
    "join_path", "kind_of_path", "resolve", "sample_of", "visible_path",
]  # fmt: skip

UNKNOWN = "\0"  # stands in a path for a part of it that only the run will tell


class Places(Struct, frozen=True):
    """Where relative paths start."""

    cwd: str = "/"
    project: str = "/"
    home: str = "/"


class Files(Protocol):
    """What may be asked of a file system. Whoever answers bounds the time that it takes."""

    def exists(self, path: str) -> bool:
        """Whether something is there, a link that leads nowhere included."""
        ...

    def real(self, path: str, *, follow: bool = True) -> str | None:
        """Where a path leads through links; without `follow` the last name is taken as it stands. None: unknown."""
        ...

    def glob(self, pattern: str) -> tuple[str, ...] | None:
        """The paths that a shell's pattern stands for. None: unknown, or too many."""
        ...

    def entries(self, folder: str) -> tuple[str, ...]:
        """Some of the names in a folder; none if it is no folder."""
        ...

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        """The text of a small file of the project, or with `anywhere` of any small file; or None."""
        ...

    def guards(self, folder: str) -> bool:
        """Whether an agent that starts in a folder would be guarded there by Interlock."""
        ...


class NoFiles:
    """A file system of which nothing is known."""

    def exists(self, path: str) -> bool:
        return False

    def real(self, path: str, *, follow: bool = True) -> str | None:
        return resolve(path, Places())

    def glob(self, pattern: str) -> tuple[str, ...] | None:
        return None

    def entries(self, folder: str) -> tuple[str, ...]:
        return ()

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        return None

    def guards(self, folder: str) -> bool:
        return False


def join_path(path: str, places: Places, base: str | None = None) -> str:
    """An absolute path that still has its `.` and `..`. What starts with an unknown part starts anywhere: `/\\0`."""
    if path == "~" or path.startswith("~/"):
        path = places.home + path[1:]
    elif path.startswith("~") and path[1].isalpha():
        path = path[1:] if path.startswith("~root/") or path == "~root" else f"home/{path[1:]}"
        path = f"/{path}"
    if path.startswith(UNKNOWN):
        return f"/{path}"
    return posixpath.join(base or places.cwd, path)


def resolve(path: str, places: Places, base: str | None = None) -> str:
    """An absolute path without `~`, `.` or `..`, taken from `base` or the working directory."""
    whole = join_path(path, places, base)
    if UNKNOWN in whole and ".." in whole:
        whole = _UP_FROM_UNKNOWN.sub(f"/{UNKNOWN}/", whole)
    whole = _OWN_PROCESS.sub(lambda found: places.cwd if found[1] == "cwd" else "/", posixpath.normpath(whole))
    normal = posixpath.normpath(whole)
    return normal[1:] if normal.startswith("//") else normal


def below(path: str, folder: str) -> bool:
    """Whether a path is the folder or lies in it."""
    return path == folder or path.startswith(folder if folder == "/" else f"{folder}/")


def visible_path(path: str) -> str:
    """A path for people and models: unknown parts as `…`."""
    if UNKNOWN not in path:
        return path
    return (
        path.removeprefix("/").replace(UNKNOWN, "…") if path.startswith(f"/{UNKNOWN}") else path.replace(UNKNOWN, "…")
    )


def is_glob(path: str) -> bool:
    """Whether a shell would look for files that a word stands for."""
    return not _WILD.isdisjoint(path)


# --- globs of rules ------------------------------------------------------------------------------------------------


def glob_regex(pattern: str, places: Places) -> str:
    """A path glob as a regular expression for resolved paths.

    No slash: that name at any depth. A slash: from the project's root. `/…` and `~/…` as they stand. A slash at the
    end: the folder and everything below. `*` stays within a name, `**` does not. Where the project and the home
    directory lie is no pattern, whatever characters are in their names.
    """
    head, body = r"(?s)\A", pattern
    if "/" not in pattern and pattern not in ("~", "**", "${project}"):
        head += "(?:.*/)?"
    elif pattern.startswith("**"):
        body = f"/{pattern}"
    else:
        folder, body = _root_of(pattern, places)
        head += _literal(folder)
    tree = body.endswith("/")
    return head + _translate(body.rstrip("/") if tree else body) + (r"(?:/.*)?\z" if tree else r"\z")


def _root_of(pattern: str, places: Places) -> tuple[str, str]:
    """A glob with a slash: the folder it starts from, and the rest of it."""
    if pattern.startswith("${project}"):
        return places.project, pattern.removeprefix("${project}")
    if pattern == "~" or pattern.startswith("~/"):
        return places.home, pattern[1:]
    if pattern.startswith("/"):
        return "/", pattern
    folder, body = places.project, pattern
    while body.startswith(("./", "../")):
        folder = posixpath.dirname(folder) if body.startswith("../") else folder
        body = body.partition("/")[2]
    return folder, f"/{body}"


@lru_cache(maxsize=16_384)
def anchor_of(pattern: str, places: Places) -> str | None:
    """The folder or file in which everything lies that a glob means; None if that may be anywhere."""
    if pattern.startswith("**") or ("/" not in pattern and pattern not in ("~", "${project}")):
        return None
    folder, body = _root_of(pattern, places)
    steps = []
    for step in body.split("/"):
        if not _SPECIAL.isdisjoint(step):
            break
        steps.append(step)
    return posixpath.normpath((folder.rstrip("/") + "/".join(steps)) or "/")


@lru_cache(maxsize=16_384)
def sample_of(pattern: str, places: Places, folder: str) -> str:
    """One path that a glob means, as plain as can be; a glob for any folder is taken to be in this one."""
    anchor = anchor_of(pattern, places)
    if anchor is None:
        whole = f"{folder.rstrip('/')}/{pattern.removeprefix('**/').rstrip('/')}"
    else:
        start, body = _root_of(pattern, places)
        whole = start.rstrip("/") + body.rstrip("/")
    return _WILD_PART.sub(lambda found: "x" if found[0] == "?" or found.start() == 0 else "", whole)


def _literal(folder: str) -> str:
    return "" if folder == "/" else re.escape(folder.rstrip("/"))


# Other names for the working directory and the root that every process has.
_OWN_PROCESS = re.compile(r"\A/+proc/(?:self|thread-self|\d+)/(cwd|root)(?=/|\Z)")
_UP_FROM_UNKNOWN = re.compile(r"\A.*\0[^/]*/+(?:[^/]+/+)*?\.\.(?:/+|\Z)", re.DOTALL)
_WILD = frozenset("*?[")
_SPECIAL = frozenset("*?[{")
_WILD_PART = re.compile(r"\*+|\?|\[[^\]/]+\]|\{[^{}/]*\}")
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


# --- kinds of places -----------------------------------------------------------------------------------------------

# Each kind as globs, the most telling first: a path in several has the kind that stands first.
PATH_KINDS: dict[str, tuple[str, ...]] = {
    "guard": (
        "**/interlock.yaml", "**/interlock.local.yaml", "~/.config/interlock/", "/etc/interlock/",
        "~/.local/state/interlock/", "**/site-packages/interlock/", "**/dist-packages/interlock/",
        "**/bin/interlock", "**/.bin/interlock", "**/shims/interlock", "**/Scripts/interlock*",
    ),
    "secret": (
        *CREDENTIALS, *LIKELY, ".envrc", ".npmrc", ".vault-token", "~/.config/gh/", "~/.kube/", "~/.mozilla/",
        "/etc/ssh/",
    ),
    "vcs": ("**/.git/", "**/.hg/", "**/.svn/", "**/.jj/"),
    "temp": (
        "/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/folders/", "/var/folders/", "/dev/shm/",  # noqa: S108
    ),
    "project": ("${project}/**",),
    "home": ("~/",),
    "system": (
        "/bin/", "/boot/", "/dev/", "/etc/", "/lib/", "/lib32/", "/lib64/", "/opt/", "/proc/", "/root/", "/run/",
        "/sbin/", "/snap/", "/srv/", "/sys/", "/usr/", "/var/", "/System/", "/Library/", "/Applications/",
        "/private/etc/", "/private/var/", "/nix/",
    ),
}  # fmt: skip

# Groups of files that rules may name beside the kinds; a path may be in several.
PATH_GROUPS: dict[str, tuple[str, ...]] = {
    "credentials": CREDENTIALS,
    "likely-credentials": LIKELY,
    "public-keys": PUBLIC,
    "credential-samples": SAMPLES,
}


@lru_cache(maxsize=256)
def _tests(places: Places) -> list[tuple[str, re.Pattern[str]]]:
    return [
        (kind, re.compile("|".join(f"(?:{_in_python(glob_regex(glob, places))})" for glob in globs), re.DOTALL))
        for kind, globs in PATH_KINDS.items()
    ]


def _in_python(pattern: str) -> str:
    return pattern.removeprefix("(?s)").removesuffix(r"\z") + r"\Z"


def kind_of_path(path: str, places: Places) -> str:
    """What sort of place a resolved path is in: the most telling one, or `other`."""
    if path == "/":
        return "system"
    return next((kind for kind, test in _tests(places) if test.match(path)), "other")
