"""One event as the rules see it: its call, its facts, and the variables of their expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from interlock.errors import Source
from interlock.event import Event, PostToolUse, ToolEvent, UserPromptSubmit, payload_of
from interlock.facts.fields import NO_USE, ToolUse, guess_of, use_of
from interlock.facts.gather import Facts, PathUse, file_of
from interlock.facts.injections.following import Passages, named_by
from interlock.facts.lazy import lazy
from interlock.facts.own_programs import OwnPrograms, ProgramReader, ProgramWatch
from interlock.facts.paths import UNKNOWN, kind_of_path, visible_path
from interlock.facts.results import event_after
from interlock.facts.shell import Command
from interlock.facts.tools import kind_of
from interlock.facts.urls import Url
from interlock.fold import Draft
from interlock.policy.bounds import Sizes
from interlock.policy.expressions import Given, Language
from interlock.policy.history import EVERYTHING
from interlock.policy.pushes import Pushes
from interlock.policy.situation import Situation
from interlock.verdict import Opinion

__all__ = ["PARTS", "DescribedProgram", "Item", "Moment"]

JsonObject: TypeAlias = dict[str, Any]
# A list that conditions look through → the part of a call's facts without which it is empty.
PARTS = {
    "texts": "texts", "urls": "all_urls", "secrets": "secrets", "unread": "unread", "unclear": "reasons",
    "incomplete": "incomplete", "fresh": "ran", "sends": "all_paths", "deletes": "all_paths", "creates": "all_paths",
    "writes": "all_paths", "orders": "orders", "followed": "",
}  # fmt: skip
_NO_STATE: JsonObject = {}
# They may be empty though the part is not.
_SOME_OF = frozenset({"fresh", "followed", "sends", "deletes", "creates", "writes"})


class Item(Struct, frozen=True):
    """What a rule is tried on."""

    command: Command | None = None
    path: PathUse | None = None
    url: Url | None = None
    text: str | None = None


class DescribedProgram(Struct, frozen=True):
    """A program of a call, where a policy describes it, and what it does by that."""

    program: str
    source: Source
    traits: tuple[str, ...]


class Moment:
    """An event with the call as it stands: what would run or be read now, or the original."""

    def __init__(
        self, situation: Situation, draft: Draft, tools: dict[str, ToolUse], own: ProgramReader | None = None
    ) -> None:
        """`tools` are tools, and `own` reads programs, that policies describe."""
        event = situation.event if draft.result is UNSET else event_after(situation.event, draft)
        self.situation = situation
        self.draft = draft
        self.event = event
        self.event_name = situation.event.hook_event_name
        self.given = draft.input
        self.tool = event.tool_name if isinstance(event, ToolEvent) else ""
        self.agent = (event.agent_type or "agent") if event.agent_id else "main"
        self.mode = event.permission_mode or "default"
        self.said: dict[int, Opinion | None] = {}  # what rules said that others wait for, by their numbers
        self.failed: set[int] = set()  # the numbers of rules that failed
        self._tools = tools
        self._own = own
        self._views: dict[int, Moment] = {}
        self._activations: dict[tuple[int, frozenset[str], int], Given] = {}
        self._states: dict[int, JsonObject] = {}
        self._matches: dict[int, JsonObject] = {}
        self._commands: dict[int, JsonObject] = {}
        self._values: JsonObject = {}
        self._sizes = Sizes()

    @lazy
    def kind(self) -> str:
        return self.use.kind or kind_of(self.tool) or ""

    @lazy
    def use(self) -> ToolUse:
        """What the tool's fields mean; of an MCP tool that nobody has described, what its name suggests."""
        found = use_of(self.tool, self._tools)
        return (guess_of(self.tool) or found) if found is NO_USE else found

    @lazy
    def is_guess(self) -> bool:
        """Whether the tool's name alone says what its fields mean: then nothing may be trusted on it."""
        return use_of(self.tool, self._tools) is NO_USE and guess_of(self.tool) is not None

    @lazy
    def source(self) -> str:
        server = self.event.mcp_server if isinstance(self.event, ToolEvent) else None
        return server.source if server is not None else ""

    @lazy
    def prompt(self) -> str:
        return self.event.prompt if isinstance(self.event, UserPromptSubmit) else getattr(self.event, "prompt", "")

    @lazy
    def facts(self) -> Facts:
        situation = self.situation
        return Facts(self.event, self.given, situation.places, situation.world, self._tools, self._own, situation.wrote)

    @lazy
    def met(self) -> frozenset[str]:
        """The programs that policies describe and the call runs, whichever rules know of that."""
        if not isinstance(self._own, ProgramWatch):
            return frozenset()
        _ = self.facts.parts  # reading them is meeting them
        return frozenset(self._own.met)

    @lazy
    def descriptions(self) -> tuple[DescribedProgram, ...]:
        """The programs of the call that were read by a policy's description."""
        found: dict[tuple[str, Source], set[str]] = {}
        for one in self.facts.all_commands:
            if one.use.described is not None:
                found.setdefault((one.name, one.use.described), set()).update(one.use.traits)
        return tuple(DescribedProgram(name, source, tuple(sorted(traits))) for (name, source), traits in found.items())

    def under(self, own: OwnPrograms | None) -> Moment:
        """The moment as rules see it that know these descriptions."""
        if own is None or own.names.isdisjoint(self.met):
            return self
        found = self._views.get(id(own))
        if found is None:
            found = self._views[id(own)] = Moment(self.situation, self.draft, self._tools, own)
            found.said, found.failed = self.said, self.failed
        return found

    def after(self, draft: Draft) -> Moment:
        """The moment as it is when the call has been changed to this."""
        return self if draft is self.draft else Moment(self.situation, draft, self._tools, self._own)

    @lazy
    def pushes(self) -> Pushes:
        return Pushes(self.facts, self.situation.places, self.situation.world)

    @property
    def output(self) -> Any:
        return None if self.draft.result is UNSET else self.draft.result

    @lazy
    def writes(self) -> dict[str, str]:
        """The files that the call writes, and how, as they are remembered."""
        facts = self.facts
        return facts.made if facts.lines or facts.paths else {}

    @lazy
    def names_from_orders(self) -> tuple[tuple[str, str], ...]:
        """What the call takes from orders in earlier results: sorts and texts."""
        told = self.situation.told
        if not told or not isinstance(self.event, ToolEvent):
            return ()
        passages = None if EVERYTHING in told else Passages(told.values())
        known = self.situation.said
        return tuple(
            one
            for one in named_by(self.facts, self.given, self.kind, self.situation.places)
            if one[1] not in known and (passages.name(*one) if passages is not None else one[0] in ("host", "mail"))
        )

    # --- the variables of expressions ----------------------------------------------------------------------

    def activation(
        self, language: Language, names: frozenset[str], item: Item | None = None, run: JsonObject | None = None
    ) -> Given:
        """The values of these variables; shared by all expressions that look at the same."""
        match = None
        if item is not None:
            alone = item.path is None and item.url is None and item.text is None
            match = (self._matches.get(id(item.command)) if alone else None) or self._match_of(item, alone=alone)
        key = (id(language), names, id(match))
        found = self._activations.get(key) if run is None else None
        if found is None:
            data = self._data(language, names)
            if match is not None:
                data["match"] = match
            if run is not None:
                data["run"] = run
            state = self._state(language) if language.state else _NO_STATE
            found = Given(language.environment.Activation(data), data, language, self._sizes, state)
            if run is None:
                self._activations[key] = found
        return found

    def _data(self, language: Language, names: frozenset[str]) -> JsonObject:
        values, constants = self._values, language.constants
        state = self._state(language) if language.state else _NO_STATE
        data: JsonObject = {}
        for name in names:
            if name in constants:
                data[name] = constants[name]
            elif name in values:
                data[name] = values[name]
            elif name in _VALUES:
                data[name] = values[name] = _VALUES[name](self)
            elif name in state:
                data[name] = state[name]
        return data

    def _state(self, language: Language) -> JsonObject:
        """The variables of a policy's state, but for those that nobody knows."""
        found = self._states.get(id(language))
        if found is None:
            values, unknown = self.situation.state or {}, self.situation.unknown
            found = self._states[id(language)] = {
                name: values.get(own, default) for name, own, default in language.kept if own not in unknown
            }
        return found

    def _match_of(self, item: Item, *, alone: bool) -> JsonObject:
        """What expressions see of an item. All rules that are tried on the same command alone see the same."""
        found: JsonObject = {}
        if item.command is not None:
            found["command"] = self.command(item.command)
        if item.path is not None:
            found["path"] = visible_path(item.path.path)
            found["kind"] = kind_of_path(item.path.path, self.situation.places)
        if item.url is not None:
            found["url"] = _url(item.url)
        if item.text is not None:
            found["text"] = item.text
        self._matches[id(item.command) if alone else -len(self._matches)] = found  # kept, so that its id stays its own
        return found

    def command(self, command: Command) -> JsonObject:
        """What expressions see of a command."""
        found = self._commands.get(id(command))
        if found is None:
            found = self._commands[id(command)] = _command(command)
        return found

    def lacks(self, lists: tuple[str, ...]) -> bool:
        """Whether one of these lists is empty."""
        for name in lists:  # at every event, where a generator costs more than the loop
            if (PARTS[name] and not getattr(self.facts, PARTS[name])) or (name in _SOME_OF and not self._value(name)):
                return True
        return False

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
    if not moment.facts.ran:
        return []
    origins = moment.facts.origins
    return [
        {"file": one.file, "by": one.by, "how": origin.word, "folder": origin.folder}
        for one in moment.facts.ran
        if (origin := origins.get(one.file)) is not None
    ]


def _paths_used_to(sort: str) -> Callable[[Moment], list[str]]:
    return lambda moment: (
        list(dict.fromkeys([visible_path(use.path) for use in moment.facts.all_paths if getattr(use, sort)]))
        if moment.facts.all_paths
        else []
    )


_VALUES: dict[str, Callable[[Moment], Any]] = {
    "event": lambda moment: {**payload_of(moment.event), "name": moment.event_name},
    "tool": lambda moment: moment.tool,
    "kind": lambda moment: moment.kind,
    "agent": lambda moment: moment.agent,
    "mode": lambda moment: moment.mode,
    "host": lambda moment: moment.situation.host,
    "branch": lambda moment: moment.situation.branch,
    "project": lambda moment: moment.situation.places.project,
    "server": _server,
    "input": lambda moment: moment.given,
    "original": lambda moment: _original(moment.situation.event),
    "output": lambda moment: moment.output,
    "response": lambda moment: moment.event.tool_response if isinstance(moment.event, PostToolUse) else None,
    "commands": lambda moment: [moment.command(command) for command in moment.facts.all_commands],
    "reads": _paths_used_to("read"),
    "writes": _paths_used_to("write"),
    "creates": _paths_used_to("create"),
    "deletes": _paths_used_to("delete"),
    "sends": _paths_used_to("send"),
    "urls": lambda moment: [_url(url) for url in moment.facts.all_urls],
    "secrets": lambda moment: [
        {"kind": secret.kind, "form": secret.form, "place": secret.place} for secret in moment.facts.secrets
    ],
    "orders": lambda moment: [{"kind": one.kind, "text": one.quote} for one in moment.facts.orders],
    "followed": lambda moment: [{"kind": kind, "text": _visible(text)} for kind, text in moment.names_from_orders],
    "opaque": lambda moment: moment.facts.opaque,
    "unclear": lambda moment: list(moment.facts.reasons),
    "incomplete": lambda moment: list(moment.facts.incomplete),
    "unread": lambda moment: [{"file": one.file, "by": one.by} for one in moment.facts.unread],
    "fresh": _fresh,
    "session": _session,
    "now": lambda moment: moment.situation.now,
}


def _command(command: Command) -> JsonObject:
    program, name, args, text, words = command.program, command.name, list(command.args), command.text, command.words
    env = dict(command.env)
    if UNKNOWN in "".join((name, text, words, *env.values())):
        program, name, text, words = _visible(program), _visible(name), _visible(text), _visible(words)
        args = [_visible(word) for word in args]
        env = {name: _visible(value) for name, value in env.items()}
    return {
        "program": program,
        "name": name,
        "args": args,
        "text": text,
        "words": words,
        "env": env,
        "traits": sorted(command.use.traits),
        "opaque": command.opaque,
        "file": file_of(command) if command.nested else "",
        "pipeline": command.pipeline,
        "stage": command.stage,
    }


def _url(url: Url) -> JsonObject:
    return {"url": _visible(url.url), "host": _visible(url.host), "port": url.port or 0}


def _visible(text: str) -> str:
    return text.replace(UNKNOWN, "…") if UNKNOWN in text else text
