"""Build rules from the nodes of a policy file, and check each against what its events and tools can do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from msgspec import json

from interlock.effect import can
from interlock.errors import InterlockError, Source, did_you_mean
from interlock.event import EVENTS
from interlock.facts.fields import known_fields
from interlock.facts.paths import Places
from interlock.facts.tools import KINDS
from interlock.policy.expressions import Expression
from interlock.policy.lookalikes import path_problem, text_problem
from interlock.policy.names import NOTHING, NamePattern, ToolPattern, regex
from interlock.policy.patterns import (
    SORTS,
    CommandPattern,
    DoesPattern,
    PathPattern,
    TextPattern,
    UrlPattern,
    glob_pattern,
    globs_of,
)
from interlock.policy.positions import Node
from interlock.policy.pushes import PUSH_KEYS, PushPattern, RefPattern
from interlock.policy.reader import PAGE, Reader, example_of, kind_of_value, value_text
from interlock.policy.rule import Case, Check, Condition, Rule, Way
from interlock.policy.rule_checks import RuleChecks
from interlock.policy.schema import RULE_KEYS, UNLESS_KEYS
from interlock.policy.template import Text
from interlock.verdict import Decision

__all__ = ["RuleBuilder", "check_timeout", "way_of"]

_DECISIONS: tuple[Decision, ...] = ("deny", "ask", "allow", "defer")
_KIND_WORDS = {
    "write": "edit", "file": "edit", "bash": "shell", "command": "shell", "exec": "shell", "run": "shell",
    "network": "fetch", "web": "fetch", "http": "fetch", "subagent": "agent", "task": "agent", "search": "read",
}  # fmt: skip
_LIKE_FLAGS = frozenset({"", "true", "false", "yes", "no", "on", "off"})  # in quotes, and hardly meant as a text


class RuleBuilder:
    """Builds the rules of one file."""

    def __init__(self, reader: Reader, prefix: str = "") -> None:
        self._reader = reader
        self._prefix = prefix
        self._seen: dict[str, Source] = {}

    def build(self, node: Node) -> Rule | None:
        """One rule, or None if it cannot be built; complaints go to the reader."""
        before = len(self._reader.errors)
        if not isinstance(node.value, dict) or not node.value:
            found = "empty" if node.value in ({}, None) else kind_of_value(node.value)
            help = 'write `- {id: force-push, command: git push -f, deny: "Push to a branch."}`, for example'
            self._reader.complain(f"a rule is {found}; expected a map of its keys", node.source, help)
            return None
        parts: dict[str, Node] = node.value
        name = self._id(node, parts)
        self._reader.unknown_keys(node, RULE_KEYS, f"rule `{name}`" if name else "a rule", "rule")
        rule = _RuleParts(self._reader, node, parts, name or "?").rule(self._prefix)
        return rule if len(self._reader.errors) == before else None

    def _id(self, node: Node, parts: Mapping[str, Node]) -> str | None:
        if "id" not in parts:
            self._reader.complain("a rule has no `id`", node.source, "name what it catches: `id: force-push`")
            return None
        name = self._reader.text(parts["id"], "`id`")
        if name is None:
            return None
        place = parts["id"].source
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
            cure = re.sub(r"[^\w.-]+", "-", name).strip("-._")
            help = f"write `id: {cure}`" if cure else "name what it catches: `id: force-push`"
            self._reader.complain(f"`{name}` cannot be an id: it takes letters, digits, `-`, `.` and `_`", place, help)
        if name in self._seen:
            first = self._seen[name].line
            lines = f"lines {first} and {place.line}" if first != place.line else f"line {first}"
            self._reader.complain(f"two rules are called `{name}` ({lines})", place, f"rename one: `id: {name}-2`")
        else:
            self._seen[name] = place
        return name


class _RuleParts:
    """The keys of one rule while it is built."""

    def __init__(self, reader: Reader, node: Node, parts: Mapping[str, Node], name: str) -> None:
        self.reader, self.node, self.parts, self.name = reader, node, parts, name
        self.events = self._events()
        self._checks = RuleChecks(reader, node, parts, self.events)

    def rule(self, prefix: str) -> Rule:
        parts, reader = self.parts, self.reader
        condition = self._condition(parts)
        fields = self._sure_fields(condition)
        decision, reason = self._decision(fields)
        rule = Rule(
            id=prefix + self.name,
            source=self.node.source,
            events=self.events,
            condition=condition,
            unless=self._unless(),
            run=self._run(fields),
            about=reader.text(parts["about"], "`about`") if "about" in parts else None,
            decision=decision,
            reason=reason,
            change=self._map("change", fields),
            quiet=reader.text(parts["quiet"], "`quiet`") if "quiet" in parts else None,
            output=reader.value(parts["output"], fields) if "output" in parts else None,
            context=self._template("context", fields),
            notify=self._notify(fields),
            desktop=self._on_desktop(),
            set=self._map("set", fields),
            interrupt=self._interrupts(),
            observe=reader.flag(parts["observe"], "`observe`") if "observe" in parts else False,
            on_error=self._on_error(),
            approve=way_of(reader, parts["approve"]) if "approve" in parts else None,
            cases=self._cases(),
        )
        self._checks.check(rule)
        return rule

    # --- which calls -------------------------------------------------------------------------------------

    def _events(self) -> tuple[str, ...]:
        if "event" not in self.parts:
            return ("PreToolUse",)
        found = []
        for name, node in self.reader.texts(self.parts["event"], "`event`"):
            if name == "WorktreeCreate":
                message = "WorktreeCreate has no rules: its host takes any answer as a path"
                self.reader.complain(message, node.source, "remove it")
            elif name not in EVENTS:
                help = did_you_mean(name, list(EVENTS), f"{PAGE} lists the events")
                self.reader.complain(f"unknown event `{name}`", node.source, help)
            else:
                found.append(name)
        return tuple(found)

    def _condition(self, parts: Mapping[str, Node]) -> Condition:
        return Condition(
            tool=self._pattern(parts, "tool", self._tool_pattern),
            kind=self._kind(parts),
            agent=self._pattern(parts, "agent", NamePattern),
            mode=self._pattern(parts, "mode", NamePattern),
            host=self._pattern(parts, "host", NamePattern),
            branch=self._pattern(parts, "branch", NamePattern),
            server=self._pattern(parts, "server", NamePattern),
            prompt=self._pattern(parts, "prompt", TextPattern),
            command=self._commands(parts),
            does=self._pattern(parts, "does", DoesPattern),
            push=self._push(parts),
            path=self._path(parts),
            url=self._pattern(parts, "url", UrlPattern),
            content=self._pattern(parts, "content", TextPattern),
            when=self._when(parts) if "when" in parts else None,
        )

    def _pattern(self, parts: Mapping[str, Node], key: str, make: Callable[[list[str]], Any]) -> Any:
        if key not in parts:
            return None
        listed = self.reader.texts(parts[key], f"`{key}`")
        good = []
        for text, node in listed:
            try:
                if (problem := text_problem(key, text)) is not None:
                    raise problem
                make([text])
                good.append(text)
            except InterlockError as error:
                self.reader.complain(error.message, node.source, error.help or example_of(f"`{key}`"))
        if listed:
            return make(good) if good else None
        # An empty list of `let` is a condition that never holds. Leaving the condition out would match everything.
        return make([NOTHING] if make in (NamePattern, RefPattern, self._tool_pattern) else [])

    def _quietly(self, parts: Mapping[str, Node], key: str, make: Callable[[list[str]], Any]) -> Any:
        """The pattern once more, without the complaints that were made when it was read first."""
        before = len(self.reader.errors)
        found = self._pattern(parts, key, make)
        del self.reader.errors[before:]
        return found

    def _tool_pattern(self, texts: list[str]) -> ToolPattern:
        return ToolPattern(texts, self.reader.own_tools)

    def _kind(self, parts: Mapping[str, Node]) -> NamePattern | None:
        for text, node in self.reader.texts(parts["kind"], "`kind`") if "kind" in parts else ():
            if text.lower() in _KIND_WORDS:
                message = f"`kind` is `{text}`; expected one of {', '.join(f'`{one}`' for one in KINDS)}"
                self.reader.complain(message, node.source, f"write `kind: {_KIND_WORDS[text.lower()]}`")
                return None
            if not text.startswith("/") and not set(text) & set("*?[") and text not in KINDS:
                self.reader.one_of(Node(value=text, source=node.source, style=""), "`kind`", KINDS)
                return None
        found: NamePattern | None = self._pattern(parts, "kind", NamePattern)
        return found

    def _commands(self, parts: Mapping[str, Node]) -> tuple[CommandPattern, ...] | None:
        found = self._pattern(parts, "command", _command_patterns)
        return tuple(found) if found is not None else None

    def _push_quietly(self) -> PushPattern | None:
        before = len(self.reader.errors)
        found = self._push(self.parts)
        del self.reader.errors[before:]
        return found

    def _push(self, parts: Mapping[str, Node]) -> PushPattern | None:
        if "push" not in parts:
            return None
        node = parts["push"]
        if not isinstance(node.value, dict):
            return PushPattern(to=self._pattern(parts, "push", RefPattern))
        self.reader.unknown_keys(node, dict.fromkeys(PUSH_KEYS), "`push`")
        if not node.value:
            self.reader.complain("`push` is empty", node.source, 'write `push: "*"` for every branch')
        flags = {
            key: self.reader.flag(node.value[key], f"`push.{key}`")
            for key in ("force", "delete", "certain")
            if key in node.value
        }
        return PushPattern(
            to=self._pattern(node.value, "to", RefPattern),
            remote=self._pattern(node.value, "remote", NamePattern),
            force=flags.get("force"),
            delete=flags.get("delete"),
            certain=flags.get("certain"),
        )

    def _path(self, parts: Mapping[str, Node]) -> PathPattern | None:
        if "path" not in parts:
            return None
        node = parts["path"]
        if node.value == {}:
            self.reader.complain("`path` is empty, which matches nothing", node.source, example_of("`path`"))
        if not isinstance(node.value, dict):
            return PathPattern({"": self._all_globs(node, "`path`")})
        self.reader.unknown_keys(node, dict.fromkeys(SORTS), "`path`", "path")
        return PathPattern(
            {sort: self._all_globs(item, f"`path.{sort}`") for sort, item in node.value.items() if sort in SORTS}
        )

    def _all_globs(self, node: Node, what: str) -> tuple[str, ...]:
        found: list[str] = []
        for text, place in self.reader.texts(node, what):
            self._check_glob(text, place)
            try:
                found += globs_of(text)
            except InterlockError as error:
                self.reader.complain(error.message, place.source, error.help)
        return tuple(found)

    def _check_glob(self, glob: str, place: Node) -> None:
        if (problem := path_problem(glob)) is not None:
            self.reader.complain(problem.message, place.source, problem.help)
        elif re.search(r"[\\^$|+]", glob.replace("${project}", "")):
            help = "`*` stays within a name, `**` does not; a name alone matches at any depth"
            message = f"`{glob}` looks like a regex, and paths are written as globs"
            self.reader.complain(message, place.source, help)
        if glob in ("/", ".", "./"):
            self.reader.complain(
                f"`{glob}` is a folder, and none of the files in it", place.source, f"write `{glob}**` for all below"
            )
        try:
            regex(glob_pattern(glob, Places("/p", "/p", "/h")))
        except InterlockError:
            help = "close each `[`, and put ranges in order: `[a-z]`"
            self.reader.complain(f"`{glob}` is not a glob", place.source, help)

    def _when(self, parts: Mapping[str, Node]) -> Expression | None:
        node = parts["when"]
        text = self.reader.text(node, "`when`")
        if text is None:
            return None
        start = 0
        if text.startswith("${") and text.endswith("}"):
            text, start = text[2:-1], 2
        tools = self._quietly(self.parts, "tool", self._tool_pattern)
        fields = self._sure_fields(
            Condition(
                tool=tools,
                command=self._quietly(self.parts, "command", _command_patterns),
                does=self._quietly(self.parts, "does", DoesPattern),
                push=self._push_quietly(),
            )
        )
        made = self.reader.expression(node, text, start, fields, condition=True)
        if made is not None:
            kind = self._quietly(self.parts, "kind", NamePattern)
            self._checks.check_condition(made.references, node, start, self._checks.known_tools(tools, kind))
        return made

    def _unless(self) -> tuple[Condition, ...]:
        if "unless" not in self.parts:
            return ()
        node = self.parts["unless"]
        nodes = node.value if isinstance(node.value, list) else [node]
        found = []
        for one in nodes:
            parts = self.reader.mapping(one, "`unless`")
            self.reader.unknown_keys(one, UNLESS_KEYS, "`unless`", "unless")
            if one.value == {}:
                message = "an empty `unless` would excuse everything"
                self.reader.complain(message, one.source, example_of("`unless`"))
            found.append(self._condition(parts))
        return tuple(found)

    def _run(self, fields: Mapping[str, str]) -> Check | None:
        if "run" in self.parts and self.parts["run"].value == []:
            self.reader.complain("`run` is an empty list", self.parts["run"].source, "name a program")
        if "run" not in self.parts:
            for key in ("timeout", "max_lines"):
                if key in self.parts:
                    help = "add `run: npm test --silent`, for example"
                    self.reader.complain(f"`{key}` goes with `run`", self.parts[key].source, help)
            return None
        node = self.parts["run"]
        default = min([60.0, *(can(event).seconds for event in self.events)])
        timeout = self.reader.duration(self.parts["timeout"], "`timeout`") if "timeout" in self.parts else default
        if "timeout" in self.parts and timeout is not None:
            check_timeout(self.reader, self.parts["timeout"], timeout, self.events)
        most = self._max_lines()
        if isinstance(node.value, list):
            return Check(self.reader.value(node, fields), timeout or default, most)
        text = self.reader.text(node, "`run`")
        if text is not None and "${" in text:
            help = "give a list of arguments, each of which may have ${…}: `run: [./check.sh, '${match.path}']`"
            self.reader.complain("a `run` line for the shell may have no ${…}", node.source, help)
        return Check(text or "", timeout or default, most)

    def _max_lines(self) -> int | None:
        node = self.parts.get("max_lines")
        if node is None:
            return None
        if isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 1:
            message = f"`max_lines` is {value_text(node)}; expected a whole number of at least 1"
            self.reader.complain(message, node.source, "write `max_lines: 40`")
            return None
        return node.value

    # --- what happens ------------------------------------------------------------------------------------

    def _decision(self, fields: Mapping[str, str]) -> tuple[Decision | None, Any]:
        said = [name for name in _DECISIONS if name in self.parts]
        if len(said) > 1:
            place = self.node.keys[said[1]]
            help = "keep one, and write a second rule for the calls that shall be decided otherwise"
            self.reader.complain(f"`{said[0]}` and `{said[1]}` in one rule; a rule decides once", place, help)
        if not said:
            return None, self._why_interrupt(fields)
        name, node = said[0], self.parts[said[0]]
        if name in ("allow", "defer") and node.value is True:
            return name, None
        if isinstance(node.value, bool):
            help = f"say why, and what to do instead: `{RULE_KEYS[name].example}`"
            if name in ("allow", "defer"):
                help = f"write `{name}: true`, or remove it"
            self.reader.complain(f"`{name}` needs a text", node.source, help)
            return name, None
        return name, self.reader.template(node, f"`{name}`", fields)

    def _says_why(self) -> bool:
        """Whether the rule ends the turn with a text of its own."""
        return "interrupt" in self.parts and isinstance(self.parts["interrupt"].value, str)

    def _why_interrupt(self, fields: Mapping[str, str]) -> Any:
        if self._says_why():
            return self._template("interrupt", fields)
        given = "interrupt" in self.parts and self.parts["interrupt"].value is True
        return Text((f"the rule `{self.name}` ended the turn",)) if given else None

    def _interrupts(self) -> bool:
        if "interrupt" not in self.parts:
            return False
        node = self.parts["interrupt"]
        if self._says_why() and node.value.strip().lower() not in _LIKE_FLAGS:
            return True
        if isinstance(node.value, bool):
            return node.value
        message = f"`interrupt` is {value_text(node)}; expected true, or a text for the person"
        self.reader.complain(message, node.source, "write `interrupt: true`")
        return False

    def _template(self, key: str, fields: Mapping[str, str]) -> Any:
        return self.reader.template(self.parts[key], f"`{key}`", fields) if key in self.parts else None

    def _notify(self, fields: Mapping[str, str]) -> Any:
        node = self.parts.get("notify")
        if node is None or not isinstance(node.value, dict):
            return self._template("notify", fields)
        self.reader.unknown_keys(node, dict.fromkeys(("text", "desktop")), "`notify`")
        if "text" not in node.value:
            self.reader.complain("`notify` has no `text`", node.source, "write notify: {text: Done., desktop: true}")
            return None
        return self.reader.template(node.value["text"], "`notify.text`", fields)

    def _on_desktop(self) -> bool:
        node = self.parts.get("notify")
        parts = node.value if node is not None and isinstance(node.value, dict) else {}
        return "desktop" in parts and self.reader.flag(parts["desktop"], "`notify.desktop`")

    def _map(self, key: str, fields: Mapping[str, str]) -> Any:
        if key not in self.parts:
            return None
        node = self.parts[key]
        if not self.reader.mapping(node, f"`{key}`"):
            return None
        if key == "set":
            self._check_state_names(node)
        return self.reader.value(node, fields)

    def _check_state_names(self, node: Node) -> None:
        for name, source in node.keys.items():
            if name not in self.reader.language.state:
                help = did_you_mean(
                    name, list(self.reader.language.state), f"declare it at the top: `state: {{{name}: 0}}`"
                )
                self.reader.complain(f"nothing in `state` is called `{name}`", source, help)
            else:
                self._check_state_type(name, node.value[name])

    def _check_state_type(self, name: str, node: Node) -> None:
        """A variable keeps the type of its default: expressions were checked against that."""
        default = self.reader.language.state[name]
        text = node.value
        if default is None or (isinstance(text, str) and "${" in text and not _is_one_expression(text)):
            fits = default is None or isinstance(default, str)
        elif isinstance(text, str) and _is_one_expression(text):
            fits = self.reader.language.yields(text[2:-1], default)
        else:
            fits = type(node.plain()) is type(default)
        if not fits:
            message = f"`{name}` starts as {json.encode(default).decode()}; this sets another type"
            help = "set a value of that type, or change its default under `state`"
            self.reader.complain(message, node.source, help)

    def _on_error(self) -> Any:
        if "on_error" not in self.parts:
            return "deny"
        return self.reader.one_of(self.parts["on_error"], "`on_error`", ("deny", "ask", "ignore")) or "deny"

    def _cases(self) -> tuple[Case, ...]:
        if "cases" not in self.parts:
            return ()
        node = self.parts["cases"]
        self.reader.unknown_keys(node, dict.fromkeys(("catch", "pass")), "`cases`", "cases")
        return tuple(
            Case(one.plain(), catch=key == "catch", source=one.source)
            for key, listed in self.reader.mapping(node, "`cases`").items()
            for one in self.reader.sequence(listed, f"`cases.{key}`")
        )

    def _sure_fields(self, condition: Condition) -> dict[str, str]:
        """The typed fields that every matching tool has, if all of them are known."""
        if condition.tool is None and condition.command is None and condition.does is None and condition.push is None:
            return {}
        plain = condition.tool.patterns if condition.tool is not None else ("Bash",)
        tables = [known_fields(name) for name in plain]
        if any(table is None for table in tables) or not tables:
            return {}
        shared = set.intersection(*(set(table or {}) for table in tables))
        first = tables[0] or {}
        return {name: first[name] for name in shared if all((table or {}).get(name) == first[name] for table in tables)}


def way_of(reader: Reader, node: Node) -> Way | None:
    """Where a person is to be asked."""
    return cast("Way | None", reader.one_of(node, "`approve`", ("host", "inbox", "both")))


def check_timeout(reader: Reader, node: Node, seconds: float, events: tuple[str, ...]) -> None:
    """Refuse a time limit that is longer than a host waits on one of these events: what it guards would pass then."""
    event = min(events, key=lambda name: can(name).seconds, default="PreToolUse")
    if seconds <= can(event).seconds:
        return
    patient = ", ".join(name for name in EVENTS if can(name).seconds >= 3600)
    limit = f"{can(event).seconds:g}s"
    help = f"write `timeout: {limit}`" if can(event).seconds >= 3600 else f"checks may take up to 1h on {patient}"
    reader.complain(f"`timeout` is longer than the host waits on {event}; at most {limit}", node.source, help)


def _is_one_expression(text: str) -> bool:
    return text.startswith("${") and text.endswith("}") and text.count("${") == 1


def _command_patterns(texts: list[str]) -> tuple[CommandPattern, ...]:
    return tuple(CommandPattern(text) for text in texts)
