"""What Interlock itself runs on, and whether it would guard a session elsewhere.

Whoever writes the interpreter that an entry names, a library that the daemon loads, or a file that Python runs before
either, decides what Interlock says. So agents may not write those: by hand, that is. A package manager that works on
the same environment is free to, and the doctor says where that is so.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import json
from msgspec.structs import replace

from interlock.config.bundles import find_pack
from interlock.config.layers import own_files, own_files_policy
from interlock.hosts.claude_code.places import python
from interlock.hosts.claude_code.settings_rules import matches_all
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.policy.load import Policy, load_policy

__all__ = ["LIBRARIES", "built_in_policies", "environment_folder", "guards_with", "runtime_files"]

# What the package imports that does not come with Python, by the names that are imported.
LIBRARIES = (
    "_yaml", "anyio", "cel_expr_python", "click", "h11", "httptools", "jinja2", "markupsafe", "msgspec", "re2",
    "starlette", "uvicorn", "yaml",
)  # fmt: skip
# Files in a folder for packages that Python runs before anything else.
_BEFORE = ("*.pth", "sitecustomize*", "usercustomize*", "__editable__*", "_editable_impl_*")
_SOMETHING = "…"  # in it: what a search for all files finds there, say
_PACKAGES = ("site-packages", "dist-packages")
_MOST_LINKS = 16
_FREE = ("plans", "projects", "todos")  # parts of a person's folder that the host and its agents write all the time
_OWN_NAME = re.compile(r"\binterlock\b")


def built_in_policies(
    policies: Sequence[Policy], depends: Sequence[str], config: Path | None = None
) -> tuple[Policy, ...]:
    """The policies that protect the files that these policies, and Interlock itself, are made of.

    `config`: the host's folder of a person, where that is not the usual one.
    """
    own = own_files_policy((*own_files(policies), *depends))
    runtime = _runtime_policy(os.getpid(), os.environ.get("PATH", ""), "" if config is None else str(config))
    # What they name differs from process to process; two guards of the same policies judge the same all the same.
    return replace(own, digest="built in"), replace(runtime, digest="built in")


@lru_cache(maxsize=64)
def _runtime_policy(process: int, path: str, config: str) -> Policy:
    deny = "Interlock runs on ${match.path}. Say what you need changed; a person does it."
    library = [f"{_plain(folder)}/" for folder in _standard_library()]
    apart = [f"{folder}{name}/" for folder in library for name in _PACKAGES]
    rules: list[Mapping[str, Any]] = [
        {"id": "own-runtime", "path": {"write": list(runtime_files(path))}, "deny": deny},
        {"id": "own-library", "path": {"write": library}, "unless": {"path": apart}, "deny": deny},
        {
            "id": "own-process",
            "command": rf"/^(\S*/)?kill\s(.*\s)?-?{process}(\s|$)/",
            "deny": "`${match.command.text}` would end Interlock's daemon. Leave it running.",
        },
    ]
    if config:
        free = [f"{_plain(config)}/{name}/" for name in _FREE]
        text = "The host loads ${match.path} by itself. Say what you need in it; a person does it."
        write = {"write": [f"{_plain(config)}/"]}
        rules.append({"id": "own-settings", "path": write, "unless": {"path": free}, "deny": text})
    return load_policy(json.encode({"version": 1, "rules": rules}), f"{__file__} (own runtime)", find_pack)


def runtime_files(path: str = "") -> tuple[str, ...]:
    """Globs for what Interlock runs on: interpreter, environment, libraries, and `interlock` wherever `path` has it."""
    found = [_plain(place) for place in _chain(str(python()))]
    if sys.prefix != sys.base_prefix:
        found += [f"{_plain(sys.prefix)}/{name}" for name in ("pyvenv.cfg", _SOMETHING, f"bin/{_SOMETHING}")]
    for folder in (*site.getsitepackages(), site.getusersitepackages()):
        found += [f"{_plain(folder)}/{name}" for name in (*_BEFORE, _SOMETHING)]
    found += [_plain(place) for library in LIBRARIES for place in _places_of(library)]
    for folder in path.split(os.pathsep):
        if folder.startswith("/"):
            found += [f"{_plain(place)}/interlock" for place in dict.fromkeys((folder, os.path.realpath(folder)))]
    program = shutil.which("interlock", path=path) if path else None
    found += [_plain(place) for place in _chain(program)] if program else []
    return tuple(dict.fromkeys(found))


def environment_folder() -> Path:
    """The virtual environment that Interlock runs in, or where its interpreter is installed."""
    return Path(sys.prefix)


def guards_with(config: Path | None) -> Callable[[str], bool]:
    """Whether a client that starts in a folder would ask Interlock about every call, by the settings it would read."""

    def guards(folder: str) -> bool:
        try:
            found = settings_state(Path(folder), config_dir=config)
        except (OSError, RuntimeError):  # a folder that cannot be looked into
            return False
        if "PreToolUse" in found.running:
            return True
        beside = (hook for hook in found.beside if hook.event == "PreToolUse" and matches_all(hook.matcher))
        return not found.off and any(_OWN_NAME.search(hook.what) for hook in beside)

    return guards


def _standard_library() -> list[str]:
    named = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
    return list(dict.fromkeys(place for name in named if name for place in (name, os.path.realpath(name))))


def _chain(path: str) -> Iterator[str]:
    """A file and all that it leads through: each link, and the links among the folders above."""
    current = os.path.abspath(path)  # noqa: PTH100 - a Path would follow links, which are what is looked for
    for _ in range(_MOST_LINKS):
        yield current
        yield from (str(folder) for folder in Path(current).parents if folder.is_symlink())
        if not Path(current).is_symlink():
            break
        current = os.path.normpath(Path(current).parent / os.readlink(current))  # noqa: PTH115
    yield os.path.realpath(path)


def _places_of(library: str) -> Iterator[str]:
    """A library's folders, each with all that is in it, or its one file."""
    found = importlib.util.find_spec(library)
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        yield f"{folder}/"
    if found is not None and found.submodule_search_locations is None and found.origin is not None:
        yield found.origin


def _plain(path: str) -> str:
    """A path as a glob: characters with a meaning in globs are replaced by `?`."""
    return re.sub(r"[*?\[\]{}$]", "?", path)
