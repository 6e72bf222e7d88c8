"""Read the nodes of a policy file: types, lists and durations, with every complaint at its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Any

from interlock.errors import InterlockError, Source, did_you_mean
from interlock.policy import traps
from interlock.policy.durations import seconds_of
from interlock.policy.expressions import Expression, Language, rules_asked, rules_awaited
from interlock.policy.foreign_words import word_for
from interlock.policy.literals import literal_problems, qualify
from interlock.policy.positions import Node
from interlock.policy.schema import RULE_KEYS, TOP_KEYS
from interlock.policy.template import Text, TextPart, Value, parts_of
from interlock.policy.tokens import expand

__all__ = ["MOST_PATTERNS", "PAGE", "Reader", "example_of", "kind_of_value", "value_text"]

MOST_PATTERNS = 1_000  # that the lists of `let` in one pattern may stand for
KEYS = {**TOP_KEYS, **RULE_KEYS}
KEYS_OF_TEXT = {name: key.example for name, key in KEYS.items() if key.takes in ("text", "text or true")}
PAGE = "`interlock docs policy`"
_LONGEST_CURE = 100
_MOST_LISTED = 8
_ENVIRONMENT = {"HOME": "~", "PWD": "${project}", "CLAUDE_PROJECT_DIR": "${project}"}


class Reader:
    """Collects complaints while it reads, so that one run shows them all."""

    def __init__(self, lines: tuple[str, ...], language: Language, conditions: Mapping[str, str]) -> None:
        self.errors: list[InterlockError] = []
        self.language = language
        self._lines = lines
        self._conditions = dict(conditions)
        self._own_rules: dict[str, str] = {}
        self.questions: list[tuple[str, str | None, Source]] = []  # what count() and since() ask about, and where
        self.own_tools: frozenset[str] = frozenset()  # those that the policy describes

    def with_conditions(self, conditions: Mapping[str, str]) -> Reader:
        """The same reader, knowing these names for conditions as well."""
        self._conditions |= conditions
        return self

    def own_rules(self, names: Mapping[str, str]) -> None:
        """The rules of this file by their short names: count("x") in a pack asks about its own x."""
        self._own_rules = dict(names)

    # --- complaints --------------------------------------------------------------------------------------

    def complain(self, message: str, source: Source, help: str | None = None) -> None:
        line = self._lines[source.line - 1] if 0 < source.line <= len(self._lines) else None
        self.errors.append(InterlockError(message, source, help, line))

    def unknown_keys(self, node: Node, known: Mapping[str, Any], what: str, where: str = "") -> None:
        """Complain about keys that are not known. `where`: whose keys they are, for the words of other tools."""
        for name, source in node.keys.items():
            if name not in known:
                examples = {one: getattr(key, "example", "") for one, key in known.items()}
                help = word_for(name, where, examples) or did_you_mean(name, list(known), _keys_help(known, where))
                self.complain(f"unknown key `{traps.short(name)}` in {what}", source, help)

    # --- plain values ------------------------------------------------------------------------------------

    def mapping(self, node: Node, what: str, help: str | None = None) -> dict[str, Node]:
        if isinstance(node.value, dict):
            return node.value
        help = help or example_of(what)
        self.complain(f"{what} is {kind_of_value(node.value)}; expected a map", node.source, help)
        return {}

    def sequence(self, node: Node, what: str, help: str | None = None) -> list[Node]:
        if isinstance(node.value, list):
            return node.value
        help = help or example_of(what)
        if isinstance(node.value, str) and re.fullmatch(r"[\w./-]+", node.value):
            help = f"write `{_key_of(what)}: [{node.value}]`"
        self.complain(f"{what} is {kind_of_value(node.value)}; expected a list", node.source, help)
        return []

    def text(self, node: Node, what: str, help: str | None = None) -> str | None:
        if isinstance(node.value, str) and node.value.strip():
            return node.value
        found = "empty" if isinstance(node.value, str) or node.value is None else kind_of_value(node.value)
        self.complain(f"{what} is {found}; expected a text", node.source, help or self._text_help(node, what))
        return None

    def _text_help(self, node: Node, what: str) -> str | None:
        key = _key_of(what)
        if isinstance(node.value, list) and node.value and all(isinstance(one.value, str) for one in node.value):
            whole = " ".join(one.value for one in node.value)
            if len(whole) <= _LONGEST_CURE:
                return f"write one text: `{key}: {traps.quoted(whole)}`"
        if isinstance(node.value, bool | int | float) and key in KEYS_OF_TEXT:
            return f"say it in a sentence: `{KEYS_OF_TEXT[key]}`"
        return example_of(what)

    def flag(self, node: Node, what: str) -> bool:
        if not isinstance(node.value, bool):
            help = f"write `{_key_of(what)}: true`, or leave it out"
            self.complain(f"{what} is {kind_of_value(node.value)}; expected true or false", node.source, help)
        return node.value is True

    def one_of(self, node: Node, what: str, choices: tuple[str, ...]) -> str | None:
        if isinstance(node.value, str) and node.value in choices:
            return node.value
        listed = ", ".join(f"`{choice}`" for choice in choices)
        help = did_you_mean(str(node.plain()), list(choices), f"write `{_key_of(what)}: {choices[0]}`, for example")
        self.complain(f"{what} is {value_text(node)}; expected one of {listed}", node.source, help)
        return None

    def duration(self, node: Node, what: str) -> float | None:
        seconds = seconds_of(str(node.value)) if isinstance(node.value, str) else None
        if seconds is None:
            help = "write 90s, 5m or 1h"
            if isinstance(node.value, int) and not isinstance(node.value, bool):
                help = f"write `{_key_of(what)}: {node.value}s`"
            self.complain(f"{what} is {value_text(node)}; expected a duration", node.source, help)
        return seconds

    def texts(self, node: Node, what: str) -> list[tuple[str, Node]]:
        """One text or a list of them. A `${name}` of `let` is replaced by its value, or by each member of its list."""
        nodes = node.value if isinstance(node.value, list) else [node]
        if not nodes:
            help = example_of(what)
            self.complain(f"{what} is an empty list, which matches nothing", node.source, help)
        found: list[tuple[str, Node]] = []
        for one in nodes:
            if isinstance(one.value, bool | int | float) and not isinstance(one.value, bool):
                found.append((str(one.value), one))
            elif (text := self.text(one, what)) is not None:
                found += [(each, one) for each in self._constants(text, one, what)]
        return found

    def _constants(self, text: str, node: Node, what: str) -> list[str]:
        try:
            parts = parts_of(text)
        except InterlockError as error:
            self._at(error, node, 0)
            return []
        if not any(part.is_expression for part in parts):
            return [text]
        choices = [self._members(part, node, what) if part.is_expression else [part.text] for part in parts]
        number = prod(map(len, choices))
        if number > MOST_PATTERNS:
            help = f"a pattern may stand for {MOST_PATTERNS:,}; shorten a list, or use two rules"
            self.complain(f"the lists in `{text}` make {number:,} patterns", node.source, help)
            return []
        return list(dict.fromkeys("".join(one) for one in product(*choices)))

    def _members(self, part: TextPart, node: Node, what: str) -> list[str]:
        """What a `${…}` in a pattern stands for: a value of `let`, or each member of a list. An empty list has none."""
        value = self._constant(part, node, what)
        if value is None and part.text.strip() not in self.language.constants:
            return []  # it was complained about
        found = []
        for one in value if isinstance(value, list) else [value]:
            if problem := _unfit(one):
                message = f"`{part.text.strip()}` in {what} holds {problem}"
                self.complain(message, node.offset(part.start), "give it texts or numbers")
            else:
                found.append(str(one))
        return found

    def _constant(self, part: TextPart, node: Node, what: str) -> Any:
        name = part.text.strip()
        if name == "project":
            return "${project}"  # known only when a session starts
        if name in self.language.constants:
            return self.language.constants[name]
        help = did_you_mean(
            name, [*self.language.constants, "project"], "a pattern takes names of `let`, and `project`"
        )
        if name in _ENVIRONMENT:
            help = f"write `{_ENVIRONMENT[name]}`; the environment is not read"
        self.complain(f"`{traps.short(name)}` in {what} is not a constant", node.offset(part.start), help)
        return None

    # --- expressions -------------------------------------------------------------------------------------

    def expression(
        self, node: Node, text: str, start: int = 0, fields: Mapping[str, str] | None = None, *, condition: bool = False
    ) -> Expression | None:
        """Compile an expression that stands at `start` of a scalar."""
        whole = expand(qualify(text, self._own_rules), self._conditions)
        self.questions += [(function, asked, node.offset(start + at)) for function, asked, at in rules_asked(text)]
        self.questions += [("fired", asked, node.offset(start + at)) for asked, at in rules_awaited(text) if asked]
        for problem, at, help in literal_problems(text):
            self.complain(problem, node.offset(start + at), help)
        try:
            return self.language.compile(whole, fields, condition=condition)
        except InterlockError as error:
            # What a name of `let` stands for was written out, so that places behind it are not those of the file.
            self._at(error, node, start if whole[: error.at] == text[: error.at] else start - error.at)
            return None

    def _at(self, error: InterlockError, node: Node, start: int) -> None:
        help = error.help
        for name, meant in self._conditions.items():
            help = help and help.replace(f"({meant})", name)
        self.complain(error.message, node.offset(start + error.at), help)

    def template(self, node: Node, what: str, fields: Mapping[str, str] | None = None) -> Text | None:
        """A text with `${…}` in it."""
        text = self.text(node, what)
        return None if text is None else self._template(node, text, fields)

    def _template(self, node: Node, text: str, fields: Mapping[str, str] | None) -> Text | None:
        try:
            parts = parts_of(text)
        except InterlockError as error:
            self._at(error, node, 0)
            return None
        built: list[str | Expression] = []
        for part in parts:
            if not part.is_expression:
                built.append(part.text)
            elif (made := self.expression(node, part.text, part.start, fields)) is not None:
                built.append(made)
        return Text(tuple(built))

    def value(self, node: Node, fields: Mapping[str, str] | None = None) -> Value:
        """A tree of values with `${…}` anywhere in it."""
        return Value(self._tree(node, fields))

    def _tree(self, node: Node, fields: Mapping[str, str] | None) -> Any:
        if isinstance(node.value, dict):
            return {self._tree_key(node, key, fields): self._tree(item, fields) for key, item in node.value.items()}
        if isinstance(node.value, list):
            return [self._tree(item, fields) for item in node.value]
        if not isinstance(node.value, str) or "${" not in node.value:
            return node.value
        text = self._template(node, node.value, fields)
        if text is None:
            return node.value
        whole = text.parts[0] if len(text.parts) == 1 else None
        return whole if isinstance(whole, Expression) else text

    def _tree_key(self, node: Node, key: str, fields: Mapping[str, str] | None) -> Any:
        if "${" not in key:
            return key
        place = Node(value=key, source=node.keys[key], style="quoted")
        return self._template(place, key, fields) or key


def _unfit(value: Any) -> str:
    """Why a value of `let` cannot be part of a pattern, or nothing."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return f"{kind_of_value(value)}, which is no text" if value is not None else "nothing"
    if isinstance(value, str) and not value.strip():
        return "an empty text"
    if "${" in str(value).replace("${project}", ""):
        return f"`{value}`, in which nothing but `${{project}}` is replaced"
    return ""


def example_of(what: str) -> str | None:
    """A cure for a key with a value of the wrong sort: the key as the language's own table shows it."""
    if what == "the policy":
        return "start with `version: 1`, and list the rules under `rules`"
    key = KEYS.get(what.strip("`").partition(".")[0])
    return f"write `{key.example}`, for example" if key is not None else None


def _key_of(what: str) -> str:
    """The key of something like `path.read`, as it is written in the file."""
    return what.strip("`").rpartition(".")[2]


def _keys_help(known: Mapping[str, Any], where: str) -> str:
    if len(known) <= _MOST_LISTED:
        return f"use one of {', '.join(f'`{name}`' for name in known)}"
    return f"{'`interlock docs programs`' if where == 'program' else PAGE} lists the keys"


def value_text(node: Node) -> str:
    """A value of the file as a message shows it."""
    if isinstance(node.value, str | int | float) and not isinstance(node.value, bool):
        return f"`{traps.short(str(node.value))}`"
    return kind_of_value(node.value)


def kind_of_value(value: Any) -> str:
    """What a value of the file is, in words."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a map"}
    return kinds.get(type(value), "empty")
