"""One event with everything known beside it, and the panels that are asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.event import Event
from interlock.facts.lazy import lazy
from interlock.facts.paths import Files, NoFiles, Places
from interlock.facts.push import Repository
from interlock.fold import Answers, Round
from interlock.policy.history import SAID, TOLD, WROTE, History

__all__ = ["CheckOutcome", "NoWorld", "Panel", "Situation", "World"]

JsonObject: TypeAlias = dict[str, Any]


class CheckOutcome(Struct, frozen=True):
    """How a rule's `run` check ended, and what it printed."""

    code: int = 0
    stdout: str = ""
    stderr: str = ""

    @property
    def out(self) -> str:
        """Everything it printed: what went to stdout, then what went to stderr."""
        return (self.stdout + self.stderr).strip()

    def variables(self, most: int | None = None) -> JsonObject:
        """What expressions see of it as `run`; of each output, at most that many lines."""
        texts = {"out": self.out, "stdout": self.stdout.strip(), "stderr": self.stderr.strip()}
        return {"code": self.code, **{name: _last_lines(text, most) for name, text in texts.items()}}


def _last_lines(text: str, most: int | None) -> str:
    """The end of a text, where test runners and compilers sum up; its first line says how much is missing."""
    lines = text.splitlines() if most is not None else []
    left_out = len(lines) - (most or 0)
    if most is None or left_out <= 0:
        return text
    return "\n".join([f"… {left_out:,} line{'s' * (left_out != 1)} left out", *lines[left_out:]])


class World(Files, Protocol):
    """Everything outside an event that a rule can depend on."""

    def now(self) -> datetime: ...
    def places(self, event: Event) -> Places: ...
    def branch(self, project: str) -> str: ...
    def repository(self, folder: str) -> Repository | None: ...
    def user(self) -> str: ...
    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome: ...


class NoWorld(NoFiles):
    """A world that has nothing to look at: panels without rules need none."""

    def now(self) -> datetime:
        raise InterlockError("nobody says here what time it is")

    def places(self, event: Event) -> Places:
        return Places(event.cwd or "/", event.cwd or "/", "/")

    def branch(self, project: str) -> str:
        return ""

    def repository(self, folder: str) -> Repository | None:
        return None

    def user(self) -> str:
        return ""

    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome:
        raise InterlockError("its `run` check cannot be run here")


class Situation(Struct, frozen=True, kw_only=True, dict=True):
    """One event, and what is known beside it: passed in, so that those who judge need no I/O of their own.

    `raw` is the event as it came. `state` is None if nothing keeps any. `started` is a time of the monotonic clock: all
    rounds of one event share one deadline.
    """

    event: Event
    host: str = ""
    raw: bytes = b""
    now: datetime | None = None
    started: float = 0.0
    state: JsonObject | None = None
    unknown: frozenset[str] = frozenset()
    history: History | None = None
    world: World = NoWorld()

    @lazy
    def places(self) -> Places:
        return self.world.places(self.event)

    @lazy
    def branch(self) -> str:
        return self.world.branch(self.places.project)

    @lazy
    def changers(self) -> set[tuple[int, int]]:
        """Which rules have changed the call so far, by engine and number: asked again, they may not hold any more."""
        return set()

    @property
    def wrote(self) -> Mapping[str, str]:
        """The files that the session wrote, and how."""
        found: Mapping[str, str] = (self.state or {}).get(WROTE, {})
        return found

    @property
    def told(self) -> Mapping[str, str]:
        """The passages of results in this session that tried to command the model."""
        found: Mapping[str, str] = (self.state or {}).get(TOLD, {})
        return found

    @property
    def said(self) -> Mapping[str, str]:
        """The hosts, addresses and the like that prompts and calls of this session named."""
        found: Mapping[str, str] = (self.state or {}).get(SAID, {})
        return found


class Panel(Protocol):
    """Everyone who may have an opinion, numbered in policy order."""

    def ask(self, situation: Situation, round_: Round) -> Answers:
        """Answer one round, or raise InterlockError naming who failed."""
