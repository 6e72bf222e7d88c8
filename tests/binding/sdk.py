"""The Agent SDK for tests: options under a policy, their callbacks called as the SDK would, and the real client."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

sdk = pytest.importorskip("claude_agent_sdk", reason="needs claude-agent-sdk: pip install 'interlock[agent-sdk]'")

from interlock.agent_sdk import guard  # noqa: E402
from interlock.store.memory import MemoryStore  # noqa: E402
from tests.e2e.model import MAIN, Model, Request, Turn  # noqa: E402
from tests.e2e.session import _QUIET  # noqa: E402

__all__ = ["answer", "decision", "guard", "hooks", "options_with", "play", "policy_of", "quiet", "sdk"]


def policy_of(folder: Path, *rules: str, top: str = "") -> Path:
    file = folder / "policy.yaml"
    listed = "rules:\n" + "".join(f"  - {rule}\n" for rule in rules) if rules else ""
    file.write_text(f"version: 1\n{top}\n{listed}", encoding="utf-8")
    return file


def options_with(folder: Path, *rules: str, options: Any = None, top: str = "", **more: Any) -> Any:
    """Options under these rules, with a store of their own in memory."""
    more.setdefault("store", MemoryStore())
    return guard(options, policy=policy_of(folder, *rules, top=top), project=folder, **more)


def hooks(event: str, *callbacks: Any, matcher: str | None = None, **more: Any) -> Any:
    """Options with hooks of the person's own."""
    return sdk.ClaudeAgentOptions(hooks={event: [sdk.HookMatcher(matcher, list(callbacks), **more)]})


def answer(options: Any, event: dict[str, Any]) -> dict[str, Any]:
    """What the one callback for an event returns."""
    ((matcher),) = options.hooks[event["hook_event_name"]]
    (callback,) = matcher.hooks

    async def main() -> Any:
        return await callback(event, event.get("tool_use_id"), {"signal": None})

    found = anyio.run(main)
    json.dumps(found)  # it goes over a wire
    return dict(found)


def decision(answered: dict[str, Any]) -> tuple[str | None, str | None]:
    said = answered.get("hookSpecificOutput") or {}
    return said.get("permissionDecision"), said.get("permissionDecisionReason")


class Ran:
    """What came of a session of the real client."""

    def __init__(self, requests: list[Request], messages: list[Any]) -> None:
        self._requests = requests
        self.messages = messages

    @property
    def results(self) -> list[tuple[str, bool]]:
        """The results of tools as the model saw them, without the client's own count of tokens."""
        found = [request for request in self._requests if request.body.get("tools")]
        return [(result.text.partition("<system-reminder>")[0].strip(), result.error) for result in found[-1].results()]

    @property
    def requests(self) -> int:
        """How often the model was asked for its next turn."""
        return len([request for request in self._requests if request.body.get("tools")])

    def reached_the_model(self, text: str) -> bool:
        return any(text in request.everything() for request in self._requests)


def quiet(url: str) -> dict[str, str]:
    """The environment of a client that talks to nobody but this model."""
    model = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "not-a-key", "NO_PROXY": "127.0.0.1"}
    return {**dict.fromkeys(_QUIET, "1"), **model}


def play(folder: Path, turns: Sequence[Turn], make: Any, **options: Any) -> Ran:
    """Run the real client against a model that plays these turns. `make` puts the options under a guard."""
    messages: list[Any] = []

    async def main(url: str) -> None:
        given = {"cwd": str(folder), "env": quiet(url), "setting_sources": [], "model": "claude-sonnet-4-5", **options}
        with anyio.fail_after(60):
            async with sdk.ClaudeSDKClient(make(sdk.ClaudeAgentOptions(**given))) as client:
                await client.query("go")
                async for message in client.receive_response():
                    messages.append(message)

    with Model({MAIN: turns}) as model:
        anyio.run(main, model.url)
    assert model.faults == []
    return Ran(model.requests, messages)
