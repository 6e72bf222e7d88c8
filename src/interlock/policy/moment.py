"""One event as the rules see it: its call, its facts, and the variables of their expressions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from interlock.event import Event, PostToolUse, ToolEvent, UserPromptSubmit, payload_of
from interlock.facts.fields import ToolUse, use_of
from interlock.facts.gather import Facts, PathUse, file_of, gather
from interlock.facts.paths import UNKNOWN, Places, kind_of_path, shown
from interlock.facts.results import event_after
from interlock.facts.shell import Command
from interlock.facts.tools import kind_of
from interlock.facts.urls import Url
from interlock.fold import Draft
from interlock.policy.bounds import Sizes
from interlock.policy.expressions import Language
from interlock.policy.history import EVERYTHING, own_name
from interlock.policy.situation import Situation

__all__ = ["Item", "Moment"]

JsonObject: TypeAlias = dict[str, Any]


class Item(Struct, frozen=True):
    """What a rule is tried on."""

    command: Command | None = None
    path: PathUse | None = None
    url: Url | None = None
    text: str | None = None

    def as_match(self, places: Places) -> JsonObject:
        found: JsonObject = {}
        if self.command is not None:
            found["command"] = _command(self.command)
        if self.path is not None:
            found["path"] = shown(self.path.path)
            found["kind"] = kind_of_path(self.path.path, places)
        if self.url is not None:
            found["url"] = _url(self.url)
        if self.text is not None:
            found["text"] = self.text
        return found


class Moment:
    """An event with the call as it stands: what would run or be read now, or the original."""

    def __init__(self, situation: Situation, draft: Draft, tools: dict[str, ToolUse]) -> None:
        self.situation = situation
        self.draft = draft
        self.event = situation.event if draft.result is UNSET else event_after(situation.event, draft)
        self.event_name = situation.event.hook_event_name
        self.given = draft.input
        self._tools = tools
        self._activations: dict[tuple[int, frozenset[str]], Any] = {}
        self._values: JsonObject = {}
        self._sizes = Sizes()

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
        return gather(self.event, self.given, situation.places, situation.world, self._tools)

    @cached_property
    def output(self) -> Any:
        return None if self.draft.result is UNSET else self.draft.result

    @cached_property
    def writes(self) -> dict[str, str]:
        """The files that the call writes, and how."""
        facts = self.facts
        return {
            use.path: "downloaded" if use.path in facts.downloaded else "written"
            for use in facts.all_paths
            if use.write and not use.glob and not use.delete and UNKNOWN not in use.path
        }

    # --- the variables of expressions ----------------------------------------------------------------------

    def activation(
        self, language: Language, names: frozenset[str], item: Item | None = None, run: tuple[int, str] | None = None
    ) -> Any:
        """The values of some variables; shared by all expressions that look at the same, unless there is an item."""
        if item is None and run is None:
            key = (id(language), names)
            found = self._activations.get(key)
            if found is None:
                found = self._activations[key] = language.activation(self._data(language, names), self._sizes)
            return found
        more: JsonObject = {}
        if item is not None:
            more["match"] = item.as_match(self.situation.places)
        if run is not None:
            more["run"] = {"code": run[0], "out": run[1]}
        return language.activation({**self._data(language, names), **more}, self._sizes)

    def _data(self, language: Language, names: frozenset[str]) -> JsonObject:
        kept = {name: own_name(language.policy, name) for name in language.state}
        values = self.situation.state or {}
        state = {
            f"state.{name}": values.get(kept[name], default)
            for name, default in language.state.items()
            if kept[name] not in self.situation.unknown
        }
        known = {name: self._value(name) for name in names}
        return {**known, **language.constants, **state}

    def lacks(self, lists: tuple[str, ...]) -> bool:
        """Whether one of these lists is empty."""
        return any(not self._value(name) for name in lists)

    def _value(self, name: str) -> Any:
        """The value of a variable, worked out when an expression first needs it."""
        if name not in self._values:
            self._values[name] = _VALUES[name](self)
        return self._values[name]


def _original(event: Event) -> JsonObject:
    return event.tool_input if isinstance(event, ToolEvent) else {}


def _server(moment: Moment) -> JsonObject:
    server = moment.event.mcp_server if isinstance(moment.event, ToolEvent) else None
    return {"name": server.name, "source": server.source} if server else {"name": "", "source": ""}


def _session(moment: Moment) -> JsonObject:
    situation = moment.situation
    return {"id": moment.event.session_id, "cwd": situation.places.cwd, "user": situation.world.user()}


def _fresh(moment: Moment) -> list[JsonObject]:
    wrote = moment.situation.wrote
    found = [
        (one, moment.writes.get(one.file) or wrote.get(one.file) or wrote.get(EVERYTHING)) for one in moment.facts.ran
    ]
    return [{"file": one.file, "by": one.by, "how": how} for one, how in found if how is not None]


def _used(sort: str) -> Callable[[Moment], list[str]]:
    return lambda moment: list(dict.fromkeys(shown(use.path) for use in moment.facts.all_paths if getattr(use, sort)))


_VALUES: dict[str, Callable[[Moment], Any]] = {
    "event": lambda moment: {**payload_of(moment.event), "name": moment.event_name},
    "tool": lambda moment: moment.tool,
    "kind": lambda moment: moment.kind,
    "agent": lambda moment: moment.agent,
    "mode": lambda moment: moment.event.permission_mode or "default",
    "host": lambda moment: moment.situation.host,
    "branch": lambda moment: moment.situation.branch,
    "project": lambda moment: moment.situation.places.project,
    "server": _server,
    "input": lambda moment: moment.given,
    "original": lambda moment: _original(moment.situation.event),
    "output": lambda moment: moment.output,
    "response": lambda moment: moment.event.tool_response if isinstance(moment.event, PostToolUse) else None,
    "commands": lambda moment: [_command(command) for command in moment.facts.all_commands],
    "reads": _used("read"),
    "writes": _used("write"),
    "creates": _used("create"),
    "deletes": _used("delete"),
    "sends": _used("send"),
    "urls": lambda moment: [_url(url) for url in moment.facts.all_urls],
    "secrets": lambda moment: [{"kind": secret.kind} for secret in moment.facts.secrets],
    "opaque": lambda moment: moment.facts.opaque,
    "unclear": lambda moment: list(moment.facts.reasons),
    "incomplete": lambda moment: list(moment.facts.incomplete),
    "unread": lambda moment: [{"file": one.file, "by": one.by} for one in moment.facts.unread],
    "fresh": _fresh,
    "session": _session,
    "now": lambda moment: moment.situation.now,
}


def _command(command: Command) -> JsonObject:
    use = command.use
    return {
        "program": _visible(command.program),
        "name": _visible(command.name),
        "args": [_visible(word) for word in command.args],
        "text": _visible(command.text),
        "words": _visible(command.words),
        "env": {name: _visible(value) for name, value in command.env.items()},
        "traits": sorted(use.traits),
        "opaque": command.opaque,
        "file": file_of(command),
        "pipeline": command.pipeline,
        "stage": command.stage,
    }


def _url(url: Url) -> JsonObject:
    return {"url": _visible(url.url), "host": _visible(url.host), "port": url.port or 0}


def _visible(text: str) -> str:
    return text.replace(UNKNOWN, "…") if UNKNOWN in text else text
