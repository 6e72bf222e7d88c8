"""Load a policy file: every error of it in one run, packs and all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.effect import can
from interlock.errors import InterlockError, Source, did_you_mean
from interlock.event import EVENTS
from interlock.facts.fields import ToolUse, use_of
from interlock.facts.tools import KINDS
from interlock.policy.build import RuleBuilder, check_timeout, way_of
from interlock.policy.expressions import VARIABLES, Language, rules_awaited
from interlock.policy.names import ToolPattern
from interlock.policy.order import CircularRules, in_order
from interlock.policy.positions import Document, LocatedErrors, Node, read_with_errors, read_yaml
from interlock.policy.reader import PAGE, Reader, kind_of_value
from interlock.policy.rule import Rule, Way
from interlock.policy.schema import RULE_KEYS, TOP_KEYS
from interlock.policy.template import Text

if TYPE_CHECKING:
    from interlock.policy.inbox_settings import InboxSettings, RecordSettings
    from interlock.policy.programs import Description

__all__ = ["SCOPES", "ExternalHook", "FindPack", "Policy", "StateSpec", "load_policy"]

_IMPLIED = {"command": "shell", "write": "edit", "url": "fetch", "read": "read"}
_TAKEN = frozenset({"state", "count", "since", "sub", "redact", "has", "true", "false", "null", "in"})
SCOPES = ("session", "agent", "project", "user")
FindPack: TypeAlias = Callable[[str, str], tuple[str, bytes]]  # name, file that uses it → file, text


class StateSpec(Struct, frozen=True):
    """One variable a policy remembers."""

    default: Any
    scope: str = "session"


class ExternalHook(Struct, frozen=True, kw_only=True):
    """A program or URL that speaks a hook protocol, as the policy names it."""

    run: str | tuple[str, ...] | None = None
    url: str | None = None
    dialect: str = "claude-code"
    events: tuple[str, ...] = ("PreToolUse",)
    tool: ToolPattern | None = None
    timeout: float = 60.0
    name: str = ""
    source: Source | None = None


class Policy(Struct, frozen=True, kw_only=True):
    """One loaded policy file with its packs."""

    file: str
    rules: tuple[tuple[Rule, Language], ...] = ()
    state: dict[str, StateSpec] = {}
    tools: dict[str, ToolUse] = {}
    programs: dict[str, Description] = {}  # that it describes, by each of their names
    hook_files: tuple[tuple[str, Source], ...] = ()
    externals: tuple[ExternalHook, ...] = ()
    brief: bool = False
    observe: bool = False
    approve: Way | None = None  # where a person is asked; None: as it suits the host
    inbox: InboxSettings | None = None
    record: RecordSettings | None = None
    lines: tuple[str, ...] = ()
    digest: str = ""  # of its text and that of every pack it uses, and of how much of it is trusted


def load_policy(text: bytes | str, file: str, find_pack: FindPack | None = None, *, shared: bool = False) -> Policy:
    """The policy in `text`. Raises LocatedErrors holding every error of the file and its packs.

    One that is `shared` comes with a project, and may not say where requests are sent, nor how long records stay.
    """
    digest = hashlib.sha256(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))

    def find(name: str, used_in: str) -> tuple[str, bytes]:
        assert find_pack is not None  # noqa: S101 - given to the loader only then
        place, found = find_pack(name, used_in)
        digest.update(f"\0{place}\0{len(found)}\0".encode("utf-8", "surrogateescape") + found)
        return place, found

    document, unread = read_with_errors(text, file)
    if document is None:
        assert unread is not None  # noqa: S101 - there are errors where there is no document
        raise unread
    loader = _Loader(document, None if find_pack is None else find, {}, "", shared=shared)
    policy = loader.load()
    if unread is not None:
        raise _with_more(unread, loader.errors)
    if loader.errors:
        raise LocatedErrors(sorted(loader.errors, key=_place))
    return replace(policy, digest=digest.hexdigest())


def _place(error: InterlockError) -> tuple[str, int, int]:
    source = error.source or Source("", 0)
    return source.file, source.line, source.column


def _with_more(unread: LocatedErrors, found: list[InterlockError]) -> LocatedErrors:
    """What cannot be read, and what is wrong elsewhere: on the same lines, the one may only follow from the other."""
    lines = {error.source[:2] for error in unread.errors if error.source is not None}
    apart = [error for error in found if error.source is None or error.source[:2] not in lines]
    return LocatedErrors([*unread.errors, *apart], unread.stopped)


_NOBODY = (
    " That needs a person's approval, and no one is available to give it. "
    "Do it another way, or leave it undone and say so."
)


def _denying(rule: Rule) -> Rule:
    """The rule with a denial for its question. It still stops nothing that it did not stop before."""
    if rule.decision not in ("ask", "defer") or rule.reason is None:
        return rule
    parts = rule.reason.parts
    last = parts[-1] if parts and isinstance(parts[-1], str) else ""
    # "… Run it?" is for somebody who could say yes.
    stated = re.sub(r"(?<=[.!]) [A-Z][^.?!]*\?$", "", last)
    told = (*parts[:-1], stated + _NOBODY) if last else (*parts, _NOBODY)
    return replace(rule, decision="deny", reason=Text(told))


class _Loader:
    """Loads one file; packs are loaded by loaders of their own."""

    def __init__(
        self,
        document: Document,
        find_pack: FindPack | None,
        given: Mapping[str, Any],
        prefix: str,
        users: tuple[str, ...] = (),
        *,
        shared: bool = False,
    ) -> None:
        self._document = document
        self._shared = shared
        self._users = (*users, document.file)
        self._find_pack = find_pack
        self._given = given
        self._prefix = prefix
        self._early = Reader(document.lines, Language({}, {}), {})
        self.parts = self._early.mapping(document.root, "the policy")
        self._early.unknown_keys(document.root, TOP_KEYS, "the policy", "top")
        self.constants, self.conditions = self._let()
        self.state = self._state()
        defaults = {name: spec.default for name, spec in self.state.items()}
        language = Language(defaults, self.constants, policy=self._users[0])
        self.reader = Reader(document.lines, language, {})
        self._compile_conditions()
        self._packs: list[tuple[Rule, Language]] = []

    @property
    def errors(self) -> list[InterlockError]:
        return [*self._early.errors, *self.reader.errors]

    def load(self) -> Policy:
        self._version()
        packed = self._load_packs()
        if self._prefix:
            self.reader.own_rules({name: self._prefix + name for name in self._rule_names()})
        tools = self._tools()
        self.reader.own_tools = frozenset({*self._packed_tools, *tools})
        programs = self._programs()
        builder = RuleBuilder(self.reader, self._prefix)
        rules = [rule for node in self._rules() if (rule := builder.build(node)) is not None]
        listed = [*packed, *((rule, self.reader.language) for rule in rules)]
        self._check_asked([*(rule.id for rule, _ in packed), *self._rule_names()])
        listed = self._in_order(rules, listed)
        files, externals = self._hooks()
        return Policy(
            file=self._document.file,
            rules=tuple(listed),
            state={**self._packed_state, **self.state},
            tools={**self._packed_tools, **tools},
            programs={**self._packed_programs, **programs},
            hook_files=tuple(files),
            externals=tuple(externals),
            brief=self._flag("brief"),
            observe=self._flag("observe"),
            approve=self._way(),
            inbox=self._inbox(),
            record=self._record(),
            lines=self._document.lines,
        )

    # --- the top -----------------------------------------------------------------------------------------

    def _list(self, key: str) -> list[Node]:
        return self.reader.sequence(self.parts[key], f"`{key}`") if key in self.parts else []

    def _map(self, key: str) -> dict[str, Node]:
        return self._early.mapping(self.parts[key], f"`{key}`") if key in self.parts else {}

    def _flag(self, key: str) -> bool:
        return self.reader.flag(self.parts[key], f"`{key}`") if key in self.parts else False

    def _way(self) -> Way | None:
        return way_of(self.reader, self.parts["approve"]) if "approve" in self.parts else None

    def _inbox(self) -> InboxSettings | None:
        if "inbox" not in self.parts:
            return None
        from interlock.policy.inbox_settings import read_inbox  # noqa: PLC0415 - most policies load without it

        return read_inbox(self.parts["inbox"], self.reader, shared=self._shared)

    def _record(self) -> RecordSettings | None:
        if "record" not in self.parts:
            return None
        from interlock.policy.inbox_settings import read_record  # noqa: PLC0415

        return read_record(self.parts["record"], self.reader, shared=self._shared)

    def _version(self) -> None:
        node = self.parts.get("version")
        if node is None:
            self.reader.complain("the policy names no version", self._document.root.source, "start with `version: 1`")
        elif isinstance(node.value, str) and node.value.strip() == "1":
            self.reader.complain("`version` is a text, and a number is expected", node.source, "write `version: 1`")
        elif node.value != 1 or isinstance(node.value, bool):
            message = f"there is no version {json.encode(node.plain()).decode()} of the policy language"
            self.reader.complain(message, node.source, "write `version: 1`")

    def _let(self) -> tuple[dict[str, Any], dict[str, Node]]:
        constants: dict[str, Any] = {}
        conditions: dict[str, Node] = {}
        for name, node in self._map("let").items():
            text = node.value
            if isinstance(text, str) and text.startswith("${") and text.endswith("}"):
                conditions[name] = node
            else:
                constants[name] = node.plain()
        for name in (*constants, *conditions):
            self._check_name(name, "let")
            if name in VARIABLES or name in _TAKEN:
                self._early.complain(
                    f"`{name}` is a variable already", self._place_of(name, "let"), f"choose another name: `my_{name}`"
                )
        for name, value in self._given.items():
            conditions.pop(name, None)
            constants[name] = value
        return constants, conditions

    def _compile_conditions(self) -> None:
        """Compile each condition of `let` once by itself, so that its errors stand where it stands."""
        for name, node in self.conditions.items():
            made = self.reader.expression(node, node.value[2:-1], 2)
            # One that is wrong was complained about where it stands; whoever uses it is not to blame.
            self.reader.with_conditions({name: made.text if made is not None else "dyn(true)"})

    def _check_name(self, name: str, key: str) -> None:
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in ("true", "false", "null", "in"):
            cure = re.sub(r"\W", "_", name)
            help = f"write `{cure}`" if re.fullmatch(r"[A-Za-z_]\w*", cure) and cure != name else "choose another name"
            self._early.complain(
                f"an expression could not use the name `{name}`",
                self._place_of(name, key),
                f"{help}: letters, digits, `_`",
            )

    def _place_of(self, name: str, key: str) -> Source:
        return self.parts[key].keys.get(name, self.parts[key].source)

    def _state(self) -> dict[str, StateSpec]:
        found = {}
        for name, node in self._map("state").items():
            self._check_name(name, "state")
            parts = node.value if isinstance(node.value, dict) else {}
            if "default" not in parts and "scope" not in parts:
                found[name] = StateSpec(node.plain())
                continue
            self._early.unknown_keys(node, dict.fromkeys(("default", "scope")), f"state `{name}`", "state")
            if "default" not in parts:
                self._early.complain(f"state `{name}` has no default", node.source, "add one: `{default: 0}`")
            scope = self._early.one_of(parts["scope"], "`scope`", SCOPES) if "scope" in parts else "session"
            found[name] = StateSpec(parts["default"].plain() if "default" in parts else None, scope or "session")
        return found

    def _tools(self) -> dict[str, ToolUse]:
        found = {}
        known = ("kind", "command", "read", "write", "url", "content")
        for name, node in self._map("tools").items():
            if use_of(name) != ToolUse():
                help = "remove it: this is for tools of your own"
                self._early.complain(f"what {name} does is known already", self.parts["tools"].keys[name], help)
            parts = self._early.mapping(node, f"tool `{name}`")
            self._early.unknown_keys(node, dict.fromkeys(known), f"tool `{name}`")
            roles = {key: tuple(text for text, _ in self.reader.texts(parts[key], f"`{key}`"))
                     for key in known[1:] if key in parts}  # fmt: skip
            kind = self.reader.one_of(parts["kind"], "`kind`", KINDS) if "kind" in parts else None
            implied = next((_IMPLIED[role] for role in _IMPLIED if role in roles), None)
            found[name] = ToolUse(kind=kind or implied, **roles)  # type: ignore[arg-type]
        return found

    def _programs(self) -> dict[str, Description]:
        if "programs" not in self.parts:
            return {}
        # Few policies describe programs, and every event of a new process waits for what is imported.
        from interlock.policy.programs.own import read_own_programs  # noqa: PLC0415

        return read_own_programs(self.parts["programs"], self.reader, self._packed_programs)

    def _rule_names(self) -> list[str]:
        rules = self.parts["rules"].value if "rules" in self.parts else []
        if isinstance(rules, dict):
            return list(rules)
        listed = rules if isinstance(rules, list) else []
        found = [node.value.get("id") for node in listed if isinstance(node.value, dict)]
        return [str(node.value) for node in found if node is not None]

    # --- packs -------------------------------------------------------------------------------------------

    def _load_packs(self) -> list[tuple[Rule, Language]]:
        self._packed_state: dict[str, StateSpec] = {}
        self._packed_tools: dict[str, ToolUse] = {}
        self._packed_programs: dict[str, Description] = {}
        found: list[tuple[Rule, Language]] = []
        for node in self._list("packs"):
            found += self._load_pack(node)
        return found

    def _load_pack(self, node: Node) -> list[tuple[Rule, Language]]:
        parts = node.value if isinstance(node.value, dict) else {"use": node}
        if isinstance(node.value, dict):
            self.reader.unknown_keys(node, dict.fromkeys(("use", "with", "without", "asks")), "a pack", "pack")
        if "use" not in parts:
            self.reader.complain("a pack has no `use`", node.source, "name it: `{use: git}`")
            return []
        name = self.reader.text(parts["use"], "`use`")
        if name is None or self._find_pack is None:
            return []
        try:
            file, text = self._find_pack(name, self._document.file)
            document = read_yaml(text, file)
        except LocatedErrors as errors:
            self.reader.errors += errors.errors
            return []
        except InterlockError as error:
            self.reader.complain(error.message, parts["use"].source, error.help)
            return []
        return self._adopt(name, parts, document)

    def _adopt(self, name: str, parts: Mapping[str, Node], document: Document) -> list[tuple[Rule, Language]]:
        if document.file in self._users:
            self.reader.complain(f"the pack `{name}` uses itself", parts["use"].source, "remove it here or there")
            return []
        given = parts["with"].plain() if "with" in parts else {}
        if not isinstance(given, dict):
            help = "write `with: {name: value}`"
            self.reader.complain("`with` is not a map of parameters", parts["with"].source, help)
        else:
            given = {key: self._handed_on(value) for key, value in given.items()}
        short = name.rsplit("/", 1)[-1].removesuffix(".yaml")
        loader = _Loader(document, self._find_pack, given if isinstance(given, dict) else {}, f"{short}/", self._users)
        self._check_given(parts.get("with"), loader, short)
        policy = loader.load()
        self.reader.errors += loader.errors
        for shared in sorted(policy.state.keys() & self.state.keys()):
            message = f"the pack `{short}` has a variable `{shared}` of its own"
            self.reader.complain(message, self.parts["state"].keys[shared], "choose another name")
        if policy.hook_files or policy.externals:
            message = f"the pack `{short}` has hooks, which only a policy itself may bring"
            self.reader.complain(message, parts["use"].source, "name them under `hooks` of this policy")
        if policy.inbox is not None or policy.record is not None:
            key = "inbox" if policy.inbox is not None else "record"
            message = f"the pack `{short}` has the key `{key}`, which only a policy itself may have"
            self.reader.complain(message, parts["use"].source, "write it at the top of this policy")
        dropped = self._dropped_ids(parts.get("without"), policy, short)
        self._packed_state |= policy.state
        self._packed_tools |= policy.tools
        self._packed_programs |= policy.programs
        kept = [(rule, language) for rule, language in policy.rules if rule.id not in dropped]
        return [(_denying(rule), language) for rule, language in kept] if self._denies(parts.get("asks")) else kept

    def _denies(self, node: Node | None) -> bool:
        """Whether the pack's questions are denials here, since nobody is there to answer."""
        if node is None:
            return False
        if node.value != "deny":
            self.reader.complain("`asks` may only be `deny`", node.source, "leave it out to be asked")
        return True

    def _handed_on(self, value: object) -> object:
        """A parameter's value; `${name}` is the constant of that name."""
        if isinstance(value, str) and value.startswith("${") and value.endswith("}"):
            return self.constants.get(value[2:-1], value)
        return value

    def _check_given(self, node: Node | None, loader: _Loader, short: str) -> None:
        names = list(loader._map("let"))
        for name, source in node.keys.items() if node is not None else ():
            if name not in names:
                help = did_you_mean(name, names, f"it takes {', '.join(names) or 'none'}")
                self.reader.complain(f"the pack `{short}` has no parameter `{name}`", source, help)

    def _dropped_ids(self, node: Node | None, policy: Policy, short: str) -> set[str]:
        dropped = set()
        ids = [rule.id for rule, _ in policy.rules]
        for text, place in self.reader.texts(node, "`without`") if node is not None else ():
            whole = text if "/" in text else f"{short}/{text}"
            if whole not in ids:
                known = [rule.removeprefix(f"{short}/") for rule in ids]
                help = did_you_mean(text, known, f"its rules: {', '.join(known)}")
                self.reader.complain(f"the pack `{short}` has no rule `{text}`", place.source, help)
            dropped.add(whole)
        return dropped

    # --- hooks -------------------------------------------------------------------------------------------

    def _hooks(self) -> tuple[list[tuple[str, Source]], list[ExternalHook]]:
        files: list[tuple[str, Source]] = []
        externals: list[ExternalHook] = []
        for node in self._list("hooks"):
            if isinstance(node.value, dict):
                made = self._external(node)
                externals += [made] if made is not None else []
            elif (text := self.reader.text(node, "a hook")) is not None:
                files.append((text, node.source))
        return files, externals

    def _external(self, node: Node) -> ExternalHook | None:
        reader, parts = self.reader, self.reader.mapping(node, "a hook")
        reader.unknown_keys(node, dict.fromkeys(_HOOK_KEYS), "a hook", "hook")
        if ("run" in parts) == ("url" in parts):
            reader.complain("a hook has either `run` or `url`", node.source, "write `run: ./check.sh`, for example")
            return None
        run = self._hook_run(parts["run"]) if "run" in parts else None
        url = reader.text(parts["url"], "`url`") if "url" in parts else None
        name = reader.text(parts["name"], "`name`") if "name" in parts else None
        dialect = reader.one_of(parts["dialect"], "`dialect`", ("claude-code", "flat")) if "dialect" in parts else None
        events = self._hook_events(parts)
        return ExternalHook(
            run=run,
            url=url,
            dialect=dialect or "claude-code",
            events=events,
            tool=self._hook_tool(parts),
            timeout=self._hook_timeout(parts, events),
            name=name or url or (run if isinstance(run, str) else " ".join(run or ())),
            source=node.source,
        )

    def _hook_run(self, node: Node) -> str | tuple[str, ...] | None:
        if isinstance(node.value, list):
            if not node.value:
                self.reader.complain("`run` is an empty list", node.source, "name a program")
            return tuple(str(word.value) for word in node.value)
        return self.reader.text(node, "`run`")

    def _hook_timeout(self, parts: Mapping[str, Node], events: tuple[str, ...]) -> float:
        if "timeout" not in parts:
            return min([60.0, *(can(event).seconds for event in events)])
        seconds = self.reader.duration(parts["timeout"], "`timeout`") or 60.0
        check_timeout(self.reader, parts["timeout"], seconds, events)
        return seconds

    def _hook_events(self, parts: Mapping[str, Node]) -> tuple[str, ...]:
        found = []
        for name, node in self.reader.texts(parts["event"], "`event`") if "event" in parts else ():
            if name not in EVENTS:
                help = did_you_mean(name, list(EVENTS), f"{PAGE} lists the events")
                self.reader.complain(f"unknown event `{name}`", node.source, help)
            found.append(name)
        return tuple(found) or ("PreToolUse",)

    def _hook_tool(self, parts: Mapping[str, Node]) -> ToolPattern | None:
        if "tool" not in parts:
            return None
        try:
            return ToolPattern([text for text, _ in self.reader.texts(parts["tool"], "`tool`")], self.reader.own_tools)
        except InterlockError as error:
            self.reader.complain(error.message, parts["tool"].source, error.help)
            return None

    def _check_asked(self, ids: list[str]) -> None:
        """count() and since() must ask about rules that exist: a misspelt one would always say never."""
        for function, asked, source in self.reader.questions:
            if asked is not None and asked not in ids and asked.removeprefix(self._prefix) not in ids:
                some = ", ".join(f"`{name}`" for name in ids[:_MOST_LISTED])
                help = did_you_mean(asked, ids, f"the rules here are {some}" if some else "add a rule of that name")
                self.reader.complain(f'{function}("{asked}") asks about a rule that does not exist', source, help)

    def _rules(self) -> list[Node]:
        """The nodes of the rules. What is written as a map is read as the rules that it means, for their errors."""
        node = self.parts.get("rules")
        if node is None:
            return []
        if isinstance(node.value, list):
            return node.value
        if not isinstance(node.value, dict) or not node.value:
            message = (
                "`rules` is empty" if not node.value else f"`rules` is {kind_of_value(node.value)}; expected a list"
            )
            help = 'list the rules: `rules: [{id: force-push, command: git push -f, deny: "Push to a branch."}]`'
            self.reader.complain(message, self._place_of_key("rules"), help)
            return []
        if node.value.keys() & RULE_KEYS.keys():
            first = next(iter(node.value))
            help = f"put a dash before the first key of each rule: `- {first}: …`"
            self.reader.complain("`rules` is a map; expected a list", node.source, help)
            return [node]
        first = next(iter(node.value))
        help = f"write each rule as an item with its name as `id`: `- id: {first}`"
        self.reader.complain("`rules` is a map; expected a list", node.source, help)
        return [_with_id(name, item, node.keys[name]) for name, item in node.value.items()]

    def _place_of_key(self, key: str) -> Source:
        return self._document.root.keys[key]

    def _in_order(self, own: list[Rule], listed: list[tuple[Rule, Language]]) -> list[tuple[Rule, Language]]:
        """The rules in the order in which they are judged, after a look at what each waits for."""
        named = {rule.id: rule for rule, _ in listed}
        for rule in own:
            for asked, _ in (found for one in rule.expressions for found in rules_awaited(one.text)):
                if asked is None:
                    self.reader.complain(
                        "fired() takes a rule's id as a text", rule.source, 'write fired("force-push")'
                    )
                elif asked in named and not set(named[asked].events) & set(rule.events):
                    events = ", ".join(named[asked].events)
                    message = f'fired("{asked}") is never true on {", ".join(rule.events)}: that rule is about {events}'
                    self.reader.complain(message, rule.source, "give both rules the same event")
        try:
            return in_order(listed, lambda pair: pair[0])
        except CircularRules as found:
            message = f"these rules wait for each other: {found}"
            self.reader.complain(message, found.rules[0].source, "take one of their fired(…) out")
            return listed


def _with_id(name: str, node: Node, place: Source) -> Node:
    """A rule that is written under its name, as an item of a list has it."""
    if not isinstance(node.value, dict) or "id" in node.value:
        return node
    named = Node(value=name, source=place, style="plain", lines=node.lines)
    return replace(node, value={"id": named, **node.value}, keys={"id": place, **node.keys})


_MOST_LISTED = 8
_HOOK_KEYS = ("run", "url", "event", "tool", "dialect", "timeout", "name")
