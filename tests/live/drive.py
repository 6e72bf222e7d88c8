"""The hosts: where each is installed, how it is pointed at the scripted model, and how it is run.

`command` runs one without a person, `at_terminal` in front of one. It lets everything run that Interlock lets run,
unless it is `careful`: then its own permissions are in force, and it asks a person about a `questionable` call.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pytest

from interlock.driving.drive import point_at
from interlock.driving.model import TASK, Model, Turn
from interlock.driving.scratch import put
from interlock.hosts import HOSTS as ROOMS
from interlock.hosts.base.driving import PROMPT, HostDrive, ModelCall
from interlock.hosts.codex.driving import config_text
from tests.live.world import Run, World

CHECKOUT = Path(__file__).parent.parent.parent
RECORDING_PLUGIN = Path(__file__).with_name("recorder.js")


def place(name: str) -> Path:
    """The folder that npm installed a host into: in .hosts, or where INTERLOCK_HOSTS says."""
    return Path(os.environ.get("INTERLOCK_HOSTS") or CHECKOUT / ".hosts") / name / "node_modules"


class Host(Protocol):
    """How one host is run: its words for the shell and for files, its hooks, and its command line."""

    name: str
    before: str  # the event before a tool runs
    after: str  # … and after
    failed: str  # … and after a command that ended with an error
    prompt: str  # when a person submits a prompt
    question: str  # how it begins to ask a person about a command, when it is up to its own permissions

    @property
    def binary(self) -> Path: ...
    def shell(self, command: str) -> ModelCall: ...
    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall: ...
    def serve(self, world: World, server: str, command: Sequence[str]) -> None: ...
    def mcp(self, server: str, tool: str, given: dict) -> ModelCall: ...
    def hooks(self, world: World, events: Sequence[str], *, timeout: float = 30) -> None: ...
    def absent(self, world: World, name: str) -> ModelCall: ...
    def helper(self) -> list[ModelCall]: ...
    def command(self, world: World, url: str) -> list[str]: ...
    def at_terminal(self, world: World, *, careful: bool = False) -> list[str]: ...
    def questionable(self, command: str) -> ModelCall: ...
    def environ(self, world: World, url: str) -> dict[str, str]: ...
    def prepare(self, world: World, url: str) -> None: ...


def run(host: Host, world: World, *turns: Turn, helper: Sequence[Turn] = (), limit: float = 120.0) -> Run:
    """Run a host once with a model that plays these turns, and as a subagent's `helper`."""
    with Model(turns, helper) as model:
        host.prepare(world, model.url)
        ran = world.play(host.command(world, model.url), environment(host, world, model.url), model, limit=limit)
    assert model.faults == []
    return ran


def environment(host: Host, world: World, url: str) -> dict[str, str]:
    """The whole environment of a host. Whatever would leave the machine is refused by the model's server."""
    return {**world.env(), "HTTPS_PROXY": url, **host.environ(world, url)}


class Room:
    """What the package knows of running a host: its room has it."""

    name: str
    flags: list[str]

    @property
    def binary(self) -> Path:
        raise NotImplementedError

    @property
    def drive(self) -> HostDrive:
        found = ROOMS[self.name].drive
        assert isinstance(found, HostDrive)
        return found

    def shell(self, command: str) -> ModelCall:
        return self.drive.call(command)

    def prepare(self, world: World, url: str) -> None:
        point_at(self.drive, url, world)

    def environ(self, world: World, url: str) -> dict[str, str]:
        return dict(self.drive.environ(url, world.home))

    def command(self, world: World, url: str) -> list[str]:
        starts = [str(node())] if self.binary.suffix == ".js" else []
        return [*starts, str(self.binary), *self.drive.words(world.project, self.flags)]


def required(host: Host) -> Host:
    """The host, or the reason for which its tests are skipped."""
    if not host.binary.is_file():
        pytest.skip(f"{host.name} is not installed: run `make hosts`")
    return host


# From some day on, Codex asks at its start whether a newer model is wanted. This is how it notes that it has asked.
_NO_NEWS = '[notice.model_migrations]\n{model} = "gpt-6-sol"\n'


@dataclass
class Codex(Room):
    name: str = "codex"
    before: str = "PreToolUse"
    after: str = "PostToolUse"
    failed: str = "PostToolUse"
    prompt: str = "UserPromptSubmit"
    question: str = "Would you like to run the following command?"
    flags: list[str] = field(default_factory=lambda: ["--dangerously-bypass-hook-trust"])
    model: str = "gpt-5.5"

    @property
    def binary(self) -> Path:
        return place(self.name) / "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"

    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall:
        lines = "".join(f"+{line}\n" for line in content.splitlines())
        return ModelCall("apply_patch", f"*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch\n")

    def serve(self, world: World, server: str, command: Sequence[str]) -> None:
        text = f"[mcp_servers.{server}]\ncommand = {json.dumps(command[0])}\nargs = {json.dumps(list(command[1:]))}\n"
        put(world.folder / "servers.toml", text)

    def mcp(self, server: str, tool: str, given: dict) -> ModelCall:
        return ModelCall(f"mcp__{server}__{tool}", given)

    def settings(self, world: World) -> Path:
        return world.home / ".codex" / "hooks.json"

    def hooks(self, world: World, events: Sequence[str], *, timeout: float = 30) -> None:
        listed = {
            event: [{"hooks": [{"type": "command", "command": shlex.join(world.hook(event)), "timeout": timeout}]}]
            for event in events
        }
        put(self.settings(world), json.dumps({"hooks": listed}))

    def prepare(self, world: World, url: str) -> None:
        text = config_text(url, world.project, self.model) + _NO_NEWS.format(model=json.dumps(self.model))
        servers = world.folder / "servers.toml"
        put(world.home / ".codex" / "config.toml", text + (servers.read_text() if servers.exists() else ""))

    def at_terminal(self, world: World, *, careful: bool = False) -> list[str]:
        own = ["-s", "read-only", "-a", "on-request"]
        chosen = own if careful else ["--dangerously-bypass-approvals-and-sandbox"]
        return [str(self.binary), "-C", str(world.project), *chosen, *self.flags, PROMPT]

    def questionable(self, command: str) -> ModelCall:
        leave = {"sandbox_permissions": "require_escalated", "justification": "It must be made."}
        return ModelCall("exec_command", {"cmd": command, **leave})

    def helper(self) -> list[ModelCall]:
        given = {"message": TASK, "task_name": "helper", "fork_turns": "none"}
        waits = ModelCall("wait_agent", {"timeout_ms": 20_000}, "collaboration")
        return [ModelCall("spawn_agent", given, "collaboration"), waits]

    def absent(self, world: World, name: str) -> ModelCall:
        return ModelCall("apply_patch", f"*** Begin Patch\n*** Delete File: {name}\n*** End Patch\n")


@dataclass
class CodexScripts(Codex):
    """Codex with a newer model, which calls every tool from a script in JavaScript."""

    model: str = "gpt-6-sol"

    def shell(self, command: str) -> ModelCall:
        return _script("exec_command", {"cmd": command}, "r.output")

    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall:
        return _script("apply_patch", super().write(world, name, content).input, "JSON.stringify(r)")

    def mcp(self, server: str, tool: str, given: dict) -> ModelCall:
        return _script(f"mcp__{server}__{tool}", given, "JSON.stringify(r)")


def _script(tool: str, given: dict | str, said: str) -> ModelCall:
    return ModelCall("exec", f"const r = await tools.{tool}({json.dumps(given)}); text({said});")


@dataclass
class Gemini(Room):
    name: str = "gemini"
    before: str = "BeforeTool"
    after: str = "AfterTool"
    failed: str = "AfterTool"
    prompt: str = "BeforeAgent"
    question: str = "Allow execution of"
    flags: list[str] = field(default_factory=lambda: ["--yolo", "--skip-trust"])

    @property
    def binary(self) -> Path:
        return place(self.name) / "@google/gemini-cli/bundle/gemini.js"

    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall:
        return ModelCall("write_file", {"file_path": str(world.project / name), "content": content})

    def serve(self, world: World, server: str, command: Sequence[str]) -> None:
        started = {"command": command[0], "args": command[1:], "trust": True}
        merge(self.settings(world), {"mcpServers": {server: started}})

    def mcp(self, server: str, tool: str, given: dict) -> ModelCall:
        return ModelCall(f"mcp_{server}_{tool}", given)

    def settings(self, world: World) -> Path:
        return world.home / ".gemini" / "settings.json"

    def hooks(self, world: World, events: Sequence[str], *, timeout: float = 30) -> None:
        listed = {
            event: [
                {"hooks": [{"type": "command", "command": shlex.join(world.hook(event)), "timeout": timeout * 1000}]}
            ]
            for event in events
        }
        merge(self.settings(world), {"hooks": listed})

    def at_terminal(self, world: World, *, careful: bool = False) -> list[str]:
        chosen = ["--skip-trust"] if careful else self.flags
        return [str(node()), str(self.binary), "-m", "gemini-2.5-flash", "-i", PROMPT, *chosen]

    def questionable(self, command: str) -> ModelCall:
        return self.shell(command)

    def helper(self) -> list[ModelCall]:
        return [ModelCall("invoke_agent", {"agent_name": "generalist", "prompt": TASK})]

    def absent(self, world: World, name: str) -> ModelCall:
        return ModelCall("read_file", {"file_path": str(world.project / name)})


@dataclass
class Qwen(Room):
    name: str = "qwen"
    before: str = "PreToolUse"
    after: str = "PostToolUse"
    failed: str = "PostToolUseFailure"
    prompt: str = "UserPromptSubmit"
    question: str = "Allow execution of"
    flags: list[str] = field(default_factory=lambda: ["--approval-mode", "yolo"])

    @property
    def binary(self) -> Path:
        return place(self.name) / "@qwen-code/qwen-code/cli-entry.js"

    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall:
        return ModelCall("write_file", {"file_path": str(world.project / name), "content": content})

    def serve(self, world: World, server: str, command: Sequence[str]) -> None:
        started = {"command": command[0], "args": command[1:], "trust": True}
        merge(self.settings(world), {"mcpServers": {server: started}})

    def mcp(self, server: str, tool: str, given: dict) -> ModelCall:
        return ModelCall(f"mcp__{server}__{tool}", given)

    def settings(self, world: World) -> Path:
        return world.home / ".qwen" / "settings.json"

    def hooks(self, world: World, events: Sequence[str], *, timeout: float = 30) -> None:
        listed = {
            event: [
                {"hooks": [{"type": "command", "command": shlex.join(world.hook(event)), "timeout": timeout * 1000}]}
            ]
            for event in events
        }
        merge(self.settings(world), {"hooks": listed})

    def at_terminal(self, world: World, *, careful: bool = False) -> list[str]:
        # Its usual mode has a model decide what is asked about.
        return [
            str(node()),
            str(self.binary),
            "-i",
            PROMPT,
            *(["--approval-mode", "default"] if careful else self.flags),
        ]

    def questionable(self, command: str) -> ModelCall:
        return self.shell(command)

    def helper(self) -> list[ModelCall]:
        chosen = {"subagent_type": "general-purpose", "run_in_background": False}
        return [ModelCall("agent", {"description": "a step", "prompt": TASK, **chosen})]

    def absent(self, world: World, name: str) -> ModelCall:
        return ModelCall("read_file", {"file_path": str(world.project / name)})


@dataclass
class Copilot(Room):
    name: str = "copilot"
    before: str = "PreToolUse"
    after: str = "PostToolUse"
    failed: str = "PostToolUse"
    prompt: str = "UserPromptSubmit"
    question: str = "Do you want to run this command?"
    flags: list[str] = field(default_factory=lambda: ["--allow-all-tools"])

    @property
    def binary(self) -> Path:
        return place(self.name) / "@github/copilot-linux-x64/copilot"

    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall:
        return ModelCall("create", {"path": str(world.project / name), "file_text": content})

    def serve(self, world: World, server: str, command: Sequence[str]) -> None:
        started = {"type": "local", "command": command[0], "args": command[1:], "tools": ["*"]}
        put(world.home / ".copilot" / "mcp-config.json", json.dumps({"mcpServers": {server: started}}))

    def mcp(self, server: str, tool: str, given: dict) -> ModelCall:
        return ModelCall(f"{server}-{tool}", given)

    def settings(self, world: World) -> Path:
        return world.project / ".github" / "hooks" / "raw.json"

    def hooks(self, world: World, events: Sequence[str], *, timeout: float = 30) -> None:
        listed = {
            event: [{"type": "command", "bash": shlex.join(world.hook(event)), "timeoutSec": timeout}]
            for event in events
        }
        put(self.settings(world), json.dumps({"version": 1, "hooks": listed}))

    def environ(self, world: World, url: str) -> dict[str, str]:
        cache = place(self.name).parent / "cache"  # it unpacks 235 MB there, once
        return {**super().environ(world, url), "XDG_CACHE_HOME": str(cache)}

    def at_terminal(self, world: World, *, careful: bool = False) -> list[str]:
        return [str(self.binary), "-i", PROMPT, *([] if careful else self.flags)]

    def questionable(self, command: str) -> ModelCall:
        return self.shell(command)

    def helper(self) -> list[ModelCall]:
        return [ModelCall("task", {"description": "a step", "prompt": TASK, "agent_type": "task", "name": "helper"})]

    def absent(self, world: World, name: str) -> ModelCall:
        return ModelCall("view", {"path": str(world.project / name)})


@dataclass
class OpenCode(Room):
    name: str = "opencode"
    before: str = "tool.execute.before"
    after: str = "tool.execute.after"
    failed: str = "tool.execute.after"
    prompt: str = "chat.message"
    question: str = "Permission required"
    flags: list[str] = field(default_factory=list)

    @property
    def binary(self) -> Path:
        return place(self.name) / "opencode-linux-x64/bin/opencode"

    def write(self, world: World, name: str, content: str = "a line\n") -> ModelCall:
        return ModelCall("write", {"filePath": str(world.project / name), "content": content})

    def serve(self, world: World, server: str, command: Sequence[str]) -> None:
        started = {"type": "local", "command": list(command), "enabled": True}
        merge(world.home / ".config" / "opencode" / "opencode.json", {"mcp": {server: started}})

    def mcp(self, server: str, tool: str, given: dict) -> ModelCall:
        return ModelCall(f"{server}_{tool}", given)

    def settings(self, world: World) -> Path:
        return world.home / ".config" / "opencode" / "plugins" / "recorder.js"

    def hooks(self, world: World, events: Sequence[str], *, timeout: float = 30) -> None:
        text = RECORDING_PLUGIN.read_text(encoding="utf-8").replace("= COMMAND", f"= {json.dumps(world.hook('')[:-1])}")
        put(self.settings(world), text)

    def at_terminal(self, world: World, *, careful: bool = False) -> list[str]:
        if careful:
            merge(world.home / ".config" / "opencode" / "opencode.json", {"permission": {"bash": "ask"}})
        return [str(self.binary), "--prompt", PROMPT]

    def questionable(self, command: str) -> ModelCall:
        return self.shell(command)

    def helper(self) -> list[ModelCall]:
        return [ModelCall("task", {"description": "a step", "prompt": TASK, "subagent_type": "general"})]

    def absent(self, world: World, name: str) -> ModelCall:
        return ModelCall("read", {"filePath": str(world.project / name)})


def node() -> Path:
    """A Node that is new enough for every host."""
    return place("node") / "node/bin/node"


def merge(file: Path, values: dict) -> None:
    """Add top-level values to a JSON file."""
    there = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    put(file, json.dumps({**there, **values}, indent=2))


CODEX_SCRIPTS = CodexScripts()
HOSTS: dict[str, Host] = {host.name: host for host in (Codex(), Gemini(), Qwen(), Copilot(), OpenCode())}
