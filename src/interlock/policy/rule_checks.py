"""Whether a rule that was read can do what it says: its effects on its events, and every name that its texts use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import NODEFAULT
from msgspec.structs import fields as struct_fields

from interlock.effect import Effect, can, effects_of, explain_misplaced
from interlock.errors import InterlockError, Source, did_you_mean
from interlock.event import EVENTS, ToolEvent
from interlock.facts.fields import FIELDS, known_fields, sure_fields
from interlock.facts.tools import kind_of, shell_tools
from interlock.policy.lookalikes import MATCH_FIELDS, field_problem
from interlock.policy.names import NamePattern, ToolPattern
from interlock.policy.positions import Node
from interlock.policy.reader import Reader
from interlock.policy.rule import Rule
from interlock.policy.template import parts_of
from interlock.policy.tokens import Reference, references

__all__ = ["RuleChecks"]

# Keys about a call → what `match` holds because of them.
_MATCHED_BY = {
    "command": ("command", "does", "push"), "path": ("path",), "kind": ("path",), "url": ("url",), "text": ("content",),
}  # fmt: skip
_CALL_KEYS = ("tool", "kind", "command", "does", "push", "path", "url", "server")
_COMMAND_KEYS = frozenset({"command", "does", "push"})
_EFFECTS: tuple[Effect, ...] = ("change", "output", "context", "interrupt")
_TEXT_KEYS = frozenset(
    {"deny", "ask", "allow", "defer", "interrupt", "change", "output", "context", "notify", "set", "run"}
)
_PARTS = {  # values with fields of their own → those fields
    ("match", "command"): ("program", "name", "args", "text", "words", "env", "traits", "opaque", "file", "pipeline",
                           "stage"),
    ("match", "url"): ("url", "host", "port"),
    ("server",): ("name", "source"),
    ("session",): ("id", "cwd", "user"),
}  # fmt: skip


class RuleChecks:
    """The checks of one rule; complaints go to the reader."""

    def __init__(self, reader: Reader, node: Node, parts: Mapping[str, Node], events: tuple[str, ...]) -> None:
        self.reader, self.node, self.parts, self.events = reader, node, parts, events
        self._has_call = all(issubclass(EVENTS[event], ToolEvent) for event in events)

    def check(self, rule: Rule) -> None:
        """Everything about a rule whose parts were read."""
        self._check_effects(rule)
        self._check_names(rule)
        self._check_change()

    # --- effects -----------------------------------------------------------------------------------------

    def _check_effects(self, rule: Rule) -> None:
        effects: list[Effect] = [rule.decision] if rule.decision else []
        effects += [name for name in _EFFECTS if name in self.parts]
        for effect in effects:
            for event in self.events:
                if effect not in effects_of(event):
                    self.reader.complain(
                        explain_misplaced(effect, event), self.node.keys[effect], _event_for(effect, event)
                    )
        if rule.interrupt:
            self._check_interrupt(rule)
        if rule.quiet is not None and "change" not in self.parts:
            help = "add `change`, or remove `quiet`"
            self.reader.complain("`quiet` goes with `change`", self.node.keys["quiet"], help)
        carries = [key for key in _CALL_KEYS if key in self.parts]
        for event in self.events:
            if carries and not issubclass(EVENTS[event], ToolEvent):
                message = f"`{carries[0]}` never matches on {event}, which carries no call"
                help = f"remove `{carries[0]}`, or write `event: PreToolUse`"
                self.reader.complain(message, self.node.keys[carries[0]], help)

    def _check_interrupt(self, rule: Rule) -> None:
        place = self.node.keys["interrupt"]
        for event in self.events:
            if rule.decision == "deny" and can(event).deny_goes_on:
                why = f"on {event} a `deny` tells the agent to go on, and `interrupt` ends its turn"
                self.reader.complain(why, place, "keep one of them")
            elif rule.decision != "deny" and not can(event).ends_turn and "interrupt" in effects_of(event):
                help = 'add the reason: `deny: "Say what to do instead."`'
                self.reader.complain(f"`interrupt` goes with `deny` on {event}", place, help)
        if rule.decision == "deny" and isinstance(self.parts["interrupt"].value, str):
            self.reader.complain("`deny` has the text already", place, "write `interrupt: true`")

    # --- names -------------------------------------------------------------------------------------------

    def _check_names(self, rule: Rule) -> None:
        """Names that exist, but not here: `match.path` without `path`, `input.comand`, `output` before a result."""
        for key, node in self.parts.items():
            found = list(_references_under(node, key))
            seen = {(reference.root, reference.path) for reference, _ in found}
            # A condition of `let` is written elsewhere; what it names counts where it is used.
            found += [
                (one, node.source) for one in _condition_references(rule, key) if (one.root, one.path) not in seen
            ]
            for reference, place in found:
                problem = self._misplaced_name(rule, reference.root, reference.path)
                problem = problem or self._unknown_field(rule, key, reference)
                if problem is not None:
                    self.reader.complain(problem.message, place, problem.help)

    def _misplaced_name(self, rule: Rule, root: str, path: tuple[str, ...]) -> InterlockError | None:
        if root == "match" and path and path[0] in _MATCHED_BY:
            needed = _MATCHED_BY[path[0]]
            if not any(key in self.parts for key in needed):
                message = f"`match.{path[0]}` needs the rule to have `{'` or `'.join(needed)}`"
                return InterlockError(message, help=f"add `{needed[0]}`, or name something else")
        if root == "run" and rule.run is None and "run" not in self.parts:
            return InterlockError(
                "`run` has no value without a `run` check", help="add `run: npm test --silent`, for example"
            )
        if root in ("output", "response") and any(event != "PostToolUse" for event in self.events):
            return InterlockError(f"`{root}` exists only on PostToolUse", help="write `event: PostToolUse`")
        if root in ("input", "original") and not self._has_call:
            message = f"`{root}` exists only on events that carry a call"
            return InterlockError(message, help="write `event: PreToolUse`, or use `event.` with a field of this event")
        return None

    def _unknown_field(self, rule: Rule, key: str, reference: Reference) -> InterlockError | None:
        root, path = reference.root, reference.path
        if not path:
            return None
        if root == "match" and path[0] not in MATCH_FIELDS:
            help = did_you_mean(path[0], list(MATCH_FIELDS), f"it has {', '.join(f'`{one}`' for one in MATCH_FIELDS)}")
            return InterlockError(f"`match` has no `{path[0]}`", help=help)
        for start, known in _PARTS.items():
            whole = (root, *path)
            if whole[: len(start)] == start and len(whole) > len(start) and whole[len(start)] not in known:
                help = did_you_mean(whole[len(start)], known, f"it has {', '.join(f'`{one}`' for one in known)}")
                return InterlockError(f"`{'.'.join(start)}` has no `{whole[len(start)]}`", help=help)
        if root in ("input", "original") and key in _TEXT_KEYS and not reference.guarded[0]:
            return field_problem(self._named_tools(rule), path[0], self.reader.own_tools)
        return None

    def _named_tools(self, rule: Rule) -> list[str] | None:
        """The tools that a rule is about, by name; None if it may be about any."""
        if rule.condition.tool is not None:
            return list(rule.condition.tool.patterns)
        return ["Bash"] if _COMMAND_KEYS & self.parts.keys() else None

    def _check_change(self) -> None:
        """A field that no tool has would be added to the call, and change nothing."""
        node = self.parts.get("change")
        if node is None or not isinstance(node.value, dict):
            return
        tool = self.parts.get("tool")
        texts = [one.value for one in (tool.value if isinstance(tool.value, list) else [tool])] if tool else []
        named = [text for text in texts if isinstance(text, str)] if tool else None
        if tool is None and _COMMAND_KEYS & self.parts.keys():
            named = ["Bash"]
        for name in node.value:
            problem = None if "${" in name else field_problem(named, name, self.reader.own_tools)
            if problem is not None:
                self.reader.complain(problem.message, node.keys[name], problem.help)

    # --- conditions --------------------------------------------------------------------------------------

    def check_condition(self, found: tuple[Reference, ...], node: Node, start: int, tools: list[str]) -> None:
        """Refuse a condition that would fail, and so deny, on calls it need not match."""
        for reference in found:
            if not reference.path or reference.guarded[0] or not node.value:
                continue
            place = node.offset(start + reference.start)
            if reference.root == "input" and self._has_call:
                self._check_input_field(reference.path[0], place, tools)
            elif reference.root == "event":
                self._check_event_field(reference.path[0], place)

    def _check_input_field(self, field: str, place: Source, tools: list[str]) -> None:
        for tool in tools:
            known = known_fields(tool) or {}
            if field in sure_fields(tool):
                continue
            if field in known:
                help: str | None = f"write input.?{field}.orValue(…), or has(input.{field}) && …"
                self.reader.complain(f"{tool} may come without `{field}`, and would then be denied", place, help)
            else:
                help = did_you_mean(field, list(known), f"write input.?{field}.orValue(…), or name the tools")
                self.reader.complain(f"{tool} has no `{field}`, so the condition would fail on it", place, help)
            return

    def _check_event_field(self, field: str, place: Source) -> None:
        if field == "name":
            return
        for event in self.events:
            known = {one.name: one for one in struct_fields(EVENTS[event])}
            if field == "hook_event_name" or (field in known and known[field].default is NODEFAULT):
                continue
            if field in known:
                help: str | None = f"write event.?{field}.orValue(…)"
                self.reader.complain(f"{event} may come without `{field}`", place, help)
            else:
                help = did_you_mean(field, list(known), f"write event.?{field}.orValue(…)")
                self.reader.complain(f"{event} has no `{field}`", place, help)
            return

    def known_tools(self, tool: ToolPattern | None, kind: NamePattern | None) -> list[str]:
        """The tools that somebody has described and that the rule would be tried on."""
        found = [name for name in FIELDS if (tool is None or tool.match(name) == "exact" or _as_shell(tool, name))]
        found = [name for name in found if kind is None or kind.matches(kind_of(name) or "")]
        if _COMMAND_KEYS & self.parts.keys():
            found = [name for name in found if name in shell_tools() and name != "Monitor"]
        if tool is not None and tool.matches("Bash"):
            found = [name for name in found if name != "Monitor"]  # taken for a shell only when it carries a command
        return found


def _event_for(effect: Effect, event: str) -> str:
    instead, _ = can(event).instead.get(effect, ("", ""))
    chosen = instead or next((name for name in EVENTS if effect in effects_of(name)), "PreToolUse")
    return f"write `event: {chosen}`, or remove `{effect}`"


def _as_shell(tool: ToolPattern, name: str) -> bool:
    return name in shell_tools() and tool.match(name) is not None


def _references_under(node: Node, key: str) -> Iterator[tuple[Reference, Source]]:
    """Every name that the expressions under a key use, and where."""
    if key == "when":
        start = 2 if isinstance(node.value, str) and node.value.startswith("${") and node.value.endswith("}") else 0
        text = node.value[2:-1] if start else node.value
        if isinstance(text, str):
            yield from ((one, node.offset(start + one.start)) for one in references(text))
    elif key == "unless":
        for one in node.value if isinstance(node.value, list) else [node]:
            if isinstance(one.value, dict) and "when" in one.value:
                yield from _references_under(one.value["when"], "when")
    elif key in _TEXT_KEYS:
        yield from _references_in_tree(node)


def _references_in_tree(node: Node) -> Iterator[tuple[Reference, Source]]:
    if isinstance(node.value, dict):
        for key, item in node.value.items():
            if "${" in key:
                yield from _references_in_tree(Node(value=key, source=node.keys[key], style="quoted"))
            yield from _references_in_tree(item)
    elif isinstance(node.value, list):
        for item in node.value:
            yield from _references_in_tree(item)
    elif isinstance(node.value, str) and "${" in node.value:
        try:
            parts = parts_of(node.value)
        except InterlockError:
            return  # complained about when it was read
        for part in parts:
            if part.is_expression:
                yield from ((one, node.offset(part.start + one.start)) for one in references(part.text))


def _condition_references(rule: Rule, key: str) -> list[Reference]:
    """The names of a rule's conditions after those of `let` were written out."""
    conditions = [rule.condition] if key == "when" else list(rule.unless) if key == "unless" else []
    return [reference for one in conditions if one.when is not None for reference in one.when.references]
