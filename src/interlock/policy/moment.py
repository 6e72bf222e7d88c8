"""One event as the rules see it: its call, its facts, and the variables of their expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from interlock.event import Event, PostToolUse, ToolEvent, UserPromptSubmit, payload_of
from interlock.facts.fields import ToolUse, use_of
from interlock.facts.gather import Facts, PathUse, gather
from interlock.facts.paths import Places
from interlock.facts.results import meaning
from interlock.facts.shell import Command
from interlock.facts.tools import kind_of
from interlock.facts.urls import Url
from interlock.policy.expressions import Language
from interlock.policy.history import History, own_name

__all__ = ["Item", "Moment", "Situation"]

JsonObject: TypeAlias = dict[str, Any]
RunCheck: TypeAlias = Callable[[str | list[str], float], tuple[int, str]]


class Situation(Struct, frozen=True, kw_only=True):
    """What is known of an event beside the event: passed in, so that rules need no I/O."""

    event: Event
    host: str
    places: Places
    now: datetime
    state: Mapping[str, Any] = {}
    unknown: frozenset[str] = frozenset()
    branch: str = ""
    user: str = ""
    history: History | None = None
    exists: Callable[[str], bool] = lambda path: False
    run: RunCheck | None = None


class Item(Struct, frozen=True):
    """What a rule is tried on."""

    command: Command | None = None
    path: PathUse | None = None
    url: Url | None = None
    text: str | None = None

    def as_match(self) -> JsonObject:
        found: JsonObject = {}
        if self.command is not None:
            found["command"] = _command(self.command)
        if self.path is not None:
            found["path"] = self.path.path
        if self.url is not None:
            found["url"] = _url(self.url)
        if self.text is not None:
            found["text"] = self.text
        return found


class Moment:
    """An event with one input: what would run now, or the original."""

    def __init__(self, situation: Situation, given: JsonObject, tools: dict[str, ToolUse], output: Any = UNSET) -> None:
        self.situation = situation
        self.event = situation.event
        self.event_name = situation.event.hook_event_name
        self.given = given
        self._tools = tools
        self._output = output
        self._activations: dict[int, Any] = {}

    @cached_property
    def tool(self) -> str:
        return self.event.tool_name if isinstance(self.event, ToolEvent) else ""

    @cached_property
    def kind(self) -> str:
        return use_of(self.tool, self._tools).kind or kind_of(self.tool) or ""

    @cached_property
    def agent(self) -> str:
        return (self.event.agent_type or "agent") if self.event.agent_id else "main"

    @cached_property
    def source(self) -> str:
        server = self.event.mcp_server if isinstance(self.event, ToolEvent) else None
        return server.source if server is not None else ""

    @cached_property
    def prompt(self) -> str:
        return self.event.prompt if isinstance(self.event, UserPromptSubmit) else getattr(self.event, "prompt", "")

    @cached_property
    def facts(self) -> Facts:
        situation = self.situation
        return gather(self.event, self.given, situation.places, situation.exists, self._tools)

    @cached_property
    def output(self) -> Any:
        if self._output is not UNSET:
            return self._output
        if isinstance(self.event, PostToolUse):
            return meaning(self.event.tool_name, self.event.tool_response)
        return None

    # --- the variables of expressions ----------------------------------------------------------------------

    def activation(self, language: Language, item: Item | None = None, run: tuple[int, str] | None = None) -> Any:
        """The values of all variables; shared by all expressions of one language unless an item is looked at."""
        if item is None and run is None:
            found = self._activations.get(id(language))
            if found is None:
                found = self._activations[id(language)] = language.activation(self._data(language))
            return found
        more: JsonObject = {}
        if item is not None:
            more["match"] = item.as_match()
        if run is not None:
            more["run"] = {"code": run[0], "out": run[1]}
        return language.activation({**self._data(language), **more})

    def _data(self, language: Language) -> JsonObject:
        kept = {name: own_name(language.policy, name) for name in language.state}
        state = {
            f"state.{name}": self.situation.state.get(kept[name], default)
            for name, default in language.state.items()
            if kept[name] not in self.situation.unknown
        }
        return {**self._shared, **language.constants, **state}

    @cached_property
    def _shared(self) -> JsonObject:
        event, situation, facts = self.event, self.situation, self.facts
        original = event.tool_input if isinstance(event, ToolEvent) else {}
        server = event.mcp_server if isinstance(event, ToolEvent) else None
        return {
            "event": {**payload_of(event), "name": self.event_name},
            "tool": self.tool,
            "kind": self.kind,
            "agent": self.agent,
            "mode": event.permission_mode or "default",
            "host": situation.host,
            "branch": situation.branch,
            "project": situation.places.project,
            "server": {"name": server.name, "source": server.source} if server else {"name": "", "source": ""},
            "input": self.given,
            "original": original,
            "output": self.output,
            "response": event.tool_response if isinstance(event, PostToolUse) else None,
            "commands": [_command(command) for command in facts.commands],
            "reads": [use.path for use in facts.paths if use.read],
            "writes": [use.path for use in facts.paths if use.write],
            "creates": [use.path for use in facts.paths if use.create],
            "deletes": [use.path for use in facts.paths if use.delete],
            "urls": [_url(url) for url in facts.urls],
            "secrets": [{"kind": secret.kind} for secret in facts.secrets],
            "opaque": facts.opaque,
            "session": {"id": event.session_id, "cwd": situation.places.cwd, "user": situation.user},
            "now": situation.now,
        }


def _command(command: Command) -> JsonObject:
    return {"program": command.program, "args": list(command.args), "text": command.text, "env": command.env}


def _url(url: Url) -> JsonObject:
    return {"url": url.url, "host": url.host, "port": url.port or 0}
