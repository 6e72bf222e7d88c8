"""The rows of the real client: what Interlock adds to one of its tool calls, against `true` hooks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from bench.daemons import Home
from bench.measure import scratch_folder
from bench.real import Hooks, World, added
from bench.rows import Part, Row, Run, Skipped, Values

_CALLS = 40
# The events that a call raises from beginning to end.
_LIFE = ("PreToolUse", "PostToolUse", "PostToolBatch")
_TRUE = {"type": "command", "command": "true"}
ROWS = {
    "http": Row("PreToolUse in the real client, HTTP / a shell-form `true` hook", 1.3),
    "life spawned": Row("all events of a call in it, spawned / three `true` hooks", 2.0),
    "life http": Row("  the same over HTTP", 1.2),
    "none": Row("  a call without hooks", unit="ms", reference=True),
    "true ms": Row("  added by one `true`", unit="ms", reference=True),
    "three ms": Row("  added by three `true`", unit="ms", reference=True),
    "http ms": Row("  added by HTTP on PreToolUse", unit="ms"),
    "life spawned ms": Row("  added by all events, spawned", unit="ms"),
    "life http ms": Row("  added by all events over HTTP", unit="ms"),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    client = _installed()
    if client is None:
        raise Skipped("there is no client here; pip install claude-agent-sdk, or set INTERLOCK_CLIENT")
    with scratch_folder() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        homes = {transport: Home(folder / transport, transport=transport) for transport in ("spawn", "http")}
        for home in homes.values():
            stack.callback(home.stop)
        worlds = _worlds(folder, homes)
        yield lambda: _run(client, worlds)


def _worlds(folder: Path, homes: Mapping[str, Home]) -> dict[str, World]:
    """A project for each set of hooks. Installed entries are watched and put back, so no two share a settings file."""
    spawn, http = homes["spawn"], homes["http"]
    http.add_project(folder / "first" / "shop")
    return {
        "none": World(folder / "none", folder / "none" / "shop", {}),
        "true": World(folder / "true", folder / "true" / "shop", {"PreToolUse": _TRUE}),
        "three": World(folder / "three", folder / "three" / "shop", dict.fromkeys(_LIFE, _TRUE)),
        "http": World(http.home, folder / "first" / "shop", _first(http)),
        "life spawned": World(spawn.home, spawn.project, None),
        "life http": World(http.home, http.project, None),
    }


def _first(home: Home) -> Hooks:
    """The entries of a call's first event and of what starts a daemon."""
    return {event: home.entries[event] for event in ("SessionStart", "PreToolUse")}


def _run(client: Path, worlds: Mapping[str, World]) -> Values:
    plain, more = added(client, worlds["none"], {name: worlds[name] for name in worlds if name != "none"}, _CALLS)
    values = {"none": plain * 1e3, **{f"{name} ms": seconds * 1e3 for name, seconds in more.items()}}
    # On a busy machine a call with a hook can seem faster than one without; such a run says nothing about a ratio.
    if more["true"] > 0:
        values["http"] = more["http"] / more["true"]
    if more["three"] > 0:
        values |= {name: more[name] / more["three"] for name in ("life spawned", "life http")}
    return values


def _installed() -> Path | None:
    named = os.environ.get("INTERLOCK_CLIENT")
    spec = None if named else find_spec("claude_agent_sdk")
    found = Path(named) if named else Path(spec.origin).parent / "_bundled/claude" if spec and spec.origin else None
    return found if found is not None and found.is_file() else None


PART = Part("client", ROWS, _opens)
