"""Transcripts for tests, in the form that Claude Code 2.1.325 writes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from interlock.config.bundles import core_policy, find_pack
from interlock.policy.load import Policy, load_policy
from interlock.replay.faults import Faults
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Scene, play
from interlock.replay.sources import find_sessions, in_order
from interlock.replay.steps import PastCall

__all__ = ["Transcript", "commands", "decisions", "pack", "play_all", "policy_of"]

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC).timestamp()
PROJECT = "/home/dev/shop"


class Transcript:
    """A file of one session or one subagent, written line by line."""

    def __init__(
        self,
        file: Path,
        *,
        session: str | None = None,
        agent: str | None = None,
        at: float = START,
        cwd: str = PROJECT,
        branch: str = "feature",
    ) -> None:
        self.file = file
        self.session = session or file.stem
        self.agent = agent
        self.at = at
        self.cwd = cwd
        self.branch = branch
        self._count = 0
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()

    def line(self, **fields: Any) -> dict[str, Any]:
        """Write a line with the fields that every message has."""
        self._count += 1
        self.at += 1
        written = datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {
            "parentUuid": None, "isSidechain": self.agent is not None,
            **({"agentId": self.agent} if self.agent else {}), "uuid": f"{self.file.stem}-{self._count:08}",
            "timestamp": written, "cwd": self.cwd, "sessionId": self.session, "version": "2.1.325",
            "gitBranch": self.branch, **fields,
        }  # fmt: skip
        self.raw(json.dumps(line, separators=(",", ":")))
        return line

    def raw(self, text: str) -> None:
        """Write any line."""
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(text + "\n")
        os.utime(self.file, (self.at, self.at))

    def prompt(self, text: str, mode: str = "default") -> None:
        self.line(type="user", message={"role": "user", "content": text}, permissionMode=mode)

    def call(self, tool: str, given: dict[str, Any], message: str | None = None) -> str:
        """A call without a result, and its id."""
        name = f"toolu_{self.file.stem}_{self._count}"
        block = {"type": "tool_use", "id": name, "name": tool, "input": given}
        said = {"id": message or f"msg_{self._count}", "role": "assistant", "content": [block]}
        self.line(type="assistant", message=said)
        return name

    def result(self, call: str, text: str = "", response: Any = None, *, error: bool = False, **fields: Any) -> None:
        block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}
        more = {} if response is None else {"toolUseResult": response}
        self.line(type="user", message={"role": "user", "content": [block]}, **more, **fields)

    def bash(self, command: str, stdout: str = "") -> str:
        """A shell command that ran."""
        call = self.call("Bash", {"command": command, "description": "a step"})
        self.result(call, stdout, {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False})
        return call

    def refuse(self, tool: str, given: dict[str, Any]) -> str:
        """A call that a person refused."""
        call = self.call(tool, given)
        self.result(call, "No.", "Error: No.", error=True, toolDenialKind="permission-rule",
                    permissionDecision={"decision": "reject", "source": "user_reject"})  # fmt: skip
        return call


def policy_of(*rules: str, top: str = "", file: str = "/home/dev/shop/interlock.yaml") -> Policy:
    """A policy of these rules, each written on one line as a YAML map."""
    listed = "".join(f"  - {rule}\n" for rule in rules) or "  []\n"
    return load_policy(f"version: 1\n{top}rules:\n{listed}", file, find_pack)


def pack(name: str) -> list[Policy]:
    """A shipped policy with the built-in rules."""
    file, text = find_pack(name, "")
    return [load_policy(text, file, find_pack), core_policy()]


def play_all(places: Sequence[Path], policies: Iterable[Policy], faults: Faults | None = None) -> list[Scene]:
    """Every call and prompt of the transcripts in these places, judged by the policies."""
    faults = faults or Faults()
    return list(play(in_order(find_sessions(places, faults)), [PastJudge(list(policies))], faults))


def commands(played: Iterable[Scene]) -> list[str]:
    """The shell commands among what was played."""
    return [
        one.what.input["command"] for one in played if isinstance(one.what, PastCall) and "command" in one.what.input
    ]


def decisions(played: Iterable[Scene]) -> list[str | None]:
    """The decision on each call."""
    return [one.said[0].call.decision for one in played if isinstance(one.what, PastCall)]
