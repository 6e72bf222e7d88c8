"""The hooks of Cursor's SDK: the calls that they are run for, and what came of each."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interlock.driving.scratch import put
from tests.live.drive import place
from tests.live.world import World

_DRIVER = Path(__file__).with_name("cursor_calls.mjs")
_SDK = place("cursor") / "@cursor" / "sdk" / "dist" / "esm" / "index.js"
_NODE = place("node") / "node" / "bin" / "node"


@dataclass(frozen=True)
class Made:
    """What became of one call."""

    ran: dict[str, Any] | None  # what reached the tool
    prompt: str | None  # why a person is asked, if the call was to be asked about
    outcome: str
    result: Any  # as the model gets it
    told: list[str]

    @property
    def reason(self) -> str:
        """Why it was refused."""
        return str(self.result.get("reason") or self.result.get("error"))


@dataclass(frozen=True)
class Ran:
    calls: list[Made]
    events: list[Any]
    problems: list[str]  # why Cursor ignores files of hooks


class CursorSdk:
    """The SDK in a world. `name` is the host's, by which Interlock's entries are put in place."""

    name = "cursor"

    def __init__(self) -> None:
        if not _SDK.is_file() or not _NODE.is_file():
            pytest.skip("cursor and its node are not installed: run `make hosts`")

    def hooks(self, world: World, /, **hooks: Sequence[dict[str, Any]]) -> None:
        """Hooks of the person, by the names of their events."""
        put(world.home / ".cursor" / "hooks.json", json.dumps({"version": 1, "hooks": hooks}))

    def run(
        self, world: World, *calls: dict[str, Any], events: Sequence[Any] = (), stdin: bool = True, editor: bool = False
    ) -> Ran:
        """`stdin`: hooks read an event there; else it is behind their command. `editor`: the process has its name."""
        node = _NODE
        if editor:
            node = world.folder / "cursor"
            if not node.exists():
                node.symlink_to(_NODE)
        plan = world.folder / "plan.json"
        said = {"root": str(world.project), "stdin": stdin, "calls": calls, "events": events}
        plan.write_text(json.dumps(said), encoding="utf-8")
        done = subprocess.run(
            [node, _DRIVER, _SDK.as_uri(), plan],
            cwd=world.project, env=world.env(), capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2_000:]  # before that it quotes a line of the whole SDK
        found = json.loads(done.stdout)
        return Ran([Made(**one) for one in found["calls"]], found["events"], found["problems"])


def shell(command: str, prints: str = "") -> dict[str, Any]:
    return {"kind": "shell", "args": {"command": command, "workingDirectory": ""}, "prints": prints}


def server(name: str, tool: str, prints: str = "", **given: Any) -> dict[str, Any]:
    return {"kind": "mcp", "args": {"providerIdentifier": name, "toolName": tool, "args": given}, "prints": prints}


def read(path: str, prints: str = "") -> dict[str, Any]:
    return {"kind": "read", "args": {"path": path}, "prints": prints}


def write(path: str, text: str) -> dict[str, Any]:
    return {"kind": "write", "args": {"path": path, "fileText": text}}


def delete(path: str) -> dict[str, Any]:
    return {"kind": "delete", "args": {"path": path}}


def keys(text: str) -> dict[str, Any]:
    return {"kind": "keys", "args": {"shellId": 7, "chars": text}}
