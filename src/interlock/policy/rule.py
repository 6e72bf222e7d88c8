"""A rule, compiled: which calls it is about, and what happens then."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from interlock.errors import Source
from interlock.policy.expressions import Expression, rules_awaited
from interlock.policy.names import NamePattern, ToolPattern
from interlock.policy.patterns import CommandPattern, DoesPattern, PathPattern, TextPattern, UrlPattern
from interlock.policy.pushes import PushPattern
from interlock.policy.template import Text, Value
from interlock.verdict import Decision

__all__ = ["ABOUT_KEYS", "ITEM_KEYS", "Case", "Check", "Condition", "OnError", "Rule", "Way"]

OnError: TypeAlias = Literal["deny", "ask", "ignore"]
Way: TypeAlias = Literal["host", "inbox", "both"]
"""Where a person is asked: at the host's own prompt, in Interlock's inbox, or in both: the first answer counts."""
ITEM_KEYS = ("command", "path", "url", "content")
ABOUT_KEYS = ("agent", "mode", "host", "branch", "server", "prompt")


class Condition(Struct, frozen=True, kw_only=True):
    """What must hold of a call: every key that is there."""

    tool: ToolPattern | None = None
    kind: NamePattern | None = None
    agent: NamePattern | None = None
    mode: NamePattern | None = None
    host: NamePattern | None = None
    branch: NamePattern | None = None
    server: NamePattern | None = None
    prompt: TextPattern | None = None
    command: tuple[CommandPattern, ...] | None = None
    does: DoesPattern | None = None  # with `command` about the same command
    push: PushPattern | None = None  # with `command` or `does` about the same command
    path: PathPattern | None = None
    url: UrlPattern | None = None
    content: TextPattern | None = None
    when: Expression | None = None
    items: tuple[str, ...] = ()  # the keys that are tried on each command, path, URL or text
    about: tuple[str, ...] = ()  # the keys that are about the event as a whole

    def __post_init__(self) -> None:
        items = [key for key in ITEM_KEYS if getattr(self, key) is not None]
        if (self.does is not None or self.push is not None) and self.command is None:
            items.insert(0, "command")
        force_setattr(self, "items", tuple(items))
        force_setattr(self, "about", tuple(key for key in ABOUT_KEYS if getattr(self, key) is not None))


class Check(Struct, frozen=True):
    """A program whose exit code a rule asks for."""

    command: str | Value
    timeout: float
    max_lines: int | None = None  # of each of its outputs, counted from the end


class Case(Struct, frozen=True):
    """One call a rule must or must not catch, as the policy writes it."""

    given: Any
    catch: bool
    source: Source


class Rule(Struct, frozen=True, kw_only=True):
    """One entry of a policy."""

    id: str
    source: Source
    events: tuple[str, ...]
    condition: Condition
    unless: tuple[Condition, ...] = ()
    run: Check | None = None
    about: str | None = None
    decision: Decision | None = None
    reason: Text | None = None
    change: Value | None = None
    quiet: str | None = None
    output: Value | None = None
    context: Text | None = None
    notify: Text | None = None
    desktop: bool = False  # `notify` is shown on the person's desktop, too
    set: Value | None = None
    interrupt: bool = False
    observe: bool = False
    on_error: OnError = "deny"
    approve: Way | None = None  # where a person is asked, if it asks
    cases: tuple[Case, ...] = ()
    names: frozenset[str] = frozenset()  # what its expressions may look at
    awaits: frozenset[str] = frozenset()  # the rules about which it asks whether they fired
    stands_alone: bool = False  # whether its condition is an expression about the call as a whole, and no more

    def __post_init__(self) -> None:
        force_setattr(self, "names", frozenset().union(*(one.names for one in self.expressions)))
        when = self.condition.when
        asked = (name for one in self.expressions for name, _ in rules_awaited(one.text) if name is not None)
        force_setattr(self, "awaits", frozenset(asked))
        alone = when is not None and not when.runs and not self.condition.items and not self.awaits
        force_setattr(self, "stands_alone", alone)

    @property
    def has_effect(self) -> bool:
        """Whether anything happens when the rule fires; what `run` runs may act itself, and `observe` records."""
        parts = (self.decision, self.change, self.output, self.context, self.notify, self.set, self.run)
        return self.interrupt or self.observe or any(part is not None for part in parts)

    @property
    def changes(self) -> bool:
        return self.change is not None or self.output is not None

    @property
    def expressions(self) -> list[Expression]:
        """Every expression of the rule."""
        conditions = [self.condition, *self.unless]
        found = [condition.when for condition in conditions if condition.when is not None]
        for part in (self.reason, self.change, self.output, self.context, self.notify, self.set):
            if part is not None:
                found += part.expressions
        if self.run is not None and isinstance(self.run.command, Value):
            found += self.run.command.expressions
        return found
