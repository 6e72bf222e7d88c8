"""What the agent of the demonstration does: read from `story.yaml`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from msgspec import Struct, convert

__all__ = ["DemoCall", "Story", "StorySession", "read_story"]

JsonObject: TypeAlias = dict[str, Any]
_FOLDER = Path(__file__).parent
_SHELL: JsonObject = {"stderr": "", "interrupted": False}


class DemoCall(Struct, frozen=True, kw_only=True):
    """One call, what comes back if it runs, and what the agent does instead if it does not."""

    tool: str = "Bash"
    input: JsonObject = {}
    result: str = ""
    instead: tuple[DemoCall, ...] = ()
    said: Literal["yes", "no", "nothing"] = "yes"  # what a person answered, in a session of the past
    note: str | None = None
    agent: str | None = None
    beside: tuple[DemoCall, ...] = ()  # calls that are made at the same time

    @property
    def response(self) -> Any:
        """The result in the form that its tool gives it."""
        return {"stdout": self.result, **_SHELL} if self.tool == "Bash" else {"text": self.result}


class StorySession(Struct, frozen=True, kw_only=True):
    """One session: what the agent was asked to do, and its calls."""

    prompt: str
    calls: tuple[DemoCall, ...]


class Story(Struct, frozen=True, kw_only=True):
    """The sessions that play while somebody watches, and those that lie behind them."""

    live: tuple[StorySession, ...]
    past: tuple[StorySession, ...]
    everyday: tuple[DemoCall, ...]

    def history(self, now: datetime, days: int, seed: int = 7) -> Iterator[tuple[datetime, StorySession]]:
        """Sessions of the last days, each with when it began, at times at which people work; the oldest first."""
        chance = random.Random(seed)  # noqa: S311 - only for variety
        for day in range(days, 0, -1):
            morning = (now - timedelta(days=day)).replace(hour=9, minute=0, second=0, microsecond=0)
            is_weekend = morning.weekday() >= 5
            for part in range(0 if is_weekend else chance.choice((1, 2, 2, 3))):
                told = chance.choice(self.past)
                calls = list(told.calls)
                for _ in range(chance.randint(3, 9)):
                    calls.insert(chance.randrange(len(calls) + 1), chance.choice(self.everyday))
                yield (
                    morning + timedelta(hours=3 * part, minutes=chance.randrange(90)),
                    StorySession(prompt=told.prompt, calls=tuple(calls)),
                )


def read_story() -> Story:
    text = (_FOLDER / "story.yaml").read_text(encoding="utf-8")
    return convert(_spelled_out(yaml.safe_load(text)), Story)


def _spelled_out(value: Any) -> Any:
    """In the file, a shell call may be written as `{run: npm test}` and a file tool's as `{Read: src/a.ts}`."""
    if isinstance(value, list):
        return [_spelled_out(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {name: one if name == "input" else _spelled_out(one) for name, one in value.items()}
    if "run" in found:
        found["input"] = {"command": found.pop("run")}
    for tool in ("Read", "Edit", "Write"):
        if tool in found:
            path = found.pop(tool)
            found |= {"tool": tool, "input": {"file_path": path, **found.get("input", {})}}
    return found
